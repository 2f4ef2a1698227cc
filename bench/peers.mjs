// Do other people's programs agree with ours? node bench/peers.mjs FOLDER
//
// FOLDER gets the packages (npm installs them by name; it may exist from the last time). What is compared:
//   1. verdicts: ajv and we, on every message of the public suites and the specification and on mutants of each, over the
//      published schemas; and our own message check, whose differences are named below, with reasons
//   2. @ag-ui/a2ui-middleware: `shoji validate` and `shoji tree` take the operations it makes of an agent's tool call
//   3. @a2ui/web_core: what it sends is valid by our schemas; streams it takes we take
// Environment: SHOJI_BUILD (default build), SHOJI_TEST_DATA (the public data), SHOJI_MUTANTS (per message, default 12).
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {spawnSync} from 'node:child_process';
import {pathToFileURL} from 'node:url';

const here = path.dirname(new URL(import.meta.url).pathname), root = path.dirname(here);
const build = process.env.SHOJI_BUILD ?? path.join(root, 'build');
const data = path.join(process.env.SHOJI_TEST_DATA ?? path.join(root, '../shared/data'), 'a2ui');
const spec = path.join(data, 'specification');
const shoji = path.join(build, 'src/cmd/shoji'), verdicts = path.join(build, 'bench/verdicts');
const folder = process.argv[2] && path.resolve(process.argv[2]);
const PACKAGES = ['ajv@8', 'ajv-formats@3', '@ag-ui/a2ui-middleware@0.0.10', '@ag-ui/client', '@a2ui/web_core@0.11.0', 'rxjs'];
let failed = 0;

if (!folder) {
	console.error('usage: node bench/peers.mjs FOLDER   (npm installs into FOLDER)');
	process.exit(2);
}
function say(ok, text) {
	failed += ok ? 0 : 1;
	console.log(`${ok ? 'ok' : 'FAILED'}: ${text}`);
}
function install() {
	fs.mkdirSync(folder, {recursive: true});
	if (!fs.existsSync(path.join(folder, 'package.json'))) fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
	if (PACKAGES.every((p) => fs.existsSync(path.join(folder, 'node_modules', p.replace(/(?!^)@.*/, ''))))) return;
	const r = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], {cwd: folder, stdio: 'inherit'});
	if (r.status !== 0) process.exit(3);
}
const require = createRequire(path.join(folder, 'index.js'));
// An import as a module of FOLDER would make it.
const load = async (name) => {
	const at = path.join(folder, 'load.mjs');
	if (!fs.existsSync(at)) fs.writeFileSync(at, 'export default (name) => import(name);\n');
	return (await import(pathToFileURL(at).href)).default(name);
};

const CATALOG = {'v0.8': 'https://a2ui.org/specification/v0_8/standard_catalog_definition.json', 'v0.9': 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json', 'v0.9.1': 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json', 'v1.0': 'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'};

// ---- the corpus -----------------------------------------------------------------------------------------------------

const V08_IN = ['beginRendering', 'surfaceUpdate', 'dataModelUpdate'], IN = ['createSurface', 'updateComponents', 'updateDataModel', 'callRendererFunction', 'agentFunctionResponse'];
const V08_OUT = ['userAction'], OUT = ['action', 'error', 'callAgentFunction', 'rendererFunctionResponse'];
const FILES = {
	'v0.8': {in: 'server_to_client_with_standard_catalog.json', out: 'client_to_server.json'},
	'v0.9': {in: 'server_to_client.json', out: 'client_to_server.json'},
	'v0.9.1': {in: 'server_to_client.json', out: 'client_to_server.json'},
	'v1.0': {in: 'agent_to_renderer.json', out: 'renderer_to_agent.json'},
};
const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
const any = (o, names) => names.some((n) => isObject(o[n]));

// Which version's schemas a message is tried on: those it may mean to be of.
function versionsOf(o) {
	if (o.version === 'v0.9') return ['v0.9', 'v0.9.1'];
	if (['v0.8', 'v0.9.1', 'v1.0'].includes(o.version)) return [o.version];
	if (any(o, V08_IN) || any(o, V08_OUT)) return ['v0.8'];
	return 'version' in o ? ['v0.9', 'v1.0'] : ['v0.8', 'v0.9', 'v1.0'];
}
function* files(dir) {
	for (const e of fs.readdirSync(dir, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const p = path.join(dir, e.name);
		if (e.isDirectory()) yield* files(p);
		else if (/\.jsonl?$/.test(e.name)) yield p;
	}
}
function corpus() {
	const found = new Map();
	const visit = (v) => {
		if (Array.isArray(v)) v.forEach(visit);
		if (!isObject(v)) return;
		const inward = any(v, [...V08_IN, ...IN, 'deleteSurface']), outward = any(v, [...V08_OUT, ...OUT]);
		if ((inward || outward) && !('type' in v && 'properties' in v) && !v.$ref && !v.oneOf && Object.keys(v).length < 6)
			for (const version of versionsOf(v))
				for (const side of [inward && 'in', outward && 'out']) {
					// Suites have catalogs of their own; here there is the published one.
					const message = JSON.parse(JSON.stringify(v), (k, x) => (k === 'catalogId' && typeof x === 'string' ? CATALOG[version] : x));
					if (side) found.set(`${version} ${side} ${JSON.stringify(message)}`, {version, side, message});
				}
		Object.values(v).forEach(visit);
	};
	for (const f of files(data)) {
		if (/\/json\/[^/]*\.json$|catalog[^/]*\.json$/.test(f) && !/sample\.json$/.test(f)) continue; // schemas
		const text = fs.readFileSync(f, 'utf8');
		try {
			visit(f.endsWith('l') ? text.split('\n').filter(Boolean).map((l) => JSON.parse(l)) : JSON.parse(text));
		} catch {
			continue; // broken on purpose
		}
	}
	return [...found.values()];
}

// ---- mutants --------------------------------------------------------------------------------------------------------

let seed = 20261201;
function random(n) { // mulberry32: the same mutants every time
	seed = (seed + 0x6d2b79f5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) % n;
}
const OTHERS = ['text', '', 7, -1.5, true, null, [], {}, ['a'], {path: '/x'}, {'@path': '/x'}, {call: 'not', args: {value: true}}, {'@call': 'not', args: {value: true}}, '2020-01-01'];
const NAMES = ['extra', 'text', 'id', 'component', 'catalogId', 'weight', 'path', '@path', '@odd', 'children', 'checks', 'accessibility', 'metadata'];
function mutant(message) {
	const copy = structuredClone(message), places = [];
	const visit = (v) => {
		if (v === null || typeof v !== 'object') return;
		for (const k of Object.keys(v)) {
			places.push([v, k]);
			visit(v[k]);
		}
	};
	visit(copy);
	if (places.length === 0) return null;
	const [holder, key] = places[random(places.length)], other = structuredClone(OTHERS[random(OTHERS.length)]);
	switch (random(4)) {
		case 0: // drop
			if (Array.isArray(holder)) holder.splice(Number(key), 1);
			else delete holder[key];
			break;
		case 1: // another type
			holder[key] = other;
			break;
		case 2: // one more
			if (Array.isArray(holder)) holder.push(other);
			else holder[NAMES[random(NAMES.length)]] = other;
			break;
		default: // another name
			if (Array.isArray(holder)) return null;
			holder[NAMES[random(NAMES.length)]] = holder[key];
			delete holder[key];
	}
	return copy;
}

// ---- verdicts -------------------------------------------------------------------------------------------------------

async function oracles() {
	const Ajv = require('ajv/dist/2020.js').default, formats = require('ajv-formats').default;
	const read = (p) => JSON.parse(fs.readFileSync(path.join(spec, p)));
	const made = {};
	for (const [version, f] of Object.entries(FILES)) {
		const dir = version.replaceAll('.', '_'), ajv = new Ajv({strict: false, allErrors: false, discriminator: false, logger: false});
		formats(ajv);
		if (version !== 'v0.8') {
			const base = version === 'v0.9.1' ? 'v0_9' : dir, catalog = read(`${dir}/catalogs/basic/catalog.json`);
			ajv.addSchema(read(`${dir}/json/common_types.json`), `https://a2ui.org/specification/${base}/common_types.json`);
			ajv.addSchema({...catalog, $id: `https://a2ui.org/specification/${base}/catalog.json`});
		}
		made[version] = {};
		for (const side of ['in', 'out']) {
			const schema = read(`${dir}/json/${f[side]}`);
			delete schema.$schema;
			made[version][side] = ajv.compile(schema.$id ? schema : {...schema, $id: `https://a2ui.org/specification/${dir}/${f[side]}`});
		}
	}
	return made;
}

const walk = (v, fn) => {
	if (v === null || typeof v !== 'object') return false;
	return Object.entries(v).some(([k, x]) => fn(k, x, v) || walk(x, fn));
};
// Where our message check differs from the published schemas, and why.
const REASONS = [
	{
		name: 'reserved keys',
		why: 'the published schemas of v1.0 spell path and call; the newer spelling @path and @call is read as well',
		when: (c) => c.version === 'v1.0' && walk(c.message, (k) => k.startsWith('@')),
	},
	{
		name: 'unknown catalog',
		why: 'the schemas take any catalogId; a message for a catalog that is not there cannot be right',
		when: (c, theirs, fault) => theirs && /^Catalog not found/.test(fault),
	},
	{
		name: 'identifiers',
		why: 'the schemas do not say that ids of v1.0 are identifiers of UAX #31; the specification does',
		when: (c, theirs, fault) => theirs && /UAX #31/.test(fault),
	},
	{
		name: 'refused keys',
		why: '__proto__, constructor and prototype are refused in paths, as the suites want',
		when: (c, theirs, fault) => theirs && /uses the refused key/.test(fault),
	},
	{
		name: 'component without a type',
		why: 'it may update a component that is there; only who knows the surface can tell',
		when: (c, theirs) => !theirs && walk(c.message, (k, v) => k === 'components' && Array.isArray(v) && v.some((x) => isObject(x) && !('component' in x))),
	},
	{
		name: 'call without a catalog',
		why: 'callRendererFunction may leave its catalogId to the surface',
		when: (c, theirs) => !theirs && isObject(c.message.callRendererFunction?.callFunction) && !('catalogId' in c.message.callRendererFunction.callFunction),
	},
];

async function compareVerdicts() {
	const ajv = await oracles(), base = corpus(), all = [...base], per = Number(process.env.SHOJI_MUTANTS ?? 12);
	for (const b of base)
		for (let i = 0; i < per; i++) {
			const m = mutant(b.message);
			if (m) all.push({...b, message: m, mutant: true});
		}
	const input = all.map((c) => `${c.version}\t${FILES[c.version][c.side]}\t${JSON.stringify(c.message)}\n`).join('');
	const r = spawnSync(verdicts, [spec], {input, maxBuffer: 1 << 30, encoding: 'utf8'});
	if (r.status !== 0) {
		say(false, `verdicts ended with ${r.status}: ${r.stderr}`);
		return;
	}
	const lines = r.stdout.split('\n'), named = new Map(), counts = {};
	let engine = 0, unexplained = 0;
	const show = (what, c, theirs, ours) => console.log(`  ${what}: ajv ${theirs}, ours ${ours}\n    ${c.version} ${JSON.stringify(c.message).slice(0, 400)}`);
	all.forEach((c, i) => {
		const [schema, check, fault1, fault2] = lines[i].split('\t'), validate = ajv[c.version][c.side], theirs = validate(c.message);
		const n = (counts[c.version] ??= {messages: 0, mutants: 0, valid: 0});
		n[c.mutant ? 'mutants' : 'messages']++;
		n.valid += theirs ? 1 : 0;
		if (theirs !== (schema === '1') && ++engine <= 10)
			show('schema', c, theirs ? 'valid' : JSON.stringify(validate.errors).slice(0, 200), schema === '1' ? 'valid' : fault1);
		if (check === '-' || theirs === (check === '1')) return;
		const why = REASONS.find((x) => x.when(c, theirs, fault2, validate.errors));
		if (why) named.set(why.name, (named.get(why.name) ?? 0) + 1);
		else if (++unexplained <= 10) show('check', c, theirs ? 'valid' : JSON.stringify(validate.errors).slice(0, 200), check === '1' ? 'valid' : fault2);
	});
	for (const [v, n] of Object.entries(counts)) console.log(`  ${v}: ${n.messages} messages, ${n.mutants} mutants, ${n.valid} of them valid`);
	say(engine === 0, `schema engine and ajv differ on ${engine} of ${all.length}`);
	for (const x of REASONS) console.log(`  named: ${x.name}: ${named.get(x.name) ?? 0} (${x.why})`);
	say(unexplained === 0, `message check and ajv differ on ${unexplained} beyond the named`);
}

// ---- streams --------------------------------------------------------------------------------------------------------

// What `shoji VERB` says of messages, one object a line.
function ask(verb, messages, more = []) {
	const r = spawnSync(shoji, [verb, ...more, '-'], {input: messages.map((m) => JSON.stringify(m) + '\n').join(''), encoding: 'utf8', maxBuffer: 1 << 28});
	return {status: r.status, lines: r.stdout.split('\n').filter(Boolean).map((l) => JSON.parse(l)), err: r.stderr};
}
function examples(version) {
	const dir = path.join(spec, version.replaceAll('.', '_'), 'catalogs/basic/examples');
	return fs.existsSync(dir) ? fs.readdirSync(dir).sort().map((f) => [f, JSON.parse(fs.readFileSync(path.join(dir, f))).messages]) : [];
}

// ---- @ag-ui/a2ui-middleware -----------------------------------------------------------------------------------------

// Every state it shows of a tool call whose arguments come in pieces is one list of operations.
async function snapshots(args, chunk) {
	const {A2UIMiddleware} = await load('@ag-ui/a2ui-middleware'), {AbstractAgent} = await load('@ag-ui/client'), {Observable} = await load('rxjs');
	class Scripted extends AbstractAgent {
		run(input) {
			return new Observable((to) => {
				const text = JSON.stringify(args), ids = {threadId: input.threadId, runId: input.runId};
				to.next({type: 'RUN_STARTED', ...ids});
				to.next({type: 'TOOL_CALL_START', toolCallId: 't', toolCallName: 'render_a2ui'});
				for (let i = 0; i < text.length; i += chunk) to.next({type: 'TOOL_CALL_ARGS', toolCallId: 't', delta: text.slice(i, i + chunk)});
				to.next({type: 'TOOL_CALL_END', toolCallId: 't'});
				to.next({type: 'RUN_FINISHED', ...ids});
				to.complete();
			});
		}
	}
	const seen = [];
	await new Promise((done, broken) => {
		new A2UIMiddleware({injectA2UITool: true})
			.run({threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {}}, new Scripted())
			.subscribe({next: (e) => e.content?.a2ui_operations && seen.push(e.content.a2ui_operations), error: broken, complete: done});
	});
	return seen;
}
async function compareMiddleware() {
	// Its own id for the basic catalog is not the published one; a host gives it an alias.
	const alias = path.join(folder, 'basic_alias.json'), published = JSON.parse(fs.readFileSync(path.join(spec, 'v0_9/catalogs/basic/catalog.json')));
	fs.writeFileSync(alias, JSON.stringify({...published, $id: undefined, catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json'}));
	let calls = 0, states = 0, bad = 0;
	for (const [name, messages] of examples('v0.9')) {
		// A tool call describes a surface once.
		if (messages.filter((m) => m.updateComponents).length !== 1) continue;
		const components = messages.flatMap((m) => m.updateComponents?.components ?? []), model = messages.find((m) => m.updateDataModel && (m.updateDataModel.path ?? '/') === '/');
		for (const chunk of [1, 16, 1 << 20]) {
			const seen = await snapshots({surfaceId: 's', components, data: model?.updateDataModel.value ?? {}}, chunk);
			calls++;
			for (const [i, operations] of seen.entries()) {
				const last = i === seen.length - 1, faults = ask('validate', operations, ['--catalog', alias]).lines.filter((f) => f.severity === 'error');
				states++;
				// While arguments arrive, children may not be there yet.
				const wrong = faults.filter((f) => last || !/never came|Missing root/.test(f.message));
				const tree = last ? ask('tree', operations, ['--catalog', alias]).lines[0]?.tree : true;
				if ((wrong.length > 0 || !tree) && ++bad <= 5) console.log(`  ${name}, pieces of ${chunk}: ${wrong[0]?.message ?? 'no tree'}`);
			}
			if (seen.length === 0 && ++bad <= 5) console.log(`  ${name}: no operations`);
		}
	}
	say(bad === 0 && calls > 0, `a2ui-middleware: ${states} states of ${calls} tool calls, ${bad} refused`);
}

// ---- @a2ui/web_core -------------------------------------------------------------------------------------------------

async function compareWebCore() {
	const W = await load('@a2ui/web_core/v0_9'), quiet = console.error;
	console.error = console.warn = () => {};
	const sent = [], put = (version, file, message, what) => sent.push({version, file, message, what});
	let streams = 0, refused = 0, theirs = 0;
	for (const version of ['v0.9', 'v0.9.1'])
		for (const [name, messages] of examples(version)) {
			const catalog = new W.Catalog(CATALOG[version], W.BASIC_COMPONENTS, W.BASIC_FUNCTIONS);
			const p = new W.MessageProcessor([catalog], (action) => put(version, 'client_to_server.json', {version, action}, `${name}: action`), {version});
			p.onSurfaceCreated((s) => s.onError.subscribe((error) => put(version, 'client_to_server.json', {version, error}, `${name}: error`)));
			try {
				for (const m of messages) p.processMessages([m]);
			} catch (e) {
				theirs++; // what it refuses is no matter here
				continue;
			}
			streams++;
			const faults = ask('validate', messages).lines.filter((f) => f.severity === 'error');
			if (faults.length > 0 && ++refused <= 5) console.log(`  ${version} ${name}: ${faults[0].message}`);
			for (const m of messages)
				for (const c of m.updateComponents?.components ?? [])
					if (c.action?.event) {
						const context = Object.fromEntries(Object.keys(c.action.event.context ?? {}).map((k) => [k, 'v']));
						await p.model.surfacesMap.get(m.updateComponents.surfaceId)?.dispatchAction({event: {name: c.action.event.name, context}}, c.id);
					}
			for (const s of p.model.surfacesMap.values()) s.dispatchError({code: 'VALIDATION_FAILED', surfaceId: s.id, path: '/components/0', message: 'Something is wrong'});
			for (const includeInlineCatalogs of [false, true])
				put(version, 'client_capabilities.json', p.getClientCapabilities({includeInlineCatalogs, version}), `${name}: capabilities`);
			const model = p.getClientDataModel(version);
			if (model) put(version, 'client_data_model.json', model, `${name}: data model`);
		}
	console.error = quiet;
	say(streams > 0 && refused === 0, `web_core takes ${streams} streams (and refuses ${theirs}); of those we refuse ${refused}`);
	const input = sent.map((m) => `${m.version}\t${m.file}\t${JSON.stringify(m.message)}\n`).join('');
	const r = spawnSync(verdicts, [spec], {input, encoding: 'utf8', maxBuffer: 1 << 28});
	const lines = r.stdout.split('\n'), kinds = {};
	let invalid = 0, keyed = 0;
	sent.forEach((m, i) => {
		let [ok, , fault] = lines[i].split('\t');
		// The published schema of v0.9.1 has the key v0.9; negotiation takes the peer's as well (tests/infer/agent_test.c).
		if (ok !== '1' && m.file === 'client_capabilities.json' && m.version === 'v0.9.1' && fault === "'v0.9' is a required property") {
			keyed++;
			ok = '1';
		}
		kinds[m.what.replace(/.*: /, '')] = (kinds[m.what.replace(/.*: /, '')] ?? 0) + 1;
		if (ok !== '1' && ++invalid <= 5) console.log(`  ${m.version} ${m.what}: ${fault}\n    ${JSON.stringify(m.message).slice(0, 300)}`);
	});
	say(r.status === 0 && invalid === 0, `web_core sent ${Object.entries(kinds).map(([k, n]) => `${n} ${k}`).join(', ')}; ${invalid} of them invalid here, ${keyed} capabilities under the key v0.9.1 of its own`);
}


install();
await compareVerdicts();
await compareMiddleware();
await compareWebCore();
console.log(failed ? `${failed} failed` : 'all agree');
process.exit(failed ? 1 : 0);
