/* The published fixtures of the prototype language, each a case: valid specs, invalid ones with the place of the fault,
 * components with what they expand to and with their errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/test.h"
#include "proto/proto.h"

static bool each_file(const char *folder, void (*fn)(const char *path))
{
	char **names = NULL;
	const char *path = sj_data(folder);
	if (!path) {
		sj_skip("no public data");
		return false;
	}
	char base[1024];
	(void)snprintf(base, sizeof base, "%s", path);
	size_t n = sj_list_dir(base, ".json", &names);
	CHECK(n > 0);
	for (size_t i = 0; i < n; i++) {
		char full[2048];
		(void)snprintf(full, sizeof full, "%s/%s", base, names[i]);
		sj_case("%s/%s", folder + strlen("prototype/"), names[i]);
		fn(full);
		sj_case_end();
	}
	return true;
}

struct fixture {
	struct sj_value doc;
	struct sj_buf spec; /* text of its member `spec` */
};

static void open_fixture(const char *path, struct fixture *f)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_json_options opt = {.dup = SJ_DUP_LAST,
	                              .surrogate = SJ_SURROGATE_KEEP,
	                              .max_depth = 1000,
	                              .max_values = 4000000,
	                              .max_string_bytes = 16000000,
	                              .max_bytes = 16000000};
	f->doc = SJ_NULL_VALUE;
	CHECK_OK(sj_value_parse(mem, &opt, sj_slurp(path), &f->doc, NULL));
	sj_buf_init(&f->spec, mem, 0);
	const struct sj_value *spec = sj_value_get(&f->doc, SJ_LIT("spec"));
	if (spec)
		sj_value_print(&f->spec, spec, SJ_PRINT_COMPACT);
}

static void close_fixture(struct fixture *f)
{
	sj_buf_finish(&f->spec);
	sj_value_unref(sj_test_mem(), f->doc);
}

static void check_valid(const char *path)
{
	struct sj_proto_error e;
	struct sj_value spec = SJ_NULL_VALUE;
	sj_proto_error_init(&e, sj_test_mem());
	enum sj_status st = sj_proto_load(sj_test_mem(), sj_slurp(path), NULL, &spec, &e);
	CHECK_INT(st, SJ_OK);
	CHECK_SLICE(sj_buf_view(&e.path), SJ_LIT(""));
	CHECK_SLICE(sj_buf_view(&e.message), SJ_LIT(""));
	sj_value_unref(sj_test_mem(), spec);
	sj_proto_error_finish(&e);
}
SJ_TEST(valid) { (void)each_file("prototype/valid", check_valid); }

static void check_invalid(const char *path)
{
	struct fixture f;
	struct sj_proto_error e;
	struct sj_value spec = SJ_NULL_VALUE;
	open_fixture(path, &f);
	sj_proto_error_init(&e, sj_test_mem());
	enum sj_status st = sj_proto_load(sj_test_mem(), sj_buf_view(&f.spec), NULL, &spec, &e);
	CHECK_INT(st, SJ_INVALID);
	const struct sj_value *where = sj_value_get(&f.doc, SJ_LIT("expectedPath")),
			      *message = sj_value_get(&f.doc, SJ_LIT("expectedMessage"));
	CHECK(where != NULL);
	if (where)
		CHECK_SLICE(sj_buf_view(&e.path), sj_value_text(where));
	if (message)
		CHECK_SLICE(sj_buf_view(&e.message), sj_value_text(message));
	CHECK(e.message.len > 0);
	sj_proto_error_finish(&e);
	close_fixture(&f);
}
SJ_TEST(invalid) { (void)each_file("prototype/invalid", check_invalid); }
SJ_TEST(component_errors) { (void)each_file("prototype/components/invalid", check_invalid); }

static void check_expand(const char *path)
{
	struct fixture f;
	struct sj_proto_error e;
	struct sj_value spec = SJ_NULL_VALUE;
	open_fixture(path, &f);
	sj_proto_error_init(&e, sj_test_mem());
	CHECK_OK(sj_proto_load(sj_test_mem(), sj_buf_view(&f.spec), NULL, &spec, &e));
	CHECK_SLICE(sj_buf_view(&e.message), SJ_LIT(""));
	CHECK(sj_value_equal(&spec, sj_value_get(&f.doc, SJ_LIT("expanded"))));
	sj_value_unref(sj_test_mem(), spec);
	sj_proto_error_finish(&e);
	close_fixture(&f);
}
SJ_TEST(expand) { (void)each_file("prototype/components/expand", check_expand); }

SJ_TEST(gallery)
{
	const char *authored = sj_data("prototype/components/gallery.json");
	if (!authored) {
		sj_skip("no public data");
		return;
	}
	struct sj_slice text = sj_slurp(authored), whole = sj_slurp(sj_data("prototype/valid/component-gallery.json"));
	struct sj_value a = SJ_NULL_VALUE, b = SJ_NULL_VALUE;
	struct sj_proto_error e;
	sj_proto_error_init(&e, sj_test_mem());
	CHECK_OK(sj_proto_load(sj_test_mem(), text, NULL, &a, &e));
	CHECK_OK(sj_proto_load(sj_test_mem(), whole, NULL, &b, &e));
	CHECK(sj_value_equal(&a, &b));
	sj_value_unref(sj_test_mem(), a);
	sj_value_unref(sj_test_mem(), b);
	sj_proto_error_finish(&e);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

SJ_TEST(numbers)
{
	static const struct {
		double n;
		const char *text;
	} rows[] = {{0, "0"},
	            {-0.0, "0"},
	            {1e21, "1000000000000000000000"},
	            {1.5, "1.5"},
	            {-7, "-7"},
	            {1e15, "1000000000000000"},
	            {1e23, "99999999999999991611392"},
	            {9007199254740993.0, "9007199254740992"},
	            {1e-7, "1e-7"},
	            {0.1, "0.1"},
	            {-1e22, "-10000000000000000000000"},
	            {123456789012345680000.0, "123456789012345683968"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_buf b;
		sj_buf_init(&b, sj_test_mem(), 0);
		sj_proto_number(rows[i].n, &b);
		CHECK_STR(sj_buf_view(&b), rows[i].text);
		sj_buf_finish(&b);
	}
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static enum sj_status load_once(struct sj_mem *mem, void *ctx)
{
	struct sj_proto_error e;
	struct sj_value spec;
	sj_proto_error_init(&e, mem);
	enum sj_status st = sj_proto_load(mem, *(const struct sj_slice *)ctx, NULL, &spec, &e);
	if (st == SJ_OK)
		sj_value_unref(mem, spec);
	sj_proto_error_finish(&e);
	return st == SJ_INVALID ? SJ_OK : st;
}

SJ_TEST(every_allocation_fails_once)
{
	static const char *const texts[] = {
		"{\"id\":\"a\",\"window\":{\"placement\":{\"type\":\"fullscreen\"}},\"state\":{\"k_a\":false,\"s\":\"x\"},"
		"\"components\":{\"c\":{\"root\":{\"type\":\"row\",\"children\":[{\"type\":\"text\",\"text\":\"{props.t}\"}]}}},"
		"\"root\":{\"type\":\"column\",\"repeat\":{\"items\":[{\"id\":\"a\"}],\"as\":\"item\"},\"children\":[{\"type\":"
		"\"use\",\"component\":\"c\",\"props\":{\"t\":\"hello {item.id}\"}},{\"type\":\"switch\",\"stateKey\":"
		"\"k_{item.id}\"},{\"type\":\"textField\",\"stateKey\":\"s\",\"secure\":true}]}}",
		"{\"id\":\"a\",\"window\":{\"placement\":{\"type\":\"fullscreen\"}},\"components\":{\"c\":{\"root\":{\"type\":"
		"\"use\",\"component\":\"c\"}}},\"root\":{\"type\":\"use\",\"component\":\"c\"}}",
	};
	for (size_t i = 0; i < 2; i++) {
		struct sj_slice text = sj_slice_of(texts[i]);
		sj_torture(load_once, &text);
	}
}
