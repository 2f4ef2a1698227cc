"""example.py SOURCE BUILD: the program of docs/embedding.md does what the page says, through the public library alone."""
import os
import subprocess
import sys

import tap

source, build = sys.argv[1:3]
t = tap.Tap()
host = os.path.join(build, 'examples/tiny_host')
messages = os.path.join(source, 'examples/rsvp.jsonl')

FIRST = '''column #root
  text #title text="Will you come?"
  textField #name label="Your name" problem="Please say who you are."
  text #hello text="Welcome, !"
  button #send problem="A name is needed." disabled
    text #send-label text="I will"
'''
REFUSED = "refused 'send' is disabled: A name is needed.\n"
TYPED = '''column #root
  text #title text="Will you come?"
  textField #name label="Your name" value="Ada"
  text #hello text="Welcome, Ada!"
  button #send
    text #send-label text="I will"
'''
SENT = (
    'send {"version":"v0.9","action":{"name":"rsvp","surfaceId":"rsvp","sourceComponentId":"send",'
    '"timestamp":"1970-01-01T00:00:00.000Z","context":{"name":"Ada"}}}\n'
)


def run(*words):
    if not os.path.exists(host):
        return None, '', 'examples/tiny_host was not built'
    done = subprocess.run([host, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def expect(name, got, status, output):
    faults = [] if got[0] == status else ['exit status %d, want %d' % (got[0], status)]
    if got[1] != output:
        faults += ['output:'] + got[1].splitlines() + ['want:'] + output.splitlines()
    t.case(name, faults + (got[2].splitlines() if faults else []))


expect('it shows what the agent describes', run(messages), 0, FIRST)
expect('a disabled button refuses', run(messages, 'press', 'send'), 0, FIRST + REFUSED)
expect(
    'typing enables it and pressing sends',
    run(messages, 'type', 'name', 'Ada', 'press', 'send'),
    0,
    FIRST + TYPED + SENT,
)
expect('an unknown id is a mistake of the caller', run(messages, 'press', 'nobody'), 2, FIRST)
expect('a file that is not there is said', run(os.path.join(source, 'no-such-file')), 3, '')

exported = subprocess.run(
    [os.environ['SHOJI_NM'], '-D', '--defined-only', os.path.join(build, 'libshoji.so')],
    capture_output=True,
    text=True,
)
if exported.returncode != 0:
    t.skip('the library exports its public functions and nothing else', 'it is built as a static library')
else:
    names = {line.split()[-1] for line in exported.stdout.splitlines()}
    declared = set()
    for header in ('shoji.h', 'host.h'):
        with open(os.path.join(source, 'include/shoji', header), encoding='utf-8') as f:
            for line in f:
                if line.startswith('SHOJI_API'):
                    declared.add(line.split('(')[0].split()[-1].lstrip('*'))
    ours = {n for n in names if not n.startswith(('__asan', '__ubsan', '__odr', '_init', '_fini'))}
    t.case(
        'the library exports its public functions and nothing else',
        ['%s is exported' % n for n in sorted(ours - declared)]
        + ['%s is missing' % n for n in sorted(declared - names)],
    )
t.done()
