"""Small images, made here byte by byte: nothing is taken from anywhere."""
import base64
import struct
import zlib


def png_chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def png(width, height, pixel=lambda x, y: (255, 0, 0, 255), said=None):
    """RGBA. `said`: the size in the header, when it is to lie."""
    rows = b''.join(b'\0' + b''.join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    head = struct.pack('>IIBBBBB', *(said or (width, height)), 8, 6, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + png_chunk(b'IHDR', head) + png_chunk(b'IDAT', zlib.compress(rows, 9))
            + png_chunk(b'IEND', b''))


def png_bits(width, height):
    """One bit a pixel, all black: a large picture in few bytes."""
    row = b'\0' * ((width + 7) // 8 + 1)
    return (b'\x89PNG\r\n\x1a\n' + png_chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 1, 0, 0, 0, 0))
            + png_chunk(b'IDAT', zlib.compress(row * height, 9)) + png_chunk(b'IEND', b''))


def jpeg(blocks_wide, blocks_high, grey=128, orientation=None):
    """Baseline, one component, every 8x8 block of one grey. All steps are 8 wide, so a block's first coefficient is
    the grey itself, from -128 to 127; only the first block differs from the one before it."""
    def segment(marker, data):
        return b'\xff' + bytes([marker]) + struct.pack('>H', len(data) + 2) + data
    # Code lengths: two codes of 1 bit would fill the tree, so categories 0 and 7 are '0' and '10'.
    first = b'\x00' + bytes([1, 1] + [0] * 14) + bytes([0, 7])
    rest = b'\x10' + bytes([1] + [0] * 15) + bytes([0])
    level = grey - 128
    assert level == 0 or 64 <= abs(level) < 128
    bits = ''
    for i in range(blocks_wide * blocks_high):
        if i == 0 and level:
            bits += '10' + format(level if level > 0 else level + 127, '07b')
        else:
            bits += '0'
        bits += '0'  # end of block
    bits += '1' * (-len(bits) % 8)
    data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b'\xff', b'\xff\0')
    exif = b''
    if orientation:
        exif = segment(0xE1, b'Exif\0\0MM\0*' + struct.pack('>IHHHIHHI', 8, 1, 0x112, 3, 1, orientation, 0, 0))
    return (b'\xff\xd8' + exif + segment(0xDB, b'\0' + bytes([8] * 64))
            + segment(0xC0, struct.pack('>BHHB', 8, 8 * blocks_high, 8 * blocks_wide, 1) + b'\x01\x11\0')
            + segment(0xC4, first) + segment(0xC4, rest) + segment(0xDA, b'\x01\x01\0\0\x3f\0') + data + b'\xff\xd9')


def gif_image(width, height, index):
    """One picture of one colour of four, each pixel a code of its own."""
    codes = []
    for i in range(width * height):
        if i % 2 == 0:
            codes.append((4, 3))  # clear, so that codes stay 3 bits wide
        codes.append((index, 3))
    codes.append((5, 3))
    value = bits = 0
    out = bytearray()
    for code, size in codes:
        value |= code << bits
        bits += size
        while bits >= 8:
            out.append(value & 255)
            value >>= 8
            bits -= 8
    if bits:
        out.append(value & 255)
    blocks = b''.join(bytes([len(out[i:i + 255])]) + bytes(out[i:i + 255]) for i in range(0, len(out), 255))
    return b',' + struct.pack('<HHHHB', 0, 0, width, height, 0) + b'\x02' + blocks + b'\0'


GIF_COLOURS = bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])


def gif(width, height, *indices):
    return (b'GIF89a' + struct.pack('<HHBBB', width, height, 0x81, 0, 0) + GIF_COLOURS
            + b''.join(b'!\xf9\x04\0\x0a\0\0\0' + gif_image(width, height, i) for i in indices) + b';')


def webp(width, height, red, green, blue, alpha=255):
    """Lossless; each of the five prefix codes has one symbol, so a pixel takes no bit at all."""
    bits = []

    def add(value, count):
        bits.extend(value >> i & 1 for i in range(count))
    add(width - 1, 14)
    add(height - 1, 14)
    add(1, 1)
    add(0, 3)
    add(0, 3)  # no transform, no colour cache, no meta codes
    for symbol in (green, red, blue, alpha):
        add(1, 1), add(0, 1), add(1, 1), add(symbol, 8)
    add(1, 1), add(0, 1), add(0, 1), add(0, 1)
    bits += [0] * (-len(bits) % 8)
    data = b'\x2f' + bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
    data += b'\0' * (len(data) % 2)
    chunk = b'VP8L' + struct.pack('<I', len(data)) + data
    return b'RIFF' + struct.pack('<I', len(chunk) + 4) + b'WEBP' + chunk


def address(kind, data):
    return 'data:image/%s;base64,%s' % (kind, base64.b64encode(data).decode())
