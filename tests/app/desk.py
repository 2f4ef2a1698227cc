"""A screen, a keyboard and assistive technology for programs under test, on a machine that may have none of them.

    with desk.Desk() as d:
        w = d.start([program, ...])
        w.find('button', 'Send').press()
        w.keys('Tab')

An X server without a screen, a session bus without service folders (else portals are started, which takes their time)
and the accessibility bus, all in a folder of their own; what a test starts is ended with it, by its process id. The
tree is read in this process, never in the program's. Nothing waits by sleeping: `until` asks for a condition, up to a
deadline.
"""
import ctypes
import json
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

DEADLINE = 15.0
LAUNCHERS = ('/usr/libexec/at-spi-bus-launcher', '/usr/lib/at-spi2-core/at-spi-bus-launcher')
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Late(Exception):
    """A condition did not come true in time."""


def end_with_parent():
    """Between fork and exec: whoever is started ends when this process does, however it does."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


# Ends the groups of processes that it is told of, one a line, when its input ends without the word "done": the launcher
# starts a bus of its own, which would outlive a test that was killed.
WATCHER = """
import os, shutil, signal, sys
folder, groups = sys.argv[1], []
for line in sys.stdin:
    if line.strip() == 'done':
        sys.exit()
    groups.append(int(line))
for g in groups:
    try:
        os.killpg(g, signal.SIGKILL)
    except OSError:
        pass
shutil.rmtree(folder, ignore_errors=True)
"""


def launcher():
    return next((p for p in LAUNCHERS if os.access(p, os.X_OK)), None)


def lacking():
    """Why nothing can be tested here; None: it can."""
    for tool in ('Xvfb', 'dbus-daemon'):
        if not shutil.which(tool):
            return 'no ' + tool
    if not launcher():
        return 'no at-spi-bus-launcher'
    try:
        import gi

        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi  # noqa: F401
    except (ImportError, ValueError):
        # The bindings belong to the system's Python; a test may run in another.
        if os.environ.get('SHOJI_PYTHON') != 'system':
            for python in ('/usr/bin/python3',):
                if os.path.exists(python) and not os.path.samefile(python, sys.executable):
                    os.environ['SHOJI_PYTHON'] = 'system'
                    sys.stdout.flush()
                    os.execv(python, [python, *sys.argv])
        return 'no Python bindings of AT-SPI (python3-gi, gir1.2-atspi-2.0)'
    return None


def until(condition, what, seconds=DEADLINE, poll=0.02):
    """What `condition` returns once it is true; Late when it never is. What cannot be read is not there."""
    end = time.monotonic() + seconds
    while True:
        take_in()
        try:
            found = condition()
        except Exception as e:
            if not is_gone(e):
                raise
            found = None
        if found:
            return found
        if time.monotonic() >= end:
            raise Late('not within %g s: %s' % (seconds, what() if callable(what) else what))
        time.sleep(poll)


def take_in():
    """libatspi hears of what came and went only while its main context runs."""
    from gi.repository import GLib

    context = GLib.MainContext.default()
    while context.iteration(False):
        pass


def forget(a):
    """libatspi remembers names, states and children; its function for one object came with 2.48."""
    (getattr(a, 'clear_cache_single', None) or a.clear_cache)()


def is_gone(e):
    from gi.repository import GLib

    return isinstance(e, GLib.Error)


# ---- the keyboard ----


class Keyboard:
    """Keys through the X server's test extension, as if somebody pressed them."""

    NAMES = {'\n': 'Return', '\t': 'Tab', ' ': 'space'}

    def __init__(self, display):
        self.x = ctypes.CDLL('libX11.so.6')
        self.test = ctypes.CDLL('libXtst.so.6')
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XStringToKeysym.restype = ctypes.c_ulong
        self.x.XKeycodeToKeysym.restype = ctypes.c_ulong
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.d = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))

    def symbol(self, name):
        if len(name) == 1 and name not in self.NAMES:
            return ctypes.c_ulong(ord(name))
        return ctypes.c_ulong(self.x.XStringToKeysym(self.NAMES.get(name, name).encode()))

    def code(self, name):
        symbol = self.symbol(name)
        code = self.x.XKeysymToKeycode(self.d, symbol)
        if not code:
            raise ValueError('no key for ' + name)
        shifted = self.x.XKeycodeToKeysym(self.d, code, 0) != symbol.value
        return code, shifted

    def send(self, code, down):
        self.test.XTestFakeKeyEvent(self.d, code, int(down), ctypes.c_ulong(0))

    def press(self, chord):
        """'Tab', 'Shift+Tab', 'Control+a', 'a', 'A'. Returns how many keys went down or up."""
        *mods, name = chord.split('+') if len(chord) > 1 else [chord]
        code, shifted = self.code(name)
        held = [self.code(m + '_L')[0] for m in mods]
        if shifted and 'Shift' not in mods:
            held.append(self.code('Shift_L')[0])
        for c in held:
            self.send(c, True)
        self.send(code, True)
        self.send(code, False)
        for c in reversed(held):
            self.send(c, False)
        self.x.XSync(self.d, 0)
        return 2 * (len(held) + 1)

    def wheel(self, x, y, clicks):
        """Turns the wheel down (up: negative) with the pointer there."""
        self.test.XTestFakeMotionEvent(self.d, -1, int(x), int(y), ctypes.c_ulong(0))
        for _ in range(abs(clicks)):
            for down in (1, 0):
                self.test.XTestFakeButtonEvent(self.d, 5 if clicks > 0 else 4, down, ctypes.c_ulong(0))
        self.x.XSync(self.d, 0)

    def focus(self, title):
        """Gives the window with that title the keyboard: there is no window manager that would. True: it has it."""
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.d))
        parent, children, count = ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x.XQueryTree(self.d, root, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children),
                          ctypes.byref(count))
        found = False
        for i in range(count.value):
            name = ctypes.c_char_p()
            w = ctypes.c_ulong(children[i])
            if self.x.XFetchName(self.d, w, ctypes.byref(name)) and name.value == title.encode():
                self.x.XSetInputFocus(self.d, w, 2, ctypes.c_ulong(0))
                found = True
        self.x.XSync(self.d, 0)
        return found


# ---- an accessible ----


class Node:
    """One object of the tree, read anew each time it is asked: libatspi remembers names and states otherwise."""

    def __init__(self, a):
        self.a = a

    def fresh(self):
        forget(self.a)
        return self.a

    @property
    def role(self):
        return self.fresh().get_role_name()

    @property
    def name(self):
        return self.fresh().get_name() or ''

    @property
    def description(self):
        return self.fresh().get_description() or ''

    @property
    def states(self):
        from gi.repository import Atspi

        have = self.fresh().get_state_set()
        return {s.value_nick for s in have.get_states()} if hasattr(have, 'get_states') else {
            n for n in Atspi.StateType.__enum_values__.values() if have.contains(n)}

    def has(self, state):
        return state in self.states

    @property
    def children(self):
        a, found = self.fresh(), []
        for i in range(a.get_child_count()):
            try:
                c = a.get_child_at_index(i)
            except Exception as e:
                if not is_gone(e):
                    raise
                c = None
            if c is not None:
                found.append(Node(c))
        return found

    @property
    def parent(self):
        p = self.fresh().get_parent()
        return Node(p) if p is not None else None

    @property
    def relations(self):
        """{relation: [Node]}"""
        return {
            r.get_relation_type().value_nick: [Node(r.get_target(i)) for i in range(r.get_n_targets())]
            for r in self.fresh().get_relation_set()
        }

    @property
    def attributes(self):
        return dict(self.fresh().get_attributes() or {})

    def walk(self):
        """This node and all below it, in order. What goes meanwhile is left out."""
        stack = [self]
        while stack:
            n = stack.pop()
            yield n
            try:
                stack.extend(reversed(n.children))
            except Exception as e:
                if not is_gone(e):
                    raise

    def all(self, role=None, name=None):
        found = []
        for n in self.walk():
            try:
                if (role is None or n.role == role) and (name is None or n.name == name):
                    found.append(n)
            except Exception as e:
                if not is_gone(e):
                    raise
        return found

    def find(self, role=None, name=None, seconds=DEADLINE):
        """The one that has this role and name, as soon as it is there."""

        def one():
            found = self.all(role, name)
            return found[0] if found else None

        return until(one, lambda: '%s "%s" in\n%s' % (role, name, self.picture()), seconds)

    def lacks(self, role=None, name=None, seconds=DEADLINE):
        until(lambda: not self.all(role, name), lambda: '%s "%s" going from\n%s' % (role, name, self.picture()),
              seconds)

    @property
    def text(self):
        """What an object with text holds; None: it has none."""
        t = self.fresh().get_text_iface()
        return t.get_text(0, t.get_character_count()) if t else None

    @property
    def caret(self):
        return self.fresh().get_text_iface().get_caret_offset()

    @property
    def value(self):
        """(minimum, now, maximum, step), None: no range."""
        v = self.fresh().get_value_iface()
        return (v.get_minimum_value(), v.get_current_value(), v.get_maximum_value(),
                v.get_minimum_increment()) if v else None

    def set_value(self, number):
        self.fresh().get_value_iface().set_current_value(number)

    @property
    def actions(self):
        i = self.fresh().get_action_iface()
        return [i.get_action_name(k) for k in range(i.get_n_actions())] if i else []

    def press(self, action=0):
        if not self.fresh().get_action_iface().do_action(action):
            raise Late('nothing was done: ' + self.line())

    def set_text(self, text):
        if not self.fresh().get_editable_text_iface().set_text_contents(text):
            raise Late('no text was set: ' + self.line())

    def focus(self):
        return self.fresh().get_component_iface().grab_focus()

    def line(self):
        try:
            facts = '%s "%s"' % (self.role, self.name)
            if self.description:
                facts += ' (%s)' % self.description
            return facts + ' ' + ' '.join(sorted(self.states - {'enabled', 'sensitive', 'visible', 'showing'}))
        except Exception as e:
            if not is_gone(e):
                raise
            return '(gone)'

    def picture(self, depth=0):
        lines = ['  ' * depth + self.line()]
        try:
            lines += [c.picture(depth + 1) for c in self.children]
        except Exception as e:
            if not is_gone(e):
                raise
        return '\n'.join(lines)


# ---- a program under test ----


class Program:
    def __init__(self, desk, command, env=None):
        self.desk = desk
        self.lines = []
        self.fresh = queue.Queue()
        self.waiting = []
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
            env={**desk.env, **(env or {})}, preexec_fn=end_with_parent)
        self.said = []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()
        self.app = None

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            self.fresh.put(line)

    def read_errors(self):
        for line in self.process.stderr:
            self.said.append(line)

    @property
    def root(self):
        """The application's object, when it is on the bus."""
        if self.app is None:
            from gi.repository import Atspi

            def mine():
                if self.process.poll() is not None:
                    raise Late('it ended: %d\n%s' % (self.process.returncode, ''.join(self.said[-20:])))
                top = Atspi.get_desktop(0)
                forget(top)
                for i in range(top.get_child_count()):
                    a = top.get_child_at_index(i)
                    if a is not None and a.get_process_id() == self.process.pid:
                        a.set_cache_mask(Atspi.Cache.NONE)
                        return a
                return None

            self.app = until(mine, 'an application with this process id', 30)
        return Node(self.app)

    def find(self, role=None, name=None, seconds=DEADLINE):
        return self.root.find(role, name, seconds)

    def all(self, role=None, name=None):
        return self.root.all(role, name)

    def lacks(self, role=None, name=None, seconds=DEADLINE):
        self.root.lacks(role, name, seconds)

    def picture(self):
        return self.root.picture()

    def send(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + '\n')
        self.process.stdin.flush()

    def next(self, key, seconds=DEADLINE, where=None):
        """The first line on its stdout with this member that was not asked for yet; the others wait."""
        end = time.monotonic() + seconds
        for i, said in enumerate(self.waiting):
            if key in said and (where is None or where(said[key])):
                del self.waiting[i]
                return said[key] if len(said) == 1 else said
        while True:
            try:
                line = self.fresh.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Late('no "%s" within %g s; the last lines: %s\n%s' % (
                    key, seconds, self.lines[-3:], ''.join(self.said[-20:]))) from None
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if key in said and (where is None or where(said[key])):
                return said[key] if len(said) == 1 else said
            self.waiting.append(said)

    def forget(self):
        """What it has said so far is not asked for any more."""
        self.waiting.clear()
        while not self.fresh.empty():
            self.fresh.get_nowait()

    def ask(self, question, key):
        self.send('?' + question)
        return self.next(key)

    def settle(self):
        self.ask('settled', 'settled')

    def keys(self, *chords):
        """Presses them one by one, and waits until all have come. Returns who has the focus then."""
        before = self.ask('focus', 'focus')['keys']
        sent = sum(self.desk.keyboard.press(c) for c in chords)
        return until(lambda: [f for f in [self.ask('focus', 'focus')] if f['keys'] >= before + sent],
                     'the keys ' + ' '.join(chords))[0]

    def type(self, text):
        return self.keys(*text)

    def activate(self, title='Shoji test'):
        until(lambda: self.desk.keyboard.focus(title), 'a window called ' + title)
        until(lambda: any('active' in n.states for n in self.root.children), 'an active window')

    def focused(self):
        """Who has the focus by what the tree says; None: nobody."""
        found = [n for n in self.root.walk() if n.has('focused')]
        return found[-1] if found else None

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.end()


class Desk:
    def __init__(self, size='1000x1400'):
        self.size = size
        self.folder = None
        self.watcher = None
        self.running = []
        self.programs = []
        self.env = {}
        self.events = []

    def spawn(self, command, **more):
        p = subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True, preexec_fn=end_with_parent, **more)
        self.running.append(p)
        self.watcher.stdin.write('%d\n' % p.pid)
        self.watcher.stdin.flush()
        return p

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def begin(self):
        self.folder = tempfile.mkdtemp(prefix='shoji-desk-')
        os.makedirs(os.path.join(self.folder, 'run'), 0o700)
        self.watcher = subprocess.Popen([sys.executable, '-c', WATCHER, self.folder], stdin=subprocess.PIPE, text=True,
                                        start_new_session=True, stdout=subprocess.DEVNULL)
        self.env = {
            'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'HOME': self.folder, 'LC_ALL': 'C.UTF-8',
            'XDG_RUNTIME_DIR': os.path.join(self.folder, 'run'), 'NO_AT_BRIDGE': '0',
            'GTK_A11Y': 'atspi', 'GSK_RENDERER': 'cairo', 'GDK_BACKEND': 'x11', 'GIO_USE_VFS': 'local',
            'GSETTINGS_BACKEND': 'memory', 'G_ENABLE_DIAGNOSTIC': '0', 'GTK_USE_PORTAL': '0', 'TZ': 'UTC',
        }
        for kept in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'SHOJI_TEST_DATA'):
            if kept in os.environ:
                self.env[kept] = os.environ[kept]
        ours, theirs = os.pipe()
        self.spawn(['Xvfb', '-displayfd', str(theirs), '-screen', '0', self.size + 'x24', '-nolisten', 'tcp',
                    '-noreset'], pass_fds=[theirs], stdout=subprocess.DEVNULL)
        os.close(theirs)
        number = self.read_line(ours, 'the X server')
        os.close(ours)
        self.env['DISPLAY'] = ':' + number
        path = os.path.join(self.folder, 'bus')
        config = os.path.join(self.folder, 'bus.conf')
        with open(config, 'w') as f:
            f.write(BUS % path)
        bus = self.spawn(['dbus-daemon', '--config-file=' + config, '--nofork', '--nopidfile', '--print-address'],
                         stdout=subprocess.PIPE)
        self.env['DBUS_SESSION_BUS_ADDRESS'] = self.read_line(bus.stdout.fileno(), 'the session bus')
        self.spawn([launcher(), '--launch-immediately', '--a11y=1', '--screen-reader=1'], stdout=subprocess.DEVNULL)
        os.environ.update({k: self.env[k] for k in ('DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR')})
        os.environ.pop('AT_SPI_BUS_ADDRESS', None)
        self.wait_for_bus()
        from gi.repository import Atspi

        Atspi.init()
        self.keyboard = Keyboard(self.env['DISPLAY'])

    @staticmethod
    def read_line(fd, who):
        got, end = b'', time.monotonic() + 20
        while not got.endswith(b'\n'):
            ready, _, _ = select.select([fd], [], [], max(0, end - time.monotonic()))
            piece = os.read(fd, 200) if ready else b''
            if not piece:
                raise Late('%s did not start' % who)
            got += piece
        return got.decode().strip()

    def wait_for_bus(self):
        from gi.repository import Gio, GLib

        def there():
            bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
            r = bus.call_sync('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress', None,
                              GLib.VariantType('(s)'), Gio.DBusCallFlags.NO_AUTO_START, 2000, None)
            return r.unpack()[0]

        self.env['AT_SPI_BUS_ADDRESS'] = until(there, 'the accessibility bus', 20)

    def start(self, command, env=None):
        p = Program(self, command, env)
        self.programs.append(p)
        return p

    def listen(self, *kinds):
        """Events of these kinds are kept in `events` as (kind, detail, role, name, text); `hear` takes them in."""
        from gi.repository import Atspi

        def on(event, *rest):
            try:
                a = event.source
                value = event.any_data
                self.events.append((event.type, event.detail1, a.get_role_name(), a.get_name() or '',
                                    value if isinstance(value, (str, int)) else ''))
            except Exception as e:
                if not is_gone(e):
                    raise

        self.listener = Atspi.EventListener.new(on)
        for kind in kinds:
            self.listener.register(kind)

    def hear(self, condition, what, seconds=DEADLINE):
        """Takes events in until `condition(events)`."""
        return until(lambda: condition(self.events), lambda: '%s; heard %s' % (what, self.events[-20:]), seconds)

    def end(self):
        for p in self.programs:
            p.end()
        # The newest first. The launcher's own bus and registry end with it: they share its session.
        for p in reversed(self.running):
            try:
                os.killpg(p.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for p in reversed(self.running):
            try:
                p.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                p.wait()
        if self.watcher:
            try:
                self.watcher.communicate('done\n', 5)
            except (OSError, subprocess.TimeoutExpired):
                self.watcher.kill()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __exit__(self, *why):
        self.end()
