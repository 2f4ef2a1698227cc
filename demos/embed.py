"""embed.py INPUT OUTPUT: the bytes of INPUT as a C string named after the output file: demo_x_y.c holds `demo_x_y`."""
import os
import sys

source, target = sys.argv[1:]
name = os.path.splitext(os.path.basename(target))[0]
with open(source, 'rb') as f:
    data = f.read() + b'\0'
with open(target, 'w', encoding='ascii') as f:
    # Numbers, not a literal: C promises no more than 4095 characters of those.
    f.write('extern const char %s[];\nconst char %s[] = {' % (name, name))
    for at in range(0, len(data), 24):
        f.write('\n\t' + ''.join("'\\%o'," % byte for byte in data[at : at + 24]))
    f.write('\n};\n')
