"""tapcount.py SOURCE BUILD: tools/tap-count counts cases, and no way to die goes uncounted."""
import json
import os
import subprocess
import sys
import tempfile

import tap

source = sys.argv[1]
t = tap.Tap()
PROGRAM = {'name': 'shoji / x', 'result': 'OK', 'returncode': 0, 'duration': 0.1, 'stderr': ''}


def count(records, *options):
    """(exit status, last line, everything printed) of tap-count on these records; None: no log at all."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'log.json')
        if records is not None:
            with open(path, 'w', encoding='utf-8') as f:
                for record in records:
                    f.write(json.dumps(dict(PROGRAM, **record)) + '\n')
        done = subprocess.run(
            [sys.executable, os.path.join(source, 'tools/tap-count'), *options, path], capture_output=True, text=True
        )
        return done.returncode, done.stdout.splitlines()[-1], done.stdout


def expect(name, got, status, last, *parts):
    faults = []
    if got[0] != status:
        faults.append('exit status %d, want %d' % (got[0], status))
    if got[1] != last:
        faults.append('last line "%s", want "%s"' % (got[1], last))
    faults += ['"%s" is not printed' % part for part in parts if part not in got[2]]
    t.case(name, faults + (got[2].splitlines() if faults else []))


good = {'stdout': 'ok 1 - a\nok 2 - b\n1..2\n'}
expect('cases are counted, not programs', count([good, good]), 0, '4 passed, 0 failed')
expect('a plan may come first', count([{'stdout': '1..1\nok 1 - a\n'}]), 0, '1 passed, 0 failed')
expect(
    'a failed case is printed with what was said before it',
    count(
        [
            {
                'stdout': '# left out\nok 1 - a\n# f.c:3: x: got 1, want 2\nnot ok 2 - b\n1..2\n',
                'returncode': 1,
                'result': 'FAIL',
            }
        ]
    ),
    1,
    '1 passed, 1 failed',
    'FAILED: x: b',
    '# f.c:3: x: got 1, want 2',
)
expect(
    'a skipped case is counted apart and its reason said',
    count([{'stdout': 'ok 1 - a\nok 2 - b # SKIP no suite\n1..2\n'}]),
    0,
    '1 passed, 0 failed, 1 skipped',
    'no suite',
)
expect(
    'a program that skips everything names why',
    count([good, {'stdout': '1..0 # SKIP no library\n', 'result': 'SKIP'}]),
    0,
    '2 passed, 0 failed, 1 skipped',
    'no library',
)
expect(
    'a crash is one failed case',
    count([{'stdout': 'ok 1 - a\n', 'returncode': -11, 'result': 'ERROR', 'stderr': 'AddressSanitizer: x'}]),
    1,
    '1 passed, 1 failed',
    'died of signal 11',
    'AddressSanitizer: x',
)
expect(
    'a sanitizer report after the last case fails',
    count([dict(good, returncode=1, result='ERROR', stderr='LeakSanitizer')]),
    1,
    '2 passed, 1 failed',
    'LeakSanitizer',
)
expect(
    'a time-out is one failed case',
    count([{'stdout': 'ok 1 - a\n', 'returncode': -15, 'result': 'TIMEOUT'}]),
    1,
    '1 passed, 1 failed',
    'timed out',
)
expect(
    'a plan unfulfilled is one failed case',
    count([{'stdout': '1..3\nok 1 - a\n'}]),
    1,
    '1 passed, 1 failed',
    'planned 3 cases and reported 1',
)
expect(
    'a program that says nothing failed',
    count([{'stdout': '', 'result': 'ERROR', 'returncode': 127}]),
    1,
    '0 passed, 1 failed',
)
expect(
    'bailing out fails',
    count([{'stdout': 'ok 1 - a\nBail out! no memory\n1..1\n', 'result': 'ERROR'}]),
    1,
    '1 passed, 1 failed',
    'no memory',
)
expect(
    'a broken build fails although the rest passed',
    count([good], '--failed', 'build'),
    1,
    '2 passed, 1 failed',
    'FAILED: build',
)
expect('no test at all is no success', count([]), 1, '0 passed, 0 failed', 'No test ran.')
expect('no log at all is no success', count(None), 1, '0 passed, 0 failed', 'No test ran.')
t.done()
