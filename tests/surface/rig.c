#include "surface/rig.h"

#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the language ------------------------------------------------------------------------------------------------ */

static void text_of(const struct sj_value *v, struct sj_buf *out)
{
	if (sj_value_is_string(v))
		sj_buf_slice(out, sj_value_text(v));
	else if (v->type != SJ_V_ABSENT && v->type != SJ_V_NULL)
		sj_value_print(out, v, SJ_PRINT_COMPACT);
}

static bool truthy(const struct sj_value *v)
{
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT: case SJ_V_NULL: case SJ_V_FALSE: return false;
	case SJ_V_INT: return v->u.i != 0;
	case SJ_V_SHORT: case SJ_V_STRING: return sj_value_text(v).len != 0;
	case SJ_V_TRUE: case SJ_V_DOUBLE: case SJ_V_ARRAY: case SJ_V_OBJECT: return true;
	}
	return true;
}

static void check(enum sj_result r, const struct sj_value *v, struct sj_check_outcome *out)
{
	*out = (struct sj_check_outcome){.valid = r == SJ_R_OK && truthy(v), .severity = SJ_SEV_ERROR};
	if (r != SJ_R_OK || v->type != SJ_V_OBJECT)
		return;
	const struct sj_value *ok = sj_value_get(v, SJ_LIT("valid")), *sev = sj_value_get(v, SJ_LIT("severity"));
	out->valid = ok && truthy(ok);
	out->result = v;
	if (sev && sj_slice_is(sj_value_text(sev), "warning"))
		out->severity = SJ_SEV_WARNING;
}

static struct rig *rig_of(void *ctx) { return ctx; }

static uint32_t call_wanted(void *ctx, struct sj_surface *s, const struct sj_function *f, const void *site,
                            const struct sj_value *args, uint32_t nargs)
{
	struct rig *r = rig_of(ctx);
	(void)s;
	(void)site;
	if (r->refuse_calls)
		return 0;
	sj_buf_printf(&r->log, "call %u %s(", ++r->next_call, f->name);
	for (uint32_t i = 0; i < nargs; i++)
		sj_value_print(&r->log, &args[i], SJ_PRINT_COMPACT);
	sj_buf_puts(&r->log, ")\n");
	return r->next_call;
}

static void call_gone(void *ctx, struct sj_surface *s, uint32_t id)
{
	(void)s;
	sj_buf_printf(&rig_of(ctx)->log, "gone %u\n", id);
}

static void fault(void *ctx, struct sj_surface *s, sj_node_id n, const struct sj_diag *d)
{
	sj_buf_printf(&rig_of(ctx)->log, "fault %s %.*s: %s\n", sj_code_name(d->code),
	              SJ_ARG(sj_node_component_id(s, n)), d->message);
}

static void settled(void *ctx, struct sj_surface *s)
{
	struct rig *r = rig_of(ctx);
	(void)s;
	r->settled_count++;
	if (r->settled)
		r->settled(r);
}

static const struct sj_driver driver = {.name = "rig",
                                        .text = text_of,
                                        .truthy = truthy,
                                        .check = check,
                                        .call_wanted = call_wanted,
                                        .call_gone = call_gone,
                                        .fault = fault,
                                        .settled = settled};

static enum sj_result fn_upper(struct sj_call *c, struct sj_value *out)
{
	if (!c->nargs || !sj_value_is_string(&c->args[0]))
		return sj_diag_set(c->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "upper wants text"),
		       SJ_R_ERROR;
	struct sj_slice t = sj_value_text(&c->args[0]);
	struct sj_buf b;
	sj_buf_init(&b, c->mem, 0);
	for (size_t i = 0; i < t.len; i++)
		sj_buf_putc(&b, t.ptr[i] >= 'a' && t.ptr[i] <= 'z' ? (char)(t.ptr[i] - 32) : t.ptr[i]);
	enum sj_status st = sj_buf_status(&b);
	if (st == SJ_OK)
		st = sj_value_string(c->mem, b.ptr ? sj_buf_view(&b) : SJ_LIT(""), out);
	sj_buf_finish(&b);
	return st == SJ_OK ? SJ_R_OK : SJ_R_ERROR;
}

static enum sj_result fn_count(struct sj_call *c, struct sj_value *out)
{
	*out = sj_value_int(c->nargs ? sj_value_count(&c->args[0]) : 0);
	return SJ_R_OK;
}

static enum sj_result fn_add(struct sj_call *c, struct sj_value *out)
{
	double sum = 0;
	for (uint32_t i = 0; i < c->nargs; i++)
		sum += sj_value_double(&c->args[i]);
	*out = sj_value_number(sum);
	return SJ_R_OK;
}

static enum sj_result fn_same(struct sj_call *c, struct sj_value *out)
{
	*out = c->nargs ? sj_value_ref(c->args[0]) : SJ_NULL_VALUE;
	return SJ_R_OK;
}

static enum sj_result fn_boom(struct sj_call *c, struct sj_value *out)
{
	*out = SJ_ABSENT_VALUE;
	sj_diag_set(c->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "boom");
	return c->nargs && !truthy(&c->args[0]) ? (c->diag->code = SJ_E_NONE, SJ_R_OK) : SJ_R_ERROR;
}

static const struct sj_function functions[] = {
	{"upper", SJ_FN_PURE, fn_upper, NULL}, {"count", SJ_FN_PURE, fn_count, NULL},
	{"add", SJ_FN_PURE, fn_add, NULL},     {"same", SJ_FN_PURE, fn_same, NULL},
	{"boom", SJ_FN_PURE, fn_boom, NULL},   {"remote", SJ_FN_DEFERRED, NULL, NULL},
	{"clock", SJ_FN_SOURCE, NULL, NULL},   {"fx", SJ_FN_EFFECT, NULL, NULL},
};

static const struct sj_function *function(struct sj_slice name)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (sj_slice_is(name, functions[i].name))
			return &functions[i];
	return NULL;
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

struct path {
	bool relative;
	uint8_t up;
	uint16_t count;
	struct sj_seg segs[65];
};

static void parse_path(struct sj_slice p, struct path *out)
{
	*out = (struct path){.relative = true};
	size_t i = 0;
	while (i < p.len && p.ptr[i] == '^')
		i++, out->up++;
	if (i < p.len && p.ptr[i] == '/')
		i++, out->relative = out->up != 0;
	while (i < p.len) {
		size_t from = i;
		while (i < p.len && p.ptr[i] != '/')
			i++;
		out->segs[out->count++] = (struct sj_seg){.kind = SJ_SEG_KEY, .key = sj_slice(p.ptr + from, i - from)};
		i++;
	}
}

static struct sj_addr addr_of(const struct path *p)
{
	return (struct sj_addr){
		.root = SJ_ROOT_DATA, .relative = p->relative, .up = p->up, .count = p->count, .segs = p->segs};
}

uint32_t rig_path(const char *path, struct sj_slice tokens[64])
{
	struct path p;
	parse_path(sj_slice_of(path), &p);
	for (uint16_t i = 0; i < p.count; i++)
		tokens[i] = p.segs[i].key;
	return p.count;
}

struct sj_value rig_json(struct sj_mem *mem, const char *json)
{
	char *copy = malloc(strlen(json) + 1);
	strcpy(copy, json);
	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	struct sj_json_options o = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_diag d;
	sj_diag_clear(&d);
	struct sj_mem plain;
	(void)plain;
	if (sj_value_parse(mem, &o, sj_slice_of(copy), &v, &d) == SJ_INVALID)
		sj_fail_at(__FILE__, __LINE__, "bad JSON in the test: %s: %s", d.message, json);
	free(copy);
	return v;
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

static const struct sj_value *get(const struct sj_value *o, const char *key)
{
	return o->type == SJ_V_OBJECT ? sj_value_get(o, sj_slice_of(key)) : NULL;
}

static bool is_dynamic(const struct sj_value *v)
{
	static const char *const ops[] = {"$", "fmt", "fn", "at", "pick", "list", "map", "key", "env"};
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (get(v, ops[i]))
			return true;
	return false;
}

static void compile(struct rig *r, struct sj_code_builder *b, const struct sj_value *v)
{
	const struct sj_value *a;
	struct path p;
	struct sj_addr at;
	if ((a = get(v, "$"))) {
		parse_path(sj_value_text(a), &p);
		at = addr_of(&p);
		sj_x_read(b, &at);
	} else if ((a = get(v, "env"))) {
		struct sj_seg seg = {.kind = SJ_SEG_KEY, .key = sj_value_text(a)};
		at = (struct sj_addr){.root = SJ_ROOT_ENV, .count = 1, .segs = &seg};
		sj_x_read(b, &at);
	} else if ((a = get(v, "fmt"))) {
		for (uint32_t i = 0; i < sj_value_count(a); i++) {
			compile(r, b, sj_value_item(a, i));
			sj_x_text(b);
		}
		sj_x_concat(b, sj_value_count(a));
	} else if ((a = get(v, "fn"))) {
		const struct sj_value *of = get(v, "of");
		for (uint32_t i = 0; of && i < sj_value_count(of); i++)
			compile(r, b, sj_value_item(of, i));
		if (!function(sj_value_text(a)))
			sj_x_fail(b, SJ_E_EXPRESSION_ERROR, "no such function");
		else
			sj_x_call(b, function(sj_value_text(a)), of ? sj_value_count(of) : 0, NULL);
	} else if ((a = get(v, "at"))) {
		sj_x_index(b, (uint8_t)a->u.i);
	} else if ((a = get(v, "pick"))) {
		for (uint32_t i = 0; i < 3; i++)
			compile(r, b, sj_value_item(a, i));
		sj_x_select(b);
	} else if ((a = get(v, "list"))) {
		for (uint32_t i = 0; i < sj_value_count(a); i++)
			compile(r, b, sj_value_item(a, i));
		sj_x_list(b, sj_value_count(a));
	} else if ((a = get(v, "map"))) {
		struct sj_slice keys[16];
		uint32_t n = sj_value_count(a);
		for (uint32_t i = 0; i < n; i++)
			compile(r, b, sj_value_member(a, i, &keys[i]));
		for (uint32_t i = 0; i < n; i++)
			sj_value_member(a, i, &keys[i]);
		sj_x_map(b, keys, n);
	} else if ((a = get(v, "key"))) {
		compile(r, b, sj_value_item(a, 0));
		parse_path(sj_value_text(get(v, "under")), &p);
		p.segs[p.count++] = (struct sj_seg){.kind = SJ_SEG_COMPUTED, .code = 1};
		at = addr_of(&p);
		sj_x_read(b, &at);
	} else {
		sj_x_const(b, sj_value_ref(*v));
	}
}

static enum sj_ui_kind kind_of(struct sj_slice type)
{
	char name[32];
	if (type.len == 0 || type.len >= sizeof name)
		return SJ_UI_CUSTOM;
	memcpy(name, type.ptr, type.len);
	if (name[0] >= 'A' && name[0] <= 'Z')
		name[0] = (char)(name[0] + 32);
	return sj_ui_kind_find(sj_slice(name, type.len));
}

static void define_prop(struct rig *r, struct sj_def_builder *b, struct sj_slice name, enum sj_prop_class cls,
                        const struct sj_value *v, const struct sj_value *message)
{
	enum sj_ui_prop ui = sj_ui_prop_find(name);
	bool code = is_dynamic(v) || cls == SJ_PC_CHECK || cls == SJ_PC_VISIBLE;
	if (!code || cls == SJ_PC_ACTION) {
		sj_def_literal(b, name, ui, cls, sj_value_ref(*v));
		return;
	}
	unsigned flags = cls == SJ_PC_VALUE && (get(v, "$") || get(v, "key")) ? SJ_PF_BOUND : 0;
	if (sj_slice_is(name, "value") && get(v, "secret"))
		flags |= SJ_PF_SECRET;
	struct sj_code_builder *c =
		sj_def_code(b, name, ui, cls, flags, message ? sj_value_ref(*message) : SJ_ABSENT_VALUE);
	compile(r, c, v);
	sj_def_code_end(b);
}

static void define_children(struct sj_def_builder *b, struct sj_slice name, const struct sj_value *v)
{
	enum sj_ui_prop ui = sj_ui_prop_find(name);
	if (sj_value_is_string(v)) {
		sj_def_child(b, name, ui, 0, SJ_NO_SLICE, sj_value_text(v));
	} else if (v->type == SJ_V_ARRAY) {
		for (uint32_t i = 0; i < sj_value_count(v); i++)
			sj_def_child(b, name, ui, i, SJ_NO_SLICE, sj_value_text(sj_value_item(v, i)));
	} else {
		struct path p;
		parse_path(sj_value_text(get(v, "each")), &p);
		struct sj_addr at = addr_of(&p);
		sj_def_template(b, name, ui, &at, sj_value_text(get(v, "of")), SJ_NO_SLICE);
	}
}

static bool is_child_name(struct sj_slice name)
{
	return sj_slice_is(name, "child") || sj_slice_is(name, "children") || sj_slice_is(name, "more");
}

static void release_ctx(void *ctx, struct sj_mem *mem) { sj_mem_free(mem, ctx, 8); }

enum sj_status rig_define_value(struct rig *r, const struct sj_value *def)
{
	struct sj_def_builder *b;
	struct sj_slice type = sj_value_text(get(def, "type"));
	enum sj_status st = sj_def_begin(r->s, sj_value_text(get(def, "id")), type, kind_of(type), &b);
	if (st != SJ_OK)
		return st;
	void *ctx = sj_mem_alloc(r->mem, 8);
	if (!ctx) {
		sj_def_abandon(b);
		return SJ_NOMEM;
	}
	sj_def_ctx(b, ctx, release_ctx);
	if (sj_slice_is(type, "Mystery"))
		sj_def_unknown(b);
	for (uint32_t i = 0; i < sj_value_count(def); i++) {
		struct sj_slice name;
		const struct sj_value *v = sj_value_member(def, i, &name);
		if (sj_slice_is(name, "id") || sj_slice_is(name, "type"))
			continue;
		if (is_child_name(name))
			define_children(b, name, v);
		else if (sj_slice_is(name, "checks"))
			for (uint32_t c = 0; c < sj_value_count(v); c++)
				define_prop(r, b, name, SJ_PC_CHECK, get(sj_value_item(v, c), "if"),
				            get(sj_value_item(v, c), "say"));
		else
			define_prop(r, b, name,
			            sj_slice_is(name, "visible")  ? SJ_PC_VISIBLE
			            : sj_slice_is(name, "action") ? SJ_PC_ACTION
			                                          : SJ_PC_VALUE,
			            v, NULL);
	}
	return sj_def_end(b, NULL);
}

/* ---- the rig ----------------------------------------------------------------------------------------------------- */

enum sj_status rig_open(struct rig *r, struct sj_mem *mem, const struct sj_limits *limits, unsigned flags)
{
	*r = (struct rig){.mem = mem, .limits = limits ? *limits : SJ_LIMITS_DEFAULT, .message = 1};
	sj_buf_init(&r->log, sj_test_mem(), 0);
	struct sj_surface_options o = {.limits = &r->limits,
	                               .driver = &driver,
	                               .ctx = r,
	                               .gate_surface = flags & RIG_GATE,
	                               .lazy_rows = flags & RIG_LAZY};
	return sj_surface_create(mem, &o, &r->s);
}

void rig_close(struct rig *r)
{
	sj_surface_destroy(r->s);
	r->s = NULL;
	sj_buf_finish(&r->log);
}

void rig_begin(struct rig *r)
{
	uint32_t m = r->message++;
	sj_txn_begin(r->s, m, (struct sj_origin){m, m * 100u});
}

static enum sj_status done(struct rig *r, bool own, enum sj_status st)
{
	if (own && st == SJ_OK)
		sj_txn_commit(r->s);
	else if (own)
		sj_txn_abort(r->s);
	return st;
}

enum sj_status rig_define(struct rig *r, const char *components)
{
	struct sj_value all = rig_json(sj_test_mem(), components);
	bool own = !sj_txn_open(r->s);
	if (own)
		rig_begin(r);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(&all); i++)
		st = rig_define_value(r, sj_value_item(&all, i));
	sj_value_unref(sj_test_mem(), all);
	return done(r, own, st);
}

enum sj_status rig_set(struct rig *r, const char *path, const char *json)
{
	struct sj_slice tokens[64];
	uint32_t n = rig_path(path, tokens);
	bool own = !sj_txn_open(r->s);
	struct sj_value v = rig_json(r->mem, json);
	if (v.type == SJ_V_ABSENT)
		return SJ_NOMEM;
	if (own)
		rig_begin(r);
	return done(r, own, sj_surface_set(r->s, SJ_ROOT_DATA, tokens, n, v, NULL));
}

enum sj_status rig_unset(struct rig *r, const char *path)
{
	struct sj_slice tokens[64];
	uint32_t n = rig_path(path, tokens);
	bool own = !sj_txn_open(r->s);
	if (own)
		rig_begin(r);
	return done(r, own, sj_surface_unset(r->s, SJ_ROOT_DATA, tokens, n, NULL));
}

enum sj_status rig_remove(struct rig *r, const char *id)
{
	bool own = !sj_txn_open(r->s);
	if (own)
		rig_begin(r);
	return done(r, own, sj_surface_remove_component(r->s, sj_slice_of(id)));
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static char printed[1 << 22];

static const char *keep(struct sj_buf *b)
{
	size_t n = b->len < sizeof printed - 1 ? b->len : sizeof printed - 1;
	if (n)
		memcpy(printed, b->ptr, n);
	printed[n] = '\0';
	sj_buf_finish(b);
	return printed;
}

void rig_own(struct rig *r, struct sj_buf *out, sj_node_id n)
{
	struct sj_surface *s = r->s;
	sj_buf_slice(out, sj_node_component_id(s, n));
	enum sj_why why = sj_node_why(s, n);
	if (why != SJ_WHY_SHOWN) {
		sj_buf_putc(out, '!');
		sj_buf_puts(out, sj_why_name(why));
		return;
	}
	sj_buf_putc(out, ':');
	sj_buf_slice(out, sj_node_type(s, n));
	struct sj_prop p;
	bool first = true;
	for (uint32_t i = 0; sj_node_prop(s, n, i, &p); i++) {
		if (p.cls != SJ_PC_VALUE || (!p.value && p.result == SJ_R_ABSENT))
			continue;
		sj_buf_putc(out, first ? '(' : ',');
		first = false;
		sj_buf_slice(out, p.name);
		sj_buf_putc(out, '=');
		if (p.result == SJ_R_ERROR)
			sj_buf_putc(out, '!');
		if (p.result == SJ_R_PENDING)
			sj_buf_putc(out, '?');
		if (p.value)
			sj_value_print(out, p.value, SJ_PRINT_SORTED);
	}
	if (!first)
		sj_buf_putc(out, ')');
	struct sj_validity v;
	sj_node_validity(s, n, &v);
	if (!v.valid) {
		sj_buf_puts(out, "#\"");
		sj_buf_slice(out, v.message);
		sj_buf_putc(out, '"');
	}
}

static void print_node(struct rig *r, struct sj_buf *out, sj_node_id n)
{
	struct sj_surface *s = r->s;
	rig_own(r, out, n);
	uint32_t kids = sj_node_why(s, n) == SJ_WHY_SHOWN ? sj_node_child_count(s, n) : 0;
	for (uint32_t i = 0; i < kids; i++) {
		sj_buf_putc(out, i ? ' ' : '{');
		sj_node_id c = sj_node_child(s, n, i);
		if (!sj_node_alive(s, c) || sj_node_parent(s, c) != n)
			sj_fail_at(__FILE__, __LINE__, "child %u of %.*s is not its child", i,
			           SJ_ARG(sj_node_component_id(s, n)));
		print_node(r, out, c);
	}
	if (kids)
		sj_buf_putc(out, '}');
}

const char *rig_node(struct rig *r, sj_node_id n)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	print_node(r, &b, n);
	return keep(&b);
}

const char *rig_tree(struct rig *r)
{
	sj_surface_settle(r->s);
	sj_node_id root = sj_surface_root(r->s);
	return root ? rig_node(r, root) : "(none)";
}

const char *rig_model(struct rig *r)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_value_print(&b, sj_surface_model(r->s, SJ_ROOT_DATA), SJ_PRINT_COMPACT);
	return keep(&b);
}

static void print_name(struct rig *r, struct sj_buf *out, sj_node_id n)
{
	if (!sj_node_alive(r->s, n)) {
		sj_buf_putc(out, '-');
		return;
	}
	sj_buf_slice(out, sj_node_component_id(r->s, n));
	if (sj_node_row(r->s, n) >= 0)
		sj_buf_printf(out, "@%d", (int)sj_node_row(r->s, n));
}

const char *rig_changes(struct rig *r)
{
	static const char *const kinds[] = {"NEW",   "GONE",  "SET",   "APPEND", "SPLICE",
	                                    "FLAGS", "LOCAL", "FOCUS", "ROOT"};
	const struct sj_change *c;
	uint32_t n;
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	if (sj_surface_changes(r->s, &c, &n) == SJ_NOMEM) {
		sj_buf_puts(&b, "NOMEM");
		return keep(&b);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			sj_buf_puts(&b, "; ");
		sj_buf_puts(&b, kinds[c[i].kind]);
		sj_buf_putc(&b, ' ');
		print_name(r, &b, c[i].node);
		for (int p = 0; c[i].kind == SJ_CH_SET && p < SJ_UI_PROP_COUNT; p++)
			if (c[i].mask >> p & 1)
				sj_buf_printf(&b, " %s", p ? sj_ui_prop_name((enum sj_ui_prop)p) : "*");
		if (c[i].kind == SJ_CH_APPEND)
			sj_buf_printf(&b, " %s %u..%u", sj_ui_prop_name((enum sj_ui_prop)c[i].prop), c[i].lo, c[i].hi);
		if (c[i].kind == SJ_CH_SPLICE)
			sj_buf_printf(&b, " %u -%u +%u", c[i].lo, c[i].remove, c[i].add);
		if (c[i].echo)
			sj_buf_printf(&b, " echo %u", c[i].cause);
		if (c[i].held)
			sj_buf_puts(&b, " held");
	}
	return keep(&b);
}

const char *rig_take_log(struct rig *r)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_slice(&b, sj_buf_view(&r->log));
	sj_buf_clear(&r->log);
	return keep(&b);
}

sj_node_id rig_find(struct rig *r, const char *id)
{
	sj_surface_settle(r->s);
	return sj_surface_find(r->s, sj_slice_of(id), NULL, 0);
}

sj_node_id rig_find_row(struct rig *r, const char *id, uint32_t row)
{
	sj_surface_settle(r->s);
	return sj_surface_find(r->s, sj_slice_of(id), &row, 1);
}

const char *rig_text(struct rig *r, sj_node_id n, enum sj_ui_prop ui)
{
	const struct sj_value *v = sj_node_ui(r->s, n, ui);
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	if (v)
		text_of(v, &b);
	else
		sj_buf_puts(&b, "(absent)");
	return keep(&b);
}

/* ---- the naive evaluator ----------------------------------------------------------------------------------------- */

struct frame {
	const struct frame *up;
	const struct sj_value *item;
	uint32_t row, depth;
};
struct naive {
	struct sj_mem *mem;
	uint32_t max_frames;
	const struct sj_value *defs, *model;
};

static const struct sj_value *step(const struct sj_value *v, struct sj_slice key)
{
	uint32_t i;
	const struct sj_value *m = NULL;
	if (v && v->type == SJ_V_OBJECT)
		m = sj_value_get(v, key);
	else if (v && v->type == SJ_V_ARRAY && sj_num_index(key, &i))
		m = sj_value_item(v, i);
	return m && m->type != SJ_V_ABSENT ? m : NULL;
}

static const struct sj_value *look(const struct naive *z, const struct frame *f, struct sj_slice path)
{
	struct path p;
	parse_path(path, &p);
	const struct sj_value *v = z->model;
	if (p.relative) {
		while (f && p.up--)
			f = f->up;
		if (f)
			v = f->item;
	}
	for (uint16_t i = 0; v && i < p.count; i++)
		v = step(v, p.segs[i].key);
	return v;
}

/* One count given. */
static struct sj_value value_of(const struct naive *z, const struct frame *f, const struct sj_value *e, bool *bad)
{
	const struct sj_value *a;
	struct sj_value out = SJ_ABSENT_VALUE;
	struct sj_buf b;
	sj_buf_init(&b, z->mem, 0);
	if ((a = get(e, "$"))) {
		a = look(z, f, sj_value_text(a));
		return a ? sj_value_ref(*a) : out;
	}
	if ((a = get(e, "fmt"))) {
		for (uint32_t i = 0; i < sj_value_count(a); i++) {
			struct sj_value v = value_of(z, f, sj_value_item(a, i), bad);
			text_of(&v, &b);
			sj_value_unref(z->mem, v);
		}
		sj_value_string(z->mem, b.ptr ? sj_buf_view(&b) : SJ_LIT(""), &out);
		sj_buf_finish(&b);
		return out;
	}
	if ((a = get(e, "fn"))) {
		struct sj_value args[8];
		const struct sj_value *of = get(e, "of");
		uint32_t n = of ? sj_value_count(of) : 0;
		for (uint32_t i = 0; i < n; i++)
			args[i] = value_of(z, f, sj_value_item(of, i), bad);
		struct sj_diag d;
		sj_diag_clear(&d);
		struct sj_call c = {.mem = z->mem, .args = args, .nargs = n, .diag = &d};
		if (function(sj_value_text(a))->eval(&c, &out) != SJ_R_OK)
			out = SJ_ABSENT_VALUE;
		for (uint32_t i = 0; i < n; i++)
			sj_value_unref(z->mem, args[i]);
		return out;
	}
	if ((a = get(e, "at"))) {
		for (int64_t up = a->u.i; f && up; up--)
			f = f->up;
		*bad |= !f;
		return f ? sj_value_int(f->row) : out;
	}
	if ((a = get(e, "pick"))) {
		struct sj_value c = value_of(z, f, sj_value_item(a, 0), bad);
		bool yes = truthy(&c);
		sj_value_unref(z->mem, c);
		return value_of(z, f, sj_value_item(a, yes ? 1 : 2), bad);
	}
	if ((a = get(e, "key"))) {
		struct sj_value k = value_of(z, f, sj_value_item(a, 0), bad);
		text_of(&k, &b);
		const struct sj_value *v = look(z, f, sj_value_text(get(e, "under")));
		v = step(v, b.ptr ? sj_buf_view(&b) : SJ_LIT(""));
		sj_buf_finish(&b);
		sj_value_unref(z->mem, k);
		return v ? sj_value_ref(*v) : out;
	}
	return sj_value_ref(*e);
}

struct above {
	const struct above *up;
	struct sj_slice id;
};

static void naive_node(const struct naive *z, struct sj_buf *out, struct sj_slice id, const struct frame *f,
                       const struct above *above)
{
	const struct sj_value *def = sj_value_get(z->defs, id);
	sj_buf_slice(out, id);
	if (!def) {
		sj_buf_puts(out, "!pending");
		return;
	}
	for (const struct above *a = above; a; a = a->up)
		if (sj_slice_eq(a->id, id)) {
			sj_buf_puts(out, "!cyclic");
			return;
		}
	if (sj_slice_is(sj_value_text(get(def, "type")), "Mystery")) {
		sj_buf_puts(out, "!unknown-type");
		return;
	}
	const struct sj_value *visible = get(def, "visible");
	if (visible) {
		bool bad = false;
		struct sj_value v = value_of(z, f, visible, &bad);
		bool hidden = !bad && v.type == SJ_V_FALSE;
		sj_value_unref(z->mem, v);
		if (hidden) {
			sj_buf_puts(out, "!hidden");
			return;
		}
	}
	sj_buf_putc(out, ':');
	sj_buf_slice(out, sj_value_text(get(def, "type")));
	struct sj_slice name;
	bool first = true;
	for (uint32_t i = 0; i < sj_value_count(def); i++) {
		const struct sj_value *e = sj_value_member(def, i, &name);
		if (sj_slice_is(name, "id") || sj_slice_is(name, "type") || sj_slice_is(name, "checks") ||
		    sj_slice_is(name, "visible") || sj_slice_is(name, "action") || is_child_name(name))
			continue;
		bool bad = false;
		struct sj_value v = value_of(z, f, e, &bad);
		if (v.type == SJ_V_ABSENT && !bad)
			continue;
		sj_buf_putc(out, first ? '(' : ',');
		first = false;
		sj_buf_slice(out, name);
		sj_buf_putc(out, '=');
		if (bad)
			sj_buf_putc(out, '!');
		else
			sj_value_print(out, &v, SJ_PRINT_SORTED);
		sj_value_unref(z->mem, v);
	}
	if (!first)
		sj_buf_putc(out, ')');
	const struct sj_value *checks = get(def, "checks");
	for (uint32_t i = 0; checks && i < sj_value_count(checks); i++) {
		bool bad = false;
		struct sj_value v = value_of(z, f, get(sj_value_item(checks, i), "if"), &bad);
		struct sj_check_outcome o;
		check(bad ? SJ_R_ERROR : v.type == SJ_V_ABSENT ? SJ_R_ABSENT : SJ_R_OK, &v, &o);
		bool ok = o.valid;
		sj_value_unref(z->mem, v);
		if (ok)
			continue;
		sj_buf_puts(out, "#\"");
		sj_buf_slice(out, sj_value_text(get(sj_value_item(checks, i), "say")));
		sj_buf_putc(out, '"');
		break;
	}
	struct above here = {above, id};
	first = true;
	for (uint32_t i = 0; i < sj_value_count(def); i++) {
		const struct sj_value *e = sj_value_member(def, i, &name);
		if (!is_child_name(name))
			continue;
		bool each = e->type == SJ_V_OBJECT;
		const struct sj_value *list = each ? look(z, f, sj_value_text(get(e, "each"))) : NULL;
		uint32_t n = sj_value_is_string(e) ? 1
		             : each                ? (list && list->type == SJ_V_ARRAY ? sj_value_count(list) : 0)
		                                   : sj_value_count(e);
		bool over = each && n && (f ? f->depth : 0) >= z->max_frames;
		for (uint32_t j = 0; j < (over ? 1 : n); j++) {
			sj_buf_putc(out, first ? '{' : ' ');
			first = false;
			if (over) {
				sj_buf_slice(out, sj_value_text(get(e, "of")));
				sj_buf_puts(out, "!over-limit");
			} else if (each) {
				const struct sj_value *item = sj_value_item(list, j);
				struct frame inner = {f, item && item->type != SJ_V_ABSENT ? item : NULL, j,
				                      f ? f->depth + 1 : 1};
				naive_node(z, out, sj_value_text(get(e, "of")), &inner, NULL);
			} else {
				naive_node(z, out, sj_value_text(sj_value_is_string(e) ? e : sj_value_item(e, j)), f,
				           &here);
			}
		}
	}
	if (!first)
		sj_buf_putc(out, '}');
}

void rig_naive(struct sj_buf *out, const struct sj_limits *limits, const struct sj_value *defs,
               const struct sj_value *model)
{
	struct naive z = {sj_test_mem(), limits->scope_depth, defs, model};
	if (!sj_value_get(defs, SJ_LIT("root")))
		sj_buf_puts(out, "(none)");
	else
		naive_node(&z, out, SJ_LIT("root"), NULL, NULL);
}
