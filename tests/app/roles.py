"""roles.py FACE_WINDOW ROOT: every component in the tree of assistive technology: role, name, states, and what happens
when it is used. TAP on stdout."""
import json
import os
import sys
import tempfile
import traceback

import tap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import desk

window = sys.argv[1]
t = tap.Tap()
why = desk.lacking()
if why:
    t.skip('components through AT-SPI', why)
    t.done()

BASIC = 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'


def surface(components, model=None):
    return json.dumps({'version': 'v1.0', 'createSurface': {
        'surfaceId': 's', 'catalogId': BASIC, 'dataModel': model or {}, 'components': components}})


def case(name, fn, components, model=None, *args):
    """A window with these components; `fn` gets it and raises AssertionError or desk.Late."""
    with tempfile.NamedTemporaryFile('w', suffix='.jsonl') as f:
        f.write(surface(components, model) + '\n')
        f.flush()
        w = d.start([window, *args, f.name])
        faults = []
        try:
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


def want(got, wanted, what=''):
    assert got == wanted, '%s: got %r, want %r' % (what, got, wanted)


def text(id, words, **more):
    return {'id': id, 'component': 'Text', 'text': words, **more}


def root(*children):
    return {'id': 'root', 'component': 'Column', 'children': list(children)}


def model(w):
    return w.ask('model', 'tree')['dataModel']


def model_is(w, wanted):
    desk.until(lambda: model(w) == wanted, lambda: 'model %r; it is %r' % (wanted, model(w)))


with desk.Desk() as d:

    def field(w):
        f = w.find('text', 'Name')
        assert f.has('invalid')
        f.set_text('Ann')
        model_is(w, {'n': 'Ann'})
        desk.until(lambda: not f.has('invalid'), 'a valid field')
        want(f.text, 'Ann')

    case('a text field is typed into, and is invalid until then', field, [
        root('f'), {'id': 'f', 'component': 'TextField', 'label': 'Name', 'value': {'path': '/n'}, 'checks': [
            {'condition': {'call': 'required', 'args': {'value': {'path': '/n'}}}, 'message': 'Say your name'}]}],
         {'n': ''})

    def button(w):
        w.find('push button', 'Go').press()
        want(w.next('send')['action']['name'], 'go')

    case('a button is pressed', button, [
        root('b'), {'id': 'b', 'component': 'Button', 'child': 'l', 'action': {'event': {'name': 'go'}}},
        text('l', 'Go')])

t.done()
