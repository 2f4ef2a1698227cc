#!/usr/bin/env python3
"""headless.py COMMAND...: runs a command under an X server of its own, which ends with it. Exit status 77: there is no
Xvfb."""
import os
import shutil
import subprocess
import sys

if not shutil.which('Xvfb'):
    print('1..0 # SKIP Xvfb is not installed')
    sys.exit(0)
reader, writer = os.pipe()
server = subprocess.Popen(['Xvfb', '-displayfd', str(writer), '-screen', '0', '1280x4096x24', '-nolisten', 'tcp'],
                          pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(writer)
try:
    with os.fdopen(reader) as f:
        number = f.readline().strip()
    if not number:
        print('Bail out! Xvfb did not start')
        sys.exit(1)
    env = dict(os.environ, DISPLAY=':' + number, GSK_RENDERER='cairo', GDK_BACKEND='x11', GSETTINGS_BACKEND='memory',
               NO_AT_BRIDGE='1')
    env.setdefault('GTK_A11Y', 'none')
    env.pop('WAYLAND_DISPLAY', None)
    sys.exit(subprocess.run(sys.argv[1:], env=env).returncode)
finally:
    server.terminate()
    server.wait()
