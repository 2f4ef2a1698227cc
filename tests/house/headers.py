"""headers.py SOURCE BUILD: each header compiles alone, so that it may be included first and in any order.

The public ones do so as C17 and as C++17, with nothing but include/ on the path; those of src/ as C17, with the folders
of their module's row."""
import os
import shlex
import subprocess
import sys

import modtable
import tap

source, build = sys.argv[1:3]
cc, cxx = shlex.split(os.environ['SHOJI_CC']), os.environ['SHOJI_CXX']
strict = ['-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-D_POSIX_C_SOURCE=200809L']
t = tap.Tap()


def compile_alone(compiler, language, name, folders):
    command = compiler + strict + language + ['-I' + f for f in folders] + ['-']
    twice = '#include "%s"\n' % name * 2
    done = subprocess.run(command, input=twice, capture_output=True, text=True)
    return [] if done.returncode == 0 else done.stderr.splitlines() or ['exit status %d' % done.returncode]


def headers(below):
    for folder, names, files in os.walk(below):
        names.sort()
        for name in sorted(files):
            if name.endswith('.h'):
                yield os.path.relpath(os.path.join(folder, name), below)


public = os.path.join(source, 'include')
for name in headers(public):
    t.case('include/%s alone, as C17' % name, compile_alone(cc, ['-x', 'c', '-std=c17'], name, [public]))
    if cxx:
        t.case('include/%s alone, as C++17' % name, compile_alone([cxx], ['-x', 'c++', '-std=c++17'], name, [public]))
    else:
        t.skip('include/%s alone, as C++17' % name, 'no C++ compiler')

def gtk_flags():
    """What a compiler needs for the headers of GTK; None where it is absent."""
    try:
        done = subprocess.run(['pkg-config', '--cflags', 'gtk4', 'libadwaita-1'], capture_output=True, text=True)
    except OSError:
        return None
    return shlex.split(done.stdout.replace('-I', '-isystem')) if done.returncode == 0 else None


def wants_gtk(module, name):
    return 'dep_gtk' in outside[module] if module else name.startswith('app/')


outside = {row[0]: row[2] for row in modtable.modules(source)}
names = list(outside)
gtk = gtk_flags()
src = os.path.join(source, 'src')
for name in headers(src):
    module = modtable.module_of(name, names)
    tree = os.path.join(build, 'inc', module.replace('/', '_')) if module else src
    more = gtk if wants_gtk(module, name) else []
    if more is None:
        t.skip('src/%s alone, as C17' % name, 'no GTK')
        continue
    t.case('src/%s alone, as C17' % name, compile_alone(cc, ['-x', 'c', '-std=c17'] + more, name, [tree, public]))
t.done()
