"""layers.py SOURCE BUILD: the module table is enforced. With the include folders that the build really gives to a
module's files, a header of a module outside its row is not found, and one of each module in its row is."""
import json
import os
import shlex
import subprocess
import sys

import modtable
import tap

source, build = sys.argv[1:3]
cc = shlex.split(os.environ['SHOJI_CC'])
table = modtable.modules(source)
names = [row[0] for row in table]
t = tap.Tap()


def include_flags():
    """{module: the -I and -isystem flags its files are compiled with}, from the build's own record."""
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as f:
        records = json.load(f)
    flags, faults = {}, []
    for record in records:
        path = os.path.relpath(os.path.join(record['directory'], record['file']), os.path.join(source, 'src'))
        module = modtable.module_of(path, names)
        words = shlex.split(record['command'])
        if not module or 'sj_' + module.replace('/', '_') not in record['output']:
            continue  # the command, a test, or a test that compiles a module's file for itself
        mine = [w for w in words if w.startswith(('-I', '-isystem', '-iquote', '-include'))]
        if flags.setdefault(module, mine) != mine:
            faults.append('%s is compiled with other folders than the rest of %s' % (path, module))
    return flags, faults


def finds(flags, header):
    """Whether a file compiled with these flags finds the header. It is preprocessed in the build folder, from standard
    input, so that no folder of its own is searched."""
    line = '#include "%s"\n' % header
    done = subprocess.run(
        cc + flags + ['-E', '-x', 'c', '-std=c17', '-o', os.devnull, '-'],
        input=line,
        cwd=build,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0 and 'No such file' not in done.stderr and 'not found' not in done.stderr:
        raise RuntimeError(done.stderr)
    return done.returncode == 0


def one_header(module):
    folder = os.path.join(source, 'src', module)
    found = sorted(n for n in os.listdir(folder) if n.endswith('.h'))
    return module + '/' + found[0] if found else None


flags, faults = include_flags()
t.case('all files of a module see the same folders', faults)
sample = {name: one_header(name) for name in names}
for name, uses, _, through in table:
    if name not in flags:
        t.skip('%s sees its row and no more' % name, 'it has no source yet')
        continue
    faults = []
    for other in names:
        if sample[other]:
            seen, wanted = finds(flags[name], sample[other]), other in [name] + uses + through
            if seen != wanted:
                faults.append('%s %s include "%s"' % (name, 'can' if seen else 'cannot', sample[other]))
    for way in ('src/' + (sample[name] or ''), 'tests/harness/test.h', 'harness/test.h'):
        if finds(flags[name], way):
            faults.append('%s can include "%s": the root of the sources is on its path' % (name, way))
    t.case('%s sees its row and no more' % name, faults)

order = {name: i for i, name in enumerate(names)}
t.case(
    'rows name only modules below them',
    [
        '%s uses %s' % (name, u)
        for name, uses, _, through in table
        for u in uses + through
        if order.get(u, len(names)) >= order[name]
    ],
)
t.done()
