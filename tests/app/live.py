"""live.py FACE_WINDOW ROOT: what is announced, by the events that assistive technology hears. GTK 4.8 has no way to
announce; a label that is drawn nowhere changes its name instead: a status (polite) or an alert (assertive). TAP."""
import desk
import stage
from stage import button, data, root, text, update, want

t = stage.begin('announcements through AT-SPI')
case = stage.case


def said(kind, words):
    """The event that tells these words."""
    return lambda events: any(e[2] == kind and words == e[4] for e in events)


def all_said():
    return [(e[2], e[4]) for e in d.events if e[2] in ('status bar', 'alert') and e[4]]


def quiet(w):
    """Forgets what was heard, once what was sent is drawn."""
    w.settle()
    desk.take_in()
    d.events.clear()


with stage.desk_of_test() as d:
    d.listen('object:property-change:accessible-name')

    def polite(w):
        quiet(w)
        w.send(data('/n', 'Two'))
        d.hear(said('status bar', 'Two left'), 'the new words')
        w.send(data('/other', 'x'))
        w.send(data('/n', 'Two'))
        w.send(data('/n', 'Three'))
        d.hear(said('status bar', 'Three left'), 'the newer words')
        want(all_said(), [('status bar', 'Two left'), ('status bar', 'Three left')])

    case('polite: what changes in it is said once, other changes are not', polite, [
        root('a', 'b'),
        {'id': 'a', 'component': 'Row', 'children': ['n', 'l'], 'accessibility': {'live': 'polite'}},
        text('n', {'path': '/n'}), text('l', 'left'), text('b', {'path': '/other'})], {'n': 'One', 'other': ''})

    def assertive(w):
        quiet(w)
        w.send(data('/n', 'Fire'))
        d.hear(said('alert', 'Fire'), 'the alarm')
        w.send(data('/n', ''))
        w.settle()
        w.send(data('/n', 'Fire'))
        d.hear(lambda events: all_said() == [('alert', 'Fire')] * 2, 'the alarm again')

    case('assertive: as an alert; the same words again are said again', assertive, [
        root('a'), text('a', {'path': '/n'}, accessibility={'live': 'assertive'})], {'n': ''})

    def off(w):
        quiet(w)
        w.send(data('/n', 'Two'))
        w.settle()
        w.send(data('/m', 'End'))
        d.hear(said('status bar', 'End'), 'the last words')
        want(all_said(), [('status bar', 'End')])

    case('off, and no word at all: nothing is said', off, [
        root('a', 'b', 'c'), text('a', {'path': '/n'}, accessibility={'live': 'off'}), text('b', {'path': '/n'}),
        text('c', {'path': '/m'}, accessibility={'live': 'polite'})], {'n': 'One', 'm': ''})

    def grows(w):
        quiet(w)
        w.send(update({'id': 'a', 'component': 'Column', 'children': ['x', 'y'], 'accessibility': {'live': 'polite'}},
                      text('y', 'second')))
        d.hear(said('status bar', 'first second'), 'the words of what came')

    case('what comes into a live region is said', grows, [
        root('a'), {'id': 'a', 'component': 'Column', 'children': ['x'], 'accessibility': {'live': 'polite'}},
        text('x', 'first')])

    def unseen(w):
        quiet(w)
        w.send(data('/n', 'Done'))
        d.hear(said('status bar', 'Done'), 'the words')

    rows = ['r%d' % i for i in range(700)]
    case('a live region far below what is drawn is heard', unseen, [
        root(*rows, 'last'), *[text(r, r) for r in rows],
        text('last', {'path': '/n'}, accessibility={'live': 'polite'})], {'n': ''})

    def fault(w):
        quiet(w)
        w.find('text', 'Zip').set_text('ab')
        d.hear(said('status bar', 'Five digits'), 'the fault')

    case('what is wrong with what was typed is said', fault, [
        root('f'), {'id': 'f', 'component': 'TextField', 'label': 'Zip', 'value': {'path': '/z'}, 'checks': [
            {'condition': {'call': 'regex', 'args': {'value': {'path': '/z'}, 'pattern': '^[0-9]{5}$'}},
             'message': 'Five digits'}]}], {'z': ''})

    def hostile(w):
        quiet(w)
        w.send(data('/n', 'a\u202eb<b>c</b>' + 'x' * 5000))
        d.hear(lambda events: all_said(), 'the words')
        kind, words = all_said()[0]
        assert words.startswith('ab<b>c</b>xx'), words[:40]
        assert len(words) < 1000, len(words)

    case('what is said is cleaned and has an end', hostile, [
        root('a'), text('a', {'path': '/n'}, accessibility={'live': 'polite'})], {'n': 'x'})

t.done()
