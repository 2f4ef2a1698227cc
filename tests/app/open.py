"""open.py SHOJI ROOT: `shoji open`, its examples and `shoji shot`, used from another process. TAP on stdout."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback

import tap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import desk

shoji, root = sys.argv[1:3]
t = tap.Tap()
why = desk.lacking()
if why:
    t.skip('open through AT-SPI', why)
    t.done()


def case(name, fn):
    faults = []
    try:
        fn()
    except (AssertionError, desk.Late) as e:
        faults = [traceback.format_exc(limit=-2), str(e)]
    except Exception:
        faults = [traceback.format_exc()]
    t.case(name, faults)


def want(got, wanted, what=''):
    assert got == wanted, '%s: got %r, want %r' % (what, got, wanted)


# ---- open ----

BASIC = 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'


def form(**more):
    return json.dumps({'version': 'v1.0', 'createSurface': {'surfaceId': 's', 'catalogId': BASIC, **more}})


def opened(lines, *options):
    with tempfile.NamedTemporaryFile('w', suffix='.jsonl', delete=False) as f:
        f.write('\n'.join(lines) + '\n')
    return d.start([shoji, 'open', *options, f.name])


def streams():
    with opened([form(dataModel={'n': 'x'}, components=[
            {'id': 'root', 'component': 'Column', 'children': ['t', 'b']},
            {'id': 't', 'component': 'Text', 'text': {'@path': '/n'}},
            {'id': 'b', 'component': 'Button', 'child': 'w', 'action': {'event': {'name': 'go'}}},
            {'id': 'w', 'component': 'Text', 'text': 'Go'}])]) as w:
        w.find('label', 'x')
        w.find('push button', 'Go').press()
        want(w.next('action')['action']['name'], 'go')
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/n', 'value': 'told'}})
        w.find('label', 'told')
        w.send({'version': 'v1.0', 'deleteSurface': {'surfaceId': 's'}})
        want(w.next('closed'), 'agent')
        want(w.process.wait(10), 0, 'exit status')


def closed_by_the_person():
    with opened([form(components=[{'id': 'root', 'component': 'Text', 'text': 'x'}])]) as w:
        w.find('label', 'x')
        w.find('push button', 'Close').press()
        want(w.next('closed'), 'person')
        want(w.process.wait(10), 0, 'exit status')


def named_by_the_connection():
    theme = {'version': 'v0.9', 'createSurface': {
        'surfaceId': 's', 'catalogId': BASIC.replace('v1_0', 'v0_9'),
        'theme': {'agentDisplayName': 'Your Bank\u202e\n\u2068', 'primaryColor': '#ff0000'}}}
    root = {'version': 'v0.9', 'updateComponents': {
        'surfaceId': 's', 'components': [{'id': 'root', 'component': 'Text', 'text': 'x'}]}}
    with opened([json.dumps(theme), json.dumps(root)]) as w:
        w.find('label', 'x')
        w.find('label', 'calls itself “\u2068Your Bank\u2069”')
        assert any(n.name.endswith('.jsonl') and n.role == 'label' for n in w.root.walk()), w.picture()


def example(path, presses, says):
    def run():
        started = subprocess.Popen([os.path.join(root, path)], env={**d.env, 'SHOJI': shoji}, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, start_new_session=True)

        def window():
            """The window of the child's child: only its process group is known."""
            from gi.repository import Atspi

            top = Atspi.get_desktop(0)
            desk.forget(top)
            for i in range(top.get_child_count()):
                a = top.get_child_at_index(i)
                try:
                    if a is not None and os.getpgid(a.get_process_id()) == started.pid:
                        a.set_cache_mask(Atspi.Cache.NONE)
                        return desk.Node(a)
                except OSError:
                    pass
            return None

        try:
            presses(desk.until(window, 'a window of the example', 20))
            said = started.communicate(timeout=20)[0]
            assert says in said, 'it said: ' + said
        finally:
            try:
                os.killpg(started.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return run


def ask(window):
    window.find('text', 'Your name').set_text('Ada')
    window.find('push button', 'Greet me').press()
    window.find('push button', 'Close').press()


def count(window):
    for n in range(3):
        window.find('heading', str(n))
        window.find('push button', 'One more').press()


# ---- without a display ----


def shot():
    env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'x.png')
        draw = [shoji, 'shot', os.path.join(root, 'examples/rsvp.jsonl'), '--width', '420', '-o']
        done = subprocess.run(draw + [out], env=env, capture_output=True, text=True)
        want(done.returncode, 0, done.stderr)
        with open(out, 'rb') as f:
            head = f.read(24)
        want(head[:8], b'\x89PNG\r\n\x1a\n')
        want(int.from_bytes(head[16:20], 'big'), 420, 'width')
        assert 100 < int.from_bytes(head[20:24], 'big') < 400, 'as tall as what is shown'
        again = out + '2'
        subprocess.run(draw + [again], env=env, check=True)
        with open(out, 'rb') as f, open(again, 'rb') as g:
            assert f.read() == g.read(), 'the same input, another picture'
    done = subprocess.run([shoji, 'open', os.path.join(root, 'examples/rsvp.jsonl')], env=env, capture_output=True,
                          text=True)
    want(done.returncode, 3)
    assert 'there is no display' in done.stderr, done.stderr


case('shot draws without a display, the same each time; open says that there is none', shot)
with desk.Desk() as d:
    case('open: messages out and in; closed by the agent', streams)
    case('open: closed by the person', closed_by_the_person)
    case('a frame names the connection; the agent only claims', named_by_the_connection)
    case('examples/open/ask.sh', example('examples/open/ask.sh', ask, 'Hello, Ada!'))
    case('examples/open/count.py', example('examples/open/count.py', count, 'Counted to 3, closed by the agent.'))
t.done()
