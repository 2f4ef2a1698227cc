"""files.py ROOT: what a desktop and a software centre read of the program is in order. TAP on stdout."""
import os
import shutil
import subprocess
import sys

import tap

data = os.path.join(sys.argv[1], 'data')
t = tap.Tap()
for tool, *words in (('desktop-file-validate', 'app.shoji.Desktop.desktop'),
                     ('appstreamcli', 'validate', '--no-net', 'app.shoji.Desktop.metainfo.xml')):
    if not shutil.which(tool):
        t.skip(tool, 'it is not installed')
        continue
    done = subprocess.run([tool, *words], cwd=data, capture_output=True, text=True)
    t.case(tool, (done.stdout + done.stderr).splitlines() if done.returncode else [])
t.done()
