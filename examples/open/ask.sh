#!/bin/sh
# Asks for a name in a window and greets: ./ask.sh (SHOJI names the command, "shoji" by default).
set -eu
catalog=https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json
{
	printf '%s\n' '{"version":"v0.9","createSurface":{"surfaceId":"ask","catalogId":"'$catalog'"}}'
	printf '%s\n' '{"version":"v0.9","updateComponents":{"surfaceId":"ask","components":[
		{"id":"root","component":"Column","children":["name","go"]},
		{"id":"name","component":"TextField","label":"Your name","value":{"path":"/name"}},
		{"id":"go","component":"Button","variant":"primary","child":"words",
		 "action":{"event":{"name":"go","context":{"name":{"path":"/name"}}}}},
		{"id":"words","component":"Text","text":"Greet me"}]}}' | tr -d '\n\t'
} >"${TMPDIR:-/tmp}/ask.$$.jsonl"
trap 'rm -f "${TMPDIR:-/tmp}/ask.$$.jsonl"' EXIT
"${SHOJI:-shoji}" open "${TMPDIR:-/tmp}/ask.$$.jsonl" </dev/null | while read -r line; do
	case $line in
	*'"name":"go"'*)
		name=${line##*'"context":{"name":"'}
		echo "Hello, ${name%%\"*}!"
		;;
	*'"closed"'*) echo "The window is closed." ;;
	esac
done
