"""Reads the module table of meson.build, for the tools and tests that must agree with it."""
import os
import re

ROW = re.compile(r"^\s*\['([\w/]+)',\s*\[([^\]]*)\],\s*\[([^\]]*)\](?:,\s*\[([^\]]*)\])?\],?\s*(?:#.*)?$")


def modules(root):
    """[(name, [names it may use], [outside libraries], [names seen through a header of the row])], lowest first."""
    rows, inside = [], False
    with open(os.path.join(root, 'meson.build'), encoding='utf-8') as f:
        for line in f:
            if line.startswith('modules = ['):
                inside = True
            elif inside and line.startswith(']'):
                break
            elif inside and line.strip():
                row = ROW.match(line)
                if not row:
                    raise ValueError('a row of the module table that no tool can read: ' + line.strip())
                uses, through = (re.findall(r"'([\w/]+)'", cell or '') for cell in (row[2], row[4]))
                rows.append((row[1], uses, re.findall(r'\w+', row[3]), through))
    if not rows:
        raise ValueError('meson.build has no module table')
    return rows


def module_of(path, names):
    """The module that owns src/PATH, or None (the command and the app stand above the table)."""
    best = None
    for name in names:
        if path.startswith(name + '/') and (best is None or len(name) > len(best)):
            best = name
    return best
