/* Nodes as a GBNF grammar, in the dialect of llama.cpp. Every rule is right-linear where it repeats, so nothing is left
 * recursive, and an optional member costs one rule. */
#include "infer/grammar_gbnf.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void flush(struct sj_g_gbnf *p)
{
	if (p->pending.len == 0)
		return;
	sj_buf_puts(p->out, p->gap ? " \"" : "\"");
	for (size_t i = 0; i < p->pending.len; i++) {
		unsigned char c = (unsigned char)p->pending.ptr[i];
		if (c == '"' || c == '\\')
			sj_buf_printf(p->out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			sj_buf_printf(p->out, "\\x%02X", c);
		else
			sj_buf_putc(p->out, (char)c);
	}
	sj_buf_putc(p->out, '"');
	sj_buf_clear(&p->pending);
	p->gap = true;
}

void sj_g_put(struct sj_g_gbnf *p, struct sj_slice text)
{
	sj_buf_slice(&p->pending, text);
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(&p->pending);
}

static void put(struct sj_g_gbnf *p, const char *text) { sj_g_put(p, sj_slice_of(text)); }

void sj_g_raw(struct sj_g_gbnf *p, const char *text)
{
	flush(p);
	if (p->gap)
		sj_buf_putc(p->out, ' ');
	sj_buf_puts(p->out, text);
	p->gap = true;
}

void sj_g_rawf(struct sj_g_gbnf *p, const char *format, ...)
{
	char text[64];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	sj_g_raw(p, text);
}

void sj_g_space(struct sj_g_gbnf *p)
{
	if (p->g->opt.compact)
		return;
	p->space = true;
	sj_g_raw(p, "ws");
}

static void comma(struct sj_g_gbnf *p)
{
	put(p, ",");
	sj_g_space(p);
}

void sj_g_begin(struct sj_g_gbnf *p, struct sj_g_kept *kept, const char *format, ...)
{
	char name[64];
	va_list ap;
	va_start(ap, format);
	vsnprintf(name, sizeof name, format, ap);
	va_end(ap);
	*kept = (struct sj_g_kept){.out = p->out, .pending = p->pending, .gap = p->gap};
	sj_buf_init(&kept->own, p->g->mem, 0);
	sj_buf_init(&p->pending, p->g->mem, 0);
	p->out = &kept->own;
	sj_buf_puts(p->out, name);
	sj_buf_puts(p->out, " ::=");
	p->gap = true;
}

void sj_g_end(struct sj_g_gbnf *p, struct sj_g_kept *kept)
{
	flush(p);
	sj_buf_putc(p->out, '\n');
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(p->out);
	if (sj_buf_status(p->out) == SJ_OK)
		sj_buf_slice(&p->extra, sj_buf_view(p->out));
	if (p->g->opt.max_bytes && p->extra.len > p->g->opt.max_bytes && p->g->status == SJ_OK)
		p->g->status = SJ_LIMIT;
	sj_buf_finish(&kept->own);
	sj_buf_finish(&p->pending);
	p->out = kept->out;
	p->pending = kept->pending;
	p->gap = kept->gap;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

void sj_g_key(struct sj_g_gbnf *p, struct sj_slice name)
{
	struct sj_buf text;
	sj_buf_init(&text, p->g->mem, 0);
	sj_json_print_string(&text, name);
	sj_buf_putc(&text, ':');
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(&text);
	if (sj_buf_status(&text) == SJ_OK)
		sj_g_put(p, sj_buf_view(&text));
	sj_buf_finish(&text);
	sj_g_space(p);
}

static void member(struct sj_g_gbnf *p, const struct sj_g_member *m)
{
	sj_g_key(p, m->name);
	sj_g_node_put(p, m->value);
}

/* Members of which none is required: `first` of a chain of rules, each of which begins at one member. */
static void optional_chain(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	uint32_t number = ++p->serial;
	for (uint32_t i = 0; i < node->n; i++) {
		struct sj_g_kept kept;
		sj_g_begin(p, &kept, "o%u-%u", number, i);
		member(p, &node->members[i]);
		if (i + 1 < node->n) {
			sj_g_raw(p, "(");
			comma(p);
			sj_g_rawf(p, "o%u-%u )?", number, i + 1);
			sj_g_rawf(p, "| o%u-%u", number, i + 1);
		}
		sj_g_end(p, &kept);
	}
	sj_g_rawf(p, "o%u-0", number);
}

static void optional_members(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	for (uint32_t i = 0; i < node->n; i++) {
		if (node->members[i].required)
			continue;
		sj_g_raw(p, "(");
		comma(p);
		member(p, &node->members[i]);
		sj_g_raw(p, ")?");
	}
}

/* From after the opening bracket to the closing one. */
static void members(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	uint32_t written = 0;
	for (uint32_t i = 0; i < node->n; i++) {
		if (!node->members[i].required)
			continue;
		if (written++)
			comma(p);
		member(p, &node->members[i]);
	}
	if (written == 0 && node->n > 0) {
		sj_g_raw(p, "(");
		optional_chain(p, node);
		sj_g_space(p);
		sj_g_raw(p, ")?");
		put(p, "}");
		return;
	}
	optional_members(p, node);
	if (written)
		sj_g_space(p);
	put(p, "}");
}

void sj_g_members(struct sj_g_gbnf *p, const struct sj_g_node *object, bool first)
{
	for (uint32_t i = 0; i < object->n; i++) {
		if (!object->members[i].required)
			continue;
		if (!first)
			comma(p);
		first = false;
		member(p, &object->members[i]);
	}
	optional_members(p, object);
}

static bool is_mark(const struct sj_g_node *node, struct sj_slice key)
{
	return node->no_marks &&
	       (sj_slice_is(key, "path") || sj_slice_is(key, "call") || (key.len > 0 && key.ptr[0] == '@'));
}

/* The chain of rules for the members of such an object; one is written for each kind of value. */
static struct sj_g_chain chain_of(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyz"; /* and the capitals, one class */
	static const struct sj_slice marks[] = {{"call", 4}, {"path", 4}};
	struct sj_grammar *g = p->g;
	bool json = node->item->kind == SJ_G_JSON;
	struct sj_g_chain c = {.item = json ? NULL : node->item,
	                       .depth = !json                   ? 0
	                                : node->item->has_min ? (unsigned)node->item->min - 1
	                                                        : g->opt.value_depth,
	                       .no_marks = node->no_marks,
	                       .number = p->serial + 1};
	for (uint32_t i = 0; i < p->chains.count; i++) {
		const struct sj_g_chain *had = &p->chains.items[i];
		if (had->item == c.item && had->depth == c.depth && had->no_marks == c.no_marks)
			return *had;
	}
	enum sj_status st = SJ_VEC_RESERVE(g->mem, &p->chains, p->chains.count + 1, 0);
	if (st != SJ_OK) {
		g->status = st;
		return c;
	}
	p->serial++;
	uint32_t total = g->nkeys + (uint32_t)sizeof letters;
	while (c.first < g->nkeys && is_mark(node, g->keys[c.first]))
		c.first++;
	p->chains.items[p->chains.count++] = c;
	for (uint32_t i = c.first, next; i < total; i = next) {
		struct sj_g_kept kept;
		sj_g_begin(p, &kept, "m%u-%u", c.number, i);
		if (i < g->nkeys)
			sj_g_key(p, g->keys[i]);
		else
			sj_g_key_put(p, i + 1 == total ? 'A' : letters[i - g->nkeys], marks, node->no_marks ? 2 : 0);
		sj_g_node_put(p, node->item);
		for (next = i + 1; next < g->nkeys && is_mark(node, g->keys[next]);)
			next++;
		if (next < total) {
			sj_g_raw(p, "(");
			comma(p);
			sj_g_rawf(p, "m%u-%u )?", c.number, next);
			sj_g_rawf(p, "| m%u-%u", c.number, next);
		}
		sj_g_end(p, &kept);
	}
	return c;
}

/* Keys that have no name here: the known ones in order, then one for each first letter, so that none comes twice. A
 * free key is never a known one, nor, in a literal, one of those that make a binding or a call. */
static void free_object(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	struct sj_g_chain c = chain_of(p, node);
	put(p, "{");
	sj_g_space(p);
	sj_g_raw(p, "(");
	sj_g_rawf(p, "m%u-%u", c.number, c.first);
	sj_g_space(p);
	sj_g_raw(p, ")?");
	put(p, "}");
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Any JSON, as deep as the options allow; the same for literals of components, which are no binding and no call. */
static void value(struct sj_g_gbnf *p, unsigned depth, bool no_marks)
{
	const char *name = no_marks ? "literal" : "json";
	sj_g_rawf(p, "%s-%u", name, depth);
	if (p->values[no_marks][depth])
		return;
	p->values[no_marks][depth] = true;
	struct sj_g_kept kept;
	sj_g_begin(p, &kept, "%s-%u", name, depth);
	p->scalar = p->number = p->boolean = true;
	p->strings[SJ_G_STR_ANY] = true;
	sj_g_raw(p, "scalar");
	if (depth > 0) {
		struct sj_g_node item = {.kind = SJ_G_JSON, .no_marks = no_marks, .min = depth, .has_min = true};
		struct sj_g_node array = {.kind = SJ_G_ARRAY, .item = &item};
		struct sj_g_node object = {.kind = SJ_G_OBJECT, .item = &item, .no_marks = no_marks};
		sj_g_raw(p, "|");
		sj_g_node_put(p, &array);
		sj_g_raw(p, "|");
		sj_g_node_put(p, &object);
	}
	sj_g_end(p, &kept);
}

/* A node that is written more than once: what is more than a word gets a rule of its own. */
static void repeat_put(struct sj_g_gbnf *p, const struct sj_g_node *node, char name[24])
{
	bool is_long = node->kind == SJ_G_OBJECT || node->kind == SJ_G_ONE_OF || node->kind == SJ_G_ARRAY ||
	               node->kind == SJ_G_COMPONENT || node->kind == SJ_G_LIST;
	if (is_long && !name[0]) {
		struct sj_g_kept kept;
		snprintf(name, 24, "i%u", ++p->serial);
		sj_g_begin(p, &kept, "%s", name);
		sj_g_node_put(p, node);
		sj_g_end(p, &kept);
	}
	if (is_long)
		sj_g_raw(p, name);
	else
		sj_g_node_put(p, node);
}

static void array(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	char item[24] = "";
	uint32_t min = node->has_min ? (uint32_t)node->min : 0, max = node->has_max ? (uint32_t)node->max : UINT32_MAX;
	put(p, "[");
	if (max == 0) {
		sj_g_space(p);
		put(p, "]");
		return;
	}
	sj_g_space(p);
	if (min == 0)
		sj_g_raw(p, "(");
	repeat_put(p, node->item, item);
	uint32_t least = min > 0 ? min - 1 : 0;
	if (max > 1) {
		sj_g_raw(p, "(");
		comma(p);
		repeat_put(p, node->item, item);
		if (max == UINT32_MAX && least == 0)
			sj_g_raw(p, ")*");
		else if (max == UINT32_MAX)
			sj_g_rawf(p, "){%u,}", least);
		else
			sj_g_rawf(p, "){%u,%u}", least, max - 1);
	}
	sj_g_space(p);
	if (min == 0)
		sj_g_raw(p, ")?");
	put(p, "]");
}

static void list(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	char item[24] = "", last[24] = "";
	bool head = node->items[0]->kind != SJ_G_NEVER, tail = node->items[1]->kind != SJ_G_NEVER;
	bool more = node->item->kind != SJ_G_NEVER && node->max > 0;
	put(p, "[");
	sj_g_space(p);
	if (head) {
		sj_g_node_put(p, node->items[0]);
		if (node->items[2]->kind != SJ_G_NEVER) {
			comma(p);
			sj_g_node_put(p, node->items[2]);
		}
	} else if (more && tail) { /* either of them may be the first */
		sj_g_raw(p, "(");
		repeat_put(p, node->items[1], last);
		sj_g_raw(p, "|");
	}
	if (more) {
		uint32_t max = (uint32_t)node->max;
		if (head)
			sj_g_raw(p, "(");
		if (head)
			comma(p);
		repeat_put(p, node->item, item);
		if (head) {
			sj_g_rawf(p, "){0,%u}", max);
		} else if (max > 1) {
			sj_g_raw(p, "(");
			comma(p);
			repeat_put(p, node->item, item);
			sj_g_rawf(p, "){0,%u}", max - 1);
		}
	}
	if (tail && (head || more)) {
		sj_g_raw(p, "(");
		comma(p);
		repeat_put(p, node->items[1], last);
		sj_g_raw(p, ")?");
	} else if (tail) {
		repeat_put(p, node->items[1], last);
	}
	if (!head && more && tail)
		sj_g_raw(p, ")");
	sj_g_space(p);
	put(p, "]");
}

static void want(struct sj_g_gbnf *p, const struct sj_g_rule *r)
{
	if (p->wanted[r->index])
		return;
	p->wanted[r->index] = 1;
	enum sj_status st = SJ_VEC_RESERVE(p->g->mem, &p->queue, p->queue.count + 1, 0);
	if (st != SJ_OK)
		p->g->status = st;
	else
		p->queue.items[p->queue.count++] = r;
}

static void put_rule_name(struct sj_g_gbnf *p, const struct sj_g_rule *r)
{
	want(p, r);
	flush(p);
	if (p->gap)
		sj_buf_putc(p->out, ' ');
	sj_buf_slice(p->out, r->name);
	p->gap = true;
}

static void alternatives(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	for (uint32_t i = 0; i < node->n; i++) {
		if (i)
			sj_g_raw(p, "|");
		sj_g_node_put(p, node->items[i]);
	}
}

/* Recursion follows nodes in nodes, whose depth the maker bounds; rules break it. */
void sj_g_node_put(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	if (p->g->status != SJ_OK)
		return;
	switch ((enum sj_g_kind)node->kind) {
	case SJ_G_NEVER: break; /* never part of what is printed */
	case SJ_G_JSON:
		/* min: what is left of the depth, when it is inside of another. */
		value(p, node->has_min ? (unsigned)node->min - 1 : p->g->opt.value_depth, node->no_marks);
		break;
	case SJ_G_LITERAL: sj_g_put(p, node->text); break;
	case SJ_G_NULL: put(p, "null"); break;
	case SJ_G_BOOL:
		p->boolean = true;
		sj_g_raw(p, "boolean");
		break;
	case SJ_G_NUMBER: sj_g_number_put(p, node); break;
	case SJ_G_STRING: sj_g_string_put(p, node); break;
	case SJ_G_ARRAY: array(p, node); break;
	case SJ_G_OBJECT:
		if (node->n == 0 && node->item) {
			free_object(p, node);
			break;
		}
		put(p, "{");
		sj_g_space(p);
		members(p, node);
		break;
	case SJ_G_ONE_OF:
		sj_g_raw(p, "(");
		alternatives(p, node);
		sj_g_raw(p, ")");
		break;
	case SJ_G_RULE: put_rule_name(p, node->rule); break;
	case SJ_G_COMPONENT:
		put(p, "{");
		sj_g_space(p);
		sj_g_key(p, SJ_LIT("id"));
		sj_g_node_put(p, node->item);
		comma(p);
		if (node->n > 1)
			sj_g_raw(p, "(");
		alternatives(p, node);
		if (node->n > 1)
			sj_g_raw(p, ")");
		break;
	case SJ_G_LIST: list(p, node); break;
	case SJ_G_TREE: sj_g_tree_put(p, node->tree); break;
	}
}

static void tail_put(struct sj_g_gbnf *p, const struct sj_g_node *body)
{
	if (body->kind == SJ_G_OBJECT) {
		members(p, body);
		return;
	}
	for (uint32_t i = 0; body->kind == SJ_G_ONE_OF && i < body->n; i++) {
		if (i)
			sj_g_raw(p, "|");
		members(p, sj_g_open(body->items[i]));
	}
}

static void rule_put(struct sj_g_gbnf *p, const struct sj_g_rule *r)
{
	const struct sj_g_node *body = r->body ? r->body : &SJ_G_NOTHING;
	flush(p);
	sj_buf_slice(p->out, r->name);
	sj_buf_puts(p->out, " ::=");
	p->gap = true;
	if (r->is_tail)
		tail_put(p, body);
	else if (body->kind == SJ_G_ONE_OF)
		alternatives(p, body);
	else
		sj_g_node_put(p, body);
	flush(p);
	sj_buf_putc(p->out, '\n');
	p->gap = false;
	sj_buf_slice(p->out, sj_buf_view(&p->extra));
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(&p->extra);
	sj_buf_clear(&p->extra);
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(p->out);
	if (p->g->status == SJ_OK && p->out->len > p->g->opt.max_bytes)
		p->g->status = SJ_LIMIT;
}

enum sj_status sj_g_print_gbnf(struct sj_grammar *g, struct sj_buf *out)
{
	struct sj_g_gbnf p = {.g = g, .out = out};
	struct sj_g_rule root = {.name = SJ_LIT("root"), .body = g->root};
	if (g->status != SJ_OK)
		return g->status;
	p.wanted = sj_mem_zalloc(g->mem, g->nrules + 1);
	if (!p.wanted)
		return SJ_NOMEM;
	sj_buf_init(&p.extra, g->mem, 0);
	sj_buf_init(&p.pending, g->mem, 0);
	rule_put(&p, &root);
	for (uint32_t i = 0; i < p.queue.count && g->status == SJ_OK; i++)
		rule_put(&p, p.queue.items[i]);
	if (g->status == SJ_OK)
		sj_g_words_end(&p);
	sj_buf_finish(&p.extra);
	sj_buf_finish(&p.pending);
	SJ_VEC_FREE(g->mem, &p.queue);
	SJ_VEC_FREE(g->mem, &p.chains);
	sj_mem_free(g->mem, p.wanted, g->nrules + 1);
	return g->status != SJ_OK ? g->status : sj_buf_status(out);
}
