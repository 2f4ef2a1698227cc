/* Nodes as a JSON Schema of 2020-12: in full, or in the subset that strict structured output accepts. There an object
 * is closed and all its members are required; what may be left out may be null instead, and is dropped afterwards. */
#include "infer/grammar_node.h"

#include <stdio.h>

#include "base/num.h"

struct printer {
	struct sj_grammar *g;
	struct sj_buf *out;
	bool strict;
	uint8_t *wanted; /* by rule */
	const struct sj_g_node **ids; /* by rule: the id of a component whose members it has */
	SJ_VEC(const struct sj_g_rule *) queue;
	bool values[2][SJ_G_MAX_VALUE_DEPTH + 1];
};

static void node_put(struct printer *p, const struct sj_g_node *node);

static void text_put(struct printer *p, struct sj_slice text) { sj_json_print_string(p->out, text); }

static void number_member(struct printer *p, const char *name, double value)
{
	char text[SJ_NUM_TEXT];
	size_t n = sj_num_text(value, text);
	sj_buf_printf(p->out, ",\"%s\":", name);
	sj_buf_put(p->out, text, n);
}

/* A free object has no members that a strict schema could name. */
static bool says_nothing(const struct printer *p, const struct sj_g_node *node)
{
	return node->kind == SJ_G_NEVER ||
	       (p->strict && node->kind == SJ_G_OBJECT && node->n == 0 && node->item && p->g->nkeys == 0);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* What may follow the first letter, so that the whole does not begin with the word. */
static void unlike(struct sj_buf *out, const char *word)
{
	size_t n = strlen(word);
	for (size_t i = 1; i < n; i++) {
		char before = (char)(word[i] - 1), after = (char)(word[i] + 1);
		sj_buf_printf(out, "(?:[A-Z0-9_a-%c%c-z][A-Za-z0-9_]*%s", before, after, i + 1 < n ? "|" : "");
		if (i + 1 < n)
			sj_buf_putc(out, word[i]);
	}
	for (size_t i = 1; i < n; i++)
		sj_buf_puts(out, ")?");
}

/* A segment of a path that is none of the keys that are refused (__proto__, constructor, prototype): what begins like
 * them goes too, since validators bound the length of a pattern. An index stays within what one write may skip. */
static void segment(struct sj_buf *out)
{
	sj_buf_puts(out, "(?:[0-9]{1,2}|_(?:[A-Za-z0-9][A-Za-z0-9_]*)?|c");
	unlike(out, "constr");
	sj_buf_puts(out, "|p");
	unlike(out, "protot");
	sj_buf_puts(out, "|[A-Zabd-oq-z][A-Za-z0-9_]*)");
}

static void path_pattern(struct sj_buf *out)
{
	sj_buf_puts(out, "^(?:/|/?");
	segment(out);
	sj_buf_puts(out, "(?:/");
	segment(out);
	sj_buf_puts(out, "){0,7})$");
}

static void string_put(struct printer *p, const struct sj_g_node *node)
{
	static const char *const formats[SJ_G_STR_COUNT] = {
		[SJ_G_STR_DATE] = "date", [SJ_G_STR_TIME] = "time", [SJ_G_STR_DATE_TIME] = "date-time",
		[SJ_G_STR_EMAIL] = "email", [SJ_G_STR_UUID] = "uuid"};
	struct sj_buf pattern;
	sj_buf_init(&pattern, p->g->mem, 0);
	sj_buf_puts(p->out, "{\"type\":\"string\"");
	if (formats[node->str])
		sj_buf_printf(p->out, ",\"format\":\"%s\"", formats[node->str]);
	switch ((enum sj_g_string)node->str) {
	case SJ_G_STR_ANY:
		/* Lengths are none of the strict subset's keywords; a pattern is. */
		if (p->strict && (node->has_min || node->has_max)) {
			sj_buf_printf(&pattern, "^[\\s\\S]{%u,",
			              node->has_min && node->min > 0 ? (unsigned)node->min : 0);
			if (node->has_max)
				sj_buf_printf(&pattern, "%u", (unsigned)(node->max > 2000 ? 2000 : node->max));
			sj_buf_puts(&pattern, "}$");
			break;
		}
		if (node->has_min)
			number_member(p, "minLength", node->min);
		if (node->has_max)
			number_member(p, "maxLength", node->max);
		break;
	case SJ_G_STR_ID:
		sj_buf_puts(&pattern, p->g->opt.version >= SJ_V10 ? "^[A-Za-z_][A-Za-z0-9_]{0,39}$"
		                                                  : "^[A-Za-z_][A-Za-z0-9_-]{0,39}$");
		break;
	case SJ_G_STR_PATH:
		path_pattern(&pattern);
		break;
	case SJ_G_STR_URI:
		sj_buf_puts(&pattern, "^https?://[a-z0-9]+(?:[.-][a-z0-9]+)*(?::[1-9][0-9]{0,3})?(?:/[A-Za-z0-9._~-]*)*"
		                      "(?:\\?[A-Za-z0-9._~=&-]*)?(?:#[A-Za-z0-9._~-]*)?$");
		break;
	case SJ_G_STR_PATTERN: sj_buf_slice(&pattern, node->pattern); break;
	case SJ_G_STR_DATE: case SJ_G_STR_TIME: case SJ_G_STR_DATE_TIME: case SJ_G_STR_EMAIL: case SJ_G_STR_UUID:
	case SJ_G_STR_TEMPLATE: case SJ_G_STR_COUNT: break; /* that expressions close only GBNF says */
	}
	if (pattern.len > 0) {
		sj_buf_puts(p->out, ",\"pattern\":");
		text_put(p, sj_buf_view(&pattern));
	}
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(&pattern);
	sj_buf_finish(&pattern);
	sj_buf_putc(p->out, '}');
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static void about_put(struct printer *p, struct sj_slice about)
{
	if (about.len == 0)
		return;
	sj_buf_puts(p->out, ",\"description\":");
	text_put(p, about);
}

/* The value of a member, with its description. Strict: no keyword beside a reference, and null for what is left out. */
static void member_put(struct printer *p, const struct sj_g_member *m)
{
	text_put(p, m->name);
	sj_buf_putc(p->out, ':');
	if (p->strict && !m->required) {
		sj_buf_puts(p->out, "{\"anyOf\":[");
		node_put(p, m->value);
		sj_buf_puts(p->out, ",{\"type\":\"null\"}]");
		about_put(p, m->about);
		sj_buf_putc(p->out, '}');
		return;
	}
	size_t before = p->out->len;
	node_put(p, m->value);
	bool is_ref = m->value->kind == SJ_G_RULE || m->value->kind == SJ_G_JSON;
	if (m->about.len > 0 && !(p->strict && is_ref) && sj_buf_status(p->out) == SJ_OK &&
	    p->out->len > before + 2 && p->out->ptr[p->out->len - 1] == '}') {
		p->out->len--; /* the closing bracket comes after it */
		about_put(p, m->about);
		sj_buf_putc(p->out, '}');
	}
}

static void object_put(struct printer *p, const struct sj_g_node *node, const struct sj_g_node *id)
{
	struct sj_g_member own = {.name = SJ_LIT("id"), .value = id, .required = true,
	                          .about = SJ_LIT("Id of this component.")};
	uint32_t written = 0;
	sj_buf_puts(p->out, "{\"type\":\"object\",\"properties\":{");
	if (id) {
		member_put(p, &own);
		written++;
	}
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < node->n; i++) {
			const struct sj_g_member *m = &node->members[i];
			if (m->required != (pass == 0) || (pass == 1 && says_nothing(p, m->value)))
				continue;
			sj_buf_puts(p->out, written++ ? "," : "");
			member_put(p, m);
		}
	sj_buf_puts(p->out, "},\"required\":[");
	written = 0;
	if (id) {
		sj_buf_puts(p->out, "\"id\"");
		written++;
	}
	for (uint32_t pass = 0; pass < 1 + (unsigned)p->strict; pass++)
		for (uint32_t i = 0; i < node->n; i++) {
			const struct sj_g_member *m = &node->members[i];
			if (m->required != (pass == 0) || (pass == 1 && says_nothing(p, m->value)))
				continue;
			sj_buf_puts(p->out, written++ ? "," : "");
			text_put(p, m->name);
		}
	sj_buf_puts(p->out, "],\"additionalProperties\":false}");
}

static bool is_mark(const struct sj_g_node *node, struct sj_slice key)
{
	return node->no_marks &&
	       (sj_slice_is(key, "path") || sj_slice_is(key, "call") || (key.len > 0 && key.ptr[0] == '@'));
}

/* Free keys: any that is no directive; in a literal also none that makes a binding or a call. Strict: those that are
 * known. */
static void free_object_put(struct printer *p, const struct sj_g_node *node)
{
	struct sj_grammar *g = p->g;
	if (!p->strict) {
		sj_buf_puts(p->out, "{\"type\":\"object\",\"additionalProperties\":");
		node_put(p, node->item);
		if (node->no_marks)
			sj_buf_puts(p->out, ",\"propertyNames\":{\"pattern\":\"^[^@]\",\"not\":{\"enum\":[\"path\",\"call\"]}}");
		else if (node->item->kind != SJ_G_JSON)
			sj_buf_puts(p->out, ",\"propertyNames\":{\"pattern\":\"^[^@]\"}");
		sj_buf_putc(p->out, '}');
		return;
	}
	uint32_t written = 0;
	sj_buf_puts(p->out, "{\"type\":\"object\",\"properties\":{");
	for (uint32_t i = 0; i < g->nkeys; i++) {
		struct sj_g_member m = {.name = g->keys[i], .value = node->item};
		if (is_mark(node, g->keys[i]))
			continue;
		sj_buf_puts(p->out, written++ ? "," : "");
		member_put(p, &m);
	}
	sj_buf_puts(p->out, "},\"required\":[");
	written = 0;
	for (uint32_t i = 0; i < g->nkeys; i++) {
		if (is_mark(node, g->keys[i]))
			continue;
		sj_buf_puts(p->out, written++ ? "," : "");
		text_put(p, g->keys[i]);
	}
	sj_buf_puts(p->out, "],\"additionalProperties\":false}");
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

#define SCALARS "{\"type\":\"string\"},{\"type\":\"number\"},{\"type\":\"boolean\"}"

static void json_put(struct printer *p, const struct sj_g_node *node)
{
	unsigned depth = node->has_min ? (unsigned)node->min - 1 : p->g->opt.value_depth;
	if (p->strict) {
		/* Objects whose keys nobody knows are beyond the subset, and null is what is left out. */
		sj_buf_puts(p->out,
		            "{\"anyOf\":[" SCALARS ",{\"type\":\"array\",\"items\":{\"anyOf\":[" SCALARS "]}}]}");
		return;
	}
	sj_buf_printf(p->out, "{\"$ref\":\"#/$defs/%s-%u\"}", node->no_marks ? "literal" : "json", depth);
	for (unsigned d = 0; d <= depth; d++)
		p->values[node->no_marks][d] = true;
}

static void values_put(struct printer *p, bool *first)
{
	for (int no_marks = 0; no_marks < 2; no_marks++)
		for (unsigned d = 0; d <= SJ_G_MAX_VALUE_DEPTH; d++) {
			if (!p->values[no_marks][d])
				continue;
			struct sj_g_node item = {.kind = SJ_G_JSON, .no_marks = no_marks, .min = d, .has_min = true};
			struct sj_g_node object = {.kind = SJ_G_OBJECT, .item = &item, .no_marks = no_marks};
			sj_buf_printf(p->out, "%s\"%s-%u\":{\"anyOf\":[{\"type\":\"null\"}," SCALARS, *first ? "" : ",",
			              no_marks ? "literal" : "json", d);
			*first = false;
			if (d > 0) {
				sj_buf_puts(p->out, ",{\"type\":\"array\",\"items\":");
				node_put(p, &item);
				sj_buf_puts(p->out, "},");
				node_put(p, &object);
			}
			sj_buf_puts(p->out, "]}");
		}
}

static void want(struct printer *p, const struct sj_g_rule *r, const struct sj_g_node *id)
{
	sj_buf_puts(p->out, "{\"$ref\":\"#/$defs/");
	sj_buf_slice(p->out, r->name);
	sj_buf_puts(p->out, "\"}");
	if (p->wanted[r->index])
		return;
	p->wanted[r->index] = 1;
	p->ids[r->index] = id;
	enum sj_status st = SJ_VEC_RESERVE(p->g->mem, &p->queue, p->queue.count + 1, 0);
	if (st != SJ_OK)
		p->g->status = st;
	else
		p->queue.items[p->queue.count++] = r;
}

static bool all_literals(const struct sj_g_node *node)
{
	for (uint32_t i = 0; i < node->n; i++)
		if (node->items[i]->kind != SJ_G_LITERAL)
			return false;
	return true;
}

static void literals_put(struct printer *p, const struct sj_g_node *const *items, uint32_t n)
{
	bool strings = true;
	for (uint32_t i = 0; i < n; i++)
		strings = strings && items[i]->text.len > 0 && items[i]->text.ptr[0] == '"';
	sj_buf_puts(p->out, strings ? "{\"type\":\"string\",\"enum\":[" : "{\"enum\":[");
	for (uint32_t i = 0; i < n; i++) {
		sj_buf_puts(p->out, i ? "," : "");
		sj_buf_slice(p->out, items[i]->text);
	}
	sj_buf_puts(p->out, "]}");
}

static void union_put(struct printer *p, const struct sj_g_node *const *items, uint32_t n)
{
	uint32_t written = 0;
	sj_buf_puts(p->out, "{\"anyOf\":[");
	for (uint32_t i = 0; i < n; i++) {
		if (says_nothing(p, items[i]))
			continue;
		sj_buf_puts(p->out, written++ ? "," : "");
		node_put(p, items[i]);
	}
	sj_buf_puts(p->out, "]}");
}

/* The order of messages is for prefixItems to say, which the strict subset lacks. That the last comes last no schema
 * says: it is left out beside others. */
static void list_put(struct printer *p, const struct sj_g_node *node)
{
	const struct sj_g_node *head = node->items[0], *item = node->item, *last = node->items[1];
	bool more = item->kind != SJ_G_NEVER && node->max > 0;
	/* The first component differs by its id alone, which any other may have. */
	bool has_head = head->kind != SJ_G_NEVER && !(head->kind == SJ_G_COMPONENT && more) && head != item;
	const struct sj_g_node *parts[] = {has_head && p->strict ? head : &SJ_G_NOTHING, more ? item : &SJ_G_NOTHING,
	                                   !has_head && !more ? last : &SJ_G_NOTHING};
	sj_buf_puts(p->out, "{\"type\":\"array\"");
	if (has_head && !p->strict) {
		sj_buf_puts(p->out, ",\"prefixItems\":[");
		node_put(p, head);
		sj_buf_putc(p->out, ']');
	}
	sj_buf_puts(p->out, ",\"items\":");
	uint32_t n = 0;
	for (size_t i = 0; i < 3; i++)
		n += parts[i]->kind != SJ_G_NEVER;
	if (n == 0)
		sj_buf_puts(p->out, "false");
	else if (n == 1)
		node_put(p, parts[0]->kind != SJ_G_NEVER   ? parts[0]
		            : parts[1]->kind != SJ_G_NEVER ? parts[1]
		                                           : parts[2]);
	else
		union_put(p, parts, 3);
	number_member(p, "minItems", 1);
	number_member(p, "maxItems",
	              (more ? node->max : 0) + (has_head || !more ? 1 : 0) +
	                      (head == item || head->kind == SJ_G_COMPONENT ? 1 : 0));
	sj_buf_putc(p->out, '}');
}

/* Recursion follows nodes in nodes, whose depth the maker bounds; rules break it. */
static void node_put(struct printer *p, const struct sj_g_node *node)
{
	if (p->g->status != SJ_OK)
		return;
	switch ((enum sj_g_kind)node->kind) {
	case SJ_G_NEVER: sj_buf_puts(p->out, "false"); break;
	case SJ_G_JSON: json_put(p, node); break;
	case SJ_G_LITERAL: literals_put(p, &node, 1); break;
	case SJ_G_NULL: sj_buf_puts(p->out, "{\"type\":\"null\"}"); break;
	case SJ_G_BOOL: sj_buf_puts(p->out, "{\"type\":\"boolean\"}"); break;
	case SJ_G_NUMBER:
		sj_buf_printf(p->out, "{\"type\":\"%s\"", node->integer ? "integer" : "number");
		if (node->has_min)
			number_member(p, "minimum", node->min);
		if (node->has_max)
			number_member(p, "maximum", node->max);
		sj_buf_putc(p->out, '}');
		break;
	case SJ_G_STRING: string_put(p, node); break;
	case SJ_G_ARRAY:
		sj_buf_puts(p->out, "{\"type\":\"array\",\"items\":");
		node_put(p, node->item);
		if (node->has_min)
			number_member(p, "minItems", node->min);
		if (node->has_max)
			number_member(p, "maxItems", node->max);
		sj_buf_putc(p->out, '}');
		break;
	case SJ_G_OBJECT:
		if (node->n == 0 && node->item)
			free_object_put(p, node);
		else
			object_put(p, node, NULL);
		break;
	case SJ_G_ONE_OF:
		if (all_literals(node))
			literals_put(p, node->items, node->n);
		else
			union_put(p, node->items, node->n);
		break;
	case SJ_G_RULE: want(p, node->rule, NULL); break;
	case SJ_G_COMPONENT:
		sj_buf_puts(p->out, node->n > 1 ? "{\"anyOf\":[" : "");
		for (uint32_t i = 0; i < node->n; i++) {
			sj_buf_puts(p->out, i ? "," : "");
			want(p, node->items[i]->rule, node->item);
		}
		sj_buf_puts(p->out, node->n > 1 ? "]}" : "");
		break;
	case SJ_G_LIST: list_put(p, node); break;
	case SJ_G_TREE: p->g->status = SJ_INVALID; break; /* refused before */
	}
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(p->out);
	if (p->g->status == SJ_OK && p->out->len > p->g->opt.max_bytes)
		p->g->status = SJ_LIMIT;
}

static void rule_put(struct printer *p, const struct sj_g_rule *r)
{
	const struct sj_g_node *body = r->body ? r->body : &SJ_G_NOTHING, *id = p->ids[r->index];
	text_put(p, r->name);
	sj_buf_putc(p->out, ':');
	if (r->is_tail && body->kind == SJ_G_ONE_OF) {
		sj_buf_puts(p->out, "{\"anyOf\":[");
		for (uint32_t i = 0; i < body->n; i++) {
			sj_buf_puts(p->out, i ? "," : "");
			object_put(p, sj_g_open(body->items[i]), id);
		}
		sj_buf_puts(p->out, "]}");
	} else if (r->is_tail) {
		object_put(p, body, id);
	} else {
		node_put(p, body);
	}
}

enum sj_status sj_g_print_schema(struct sj_grammar *g, struct sj_buf *out)
{
	struct printer p = {.g = g, .out = out, .strict = g->opt.strict_subset};
	size_t ids = (g->nrules + 1) * sizeof *p.ids;
	p.wanted = sj_mem_zalloc(g->mem, g->nrules + 1);
	p.ids = p.wanted ? sj_mem_zalloc(g->mem, ids) : NULL;
	if (!p.ids) {
		sj_mem_free(g->mem, p.wanted, g->nrules + 1);
		return SJ_NOMEM;
	}
	size_t start = out->len;
	node_put(&p, g->root);
	/* The definitions go into the root's own object. */
	if (g->status == SJ_OK && out->len > start && out->ptr[out->len - 1] == '}') {
		out->len--;
		sj_buf_puts(out, p.strict ? ",\"$defs\":{" : ",\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$defs\":{");
		bool first = true;
		for (uint32_t i = 0; i < p.queue.count && g->status == SJ_OK; i++) {
			sj_buf_puts(out, first ? "" : ",");
			first = false;
			rule_put(&p, p.queue.items[i]);
		}
		if (g->status == SJ_OK)
			values_put(&p, &first);
		sj_buf_puts(out, "}}");
	}
	SJ_VEC_FREE(g->mem, &p.queue);
	sj_mem_free(g->mem, p.ids, ids);
	sj_mem_free(g->mem, p.wanted, g->nrules + 1);
	return g->status != SJ_OK ? g->status : sj_buf_status(out);
}

/* ---- afterwards -------------------------------------------------------------------------------------------------- */

struct level {
	struct sj_value *v;
	uint32_t next;
};

enum sj_status sj_grammar_drop_nulls(struct sj_mem *mem, struct sj_value *v)
{
	SJ_VEC(struct level) stack = {0};
	enum sj_status st = SJ_VEC_RESERVE(mem, &stack, 16, 0);
	if (st == SJ_OK && sj_value_is_container(v))
		stack.items[stack.count++] = (struct level){v, 0};
	while (st == SJ_OK && stack.count > 0) {
		struct level *top = &stack.items[stack.count - 1];
		bool object = top->v->type == SJ_V_OBJECT;
		if (top->next == sj_value_count(top->v)) {
			stack.count--;
			continue;
		}
		struct sj_slice key = SJ_NO_SLICE;
		const struct sj_value *item = object ? sj_value_member(top->v, top->next, &key)
		                                     : sj_value_item(top->v, top->next);
		if (object && item->type == SJ_V_NULL) {
			st = sj_value_unset(mem, top->v, key);
			continue;
		}
		top->next++;
		if (!sj_value_is_container(item))
			continue;
		struct sj_value *own = object ? sj_value_own_member(mem, top->v, key, &st)
		                              : sj_value_own_item(mem, top->v, top->next - 1, &st);
		if (!own) {
			st = SJ_NOMEM;
			break;
		}
		st = SJ_VEC_RESERVE(mem, &stack, stack.count + 1, 0);
		if (st == SJ_OK)
			stack.items[stack.count++] = (struct level){own, 0};
	}
	SJ_VEC_FREE(mem, &stack);
	return st;
}
