"""same.py FACE_WINDOW ROOT: what AT-SPI tells of the official examples is what our own accessibility tree says (`shoji
a11y`, surface/a11y.h): roles, names, descriptions, states, in order. The differences that are meant are rows of OWN.
TAP on stdout."""
import glob
import json
import os

import desk
import stage

t = stage.begin('the trees of the official examples')

# Our role -> what AT-SPI of GTK 4.8 calls it. '': it is not told of at all.
OWN = {
    'none': '',               # layout
    'heading': 'heading',     # without its level: GTK 4.8 does not tell it
    'text': 'text',           # one label (or link) a paragraph; labels that follow each other are compared as one text
    'img': 'image',
    'video': 'panel',         # no such role; what is inside says where it is from
    'audio': 'panel',
    'list': 'list',
    'listitem': 'list item',  # without position and size of the set
    'group': 'panel',         # a group without a name tells nothing, and is left out on both sides
    'tablist': 'page tab list',
    'tab': 'page tab',
    'tabpanel': 'panel',
    'dialog': 'dialog',       # a closed one is not there
    'separator': 'separator',
    'button': 'push button',  # what is inside is its name, and not there
    'textbox': 'entry',       # "text", or "password text"
    'checkbox': 'check box',
    'radiogroup': 'grouping',
    'radio': 'radio button',
    'slider': 'slider',
    'spinbutton': 'panel',    # a group of two buttons around the amount
    'datetime': 'panel',      # a group of what opens the calendar, the time, and what clears both
}
# Parts of a date, a choice and a recording that our tree does not have.
PARTS = {('push button', 'Clear'), ('text field', 'Time'), ('entry', 'Time'), ('entry', 'Filter')}


def words(s):
    return ' '.join(s.split())


def squeezed(tokens):
    """Texts that follow each other are one, without the space between; a group or an item without a name is none."""
    out = []
    for role, name, facts in tokens:
        if role == 'text':
            if out and out[-1][0] == 'text':
                out[-1] = ('text', out[-1][1] + name.replace(' ', ''), out[-1][2] or facts)
                continue
            name = name.replace(' ', '')
            if not name:
                continue
        elif role == 'panel' and not name:
            continue
        out.append((role, name, facts))
    return out


def own_tokens(item, out):
    if item is None or item.get('hidden'):
        return out
    ours = item['role']
    role = OWN[ours]
    if ours == 'dialog' and not item.get('modal'):
        return out
    facts = {k for k in ('invalid', 'disabled', 'checked', 'selected', 'multiline', 'busy') if item.get(k) is True}
    about = [item.get('description', ''), item.get('errorMessage', '')]
    if role:
        out.append((role, words(item.get('name', '')), (frozenset(facts), tuple(x for x in about if x))))
    if ours == 'button' or ours == 'text' and item.get('children') is None:
        return out
    if ours == 'text':
        out.pop()
    for child in item.get('children', []):
        own_tokens(child, out)
    return out


ROLES = {'label': 'text', 'link': 'text', 'text': 'entry', 'password text': 'entry'}


def their_tokens(surface):
    out = []
    for n in surface.walk():
        role, name = n.role, words(n.name)
        if role in stage.LAYOUT:
            continue
        role = ROLES.get(role, role)
        states = n.states
        facts = {b for a, b in (('invalid', 'invalid'), ('invalid-entry', 'invalid'), ('checked', 'checked'),
                                ('selected', 'selected'), ('multi-line', 'multiline'), ('busy', 'busy')) if a in states}
        if 'sensitive' not in states:
            facts.add('disabled')
        if role == 'text' and 'busy' in facts:
            name = 'This part has not arrived yet.'
        if role == 'text' and out and out[-1][0] != 'text' and name and name in words(out[-1][2][1]):
            continue  # what is wrong, below the control that has it as its description
        if (role, name) in PARTS or role == 'text' and name.startswith(('http://', 'https://')):
            continue
        if role == 'push button' and 'expandable' in states and ': ' in name:
            continue  # the day of a date
        out.append((role, name, (frozenset(facts), n.description)))
    return out[1:]


def compare(ours, theirs):
    faults = []
    for i in range(max(len(ours), len(theirs))):
        a = ours[i] if i < len(ours) else None
        b = theirs[i] if i < len(theirs) else None
        if a is None or b is None or a[:2] != b[:2]:
            faults.append('item %d: ours %r, AT-SPI %r' % (i, a and a[:2], b and b[:2]))
            break
        if a[0] == 'text':
            continue
        if a[2][0] != b[2][0]:
            faults.append('%r: states %r, AT-SPI %r' % (a[:2], sorted(a[2][0]), sorted(b[2][0])))
        for part in a[2][1]:
            if words(part) not in words(b[2][1]):
                faults.append('%r: description %r, AT-SPI %r' % (a[:2], part, b[2][1]))
        if not a[2][1] and b[2][1] not in ('', 'Required'):
            faults.append('%r: no description, AT-SPI %r' % (a[:2], b[2][1]))
    return faults


base = os.path.join(os.environ.get('SHOJI_TEST_DATA') or '', 'a2ui', 'specification')
files = sorted(glob.glob(os.path.join(base, '*', 'catalogs', 'basic', 'examples', '*.json')) +
               glob.glob(os.path.join(base, 'v0_8', 'json', 'catalogs', 'basic', 'examples', '*.json')))
if not files:
    t.skip('the trees of the official examples', 'no public data')
    t.done()

with stage.desk_of_test('1000x5000') as d:
    compared = 0
    w = d.start([stage.window, '--height', '4900', '--width', '700'])
    for path in files:
        name = os.path.relpath(path, base)
        with open(path, encoding='utf-8') as f:
            example = json.load(f)
        messages = example['messages'] if isinstance(example, dict) and 'messages' in example else example
        faults = []
        try:
            w.forget()
            for m in messages if isinstance(messages, list) else [messages]:
                w.send(m)
            surface = w.next('surface')
            w.settle()
            tree = w.ask('a11y ' + surface, 'a11y')['tree']
            theirs = squeezed(their_tokens(w.find('panel', surface)))
            ours = squeezed(own_tokens(tree, []))
            faults = compare(ours, theirs)
            compared += len(ours)
            version = next((m['version'] for m in messages if 'version' in m), None)
            w.send({'deleteSurface': {'surfaceId': surface}, **({'version': version} if version else {})})
            w.next('gone')
            w.settle()
        except (AssertionError, desk.Late) as e:
            faults.append(str(e))
        if w.process.poll() is not None:
            t.case(name, faults + ['it ended'] + w.said[:30])
            break
        t.case(name, faults)

    t.case('%d items were compared' % compared, [] if compared > 5 * len(files) else ['too few: %d' % compared])

t.done()
