#!/usr/bin/env python3
"""Writes pow10.c: the 128 leading bits of the powers of ten that reading and writing doubles need (rounding: see pow10.h)."""
FIRST, LAST = -342, 324
ROUNDED_UP = range(-27, 0)

print("""/* Written by pow10.py. */
#include "base/pow10.h"

const struct sj_pow10 sj_pow10_table[SJ_POW10_LAST - SJ_POW10_FIRST + 1] = {""")
for k in range(FIRST, LAST + 1):
    if k >= 0:
        n = 10 ** k
        m = n << 128 >> n.bit_length() if n.bit_length() <= 128 else n >> (n.bit_length() - 128)
    else:
        d = 10 ** -k
        m = (1 << (d.bit_length() + 127)) // d
        if m.bit_length() > 128:
            m >>= 1
        m += k in ROUNDED_UP
    assert m.bit_length() == 128
    print("\t{0x%016X, 0x%016X}, /* %d */" % (m >> 64, m & (1 << 64) - 1, k))
print("};")
