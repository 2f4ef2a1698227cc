/* Accessibility: what the language knows that the core does not, and the two reports. */
#include "a2ui/uses.h"
#include "surface/a11y.h"
#include "text/markdown.h"

enum sj_status sj_a2ui_words(struct sj_arena *arena, struct sj_slice text, struct sj_words *out)
{
	struct sj_md md;
	enum sj_status st = sj_md_parse(arena, text, &md);
	if (st == SJ_OK)
		st = sj_md_plain(arena, text, &out->plain);
	if (st != SJ_OK)
		return st;
	struct sj_word_block *blocks = md.npara ? sj_arena_zalloc(arena, md.npara * sizeof *blocks) : NULL;
	if (md.npara && !blocks)
		return SJ_NOMEM;
	uint32_t count = 0;
	for (uint32_t i = 0; i < md.npara; i++) {
		const struct sj_md_para *p = &md.paras[i];
		size_t len = 0;
		for (uint32_t k = 0; k < p->count; k++)
			len += md.spans[p->first + k].text.len;
		if (len == 0)
			continue; /* a rule */
		char *z = sj_arena_alloc(arena, len);
		if (!z)
			return SJ_NOMEM;
		blocks[count].text = sj_slice(z, len);
		blocks[count++].level = p->block == SJ_MD_HEADING ? p->level : 0;
		for (uint32_t k = 0; k < p->count; k++) {
			struct sj_slice s = md.spans[p->first + k].text;
			if (s.len)
				memcpy(z, s.ptr, s.len);
			z += s.len;
		}
	}
	out->blocks = blocks;
	out->count = count;
	return SJ_OK;
}

/* A check `required` over the very place that the input writes. */
struct demand {
	struct sj_slice value; /* path the value is bound to */
	uint32_t call_end;     /* of the innermost `required` */
	const struct sj_tape *tape;
	bool found, second; /* the checks may stand before the value: two walks */
};

static bool demands(void *ctx, const struct sj_use *u)
{
	struct demand *d = ctx;
	if (u->place == SJ_IN_VALUE && u->kind == SJ_USE_PATH && u->whole && u->row && u->row->ui == SJ_P_VALUE)
		d->value = u->name;
	if (!d->second || u->place != SJ_IN_CHECK)
		return true;
	if (u->kind == SJ_USE_CALL && sj_slice_is(u->name, "required"))
		d->call_end = d->tape->cells[u->cell].end;
	else if (u->kind == SJ_USE_CALL && (sj_slice_is(u->name, "not") || sj_slice_is(u->name, "or")))
		return false; /* wanted only in some cases, or not at all */
	else if (u->kind == SJ_USE_PATH && u->cell < d->call_end && sj_slice_eq(u->name, d->value))
		d->found = true;
	return !d->found;
}

bool sj_a2ui_requires(void *ctx, struct sj_surface *s, sj_node_id n)
{
	struct sj_view *v = ctx;
	struct sj_validity val;
	struct sj_arena arena;
	struct sj_source src;
	sj_node_validity(s, n, &val);
	if (!val.has_checks || !sj_ui_is_input(sj_node_kind(s, n)))
		return false;
	sj_arena_init(&arena, v->a->mem, 0);
	struct demand d = {.found = false};
	if (sj_source_open(v, sj_node_component(s, n), &arena, &src) == SJ_OK) {
		d.tape = &src.tape;
		(void)sj_uses(&src, demands, &d);
		d.second = true;
		if (d.value.ptr)
			(void)sj_uses(&src, demands, &d);
	}
	sj_arena_finish(&arena);
	return d.found;
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

enum sj_status sj_a2ui_a11y(struct sj_view *v, struct sj_buf *out)
{
	struct sj_a11y_tree t;
	enum sj_status st = sj_a11y_build(v->core, &t);
	if (st == SJ_OK)
		sj_a11y_print(&t, sj_slice(v->id, v->id_len), out);
	sj_a11y_finish(&t);
	return st == SJ_OK ? sj_buf_status(out) : st;
}

struct breaches {
	struct sj_view *v;
	const struct sj_a11y_tree *t;
	struct sj_buf *out;
	uint32_t count;
};

static void put_breach(void *ctx, enum sj_a11y_rule rule, uint32_t item, const char *message)
{
	struct breaches *b = ctx;
	const struct sj_a11y *it = &b->t->items.items[item];
	struct sj_origin o = sj_component_origin(b->v->core, sj_node_component(b->v->core, it->node));
	b->count++;
	sj_buf_puts(b->out, "{\"component\":");
	sj_json_print_string(b->out, sj_node_component_id(b->v->core, it->node));
	sj_buf_puts(b->out, ",\"id\":");
	sj_json_print_string(b->out, it->id);
	sj_buf_puts(b->out, ",\"message\":");
	sj_json_print_string(b->out, sj_slice_of(message));
	if (o.message)
		sj_buf_printf(b->out, ",\"messageNumber\":%u,\"offset\":%llu", o.message, (unsigned long long)o.offset);
	sj_buf_printf(b->out, ",\"rule\":\"%s\",\"surfaceId\":", sj_a11y_rule_name(rule));
	sj_json_print_string(b->out, sj_slice(b->v->id, b->v->id_len));
	sj_buf_puts(b->out, ",\"type\":");
	sj_json_print_string(b->out, sj_node_type(b->v->core, it->node));
	sj_buf_puts(b->out, "}\n");
}

enum sj_status sj_a2ui_a11y_check(struct sj_view *v, struct sj_buf *out, uint32_t *count)
{
	struct sj_a11y_tree t;
	struct breaches b = {.v = v, .t = &t, .out = out};
	enum sj_status st = sj_a11y_build(v->core, &t);
	if (st == SJ_OK)
		st = sj_a11y_check(&t, put_breach, &b);
	sj_a11y_finish(&t);
	if (st == SJ_OK)
		st = sj_buf_status(out);
	if (st == SJ_OK)
		*count = b.count;
	return st;
}
