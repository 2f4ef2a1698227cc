/* Elemental: surfaces as pages, components as elements. docs/formats.md is its grammar. */
#include "infer/elemental.h"

#include <string.h>

#include "infer/elemental_token.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

void sj_elemental_kebab(struct sj_buf *out, struct sj_slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool capital = c >= 'A' && c <= 'Z';
		if (capital)
			sj_buf_putc(out, '-');
		sj_buf_putc(out, capital ? (char)(c - 'A' + 'a') : c);
	}
}

void sj_elemental_tag(struct sj_buf *out, struct sj_slice type)
{
	bool capital = type.len > 0 && type.ptr[0] >= 'A' && type.ptr[0] <= 'Z';
	if (capital) {
		sj_buf_putc(out, (char)(type.ptr[0] - 'A' + 'a'));
		type = sj_slice(type.ptr + 1, type.len - 1);
	}
	sj_elemental_kebab(out, type);
}

void sj_elemental_camel(struct sj_buf *out, struct sj_slice kebab)
{
	for (size_t i = 0; i < kebab.len; i++) {
		char c = kebab.ptr[i], next = i + 1 < kebab.len ? kebab.ptr[i + 1] : '\0';
		if (c == '-' && next >= 'a' && next <= 'z') {
			sj_buf_putc(out, (char)(next - 'a' + 'A'));
			i++;
		} else {
			sj_buf_putc(out, c);
		}
	}
}

enum open_kind { IN_BODY, IN_COMPONENT, IN_TEMPLATE, IN_WRAPPER };
struct open_element {
	enum open_kind kind;
	struct sj_slice name;
	uint32_t node; /* COMPONENT: its call */
};
struct reader {
	const struct sj_format *f;
	struct sj_program *p;
	struct sj_scanner s;
	SJ_VEC(struct open_element) open;
	bool body_head; /* the surface's call can still take a catalog */
	bool body_seen, in_body;
	bool root_seen; /* the section has a component that is root by its place or by its name */
	struct sj_slice statement; /* name of the outermost component that is open */
	uint32_t statement_line;
	size_t statement_off;
};

static enum sj_status fault(struct reader *r, const struct sj_markup *m, enum sj_category cat, const char *what)
{
	return sj_compact_fault(r->p->diag, cat, m->line, m->off, "<%.*s> %s", SJ_ARG(m->name), what);
}

static enum sj_status note(struct reader *r, enum sj_repair_kind kind, const struct sj_markup *m, const char *what)
{
	return sj_repair_note(r->p->mem, r->p->repairs, kind, m->line, m->off, r->p->diag, "%s", what);
}

static enum sj_status add(struct reader *r, enum sj_cnode_kind kind, struct sj_slice key, struct sj_slice text,
                          uint32_t line, size_t off, bool element, bool opens)
{
	struct sj_cnode n = {.kind = (uint8_t)kind, .key = key, .text = text, .line = line, .off = off,
	                     .element = element};
	return sj_program_add(r->p, &n, opens);
}

static struct open_element *top(struct reader *r)
{
	return r->open.count ? &r->open.items[r->open.count - 1] : NULL;
}

static enum sj_status push(struct reader *r, enum open_kind kind, struct sj_slice name)
{
	enum sj_status st = SJ_VEC_RESERVE(r->p->mem, &r->open, r->open.count + 1, 0);
	if (st == SJ_OK && r->open.count >= SJ_LIMITS_DEFAULT.json_depth)
		return sj_diag_set(r->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "more than %u levels of nesting",
		                   SJ_LIMITS_DEFAULT.json_depth);
	if (st == SJ_OK)
		r->open.items[r->open.count++] = (struct open_element){.kind = kind, .name = name};
	return st;
}

/* The component or template that something inside belongs to; wrappers are looked through. NULL: none. */
static const struct open_element *holder(const struct reader *r)
{
	for (uint32_t i = r->open.count; i > 0; i--)
		if (r->open.items[i - 1].kind == IN_COMPONENT || r->open.items[i - 1].kind == IN_TEMPLATE)
			return &r->open.items[i - 1];
	return NULL;
}

static void end_head(struct reader *r)
{
	if (r->body_head)
		sj_program_close(r->p);
	r->body_head = false;
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static struct sj_slice trim(struct sj_slice s)
{
	while (s.len > 0 && strchr(" \t\r\n", s.ptr[0]) && s.ptr[0])
		s.ptr++, s.len--;
	while (s.len > 0 && strchr(" \t\r\n", s.ptr[s.len - 1]) && s.ptr[s.len - 1])
		s.len--;
	return s;
}

/* A value: {expression}, text, or nothing at all, which is true. */
static enum sj_status add_value(struct reader *r, struct sj_slice key, const struct sj_attribute *a)
{
	struct sj_slice inner = trim(a->value);
	struct sj_lexer x;
	if (!a->value.ptr)
		return add(r, SJ_N_TRUE, key, SJ_NO_SLICE, a->line, a->off, false, false);
	if (inner.len < 2 || inner.ptr[0] != '{' || inner.ptr[inner.len - 1] != '}') {
		uint32_t at = r->p->nodes.count;
		enum sj_status st = add(r, SJ_N_STRING, key, a->value, a->line, a->off, false, false);
		if (st == SJ_OK)
			r->p->nodes.items[at].attribute = true;
		return st;
	}
	size_t lead = (size_t)(inner.ptr - a->value.ptr) + 1;
	enum sj_status st = sj_lexer_init(&x, r->p, sj_slice(inner.ptr + 1, inner.len - 2), a->off + lead, a->line - 1,
	                                  true);
	if (st == SJ_OK)
		st = sj_compact_value(&x, key);
	if (st == SJ_OK && x.cur.kind != SJ_T_END)
		return sj_compact_fault(r->p->diag, SJ_CAT_PARSE, x.base_line + x.cur.line, x.base + x.cur.off,
		                        "more than one value in braces");
	return st;
}

static enum sj_status camel(struct reader *r, struct sj_slice name, struct sj_slice *out)
{
	struct sj_buf b;
	sj_buf_init(&b, r->p->mem, 0);
	sj_elemental_camel(&b, name);
	enum sj_status st = sj_buf_status(&b);
	if (st == SJ_OK) {
		*out = sj_arena_copy(&r->p->arena, sj_buf_view(&b));
		st = out->ptr ? SJ_OK : SJ_NOMEM;
	}
	sj_buf_finish(&b);
	return st;
}

/* The attributes of a tag become arguments of the call that is open; `id` and `slot` are kept apart. */
static enum sj_status add_attributes(struct reader *r, struct sj_markup *tag, struct sj_slice *id,
                                     struct sj_slice *slot)
{
	struct sj_attribute a;
	enum sj_status st;
	while ((st = sj_scan_attribute(&r->s, tag, &a)) == SJ_OK) {
		struct sj_slice key;
		st = camel(r, a.name, &key);
		if (st == SJ_OK && slot && sj_slice_is(key, "slot"))
			st = camel(r, a.value, slot);
		else if (st == SJ_OK && id && sj_slice_is(key, "id"))
			*id = a.value;
		else if (st == SJ_OK)
			st = add_value(r, key, &a);
		if (st != SJ_OK)
			return st;
	}
	return st == SJ_ABSENT ? SJ_OK : st;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Which component an element is: both spellings of its first letter are tried. */
static enum sj_status type_of(struct reader *r, const struct sj_markup *m, struct sj_slice *out)
{
	struct sj_slice kebab = sj_slice_starts(m->name, "ui-") ? sj_slice(m->name.ptr + 3, m->name.len - 3) : m->name;
	enum sj_status st = camel(r, kebab, out);
	if (st != SJ_OK || out->len == 0)
		return st;
	char *upper = sj_arena_alloc(&r->p->arena, out->len);
	if (!upper)
		return SJ_NOMEM;
	memcpy(upper, out->ptr, out->len);
	if (upper[0] >= 'a' && upper[0] <= 'z')
		upper[0] = (char)(upper[0] - 'a' + 'A');
	bool small = false;
	for (uint32_t i = 0; i < r->f->opt.ncatalogs; i++) {
		const struct sj_catalog *c = r->f->catalogs[i];
		if (sj_catalog_component(c, sj_slice(upper, out->len))) {
			small = false;
			break;
		}
		small = small || sj_catalog_component(c, *out);
	}
	if (!small)
		*out = sj_slice(upper, out->len);
	return SJ_OK;
}

static bool is_known(const struct reader *r, struct sj_slice type)
{
	for (uint32_t i = 0; i < r->f->opt.ncatalogs; i++)
		if (sj_catalog_component(r->f->catalogs[i], type))
			return true;
	return false;
}

static enum sj_status begin_component(struct reader *r, struct sj_markup *m, struct sj_slice type)
{
	const struct open_element *in = holder(r);
	bool nested = in != NULL;
	struct sj_slice id = SJ_NO_SLICE, slot = SJ_NO_SLICE;
	end_head(r);
	if (!nested && r->body_seen && !r->in_body)
		return fault(r, m, SJ_CAT_PARSE, "stands outside of a surface");
	uint32_t node = r->p->nodes.count;
	enum sj_status st = add(r, SJ_N_CALL, SJ_NO_SLICE, type, m->line, m->off, nested, true);
	if (st == SJ_OK)
		st = add_attributes(r, m, &id, &slot);
	if (st != SJ_OK)
		return st;
	struct sj_cnode *call = &r->p->nodes.items[node];
	call->key = slot;
	if (nested) {
		if (id.ptr)
			st = add(r, SJ_N_STRING, SJ_LIT("id"), id, m->line, m->off, false, false);
	} else {
		if (!id.ptr && r->root_seen)
			return fault(r, m, SJ_CAT_VALIDATION, "stands beside the root and needs an id");
		r->statement = id.ptr ? id : SJ_LIT("root");
		r->root_seen = r->root_seen || sj_slice_is(r->statement, "root");
		r->statement_line = m->line;
		r->statement_off = m->off;
	}
	if (st == SJ_OK)
		st = push(r, IN_COMPONENT, m->name);
	if (st == SJ_OK)
		top(r)->node = node;
	return st;
}

static enum sj_status begin_template(struct reader *r, struct sj_markup *m)
{
	struct sj_slice id = SJ_NO_SLICE, slot = SJ_NO_SLICE;
	if (!holder(r))
		return fault(r, m, SJ_CAT_PARSE, "stands outside of a component");
	uint32_t node = r->p->nodes.count;
	enum sj_status st = add(r, SJ_N_CALL, SJ_NO_SLICE, SJ_LIT("_template"), m->line, m->off, true, true);
	if (st == SJ_OK)
		st = add_attributes(r, m, &id, &slot);
	if (st == SJ_OK) {
		r->p->nodes.items[node].key = slot;
		st = push(r, IN_TEMPLATE, m->name);
	}
	return st;
}

static enum sj_status end_top(struct reader *r)
{
	struct open_element e = *top(r);
	enum sj_status st = SJ_OK;
	r->open.count--;
	if (e.kind == IN_COMPONENT || e.kind == IN_TEMPLATE)
		sj_program_close(r->p);
	if (e.kind == IN_COMPONENT && !holder(r))
		st = sj_program_state(r->p, SJ_S_ASSIGN, r->statement, e.node, r->statement_line, r->statement_off);
	if (e.kind == IN_BODY) {
		end_head(r);
		r->in_body = false;
	}
	return st;
}

static enum sj_status begin_body(struct reader *r, struct sj_markup *m)
{
	struct sj_slice id = SJ_NO_SLICE;
	enum sj_status st = SJ_OK;
	if (r->in_body)
		st = note(r, SJ_REPAIR_UNCLOSED, m, "a surface was closed where the next begins");
	while (st == SJ_OK && r->in_body)
		st = end_top(r);
	uint32_t node = r->p->nodes.count;
	if (st == SJ_OK)
		st = add(r, SJ_N_CALL, SJ_NO_SLICE, SJ_LIT("surface"), m->line, m->off, false, true);
	if (st == SJ_OK)
		st = add_attributes(r, m, &id, NULL);
	if (st == SJ_OK)
		st = add(r, SJ_N_STRING, SJ_LIT("surfaceId"), id.ptr ? id : SJ_LIT("default_surface"), m->line, m->off,
		         false, false);
	if (st == SJ_OK)
		st = sj_program_state(r->p, SJ_S_CALL, SJ_NO_SLICE, node, m->line, m->off);
	if (st != SJ_OK)
		return st;
	r->body_head = r->body_seen = r->in_body = true;
	r->root_seen = false;
	return push(r, IN_BODY, m->name);
}

/* <link rel="catalog" href="..."> at the beginning of a surface. */
static enum sj_status read_link(struct reader *r, struct sj_markup *m)
{
	struct sj_slice rel = SJ_NO_SLICE, href = SJ_NO_SLICE;
	struct sj_attribute a;
	enum sj_status st;
	while ((st = sj_scan_attribute(&r->s, m, &a)) == SJ_OK) {
		if (sj_slice_is(a.name, "rel"))
			rel = a.value;
		else if (sj_slice_is(a.name, "href"))
			href = a.value;
	}
	if (st != SJ_ABSENT)
		return st;
	if (!sj_slice_is(rel, "catalog") || !href.ptr)
		return note(r, SJ_REPAIR_SYNTAX, m, "a link that names no catalog was left out");
	if (!r->body_head)
		return fault(r, m, SJ_CAT_PARSE, "must stand at the beginning of a surface");
	return add(r, href.len ? SJ_N_STRING : SJ_N_SKIP, SJ_LIT("catalogId"), href, m->line, m->off, false, false);
}

/* <data path value> and <set path value>: an assignment, or one message of its own. */
static enum sj_status read_data(struct reader *r, struct sj_markup *m)
{
	bool own = sj_slice_is(m->name, "set");
	struct sj_attribute a;
	struct sj_slice path = SJ_NO_SLICE;
	uint32_t node = r->p->nodes.count, value = 0;
	enum sj_status st = SJ_OK;
	if (holder(r))
		return fault(r, m, SJ_CAT_PARSE, "stands inside a component");
	end_head(r);
	if (own)
		st = add(r, SJ_N_CALL, SJ_NO_SLICE, SJ_LIT("_data"), m->line, m->off, false, true);
	if (st != SJ_OK)
		return st;
	while ((st = sj_scan_attribute(&r->s, m, &a)) == SJ_OK) {
		if (sj_slice_is(a.name, "path") && a.value.ptr) {
			path = a.value;
			if (own)
				st = add(r, SJ_N_STRING, SJ_LIT("path"), path, a.line, a.off, false, false);
		} else if (sj_slice_is(a.name, "value") && value == 0) {
			value = r->p->nodes.count + 1;
			st = add_value(r, own ? SJ_LIT("value") : SJ_NO_SLICE, &a);
		} else {
			return fault(r, m, SJ_CAT_PARSE, "takes one path and one value");
		}
		if (st != SJ_OK)
			return st;
	}
	if (st != SJ_ABSENT)
		return st;
	if (own)
		sj_program_close(r->p);
	else if (!path.ptr || value == 0)
		return fault(r, m, SJ_CAT_PARSE, "takes a path and a value");
	return own ? sj_program_state(r->p, SJ_S_CALL, SJ_NO_SLICE, node, m->line, m->off)
	           : sj_program_state(r->p, SJ_S_DATA, path, value - 1, m->line, m->off);
}

/* <delete-surface id> and <call function="{...}">, which belong to no surface. */
static enum sj_status read_free(struct reader *r, struct sj_markup *m)
{
	bool call = sj_slice_is(m->name, "call");
	struct sj_attribute a;
	uint32_t node = r->p->nodes.count;
	enum sj_status st = SJ_OK;
	if (holder(r))
		return fault(r, m, SJ_CAT_PARSE, "stands inside a component");
	end_head(r);
	if (!call)
		st = add(r, SJ_N_CALL, SJ_NO_SLICE, SJ_LIT("deleteSurface"), m->line, m->off, false, true);
	if (st != SJ_OK)
		return st;
	bool said = false;
	while ((st = sj_scan_attribute(&r->s, m, &a)) == SJ_OK) {
		if (said || !a.value.ptr || !sj_slice_is(a.name, call ? "function" : "id"))
			return fault(r, m, SJ_CAT_PARSE, call ? "takes one function" : "takes one id");
		st = call ? add_value(r, SJ_NO_SLICE, &a)
		          : add(r, SJ_N_STRING, SJ_NO_SLICE, a.value, a.line, a.off, false, false);
		said = true;
		if (st != SJ_OK)
			return st;
	}
	if (st != SJ_ABSENT)
		return st;
	if (!said || (call && r->p->nodes.items[node].kind != SJ_N_CALL))
		return fault(r, m, SJ_CAT_PARSE, call ? "takes a call in braces" : "takes an id");
	if (!call)
		sj_program_close(r->p);
	return sj_program_state(r->p, SJ_S_CALL, SJ_NO_SLICE, node, m->line, m->off);
}

static bool is_one_of(struct sj_slice name, const char *const *names)
{
	for (; *names; names++)
		if (sj_slice_is(name, *names))
			return true;
	return false;
}

/* Elements of a page that mean nothing here. */
static enum sj_status begin_wrapper(struct reader *r, struct sj_markup *m)
{
	static const char *const empty[] = {"meta", "br", "hr", "base", NULL};
	struct sj_attribute a;
	enum sj_status st = note(r, SJ_REPAIR_SYNTAX, m, "an element that means nothing here was looked through");
	while (st == SJ_OK)
		st = sj_scan_attribute(&r->s, m, &a);
	if (st != SJ_ABSENT || m->closed || is_one_of(m->name, empty))
		return st == SJ_ABSENT ? SJ_OK : st;
	return push(r, IN_WRAPPER, m->name);
}

static enum sj_status open_tag(struct reader *r, struct sj_markup *m)
{
	static const char *const wrappers[] = {"html", "head", "main", "div",  "section", "span", "p",
	                                       "meta", "br",   "hr",   "base", "a2ui",    NULL};
	struct sj_slice type;
	uint32_t depth = r->open.count;
	enum sj_status st;
	if (sj_slice_is(m->name, "link"))
		return read_link(r, m);
	if (sj_slice_is(m->name, "data") || sj_slice_is(m->name, "set"))
		return read_data(r, m);
	if (sj_slice_is(m->name, "delete-surface") || sj_slice_is(m->name, "call"))
		return read_free(r, m);
	if (sj_slice_is(m->name, "body")) {
		st = begin_body(r, m);
	} else if (sj_slice_is(m->name, "template")) {
		st = begin_template(r, m);
	} else {
		st = type_of(r, m, &type);
		bool prefixed = sj_slice_starts(m->name, "ui-");
		if (st == SJ_OK && !prefixed && is_one_of(m->name, wrappers) && !is_known(r, type))
			return begin_wrapper(r, m);
		if (st == SJ_OK && !prefixed && is_known(r, type))
			st = note(r, SJ_REPAIR_NAME_CASE, m, "an element without ui- was read as a component");
		if (st == SJ_OK)
			st = begin_component(r, m, type);
	}
	return st == SJ_OK && m->closed && r->open.count > depth ? end_top(r) : st;
}

static enum sj_status close_tag(struct reader *r, const struct sj_markup *m)
{
	static const char *const empty[] = {"link", "data", "set", "delete-surface", "call", "br", "hr", "meta", NULL};
	uint32_t at = r->open.count;
	while (at > 0 && !sj_slice_eq(r->open.items[at - 1].name, m->name))
		at--;
	if (at == 0)
		return is_one_of(m->name, empty)
		               ? SJ_OK
		               : note(r, SJ_REPAIR_SYNTAX, m, "a closing tag without its opening one was left out");
	enum sj_status st = SJ_OK;
	if (at < r->open.count)
		st = note(r, SJ_REPAIR_UNCLOSED, m, "elements inside were closed with the one around them");
	while (st == SJ_OK && r->open.count >= at)
		st = end_top(r);
	return st;
}

/* Text inside a component goes to its first text. */
static enum sj_status text_run(struct reader *r, const struct sj_markup *m)
{
	const struct open_element *in = holder(r);
	struct sj_markup here = *m;
	if (!in)
		return note(r, SJ_REPAIR_TEXT_AROUND, m, "words between elements were left out");
	here.name = in->name;
	if (in->kind == IN_TEMPLATE)
		return fault(r, &here, SJ_CAT_PARSE, "holds words where a component belongs");
	enum sj_status st = note(r, SJ_REPAIR_SYNTAX, m, "words inside an element were taken as its text");
	return st == SJ_OK ? add(r, SJ_N_STRING, SJ_NO_SLICE, m->name, m->line, m->off, true, false) : st;
}

enum sj_status sj_elemental_parse(const struct sj_format *f, struct sj_program *p, struct sj_slice text)
{
	struct reader r = {.f = f, .p = p, .s = {.p = p, .text = text, .line = 1}};
	struct sj_markup m;
	enum sj_status st = SJ_OK;
	p->children_first = true;
	if (text.len > SJ_LIMITS_DEFAULT.message_bytes)
		return sj_diag_set(p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "a block is too long");
	while (st == SJ_OK) {
		st = sj_scan(&r.s, &m);
		if (st != SJ_OK || m.kind == SJ_MK_END)
			break;
		st = m.kind == SJ_MK_TEXT   ? text_run(&r, &m)
		     : m.kind == SJ_MK_OPEN ? open_tag(&r, &m)
		                            : close_tag(&r, &m);
	}
	if (st == SJ_OK && r.open.count > 0)
		st = note(&r, SJ_REPAIR_UNCLOSED, &m, "elements were closed where the text ends");
	while (st == SJ_OK && r.open.count > 0)
		st = end_top(&r);
	if (st == SJ_OK && p->stmts.count == 0)
		st = sj_compact_fault(p->diag, SJ_CAT_PARSE, 1, 0, "the block holds no element");
	SJ_VEC_FREE(p->mem, &r.open);
	return st;
}

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	return sj_compact_compile(f, sj_elemental_parse, true, payload, messages, repairs, diag);
}

static enum sj_status decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                struct sj_diag *diag)
{
	return sj_compact_decompile(f, sj_elemental_write, sj_elemental_parse, messages, out, diag);
}

const struct sj_format_ops SJ_FORMAT_OPS_ELEMENTAL = {
	.name = "elemental",
	.tags = {"a2ui"},
	.quotes = "", /* in a value '<' is an entity */
	.checks = true,
	.folds = true,
	.prompt = sj_elemental_prompt,
	.compile = compile,
	.decompile = decompile,
};
