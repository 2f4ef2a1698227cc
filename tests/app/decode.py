#!/usr/bin/env python3
"""decode.py DECODER: what the program that decodes images makes of good, bad and hostile ones, and that the cage it
works in holds, layer by layer."""
import os
import struct
import subprocess
import sys
import time

import pictures
import tap

decoder = sys.argv[1]
t = tap.Tap()
PIXELS = 16000000


def run(data, size=1 << 24, pixels=PIXELS, side=2048, seconds=5):
    done = subprocess.run([decoder, str(size), str(pixels), str(side), str(seconds)], input=data, env={},
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stdout


def image(data, **limits):
    """(natural width, natural height), (width, height), [pixel]"""
    code, out = run(data, **limits)
    assert code == 0 and out[:4] == b'SJIM', (code, out[:40])
    natural_w, natural_h, w, h, level = struct.unpack('<5I', out[4:24])
    assert level | 8 == 31, level
    assert len(out) == 24 + 4 * w * h
    return (natural_w, natural_h), (w, h), [tuple(out[i:i + 4]) for i in range(24, len(out), 4)]


def word(data, **limits):
    code, out = run(data, **limits)
    assert code == 2 and out[:4] == b'SJNO', (code, out[:40])
    return out[8:].decode()


def same(got, want):
    assert got == want, '%r, not %r' % (got, want)


def case(name, check):
    try:
        check()
    except AssertionError as e:
        t.case(name, [str(e)])
    else:
        t.case(name, [])


def formats():
    def corner(x, y):
        return (10 * x, 20 * y, 200, 255 if x else 128)
    same(image(pictures.png(3, 2, corner)),
         ((3, 2), (3, 2), [(0, 0, 200, 128), (10, 0, 200, 255), (20, 0, 200, 255),
                           (0, 20, 200, 128), (10, 20, 200, 255), (20, 20, 200, 255)]))
    same(image(pictures.jpeg(2, 1, 200)), ((16, 8), (16, 8), [(200, 200, 200, 255)] * 128))
    same(image(pictures.jpeg(1, 2, 40)), ((8, 16), (8, 16), [(40, 40, 40, 255)] * 128))
    same(image(pictures.gif(5, 3, 2)), ((5, 3), (5, 3), [(0, 255, 0, 255)] * 15))


def webp():
    data = pictures.webp(6, 4, 12, 34, 56, 78)
    code, out = run(data)
    if code == 2 and out[8:] == b'format':
        return 'built without'
    same(image(data), ((6, 4), (6, 4), [(12, 34, 56, 78)] * 24))
    same(word(data[:25]), 'broken')
    same(word(pictures.webp(16000, 1001, 1, 2, 3)), 'pixels')


case('PNG, JPEG and GIF give their pixels', formats)
case('WebP gives its pixels, where it is built in', webp)
case('a film is its first picture', lambda: same(image(pictures.gif(4, 4, 1, 3, 3, 3))[2], [(255, 0, 0, 255)] * 16))
case('a photo that was taken upright stands upright',
     lambda: same(image(pictures.jpeg(3, 1, 200, orientation=6))[0], (8, 24)))


def sides():
    natural, size, pixels = image(pictures.png(40, 10), side=8)
    same((natural, size, len(pixels), pixels[0]), ((40, 10), (8, 2), 16, (255, 0, 0, 255)))
    same(image(pictures.png(40, 10), side=40)[1], (40, 10))
    same(image(pictures.png(100, 1), side=8)[1], (8, 1))


case('more pixels than a side may have are made fewer; the natural size is told', sides)


def sizes():
    data = pictures.png(4, 4)
    same(image(data, size=len(data))[1], (4, 4))
    same(word(data, size=len(data) - 1), 'bytes')
    same(image(pictures.png(5, 4), pixels=20)[1], (5, 4))
    same(word(pictures.png(7, 3), pixels=20), 'pixels')
    same(word(pictures.jpeg(2, 1), pixels=127), 'pixels')
    same(image(pictures.jpeg(2, 1), pixels=128)[1], (16, 8))
    same(word(pictures.gif(7, 3, 1), pixels=20), 'pixels')


case('bytes and pixels: one under and one over', sizes)


def bombs():
    same(image(pictures.png_bits(4000, 4000))[1], (2048, 2048))
    bomb = pictures.png_bits(30000, 30000)
    assert len(bomb) < 200000
    begin = time.monotonic()
    same(word(bomb), 'pixels')
    same(word(pictures.png(2, 2, said=(2147483647, 2147483647))), 'pixels')
    same(word(pictures.png(2, 2, said=(4000000000, 1))), 'pixels')
    same(word(pictures.jpeg(1, 1).replace(struct.pack('>HH', 8, 8), struct.pack('>HH', 65500, 65500))), 'pixels')
    assert time.monotonic() - begin < 20


case('a picture that says it is huge is refused before a pixel is read', bombs)


def broken():
    for data in (pictures.png(9, 9), pictures.jpeg(2, 2, 200), pictures.gif(9, 9, 1)):
        for cut in (len(data) // 2, len(data) // 4, 12):
            code, out = run(data[:cut])
            # A decoder may give what it has of a cut picture; then it is whole in size.
            assert code == 2 and out[8:] == b'broken' or code == 0 and out[:4] == b'SJIM', (code, out[:30])
    same(word(pictures.png(9, 9)[:30]), 'broken')
    same(word(pictures.png(3, 3, said=(0, 3))), 'broken')
    same(word(b'GIF89a'), 'broken')


case('a picture cut short is refused or whole in size', broken)


def damaged():
    state = 12345
    for data in (pictures.png(9, 9), pictures.jpeg(2, 2, 200), pictures.gif(9, 9, 1, 2), pictures.webp(6, 4, 1, 2, 3)):
        for _ in range(12):
            bytes_ = bytearray(data)
            for _ in range(3):
                state = (state * 1103515245 + 12345) % 2 ** 31
                bytes_[8 + state // 65536 % (len(data) - 8)] ^= 1 << state % 8
            code, out = run(bytes(bytes_))
            if code == 0:
                w, h = struct.unpack('<2I', out[12:20])
                assert len(out) == 24 + 4 * w * h
            else:
                assert out[:4] in (b'SJNO', b''), out[:20]


case('a damaged picture is refused or whole in size', damaged)


def refused():
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    for data in (b'', b'x', svg, b'<?xml version="1.0"?>' + svg, b'BM' + bytes(60), b'P6 1 1 255 abc', bytes(1000),
                 b'\x89PNG', b'RIFF\0\0\0\0WAVEfmt ', b'II*\0' + bytes(50)):
        same(word(data), 'format')


case('SVG, other formats and rubbish are refused', refused)

ALL = ('keep', 'read', 'list', 'write', 'internet', 'local', 'start', 'run', 'trace', 'signal', 'code', 'data', 'much')


def probe(layers):
    out = subprocess.run([decoder, '--probe', str(layers)], env={}, capture_output=True, text=True, timeout=30).stdout
    lines = [line.split(' ') for line in out.splitlines()]
    same([w for w, _ in lines], ['level'] + list(ALL))
    return {w: v for w, v in lines}


def cage():
    p = probe(31)
    assert int(p.pop('level')) | 8 == 31
    same(p, {'keep': 'EBADF', 'read': 'EPERM', 'list': 'EPERM', 'write': 'EPERM', 'internet': 'EPERM',
             'local': 'EPERM', 'start': 'EPERM', 'run': 'EPERM', 'trace': 'EPERM', 'signal': 'EPERM', 'code': 'EPERM',
             'data': 'done', 'much': 'ENOMEM'})


case('in the cage nothing opens, connects, starts or signals', cage)


def alone():
    p = probe(16)
    same((p['level'], p['keep'], p['read'], p['internet'], p['start'], p['data'], p['much']),
         ('17', 'done', 'EPERM', 'EPERM', 'EPERM', 'done', 'done'))
    p = probe(4)
    same((p['level'], p['read'], p['internet'], p['much']), ('5', 'EMFILE', 'EMFILE', 'ENOMEM'))
    p = probe(2)
    same((p['level'], p['keep'], p['read']), ('3', 'EBADF', 'done'))


case('each layer holds without the others', alone)
if probe(8)['level'] == '9':
    case('landlock holds without the others', lambda: same(
        [probe(8)[w] for w in ('read', 'list', 'write', 'data')], ['EACCES', 'EACCES', 'EACCES', 'done']))
else:
    t.skip('landlock holds without the others', 'the kernel has none')


def patience():
    child = subprocess.Popen([decoder, '100', '100', '8', '1'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={})
    child.stdin.write(b'\x89PNG')
    child.stdin.flush()
    time.sleep(0.3)
    same(child.poll(), None)
    child.kill()
    child.communicate()


case('it waits for the end of its input', patience)


def usage():
    for args in ([], ['1', '2'], ['0', '1', '1', '1'], ['x', '1', '1', '1'], ['--probe']):
        same(subprocess.run([decoder] + args, stdin=subprocess.DEVNULL, env={}).returncode, 64)


case('wrong arguments are refused', usage)
assert not os.path.exists('/tmp/shoji-probe') or not os.unlink('/tmp/shoji-probe')
t.done()
