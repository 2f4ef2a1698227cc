"""roles.py FACE_WINDOW ROOT: every component in the tree of assistive technology: role, name, states, and what happens
when it is used. TAP on stdout."""
import desk
import stage
from stage import event, inside, model, model_is, required, root, shown, text, want

t = stage.begin('components through AT-SPI')
case = stage.case

with stage.desk_of_test() as d:
    # ---- what is shown ----

    def texts(w):
        want(inside(w), [('heading', 'Order'), ('label', 'Hello you & <b>me</b>'), ('label', 'one'), ('label', 'two'),
                         ('label', 'small'), ('label', 'Sum, in words')])
        want(w.find('label', 'Sum, in words').description, 'of all')

    case('Text: paragraphs are labels without their Markdown, headings are headings', texts, [
        root('a', 'b', 'c'), text('a', '# Order\n\nHello **you** & <b>me</b>\n\n- one\n- two'),
        text('b', 'small', variant='caption'),
        text('c', '12', accessibility={'label': 'Sum, in words', 'description': 'of all'})])

    def empty(w):
        want(inside(w), [('heading', ''), ('label', ''), ('label', 'Own words')])
        w.send(stage.data('/a', 'Now'))
        w.find('label', 'Now')
        w.send(stage.data('/h', 'Head'))
        w.find('heading', 'Head')
        w.send(stage.data('/n', None))
        w.find('label', 'Seen')
        w.send(stage.data('/a', ''))
        w.lacks('label', 'Now')
        want(inside(w), [('heading', 'Head'), ('label', ''), ('label', 'Seen')])

    case('Text: without words, with words, with a name of its own and without it again', empty, [
        root('h', 'a', 'b'), text('h', {'call': 'formatString', 'args': {'value': '# ${/h}'}}),
        text('a', {'path': '/a'}), text('b', 'Seen', accessibility={'label': {'path': '/n'}})],
         {'h': '', 'a': '', 'n': 'Own words'})

    def pictures(w):
        want(inside(w), [('image', 'A cat'), ('image', 'account circle'), ('image', 'Me'), ('panel', 'A song'),
                         ('label', 'https://x.test/y.mp3'), ('panel', 'Video'), ('label', 'https://x.test/y.mp4'),
                         ('separator', '')])

    case('Image, Icon, AudioPlayer, Video, Divider: a role and a name', pictures, [
        root('i', 'j', 'k', 'a', 'v', 'd'),
        {'id': 'i', 'component': 'Image', 'url': 'https://x.test/y.png', 'description': 'A cat'},
        {'id': 'j', 'component': 'Icon', 'name': 'accountCircle'},
        {'id': 'k', 'component': 'Icon', 'name': 'person', 'accessibility': {'label': 'Me'}},
        {'id': 'a', 'component': 'AudioPlayer', 'url': 'https://x.test/y.mp3', 'description': 'A song'},
        {'id': 'v', 'component': 'Video', 'url': 'https://x.test/y.mp4'}, {'id': 'd', 'component': 'Divider'}])

    def boxes(w):
        want(inside(w), [('panel', 'Both'), ('label', 'a'), ('label', 'b'), ('list', 'Things'), ('list item', ''),
                         ('label', 'c'), ('list item', ''), ('push button', 'd'), ('panel', 'Bill'), ('label', 'e')])

    case('Row and Column are layout until they are named; List has list items, Card is a group', boxes, [
        root('r', 'l', 'c'),
        {'id': 'r', 'component': 'Row', 'children': ['a', 'b'], 'accessibility': {'label': 'Both'}},
        {'id': 'l', 'component': 'List', 'children': ['e3', 'e4'], 'accessibility': {'label': 'Things'}},
        {'id': 'c', 'component': 'Card', 'child': 'e5', 'accessibility': {'label': 'Bill'}}, text('a', 'a'),
        text('b', 'b'), text('e3', 'c'), {'id': 'e4', 'component': 'Button', 'child': 'e4t', 'action': event('d')},
        text('e4t', 'd'), text('e5', 'e')])

    def pending(w):
        label = w.find('label', 'Loading…')
        assert label.has('busy')
        want(label.description, 'late: This part has not arrived yet.')
        w.send({'version': 'v1.0', 'updateComponents': {'surfaceId': 's', 'components': [text('late', 'Here')]}})
        w.find('label', 'Here')
        w.lacks('label', 'Loading…')

    case('what has not arrived is busy and says so', pending, [root('late')])

    def unknown(w):
        label = w.find('label', 'Unknown component “Mystery”')
        assert label.description.startswith('m (Mystery): '), label.description

    case('an unknown component says what it is', unknown, [root('m'), {'id': 'm', 'component': 'Mystery'}], None,
         '--unknown')

    # ---- buttons, tabs, dialogs ----

    def button(w):
        want(inside(w), [('push button', 'Go now'), ('push button', 'Send it')])
        want(w.find('push button', 'Send it').description, 'to everybody')
        w.find('push button', 'Go now').press()
        want(w.next('send')['action']['name'], 'go')
        w.find('push button', 'Send it').press()
        want(w.next('send')['action']['name'], 'send')

    case('Button: named by what is inside, or as the agent says; pressed', button, [
        root('b', 'c'), {'id': 'b', 'component': 'Button', 'child': 'r', 'action': event('go')},
        {'id': 'r', 'component': 'Row', 'children': ['i', 'l', 'm']}, {'id': 'i', 'component': 'Icon', 'name': 'send'},
        text('l', 'Go'), text('m', 'now'),
        {'id': 'c', 'component': 'Button', 'child': 'n', 'action': event('send'),
         'accessibility': {'label': 'Send it', 'description': 'to everybody'}}, text('n', 'ok')])

    def disabled(w):
        b = w.find('push button', 'Go')
        assert not b.has('sensitive')
        want(b.description, 'Say your name first')
        w.find('text', 'Name').set_text('Ann')
        desk.until(lambda: b.has('sensitive'), 'a button that can be pressed')
        desk.until(lambda: b.description == '', lambda: 'no description: ' + b.description)
        b.press()
        want(w.next('send')['action']['name'], 'go')

    case('a disabled button says why, and is enabled when that is mended', disabled, [
        root('f', 'b'), {'id': 'f', 'component': 'TextField', 'label': 'Name', 'value': {'path': '/n'}},
        {'id': 'b', 'component': 'Button', 'child': 'l', 'action': event('go'),
         'checks': [required('/n', 'Say your name first')]}, text('l', 'Go')], {'n': ''})

    def tabs(w):
        want(inside(w), [('page tab list', 'Views'), ('page tab', 'First'), ('page tab', 'Second'), ('panel', 'First'),
                         ('label', 'one')])
        first, second = w.find('page tab', 'First'), w.find('page tab', 'Second')
        assert first.has('selected') and not second.has('selected')
        second.press()
        w.find('label', 'two')
        w.lacks('label', 'one')
        assert second.has('selected') and not first.has('selected')
        w.find('panel', 'Second')

    case('Tabs: a list of tabs, the selected one shows its panel', tabs, [
        root('t'), {'id': 't', 'component': 'Tabs', 'accessibility': {'label': 'Views'},
                    'tabs': [{'title': 'First', 'child': 'a'}, {'title': 'Second', 'child': 'b'}]},
        text('a', 'one'), text('b', 'two')])

    def dialog(w):
        opener = w.find('push button', 'More')
        assert opener.has('expandable') and not opener.has('expanded')
        w.lacks('dialog')
        opener.press()
        box = w.find('dialog', 'Details')
        assert box.has('modal')
        assert opener.has('expanded')
        want(shown(box), [('dialog', 'Details'), ('label', 'More'), ('push button', 'Close'), ('heading', 'Details'),
                          ('label', 'All of it')])
        w.lacks('push button', 'Elsewhere')
        w.find('push button', 'Close').press()
        w.lacks('dialog')
        w.find('push button', 'Elsewhere')
        want(w.ask('focus', 'focus')['focus'], 'm')

    case('Modal: a dialog with the name of its heading, alone in the tree while it is open', dialog, [
        root('d', 'e'), {'id': 'd', 'component': 'Modal', 'trigger': 'm', 'content': 'c'},
        {'id': 'm', 'component': 'Button', 'child': 'ml', 'action': event('open')}, text('ml', 'More'),
        text('c', '# Details\n\nAll of it'), {'id': 'e', 'component': 'Button', 'child': 'el', 'action': event('e')},
        text('el', 'Elsewhere')])

    # ---- inputs ----

    def field(w):
        f = w.find('text', 'Name')
        assert f.has('invalid') and f.has('editable') and f.has('focusable')
        want(f.description, 'as in the passport. Say your name. Required')
        want([n.name for n in f.relations['described-by']], ['Say your name'])
        want(f.attributes.get('placeholder-text'), 'Ann')
        f.set_text('Ann')
        model_is(w, {'n': 'Ann'})
        desk.until(lambda: not f.has('invalid'), 'a valid field')
        want(f.description, 'as in the passport. Required')
        assert 'described-by' not in f.relations
        want(f.text, 'Ann')
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/n', 'value': 'Bo'}})
        desk.until(lambda: f.text == 'Bo', lambda: 'Bo, not ' + f.text)

    case('TextField: name, description, invalid, tied to its error; typed into, and read back', field, [
        root('f'), {'id': 'f', 'component': 'TextField', 'label': 'Name', 'placeholder': 'Ann',
                         'value': {'path': '/n'}, 'accessibility': {'description': 'as in the passport'},
                         'checks': [required('/n', 'Say your name')]}], {'n': ''})

    def fields(w):
        want(inside(w), [('text', 'Notes'), ('text', 'Age'), ('password text', 'Word'), ('text', 'Bare')])
        notes = w.find('text', 'Notes')
        assert notes.has('multi-line')
        notes.set_text('one\ntwo')
        w.find('text', 'Age').set_text('41')
        secret = w.find('password text', 'Word')
        secret.set_text('hush')
        desk.until(lambda: model(w).get('a') in (41, '41'), lambda: model(w))
        want(model(w)['l'], 'one\ntwo')

    case('TextField: long, number, obscured; named by the placeholder where there is no label', fields, [
        root('l', 'a', 'p', 'b'),
        {'id': 'l', 'component': 'TextField', 'label': 'Notes', 'variant': 'longText', 'value': {'path': '/l'}},
        {'id': 'a', 'component': 'TextField', 'label': 'Age', 'variant': 'number', 'value': {'path': '/a'}},
        {'id': 'p', 'component': 'TextField', 'label': 'Word', 'variant': 'obscured', 'value': {'path': '/p'}},
        {'id': 'b', 'component': 'TextField', 'label': '', 'placeholder': 'Bare', 'value': {'path': '/b'}}],
         {'l': '', 'a': '', 'p': '', 'b': ''})

    def check(w):
        c = w.find('check box', 'I agree')
        assert not c.has('checked') and c.has('invalid')
        c.press()
        model_is(w, {'c': True})
        desk.until(lambda: c.has('checked') and not c.has('invalid'), 'a checked box')
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/c', 'value': False}})
        desk.until(lambda: not c.has('checked'), 'an unchecked box')

    case('CheckBox: pressed, and unchecked by the agent', check, [
        root('c'), {'id': 'c', 'component': 'CheckBox', 'label': 'I agree', 'value': {'path': '/c'},
                    'checks': [{'condition': {'path': '/c'}, 'message': 'Please agree'}]}], {'c': False})

    OPTIONS = [{'label': 'Red', 'value': 'r'}, {'label': 'Green', 'value': 'g'}, {'label': 'Blue', 'value': 'b'}]

    def picker(**more):
        return [root('p'), {'id': 'p', 'component': 'ChoicePicker', 'label': 'Colour', 'options': OPTIONS,
                            'value': {'path': '/v'}, **more}]

    def radio(w):
        want(inside(w), [('grouping', 'Colour'), ('radio button', 'Red'), ('radio button', 'Green'),
                         ('radio button', 'Blue')])
        assert w.find('radio button', 'Red').has('checked')
        w.find('radio button', 'Blue').press()
        model_is(w, {'v': ['b']})
        desk.until(lambda: not w.find('radio button', 'Red').has('checked'), 'one choice')
        assert w.find('radio button', 'Blue').has('checked')

    case('ChoicePicker, one of several: a radio group', radio, picker(), {'v': ['r']})

    def many(w):
        want(inside(w), [('panel', 'Colour'), ('check box', 'Red'), ('check box', 'Green'), ('check box', 'Blue')])
        w.find('check box', 'Green').press()
        model_is(w, {'v': ['r', 'g']})
        w.find('check box', 'Red').press()
        model_is(w, {'v': ['g']})
        assert w.find('check box', 'Green').has('checked')

    case('ChoicePicker, several: a group of check boxes', many, picker(variant='multipleSelection'), {'v': ['r']})
    case('ChoicePicker, several as chips: the same', many,
         picker(variant='multipleSelection', displayStyle='chips'), {'v': ['r']})

    def chips(w):
        want(inside(w), [('grouping', 'Colour'), ('radio button', 'Red'), ('radio button', 'Green'),
                         ('radio button', 'Blue')])
        w.find('radio button', 'Blue').press()
        model_is(w, {'v': ['b']})
        desk.until(lambda: not w.find('radio button', 'Red').has('checked'), 'one choice')
        assert w.find('radio button', 'Blue').has('checked')

    case('ChoicePicker, one of several as chips: a radio group', chips, picker(displayStyle='chips'), {'v': ['r']})

    def filtered(w):
        w.find('entry', 'Filter').set_text('GRE')
        w.lacks('radio button', 'Red')
        w.find('radio button', 'Green').press()
        model_is(w, {'v': ['g']})

    case('ChoicePicker, filterable: what does not match leaves the tree', filtered, picker(filterable=True),
         {'v': ['r']})

    def slider(w):
        s = w.find('slider', 'Volume')
        want(s.value[:3], (0.0, 4.0, 10.0))
        s.set_value(5.2)
        model_is(w, {'v': 6})
        desk.until(lambda: s.value[1] == 6.0, lambda: 'snapped: %r' % (s.value,))
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/v', 'value': 2}})
        desk.until(lambda: s.value[1] == 2.0, lambda: 'set: %r' % (s.value,))

    case('Slider: a range whose value can be set, in steps', slider, [
        root('s'), {'id': 's', 'component': 'Slider', 'label': 'Volume', 'value': {'path': '/v'}, 'max': 10,
                    'steps': 5}], {'v': 4})

    def date(w):
        want(inside(w), [('panel', 'Arrival'), ('push button', 'Arrival: 3 February 2024'), ('text', 'Time'),
                         ('push button', 'Clear')])
        day = w.find('push button', 'Arrival: 3 February 2024')
        assert day.has('expandable') and not day.has('expanded')
        day.press()
        desk.until(lambda: day.has('expanded'), 'a calendar')
        w.find('push button', 'Next Month').press()
        desk.until(lambda: model(w)['v'] == '2024-03-03T10:30:00', lambda: model(w))
        typed = w.find('text', 'Day')
        typed.set_text('2024-05-17')
        desk.until(lambda: model(w)['v'] == '2024-05-17T10:30:00', lambda: model(w))
        w.find('push button', 'Arrival: 17 May 2024').press()
        w.lacks('push button', 'Next Month')
        time = w.find('text', 'Time')
        want(time.text, '10:30')
        time.set_text('9:05')
        desk.until(lambda: model(w)['v'] == '2024-05-17T09:05:00', lambda: model(w))
        w.find('push button', 'Clear').press()
        desk.until(lambda: model(w)['v'] == '', lambda: model(w))
        w.find('push button', 'Arrival: Choose a date')
        w.lacks('push button', 'Clear')

    case('DateTimeInput: day by button, by typing; time; clear', date, [
        root('d'), {'id': 'd', 'component': 'DateTimeInput', 'label': 'Arrival', 'value': {'path': '/v'},
                    'enableDate': True, 'enableTime': True}], {'v': '2024-02-03T10:30:00'})

    # ---- hidden, and reactive names ----

    def hidden(w):
        want(inside(w), [('label', 'Seen'), ('push button', 'Last')])
        w.activate()
        want([w.keys('Tab')['focus'] for _ in range(2)], ['last', 'last'])
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/h', 'value': False}})
        w.find('push button', 'Inner')
        desk.until(lambda: inside(w) == [('label', 'Seen'), ('label', 'Old'), ('push button', 'Inner'),
                                         ('push button', 'Last')], lambda: inside(w))
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/h', 'value': True}})
        w.lacks('push button', 'Inner')

    case('hidden: out of the tree and of the order of the focus, and back', hidden, [
        root('a', 'h', 'last'), text('a', 'Seen'),
        {'id': 'h', 'component': 'Column', 'children': ['b', 'c'], 'accessibility': {'hidden': {'path': '/h'}}},
        text('b', 'Old'), {'id': 'c', 'component': 'Button', 'child': 'ct', 'action': event('c')},
        text('ct', 'Inner'), {'id': 'last', 'component': 'Button', 'child': 'lt', 'action': event('l')},
        text('lt', 'Last')], {'h': True})

    def bound(w):
        w.find('push button', 'Alpha')
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/n', 'value': 'Beta'}})
        want(w.find('push button', 'Beta').description, 'first')
        w.send({'version': 'v1.0', 'updateDataModel': {'surfaceId': 's', 'path': '/d', 'value': 'second'}})
        desk.until(lambda: w.find('push button', 'Beta').description == 'second', 'another description')

    case('names and descriptions follow what they are bound to', bound, [
        root('b'), {'id': 'b', 'component': 'Button', 'child': 't', 'action': event('b'),
                    'accessibility': {'label': {'path': '/n'}, 'description': {'path': '/d'}}}, text('t', 'x')],
         {'n': 'Alpha', 'd': 'first'})

    # ---- every version ----

    def login(name):
        def use(w):
            f, secret = w.find('text', 'Mail'), w.find('password text', 'Word')
            want([n.role for n in w.all('heading', 'Welcome')], ['heading'])
            f.set_text('a@b.test')
            secret.set_text('hush')
            w.find('check box', 'Stay').press()
            w.find('push button', 'Sign in').press()
            said = w.next('send')
            action = said.get('userAction') or said['action']
            want((action['name'], action['context']), ('login', {'mail': 'a@b.test', 'word': 'hush', 'stay': True}))
        return use

    NEW = [
        root('h', 'm', 'w', 'c', 'b'), {'id': 'h', 'component': 'Text', 'text': 'Welcome', 'variant': 'h2'},
        {'id': 'm', 'component': 'TextField', 'label': 'Mail', 'value': {'path': '/m'}},
        {'id': 'w', 'component': 'TextField', 'label': 'Word', 'value': {'path': '/w'}, 'variant': 'obscured'},
        {'id': 'c', 'component': 'CheckBox', 'label': 'Stay', 'value': {'path': '/c'}},
        {'id': 'b', 'component': 'Button', 'child': 't', 'action': {'event': {'name': 'login', 'context': {
            'mail': {'path': '/m'}, 'word': {'path': '/w'}, 'stay': {'path': '/c'}}}}}, text('t', 'Sign in')]
    for version in ('v0.9', 'v0.9.1'):
        base = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json'
        case('the same form in ' + version, login(version), [
            {'version': version, 'createSurface': {'surfaceId': 's', 'catalogId': base}},
            {'version': version, 'updateComponents': {'surfaceId': 's', 'components': NEW}},
            {'version': version, 'updateDataModel': {'surfaceId': 's', 'path': '/',
                                                     'value': {'m': '', 'w': '', 'c': False}}}])

    def old(id, kind, **props):
        return {'id': id, 'component': {kind: props}}

    def literal(words):
        return {'literalString': words}

    case('the same form in v0.8', login('v0.8'), [
        {'surfaceUpdate': {'surfaceId': 's', 'components': [
            old('root', 'Column', children={'explicitList': ['h', 'm', 'w', 'c', 'b']}),
            old('h', 'Text', text=literal('Welcome'), usageHint='h2'),
            old('m', 'TextField', label=literal('Mail'), text={'path': '/m'}),
            old('w', 'TextField', label=literal('Word'), text={'path': '/w'}, textFieldType='obscured'),
            old('c', 'CheckBox', label=literal('Stay'), value={'path': '/c'}),
            old('b', 'Button', child='t', action={'name': 'login', 'context': [
                {'key': 'mail', 'value': {'path': '/m'}}, {'key': 'word', 'value': {'path': '/w'}},
                {'key': 'stay', 'value': {'path': '/c'}}]}),
            old('t', 'Text', text=literal('Sign in'))]}},
        {'dataModelUpdate': {'surfaceId': 's', 'contents': [
            {'key': 'm', 'valueString': ''}, {'key': 'w', 'valueString': ''}, {'key': 'c', 'valueBoolean': False}]}},
        {'beginRendering': {'surfaceId': 's', 'root': 'root'}}])

    # ---- an app's own components ----

    def dining(w):
        w.send({'version': 'v1.0', 'createSurface': {
            'surfaceId': 'mine', 'catalogId': 'app.dining.catalog/v1',
            'dataModel': {'q': 1, 'stars': 0}, 'components': [
                {'id': 'root', 'component': 'Column', 'children': ['m', 't', 'r', 'g']},
                {'id': 'm', 'component': 'MenuItemRow', 'name': 'Soup', 'price': 9000, 'currency': 'KRW',
                 'quantity': {'path': '/q'}, 'max': 2},
                {'id': 't', 'component': 'OrderTotalRow', 'label': 'Total', 'value': '9,000'},
                {'id': 'r', 'component': 'StarRating', 'label': 'Taste', 'value': {'path': '/stars'}, 'max': 3},
                {'id': 'g', 'component': 'StageRow', 'name': 'Cooking', 'when': 'now'}]}})
        box = w.find('panel', 'mine')
        box.find('radio button', '3 of 3')
        w.ask('settled', 'settled')
        want([(r, n) for r, n in shown(box)[1:] if r != 'label'], [
            ('panel', 'Soup'), ('push button', 'Fewer: Soup'), ('push button', 'More: Soup'), ('panel', 'Total'),
            ('grouping', 'Taste'), ('radio button', '1 of 3'), ('radio button', '2 of 3'), ('radio button', '3 of 3')])
        box.find('label', 'Stage: Cooking')
        want(box.find('panel', 'Soup').description, '₩9,000')
        box.find('push button', 'More: Soup').press()
        desk.until(lambda: w.ask('model mine', 'tree')['dataModel']['q'] == 2, 'two of it')
        box.find('label', '2')
        assert not box.find('push button', 'More: Soup').has('sensitive')
        box.find('radio button', '2 of 3').press()
        desk.until(lambda: w.ask('model mine', 'tree')['dataModel']['stars'] == 2, 'two stars')
        desk.until(lambda: box.find('radio button', '2 of 3').has('checked'), 'a checked star')
        box.find('label', '9,000')

    case('Stepper, Summary, Rating, and a component that the app draws as a label', dining, [root()], None, '--demo',
         'dining', '--height', '1300')

t.done()
