// Compares number text in both directions with this node: node tests/json/number_diff.mjs BUILD/tests/number_diff [COUNT] [SEED]
import { spawnSync } from 'node:child_process';

const [program, count = '300000', seed = '1'] = process.argv.slice(2);
if (!program) {
	console.error('usage: number_diff.mjs PROGRAM [COUNT] [SEED]');
	process.exit(2);
}

let state = BigInt(seed);
const mask = (1n << 64n) - 1n;
function random64() { // splitmix64
	state = (state + 0x9E3779B97F4A7C15n) & mask;
	let z = state;
	z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & mask;
	z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & mask;
	return z ^ (z >> 31n);
}
const below = (n) => Number(random64() % BigInt(n));

const view = new DataView(new ArrayBuffer(8));
const hex = (bits) => bits.toString(16).padStart(16, '0');
function fromBits(bits) { view.setBigUint64(0, bits); return view.getFloat64(0); }
function toBits(d) { view.setFloat64(0, d); return view.getBigUint64(0); }

const lines = [], wanted = [];
function text(bits) {
	const d = fromBits(bits);
	lines.push('b ' + hex(bits));
	wanted.push(String(d));
}
function read(t) {
	lines.push('t ' + t);
	wanted.push(hex(toBits(Number(t))));
}
const digits = (n) => { let s = String(1 + below(9)); while (s.length < n) s += below(10); return s; };

for (let i = 0; i < 2098; i++) // each power of two and its neighbours
	for (const step of [-1n, 0n, 1n])
		text((BigInt(i % 2047) << 52n) + step & mask);
for (let i = 0; i < Number(count); i++) {
	text(random64());
	text(toBits(below(1e9) / (1 + below(1e4)))); // as people write them
	text(toBits(Number(digits(1 + below(17)) + 'e' + (below(60) - 30))));
	read(digits(1 + below(20)) + 'e' + (below(680) - 350));
	read('-0.' + '0'.repeat(below(30)) + digits(1 + below(40)));
	read(digits(1 + below(25)) + '.' + digits(1 + below(25)));
}

const run = spawnSync(program, { input: lines.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 30 });
const got = run.stdout.split('\n');
let different = 0;
for (let i = 0; i < lines.length; i++)
	if (got[i] !== wanted[i] && different++ < 20)
		console.log(`${lines[i]}: got ${got[i]}, node has ${wanted[i]}`);
console.log(`${lines.length} compared, ${different} different`);
process.exit(different || run.status ? 1 : 0);
