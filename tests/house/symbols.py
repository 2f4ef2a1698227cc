"""symbols.py SOURCE BUILD ARCHIVE...: what the archives of the modules call and keep.

Each symbol that a module takes from elsewhere is defined in a module of its row, belongs to an outside library of its
row, or stands in symbols.txt with a reason. And no module keeps a mutable global: an engine's state hangs on its
handle."""
import os
import re
import subprocess
import sys
import tempfile

import modtable
import tap

source, build = sys.argv[1:3]
nm = os.environ['SHOJI_NM']
table = modtable.modules(source)
t = tap.Tap()

# Put in by the compiler: sanitizers, stack protector, position-independent code, coverage.
TOOLCHAIN = re.compile(
    r'^(__asan_|__ubsan_|__lsan_|__tsan_|__sanitizer_|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_'
    r'|__gcov|__tls_get_addr|__[a-z]+_chk$|__start_|__stop_)'
)
LIBRARIES = {
    'dep_pcre2': r'pcre2_\w+_8$',
    'dep_md4c': r'md_\w+$',
    'dep_sodium': r'crypto_hash_sha256$',
    'dep_m': r'(fabs|floor|ceil|trunc|round|rint|nearbyint|fmod|pow|ldexp|frexp|modf|scalbn|log10|log2|exp2|sqrt'
    r'|sin|cos|sincos|tan|acos|atan2|llround|lround|copysign)$',
    'dep_gtk': r'(gtk|gdk|gsk|g|pango|graphene|cairo)_\w+$',
    'dep_adw': r'adw_\w+$',
}
# What GObject keeps for each class it was told of; the program has one type system, as it has one display.
CLASSES = re.compile(r'(sj_\w+_parent_class|Sj\w+_private_offset|static_g_define_type_id|g_define_type_id)(\.\w+)*$')
# Said by name in a failure, because these are laws and not omissions.
FORBIDDEN = {
    'the environment': 'getenv secure_getenv setenv putenv unsetenv environ',
    'a clock': 'time clock clock_gettime gettimeofday timespec_get ftime times nanosleep sleep usleep alarm',
    'the time zone': 'localtime localtime_r gmtime gmtime_r mktime ctime ctime_r asctime strftime tzset timegm',
    'the locale': 'setlocale localeconv nl_langinfo uselocale strcoll strxfrm wcscoll strtod strtof strtold atof '
    'toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc mbstowcs wcstombs mbrtowc wcrtomb mbtowc '
    'wctomb wcwidth',
    'a random source': 'rand rand_r srand random srandom drand48 lrand48 getrandom getentropy arc4random',
    'files': 'fopen fopen64 fdopen freopen open open64 openat creat read pread write pwrite close stat fstat lstat '
    'access opendir readdir mkstemp mktemp tmpfile unlink rename mmap mmap64 fread fwrite fgets getline dlopen dlsym',
    'the standard streams': 'printf vprintf puts putchar fputs fputc putc fprintf vfprintf perror stdout stderr stdin '
    'getchar scanf __isoc99_scanf',
    'sockets': 'socket connect bind listen accept send recv sendto recvfrom getaddrinfo gethostbyname poll select',
    'processes': 'system popen fork vfork execve execv execvp posix_spawn kill raise signal sigaction exit '
    '_exit abort atexit pthread_create',
    'hidden state': 'strtok strerror setbuf random_r localeconv',
    'unbounded copies': 'strcpy strcat sprintf vsprintf sscanf __isoc99_sscanf gets stpcpy',
}
WHY = {symbol: what for what, symbols in FORBIDDEN.items() for symbol in symbols.split()}


def symbols(archive):
    """(undefined, defined, mutable): {symbol: object file} of an archive."""
    done = subprocess.run([nm, '-A', '-f', 'sysv', archive], capture_output=True, text=True, cwd=build, check=True)
    undefined, defined, mutable = {}, {}, {}
    for line in done.stdout.splitlines():
        cells = [c.strip() for c in line.split('|')]
        if len(cells) != 7:
            continue
        place, _, name = cells[0].rpartition(':')
        kind, section = cells[3], cells[6]
        place = os.path.basename(place.split(':')[-1])
        if cells[2] in ('U', 'w', 'v'):
            undefined.setdefault(name, place)
        else:
            if cells[2].isupper():
                defined.setdefault(name, place)
            writable = re.match(r'\.t?(data|bss)|\*COM\*', section) and not section.startswith('.data.rel.ro')
            if kind in ('OBJECT', 'TLS') and writable and not re.match(r'(__odr_asan|__gcov)', name):
                mutable.setdefault(name, '%s (%s)' % (place, section))
    return undefined, defined, mutable


def allowed_symbols():
    allowed = {}
    with open(os.path.join(source, 'tests/house/symbols.txt'), encoding='utf-8') as f:
        for line in f:
            name, _, reason = line.strip().partition(' ')
            if name and not name.startswith('#'):
                allowed[name] = reason.strip()
    return allowed


def foreign(undefined, known, libraries, allowed):
    """The faults of one archive: symbols that come from nowhere it may take them from."""
    for name in sorted(undefined):
        if name in known or name in allowed and name not in WHY or TOOLCHAIN.match(name):
            continue
        if any(re.match(library, name) for library in libraries):
            continue
        why = 'is defined in no module of its row and not listed in symbols.txt'
        if name in WHY:
            why = 'reaches for %s' % WHY[name]
        yield '%s: %s %s' % (undefined[name], name, why)


archives = {}
for path in sys.argv[3:]:
    archives[os.path.basename(path)[len('libsj_') : -len('.a')]] = symbols(path)
allowed = allowed_symbols()
t.case(
    'each listed symbol has its reason',
    ['%s has none' % n for n, r in allowed.items() if not r]
    + ['%s reaches for %s and cannot be listed' % (n, WHY[n]) for n in allowed if n in WHY],
)
for name, uses, outside, _ in table:
    here = archives.get(name.replace('/', '_'))
    if not here:
        t.skip('%s takes only what its row allows' % name, 'it has no source yet')
        continue
    known = set()
    for module in [name] + uses:
        known |= set(archives.get(module.replace('/', '_'), ({}, {}, {}))[1])
    libraries = [LIBRARIES[o] for o in outside if o in LIBRARIES] + [LIBRARIES['dep_m']]
    t.case('%s takes only what its row allows' % name, foreign(here[0], known, libraries, allowed))
    kept = {w: where for w, where in here[2].items() if not ('dep_gtk' in outside and CLASSES.match(w))}
    t.case('%s keeps no mutable global' % name, ['%s: %s' % (where, what) for what, where in sorted(kept.items())])

# The test tests itself: a file that breaks both rules is seen to.
with tempfile.TemporaryDirectory() as folder:
    bad = os.path.join(folder, 'bad.c')
    with open(bad, 'w', encoding='utf-8') as f:
        f.write(
            '#include <stdlib.h>\n#include <time.h>\nint counter = 1;\n'
            'static int hidden;\nextern int sj_other(void);\n'
            'const char *const table[] = {"a"};\n'
            'long bad(void) { hidden++; return time(NULL) + (getenv("HOME") != NULL) + sj_other() + hidden; }\n'
        )
    subprocess.run(os.environ['SHOJI_CC'].split() + ['-c', '-fPIC', '-o', bad[:-1] + 'o', bad], check=True)
    undefined, _, mutable = symbols(bad[:-1] + 'o')
    said = '\n'.join(foreign(undefined, set(), [], allowed))
    t.case(
        'a clock, the environment and an unknown symbol are noticed',
        [
            w
            for w in (
                'time reaches for a clock',
                'getenv reaches for the environment',
                'sj_other is defined in no module',
            )
            if w not in said
        ],
    )
    t.case(
        'mutable globals are noticed, constant tables are not',
        [] if sorted(mutable) == ['counter', 'hidden'] else ['noticed: %s' % sorted(mutable)],
    )
t.done()
