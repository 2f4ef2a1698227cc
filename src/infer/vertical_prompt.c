/* The prompt for Vertical: the rules, and signatures of what can stand alone. Containers are left out: each line is
 * shown by itself, and there is no layout to write. No word of ours names a component or a function. */
#include "infer/prompt.h"
#include "infer/vertical.h"

static bool holds_children(const struct sj_a2ui_prop *row)
{
	if (row->cls == SJ_AC_CHILD || row->cls == SJ_AC_CHILD_LIST)
		return true;
	for (uint32_t i = 0; i < row->nsub; i++)
		if (row->sub[i].cls == SJ_AC_CHILD || row->sub[i].cls == SJ_AC_CHILD_LIST)
			return true;
	return false;
}

/* A component that is there for its children: nothing else is required of it. */
static bool is_container(const struct sj_a2ui_component *type)
{
	bool children = false;
	for (uint32_t i = 0; i < type->nprops; i++) {
		if (!type->props[i].required || type->props[i].cls == SJ_AC_COMMON)
			continue;
		if (!holds_children(&type->props[i]))
			return false;
		children = true;
	}
	return children;
}

static enum sj_status prune(const struct sj_format *f, const struct sj_catalog *c, struct sj_catalog **out)
{
	uint32_t n = sj_catalog_component_count(c), kept = 0;
	struct sj_slice *names = sj_mem_alloc(f->mem, (n + 1) * sizeof *names);
	if (!names)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		if (!is_container(sj_catalog_component_at(c, i)))
			names[kept++] = sj_catalog_component_at(c, i)->name;
	enum sj_status st = sj_catalog_prune(f->mem, c, names, kept, NULL, 0, out);
	sj_mem_free(f->mem, names, (n + 1) * sizeof *names);
	return st;
}

static enum sj_status signatures(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out)
{
	uint32_t n = f->opt.ncatalogs, made = 0;
	size_t bytes = (n + 1) * sizeof(struct sj_catalog *);
	struct sj_format some = *f;
	struct sj_catalog **list = sj_mem_zalloc(f->mem, bytes);
	enum sj_status st = list ? SJ_OK : SJ_NOMEM;
	some.catalogs = st == SJ_OK ? sj_mem_zalloc(f->mem, bytes) : NULL;
	if (!some.catalogs)
		st = SJ_NOMEM;
	while (st == SJ_OK && made < n) {
		st = prune(f, f->catalogs[made], &list[made]);
		if (st == SJ_OK) {
			some.catalogs[made] = list[made];
			made++;
		}
	}
	some.opt.catalogs = some.catalogs;
	if (st == SJ_OK)
		st = sj_prompt_signatures_as(&some, opt, SJ_SIGN_BY_POSITION, opt && opt->brief, out);
	for (uint32_t i = 0; i < made; i++)
		sj_catalog_destroy(list[i]);
	sj_mem_free(f->mem, some.catalogs, bytes);
	sj_mem_free(f->mem, list, bytes);
	return st;
}

enum sj_status sj_vertical_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                  struct sj_diag *diag)
{
	struct sj_prompt_traits has;
	(void)diag;
	sj_prompt_traits(f, &has);
	sj_buf_puts(out,
	            "# How to show something\n\n"
	            "Write ordinary text, and where something is to be shown, a block between <a2ui> and </a2ui>. In a block each "
	            "line is one component and is shown by itself, one below the other, as soon as its line is complete. There "
	            "is no layout to write, no ids and no surfaces.\n\n"
	            "## Notation\n"
	            "- A line is a constructor: the component's name, then its arguments in parentheses, in the order of the "
	            "signature or as name=value. `_` skips one; the rest may be left out.\n"
	            "- Texts stand in straight double quotation marks, with \\n, \\\" and \\\\ as escapes. Numbers, true, false "
	            "and null stand alone. Lists are [a, b], maps {\"key\": value}.\n");
	if (has.dynamic)
		sj_buf_puts(out, "- `$/a/b` binds a value to the data. Only where the type has a star.\n");
	if (has.functions)
		sj_buf_puts(out, "- `function(argument, other=argument)` computes a value. Only where the type has a star"
		                 " or an action or check is expected.\n");
	if (has.action)
		sj_buf_puts(out, "- An action is `Event(\"name\", key=$/value)`, which is reported to you.\n");
	if (has.checks)
		sj_buf_puts(out, "- A check in a list of checks is `?function(\"message\")`: the component's own value is its "
		                 "first argument and is not written.\n");
	if (has.child)
		sj_buf_puts(out, "- Where one component belongs inside another, write it right there.\n");
	sj_buf_puts(out, "- Use nothing that is not listed below.\n\n## Component Signatures\n");
	return signatures(f, opt, out);
}
