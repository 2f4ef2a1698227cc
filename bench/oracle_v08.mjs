// The npm peer's reading of a v0.8 stream, in the shape of `shoji tree`: node oracle_v08.mjs FILE.jsonl, in the peer's folder.
// The peer keeps bound values as they were sent and leaves reading them to each widget; what a widget reads is read here: the
// place if there is a path, else the literal.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

console.error = console.warn = () => {};
const {A2uiMessageProcessor} = await import(pathToFileURL(path.resolve('node_modules/@a2ui/web_core/src/v0_8/data/model-processor.js')));
const processor = new A2uiMessageProcessor();
for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n'))
	if (line.trim()) {
		try {
			processor.processMessages([JSON.parse(line)]);
		} catch (e) {
			process.stdout.write(JSON.stringify({error: String(e.message)}) + '\n');
		}
	}

const plain = (v) => (v instanceof Map ? Object.fromEntries([...v].map(([k, x]) => [k, plain(x)])) : Array.isArray(v) ? v.map(plain) : v);
const sorted = (v) => (Array.isArray(v) ? v.map(sorted) : v && typeof v === 'object' ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v);
const words = ['path', 'literalString', 'literalNumber', 'literalBoolean', 'literalArray', 'literal'];
const isBound = (v) => v && typeof v === 'object' && !Array.isArray(v) && Object.keys(v).length > 0 && Object.keys(v).every((k) => words.includes(k));

function value(v, node, surface) {
	if (isBound(v)) {
		if (v.path === undefined) return Object.values(v)[0];
		const read = processor.getData(node, v.path, surface);
		return read === null || read === undefined ? undefined : plain(read);
	}
	if (Array.isArray(v)) return v.filter((x) => x !== null).map((x) => value(x, node, surface));
	if (v && typeof v === 'object') return 'properties' in v && 'dataContextPath' in v ? tree(v, surface) : Object.fromEntries(Object.entries(v).map(([k, x]) => [k, value(x, node, surface)]));
	return v;
}
function tree(node, surface) {
	const out = {id: node.id.replace(/:.*$/, ''), type: node.type};
	if (node.weight !== 'initial') out.weight = node.weight;
	for (const [k, v] of Object.entries(node.properties)) {
		const read = k === 'action' ? '<Action>' : value(v, node, surface);
		if (read !== undefined) out[k] = read;
	}
	return out;
}
for (const [id, surface] of processor.getSurfaces())
	process.stdout.write(JSON.stringify(sorted({dataModel: plain(surface.dataModel), surfaceId: id, tree: surface.componentTree ? tree(surface.componentTree, id) : null})) + '\n');
