"""window.py SHOJI_DESKTOP ROOT: the app itself, read and used through AT-SPI by another process. TAP on stdout."""
import re

import desk
import stage
from stage import want

t = stage.begin('the app through AT-SPI')
TYPE = re.compile(r'^(Gtk|Adw|Sj|Gd)[A-Z]')


def widget_names(top):
    """Controls that are called by the name of their widget's type, or by nothing at all."""
    faults = []
    for n in top.walk():
        role = n.role
        if role in ('push button', 'toggle button', 'check box', 'radio button', 'text', 'entry', 'password text',
                    'slider', 'spin button', 'combo box', 'page tab', 'link') and (not n.name or TYPE.match(n.name)):
            faults.append('%s "%s" (%s)' % (role, n.name, n.description))
    return faults


def run(name, fn):
    stage.run(name, fn, settle=False)


with stage.desk_of_test('1280x1000') as d:

    def names(w):
        w.find('page tab', 'Settings')
        w.find('push button', 'Place order')
        want(widget_names(w.root), [])

    run('every control of the window has a name', names)

    def frame(w):
        w.find('push button', 'Place order')
        frames = [n for n in w.all('panel', 'Dining (scripted agent)')]
        want(len(frames), 1)
        assert frames[0].all('push button', 'Place order'), frames[0].picture()
        assert frames[0].all('label', 'Dining (scripted agent)'), 'the frame does not say whose surface it is'

    run('a surface stands in a frame that says which connection it is from', frame)

    def pages(w):
        for name in ('Library', 'Tools', 'Logs', 'Settings', 'Chat'):
            tab = w.find('page tab', name)
            tab.press()
            desk.until(lambda: tab.has('selected'), name)

    run('the pages are tabs', pages)

    def order(w):
        place = w.find('push button', 'Place order')
        assert not place.has('sensitive')
        w.find('push button', 'More: Kimchi fried rice').press()
        address = w.find('text', 'Delivery address')
        address.set_text('Mapo-daero 1, Seoul')
        desk.until(lambda: place.has('sensitive'), 'an order that can be placed')
        place.press()
        w.find('push button', 'Pay ₩9,000').press()
        w.find('heading', 'Rider & Live Status')
        w.lacks('push button', 'Pay ₩9,000')

    run('dining: an order from the dishes to the rider', order)

    def other(w):
        w.find('push button', 'New Conversation').press()
        w.find('push button', 'Calls').press()
        number, register = w.find('text', 'Registration number of the provider'), w.find('push button', 'Register')
        number.set_text('120-81')
        desk.until(lambda: not register.has('sensitive'), 'a number that cannot be registered')
        number.set_text('214-88-00591')
        desk.until(lambda: register.has('sensitive'), 'a number that can be registered')
        register.press()
        w.find('label', 'Registered. The agent has the number.')

    run('calls: a conversation begun from the window', other)

    def survey(w):
        w.find('push button', 'New Conversation').press()
        w.find('push button', 'Survey').press()
        desk.until(lambda: w.all('push button', 'Ask me about this'), 'tickets')
        w.all('push button', 'Ask me about this')[0].press()
        desk.until(lambda: len(w.all('grouping')) >= 3, 'the questions')
        for group in w.all('grouping'):
            group.all('radio button')[0].press()
        submit = [n for n in w.all('push button') if 'ubmit' in n.name or 'Send' in n.name]
        want(len(submit), 1)
        submit[0].press()
        desk.until(lambda: any('another' in n.name.lower() for n in w.all('push button')), 'thanks')

    run('survey: a ticket asked about and answered', survey)

    def calm(w):
        w.find('push button', 'Place order')
        w.activate('Shoji')
        for _ in range(40):
            w.desk.keyboard.press('Tab')
        f = desk.until(w.focused, 'the focus')
        assert f.name and not TYPE.match(f.name), f.line()

    run('Tab moves the focus through the window, and the tree says where it is', calm)

t.done()
