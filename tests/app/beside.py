#!/usr/bin/env python3
"""beside.py DESKTOP DECODER: a picture of a surface shows the images that lie beside its file, and no other file."""
import json
import os
import struct
import subprocess
import sys
import tempfile

import pictures
import tap

desktop, decoder = sys.argv[1:3]
BASIC = 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'
t = tap.Tap()


def reds(folder, url, name='s.jsonl', stdin=False):
    """How much of the drawn surface is pure red."""
    path, out = os.path.join(folder, name), os.path.join(folder, 'out.png')
    text = '\n'.join(json.dumps(m) for m in (
        {'version': 'v1.0', 'createSurface': {'surfaceId': 's', 'catalogId': BASIC}},
        {'version': 'v1.0', 'updateComponents': {'surfaceId': 's', 'components': [
            {'id': 'root', 'component': 'Image', 'url': url, 'variant': 'header'}]}}))
    with open(path, 'w') as f:
        f.write(text)
    subprocess.run([desktop, 'shot', '-' if stdin else path, '--width', '400', '-o', out], check=True, timeout=60,
                   input=text.encode() if stdin else b'')
    with open(out, 'rb') as f:
        drawn = subprocess.run([decoder, '16777216', '16000000', '2048', '5'], input=f.read(), env={}, check=True,
                               stdout=subprocess.PIPE).stdout
    count = struct.unpack('<2I', drawn[12:20])
    assert len(drawn) == 24 + 4 * count[0] * count[1]
    return sum(drawn[i:i + 4] == b'\xff\0\0\xff' for i in range(24, len(drawn), 4))


with tempfile.TemporaryDirectory() as top:
    inside = os.path.join(top, 'in')
    os.makedirs(os.path.join(inside, 'more'))
    for place in ('out.red.png', 'in/a b.png', 'in/more/b.png'):
        with open(os.path.join(top, place), 'wb') as f:
            f.write(pictures.png(16, 8))
    os.symlink(os.path.join(top, 'out.red.png'), os.path.join(inside, 'link.png'))
    os.mkfifo(os.path.join(inside, 'pipe.png'))
    whole = reds(inside, pictures.address('png', pictures.png(16, 8)))
    t.case('a picture in the address itself', [] if whole > 300 * 150 else ['%d pixels' % whole])
    for name, url in (('beside, with a blank', 'a%20b.png'), ('below', 'more/b.png'),
                      ('there and back', 'more/../more/b.png')):
        n = reds(inside, url)
        t.case('a picture ' + name, [] if n == whole else ['%d pixels, not %d' % (n, whole)])
    for name, url in (('above', '../out.red.png'), ('above, escaped', '%2e%2e/out.red.png'),
                      ('behind a link', 'link.png'), ('by its whole path', os.path.join(top, 'in/more/b.png')),
                      ('as file:', 'file:more/b.png'), ('that is a pipe', 'pipe.png'), ('that is a folder', 'more'),
                      ('that is not there', 'c.png')):
        n = reds(inside, url)
        t.case('no picture ' + name, ['%d pixels' % n] if n else [])
    n = reds(inside, 'more/b.png', stdin=True)
    t.case('no picture beside what came on standard input', ['%d pixels' % n] if n else [])
t.done()
