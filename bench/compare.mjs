// Is the resolved tree equal to the peer's? node bench/compare.mjs [FILE...]: compares `shoji tree` with the npm peer's oracle byte by byte.
// Without names: the v0.9 workloads of bench/peer and the official v0.8, v0.9 and v0.9.1 examples (v0.8 through oracle_v08.mjs). bench/setup prepares bench/peer.
// Differences that the specification decides against the peer are listed in docs/decisions/008-tree-shape.md.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {spawnSync} from 'node:child_process';

const here = path.dirname(new URL(import.meta.url).pathname), root = path.dirname(here);
const peer = process.env.SHOJI_PEER ?? path.join(here, 'peer'), build = process.env.SHOJI_BUILD ?? path.join(root, 'build');
const data = process.env.SHOJI_TEST_DATA ?? path.join(root, '../shared/data');
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'shoji-compare-'));

function inputs() {
	if (process.argv.length > 2) return process.argv.slice(2);
	const files = fs.readdirSync(path.join(peer, 'work')).filter((f) => /\.v0\.9\.jsonl$/.test(f) && !/flat20000|surf10k|x500|udm100k|tmpl10000/.test(f)).map((f) => path.join(peer, 'work', f));
	for (const v of ['v0_8', 'v0_9', 'v0_9_1']) {
		const dir = path.join(data, 'a2ui/specification', v, v === 'v0_8' ? 'json' : '', 'catalogs/basic/examples');
		if (!fs.existsSync(dir)) continue;
		for (const f of fs.readdirSync(dir).sort()) {
			const example = JSON.parse(fs.readFileSync(path.join(dir, f)));
			const out = path.join(temp, `${v}-${f}l`);
			const messages = Array.isArray(example) ? example : example.messages;
			fs.writeFileSync(out, messages.map((m) => JSON.stringify(m)).join('\n') + '\n');
			files.push(out);
		}
	}
	return files;
}
// The peer's process may end before a pipe is drained: its output goes to a file.
function run(cmd, args, cwd) {
	const out = path.join(temp, 'out'), fd = fs.openSync(out, 'w');
	const r = spawnSync(cmd, args, {cwd, stdio: ['ignore', fd, 'ignore'], timeout: 300000});
	fs.closeSync(fd);
	const lines = fs.readFileSync(out, 'utf8').split('\n').filter((l) => l && !l.startsWith('{"error"'));
	return {ok: r.status !== null, text: lines.join('\n')};
}
const isOld = (file) => /^\s*\{\s*"(beginRendering|surfaceUpdate|dataModelUpdate)"/.test(fs.readFileSync(file, 'utf8').slice(0, 200));
let same = 0, different = 0;
for (const file of inputs()) {
	const ours = run(path.join(build, 'src/cmd/shoji'), ['tree', file]), theirs = run('node', [isOld(file) ? path.join(here, 'oracle_v08.mjs') : 'oracle.mjs', file], peer);
	if (ours.text === theirs.text && ours.text) {
		same++;
		continue;
	}
	different++;
	let i = 0;
	while (i < ours.text.length && ours.text[i] === theirs.text[i]) i++;
	console.log(`different: ${path.basename(file)} at byte ${i}\n  engine ${ours.text.slice(Math.max(0, i - 40), i + 60)}\n  peer   ${theirs.text.slice(Math.max(0, i - 40), i + 60)}`);
}
fs.rmSync(temp, {recursive: true});
console.log(`${same} equal, ${different} different`);
process.exit(different ? 1 : 0);
