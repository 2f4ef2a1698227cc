/* Makers of nodes and rules. */
#include "infer/grammar_node.h"

const struct sj_g_node SJ_G_NOTHING = {.kind = SJ_G_NEVER};
const struct sj_g_node SJ_G_ANYTHING = {.kind = SJ_G_JSON};
const struct sj_g_node SJ_G_NULLS = {.kind = SJ_G_NULL};
const struct sj_g_node SJ_G_BOOLS = {.kind = SJ_G_BOOL};
const struct sj_g_node SJ_G_NUMBERS = {.kind = SJ_G_NUMBER};
const struct sj_g_node SJ_G_STRINGS = {.kind = SJ_G_STRING, .str = SJ_G_STR_ANY};
const struct sj_g_node SJ_G_ARRAYS = {.kind = SJ_G_ARRAY, .item = &SJ_G_ANYTHING};
const struct sj_g_node SJ_G_OBJECTS = {.kind = SJ_G_OBJECT, .item = &SJ_G_ANYTHING};

void *sj_g_alloc(struct sj_grammar *g, size_t bytes)
{
	if (g->status != SJ_OK)
		return NULL;
	void *p = sj_arena_zalloc(&g->arena, bytes ? bytes : 1);
	if (!p)
		g->status = SJ_NOMEM;
	return p;
}

struct sj_slice sj_g_keep(struct sj_grammar *g, struct sj_slice text)
{
	if (g->status != SJ_OK)
		return SJ_LIT("");
	struct sj_slice kept = sj_arena_copy(&g->arena, text);
	if (!kept.ptr)
		g->status = SJ_NOMEM;
	return kept.ptr ? kept : SJ_LIT("");
}

static const struct sj_g_node *make(struct sj_grammar *g, struct sj_g_node node)
{
	struct sj_g_node *n = sj_g_alloc(g, sizeof *n);
	if (!n)
		return &SJ_G_NOTHING;
	*n = node;
	return n;
}

const struct sj_g_node *sj_g_copy(struct sj_grammar *g, const struct sj_g_node *node, struct sj_g_node **out)
{
	*out = sj_g_alloc(g, sizeof **out);
	if (!*out)
		return &SJ_G_NOTHING;
	**out = *node;
	return *out;
}

const struct sj_g_node *sj_g_string(struct sj_grammar *g, enum sj_g_string str)
{
	return make(g, (struct sj_g_node){.kind = SJ_G_STRING, .str = (uint8_t)str});
}

const struct sj_g_node *sj_g_literal(struct sj_grammar *g, struct sj_slice json)
{
	return make(g, (struct sj_g_node){.kind = SJ_G_LITERAL, .text = json});
}

const struct sj_g_node *sj_g_word(struct sj_grammar *g, struct sj_slice text)
{
	struct sj_buf json;
	sj_buf_init(&json, g->mem, 0);
	sj_json_print_string(&json, text);
	if (g->status == SJ_OK && sj_buf_status(&json) != SJ_OK)
		g->status = sj_buf_status(&json);
	struct sj_slice kept = sj_g_keep(g, sj_buf_view(&json));
	sj_buf_finish(&json);
	return sj_g_literal(g, kept);
}

const struct sj_g_node *sj_g_array(struct sj_grammar *g, const struct sj_g_node *item, double min, double max)
{
	return make(g, (struct sj_g_node){.kind = SJ_G_ARRAY,
	                                  .item = item,
	                                  .min = min,
	                                  .has_min = min > 0,
	                                  .max = max,
	                                  .has_max = max >= 0});
}

const struct sj_g_node *sj_g_free_object(struct sj_grammar *g, const struct sj_g_node *item, bool no_marks)
{
	return make(g, (struct sj_g_node){.kind = SJ_G_OBJECT, .item = item, .no_marks = no_marks});
}

const struct sj_g_node *sj_g_object(struct sj_grammar *g, const struct sj_g_member *members, uint32_t n)
{
	struct sj_g_member *kept = sj_g_alloc(g, n * sizeof *kept);
	uint32_t count = 0;
	for (uint32_t i = 0; kept && i < n; i++) {
		if (members[i].value->kind != SJ_G_NEVER)
			kept[count++] = members[i];
		else if (members[i].required)
			return &SJ_G_NOTHING;
	}
	return make(g, (struct sj_g_node){.kind = SJ_G_OBJECT, .closed = true, .members = kept, .n = count});
}

const struct sj_g_node *sj_g_one_of(struct sj_grammar *g, const struct sj_g_node *const *items, uint32_t n)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < n; i++)
		count += items[i]->kind == SJ_G_ONE_OF ? items[i]->n : items[i]->kind != SJ_G_NEVER;
	const struct sj_g_node **all = sj_g_alloc(g, count * sizeof *all);
	if (!all || count == 0)
		return &SJ_G_NOTHING;
	count = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (items[i]->kind == SJ_G_NEVER)
			continue;
		uint32_t inner = items[i]->kind == SJ_G_ONE_OF ? items[i]->n : 1;
		for (uint32_t k = 0; k < inner; k++) {
			const struct sj_g_node *one = items[i]->kind == SJ_G_ONE_OF ? items[i]->items[k] : items[i];
			bool seen = false; /* one text may come twice from enums that overlap; in a long list it may */
			for (uint32_t m = 0; m < count && count < 256 && !seen; m++)
				seen = all[m] == one || (one->kind == SJ_G_LITERAL && all[m]->kind == SJ_G_LITERAL &&
				                         sj_slice_eq(one->text, all[m]->text));
			if (!seen)
				all[count++] = one;
		}
	}
	if (count == 1)
		return all[0];
	return make(g, (struct sj_g_node){.kind = SJ_G_ONE_OF, .items = all, .n = count});
}

struct sj_g_rule *sj_g_rule(struct sj_grammar *g, const char *prefix, struct sj_slice name, int number)
{
	struct sj_g_rule *r = sj_g_alloc(g, sizeof *r);
	if (!r)
		return NULL;
	struct sj_buf text;
	sj_buf_init(&text, g->mem, 0);
	sj_buf_puts(&text, prefix);
	if (name.len > 0 && prefix[0])
		sj_buf_putc(&text, '-');
	bool gap = false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (plain || !gap)
			sj_buf_putc(&text, plain ? c : '-');
		gap = !plain;
	}
	if (number >= 0)
		sj_buf_printf(&text, "-%d", number);
	if (sj_buf_status(&text) != SJ_OK)
		g->status = sj_buf_status(&text);
	uint32_t twin = sj_buf_status(&text) == SJ_OK ? sj_map_get(&g->names, sj_buf_view(&text)) : SJ_MAP_NONE;
	if (twin != SJ_MAP_NONE)
		sj_buf_printf(&text, "-x%u", g->nrules);
	r->name = sj_g_keep(g, sj_buf_view(&text));
	if (g->status == SJ_OK)
		g->status = sj_map_put(&g->names, r->name, g->nrules);
	sj_buf_finish(&text);
	r->index = g->nrules++;
	if (g->last)
		g->last->next = r;
	else
		g->first = r;
	g->last = r;
	return r;
}

const struct sj_g_node *sj_g_refer(struct sj_grammar *g, const struct sj_g_rule *rule)
{
	return rule ? make(g, (struct sj_g_node){.kind = SJ_G_RULE, .rule = rule}) : &SJ_G_NOTHING;
}

const struct sj_g_node *sj_g_named(struct sj_grammar *g, const char *name, const struct sj_g_node *body)
{
	if (body->kind == SJ_G_NEVER)
		return body;
	struct sj_g_rule *r = sj_g_rule(g, name, SJ_NO_SLICE, -1);
	if (!r)
		return &SJ_G_NOTHING;
	r->body = body;
	return sj_g_refer(g, r);
}

const struct sj_g_node *sj_g_open(const struct sj_g_node *node)
{
	while (node->kind == SJ_G_RULE)
		node = node->rule->body ? node->rule->body : &SJ_G_NOTHING;
	return node;
}
