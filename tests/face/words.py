"""words.py ROOT: each word the window says stands in each translation, and no translation has words nobody says."""
import os
import re
import shutil
import subprocess
import sys

import tap

root = sys.argv[1]
t = tap.Tap()
if not shutil.which('xgettext') or not shutil.which('msgfmt'):
    t.skip('translations', 'gettext is not installed')
    t.done()


def entries(text):
    """{msgid: msgstr} of a .po file, strings joined."""
    found = {}
    for block in re.split(r'\n\s*\n', text):
        m = re.search(r'^msgid ((?:".*"\s*)+)^msgstr ((?:".*"\s*)+)', block + '\n', re.M)
        if m:
            key, value = (''.join(re.findall(r'"(.*)"', part)) for part in m.groups())
            found[key] = value
    return found


with open(os.path.join(root, 'po/POTFILES'), encoding='utf-8') as f:
    listed = f.read().split()
there = [os.path.join(folder, name) for folder in ('src/app', 'src/face/gtk')
         for name in sorted(os.listdir(os.path.join(root, folder))) if name.endswith('.c')]
said = [p for p in there if re.search(r'\bN?_\("', open(os.path.join(root, p), encoding='utf-8').read())]
t.case('POTFILES names each file that says something', ['%s is missing' % p for p in said if p not in listed])
pot = subprocess.run(['xgettext', '--from-code=UTF-8', '-k_', '-kN_', '-o', '-', '--no-wrap'] + listed, cwd=root,
                     capture_output=True, text=True, check=True).stdout
wanted = set(entries(pot)) - {''}
with open(os.path.join(root, 'src/ui/ui.h'), encoding='utf-8') as f:  # reasons are looked up by their own words
    wanted |= set(re.findall(r'X\(\w+, "[a-z-]+", "([^"]+\.)"\)', f.read()))
with open(os.path.join(root, 'po/LINGUAS'), encoding='utf-8') as f:
    languages = f.read().split()
for language in languages:
    path = os.path.join(root, 'po', language + '.po')
    with open(path, encoding='utf-8') as f:
        has = entries(f.read())
    t.case('%s.po is whole' % language, ['no word for: ' + w for w in sorted(wanted) if not has.get(w)])
    t.case('%s.po has nothing of the past' % language, ['nobody says: ' + w for w in sorted(set(has) - wanted - {''})])
    done = subprocess.run(['msgfmt', '-c', '-o', os.devnull, path], capture_output=True, text=True)
    t.case('%s.po is well-formed' % language, [] if done.returncode == 0 else done.stderr.splitlines())
t.done()
