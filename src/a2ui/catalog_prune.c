/* A catalog with fewer components and functions: the document is copied without them, then compiled like any other. */
#include "a2ui/catalog_internal.h"

struct prune {
	const struct sj_catalog *c;
	struct sj_catalog view;
	struct sj_buf out;
	const struct sj_slice *names[2]; /* components, functions; NULL: all */
	uint32_t n[2];
};

static bool keeps(const struct prune *p, int which, struct sj_slice name)
{
	if (!p->names[which])
		return true;
	for (uint32_t i = 0; i < p->n[which]; i++)
		if (sj_slice_eq(p->names[which][i], name))
			return true;
	return false;
}

/* One section without what is not kept. Functions may be a list of {name}. */
static void section(struct prune *p, struct sj_cat_node n, int which)
{
	bool object = sj_cat_is(n, SJ_J_OBJECT), first = true;
	if (!object && !sj_cat_is(n, SJ_J_ARRAY)) {
		sj_buf_slice(&p->out, sj_tape_source(n.t, n.cell));
		return;
	}
	sj_buf_putc(&p->out, object ? '{' : '[');
	for (uint32_t at = sj_tape_first(n.t, n.cell); at < n.t->cells[n.cell].end;) {
		uint32_t value = object ? at + 1 : at;
		struct sj_cat_node named =
			object ? (struct sj_cat_node){n.t, at} : sj_cat_get((struct sj_cat_node){n.t, at}, "name");
		if (keeps(p, which, sj_cat_text(&p->view, named))) {
			sj_buf_puts(&p->out, first ? "" : ",");
			first = false;
			if (object) {
				sj_buf_slice(&p->out, sj_tape_source(n.t, at));
				sj_buf_putc(&p->out, ':');
			}
			sj_buf_slice(&p->out, sj_tape_source(n.t, value));
		}
		at = sj_tape_next(n.t, value);
	}
	sj_buf_putc(&p->out, object ? '}' : ']');
}

/* Does this entry of a union lead to something that is kept? */
static bool leads_to_kept(struct prune *p, struct sj_cat_node entry, int which)
{
	struct sj_cat_node ref = sj_cat_get(entry, "$ref"), to,
			   all = sj_cat_get((struct sj_cat_node){&p->view.doc, 0}, which ? "functions" : "components");
	struct sj_slice common;
	if (!sj_cat_is(ref, SJ_J_STRING) ||
	    sj_cat_resolve(&p->view, entry, sj_cat_text(&p->view, ref), &to, &common) != SJ_OK || to.t != &p->view.doc)
		return true;
	for (uint32_t at = sj_cat_is(all, SJ_J_OBJECT) ? sj_tape_first(all.t, all.cell) : 0;
	     at > 0 && at < all.t->cells[all.cell].end; at = sj_tape_next(all.t, at + 1))
		if (at + 1 == to.cell)
			return keeps(p, which, sj_cat_text(&p->view, (struct sj_cat_node){all.t, at}));
	return true;
}

static uint32_t count_kept(struct prune *p, struct sj_cat_node list, int which)
{
	uint32_t n = 0;
	for (uint32_t at = sj_tape_first(list.t, list.cell); at < list.t->cells[list.cell].end;
	     at = sj_tape_next(list.t, at))
		n += leads_to_kept(p, (struct sj_cat_node){list.t, at}, which);
	return n;
}

static void union_of(struct prune *p, struct sj_cat_node any, int which)
{
	sj_buf_putc(&p->out, '{');
	for (uint32_t at = sj_tape_first(any.t, any.cell); at < any.t->cells[any.cell].end;
	     at = sj_tape_next(any.t, at + 1)) {
		struct sj_cat_node value = {any.t, at + 1};
		bool list = sj_cat_is(value, SJ_J_ARRAY), first = true;
		sj_buf_puts(&p->out, at == any.cell + 1 ? "" : ",");
		sj_buf_slice(&p->out, sj_tape_source(any.t, at));
		sj_buf_putc(&p->out, ':');
		if (!list) {
			sj_buf_slice(&p->out, sj_tape_source(any.t, at + 1));
			continue;
		}
		sj_buf_putc(&p->out, '[');
		for (uint32_t i = sj_tape_first(any.t, at + 1); i < any.t->cells[at + 1].end;
		     i = sj_tape_next(any.t, i)) {
			if (!leads_to_kept(p, (struct sj_cat_node){any.t, i}, which))
				continue;
			sj_buf_puts(&p->out, first ? "" : ",");
			first = false;
			sj_buf_slice(&p->out, sj_tape_source(any.t, i));
		}
		sj_buf_putc(&p->out, ']');
	}
	sj_buf_putc(&p->out, '}');
}

static void definitions(struct prune *p, struct sj_cat_node defs)
{
	static const char *const unions[] = {"anyComponent", "anyFunction"};
	bool first = true;
	sj_buf_putc(&p->out, '{');
	for (uint32_t at = sj_tape_first(defs.t, defs.cell); at < defs.t->cells[defs.cell].end;
	     at = sj_tape_next(defs.t, at + 1)) {
		struct sj_cat_node value = {defs.t, at + 1}, list = {0};
		int which = -1;
		for (int i = 0; i < 2; i++)
			if (sj_tape_string_is(defs.t, at, sj_slice_of(unions[i])))
				which = i;
		if (which >= 0)
			list = sj_cat_get(value, "oneOf").t ? sj_cat_get(value, "oneOf") : sj_cat_get(value, "anyOf");
		bool is_union = sj_cat_is(list, SJ_J_ARRAY);
		if (is_union && count_kept(p, list, which) == 0)
			continue; /* an empty union would be no schema; the section beside it is empty as well */
		sj_buf_puts(&p->out, first ? "" : ",");
		first = false;
		sj_buf_slice(&p->out, sj_tape_source(defs.t, at));
		sj_buf_putc(&p->out, ':');
		if (is_union)
			union_of(p, value, which);
		else
			sj_buf_slice(&p->out, sj_tape_source(defs.t, at + 1));
	}
	sj_buf_putc(&p->out, '}');
}

static void document(struct prune *p)
{
	struct sj_cat_node root = {&p->view.doc, 0};
	sj_buf_putc(&p->out, '{');
	for (uint32_t at = sj_tape_first(root.t, 0); at < root.t->cells[0].end; at = sj_tape_next(root.t, at + 1)) {
		struct sj_cat_node value = {root.t, at + 1};
		sj_buf_puts(&p->out, at == 1 ? "" : ",");
		sj_buf_slice(&p->out, sj_tape_source(root.t, at));
		sj_buf_putc(&p->out, ':');
		if (sj_tape_string_is(root.t, at, SJ_LIT("components")))
			section(p, value, 0);
		else if (sj_tape_string_is(root.t, at, SJ_LIT("functions")))
			section(p, value, 1);
		else if (sj_tape_string_is(root.t, at, SJ_LIT("$defs")) && sj_cat_is(value, SJ_J_OBJECT))
			definitions(p, value);
		else
			sj_buf_slice(&p->out, sj_tape_source(root.t, at + 1));
	}
	sj_buf_putc(&p->out, '}');
}

enum sj_status sj_catalog_prune(struct sj_mem *mem, const struct sj_catalog *c, const struct sj_slice *components,
                                uint32_t ncomponents, const struct sj_slice *functions, uint32_t nfunctions,
                                struct sj_catalog **out)
{
	struct prune p = {.c = c, .names = {components, functions}, .n = {ncomponents, nfunctions}};
	enum sj_status st = sj_cat_view(c, SJ_NO_SLICE, &p.view);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&p.out, mem, 0);
	document(&p);
	st = sj_buf_status(&p.out);
	struct sj_catalog *made = NULL;
	if (st == SJ_OK) {
		struct sj_catalog_options opt = {
			.id = c->id, .override_id = true, .version = c->version, .common_types = c->shared_text};
		st = sj_catalog_load(mem, sj_buf_view(&p.out), &opt, &made, NULL);
	}
	sj_buf_finish(&p.out);
	sj_arena_finish(&p.view.arena);
	if (st != SJ_OK)
		return st;
	for (uint32_t i = 0; i < made->nfunctions; i++) {
		const struct sj_a2ui_function *f = sj_catalog_function(c, made->functions[i].pub.name);
		made->functions[i].pub.impl = f ? f->impl : NULL;
	}
	made->permissive = c->permissive;
	*out = made;
	return SJ_OK;
}
