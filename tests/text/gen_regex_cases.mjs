// Writes tests/text/data/regex_cases.txt: seeded random patterns, and what node's RegExp (flag u) says of them.
//   node tests/text/gen_regex_cases.mjs > tests/text/data/regex_cases.txt
let seed = 20260801;
const rnd = n => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const pick = list => list[rnd(list.length)];
const atoms = ['a', 'b', 'c', '.', '\\d', '\\w', '\\s', '\\S', '\\D', '\\W', '[ab]', '[^a]', '[a-c]', '[\\d_]', '[\\S]',
	'[^\\s]', '\\u0041', '\\x62', 'é', '\\p{Lu}', '\\P{L}', '[\\p{Ll}1]', '[]', '[^]', '\\b', '\\B', '^', '$', '\\1', '\\2',
	'\\k<n>', '\\/', '[-a]', '[a-]', '1', ' ', '_', '(?:)', '\\p{Script=Greek}', '\\p{scx=Grek}'];
const quantifiers = ['', '', '', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?', '{0}'];
let named;
function pattern(depth) {
	const branches = [];
	for (let i = rnd(4) === 0 ? 2 : 1; i > 0; i--) {
		let s = '';
		for (let j = rnd(4); j > 0; j--) s += term(depth);
		branches.push(s);
	}
	return branches.join('|');
}
function term(depth) {
	const q = pick(quantifiers);
	if (depth > 0 && rnd(3) === 0) {
		const inner = pattern(depth - 1), kind = rnd(12);
		if (kind < 5) return `(${inner})${q}`;
		if (kind < 8) return `(?:${inner})${q}`;
		if (kind === 8) return `(?=${inner})`;
		if (kind === 9) return `(?!${inner})`;
		if (kind === 10) return pick(['(?<=', '(?<!']) + pick(['a', 'ab|cd', '\\d\\d', '[ab]c', '(a)b', '']) + ')';
		if (named) return `(${inner})${q}`;
		named = true;
		return `(?<n>${inner})${q}`;
	}
	const a = pick(atoms);
	return a + (/^(\\b|\\B|\^|\$)$/.test(a) ? '' : q);
}
const letters = ['a', 'b', 'c', 'd', '1', '2', '_', ' ', 'é', 'A', '-', 'α', '/', '日'];
function subject() {
	let s = '';
	for (let n = rnd(9); n > 0; n--) s += pick(rnd(3) ? letters.slice(0, 5) : letters);
	return s;
}
console.log('# pattern, subject, found: separated by tabs. Made by tests/text/gen_regex_cases.mjs.');
for (let n = 0; n < 800;) {
	named = false;
	const p = pattern(3), s = subject();
	let re;
	try { re = new RegExp(p, 'u'); } catch { continue; }
	if (p.length < 4) continue;
	console.log(`${p}\t${s}\t${re.test(s) ? 1 : 0}`);
	n++;
}
