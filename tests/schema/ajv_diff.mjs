// Differential run against ajv, by hand: node tests/schema/ajv_diff.mjs VERDICTS SPECIFICATION VERSION [ROUNDS [SEED]]
//
// VERDICTS is the program schema_verdicts of this folder, SPECIFICATION the folder of the official schemas, VERSION v0_9, v0_9_1 or
// v1_0. Mutates the official examples and compares verdict by verdict. Needs ajv and ajv-formats, found from the current folder (or
// NODE_PATH's parent given in AJV_FROM). Exit 1 when any verdict differs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {createRequire} from 'node:module';
import {spawnSync} from 'node:child_process';

const [verdicts, spec, version, roundsArg, seedArg] = process.argv.slice(2);
if (!version) {
	console.error('usage: node ajv_diff.mjs VERDICTS SPECIFICATION VERSION [ROUNDS [SEED]]');
	process.exit(2);
}
const rounds = Number(roundsArg ?? 100);
const require = createRequire(path.join(process.env.AJV_FROM ?? process.cwd(), 'x.js'));
const Ajv = require('ajv/dist/2020.js').default, addFormats = require('ajv-formats').default;

const folder = version === 'v1_0' ? 'v1_0' : 'v0_9', base = `https://a2ui.org/specification/${folder}/`;
const envelope = version === 'v1_0' ? 'agent_to_renderer.json' : 'server_to_client.json';
const file = name => path.join(spec, version, name);
const read = name => JSON.parse(fs.readFileSync(file(name), 'utf8'));
const ajv = new Ajv({strict: false, logger: false});
addFormats(ajv);
ajv.addSchema(read('json/common_types.json'));
const catalog = read('catalogs/basic/catalog.json');
ajv.addSchema(catalog);
ajv.addSchema({...catalog, $id: `${base}catalog.json`});
const validate = ajv.compile(read(`json/${envelope}`));

// A small seeded generator, so that a difference can be run again.
let state = BigInt(seedArg ?? 1);
function pick(n) {
	state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
	return Number(state >> 33n) % n;
}
const values = [null, true, false, 0, -1.5, 1e300, '', 'Text', 'root', '2024-02-29', '2023-02-29', '10:00:00Z', '2024-01-01T00:00:00Z',
	'https://example.org/a?b#c', 'not a uri', '#ff0000', [], {}, ['a'], [1], {path: '/a'}, {path: 1}, {call: 'required', args: {value: 1}},
	{call: '@index'}, {call: 'nope'}, {componentId: 'x', path: '/list'}, {event: {name: 'go'}}, {event: {}}, {functionCall: {call: 'openUrl',
		args: {url: 'https://example.org'}}}, {extensions: {a: 1}}, {extensions: {'1': 1}}];
const names = ['component', 'id', 'text', 'call', 'args', 'path', 'weight', 'children', 'child', 'value', 'checks', 'accessibility', 'metadata',
	'catalogId', 'extra', 'version', 'createSurface', 'updateComponents', 'min', 'max', 'variant', 'theme', 'action'];
function places(v, out, parent, key) {
	if (parent) out.push([parent, key]);
	if (v && typeof v === 'object') for (const k of Object.keys(v)) places(v[k], out, v, k);
	return out;
}
function mutate(message) {
	const m = structuredClone(message), all = places(m, [], null, null);
	for (let n = 1 + pick(3); n > 0; n--) {
		const [parent, key] = all[pick(all.length)], [from, other] = all[pick(all.length)];
		switch (pick(5)) {
		case 0: if (Array.isArray(parent)) parent.splice(Number(key), 1); else delete parent[key]; break;
		case 1: parent[key] = structuredClone(values[pick(values.length)]); break;
		case 2: parent[key] = structuredClone(from[other]) ?? null; break;
		case 3: if (Array.isArray(parent)) parent.push(structuredClone(values[pick(values.length)]));
			else parent[names[pick(names.length)]] = structuredClone(values[pick(values.length)]); break;
		default: if (!Array.isArray(parent)) { parent[names[pick(names.length)]] = parent[key] ?? null; if (pick(2)) delete parent[key]; }
		}
	}
	return m;
}

const messages = [];
const examples = file('catalogs/basic/examples');
for (const name of fs.readdirSync(examples).filter(n => n.endsWith('.json')).sort()) {
	const e = JSON.parse(fs.readFileSync(path.join(examples, name), 'utf8'));
	messages.push(...(Array.isArray(e) ? e : e.messages));
}
const texts = messages.map(m => JSON.stringify(m));
for (const m of messages) for (let i = 0; i < rounds; i++) {
	try {
		texts.push(JSON.stringify(mutate(m)));
	} catch (e) {
		if (!/circular/.test(e.message)) throw e;
	}
}
const args = [base + envelope, `${base}common_types.json`, file('json/common_types.json'), `${base}catalog.json`,
	file('catalogs/basic/catalog.json'), base + envelope, file(`json/${envelope}`)];
const input = path.join(os.tmpdir(), `ajv_diff_${process.pid}.jsonl`);
fs.writeFileSync(input, texts.join('\n') + '\n');
const run = spawnSync(verdicts, args, {stdio: [fs.openSync(input), 'pipe', 'inherit'], maxBuffer: 1 << 28, encoding: 'utf8'});
fs.rmSync(input);
if (run.status !== 0) process.exit(1);
const ours = run.stdout.trim().split('\n');
let valid = 0, different = 0;
texts.forEach((text, i) => {
	const theirs = validate(JSON.parse(text)) ? '1' : '0';
	valid += theirs === '1';
	if (ours[i] === theirs) return;
	if (different++ < 10) console.log(`ours ${ours[i]}, ajv ${theirs}: ${text}\n  ${JSON.stringify(validate.errors?.[0] ?? null)}`);
});
console.log(JSON.stringify({version, messages: texts.length, valid, different}));
process.exit(different > 0 ? 1 : 0);
