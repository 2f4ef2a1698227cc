// Engine and peer on the same files in the same run: node bench/run.mjs [--quick] [--out docs/benchmarks.md]
// Needs node and the npm peer: bench/setup prepares bench/peer (not part of ./test). Ratios are of this run; absolute times of two machines or two
// runs say nothing, so the floor of P8 is its ratio where the machine is slower than the one the figure was made on.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {spawnSync} from 'node:child_process';

const here = path.dirname(new URL(import.meta.url).pathname), root = path.dirname(here);
const peerDir = process.env.SHOJI_PEER ?? path.join(here, 'peer');
const build = process.env.SHOJI_BUILD ?? path.join(root, 'build');
const work = path.join(peerDir, 'work');
const quick = process.argv.includes('--quick');
const outAt = process.argv.indexOf('--out');

function json(cmd, args, cwd) {
	const r = spawnSync(cmd, args, {cwd, encoding: 'utf8', maxBuffer: 1 << 26, timeout: 600000});
	if (r.status !== 0) throw new Error(`${cmd} ${args.join(' ')}: ${r.stderr || r.signal}`);
	return JSON.parse(r.stdout.trim().split('\n').pop());
}
const engine = (scenario, file, ...rest) => json(path.join(build, 'bench/engine_bench'), [scenario, path.join(work, file), ...rest.map(String)]);
const peer = (scenario, mode, reps = 5) => json('node', ['--expose-gc', '--max-old-space-size=8192', 'bench.mjs', 'rel', scenario, 'v0.9', mode, String(reps)], peerDir);

const cold = (runs, cwd, cmd, ...args) => json(path.join(build, 'bench/cold'), [String(runs), cmd, ...args], cwd);

const rows = [];
const fmt = (ms) => (ms >= 100 ? ms.toFixed(0) + ' ms' : ms >= 1 ? ms.toFixed(2) + ' ms' : (ms * 1e3).toFixed(ms < 0.01 ? 2 : 1) + ' µs');
const mb = (b) => (b / 1048576).toFixed(1) + ' MiB';
function row(id, what, peerText, engineText, ratio, floor, target, met) {
	rows.push({id, what, peerText, engineText, ratio: Number.isFinite(ratio) ? ratio.toFixed(1) + '×' : '–', floor, target, met});
	console.error(`${id.padEnd(4)} ${what.padEnd(52)} peer ${String(peerText).padEnd(14)} engine ${String(engineText).padEnd(14)} ${rows.at(-1).ratio.padEnd(8)} ${met}`);
}
const verdict = (floorOk, targetOk) => (targetOk ? 'target reached' : floorOk ? 'floor reached' : 'below the floor');

{ // P1
	const file = path.join(work, 'a_typical40.v0.9.jsonl'), shoji = path.join(build, 'src/cmd/shoji');
	const runs = quick ? 5 : 25;
	const e = cold(runs, root, shoji, 'tree', file), p = cold(quick ? 3 : 9, peerDir, 'node', 'oracle.mjs', file), nothing = cold(runs, root, '/bin/true');
	const er = e.rss, pr = p.rss;
	const own = e.med_ms - nothing.med_ms;
	row('P1', 'cold process, 40 components, tree printed', `${fmt(p.med_ms)}, ${mb(pr)}`, `${fmt(e.med_ms)} (+${fmt(own)} over /bin/true), ${mb(er)}`, p.med_ms / e.med_ms, '≤ 10 ms, ≤ 8 MiB', '≤ 3 ms, ≤ 3 MiB', verdict(own <= 10 && er <= 8 << 20, own <= 3 && er <= 3 << 20));
}
{ // P2, P3
	const f = 'a_typical40_x500.v0.9.jsonl';
	const e = engine('tree', f, 0, 9), p = peer('a_typical40_x500', 'treeLate', 3);
	row('P2', '500 typical surfaces with tree, each', fmt(p.med_ms / 500), fmt(e.med_ms / 500), p.med_ms / e.med_ms, '20×', '60×', verdict(p.med_ms / e.med_ms >= 20, p.med_ms / e.med_ms >= 60));
	const es = engine('state', f, 0, 9), ps = peer('a_typical40_x500', 'state', 5);
	row('P3', 'state only, each', fmt(ps.med_ms / 500), fmt(es.med_ms / 500), ps.med_ms / es.med_ms, '8×', '20×', verdict(ps.med_ms / es.med_ms >= 8, ps.med_ms / es.med_ms >= 20));
}
{ // P4
	const e = engine('tree', 'b_flat20000.v0.9.jsonl', 0, 9), p = peer('b_flat20000', 'treeLate', 3);
	row('P4', 'flat 20,000 with tree', fmt(p.med_ms), fmt(e.med_ms), p.med_ms / e.med_ms, '≤ 60 ms', '≤ 20 ms', verdict(e.med_ms <= 60, e.med_ms <= 20));
	const small = engine('tree', 'b_flat2000.v0.9.jsonl', 0, 9), c = engine('tree', 'b_flat20000_chunk100.v0.9.jsonl', 0, 9);
	row('P4b', 'the same in 200 messages, against one', '–', `${(c.med_ms / e.med_ms).toFixed(2)}×`, NaN, '≤ 1.5×', '≤ 1.15×', verdict(c.med_ms / e.med_ms <= 1.5, c.med_ms / e.med_ms <= 1.15));
	row('P4b', 'growth from 2,000 to 20,000', '–', `${(e.med_ms / small.med_ms).toFixed(1)}×`, NaN, '≤ 12×', '≤ 12×', verdict(e.med_ms / small.med_ms <= 12, e.med_ms / small.med_ms <= 12));
}
{ // P5
	const e = engine('tree', 'c_tmpl10000.v0.9.jsonl', 0, 9), p = peer('c_tmpl10000', 'treeLate', 3);
	row('P5', 'template 10,000 rows × 5 nodes', fmt(p.med_ms), `${fmt(e.med_ms)}, ${mb(e.engine_bytes)}`, p.med_ms / e.med_ms, '≤ 60 ms, ≤ 64 MiB', '≤ 20 ms, ≤ 24 MiB', verdict(e.med_ms <= 60 && e.engine_bytes <= 64 << 20, e.med_ms <= 20 && e.engine_bytes <= 24 << 20));
	const d = engine('edit-window', 'c_tmpl10000.v0.9.jsonl');
	row('P5b', 'one cell of 10,000 rows, with its message', '27.1 ms *', `${d.cell_us.toFixed(2)} µs`, 27100 / d.cell_us, '≤ 50 µs', '≤ 3 µs', verdict(d.cell_us <= 50, d.cell_us <= 3));
	row('P5b', 'one row appended, with its message', '26 ms *', `${d.append_us.toFixed(2)} µs`, 26000 / d.append_us, '≤ 50 µs', '≤ 10 µs', verdict(d.append_us <= 50, d.append_us <= 10));
	row('P5b', 'first row removed, 755 KB array parsed, 50-row window', '508 ms *', fmt(d.remove_first_ms), 508 / d.remove_first_ms, '≤ 5 ms', '≤ 1 ms', verdict(d.remove_first_ms <= 5, d.remove_first_ms <= 1));
}
{ // P6, P7
	for (const [id, f, floor, target] of [['P6', 'd_keys1', 3, 1], ['P7', 'd_keys500', 85, 30]]) {
		const e = engine('keys', `${f}.v0.9.jsonl`, 3), p = peer(f, 'keys');
		row(id, id === 'P6' ? 'keystroke, 1 dependant of 2,000 bindings (p50)' : 'keystroke, 500 formatString dependants (p50)', `${p.p50_us.toFixed(1)} µs`, `${e.p50_us.toFixed(2)} µs`, p.p50_us / e.p50_us, `≤ ${floor} µs`, `≤ ${target} µs`, verdict(e.p50_us <= floor, e.p50_us <= target));
	}
}
{ // P8
	const e = engine('messages', 'f_udm100k.v0.9.jsonl', 3), p = peer('f_udm100k', 'udm-tree', 3);
	row('P8', '100,000 updateDataModel, 50 bound nodes', `${(p.msgs_per_s / 1e3).toFixed(0)} k/s`, `${(e.msgs_per_s / 1e6).toFixed(2)} M/s`, e.msgs_per_s / p.msgs_per_s, '2.5 M/s or 8×', '5 M/s or 16×', verdict(e.msgs_per_s >= Math.min(2.5e6, 8 * p.msgs_per_s), e.msgs_per_s >= Math.min(5e6, 16 * p.msgs_per_s)));
}
{ // P9, P12
	const e = engine('life', 'g_surf10k.v0.9.jsonl'), p = quick ? null : peer('g_surf10k', 'mem-tree', 1);
	row('P9', 'memory a surface of 10 components, resolved', p ? `${(p.heap_per_surface / 1024).toFixed(1)} KiB` : '58.7 KB *', `${(e.bytes_a_surface / 1024).toFixed(1)} KiB`, (p ? p.heap_per_surface : 58700) / e.bytes_a_surface, '≤ 8 KiB', '≤ 4 KiB', verdict(e.bytes_a_surface <= 8192, e.bytes_a_surface <= 4096));
	row('P12', '10,000 surfaces created', p ? fmt(p.ms) : '4.7 s *', fmt(e.create_ms), (p ? p.ms : 4700) / e.create_ms, '≤ 250 ms', '≤ 100 ms', verdict(e.create_ms <= 250, e.create_ms <= 100));
	row('P12', '10,000 surfaces deleted', '680 ms *', fmt(e.delete_ms), 680 / e.delete_ms, '≤ 50 ms', '≤ 20 ms', verdict(e.delete_ms <= 50, e.delete_ms <= 20));
}
{ // P10
	for (const f of ['a_typical40', 'b_flat2000']) {
		const w = engine('tree', `${f}.v0.9.jsonl`, 0, 15);
		for (const c of [16, 1]) {
			const s = engine('stream', `${f}.v0.9.jsonl`, c, 9);
			row('P10', `${f} in ${c}-byte chunks, against whole`, '–', `${(s.med_ms / w.med_ms).toFixed(2)}× (${fmt(s.med_ms)})`, NaN, '≤ 2×', '≤ 1.3×', verdict(s.med_ms / w.med_ms <= 2, s.med_ms / w.med_ms <= 1.3));
		}
	}
}
const cpu = os.cpus()[0]?.model ?? '?';
let md = `# Benchmarks\n\nMade by \`node bench/run.mjs\`: engine and the npm peer \`@a2ui/web_core\` on the same files in one run. ${os.cpus().length} cores, ${cpu}, node ${process.version}. Medians. Rows with * quote the peer's figure from requirements (it has no such mode in its runner); all other ratios are of this run. The scenarios P1–P12 are those of the performance requirements; P11 and P13 are measured elsewhere.\n\n| | scenario | peer | engine | ratio | floor | target | verdict |\n|---|---|---|---|---|---|---|---|\n`;
for (const r of rows) md += `| ${r.id} | ${r.what} | ${r.peerText} | ${r.engineText} | ${r.ratio} | ${r.floor} | ${r.target} | ${r.met} |\n`;
const text = (name, ...args) => spawnSync(path.join(build, 'bench', name), args, {encoding: 'utf8', timeout: 600000}).stdout.trimEnd();
md += `\n## The agent's side\n\nOf the same run, as the programs print it. Aims: a model's text in 16-byte chunks, emitted as deltas and checked against the catalog, at 100 MB/s or more and linear in its length (1x, 10x); prompt and grammar of the basic catalog in under 10 ms; \`explain\` of 2,000 components in under 20 ms. In \`whole\` mode each change sends its message again whole, as the older contract asks, so that one big message costs what it repeats.\n\n\`\`\`\n$ infer_bench 16 1024\n${text('infer_bench', '16', '1024')}\n$ grammar_bench\n${text('grammar_bench')}\n$ explain_bench\n${text('explain_bench')}\n\`\`\`\n`;
if (fs.existsSync(path.join(build, 'bench', 'window_bench'))) { // needs GTK; an X server of its own
	const run = spawnSync('python3', [path.join(root, 'tests/face/headless.py'), path.join(build, 'bench', 'window_bench')], {encoding: 'utf8', timeout: 600000});
	md += `\n## The window\n\nOf the same run, under Xvfb with GTK's cairo renderer. "bare" is a GTK window of this machine with 20 labels and an entry. Aims: message to first frame 60 ms for 40 components, 150 ms for 2,000, 300 ms for 20,000; a keystroke within 16 ms (95th percentile) with 2,000 components; under 150 MB with 20,000, given back on closing. From key to frame includes the wait for the frame clock, which ticks every 16.7 ms; "work" is what remains without it.\n\n\`\`\`\n$ window_bench\n${run.stdout.trimEnd()}\n\`\`\`\n`;
}
if (outAt > 0) fs.writeFileSync(process.argv[outAt + 1], md);
else process.stdout.write(md);
