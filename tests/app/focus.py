"""focus.py FACE_WINDOW ROOT: the keyboard alone. The order of Tab, keys that press and choose, dialogs, and that
neither the focus nor what is being typed is lost while the agent changes things. TAP on stdout."""
import desk
import stage
from stage import button, data, model, model_is, root, surface, text, update, want

t = stage.begin('the keyboard')
case = stage.case


def stops(w, key, count):
    return [w.keys(key)['focus'] for _ in range(count)]


def once(ids):
    """Without what comes twice in a row: a date has several stops."""
    return [x for i, x in enumerate(ids) if i == 0 or ids[i - 1] != x]


def field(id, label, path, **more):
    return {'id': id, 'component': 'TextField', 'label': label, 'value': {'path': path}, **more}


FORM = [
    root('head', 'name', 'notes', 'row', 'colour', 'tags', 'vol', 'day', 'card', 'tabs', 'gone', 'more', 'list', 'end'),
    text('head', '# Form'), field('name', 'Name', '/name'), field('notes', 'Notes', '/notes', variant='longText'),
    {'id': 'row', 'component': 'Row', 'children': ['agree', 'pic', 'left']},
    {'id': 'agree', 'component': 'CheckBox', 'label': 'Agree', 'value': {'path': '/agree'}},
    {'id': 'pic', 'component': 'Icon', 'name': 'star'}, *button('left', 'Left'),
    {'id': 'colour', 'component': 'ChoicePicker', 'label': 'Colour', 'value': {'path': '/colour'},
     'options': [{'label': 'Red', 'value': 'r'}, {'label': 'Green', 'value': 'g'}, {'label': 'Blue', 'value': 'b'}]},
    {'id': 'tags', 'component': 'ChoicePicker', 'label': 'Tags', 'value': {'path': '/tags'},
     'variant': 'multipleSelection', 'displayStyle': 'chips',
     'options': [{'label': 'One', 'value': '1'}, {'label': 'Two', 'value': '2'}]},
    {'id': 'vol', 'component': 'Slider', 'label': 'Volume', 'value': {'path': '/vol'}, 'max': 10, 'steps': 10},
    {'id': 'day', 'component': 'DateTimeInput', 'label': 'Day', 'value': {'path': '/day'}, 'enableDate': True},
    {'id': 'card', 'component': 'Card', 'child': 'inner'}, *button('inner', 'Inner'),
    {'id': 'tabs', 'component': 'Tabs', 'tabs': [{'title': 'A', 'child': 'ta'}, {'title': 'B', 'child': 'tb'}]},
    *button('ta', 'In A'), *button('tb', 'In B'),
    {'id': 'gone', 'component': 'Column', 'children': ['ghost'], 'accessibility': {'hidden': True}},
    *button('ghost', 'Ghost'),
    {'id': 'more', 'component': 'Modal', 'trigger': 'opener', 'content': 'sheet'}, *button('opener', 'More'),
    {'id': 'sheet', 'component': 'Column', 'children': ['sheet-name', 'sheet-ok']},
    field('sheet-name', 'Other name', '/other'), *button('sheet-ok', 'Fine'),
    {'id': 'list', 'component': 'List', 'children': {'componentId': 'item', 'path': '/rows'}},
    {'id': 'item', 'component': 'Row', 'children': ['item-words', 'take']}, text('item-words', {'path': 'n'}),
    *button('take', 'Take'), *button('end', 'End'),
]
MODEL = {'name': '', 'notes': '', 'agree': False, 'colour': ['g'], 'tags': [], 'vol': 3, 'day': '2024-02-03',
         'rows': [{'n': 'x'}, {'n': 'y'}], 'other': ''}
ORDER = ['name', 'notes', 'agree', 'left', 'colour', 'tags', 'vol', 'day', 'inner', 'tabs', 'ta', 'opener', 'take',
         'end']

with stage.desk_of_test() as d:

    def tab(w):
        w.activate()
        # Chips: 2 stops. Date: the day, and to clear it. Tabs: 2. Rows of the list: 2 of "take".
        got = stops(w, 'Tab', 18)
        want(once(got), ORDER)
        want({x: got.count(x) for x in ('name', 'notes', 'colour', 'tags', 'day', 'tabs', 'take', 'end')},
             {'name': 1, 'notes': 1, 'colour': 1, 'tags': 2, 'day': 2, 'tabs': 2, 'take': 2, 'end': 1})
        want(w.keys('Tab')['focus'], 'name', 'around')
        back = [w.keys('Shift+Tab')['focus'] for _ in range(18)]
        want(once(back), ORDER[::-1])
        ours = [i.split('/')[0] for i in w.ask('a11y s', 'a11y')['focusOrder']]
        want(once(ours), ORDER, 'by our own tree')

    case('Tab reaches every control once, in reading order; Shift+Tab the other way', tab, FORM, MODEL, '--height',
         '1350')

    def to(w, id):
        for _ in range(40):
            f = w.keys('Tab')
            if f['focus'] == id:
                return f
        raise AssertionError('Tab does not reach ' + id)

    def keys(w):
        w.activate()
        to(w, 'name')
        w.type('Ann')
        to(w, 'notes')
        w.type('a\nb')
        to(w, 'agree')
        w.keys('space')
        to(w, 'colour')
        w.keys('Down')
        to(w, 'tags')
        w.keys('space')
        to(w, 'vol')
        w.keys('Right', 'Right')
        desk.until(lambda: model(w)['vol'] == 5, lambda: model(w))
        m = model(w)
        want((m['name'], m['notes'], m['agree'], m['colour'], m['tags']), ('Ann', 'a\nb', True, ['b'], ['1']))
        to(w, 'inner')
        w.keys('space')
        want(w.next('send')['action']['name'], 'inner')
        to(w, 'tabs')
        w.keys('Tab', 'space')
        w.find('push button', 'In B')
        want(w.keys('Tab')['focus'], 'tb')
        to(w, 'end')
        w.keys('Return')
        want(w.next('send')['action']['name'], 'end')

    case('every control is used with the keyboard', keys, FORM, MODEL, '--height', '1350')

    def day(w):
        w.activate()
        to(w, 'day')
        w.keys('space')
        w.find('text', 'Day')
        f = w.keys('Tab')
        while f['type'] != 'GtkText':
            f = w.keys('Tab')
        w.keys('Control+a')
        w.type('2024-12-24\n')
        desk.until(lambda: model(w)['day'] == '2024-12-24', lambda: model(w))
        f = w.keys('Tab')
        want(f['type'], 'GtkCalendar')
        w.keys('Up', 'Left', 'space')  # from where GTK 4.8 begins: the last of the days it shows
        desk.until(lambda: model(w)['day'] not in ('2024-12-24', ''), lambda: model(w))

    case('a date is typed, and picked with the arrows', day, FORM, MODEL, '--height', '1350')

    def dialog(w):
        w.activate()
        to(w, 'opener')
        w.keys('Return')
        w.find('dialog', 'More')
        seen = stops(w, 'Tab', 7)
        want(set(seen) - {''}, {'sheet-name', 'sheet-ok'}, 'the focus is kept in the dialog')
        assert seen.count('sheet-name') >= 2, seen
        back = stops(w, 'Shift+Tab', 7)
        want(set(back) - {''}, {'sheet-name', 'sheet-ok'}, 'backwards')
        assert back.count('sheet-ok') >= 2, back
        to(w, 'sheet-name')
        w.type('Bo')
        w.keys('Escape')
        w.lacks('dialog')
        want(w.ask('focus', 'focus')['focus'], 'opener')
        want(model(w)['other'], 'Bo')
        w.keys('Return')
        w.find('dialog', 'More')
        to(w, 'sheet-ok')
        w.keys('Return')
        want(w.next('send', where=lambda s: s['action']['name'] == 'sheet-ok')['action']['name'], 'sheet-ok')

    case('a dialog keeps the focus, Escape closes it, and what opened it has the focus again', dialog, FORM, MODEL,
         '--height', '1350')

    def links(w):
        w.activate()
        want(w.find('link', 'Terms').description, 'Link: https://t.test/')
        want(w.keys('Tab')['focus'], 'p')
        para = w.find('label', 'See one and two here')
        want(para.description, 'Link 1 of 2: https://a.test/')
        w.keys('Return')
        want(w.next('link'), 'https://a.test/')
        w.keys('Right')
        want(para.description, 'Link 2 of 2: https://b.test/')
        w.keys('Right', 'Return')
        want(w.next('link'), 'https://b.test/')
        w.keys('Left', 'Return')
        want(w.next('link'), 'https://a.test/')
        w.send(update(text('p', 'Only [three](https://c.test/) now')))
        w.settle()
        want(w.ask('focus', 'focus')['focus'], 'p', 'the focus is on the text still')
        w.keys('Return')
        want(w.next('link'), 'https://c.test/')
        want(w.keys('Tab')['focus'], 'q')
        w.keys('Return')
        want(w.next('link'), 'https://t.test/')
        w.find('link', 'Terms').press()
        want(w.next('link'), 'https://t.test/')
        w.find('heading', 'Head with link')

    case('links: a stop for each paragraph, the arrows choose, Enter follows', links, [
        root('p', 'q', 'h'), text('h', '## Head with [link](https://h.test/)'),
        text('p', 'See [one](https://a.test/) and [two](https://b.test/) here'),
        text('q', '[Terms](https://t.test/)')])

    # ---- while the agent changes things ----

    def stays(w):
        w.activate()
        to(w, 'left')
        for i in range(5):
            w.send(data('/vol', i))
            w.send(update(text('head', '# Form %d' % i)))
            w.settle()
            want(w.ask('focus', 'focus')['focus'], 'left')
        w.send(update({**FORM[0], 'children': ['end', *FORM[0]['children'][:-1]]}))
        w.settle()
        want(w.ask('focus', 'focus')['focus'], 'left', 'after the order changed')
        w.keys('space')
        want(w.next('send')['action']['name'], 'left')

    case('the focus stays where it is whatever else changes', stays, FORM, MODEL, '--height', '1350')

    def typing(w):
        w.activate()
        to(w, 'name')
        w.type('Hello world')
        w.keys('Left', 'Left', 'Shift+Left', 'Shift+Left')
        before = w.ask('focus', 'focus')
        want((before['text'], before['caret'], before['bound']), ('Hello world', 7, 7))
        for i in range(20):
            w.send(data('/vol', i % 10))
            w.send(data('/name', 'the agent says %d' % i))
        w.settle()
        now = w.ask('focus', 'focus')
        want({k: now[k] for k in ('focus', 'type', 'text', 'caret', 'bound')},
             {k: before[k] for k in ('focus', 'type', 'text', 'caret', 'bound')})
        w.type('X')
        want(w.ask('focus', 'focus')['text'], 'Hello wXld')
        w.keys('Control+z')
        want(w.ask('focus', 'focus')['text'], 'Hello wld', 'what was typed is undone')
        w.keys('Control+z')
        want(w.ask('focus', 'focus')['text'], 'Hello world', 'and what it replaced')
        w.keys('Control+Shift+z', 'Control+Shift+z', 'End')
        w.type('!')
        want(w.ask('focus', 'focus')['text'], 'Hello wXld!')
        w.keys('Tab')
        desk.until(lambda: model(w)['name'] == 'Hello wXld!', lambda: model(w))

    case('typing keeps caret, selection, undo and words while the agent changes the same field and others', typing,
         FORM, MODEL, '--height', '1350')

    def rows(count):
        return [root('list'), {'id': 'list', 'component': 'List', 'children': {'componentId': 'row', 'path': '/rows'}},
                {'id': 'row', 'component': 'TextField', 'label': {'path': 'n'}, 'value': {'path': 'v'}}], {
                    'rows': [{'n': 'Row %d' % i, 'v': ''} for i in range(count)]}

    def pinned(w):
        w.activate()
        for _ in range(3):
            w.keys('Tab')
        w.type('ab')
        w.keys('Shift+Left')
        before = w.ask('focus', 'focus')
        want((before['text'], before['caret'], before['bound']), ('ab', 1, 1))
        w.find('text', 'Row 1')
        d.keyboard.wheel(200, 300, 60)
        w.lacks('text', 'Row 1')
        w.settle()
        mine = w.find('text', 'Row 2')
        want(mine.text, 'ab')
        now = w.ask('focus', 'focus')
        want((now['focus'], now['text'], now['caret'], now['bound']), ('row', 'ab', 1, 1))
        w.type('c')
        w.settle()
        want(mine.text, 'ac')
        assert len(w.all('text')) < 120, len(w.all('text'))
        desk.until(lambda: model(w)['rows'][2]['v'] == 'ac', lambda: model(w)['rows'][2])

    case('a row in use is kept while it is scrolled away, with its caret and selection', pinned, *rows(2000))

    def far(w):
        w.activate()
        for _ in range(60):
            want(w.keys('Tab')['focus'], 'row')
            w.settle()
        w.type('here')
        desk.until(lambda: model(w)['rows'][59]['v'] == 'here', lambda: [
            i for i, r in enumerate(model(w)['rows']) if r['v']])
        for _ in range(59):
            w.keys('Shift+Tab')
            w.settle()
        w.type('top')
        desk.until(lambda: model(w)['rows'][0]['v'] == 'top', lambda: [
            i for i, r in enumerate(model(w)['rows']) if r['v']])

    case('Tab goes through a long list row by row, and back', far, *rows(2000))

t.done()
