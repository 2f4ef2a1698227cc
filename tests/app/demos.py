"""demos.py FACE_WINDOW ROOT: the demos end to end as a person uses them who sees no screen: dining, survey and calls
through AT-SPI, dining once more by keyboard alone. TAP on stdout."""
import desk
import stage
from stage import want

t = stage.begin('the demos')


def sent(w, name):
    """The next message with this action."""
    return w.next('send', where=lambda m: m.get('action', {}).get('name') == name)['action']


def step(w, ms):
    w.ask('advance %d' % ms, 'advanced')


with stage.desk_of_test('1000x1500') as d:
    d.listen('object:property-change:accessible-name')

    def announced(words):
        d.hear(lambda events: any(e[2] == 'status bar' and e[4] == words for e in events), 'the words ' + words)

    def dining(w):
        order = w.find('push button', 'Place order')
        assert not order.has('sensitive')
        want(order.description, 'Add at least one dish')
        more = w.find('push button', 'More: Margherita')
        more.press()
        w.find('label', '1')
        announced('1')
        more.press()
        w.find('label', '₩28,000')
        assert not order.has('sensitive')
        address = w.find('text', 'Delivery address')
        address.set_text('Jej')
        desk.until(lambda: address.has('invalid'), 'an address that is not right')
        assert 'Add a little more detail to the address' in address.description, address.description
        address.set_text('Jeju 1-1')
        desk.until(lambda: order.has('sensitive'), 'an order that can be placed')
        order.press()
        want(sent(w, 'place_order')['context'], {'total': 28000, 'count': 2, 'address': 'Jeju 1-1'})
        w.find('label', 'We do not deliver to Jeju yet. Any address in Seoul is fine.')
        address.set_text('Mapo-daero 1, Seoul')
        w.lacks('label', 'We do not deliver to Jeju yet. Any address in Seoul is fine.')
        order.press()
        want(sent(w, 'place_order')['context']['address'], 'Mapo-daero 1, Seoul')
        pay = w.find('push button', 'Pay ₩28,000')
        cash = [n for n in w.all('radio button') if 'ash' in n.name][0]
        cash.press()
        desk.until(lambda: cash.has('checked'), 'cash')
        pay.press()
        want(sent(w, 'pay')['context']['method'], ['cash'])
        w.find('heading', 'Rider & Live Status')
        w.lacks('push button', 'Pay ₩28,000')
        w.settle()
        step(w, 4000)
        announced('Your dishes are in the oven.')
        step(w, 4000)
        announced('Min-jun has picked up your order.')
        step(w, 12000)
        w.find('heading', 'Review Survey')
        send = w.find('push button', 'Send review')
        want(send.description, 'Give both their stars first')
        w.find('grouping', 'How was the food?').find('radio button', '5 of 5').press()
        w.find('grouping', 'How was the delivery?').find('radio button', '4 of 5').press()
        w.find('text', 'Anything to add?').set_text('Thank you')
        desk.until(lambda: send.has('sensitive'), 'a review that can be sent')
        send.press()
        want(sent(w, 'submit_review')['context'], {'food': 5, 'rider': 4, 'comment': 'Thank you'})
        w.find('label', 'Thank you, that helps us and the rider. See you next time!')

    stage.run('dining, through AT-SPI', dining, '--demo', 'dining', '--height', '1400')

    def to(w, id, what=lambda f: True):
        """Tab until there."""
        for _ in range(60):
            f = w.keys('Tab')
            if f['focus'] == id and what(f):
                return f
        raise AssertionError('Tab does not reach ' + id)

    def typed(w):
        w.activate()
        to(w, 'row')
        # The first stop of a row that has nothing yet is its plus.
        w.keys('space')
        desk.until(lambda: w.ask('model turn1', 'tree')['dataModel']['menu'][0]['quantity'] == 1, 'one of it')
        w.keys('space')
        desk.until(lambda: w.ask('model turn1', 'tree')['dataModel']['menu'][0]['quantity'] == 2, 'two of it')
        to(w, 'address')
        w.type('Mapo-daero 1, Seoul')
        to(w, 'order')
        w.keys('Return')
        want(sent(w, 'place_order')['context'], {'total': 28000, 'count': 2, 'address': 'Mapo-daero 1, Seoul'})
        w.find('push button', 'Pay ₩28,000')
        w.settle()
        to(w, 'method')
        w.keys('Down')
        desk.until(lambda: w.ask('model payment', 'tree')['dataModel']['method'] != ['card'], 'another method')
        to(w, 'pay')
        w.keys('space')
        want(sent(w, 'pay')['context']['total'], 28000)
        w.find('heading', 'Rider & Live Status')
        w.settle()
        step(w, 20000)
        w.find('heading', 'Review Survey')
        w.settle()
        f = to(w, 'food')
        w.keys('space')
        desk.until(lambda: w.ask('model review', 'tree')['dataModel']['review']['food'] == 1, 'a star for the food')
        to(w, 'rider')
        w.keys('space')
        desk.until(lambda: w.ask('model review', 'tree')['dataModel']['review']['rider'] == 1, 'a star for the rider')
        to(w, 'comment')
        w.type('Good')
        to(w, 'send')
        w.keys('Return')
        want(sent(w, 'submit_review')['context'], {'food': 1, 'rider': 1, 'comment': 'Good'})
        w.find('label', 'Thank you, that helps us and the rider. See you next time!')
        assert f

    stage.run('dining, by keyboard alone', typed, '--demo', 'dining', '--height', '1400')

    def survey(w):
        for number, i in (('4417', 0), ('4451', 2)):
            desk.until(lambda: len(w.all('list item')) == 4, 'four tickets')
            w.settle()
            w.all('list item')[i].find('push button').press()
            want(sent(w, 'chooseTicket')['context'], {'ticketId': number})
            w.next('surface', where=lambda s: s == 'csat')
            w.settle()
            form = w.find('panel', 'csat')
            answers = 0
            for group in form.all('grouping'):
                group.all('radio button')[-1].press()
                answers += 1
            assert answers >= 3, answers
            form.all('text')[-1].set_text('Thank you for asking')
            form.all('push button')[-1].press()
            got = sent(w, 'submitCsat')['context']
            want((got['ticketId'], got['answers']['comment']), (number, 'Thank you for asking'))
            want(len([v for v in got['answers'].values() if isinstance(v, list) and v]), answers)
            w.settle()
            form.all('push button')[-1].press()
            sent(w, 'anotherTicket')
            w.next('gone', where=lambda s: s == 'csat')

    stage.run('survey, through AT-SPI', survey, '--demo', 'survey', '--height', '1400')

    def calls(w):
        step(w, 5000)
        desk.until(lambda: any('No answer in time' in n.name for n in w.all('label')), 'what timed out')
        w.find('push button', 'Let it read the clipboard once').press()
        sent(w, 'allowClipboard')
        desk.until(lambda: any('Wednesday, half past six' in n.name for n in w.all('label')), 'what was read')
        number, register = w.find('text', 'Registration number of the provider'), w.find('push button', 'Register')
        number.set_text('120-81')
        desk.until(lambda: 'Ten digits, like 120-81-47521' in number.description, lambda: number.description)
        assert number.has('invalid') and not register.has('sensitive')
        number.set_text('120-81-47522')
        desk.until(lambda: 'No provider has this number' in number.description, lambda: number.description)
        number.set_text('214-88-00591')
        desk.until(lambda: register.has('sensitive'), 'a number that can be registered')
        register.press()
        want(sent(w, 'register')['context'], {'number': '214-88-00591'})
        w.find('label', 'Registered. The agent has the number.')

    stage.run('calls, through AT-SPI', calls, '--demo', 'calls', '--height', '1400')

t.done()
