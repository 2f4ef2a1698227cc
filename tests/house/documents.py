"""documents.py SOURCE BUILD: what the documents say twice is the same twice: limits, module table, links."""
import importlib.machinery
import importlib.util
import os
import re
import sys

import modtable
import tap

source = sys.argv[1]
t = tap.Tap()


def read(path):
    with open(os.path.join(source, path), encoding='utf-8') as f:
        return f.read()


def load(path):
    """A tool without the suffix .py, as a module."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), os.path.join(source, path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)
    return tool


gen_limits = load('tools/gen_limits')
t.case(
    'docs/limits.md is made from src/base/limits.h',
    [] if read('docs/limits.md') == gen_limits.page(source) else ['run: tools/gen_limits > docs/limits.md'],
)
gen_vocabulary = load('tools/gen_vocabulary')
t.case(
    'docs/vocabulary.md is made from src/ui/ui.h',
    []
    if read('docs/vocabulary.md') == gen_vocabulary.page(source)
    else ['run: tools/gen_vocabulary > docs/vocabulary.md'],
)
t.case(
    'each limit has a unit, a reason and no zero',
    [row[0] for row in gen_limits.limits(source) if not (row[3] and row[4] and int(row[1]) and int(row[2]))],
)
gen_conformance = load('tools/gen_conformance')
t.case('docs/conformance.md is whole', gen_conformance.faults(read('docs/conformance.md')))
made = gen_conformance.page([
    {'suite': '/x/conformance/core/a.json', 'name': 'n%d' % i, 'result': r, 'version': v, 'reason': 'why'}
    for i, (r, v) in enumerate([('passed', 'v0.9'), ('skipped', 'v1.0'), ('contradicted', 'none'), ('passed', 'v1.0')])
])
t.case(
    'a page of conformance is made whole, and a hole is seen',
    gen_conformance.faults(made)
    + ([] if '| `conformance/core/a.json` | 3 | 2 | 1 | 0 | 1 |' in made else ['the counts of a suite are wrong'])
    + ([] if gen_conformance.faults(made.replace('| all | 3 |', '| all | 4 |')) else ['a wrong sum passes'])
    + ([] if gen_conformance.faults(made.replace('- `n1`', '`n1`')) else ['a missing name passes']),
)
unused = []
code = ''
for folder, _, files in os.walk(os.path.join(source, 'src')):
    for name in files:
        if name.endswith(('.c', '.h')) and name not in ('limits.h', 'limits.c'):
            code += read(os.path.join(folder, name))
for row in gen_limits.limits(source):
    if not re.search(r'(->|\.)%s\b' % row[0], code):
        unused.append('%s is enforced nowhere' % row[0])
t.case('each limit is enforced somewhere', unused)

gen_contract = load('tools/gen_contract')
t.case(
    'src/proto/contract_data.c is made from contract.txt',
    []
    if read('src/proto/contract_data.c') == gen_contract.page(source)
    else ['run: tools/gen_contract > src/proto/contract_data.c'],
)

# docs/design.md: | `name` | what | may use | outside |; a planned row says so in its name cell.
stated, planned = [], []
for line in read('docs/design.md').splitlines():
    m = re.match(r'\| `([\w/]+)`( \(planned\))? \|[^|]*\| ([^|]*) \|', line)
    if m:
        (planned if m[2] else stated).append((m[1], [] if m[3] == '–' else m[3].split()))
built = [(name, uses) for name, uses, _, _ in modtable.modules(source)]
t.case(
    'docs/design.md and meson.build hold the same module table',
    ['design.md: %s may use %s' % (n, ' '.join(u)) for n, u in stated if (n, u) not in built]
    + ['meson.build: %s may use %s' % (n, ' '.join(u)) for n, u in built if (n, u) not in stated]
    + (['the order differs'] if [n for n, _ in stated] != [n for n, _ in built] else []),
)
t.case('no planned module exists already', [n for n, _ in planned if os.path.isdir(os.path.join(source, 'src', n))])

pages = []
for folder, names, files in os.walk(source):
    names[:] = [n for n in names if not n.startswith(('build', '.')) and n != 'node_modules']
    pages += [os.path.relpath(os.path.join(folder, f), source) for f in files if f.endswith('.md')]
faults = []
for page in sorted(pages):
    text = re.sub(r'```.*?```', '', read(page), flags=re.S)
    for target in re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)', text):
        if not re.match(r'[a-z]+:', target) and not os.path.exists(
            os.path.join(source, os.path.dirname(page), target)
        ):
            faults.append('%s points to %s, which is not there' % (page, target))
t.case('links between documents lead somewhere', faults)

faults, numbers = [], []
for name in sorted(os.listdir(os.path.join(source, 'docs/decisions'))):
    m = re.match(r'(\d{3})-[a-z0-9_-]+\.md$', name)
    if not m:
        faults.append(name + ': decisions are NNN-title.md')
        continue
    numbers.append(int(m[1]))
    text = read('docs/decisions/' + name)
    faults += [
        '%s has no section %s' % (name, s)
        for s in ('Context', 'Decision', 'Consequences')
        if '\n## %s\n' % s not in text
    ]
t.case(
    'decisions are numbered and say context, decision and consequences',
    faults + ([] if numbers == list(range(1, len(numbers) + 1)) else ['numbers are not 1, 2, 3, ...: %s' % numbers]),
)
t.done()
