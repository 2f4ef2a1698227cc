#!/usr/bin/env python3
"""Writes src/text/unicode_tables.c from the Unicode Character Database.

    tools/gen_unicode.py [UCD_FOLDER] > src/text/unicode_tables.c

UCD_FOLDER defaults to /usr/share/unicode (Debian package unicode-data). Each code point gets one 16-bit property word
(src/text/unicode_tables.h says which bits); equal words share a record, equal blocks of 128 code points share a block.
"""
import re
import sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else '/usr/share/unicode'
LIMIT = 0x110000
BLOCK = 128

GCB = ['Other', 'CR', 'LF', 'Control', 'Extend', 'ZWJ', 'Regional_Indicator', 'Prepend', 'SpacingMark', 'L', 'V', 'T',
       'LV', 'LVT', 'Pict']
XID_START, XID_CONTINUE = 1 << 4, 1 << 5
WIDTH_SHIFT, BIDI_SHIFT, BREAK_SHIFT = 6, 8, 10
EMOJI = 1 << 13
BIDI_LEFT, BIDI_RIGHT = 1, 2
BREAK_BLANK, BREAK_IDEOGRAPH, BREAK_CLOSE, BREAK_OPEN, BREAK_SPACE = 1, 2, 3, 4, 5


def rows(path):
    with open(f'{ROOT}/{path}', encoding='utf-8') as f:
        for line in f:
            missing = re.match(r'# @missing: ([0-9A-F]+)\.\.([0-9A-F]+); *(\w+)\s*$', line)
            if missing:
                yield int(missing[1], 16), int(missing[2], 16), [missing[3]]
            fields = [x.strip() for x in line.split('#')[0].split(';')]
            if len(fields) >= 2:
                first, _, last = fields[0].partition('..')
                yield int(first, 16), int(last or first, 16), fields[1:]


def column(path, default):
    """One value per code point; @missing lines come first in the files, so that later rows win over them."""
    out = [default] * LIMIT
    for first, last, fields in rows(path):
        out[first:last + 1] = [fields[0]] * (last + 1 - first)
    return out


def members(path, *names):
    out = set()
    for first, last, fields in rows(path):
        if fields[0] in names:
            out.update(range(first, last + 1))
    return out


def version():
    with open(f'{ROOT}/DerivedCoreProperties.txt', encoding='utf-8') as f:
        return re.search(r'-(\d+\.\d+\.\d+)\.txt', f.readline())[1]


gcb = column('auxiliary/GraphemeBreakProperty.txt', 'Other')
category = column('extracted/DerivedGeneralCategory.txt', 'Cn')
east = column('EastAsianWidth.txt', 'N')
bidi = column('extracted/DerivedBidiClass.txt', 'L')
line = column('LineBreak.txt', 'XX')
pict = members('emoji/emoji-data.txt', 'Extended_Pictographic')
emoji = members('emoji/emoji-data.txt', 'Emoji')
start = members('DerivedCoreProperties.txt', 'XID_Start')
cont = members('DerivedCoreProperties.txt', 'XID_Continue')
assert all(gcb[c] == 'Other' for c in pict)


def width(c):
    if category[c] in ('Mn', 'Me', 'Cc', 'Zl', 'Zp') or gcb[c] in ('V', 'T'):
        return 0
    # Format characters are invisible, but for the soft hyphen and the signs that stand before digits (Prepend).
    if category[c] == 'Cf' and c != 0xAD and gcb[c] != 'Prepend':
        return 0
    return 2 if east[c] in 'WF' else 1


def break_class(c):
    if line[c] == 'ZW' or c == 9:
        return BREAK_BLANK if c == 9 else BREAK_SPACE
    if category[c] == 'Zs' and line[c] != 'GL':
        return BREAK_BLANK
    if line[c] in ('ID', 'EB', 'EM', 'H2', 'H3', 'JL'):
        return BREAK_IDEOGRAPH
    if east[c] in 'WF':
        if line[c] in ('CL', 'CP', 'EX', 'NS', 'CJ', 'IS', 'SY', 'PO'):
            return BREAK_CLOSE
        if line[c] in ('OP', 'PR'):
            return BREAK_OPEN
        if line[c] == 'AL':
            return BREAK_IDEOGRAPH
    return 0


def word(c):
    w = GCB.index('Pict' if c in pict else gcb[c])
    w |= XID_START if c in start else 0
    w |= XID_CONTINUE if c in cont else 0
    w |= width(c) << WIDTH_SHIFT
    w |= {'L': BIDI_LEFT, 'Left_To_Right': BIDI_LEFT, 'R': BIDI_RIGHT, 'AL': BIDI_RIGHT, 'Right_To_Left': BIDI_RIGHT,
          'Arabic_Letter': BIDI_RIGHT}.get(bidi[c], 0) << BIDI_SHIFT
    w |= break_class(c) << BREAK_SHIFT
    w |= EMOJI if c in emoji else 0
    return w


records, blocks, index = {}, {}, []
for base in range(0, LIMIT, BLOCK):
    block = tuple(records.setdefault(word(c), len(records)) for c in range(base, base + BLOCK))
    index.append(blocks.setdefault(block, len(blocks)))
assert len(records) <= 256 and len(blocks) <= 65535


def table(kind, name, values):
    print(f'const {kind} {name}[{len(values)}] = {{')
    text = ''
    for v in values:
        item = f'{v},'
        if len(text) + len(item) > 108:
            print('\t' + text)
            text = ''
        text += item
    print('\t' + text)
    print('};')


print(f'/* Made by tools/gen_unicode.py from the Unicode Character Database {version()}; do not edit. */')
print('#include "text/unicode_tables.h"\n')
print(f'const char SJ_UNICODE_VERSION[] = "{version()}";\n')
table('uint16_t', 'sj_unicode_records', list(records))
table('uint8_t' if len(blocks) <= 256 else 'uint16_t', 'sj_unicode_index', index)
table('uint8_t', 'sj_unicode_blocks', [r for block in blocks for r in block])
print(f'{len(records)} records, {len(blocks)} blocks', file=sys.stderr)
