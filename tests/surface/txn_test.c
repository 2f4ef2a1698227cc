/* Transactions: abort at every point, random sequences against the naive evaluator, a face that lives from change
 * records alone, random order of arrival, and every allocation failing once. */
#include "surface/rig.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- a face's side table ----------------------------------------------------------------------------------------- */

struct shadow_node {
	sj_node_id id; /* 0: free */
	char *own;
	sj_node_id *kids;
	uint32_t count;
};
struct shadow {
	struct shadow_node v[8192];
	sj_node_id root;
	unsigned spurious;
};

static struct shadow_node *shadow_find(struct shadow *f, sj_node_id id)
{
	uint32_t i = (uint32_t)((id * 0x9E3779B97F4A7C15u) >> 40) % 8192;
	for (uint32_t n = 0; n < 8192 && f->v[i].id != id; n++)
		i = (i + 1) % 8192;
	return f->v[i].id == id ? &f->v[i] : NULL;
}

static struct shadow_node *shadow_new(struct shadow *f, sj_node_id id)
{
	uint32_t i = (uint32_t)((id * 0x9E3779B97F4A7C15u) >> 40) % 8192;
	while (f->v[i].id > 1)
		i = (i + 1) % 8192;
	f->v[i] = (struct shadow_node){.id = id};
	return &f->v[i];
}

static char *own_text(struct rig *r, sj_node_id id)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	rig_own(r, &b, id);
	char *z = malloc(b.len + 1);
	memcpy(z, b.ptr ? b.ptr : "", b.len);
	z[b.len] = '\0';
	sj_buf_finish(&b);
	return z;
}

static void shadow_drop(struct shadow *f, sj_node_id id)
{
	struct shadow_node *n = shadow_find(f, id);
	if (!n)
		return;
	for (uint32_t i = 0; i < n->count; i++)
		shadow_drop(f, n->kids[i]);
	free(n->own);
	free(n->kids);
	*n = (struct shadow_node){.id = 1}; /* a grave, so that probing goes on */
}

static void shadow_load(struct shadow *f, struct rig *r, sj_node_id id)
{
	shadow_drop(f, id);
	uint32_t count = sj_node_child_count(r->s, id);
	struct shadow_node *n = shadow_new(f, id);
	n->own = own_text(r, id);
	n->count = count;
	n->kids = malloc((count + 1) * sizeof *n->kids);
	sj_node_id *kids = n->kids;
	for (uint32_t i = 0; i < count; i++)
		kids[i] = sj_node_child(r->s, id, i);
	for (uint32_t i = 0; i < count; i++)
		if (!shadow_find(f, kids[i]))
			shadow_load(f, r, kids[i]);
}

/* Applies one batch. A record about a node the face does not know is a fault. */
static void shadow_apply(struct shadow *f, struct rig *r)
{
	const struct sj_change *c;
	uint32_t n;
	CHECK_INT(sj_surface_changes(r->s, &c, &n), SJ_OK);
	for (uint32_t i = 0; i < n; i++) {
		struct shadow_node *s = shadow_find(f, c[i].node);
		switch ((enum sj_change_kind)c[i].kind) {
		case SJ_CH_ROOT:
			f->root = c[i].node;
			if (f->root && !s)
				shadow_load(f, r, f->root);
			break;
		case SJ_CH_GONE:
			CHECK(s != NULL);
			CHECK(!sj_node_alive(r->s, c[i].node));
			shadow_drop(f, c[i].node);
			break;
		case SJ_CH_NEW:
			if (!s)
				shadow_load(f, r, c[i].node);
			break;
		case SJ_CH_SPLICE: {
			CHECK(s != NULL);
			if (!s)
				break;
			CHECK(c[i].lo + c[i].remove <= s->count);
			if (c[i].lo + c[i].remove > s->count)
				break;
			uint32_t count = s->count - c[i].remove + c[i].add;
			sj_node_id *kids = malloc((count + 1) * sizeof *kids);
			memcpy(kids, s->kids, c[i].lo * sizeof *kids);
			for (uint32_t j = 0; j < c[i].add; j++)
				kids[c[i].lo + j] = sj_node_child(r->s, c[i].node, c[i].lo + j);
			memcpy(kids + c[i].lo + c[i].add, s->kids + c[i].lo + c[i].remove,
			       (s->count - c[i].lo - c[i].remove) * sizeof *kids);
			free(s->kids);
			s->kids = kids;
			s->count = count;
			for (uint32_t j = 0; j < c[i].add; j++)
				if (!shadow_find(f, kids[c[i].lo + j]))
					shadow_load(f, r, kids[c[i].lo + j]);
			break;
		}
		case SJ_CH_SET:
		case SJ_CH_APPEND:
		case SJ_CH_FLAGS: {
			CHECK(s != NULL);
			if (!s)
				break;
			char *now = own_text(r, c[i].node);
			f->spurious += c[i].kind == SJ_CH_SET && strcmp(now, s->own) == 0;
			free(s->own);
			s->own = now;
			break;
		}
		case SJ_CH_LOCAL:
		case SJ_CH_FOCUS:
			break;
		}
	}
}

static void shadow_print(struct shadow *f, struct sj_buf *b, sj_node_id id)
{
	struct shadow_node *n = shadow_find(f, id);
	if (!n) {
		sj_buf_puts(b, "<unknown>");
		return;
	}
	sj_buf_puts(b, n->own);
	if (strstr(n->own, "!hidden"))
		return;
	for (uint32_t i = 0; i < n->count; i++) {
		sj_buf_putc(b, i ? ' ' : '{');
		shadow_print(f, b, n->kids[i]);
	}
	if (n->count)
		sj_buf_putc(b, '}');
}

static void shadow_check(struct shadow *f, struct rig *r)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	if (f->root)
		shadow_print(f, &b, f->root);
	else
		sj_buf_puts(&b, "(none)");
	CHECK_SLICE(sj_buf_view(&b), sj_slice_of(rig_tree(r)));
	sj_buf_finish(&b);
}

static void shadow_free(struct shadow *f)
{
	for (int i = 0; i < 8192; i++) {
		free(f->v[i].own);
		free(f->v[i].kids);
	}
	free(f);
}

/* ---- random worlds ----------------------------------------------------------------------------------------------- */

static uint64_t rng;
static uint32_t pick(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 11) % n;
}

static const char *const ids[] = {"root", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};
static const char *const keys[] = {"a", "b", "c", "0", "1", "2"};

static void gen_path(struct sj_buf *b, bool absolute)
{
	if (!absolute)
		for (uint32_t up = pick(6) == 0; up; up--)
			sj_buf_putc(b, '^');
	uint32_t n = pick(4);
	for (uint32_t i = 0; i < n; i++) {
		if (i || absolute)
			sj_buf_putc(b, '/');
		sj_buf_puts(b, keys[pick(6)]);
	}
	if (absolute && !n)
		sj_buf_putc(b, '/');
}

static void gen_value(struct sj_buf *b, int depth)
{
	switch (pick(depth > 0 ? 9 : 6)) {
	case 0: sj_buf_printf(b, "%u", pick(3)); break;
	case 1: sj_buf_puts(b, pick(2) ? "\"x\"" : "\"a somewhat longer text\""); break;
	case 2: sj_buf_puts(b, pick(2) ? "true" : "false"); break;
	case 3: sj_buf_puts(b, "null"); break;
	case 4: sj_buf_printf(b, "\"s%u\"", pick(4)); break;
	case 5: sj_buf_puts(b, "\"a somewhat longer text, and more of it\""); break;
	case 6:
		sj_buf_putc(b, '{');
		for (uint32_t i = 0, n = pick(4); i < n; i++) {
			sj_buf_printf(b, "%s\"%s\":", i ? "," : "", keys[i]);
			gen_value(b, depth - 1);
		}
		sj_buf_putc(b, '}');
		break;
	default:
		sj_buf_putc(b, '[');
		for (uint32_t i = 0, n = pick(4); i < n; i++) {
			if (i)
				sj_buf_putc(b, ',');
			gen_value(b, depth - 1);
		}
		sj_buf_putc(b, ']');
	}
}

static void gen_expr(struct sj_buf *b, int depth)
{
	switch (pick(depth > 0 ? 9 : 4)) {
	case 0: gen_value(b, 1); break;
	case 1: case 2: case 3:
		sj_buf_puts(b, "{\"$\":\"");
		gen_path(b, pick(3) == 0);
		sj_buf_puts(b, "\"}");
		break;
	case 4:
		sj_buf_puts(b, "{\"fmt\":[");
		for (uint32_t i = 0, n = 1 + pick(3); i < n; i++) {
			if (i)
				sj_buf_putc(b, ',');
			gen_expr(b, depth - 1);
		}
		sj_buf_puts(b, "]}");
		break;
	case 5:
		sj_buf_printf(b, "{\"fn\":\"%s\",\"of\":[", pick(2) ? "count" : "same");
		gen_expr(b, depth - 1);
		sj_buf_puts(b, "]}");
		break;
	case 6: sj_buf_printf(b, "{\"at\":%u}", pick(2)); break;
	case 7:
		sj_buf_puts(b, "{\"pick\":[");
		gen_expr(b, depth - 1);
		sj_buf_putc(b, ',');
		gen_expr(b, depth - 1);
		sj_buf_putc(b, ',');
		gen_expr(b, depth - 1);
		sj_buf_puts(b, "]}");
		break;
	default:
		sj_buf_puts(b, "{\"key\":[");
		gen_expr(b, depth - 1);
		sj_buf_puts(b, "],\"under\":\"");
		gen_path(b, pick(2));
		sj_buf_puts(b, "\"}");
	}
}

static void gen_component(struct sj_buf *b, const char *id)
{
	static const char *const types[] = {"Column", "Column", "Card", "Text", "Button", "Mystery"};
	static const char *const names[] = {"text", "label", "value", "variant"};
	sj_buf_printf(b, "{\"id\":\"%s\",\"type\":\"%s\"", id, types[pick(id == ids[0] ? 2 : 6)]);
	for (uint32_t i = 0, n = pick(4); i < n; i++) {
		sj_buf_printf(b, ",\"%s\":", names[(i + pick(2) * 2) % 4 > i ? i : i]);
		gen_expr(b, 2);
	}
	if (pick(5) == 0) {
		sj_buf_puts(b, ",\"visible\":");
		gen_expr(b, 1);
	}
	if (pick(4) == 0) {
		sj_buf_puts(b, ",\"checks\":[{\"if\":");
		gen_expr(b, 1);
		sj_buf_printf(b, ",\"say\":\"m%u\"}]", pick(3));
	}
	if (pick(6) == 0)
		sj_buf_puts(b, ",\"action\":1");
	if (pick(3)) {
		sj_buf_puts(b, ",\"children\":[");
		for (uint32_t i = 0, n = pick(3); i < n; i++)
			sj_buf_printf(b, "%s\"%s\"", i ? "," : "", ids[1 + pick(7)]);
		sj_buf_puts(b, "]");
	} else if (pick(2)) {
		sj_buf_printf(b, ",\"child\":\"%s\"", ids[1 + pick(7)]);
	}
	if (pick(3) == 0) {
		sj_buf_puts(b, ",\"more\":{\"each\":\"");
		gen_path(b, pick(2));
		sj_buf_printf(b, "\",\"of\":\"%s\"}", ids[1 + pick(7)]);
	}
	sj_buf_putc(b, '}');
}

static struct sj_value parse(struct sj_buf *b)
{
	struct sj_value v = rig_json(sj_test_mem(), b->ptr);
	sj_buf_finish(b);
	return v;
}

static char *copy_of(const char *z)
{
	char *c = malloc(strlen(z) + 1);
	return strcpy(c, z);
}

/* One random deed inside an open transaction; `defs` follows. */
static void random_deed(struct rig *r, struct sj_value *defs)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_buf b, p;
	sj_buf_init(&b, m, 0);
	sj_buf_init(&p, m, 0);
	struct sj_slice tokens[64];
	switch (pick(10)) {
	case 0: case 1: case 2: {
		const char *id = ids[pick(8)];
		gen_component(&b, id);
		struct sj_value def = parse(&b);
		CHECK_OK(rig_define_value(r, &def));
		sj_value_set(m, defs, sj_slice_of(id), def);
		break;
	}
	case 3: {
		const char *id = ids[pick(8)];
		bool known = sj_value_get(defs, sj_slice_of(id)) != NULL;
		CHECK_INT(sj_surface_remove_component(r->s, sj_slice_of(id)), known ? SJ_OK : SJ_ABSENT);
		sj_value_unset(m, defs, sj_slice_of(id));
		break;
	}
	case 4: {
		gen_path(&p, true);
		uint32_t n = rig_path(p.ptr, tokens);
		if (n == 1 && pick(3))
			n = 0; /* keep most of the model */
		if (n)
			sj_surface_unset(r->s, SJ_ROOT_DATA, tokens, n, NULL);
		break;
	}
	case 5: {
		gen_path(&p, true);
		uint32_t n = rig_path(p.ptr, tokens);
		const struct sj_value *at = sj_surface_get(r->s, SJ_ROOT_DATA, tokens, n);
		if (at && at->type == SJ_V_ARRAY) {
			uint32_t count = sj_value_count(at), lo = pick(count + 1), remove = pick(count - lo + 1);
			gen_value(&b, 1);
			struct sj_value v = parse(&b);
			CHECK_OK(sj_surface_splice(r->s, SJ_ROOT_DATA, tokens, n, lo, remove, &v, 1, NULL));
		} else if (at && sj_value_is_string(at)) {
			CHECK_OK(sj_surface_append_text(r->s, SJ_ROOT_DATA, tokens, n, SJ_LIT(" and on"), NULL));
		}
		break;
	}
	default: {
		gen_path(&p, true);
		uint32_t n = rig_path(p.ptr, tokens);
		gen_value(&b, n ? 3 : 4);
		if (!n && pick(4)) {
			tokens[0] = SJ_LIT("a");
			n = 1;
		}
		struct sj_value v = parse(&b);
		if (!n && v.type != SJ_V_OBJECT) {
			sj_value_unref(m, v);
			break;
		}
		sj_surface_set(r->s, SJ_ROOT_DATA, tokens, n, v, NULL);
		break;
	}
	}
	sj_buf_finish(&b);
	sj_buf_finish(&p);
}

static void check_naive(struct rig *r, const struct sj_value *defs)
{
	struct sj_buf want;
	sj_buf_init(&want, sj_test_mem(), 0);
	rig_naive(&want, &r->limits, defs, sj_surface_model(r->s, SJ_ROOT_DATA));
	CHECK_SLICE(sj_slice_of(rig_tree(r)), sj_buf_view(&want));
	sj_buf_finish(&want);
}

static void random_run(uint64_t seed, unsigned flags, int rounds)
{
	struct rig r;
	rng = seed * 0x9E3779B97F4A7C15u + 1;
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	limits.scope_depth = 3;
	CHECK_OK(rig_open(&r, sj_test_mem(), &limits, flags));
	struct shadow *face = calloc(1, sizeof *face);
	struct sj_value defs = rig_json(sj_test_mem(), "{}");
	/* Shared children times nested rows can explode: such a world ends early. */
	for (int round = 0; round < rounds && !sj_failed() && sj_surface_node_count(r.s) < 2000; round++) {
		char *tree = NULL, *model = NULL;
		bool abort = pick(4) == 0;
		struct sj_value before = sj_value_ref(defs);
		if (abort) {
			tree = copy_of(rig_tree(&r));
			model = copy_of(rig_model(&r));
		}
		rig_begin(&r);
		for (uint32_t n = 1 + pick(abort ? 6 : 3); n; n--) {
			random_deed(&r, &defs);
			if (pick(4) == 0)
				check_naive(&r, &defs); /* a preview, while the message is still arriving */
			if (pick(8) == 0)
				shadow_apply(face, &r);
		}
		if (abort) {
			sj_txn_abort(r.s);
			sj_value_unref(sj_test_mem(), defs);
			defs = sj_value_ref(before);
			CHECK_STR(sj_slice_of(rig_model(&r)), model);
			CHECK_STR(sj_slice_of(rig_tree(&r)), tree);
		} else {
			sj_txn_commit(r.s);
		}
		free(tree);
		free(model);
		sj_value_unref(sj_test_mem(), before);
		if (pick(3))
			check_naive(&r, &defs);
		if (pick(2)) {
			shadow_apply(face, &r);
			shadow_check(face, &r);
			CHECK(!sj_surface_is_dirty(r.s));
		}
		sj_buf_clear(&r.log);
		if (sj_failed())
			printf("# seed %llu round %d\n", (unsigned long long)seed, round);
	}
	sj_value_unref(sj_test_mem(), defs);
	shadow_free(face);
	rig_close(&r);
}

SJ_TEST(random_sequences_equal_the_naive_tree)
{
	for (uint64_t seed = 1; seed <= 150 && !sj_failed(); seed++)
		random_run(seed, 0, 40);
}

SJ_TEST(random_sequences_with_lazy_rows)
{
	for (uint64_t seed = 1001; seed <= 1030 && !sj_failed(); seed++)
		random_run(seed, RIG_LAZY | RIG_GATE, 40);
}

SJ_TEST(any_order_of_arrival_gives_the_same_tree)
{
	for (uint64_t seed = 1; seed <= 40 && !sj_failed(); seed++) {
		rng = seed * 77 + 5;
		struct sj_limits limits = SJ_LIMITS_DEFAULT;
		limits.scope_depth = 3;
		struct sj_value parts[9];
		struct sj_value defs = rig_json(sj_test_mem(), "{}");
		struct sj_buf b;
		for (int i = 0; i < 8; i++) {
			sj_buf_init(&b, sj_test_mem(), 0);
			gen_component(&b, ids[i]);
			parts[i] = parse(&b);
			sj_value_set(sj_test_mem(), &defs, sj_slice_of(ids[i]), sj_value_ref(parts[i]));
		}
		sj_buf_init(&b, sj_test_mem(), 0);
		sj_buf_puts(&b, "{\"a\":");
		gen_value(&b, 4);
		sj_buf_puts(&b, ",\"b\":");
		gen_value(&b, 4);
		sj_buf_putc(&b, '}');
		parts[8] = parse(&b);
		struct sj_buf want;
		sj_buf_init(&want, sj_test_mem(), 0);
		rig_naive(&want, &limits, &defs, &parts[8]);
		for (int order = 0; order < 6; order++) {
			int at[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
			for (int i = 8; i > 0; i--) {
				int j = (int)pick((uint32_t)i + 1), t = at[i];
				at[i] = at[j];
				at[j] = t;
			}
			struct rig r;
			CHECK_OK(rig_open(&r, sj_test_mem(), &limits, 0));
			struct shadow *face = calloc(1, sizeof *face);
			for (int i = 0; i < 9; i++) {
				rig_begin(&r);
				if (at[i] == 8)
					CHECK_OK(sj_surface_set(r.s, SJ_ROOT_DATA, NULL, 0, sj_value_ref(parts[8]),
					                        NULL));
				else
					CHECK_OK(rig_define_value(&r, &parts[at[i]]));
				sj_txn_commit(r.s);
				if (pick(2))
					shadow_apply(face, &r);
			}
			CHECK_SLICE(sj_slice_of(rig_tree(&r)), sj_buf_view(&want));
			shadow_apply(face, &r);
			shadow_check(face, &r);
			shadow_free(face);
			rig_close(&r);
		}
		sj_buf_finish(&want);
		for (int i = 0; i < 9; i++)
			sj_value_unref(sj_test_mem(), parts[i]);
		sj_value_unref(sj_test_mem(), defs);
	}
}

/* ---- abort at every point ---------------------------------------------------------------------------------------- */

static const char *const script[] = {
	"D[{'id':'root','type':'List','text':{'$':'/t'},'children':['a','c'],'more':{'each':'/rows','of':'row'}}]",
	"S/rows 7",
	"S/rows [{'n':1,'k':[1,2]},{'n':2}]",
	"D[{'id':'a','type':'TextField','value':{'$':'/v'},'checks':[{'if':{'$':'/v'},'say':'needed'}]}]",
	"S/rows/0/n 'a text long enough to be counted'",
	"S/rows/4/n 5",
	"U/rows/0/n ",
	"D[{'id':'row','type':'Text','text':{'$':'n'}}]",
	"U/t ",
	"S/t ['x',{'y':{'z':1}}]",
	"S/t/1/y/w/0 2",
	"Ra",
	"D[{'id':'a','type':'Button','label':'x','action':1}]",
	"S/ {'other':1}",
	"S/other/x 1",
};
enum { STEPS = sizeof script / sizeof *script };

static enum sj_status play(struct rig *r, const char *step)
{
	char path[64];
	if (step[0] == 'D')
		return rig_define(r, step + 1);
	if (step[0] == 'R')
		return rig_remove(r, step + 1);
	const char *space = strchr(step, ' ');
	snprintf(path, sizeof path, "%.*s", (int)(space - step - 1), step + 1);
	return step[0] == 'S' ? rig_set(r, path, space + 1) : rig_unset(r, path);
}

static const char *const base_defs = "[{'id':'root','type':'List','text':{'$':'/t'},'children':['a','b'],'more':{'each':'/rows','of':'row'}},"
	"{'id':'row','type':'Card','text':{'fmt':[{'at':0},{'$':'n'}]},'child':'b','more':{'each':'k','of':'leaf'}},"
	"{'id':'leaf','type':'Text','text':{'$':''}},{'id':'b','type':'Text','text':{'fn':'count','of':[{'$':'/rows'}]}}]";

SJ_TEST(abort_at_every_point)
{
	for (int settle = 0; settle < 2; settle++)
		for (int stop = 0; stop <= STEPS; stop++) {
			struct rig r;
			CHECK_OK(rig_open(&r, sj_test_mem(), NULL, RIG_GATE));
			CHECK_OK(rig_define(&r, base_defs));
			CHECK_OK(rig_set(&r, "/", "{'b':1,'t':'title','rows':[{'n':0,'k':[3]}],'z':null}"));
			char *tree = copy_of(rig_tree(&r)), *model = copy_of(rig_model(&r));
			uint32_t missing = sj_surface_dangling(r.s, NULL, NULL),
				 orphans = sj_surface_orphans(r.s, NULL), count = sj_component_count(r.s);
			rig_changes(&r);
			rig_begin(&r);
			for (int i = 0; i < stop; i++) {
				play(&r, script[i]);
				if (settle)
					rig_tree(&r);
			}
			sj_txn_abort(r.s);
			CHECK_STR(sj_slice_of(rig_model(&r)), model);
			CHECK_STR(sj_slice_of(rig_tree(&r)), tree);
			CHECK_INT(sj_surface_dangling(r.s, NULL, NULL), missing);
			CHECK_INT(sj_surface_orphans(r.s, NULL), orphans);
			CHECK_INT(sj_component_count(r.s), count);
			CHECK_SLICE(sj_component_id(r.s, sj_component_at(r.s, 1)), SJ_LIT("row"));
			if (!settle)
				CHECK_STR(sj_slice_of(rig_changes(&r)), "");
			free(tree);
			free(model);
			rig_close(&r);
		}
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Whatever allocation fails, the surface is as before the transaction (tried again with memory), and nothing leaks. */
static enum sj_status hurt(struct sj_mem *mem, void *ctx)
{
	bool changes = *(bool *)ctx;
	struct rig r;
	enum sj_status st = rig_open(&r, mem, NULL, RIG_GATE);
	if (st != SJ_OK) {
		rig_close(&r);
		return st;
	}
	const char *steps[STEPS + 3] = {NULL};
	static char define[2048];
	snprintf(define, sizeof define, "D%s", base_defs);
	steps[0] = define;
	steps[1] = "S/ {'b':1,'t':'title','rows':[{'n':0,'k':[3]}],'z':null}";
	for (int i = 0; i < STEPS; i++)
		steps[i + 2] = script[i];
	for (int i = 0; i < STEPS + 2 && st == SJ_OK; i++) {
		uint64_t fail = mem->fail_at;
		mem->fail_at = 0;
		char *tree = copy_of(rig_tree(&r)), *model = copy_of(rig_model(&r));
		mem->fail_at = fail;
		if (mem->calls >= fail && !mem->fail_once) /* it passed while memory was lent */
			mem->fail_at = mem->calls + 1;
		st = play(&r, steps[i]);
		if (st == SJ_INVALID)
			st = SJ_OK;
		if (st == SJ_OK)
			st = sj_surface_settle(r.s);
		else {
			mem->fail_at = 0;
			CHECK_STR(sj_slice_of(rig_model(&r)), model);
			CHECK_STR(sj_slice_of(rig_tree(&r)), tree);
		}
		if (st == SJ_OK && changes) {
			const struct sj_change *c;
			uint32_t n;
			st = sj_surface_changes(r.s, &c, &n);
		}
		free(tree);
		free(model);
	}
	if (st == SJ_NOMEM) {
		/* With memory again the tree is what it should be. */
		mem->fail_at = 0;
		struct rig fresh;
		CHECK_OK(rig_open(&fresh, sj_test_mem(), NULL, 0));
		for (uint32_t i = 0; i < sj_component_count(r.s); i++)
			CHECK(sj_component_at(r.s, i) != 0);
		char *tree = copy_of(rig_tree(&r));
		CHECK_STR(sj_slice_of(rig_tree(&r)), tree);
		CHECK_INT(sj_surface_settle(r.s), SJ_OK);
		free(tree);
		rig_close(&fresh);
	}
	rig_close(&r);
	return st;
}

SJ_TEST(every_allocation_fails_once)
{
	bool changes = false;
	sj_torture(hurt, &changes);
	changes = true;
	sj_torture(hurt, &changes);
}
