"""What the tests of the window share: a window with some components for each case, and short words for components."""
import json
import sys
import tempfile
import traceback

import tap

import desk

BASIC = 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'
window = sys.argv[1]
t = tap.Tap()
the_desk = None


def begin(what):
    """The test's TAP; ends the program where nothing can be tested."""
    why = desk.lacking()
    if why:
        t.skip(what, why)
        t.done()
    return t


def desk_of_test(size='1000x1400'):
    global the_desk
    the_desk = desk.Desk(size)
    return the_desk


def surface(components, model=None, id='s'):
    return {'version': 'v1.0', 'createSurface': {
        'surfaceId': id, 'catalogId': BASIC, 'dataModel': model or {}, 'components': components}}


def run(name, fn, *args, settle=True):
    """A window with these arguments; `fn` gets it and raises AssertionError or desk.Late."""
    w = the_desk.start([window, *args])
    faults = []
    try:
        if settle:
            w.settle()
        fn(w)
    except (AssertionError, desk.Late) as e:
        faults = [traceback.format_exc(limit=-2), str(e)]
    except Exception:
        faults = [traceback.format_exc()]
    if w.process.poll() is not None:
        faults.append('it ended: %s' % w.process.returncode)
    if faults:
        faults += w.said[:30]
    w.end()
    t.case(name, faults)


def case(name, fn, components, model=None, *args):
    """A window with a surface of these components, or, where `components` is a list of messages, with those."""
    with tempfile.NamedTemporaryFile('w', suffix='.jsonl') as f:
        messages = [surface(components, model)] if 'id' in components[0] else components
        f.write(''.join(json.dumps(m) + '\n' for m in messages))
        f.flush()
        run(name, fn, *args, f.name)


def want(got, wanted, what=''):
    assert got == wanted, '%s: got %r, want %r' % (what, got, wanted)


# ---- components ----


def text(id, words, **more):
    return {'id': id, 'component': 'Text', 'text': words, **more}


def root(*children):
    return {'id': 'root', 'component': 'Column', 'children': list(children)}


def event(name):
    return {'event': {'name': name}}


def button(id, words, **more):
    """Two components."""
    return [{'id': id, 'component': 'Button', 'child': id + '-words', 'action': event(id), **more},
            text(id + '-words', words)]


def required(path, message):
    return {'condition': {'call': 'required', 'args': {'value': {'path': path}}}, 'message': message}


def data(path, value, id='s'):
    return {'version': 'v1.0', 'updateDataModel': {'surfaceId': id, 'path': path, 'value': value}}


def update(*components, id='s'):
    return {'version': 'v1.0', 'updateComponents': {'surfaceId': id, 'components': list(components)}}


# ---- what there is ----


def model(w, id='s'):
    return w.ask('model ' + id, 'tree')['dataModel']


def model_is(w, wanted):
    desk.until(lambda: model(w) == wanted, lambda: 'model %r; it is %r' % (wanted, model(w)))


LAYOUT = ('filler', 'scroll bar', 'scroll pane', 'status bar', 'alert')


def shown(node):
    """Role and name of what is there and below, without layout, scroll bars and what announces."""
    found = []
    for n in node.walk():
        role = n.role
        if role not in LAYOUT and (n.name or role != 'panel'):
            found.append((role, n.name))
    return found


def inside(w, name='s'):
    """What the surface shows."""
    return shown(w.find('panel', name))[1:]
