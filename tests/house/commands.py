"""commands.py SOURCE BUILD: the command lines of the documents and of the manual page are ones the command takes.

Each line `shoji VERB ...` of a code block is run in an empty folder that has the files the documents speak of. What a
line prints is tested elsewhere (readme.py, the tests of the verbs); here it must not be wrong use, nor miss a file."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap

source, build = (os.path.abspath(p) for p in sys.argv[1:3])
t = tap.Tap()
folder = tempfile.mkdtemp()
env = dict(os.environ, LC_ALL='C.UTF-8', PATH=os.pathsep.join([folder, build + '/src/cmd', os.environ['PATH']]))
stands_for = {'FILE|-': 'session.jsonl', 'FILE': 'session.jsonl', 'VERSION': 'v1.0', 'ID': 'rsvp', 'COMPONENT': 'send'}


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def write(name, text, mode=0o644):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
        f.write(text)
    os.chmod(os.path.join(folder, name), mode)


def lines():
    """(where, command line) of every code block, and of the examples of the manual page."""
    for path in [source + '/README.md'] + sorted(glob.glob(source + '/docs/**/*.md', recursive=True)):
        fenced = False
        for line in read(path).split('\n'):
            if line.startswith('```'):
                fenced = not fenced
            elif fenced or line.startswith('    '):
                yield os.path.relpath(path, source), line.strip()
    page = read(source + '/docs/shoji.1')
    for line in page[page.index('.SH EXAMPLES') : page.index('.SH SEE ALSO')].split('\n'):
        yield 'docs/shoji.1', line.replace('\\-', '-')


def plain(line):
    """The command of a line: placeholders filled in, what is optional and the words beside it taken away."""
    line = re.sub(r'^\$ ', '', line)
    if not re.match(r'(\w+ \| )?(shoji|\./run) [a-z]', line) or 'SUITES' in line or './run ' in line:
        return None
    line = re.split(r'\s{3,}', line)[0]
    line = re.sub(r'\[(--[^]]*)\]', r'\1', line)
    line = re.sub(r' \[[^]]*\]', '', line)
    for word, file in stands_for.items():
        line = re.sub(r'(?<![\w-])%s(?![\w|])' % re.escape(word), file, line)
    return line if shutil.which('jq') else re.sub(r' \| jq .*', '', line)


session = read(source + '/examples/rsvp.jsonl')
for name in ('session.jsonl', 'survey.jsonl', 'list.jsonl', 'broken.jsonl'):
    write(name, session)
write('agent', '#!/bin/sh\ncat session.jsonl\n', 0o755)
text = {'allOf': [{'type': 'object', 'properties': {'component': {'const': 'Text'}, 'text': {'type': 'string'}}}]}
column = {'type': 'object', 'properties': {'component': {'const': 'Column'}}}
types = {'Text': text, 'Column': column}
write('my.json', json.dumps({'catalogId': 'https://example.org/my.json', 'components': types}))
os.symlink(source + '/tests', folder + '/tests')
os.symlink(source + '/examples', folder + '/examples')
seen = 0
for where, line in lines():
    command = plain(line)
    if not command:
        continue
    seen += 1
    done = subprocess.run(
        ['bash', '-o', 'pipefail', '-c', command],
        cwd=folder, env=env, capture_output=True, text=True, errors='replace', stdin=subprocess.DEVNULL,
    )
    faults = [] if done.returncode in (0, 1) else ['exit status %d' % done.returncode, done.stderr]
    t.case('%s: %s' % (where, command), faults)
t.case('there are such lines', [] if seen > 10 else ['only %d' % seen])
shutil.rmtree(folder)
t.done()
