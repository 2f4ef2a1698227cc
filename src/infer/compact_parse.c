/* Expressions and statements of Express; the expressions are Elemental's too. One loop over the open brackets, no
 * recursion. What is mended here is what models get wrong: commas, brackets, = and :, words around the notation. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "infer/compact.h"

/* ---- the program ------------------------------------------------------------------------------------------------- */

void sj_program_init(struct sj_program *p, struct sj_mem *mem, struct sj_repairs *repairs, struct sj_diag *diag)
{
	*p = (struct sj_program){.mem = mem, .repairs = repairs, .diag = diag};
	sj_arena_init(&p->arena, mem, 0);
}

void sj_program_finish(struct sj_program *p)
{
	sj_arena_finish(&p->arena);
	SJ_VEC_FREE(p->mem, &p->nodes);
	SJ_VEC_FREE(p->mem, &p->stmts);
	SJ_VEC_FREE(p->mem, &p->open);
}

static enum sj_status limit(struct sj_program *p, const struct sj_cnode *n, uint32_t most, const char *what)
{
	if (p->diag && p->diag->code == SJ_E_NONE) {
		p->diag->line = n->line;
		p->diag->offset = n->off;
	}
	return sj_diag_set(p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "more than %u %s", most, what);
}

enum sj_status sj_program_add(struct sj_program *p, const struct sj_cnode *node, bool opens)
{
	const struct sj_limits *l = &SJ_LIMITS_DEFAULT;
	struct sj_cnode *parent = p->open.count ? &p->nodes.items[p->open.items[p->open.count - 1]] : NULL;
	bool call = parent && (parent->kind == SJ_N_CALL || parent->kind == SJ_N_CHECK);
	if (p->nodes.count >= l->json_values)
		return limit(p, node, l->json_values, "values in one block");
	if (call && !node->element && parent->count >= l->call_args)
		return limit(p, node, l->call_args, "arguments of one call");
	if (opens && p->open.count >= l->json_depth)
		return limit(p, node, l->json_depth, "levels of nesting");
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->nodes, p->nodes.count + 1, 0);
	if (st == SJ_OK && opens)
		st = SJ_VEC_RESERVE(p->mem, &p->open, p->open.count + 1, 0);
	if (st != SJ_OK)
		return st;
	if (p->open.count)
		p->nodes.items[p->open.items[p->open.count - 1]].count++;
	uint32_t at = p->nodes.count++;
	p->nodes.items[at] = *node;
	p->nodes.items[at].end = at + 1;
	if (opens)
		p->open.items[p->open.count++] = at;
	return SJ_OK;
}

void sj_program_close(struct sj_program *p)
{
	p->nodes.items[p->open.items[--p->open.count]].end = p->nodes.count;
}

enum sj_status sj_program_state(struct sj_program *p, enum sj_cstmt_kind kind, struct sj_slice name, uint32_t node,
                                uint32_t line, uint64_t off)
{
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->stmts, p->stmts.count + 1, 0);
	if (st == SJ_OK)
		p->stmts.items[p->stmts.count++] =
			(struct sj_cstmt){.kind = kind, .name = name, .node = node, .line = line, .off = off};
	return st;
}

enum sj_status sj_compact_fault(struct sj_diag *d, enum sj_category cat, uint32_t line, uint64_t off,
                                const char *format, ...)
{
	char text[400];
	va_list args;
	enum sj_code code = cat == SJ_CAT_PARSE ? SJ_E_JSON_SYNTAX : SJ_E_VALIDATION_FAILED;
	if (!d || d->code != SJ_E_NONE)
		return SJ_INVALID;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	d->line = line;
	d->offset = off;
	return sj_diag_set(d, SJ_INVALID, code, cat, "%s", text);
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static enum sj_status fault_at(struct sj_lexer *x, const struct sj_ctoken *t, const char *wanted)
{
	uint32_t line = x->base_line + t->line;
	uint64_t off = x->base + t->off;
	size_t len = t->end - t->off < 40 ? t->end - t->off : 40;
	if (t->kind == SJ_T_FAULT)
		return sj_compact_fault(x->p->diag, SJ_CAT_PARSE, line, off, "%.*s", SJ_ARG(t->text));
	if (t->kind == SJ_T_END)
		return sj_compact_fault(x->p->diag, SJ_CAT_PARSE, line, off, "expected %s, but the text ends", wanted);
	return sj_compact_fault(x->p->diag, SJ_CAT_PARSE, line, off, "expected %s, found '%.*s'", wanted, (int)len,
	                        x->text.ptr + t->off);
}

static enum sj_status note(struct sj_lexer *x, enum sj_repair_kind kind, const struct sj_ctoken *t, const char *text)
{
	return sj_repair_note(x->p->mem, x->p->repairs, kind, x->base_line + t->line, x->base + t->off, x->p->diag,
	                      "%s", text);
}

static bool is(const struct sj_ctoken *t, char c) { return t->kind == SJ_T_PUNCT && t->punct == c; }

static bool parenthesis(const struct sj_cnode *n) { return n->kind == SJ_N_CALL || n->kind == SJ_N_CHECK; }

static uint32_t *counter(struct sj_lexer *x, const struct sj_cnode *n)
{
	return parenthesis(n) ? &x->open_round : n->kind == SJ_N_ARRAY ? &x->open_square : &x->open_curly;
}

static void shut(struct sj_lexer *x)
{
	struct sj_program *p = x->p;
	--*counter(x, &p->nodes.items[p->open.items[p->open.count - 1]]);
	sj_program_close(p);
}

static enum sj_status open_node(struct sj_lexer *x, const struct sj_cnode *n)
{
	enum sj_status st = sj_program_add(x->p, n, true);
	if (st == SJ_OK)
		++*counter(x, n);
	return st;
}

/* Words that stand for values. */
static const struct word { const char *text; enum sj_cnode_kind kind; bool usual;
} words[] = {
	{"true", SJ_N_TRUE, true},    {"false", SJ_N_FALSE, true},  {"null", SJ_N_NULL, true},
	{"_", SJ_N_SKIP, true},       {"True", SJ_N_TRUE, false},   {"False", SJ_N_FALSE, false},
	{"None", SJ_N_NULL, false},   {"TRUE", SJ_N_TRUE, false},   {"FALSE", SJ_N_FALSE, false},
	{"NULL", SJ_N_NULL, false},   {"undefined", SJ_N_NULL, false},
};

static const struct word *word_of(struct sj_slice s)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(s, words[i].text))
			return &words[i];
	return NULL;
}

bool sj_compact_is_word(struct sj_slice s) { return word_of(s) != NULL; }

static enum sj_status check_value(struct sj_lexer *x, struct sj_cnode n)
{
	enum sj_status st = sj_lexer_step(x);
	n.kind = SJ_N_CHECK;
	if (st != SJ_OK)
		return st;
	if (x->cur.kind == SJ_T_PATH) {
		struct sj_cnode path = n;
		path.kind = SJ_N_PATH;
		path.text = x->cur.text;
		path.key = SJ_NO_SLICE;
		st = sj_program_add(x->p, &n, true);
		if (st == SJ_OK)
			st = sj_program_add(x->p, &path, false);
		if (st != SJ_OK)
			return st;
		sj_program_close(x->p);
		return sj_lexer_step(x);
	}
	if (x->cur.kind != SJ_T_IDENT)
		return fault_at(x, &x->cur, "the name of a function after '?'");
	n.text = x->cur.text;
	st = sj_lexer_step(x);
	if (st == SJ_OK && is(&x->cur, '(')) {
		st = open_node(x, &n);
		return st == SJ_OK ? sj_lexer_step(x) : st;
	}
	return st == SJ_OK ? sj_program_add(x->p, &n, false) : st;
}

/* One value from cur on; a container is opened only. */
static enum sj_status begin_value(struct sj_lexer *x, struct sj_slice key)
{
	struct sj_ctoken t = x->cur;
	struct sj_cnode n = {.line = x->base_line + t.line, .off = x->base + t.off, .key = key, .text = t.text};
	const struct word *w;
	enum sj_status st = SJ_OK;
	bool opens = false;
	switch (t.kind) {
	case SJ_T_STRING:
		n.kind = SJ_N_STRING;
		break;
	case SJ_T_NUMBER:
		n.kind = SJ_N_NUMBER;
		n.number = t.number;
		break;
	case SJ_T_PATH:
		n.kind = SJ_N_PATH;
		break;
	case SJ_T_IDENT:
		w = word_of(t.text);
		opens = is(&x->next, '(');
		n.kind = opens ? SJ_N_CALL : w ? (uint8_t)w->kind : x->expression ? SJ_N_PATH : SJ_N_REF;
		if (w && !opens && !w->usual)
			st = note(x, SJ_REPAIR_LITERAL, &t, "a word was read as the value it means elsewhere");
		if (opens && st == SJ_OK)
			st = sj_lexer_step(x);
		break;
	case SJ_T_PUNCT:
		if (t.punct == '?')
			return check_value(x, n);
		if (t.punct != '[' && t.punct != '{')
			return fault_at(x, &t, "a value");
		n.kind = t.punct == '[' ? SJ_N_ARRAY : SJ_N_OBJECT;
		opens = true;
		break;
	case SJ_T_END:
	case SJ_T_FAULT:
	default:
		return fault_at(x, &t, "a value");
	}
	if (st == SJ_OK)
		st = opens ? open_node(x, &n) : sj_program_add(x->p, &n, false);
	return st == SJ_OK ? sj_lexer_step(x) : st;
}

/* A statement begins here although brackets are open: a line that starts no further right than the statement did. */
static bool begins_statement(const struct sj_lexer *x, const struct sj_cnode *top, bool after)
{
	const struct sj_ctoken *t = &x->cur;
	if (x->expression || !t->first_on_line || t->column > x->statement_column)
		return false;
	if (!after && top->kind != SJ_N_ARRAY)
		return false;
	if (t->kind == SJ_T_IDENT)
		return is(&x->next, '=') || (after && is(&x->next, '('));
	return (t->kind == SJ_T_PATH || t->kind == SJ_T_STRING) && is(&x->next, '=');
}

static enum sj_status close_rest(struct sj_lexer *x, uint32_t base)
{
	enum sj_status st = note(x, SJ_REPAIR_UNCLOSED, &x->cur, "brackets were closed where the statement ends");
	while (x->p->open.count > base)
		shut(x);
	return st;
}

/* ')', ']' or '}' while something is open. */
static enum sj_status closing(struct sj_lexer *x, const struct sj_cnode *top)
{
	char c = x->cur.punct;
	char own = parenthesis(top) ? ')' : top->kind == SJ_N_ARRAY ? ']' : '}';
	enum sj_status st;
	if (c == own) {
		shut(x);
		return sj_lexer_step(x);
	}
	uint32_t others = c == ')' ? x->open_round : c == ']' ? x->open_square : x->open_curly;
	if (others > 0) {
		st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "a missing closing bracket was added");
		shut(x);
		return st;
	}
	st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "a closing bracket without its opening one was left out");
	return st == SJ_OK ? sj_lexer_step(x) : st;
}

/* The key before a value, if there is one. */
static enum sj_status read_key(struct sj_lexer *x, const struct sj_cnode *top, struct sj_slice *key)
{
	const struct sj_ctoken *t = &x->cur;
	bool map = top->kind == SJ_N_OBJECT, colon = is(&x->next, ':'), equals = is(&x->next, '=');
	bool named = t->kind == SJ_T_IDENT || t->kind == SJ_T_STRING || (map && t->kind == SJ_T_NUMBER);
	*key = SJ_NO_SLICE;
	if (!named || (!colon && !equals)) {
		if (map)
			return fault_at(x, named ? &x->next : t, named ? "':' after a key" : "a key");
		return SJ_OK;
	}
	*key = t->text.ptr ? t->text : SJ_LIT("");
	bool wants_colon = map || x->expression;
	enum sj_status st = SJ_OK;
	if (wants_colon != colon)
		st = note(x, SJ_REPAIR_SYNTAX, &x->next, colon ? "':' was read as '='" : "'=' was read as ':'");
	else if (t->kind == SJ_T_NUMBER || (!map && t->kind == SJ_T_STRING))
		st = note(x, SJ_REPAIR_SYNTAX, t, "a key was read in another spelling");
	if (st == SJ_OK)
		st = sj_lexer_step(x);
	return st == SJ_OK ? sj_lexer_step(x) : st;
}

static enum sj_status empty_place(struct sj_lexer *x, bool call)
{
	enum sj_status st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "nothing stands between two commas");
	struct sj_cnode skip = {.kind = SJ_N_SKIP, .line = x->base_line + x->cur.line, .off = x->base + x->cur.off};
	return st == SJ_OK && call ? sj_program_add(x->p, &skip, false) : st;
}

enum sj_status sj_compact_value(struct sj_lexer *x, struct sj_slice key)
{
	struct sj_program *p = x->p;
	uint32_t base = p->open.count;
	enum sj_status st = begin_value(x, key);
	bool after = false; /* a value was read, a comma comes */
	while (st == SJ_OK && p->open.count > base) {
		uint32_t depth = p->open.count;
		const struct sj_cnode top = p->nodes.items[p->open.items[depth - 1]];
		if (x->cur.kind == SJ_T_END || begins_statement(x, &top, after)) {
			st = close_rest(x, base);
		} else if (is(&x->cur, ')') || is(&x->cur, ']') || is(&x->cur, '}')) {
			st = closing(x, &top);
			after = after || p->open.count < depth;
		} else if (is(&x->cur, ',')) {
			st = after ? SJ_OK : empty_place(x, parenthesis(&top));
			after = false;
			if (st == SJ_OK)
				st = sj_lexer_step(x);
		} else {
			if (after && x->cur.kind != SJ_T_FAULT)
				st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "a missing comma was added");
			struct sj_slice name = SJ_NO_SLICE;
			if (st == SJ_OK && top.kind != SJ_N_ARRAY)
				st = read_key(x, &top, &name);
			if (st == SJ_OK)
				st = begin_value(x, name);
			after = p->open.count == depth;
		}
	}
	return st;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static enum sj_status assignment(struct sj_lexer *x, enum sj_cstmt_kind kind)
{
	struct sj_ctoken t = x->cur;
	enum sj_status st = SJ_OK;
	bool mended = !is(&x->next, '=');
	if (t.kind == SJ_T_IDENT && word_of(t.text))
		return fault_at(x, &t, "a name");
	st = sj_lexer_step(x);
	if (st == SJ_OK && mended)
		st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "':' was read as '='");
	bool walrus = is(&x->cur, ':') && is(&x->next, '=');
	for (int i = walrus ? 2 : 1; i > 0 && st == SJ_OK; i--)
		st = sj_lexer_step(x);
	if (st == SJ_OK && mended && !walrus && (x->cur.first_on_line || x->cur.kind == SJ_T_END))
		return fault_at(x, &x->cur, "a value after ':'");
	uint32_t node = x->p->nodes.count;
	if (st == SJ_OK)
		st = sj_compact_value(x, SJ_NO_SLICE);
	if (st == SJ_OK)
		st = sj_program_state(x->p, kind, t.text.ptr ? t.text : SJ_LIT(""), node, x->base_line + t.line,
		                      x->base + t.off);
	return st;
}

/* Words that are no statement: kept back until it is known that they stand around the notation and not in it. */
struct prose {
	bool after; /* some came after a statement */
	struct sj_ctoken first;
};

static enum sj_status skip_prose(struct sj_lexer *x, struct prose *words_around)
{
	struct sj_ctoken t = x->cur;
	if (x->p->stmts.count > 0 && !words_around->after) {
		words_around->after = true;
		words_around->first = t;
	}
	enum sj_status st = x->p->stmts.count > 0 ? SJ_OK
	                                          : note(x, SJ_REPAIR_TEXT_AROUND, &t, "a line of words was left out");
	return st == SJ_OK ? sj_lexer_skip_line(x) : st;
}

static bool declares(const struct sj_lexer *x)
{
	return x->cur.kind == SJ_T_IDENT && x->next.kind == SJ_T_IDENT && !x->next.first_on_line &&
	       (sj_slice_is(x->cur.text, "let") || sj_slice_is(x->cur.text, "const") ||
	        sj_slice_is(x->cur.text, "var"));
}

static enum sj_status statement(struct sj_lexer *x, struct prose *words_around)
{
	enum sj_status st = SJ_OK;
	if (x->cur.kind == SJ_T_PUNCT && strchr(")]},", x->cur.punct) && x->cur.punct) {
		st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "a stray closing bracket or comma was left out");
		return st == SJ_OK ? sj_lexer_step(x) : st;
	}
	if (declares(x)) {
		st = note(x, SJ_REPAIR_SYNTAX, &x->cur, "a declaring word before a name was left out");
		if (st == SJ_OK)
			st = sj_lexer_step(x);
		if (st != SJ_OK)
			return st;
	}
	bool named = x->cur.kind == SJ_T_IDENT || x->cur.kind == SJ_T_STRING, path = x->cur.kind == SJ_T_PATH;
	bool assigns = (named || path) && (is(&x->next, '=') || (is(&x->next, ':') && !x->next.first_on_line));
	bool calls = x->cur.kind == SJ_T_IDENT && is(&x->next, '(');
	if (x->cur.kind == SJ_T_FAULT)
		return fault_at(x, &x->cur, "a statement");
	if (!assigns && !calls)
		return skip_prose(x, words_around);
	if (words_around->after)
		return fault_at(x, &words_around->first, "a statement");
	x->statement_column = x->cur.column;
	if (assigns)
		return assignment(x, path ? SJ_S_DATA : SJ_S_ASSIGN);
	struct sj_ctoken t = x->cur;
	uint32_t node = x->p->nodes.count;
	st = sj_compact_value(x, SJ_NO_SLICE);
	return st == SJ_OK ? sj_program_state(x->p, SJ_S_CALL, SJ_NO_SLICE, node, x->base_line + t.line,
	                                      x->base + t.off)
	                   : st;
}

enum sj_status sj_express_parse(struct sj_program *p, struct sj_slice text)
{
	struct sj_lexer x;
	struct prose words_around = {0};
	uint32_t mended = p->repairs->list.count;
	if (text.len > SJ_LIMITS_DEFAULT.message_bytes)
		return sj_diag_set(p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "a block is too long");
	enum sj_status st = sj_lexer_init(&x, p, text, 0, 0, false);
	while (st == SJ_OK && x.cur.kind != SJ_T_END)
		st = statement(&x, &words_around);
	if (st == SJ_OK && p->stmts.count == 0) {
		p->repairs->list.count = mended; /* nothing was mended: there is nothing here */
		return sj_compact_fault(p->diag, SJ_CAT_PARSE, 1, 0, "the block holds no statement");
	}
	if (st == SJ_OK && words_around.after)
		st = note(&x, SJ_REPAIR_TEXT_AROUND, &words_around.first,
		          "words behind the last statement were left out");
	return st;
}
