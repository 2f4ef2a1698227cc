"""demos.py SHOJI ROOT: the demos as a person meets them. Every script of demos/ and of this folder; the still pictures;
the dialogue on a terminal, which is a pseudo-terminal here; and the dialogue over a pipe. TAP on stdout."""
import glob
import os
import pty
import re
import select
import subprocess
import sys
import time
import unicodedata

import tap

shoji, root = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
env = {'PATH': os.environ.get('PATH', ''), 'TERM': 'dumb', 'LC_ALL': 'C'}
t = tap.Tap()


def run(*args, text=''):
    return subprocess.run([shoji, *args], input=text.encode(), capture_output=True, env=env, timeout=60)


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line if not unicodedata.combining(c))


def lacks(text, parts):
    """What of `parts` is not in `text`, each looked for behind the one before it."""
    faults, at = [], 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            faults.append('not there: %s' % part)
        else:
            at = found + len(part)
    return faults


# ---- scripts ----

scripts = sorted(
    glob.glob(os.path.join(root, 'demos', '*', 'replay.jsonl')) + glob.glob(os.path.join(here, '*.jsonl'))
)
t.case(
    'every demo has a script',
    [
        '%s has none' % d
        for d in ('dining', 'survey', 'calls')
        if os.path.join(root, 'demos', d, 'replay.jsonl') not in scripts
    ],
)
for path in scripts:
    r = run('replay', path)
    said = (r.stdout + r.stderr).decode()
    steps = re.search(r'(\d+) steps, (\d+) expectations, 0 failed', said)
    t.case(
        'script ' + os.path.relpath(path, root),
        [] if r.returncode == 0 and steps and int(steps[2]) > 0 else ['exit %d' % r.returncode, said],
    )

# ---- still pictures ----

FIRST = {
    'dining': [
        'Order Request',
        'Margherita',
        '₩14,000',
        '− 0 +',
        'Bulgogi pizza',
        'Kimchi fried rice',
        'Garlic bread',
        'Total',
        '₩0',
        'Delivery address',
        'Add a little more detail to the address',
        '( Place order )',
        'Add at least one dish',
    ],
    'survey': [
        'How did we do? Choose a ticket.',
        '#4417 A parcel three days late',
        '[ Ask me about this ]',
        '#4432 Locked out of an account',
        '#4451 Charged twice',
        '#4460 A cracked kettle',
    ],
    'calls': [
        'The agent asks this program',
        'getScreenResolution',
        '"width":80',
        'eraseDrafts',
        'printPage',
        'readClipboard',
        'This program asks the agent',
        'UNKNOWN_FUNCTION',
        'countProviders',
        'waiting',
        'A form asks the agent',
        '[ Register ]',
    ],
}
for name, parts in FIRST.items():
    r = run('demo', name)
    text = r.stdout.decode()
    t.case(
        name + ' without a terminal: a picture, exit 0, not a word beside it',
        lacks(text, parts) + (['exit %d' % r.returncode] if r.returncode else []) + r.stderr.decode().splitlines(),
    )
    for width in (40, 72, 80):
        text = run('demo', name, '--width', str(width)).stdout.decode()
        t.case(
            '%s in %d columns' % (name, width),
            [x for x in text.splitlines() if columns(x) > width] + ([] if text else ['nothing']),
        )
    text = run('demo', name, '--ascii').stdout.decode()
    # What the agent wrote stays as it is: prices, marks, quotation marks. The frames are ours.
    t.case(name + ' in ASCII frames', [x for x in text.splitlines() if re.search('[─-╿○●✗−·…]', x)])
    r = run('demo', name, '--linear')
    t.case(
        name + ' line by line',
        [] if r.returncode == 0 and not re.search('[─-╿]', r.stdout.decode()) else [r.stdout.decode()],
    )

# ---- the dialogue ----

r = run('demo', 'dining', '--dialogue', '--show-messages', text='1+\n1+\n2+\n5=Mapo-daero 1, Seoul\n6\nq\n')
sent = [x for x in r.stderr.decode().splitlines() if x.startswith('{')]
t.case(
    'dining over a pipe: the total changes with no message sent, then two leave',
    lacks(
        r.stdout.decode(),
        ['₩14,000', '₩28,000', '₩46,000', '[ Place order ]', 'Placing the Order', '[ Pay ₩46,000 ]'],
    )
    + (
        []
        if len(sent) == 2 and '"place_order"' in sent[0] and '"checkDelivery"' in sent[1]
        else sent or ['none sent']
    )
    + (['exit %d' % r.returncode] if r.returncode else []),
)
r = run('demo', 'dining', '--dialogue', text='6\n1+\n5=Mapo\n6\n5=Jeju 1-1\n6\nq\n')
t.case(
    'dining over a pipe: a dead button says why, a refusal leaves the basket',
    lacks(
        r.stdout.decode(),
        [
            '6 cannot be pressed now: Add at least one dish',
            '6 cannot be pressed now',
            '[ Place order ]',
            '− 1 +',
            'We do not deliver to Jeju yet.',
        ],
    ),
)
r = run('demo', 'survey', '--dialogue', '--show-messages', text='3\n1\n4\n12\n13\n15=Thanks\n16\nq\n')
sent = [x for x in r.stderr.decode().splitlines() if x.startswith('{')]
t.case(
    'survey over a pipe: the answers of one ticket leave in one message',
    lacks(
        r.stdout.decode(),
        [
            '#4451 Charged twice',
            'Ticket #4451 we took the same payment twice',
            '(•) Yes',
            '(•) Understandable',
            'Somebody will read this',
        ],
    )
    + (
        []
        if len(sent) == 2
        and '"submitCsat"' in sent[1]
        and '"ticketId":"4451"' in sent[1]
        and '"q1":["yes"]' in sent[1]
        and '"comment":"Thanks"' in sent[1]
        else sent or ['none sent']
    ),
)


def terminal(name, lines):
    """What `shoji demo NAME` writes on a terminal of 80 columns where `lines` are typed, each at a prompt; and its exit status."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.clear()
        os.environ.update(env)
        os.execv(shoji, [shoji, 'demo', name])
    out, end, typed = b'', time.monotonic() + 30, 0
    while time.monotonic() < end:
        ready, _, _ = select.select([fd], [], [], 0.2)
        if ready:
            try:
                more = os.read(fd, 65536)
            except OSError:
                break
            if not more:
                break
            out += more
        elif out.endswith(b'> ') and typed < len(lines):
            os.write(fd, lines[typed].encode() + b'\n')
            typed += 1
    else:
        os.kill(pid, 9)
    _, status = os.waitpid(pid, 0)
    os.close(fd)
    return out.decode().replace('\r\n', '\n'), os.waitstatus_to_exitcode(status)


text, code = terminal('dining', ['1+', '5=Mapo-daero 1, Seoul', '6', '3', '', '', '', '', '', '1=5', '2=5', '4', 'q'])
t.case(
    'dining on a terminal, from the first dish to the last word',
    lacks(
        text,
        [
            '? helps',
            'Order Request',
            '( Place order )',
            '> 1+',
            '₩14,000',
            '> 5=Mapo',
            '[ Place order ]',
            '> 6',
            'Placing the Order',
            '> 3',
            'The restaurant has your order.',
            '(Enter waits) > ',
            'in the oven',
            'picked up',
            'corner of your street',
            'Enjoy your meal!',
            'Review Survey',
            '( Send review )',
            '★★★★★',
            '[ Send review ]',
            'Thank you, that helps us',
            '> q',
        ],
    )
    + (['exit %d' % code] if code else [])
    + [x for x in text.splitlines() if columns(x) > 80],
)
text, code = terminal('survey', ['2', '1', '17=All is well.', '18', '1', 'q'])
t.case(
    'survey on a terminal',
    lacks(text, ['Ticket #4432', '(•) Yes', 'All is well.', 'Somebody will read this', 'Choose a ticket'])
    + (['exit %d' % code] if code else []),
)
text, code = terminal('calls', ['1', '', '2=120-81-47522', 'q'])
t.case(
    'calls on a terminal',
    lacks(
        text,
        ['countProviders', 'Wednesday, half past six', 'TIMEOUT No answer in time', 'No provider has this number'],
    )
    + (['exit %d' % code] if code else []),
)
t.done()
