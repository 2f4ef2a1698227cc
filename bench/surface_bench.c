/* The operations of the reactive core, with the nanoseconds each takes. Messages are not parsed here: definitions and
 * values are made by hand, so that only the core is measured. Prints medians of several runs.
 *
 *   surface_bench [word]     only lines that contain the word
 */
#define _POSIX_C_SOURCE 200809L
#include "surface/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *only;

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void report(const char *what, double *ns, int runs, double per, const char *unit)
{
	qsort(ns, (size_t)runs, sizeof *ns, by_value);
	printf("%-58s %12.1f %s  [min %.1f]\n", what, ns[runs / 2] / per, unit, ns[0] / per);
	fflush(stdout);
}

/* ---- a plain language -------------------------------------------------------------------------------------------- */

static void text_of(const struct sj_value *v, struct sj_buf *out)
{
	if (sj_value_is_string(v))
		sj_buf_slice(out, sj_value_text(v));
	else if (v->type != SJ_V_ABSENT)
		sj_value_print(out, v, SJ_PRINT_COMPACT);
}
static bool truthy(const struct sj_value *v) { return v->type > SJ_V_FALSE; }
static void check(enum sj_result r, const struct sj_value *v, struct sj_check_outcome *o)
{
	o->valid = r == SJ_R_OK && truthy(v);
}
static const struct sj_driver driver = {.name = "bench", .text = text_of, .truthy = truthy, .check = check};

static struct sj_mem mem;
static struct sj_limits limits;

static struct sj_surface *make(bool lazy)
{
	struct sj_surface *s = NULL;
	struct sj_surface_options o = {.limits = &limits, .driver = &driver, .lazy_rows = lazy};
	if (sj_surface_create(&mem, &o, &s) != SJ_OK)
		abort();
	return s;
}

static uint32_t split(const char *path, struct sj_seg *segs)
{
	uint32_t n = 0;
	const char *at = path[0] == '/' ? path + 1 : path;
	while (*at) {
		size_t len = strcspn(at, "/");
		segs[n++] = (struct sj_seg){.kind = SJ_SEG_KEY, .key = sj_slice(at, len)};
		at += len + (at[len] == '/');
	}
	return n;
}

static struct sj_addr address(const char *path, struct sj_seg *segs)
{
	struct sj_addr a = {.root = SJ_ROOT_DATA, .relative = path[0] != '/', .segs = segs};
	a.count = (uint16_t)split(path, segs);
	return a;
}

static void read_prop(struct sj_def_builder *b, const char *name, enum sj_ui_prop ui, const char *path)
{
	struct sj_seg segs[8];
	struct sj_addr a = address(path, segs);
	sj_x_read(sj_def_code(b, sj_slice_of(name), ui, SJ_PC_VALUE, SJ_PF_BOUND, SJ_ABSENT_VALUE), &a);
	sj_def_code_end(b);
}

static void format_prop(struct sj_def_builder *b, const char *name, enum sj_ui_prop ui, const char *path)
{
	struct sj_seg segs[8];
	struct sj_addr a = address(path, segs);
	struct sj_code_builder *c = sj_def_code(b, sj_slice_of(name), ui, SJ_PC_VALUE, 0, SJ_ABSENT_VALUE);
	struct sj_value hello;
	sj_value_string(&mem, SJ_LIT("Hello, "), &hello);
	sj_x_const(c, hello);
	sj_x_read(c, &a);
	sj_x_text(c);
	sj_value_string(&mem, SJ_LIT("! Welcome back."), &hello);
	sj_x_const(c, hello);
	sj_x_concat(c, 3);
	sj_def_code_end(b);
}

static struct sj_def_builder *begin(struct sj_surface *s, const char *id, const char *type, enum sj_ui_kind kind)
{
	struct sj_def_builder *b;
	if (sj_def_begin(s, sj_slice_of(id), sj_slice_of(type), kind, &b) != SJ_OK)
		abort();
	return b;
}

static void finish(struct sj_def_builder *b)
{
	if (sj_def_end(b, NULL) != SJ_OK)
		abort();
}

static void open_txn(struct sj_surface *s) { sj_txn_begin(s, 1, (struct sj_origin){1, 0}); }

static void set(struct sj_surface *s, const char *path, struct sj_value v)
{
	struct sj_seg segs[8];
	struct sj_slice tokens[8];
	uint32_t n = split(path, segs);
	for (uint32_t i = 0; i < n; i++)
		tokens[i] = segs[i].key;
	if (sj_surface_set(s, SJ_ROOT_DATA, tokens, n, v, NULL) != SJ_OK)
		abort();
}

static void root_with(struct sj_surface *s, uint32_t n)
{
	struct sj_def_builder *b = begin(s, "root", "Column", SJ_UI_COLUMN);
	char id[16];
	for (uint32_t i = 0; i < n; i++) {
		int len = snprintf(id, sizeof id, "c%u", i);
		sj_def_child(b, SJ_LIT("children"), SJ_P_CHILDREN, i, SJ_NO_SLICE, sj_slice(id, (size_t)len));
	}
	finish(b);
}

static void changes(struct sj_surface *s)
{
	const struct sj_change *c;
	uint32_t n;
	if (sj_surface_changes(s, &c, &n) != SJ_OK)
		abort();
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

/* n texts bound to /k<i>/v each. */
static struct sj_surface *many_bindings(uint32_t n)
{
	struct sj_surface *s = make(false);
	char id[16], path[32];
	open_txn(s);
	root_with(s, n);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(id, sizeof id, "c%u", i);
		snprintf(path, sizeof path, "/k%u/v", i);
		struct sj_def_builder *b = begin(s, id, "Text", SJ_UI_TEXT);
		read_prop(b, "text", SJ_P_TEXT, path);
		finish(b);
		set(s, path, sj_value_int(0));
	}
	sj_txn_commit(s);
	changes(s);
	return s;
}

static void writes(uint32_t bindings)
{
	struct sj_surface *s = many_bindings(bindings);
	double wake[7], whole[7], spread[7];
	enum { N = 200000 };
	struct sj_slice at[2] = {SJ_LIT("k7"), SJ_LIT("v")};
	char key[16];
	int64_t v = 1;
	for (int r = 0; r < 7; r++) {
		double t = now_ns();
		open_txn(s);
		for (int i = 0; i < N; i++)
			sj_surface_set(s, SJ_ROOT_DATA, at, 2, sj_value_int(v++), NULL);
		wake[r] = now_ns() - t;
		sj_txn_commit(s);
		changes(s);
		t = now_ns();
		for (int i = 0; i < N; i++) {
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, at, 2, sj_value_int(v++), NULL);
			sj_txn_commit(s);
			changes(s);
		}
		whole[r] = now_ns() - t;
		t = now_ns();
		uint32_t x = 12345;
		for (int i = 0; i < N; i++) {
			x = x * 1664525u + 1013904223u;
			int len = snprintf(key, sizeof key, "k%u", (x >> 8) % bindings);
			struct sj_slice far[2] = {sj_slice(key, (size_t)len), SJ_LIT("v")};
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, far, 2, sj_value_int(v++), NULL);
			sj_txn_commit(s);
			changes(s);
		}
		spread[r] = now_ns() - t;
	}
	char what[80];
	snprintf(what, sizeof what, "write, %u bindings: set alone (journal, wake)", bindings);
	report(what, wake, 7, N, "ns a write");
	snprintf(what, sizeof what, "write, %u bindings: begin, set, commit, changes", bindings);
	report(what, whole, 7, N, "ns a write");
	snprintf(what, sizeof what, "write, %u bindings: the same on random paths", bindings);
	report(what, spread, 7, N, "ns a write");
	sj_surface_destroy(s);
}

static void dependants(void)
{
	struct sj_surface *s = make(false);
	char id[16];
	enum { DEPS = 500, N = 2000 };
	open_txn(s);
	root_with(s, DEPS);
	for (uint32_t i = 0; i < DEPS; i++) {
		snprintf(id, sizeof id, "c%u", i);
		struct sj_def_builder *b = begin(s, id, "Text", SJ_UI_TEXT);
		format_prop(b, "text", SJ_P_TEXT, "/name");
		finish(b);
	}
	sj_txn_commit(s);
	changes(s);
	double t[7];
	for (int r = 0; r < 7; r++) {
		double from = now_ns();
		for (int i = 0; i < N; i++) {
			char name[32];
			int len = snprintf(name, sizeof name, "Ada Lovelace %d", i + r);
			struct sj_value v;
			sj_value_string(&mem, sj_slice(name, (size_t)len), &v);
			open_txn(s);
			set(s, "/name", v);
			sj_txn_commit(s);
			changes(s);
		}
		t[r] = now_ns() - from;
	}
	report("keystroke with 500 formatted dependants", t, 7, N, "ns a write");
	report("... of it each", t, 7, (double)N * DEPS, "ns a dependant");
	sj_surface_destroy(s);
}

/* ---- templates --------------------------------------------------------------------------------------------------- */

static void define_rows(struct sj_surface *s)
{
	struct sj_seg segs[2];
	struct sj_addr list = address("/rows", segs);
	struct sj_def_builder *b = begin(s, "root", "List", SJ_UI_LIST);
	sj_def_template(b, SJ_LIT("children"), SJ_P_CHILDREN, &list, SJ_LIT("row"), SJ_NO_SLICE);
	finish(b);
	b = begin(s, "row", "Row", SJ_UI_ROW);
	static const char *const kids[] = {"name", "price", "note", "on"};
	for (uint32_t i = 0; i < 4; i++)
		sj_def_child(b, SJ_LIT("children"), SJ_P_CHILDREN, i, SJ_NO_SLICE, sj_slice_of(kids[i]));
	finish(b);
	b = begin(s, "name", "Text", SJ_UI_TEXT);
	read_prop(b, "text", SJ_P_TEXT, "name");
	finish(b);
	b = begin(s, "price", "Text", SJ_UI_TEXT);
	format_prop(b, "text", SJ_P_TEXT, "price");
	finish(b);
	b = begin(s, "note", "Text", SJ_UI_TEXT);
	read_prop(b, "text", SJ_P_TEXT, "note");
	finish(b);
	b = begin(s, "on", "CheckBox", SJ_UI_CHECK_BOX);
	read_prop(b, "value", SJ_P_VALUE, "on");
	finish(b);
}

static struct sj_value make_row(uint32_t i)
{
	struct sj_value row, t;
	char text[40];
	sj_value_object(&mem, &row);
	int len = snprintf(text, sizeof text, "Item number %u of many", i);
	sj_value_string(&mem, sj_slice(text, (size_t)len), &t);
	sj_value_set(&mem, &row, SJ_LIT("name"), t);
	sj_value_set(&mem, &row, SJ_LIT("price"), sj_value_int(i * 3));
	sj_value_string(&mem, SJ_LIT("a note"), &t);
	sj_value_set(&mem, &row, SJ_LIT("note"), t);
	sj_value_set(&mem, &row, SJ_LIT("on"), sj_value_bool(i % 2));
	return row;
}

static struct sj_value make_rows(uint32_t from, uint32_t n)
{
	struct sj_value list;
	sj_value_array(&mem, &list);
	for (uint32_t i = 0; i < n; i++)
		sj_value_append(&mem, &list, make_row(from + i));
	return list;
}

static void templates(bool lazy)
{
	enum { ROWS = 10000 };
	double create[5], cell[5], append[5], first[5], drop[5];
	char what[80];
	for (int r = 0; r < 5; r++) {
		struct sj_surface *s = make(lazy);
		open_txn(s);
		define_rows(s);
		sj_txn_commit(s);
		changes(s);
		struct sj_value rows = make_rows(0, ROWS);
		size_t before = mem.used_bytes;
		double t = now_ns();
		open_txn(s);
		set(s, "/rows", rows);
		sj_txn_commit(s);
		changes(s);
		create[r] = now_ns() - t;
		if (r == 0)
			printf("%-58s %12.2f MB for %llu nodes\n", lazy ? "template, lazy: memory" : "template: memory",
			       (double)(mem.used_bytes - before) / 1e6, (unsigned long long)sj_surface_node_count(s));
		enum { N = 20000 };
		struct sj_slice at[3] = {SJ_LIT("rows"), SJ_LIT("17"), SJ_LIT("price")};
		t = now_ns();
		for (int i = 0; i < N; i++) {
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, at, 3, sj_value_int(i + 7), NULL);
			sj_txn_commit(s);
			changes(s);
		}
		cell[r] = (now_ns() - t) / N;
		t = now_ns();
		char index[16];
		enum { MORE = 1000 };
		for (uint32_t i = 0; i < MORE; i++) {
			int len = snprintf(index, sizeof index, "%u", ROWS + i);
			struct sj_slice end[2] = {SJ_LIT("rows"), sj_slice(index, (size_t)len)};
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, end, 2, make_row(ROWS + i), NULL);
			sj_txn_commit(s);
			changes(s);
		}
		append[r] = (now_ns() - t) / MORE;
		open_txn(s);
		set(s, "/rows", make_rows(0, ROWS));
		sj_txn_commit(s);
		changes(s);
		rows = make_rows(1, ROWS - 1);
		t = now_ns();
		open_txn(s);
		set(s, "/rows", rows);
		sj_txn_commit(s);
		changes(s);
		first[r] = now_ns() - t;
		t = now_ns();
		sj_surface_destroy(s);
		drop[r] = now_ns() - t;
	}
	snprintf(what, sizeof what, "template%s: 10,000 rows x 5 nodes, 4 bindings: create", lazy ? ", lazy" : "");
	report(what, create, 5, 1e6, "ms");
	report("  one cell changed", cell, 5, 1, "ns a cell");
	report("  one row appended (with its value)", append, 5, 1, "ns a row");
	report("  first row removed, whole array set", first, 5, 1e6, "ms");
	report("  surface destroyed", drop, 5, 1e6, "ms");
}

/* ---- flat trees -------------------------------------------------------------------------------------------------- */

static void leaf(struct sj_surface *s, uint32_t i)
{
	char id[16];
	snprintf(id, sizeof id, "c%u", i);
	struct sj_def_builder *b = begin(s, id, "Text", SJ_UI_TEXT);
	struct sj_value v;
	sj_value_string(&mem, SJ_LIT("Some label"), &v);
	sj_def_literal(b, SJ_LIT("text"), SJ_P_TEXT, SJ_PC_VALUE, v);
	sj_value_string(&mem, SJ_LIT("body"), &v);
	sj_def_literal(b, SJ_LIT("variant"), SJ_P_VARIANT, SJ_PC_VALUE, v);
	finish(b);
}

static void flat(uint32_t n, uint32_t messages, bool shuffled, bool root_last)
{
	double t[5];
	uint32_t *order = malloc(n * sizeof *order);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	uint32_t x = 99;
	for (uint32_t i = n; shuffled && i-- > 1;) {
		x = x * 1664525u + 1013904223u;
		uint32_t j = (x >> 4) % (i + 1), o = order[i];
		order[i] = order[j];
		order[j] = o;
	}
	size_t used = 0;
	for (int r = 0; r < 5; r++) {
		size_t before = mem.used_bytes;
		double from = now_ns();
		struct sj_surface *s = make(false);
		for (uint32_t m = 0; m < messages; m++) {
			open_txn(s);
			if (m == 0 && !root_last)
				root_with(s, n);
			for (uint32_t i = n / messages * m; i < n / messages * (m + 1); i++)
				leaf(s, order[i]);
			if (m + 1 == messages && root_last)
				root_with(s, n);
			sj_txn_commit(s);
			changes(s);
		}
		t[r] = now_ns() - from;
		if (sj_surface_node_count(s) != n + 1)
			abort();
		used = mem.used_bytes - before;
		sj_surface_destroy(s);
	}
	char what[80];
	snprintf(what, sizeof what, "flat %u in %u message%s%s%s", n, messages, messages > 1 ? "s" : "",
	         shuffled ? ", random order" : "", root_last ? ", root last" : "");
	report(what, t, 5, 1e6, "ms");
	printf("%-58s %12.1f bytes a component\n", "  memory", (double)used / n);
	free(order);
}

/* ---- many surfaces, many messages -------------------------------------------------------------------------------- */

static void small(struct sj_surface *s, uint32_t seed)
{
	char id[16];
	open_txn(s);
	root_with(s, 9);
	for (uint32_t i = 0; i < 9; i++) {
		snprintf(id, sizeof id, "c%u", i);
		struct sj_def_builder *b = begin(s, id, i == 8 ? "Button" : "Text", i == 8 ? SJ_UI_BUTTON : SJ_UI_TEXT);
		if (i % 2)
			read_prop(b, "text", SJ_P_TEXT, i % 4 == 1 ? "/name" : "/count");
		else {
			struct sj_value v;
			sj_value_string(&mem, SJ_LIT("A label of some length"), &v);
			sj_def_literal(b, SJ_LIT("text"), SJ_P_TEXT, SJ_PC_VALUE, v);
		}
		finish(b);
	}
	struct sj_value v;
	sj_value_string(&mem, SJ_LIT("Ada"), &v);
	set(s, "/name", v);
	set(s, "/count", sj_value_int(seed));
	sj_txn_commit(s);
	changes(s);
}

static void many_surfaces(void)
{
	enum { N = 10000 };
	static struct sj_surface *s[N];
	double make_ns[3], end_ns[3];
	size_t used = 0;
	for (int r = 0; r < 3; r++) {
		size_t before = mem.used_bytes;
		double t = now_ns();
		for (uint32_t i = 0; i < N; i++) {
			s[i] = make(false);
			small(s[i], i);
		}
		make_ns[r] = now_ns() - t;
		used = mem.used_bytes - before;
		t = now_ns();
		for (uint32_t i = 0; i < N; i++)
			sj_surface_destroy(s[i]);
		end_ns[r] = now_ns() - t;
		if (mem.used_bytes != before)
			abort();
	}
	report("10,000 surfaces of 10 components: create", make_ns, 3, N, "ns a surface");
	report("  destroy", end_ns, 3, N, "ns a surface");
	printf("%-58s %12.1f bytes a surface\n", "  memory", (double)used / N);
}

static void many_messages(void)
{
	struct sj_surface *s = many_bindings(50);
	enum { N = 100000 };
	double t[7];
	char key[16];
	for (int r = 0; r < 7; r++) {
		double from = now_ns();
		for (int i = 0; i < N; i++) {
			int len = snprintf(key, sizeof key, "k%d", i % 50);
			struct sj_slice at[2] = {sj_slice(key, (size_t)len), SJ_LIT("v")};
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, at, 2, sj_value_int(i + r), NULL);
			sj_txn_commit(s);
			changes(s);
		}
		t[r] = now_ns() - from;
	}
	report("100,000 updates, 50 bound nodes (with snprintf of the key)", t, 7, N, "ns an update");
	sj_surface_destroy(s);
}

static void odds(void)
{
	struct sj_surface *s = make(false);
	double abort_ns[7], snap_ns[7], resend[7];
	open_txn(s);
	define_rows(s);
	set(s, "/rows", make_rows(0, 10000));
	sj_txn_commit(s);
	changes(s);
	enum { N = 10000 };
	for (int r = 0; r < 7; r++) {
		struct sj_slice at[3] = {SJ_LIT("rows"), SJ_LIT("17"), SJ_LIT("price")};
		double t = now_ns();
		for (int i = 0; i < N; i++) {
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, at, 3, sj_value_int(-i - 1), NULL);
			sj_txn_abort(s);
			changes(s);
		}
		abort_ns[r] = now_ns() - t;
		t = now_ns();
		for (int i = 0; i < N; i++) {
			struct sj_value snap = sj_surface_snapshot(s, SJ_ROOT_DATA);
			open_txn(s);
			sj_surface_set(s, SJ_ROOT_DATA, at, 3, sj_value_int(i + r + 1), NULL);
			sj_txn_commit(s);
			changes(s);
			sj_value_unref(&mem, snap);
		}
		snap_ns[r] = now_ns() - t;
	}
	report("a write that is aborted, 10,000 rows", abort_ns, 7, N, "ns a write");
	report("a write while a snapshot is held, 10,000 rows", snap_ns, 7, N, "ns a write");
	sj_surface_destroy(s);
	s = many_bindings(2000);
	for (int r = 0; r < 7; r++) {
		double t = now_ns();
		for (int i = 0; i < 1000; i++) {
			open_txn(s);
			struct sj_def_builder *b = begin(s, "c5", "Text", SJ_UI_TEXT);
			read_prop(b, "text", SJ_P_TEXT, "/k5/v");
			finish(b);
			sj_txn_commit(s);
			changes(s);
		}
		resend[r] = now_ns() - t;
	}
	report("one component of 2,000 sent again", resend, 7, 1000, "ns a component");
	sj_surface_destroy(s);
}

static bool wanted(const char *what) { return !only || strstr(what, only); }

int main(int argc, char **argv)
{
	only = argc > 1 ? argv[1] : NULL;
	sj_mem_init(&mem, NULL, 0);
	limits = SJ_LIMITS_DEFAULT;
	limits.components = 300000;
	if (wanted("write")) {
		writes(2000);
		writes(200000);
	}
	if (wanted("dependants"))
		dependants();
	if (wanted("template")) {
		templates(false);
		templates(true);
	}
	if (wanted("flat")) {
		flat(2000, 1, false, false);
		flat(20000, 1, false, false);
		flat(20000, 1, false, true);
		flat(20000, 200, false, false);
		flat(20000, 200, true, false);
	}
	if (wanted("surfaces"))
		many_surfaces();
	if (wanted("updates"))
		many_messages();
	if (wanted("odds"))
		odds();
	printf("%zu bytes kept\n", mem.used_bytes);
	return mem.used_bytes != 0;
}
