#include "infer/gbnf.h"

#include <stdlib.h>

#include "base/utf.h"

enum { MAX_RANGES = 64, MAX_NAME = 64 };

struct set { /* of characters */
	uint32_t from[MAX_RANGES], to[MAX_RANGES];
	uint32_t n;
	bool negated;
};
struct symbol {
	bool terminal;
	uint32_t id; /* set, or rule */
};
struct production {
	uint32_t rule, first, len;
};
struct rule {
	char name[MAX_NAME];
	bool defined, nullable;
	uint32_t height; /* of the lowest tree; UINT32_MAX: none */
	uint32_t first, count; /* productions, sorted by rule at the end */
};
#define VEC(T) struct { T *items; uint32_t count, cap; }
struct gbnf {
	VEC(struct set) sets;
	VEC(struct symbol) symbols;
	VEC(struct production) productions;
	VEC(struct rule) rules;
	VEC(uint32_t) named;
	uint32_t root;
};

#define PUSH(v, x)                                                                                                     \
	do {                                                                                                           \
		if ((v)->count == (v)->cap) {                                                                          \
			(v)->cap = (v)->cap ? (v)->cap * 2 : 64;                                                       \
			(v)->items = realloc((v)->items, (v)->cap * sizeof *(v)->items);                               \
		}                                                                                                      \
		(v)->items[(v)->count++] = (x);                                                                        \
	} while (0)

uint32_t test_random(uint64_t *seed, uint32_t below)
{
	*seed += 0x9e3779b97f4a7c15u;
	uint64_t z = *seed;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ (z >> 31)) >> 11) % below;
}

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

struct parser {
	struct gbnf *g;
	struct sj_slice text;
	size_t at;
	uint32_t anonymous;
	const char *why;
};

static uint32_t rule_named(struct gbnf *g, const char *name)
{
	for (uint32_t i = 0; i < g->named.count; i++)
		if (strcmp(g->rules.items[g->named.items[i]].name, name) == 0)
			return g->named.items[i];
	struct rule r = {0};
	strncpy(r.name, name, MAX_NAME - 1);
	PUSH(&g->rules, r);
	PUSH(&g->named, g->rules.count - 1);
	return g->rules.count - 1;
}

static uint32_t new_rule(struct gbnf *g)
{
	struct rule r = {.defined = true};
	PUSH(&g->rules, r);
	return g->rules.count - 1;
}

static void produce(struct gbnf *g, uint32_t rule, const struct symbol *symbols, uint32_t n)
{
	struct production p = {rule, g->symbols.count, n};
	for (uint32_t i = 0; i < n; i++)
		PUSH(&g->symbols, symbols[i]);
	PUSH(&g->productions, p);
}

static int look(const struct parser *p) { return p->at < p->text.len ? (unsigned char)p->text.ptr[p->at] : -1; }

static void blanks(struct parser *p, bool lines)
{
	for (;;) {
		int c = look(p);
		if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
			p->at++;
		} else if (c == '#') {
			while (look(p) >= 0 && look(p) != '\n')
				p->at++;
		} else {
			return;
		}
	}
}

static bool is_name(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

static bool name(struct parser *p, char out[MAX_NAME])
{
	size_t n = 0;
	while (is_name(look(p))) {
		if (n + 1 == MAX_NAME) {
			p->why = "a name is too long";
			return false;
		}
		out[n++] = (char)look(p);
		p->at++;
	}
	out[n] = 0;
	return n > 0;
}

/* One character of a literal or a class, escapes as llama.cpp reads them. */
static uint32_t character(struct parser *p)
{
	if (look(p) != '\\')
		return sj_utf8_next(p->text, &p->at);
	p->at++;
	int c = look(p);
	p->at++;
	uint32_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0, value = 0;
	for (uint32_t i = 0; i < digits; i++) {
		int d = look(p);
		uint32_t v = d >= '0' && d <= '9'   ? (uint32_t)(d - '0')
		             : d >= 'a' && d <= 'f' ? (uint32_t)(d - 'a' + 10)
		             : d >= 'A' && d <= 'F' ? (uint32_t)(d - 'A' + 10)
		                                    : 99;
		if (v == 99)
			p->why = "a bad escape";
		value = value * 16 + v;
		p->at++;
	}
	if (digits)
		return value;
	switch (c) {
	case 't': return '\t';
	case 'r': return '\r';
	case 'n': return '\n';
	case '\\': case '"': case '[': case ']': return (uint32_t)c;
	default: p->why = "an escape that llama.cpp does not know"; return 0;
	}
}

static uint32_t set_of(struct gbnf *g, uint32_t c)
{
	for (uint32_t i = 0; i < g->sets.count; i++)
		if (g->sets.items[i].n == 1 && !g->sets.items[i].negated && g->sets.items[i].from[0] == c &&
		    g->sets.items[i].to[0] == c)
			return i;
	struct set s = {.from = {c}, .to = {c}, .n = 1};
	PUSH(&g->sets, s);
	return g->sets.count - 1;
}

static uint32_t number(struct parser *p)
{
	uint32_t n = 0;
	while (look(p) >= '0' && look(p) <= '9') {
		n = n * 10 + (uint32_t)(look(p) - '0');
		p->at++;
	}
	return n;
}

/* min to max times what `part` says: rules that repeat on the left, which Earley likes best. max 0: no end. */
static struct symbol repeat(struct gbnf *g, const struct symbol *part, uint32_t n, uint32_t min, uint32_t max)
{
	uint32_t one = new_rule(g);
	produce(g, one, part, n);
	struct symbol item = {false, one};
	uint32_t tail = new_rule(g);
	struct symbol last = {false, tail};
	if (max == 0) {
		produce(g, tail, NULL, 0);
		produce(g, tail, (struct symbol[]){last, item}, 2);
	} else {
		/* (((x)? x)? x)? ... */
		produce(g, tail, NULL, 0);
		for (uint32_t i = min; i < max; i++) {
			uint32_t more = new_rule(g);
			produce(g, more, NULL, 0);
			produce(g, more, (struct symbol[]){last, item}, 2);
			last = (struct symbol){false, more};
		}
	}
	uint32_t whole = new_rule(g);
	struct symbol *all = malloc((min + 1) * sizeof *all);
	for (uint32_t i = 0; i < min; i++)
		all[i] = item;
	all[min] = last;
	produce(g, whole, all, min + 1);
	free(all);
	return (struct symbol){false, whole};
}

static void alternates(struct parser *p, uint32_t rule, bool nested);

static void sequence(struct parser *p, uint32_t rule, bool nested)
{
	struct gbnf *g = p->g;
	VEC(struct symbol) seq = {0};
	uint32_t last = 0; /* where the last element begins */
	while (!p->why) {
		int c = look(p);
		if (c == '"') {
			p->at++;
			last = seq.count;
			while (look(p) != '"' && !p->why) {
				if (look(p) < 0 || look(p) == '\n') {
					p->why = "a literal does not end";
					break;
				}
				struct symbol s = {true, set_of(g, character(p))};
				PUSH(&seq, s);
			}
			p->at++;
		} else if (c == '[') {
			struct set s = {0};
			p->at++;
			if (look(p) == '^') {
				s.negated = true;
				p->at++;
			}
			while (look(p) != ']' && !p->why) {
				if (look(p) < 0 || s.n == MAX_RANGES) {
					p->why = "a class does not end";
					break;
				}
				uint32_t from = character(p), to = from;
				if (look(p) == '-' && p->at + 1 < p->text.len && p->text.ptr[p->at + 1] != ']') {
					p->at++;
					to = character(p);
				}
				if (to < from)
					p->why = "a range is backwards";
				s.from[s.n] = from;
				s.to[s.n++] = to;
			}
			p->at++;
			if (s.n == 0)
				p->why = "an empty class";
			last = seq.count;
			PUSH(&g->sets, s);
			struct symbol sym = {true, g->sets.count - 1};
			PUSH(&seq, sym);
		} else if (c == '(') {
			p->at++;
			blanks(p, true);
			uint32_t inner = new_rule(g);
			alternates(p, inner, true);
			blanks(p, true);
			if (look(p) != ')')
				p->why = p->why ? p->why : "a group does not end";
			p->at++;
			last = seq.count;
			struct symbol sym = {false, inner};
			PUSH(&seq, sym);
		} else if (is_name(c)) {
			char text[MAX_NAME];
			if (!name(p, text))
				break;
			last = seq.count;
			struct symbol sym = {false, rule_named(g, text)};
			PUSH(&seq, sym);
		} else if (c == '*' || c == '+' || c == '?' || c == '{') {
			uint32_t min = c == '+', max = c == '?';
			if (last == seq.count) {
				p->why = "nothing to repeat";
				break;
			}
			p->at++;
			bool none = false;
			if (c == '{') {
				min = max = number(p);
				if (look(p) == ',') {
					p->at++;
					max = look(p) == '}' ? 0 : number(p);
					none = max == 0 && p->text.ptr[p->at - 1] == '0';
				} else {
					none = max == 0;
				}
				if (look(p) != '}')
					p->why = "a repetition does not end";
				p->at++;
				if (max && max < min)
					p->why = "a repetition is backwards";
			}
			if (none) {
				seq.count = last;
				continue;
			}
			struct symbol sym = repeat(g, seq.items + last, seq.count - last, min, max);
			seq.count = last;
			PUSH(&seq, sym);
			last = seq.count;
		} else {
			break;
		}
		blanks(p, nested);
	}
	produce(g, rule, seq.items, seq.count);
	free(seq.items);
}

static void alternates(struct parser *p, uint32_t rule, bool nested)
{
	sequence(p, rule, nested);
	while (!p->why && look(p) == '|') {
		p->at++;
		blanks(p, true);
		sequence(p, rule, nested);
	}
}

static int by_rule(const void *a, const void *b)
{
	const struct production *x = a, *y = b;
	return x->rule != y->rule ? (x->rule < y->rule ? -1 : 1) : x->first < y->first ? -1 : x->first > y->first;
}

/* Can the rule begin with itself? Repetitions of ours do; those of the text may not. */
static bool left_recursive(const struct gbnf *g, uint32_t start, uint8_t *state, uint32_t at)
{
	state[at] = 1;
	const struct rule *r = &g->rules.items[at];
	bool found = false;
	for (uint32_t i = r->first; i < r->first + r->count && !found; i++) {
		const struct production *p = &g->productions.items[i];
		for (uint32_t k = 0; k < p->len && !found; k++) {
			struct symbol s = g->symbols.items[p->first + k];
			if (s.terminal)
				break;
			if (s.id == start && r->name[0])
				return true;
			if (s.id != at && state[s.id] == 0)
				found = left_recursive(g, start, state, s.id);
			if (!g->rules.items[s.id].nullable)
				break;
		}
	}
	return found;
}

static void finish(struct gbnf *g, const char **why)
{
	qsort(g->productions.items, g->productions.count, sizeof *g->productions.items, by_rule);
	for (uint32_t i = 0; i < g->productions.count; i++) {
		struct rule *r = &g->rules.items[g->productions.items[i].rule];
		r->first = r->count ? r->first : i;
		r->count++;
	}
	for (uint32_t i = 0; i < g->rules.count; i++)
		g->rules.items[i].height = UINT32_MAX;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < g->productions.count; i++) {
			const struct production *p = &g->productions.items[i];
			uint32_t height = 0;
			bool nullable = true;
			for (uint32_t k = 0; k < p->len; k++) {
				struct symbol s = g->symbols.items[p->first + k];
				if (s.terminal) {
					nullable = false;
					continue;
				}
				nullable = nullable && g->rules.items[s.id].nullable;
				uint32_t h = g->rules.items[s.id].height;
				height = h > height ? h : height;
			}
			struct rule *r = &g->rules.items[p->rule];
			if (height != UINT32_MAX && height + 1 < r->height) {
				r->height = height + 1;
				more = true;
			}
			if (nullable && !r->nullable) {
				r->nullable = true;
				more = true;
			}
		}
	}
	uint8_t *state = calloc(g->rules.count, 1);
	for (uint32_t i = 0; i < g->rules.count && !*why; i++) {
		if (!g->rules.items[i].defined)
			*why = "a rule is used and not defined";
		else if (g->rules.items[i].height == UINT32_MAX)
			*why = "a rule has no sentence";
		if (g->rules.items[i].name[0]) {
			memset(state, 0, g->rules.count);
			if (left_recursive(g, i, state, i))
				*why = "a rule is left recursive";
		}
	}
	free(state);
}

struct gbnf *gbnf_parse(struct sj_slice text, const char **why, uint32_t *line)
{
	struct gbnf *g = calloc(1, sizeof *g);
	struct parser p = {.g = g, .text = text};
	*why = NULL;
	for (blanks(&p, true); p.at < text.len && !p.why; blanks(&p, true)) {
		char text_name[MAX_NAME];
		if (!name(&p, text_name)) {
			p.why = "a rule has no name";
			break;
		}
		blanks(&p, false);
		if (p.at + 3 > text.len || memcmp(text.ptr + p.at, "::=", 3) != 0) {
			p.why = "::= is missing";
			break;
		}
		p.at += 3;
		blanks(&p, true);
		uint32_t r = rule_named(g, text_name);
		if (g->rules.items[r].defined)
			p.why = "a rule is defined twice";
		g->rules.items[r].defined = true;
		alternates(&p, r, false);
		if (!p.why && look(&p) != '\n' && look(&p) >= 0)
			p.why = "a line goes on with something else";
	}
	*line = 1;
	for (size_t i = 0; i < p.at && i < text.len; i++)
		*line += text.ptr[i] == '\n';
	*why = p.why;
	if (!*why)
		finish(g, why);
	g->root = rule_named(g, "root");
	if (!*why && !g->rules.items[g->root].defined)
		*why = "there is no root";
	if (*why) {
		gbnf_free(g);
		return NULL;
	}
	return g;
}

void gbnf_free(struct gbnf *g)
{
	free(g->sets.items);
	free(g->symbols.items);
	free(g->productions.items);
	free(g->rules.items);
	free(g->named.items);
	free(g);
}

uint32_t gbnf_rules(const struct gbnf *g)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < g->rules.count; i++)
		n += g->rules.items[i].name[0] != 0;
	return n;
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

static bool in_set(const struct set *s, uint32_t c)
{
	bool in = false;
	for (uint32_t i = 0; i < s->n && !in; i++)
		in = c >= s->from[i] && c <= s->to[i];
	return in != s->negated;
}

static uint32_t pick(const struct set *s, uint64_t *seed)
{
	/* Characters that have hurt somebody, then any. */
	static const uint32_t odd[] = {' ', 'a', '$', '{', '}', '/', '~', '@', '<', 0x80, 0xe9, 0x2028, 0x202e, 0xfeff,
	                               0xfffd, 0x1f600, 0x10ffff};
	if (!s->negated) {
		uint32_t i = test_random(seed, s->n);
		return s->from[i] + test_random(seed, s->to[i] - s->from[i] + 1);
	}
	for (;;) {
		uint32_t c = test_random(seed, 3) ? 0x20 + test_random(seed, 0x5f)
		             : test_random(seed, 2) ? odd[test_random(seed, sizeof odd / sizeof *odd)]
		                                    : test_random(seed, 0x110000);
		if (in_set(s, c) && !(c >= 0xd800 && c <= 0xdfff))
			return c;
	}
}

static uint32_t tallest(const struct gbnf *g, const struct production *p)
{
	uint32_t height = 0;
	for (uint32_t k = 0; k < p->len; k++) {
		struct symbol s = g->symbols.items[p->first + k];
		if (!s.terminal && g->rules.items[s.id].height > height)
			height = g->rules.items[s.id].height;
	}
	return height;
}

void gbnf_random(const struct gbnf *g, uint64_t *seed, uint32_t budget, struct sj_buf *out)
{
	VEC(struct symbol) stack = {0};
	struct symbol root = {false, g->root};
	uint32_t steps = 0;
	PUSH(&stack, root);
	while (stack.count > 0) {
		struct symbol s = stack.items[--stack.count];
		if (s.terminal) {
			sj_buf_code(out, pick(&g->sets.items[s.id], seed));
			continue;
		}
		const struct rule *r = &g->rules.items[s.id];
		const struct production *p = &g->productions.items[r->first + test_random(seed, r->count)];
		if (++steps > budget)
			for (uint32_t i = 0; i < r->count; i++)
				if (tallest(g, &g->productions.items[r->first + i]) < tallest(g, p))
					p = &g->productions.items[r->first + i];
		for (uint32_t k = p->len; k > 0; k--)
			PUSH(&stack, g->symbols.items[p->first + k - 1]);
	}
	free(stack.items);
}

/* ---- recognising ------------------------------------------------------------------------------------------------- */

struct item {
	uint32_t production, dot, origin;
};
struct column {
	VEC(struct item) items;
	uint32_t *slots, mask; /* item index + 1 */
};

static void grow(struct column *c)
{
	uint32_t size = c->mask ? (c->mask + 1) * 2 : 256;
	free(c->slots);
	c->slots = calloc(size, sizeof *c->slots);
	c->mask = size - 1;
	for (uint32_t i = 0; i < c->items.count; i++) {
		const struct item *x = &c->items.items[i];
		uint32_t h = (x->production * 0x9e3779b1u ^ x->dot * 0x85ebca6bu ^ x->origin * 0xc2b2ae35u);
		for (h ^= h >> 15; c->slots[h & c->mask]; h++)
			continue;
		c->slots[h & c->mask] = i + 1;
	}
}

static void add(struct column *c, struct item x)
{
	if (!c->mask || c->items.count * 2 > c->mask)
		grow(c);
	uint32_t h = (x.production * 0x9e3779b1u ^ x.dot * 0x85ebca6bu ^ x.origin * 0xc2b2ae35u);
	for (h ^= h >> 15; c->slots[h & c->mask]; h++) {
		const struct item *y = &c->items.items[c->slots[h & c->mask] - 1];
		if (y->production == x.production && y->dot == x.dot && y->origin == x.origin)
			return;
	}
	PUSH(&c->items, x);
	c->slots[h & c->mask] = c->items.count;
}

size_t gbnf_match(const struct gbnf *g, struct sj_slice text, bool *whole)
{
	VEC(struct column) columns = {0};
	struct column empty = {0};
	size_t at = 0, good = 0;
	const struct rule *root = &g->rules.items[g->root];
	*whole = false;
	PUSH(&columns, empty);
	for (uint32_t i = 0; i < root->count; i++)
		add(&columns.items[0], (struct item){root->first + i, 0, 0});
	for (uint32_t n = 0;; n++) {
		for (uint32_t i = 0; i < columns.items[n].items.count; i++) {
			struct item x = columns.items[n].items.items[i];
			const struct production *p = &g->productions.items[x.production];
			if (x.dot == p->len) { /* whoever waited for the rule goes on */
				struct column *from = &columns.items[x.origin];
				for (uint32_t k = 0; k < from->items.count; k++) {
					struct item y = from->items.items[k];
					const struct production *q = &g->productions.items[y.production];
					struct symbol s = y.dot < q->len ? g->symbols.items[q->first + y.dot]
					                                 : (struct symbol){true, 0};
					if (y.dot < q->len && !s.terminal && s.id == p->rule) {
						y.dot++;
						add(&columns.items[n], y);
						from = &columns.items[x.origin];
					}
				}
				continue;
			}
			struct symbol s = g->symbols.items[p->first + x.dot];
			if (s.terminal)
				continue;
			const struct rule *r = &g->rules.items[s.id];
			for (uint32_t k = 0; k < r->count; k++)
				add(&columns.items[n], (struct item){r->first + k, 0, n});
			if (r->nullable) {
				x.dot++;
				add(&columns.items[n], x);
			}
		}
		if (at == text.len)
			break;
		size_t next = at;
		uint32_t c = sj_utf8_next(text, &next);
		PUSH(&columns, empty);
		struct column *from = &columns.items[n], *to = &columns.items[n + 1];
		for (uint32_t i = 0; i < from->items.count; i++) {
			struct item x = from->items.items[i];
			const struct production *p = &g->productions.items[x.production];
			if (x.dot == p->len)
				continue;
			struct symbol s = g->symbols.items[p->first + x.dot];
			if (s.terminal && in_set(&g->sets.items[s.id], c)) {
				x.dot++;
				add(to, x);
			}
		}
		if (to->items.count == 0)
			break;
		good = at = next;
	}
	const struct column *last = &columns.items[columns.count - 1];
	for (uint32_t i = 0; i < last->items.count && good == text.len; i++) {
		struct item x = last->items.items[i];
		*whole = *whole || (x.origin == 0 && g->productions.items[x.production].rule == g->root &&
		                    x.dot == g->productions.items[x.production].len);
	}
	for (uint32_t i = 0; i < columns.count; i++) {
		free(columns.items[i].items.items);
		free(columns.items[i].slots);
	}
	free(columns.items);
	return good;
}
