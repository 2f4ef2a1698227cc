"""readme.py SOURCE BUILD: the examples of README.md are run and give what the page shows.

A block ```console holds commands after `$ ` and their standard output. `./run` stands for the command of this build.
With --write the blocks are filled in place: python3 tests/house/readme.py . BUILD --write"""
import os
import re
import subprocess
import sys

import tap

source, build = sys.argv[1:3]
page = os.path.join(source, 'README.md')
with open(page, encoding='utf-8') as f:
    text = f.read()
places = [os.path.join(os.path.abspath(build), p) for p in ('src/cmd', 'examples')]
env = dict(os.environ, PATH=os.pathsep.join(places + [os.environ['PATH']]), LC_ALL='C.UTF-8')


def run(command):
    done = subprocess.run(
        ['sh', '-c', command.replace('./run ', 'shoji ')],
        cwd=source,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout.rstrip('\n')


def blocks():
    """[(command, shown output)]"""
    for block in re.findall(r'```console\n(.*?)```', text, re.S):
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            command, _, output = part.partition('\n')
            yield command, output.rstrip('\n')


if '--write' in sys.argv:
    for command, output in blocks():
        text = text.replace('$ %s\n%s\n' % (command, output), '$ %s\n%s\n' % (command, run(command)))
    with open(page, 'w', encoding='utf-8') as f:
        f.write(text)
    sys.exit()

t = tap.Tap()
for command, output in blocks():
    got = run(command)
    t.case(
        command, [] if got == output else ['it gives:'] + got.splitlines() + ['the page shows:'] + output.splitlines()
    )
picture = re.search(r'```\n(.*?)```', text, re.S)[1]
got = run("printf '1+\\n1+\\n4+\\n5=12 Elm Street, flat 4\\n' | ./run demo dining --dialogue --width 60")
shown = picture.rstrip('\n') in got
t.case('the picture is what the demo draws', [] if shown else ['the demo draws:'] + got.splitlines())
t.done()
