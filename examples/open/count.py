#!/usr/bin/env python3
"""A counter: a window is the face, this program the agent. SHOJI names the command, "shoji" by default."""
import json
import os
import subprocess

shoji = subprocess.Popen([os.environ.get('SHOJI', 'shoji'), 'open', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         text=True, bufsize=1)


def say(**message):
    print(json.dumps({'version': 'v1.0', **message}), file=shoji.stdin, flush=True)


say(createSurface={'surfaceId': 'count', 'catalogId': 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json',
                   'dataModel': {'n': 0}, 'components': [
    {'id': 'root', 'component': 'Column', 'align': 'center', 'children': ['number', 'more']},
    {'id': 'number', 'component': 'Text', 'text': {'@call': 'formatString', 'args': {'value': '# ${/n}'}}},
    {'id': 'more', 'component': 'Button', 'child': 'words', 'action': {'event': {'name': 'more'}}},
    {'id': 'words', 'component': 'Text', 'text': 'One more'}]})
n = 0
for line in shoji.stdout:
    told = json.loads(line)
    if told.get('action', {}).get('name') == 'more':
        n += 1
        if n < 3:
            say(updateDataModel={'surfaceId': 'count', 'path': '/n', 'value': n})
        else:
            say(deleteSurface={'surfaceId': 'count'})
    elif 'closed' in told:
        print('Counted to %d, closed by the %s.' % (n, told['closed']))
