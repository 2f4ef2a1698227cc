/* The notation Vertical: what lines mean, what is mended and listed, the way back, and that neither the splitting of
 * bytes nor bad input changes anything. */
#include "harness/random.h"
#include "harness/test.h"
#include "infer/infer.h"

/* A catalog with one of everything that a place for a value can be. */
static const char document[] =
	"{\"catalogId\":\"test\",\"protocolVersion\":\"1.0\",\"components\":{"
	"\"Text\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Text\"},"
	"\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"variant\":{\"type\":\"string\",\"enum\":[\"body\",\"caption\"]},\"lines\":{\"type\":\"integer\"}},"
	"\"required\":[\"component\",\"text\"]},"
	"\"Gauge\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Gauge\"},"
	"\"value\":{\"type\":\"number\"},\"max\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"},"
	"\"round\":{\"type\":\"boolean\"},\"hidden\":{\"$ref\":\"common_types.json#/$defs/DynamicBoolean\"}},"
	"\"required\":[\"component\",\"value\"]},"
	"\"Chart\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Chart\"},"
	"\"values\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},\"meta\":{\"type\":\"object\"}},"
	"\"required\":[\"component\",\"values\"]},"
	"\"Field\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Field\"},"
	"\"label\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"value\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"checks\":{\"type\":\"array\",\"items\":{\"$ref\":\"common_types.json#/$defs/CheckRule\"}}},"
	"\"required\":[\"component\",\"label\"]},"
	"\"Button\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Button\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"},\"action\":{\"$ref\":\"common_types.json#/$defs/Action\"}},"
	"\"required\":[\"component\",\"child\",\"action\"]},"
	"\"Card\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Card\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"}},\"required\":[\"component\",\"child\"]},"
	"\"Column\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Column\"},"
	"\"children\":{\"$ref\":\"common_types.json#/$defs/ChildList\"}},\"required\":[\"component\",\"children\"]},"
	"\"Tabs\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Tabs\"},\"tabs\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\",\"properties\":{\"title\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"}},\"required\":[\"title\",\"child\"]}}},"
	"\"required\":[\"component\",\"tabs\"]}},"
	"\"functions\":{\"required\":{\"type\":\"object\",\"returnType\":\"validationResult\",\"properties\":{"
	"\"call\":{\"const\":\"required\"},\"args\":{\"type\":\"object\",\"properties\":{\"value\":{}},\"required\":[\"value\"]}},"
	"\"required\":[\"call\",\"args\"]},"
	"\"regex\":{\"type\":\"object\",\"returnType\":\"validationResult\",\"properties\":{\"call\":{\"const\":\"regex\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"value\":{},\"pattern\":{\"type\":\"string\"}},"
	"\"required\":[\"value\",\"pattern\"]}},\"required\":[\"call\",\"args\"]},"
	"\"openUrl\":{\"type\":\"object\",\"returnType\":\"void\",\"properties\":{\"call\":{\"const\":\"openUrl\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"url\":{}},\"required\":[\"url\"]}},\"required\":[\"call\",\"args\"]},"
	"\"join\":{\"type\":\"object\",\"returnType\":\"string\",\"properties\":{\"call\":{\"const\":\"join\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}},\"required\":[\"call\",\"args\"]}}}";

struct rig {
	struct sj_catalog *catalog;
	struct sj_format *format;
};

static enum sj_status open_in(struct sj_mem *mem, enum sj_version version, struct rig *r)
{
	struct sj_diag d = {0};
	enum sj_status st = sj_catalog_parse(mem, SJ_LIT(document), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL,
	                                     &r->catalog, &d);
	if (st != SJ_OK)
		return st;
	const struct sj_catalog *list[] = {r->catalog};
	struct sj_format_options opt = {
		.id = SJ_FORMAT_VERTICAL, .catalogs = list, .ncatalogs = 1, .version = version};
	st = sj_format_create(mem, &opt, &r->format, &d);
	if (st != SJ_OK)
		sj_catalog_destroy(r->catalog);
	return st;
}

static struct rig open_rig(void)
{
	struct rig r = {0};
	CHECK_OK(open_in(sj_test_mem(), SJ_VERSION_NONE, &r));
	return r;
}

static void close_rig(struct rig *r)
{
	sj_format_destroy(r->format);
	sj_catalog_destroy(r->catalog);
}

/* Components of each surface on a line of its own, ids of roots left out. */
static void print_surfaces(const struct sj_value *messages, struct sj_buf *out)
{
	for (uint32_t i = 0; i < sj_value_count(messages); i++) {
		const struct sj_value *list =
			sj_value_at(sj_value_item(messages, i), SJ_LIT("/createSurface/components"));
		if (i > 0)
			sj_buf_putc(out, '\n');
		for (uint32_t k = 0; list && k < sj_value_count(list); k++) {
			if (k > 0)
				sj_buf_putc(out, ' ');
			sj_value_print(out, sj_value_item(list, k), SJ_PRINT_COMPACT);
		}
	}
}

static void print_repairs(const struct sj_repairs *r, struct sj_buf *out)
{
	if (r->list.count == 0)
		sj_buf_puts(out, "none");
	for (uint32_t i = 0; i < r->list.count; i++)
		sj_buf_printf(out, "%s%s:%u", i > 0 ? " " : "", sj_repair_name(r->list.items[i].kind),
		              r->list.items[i].line);
}

struct line_case {
	struct sj_slice name, text, want, repairs;
};

/* Takes what lies before the next occurrence of `mark` off the rest, and the mark. */
static struct sj_slice take(struct sj_slice *rest, const char *mark)
{
	size_t n = strlen(mark), at = 0;
	while (at + n <= rest->len && memcmp(rest->ptr + at, mark, n) != 0)
		at++;
	struct sj_slice head = sj_slice(rest->ptr, at + n <= rest->len ? at : rest->len);
	size_t used = at + n <= rest->len ? at + n : rest->len;
	*rest = sj_slice(rest->ptr + used, rest->len - used);
	return head;
}

/* The next case of vertical_cases.txt. */
static bool next_case(struct sj_slice *rest, struct line_case *c)
{
	if (rest->len == 0)
		return false;
	struct sj_slice all = take(rest, "\n== ");
	c->name = take(&all, "\n");
	c->text = take(&all, "\n--\n");
	c->want = take(&all, "\n-- ");
	c->repairs = take(&all, "\n");
	return true;
}

static struct sj_slice all_cases(void)
{
	struct sj_slice rest = sj_slurp(sj_root("tests/infer/vertical_cases.txt"));
	take(&rest, "\n== ");
	CHECK(rest.len > 0);
	return rest;
}

SJ_TEST(lines)
{
	struct rig r = open_rig();
	struct sj_slice rest = all_cases();
	struct line_case c;
	while (next_case(&rest, &c)) {
		struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_diag d = {0};
		struct sj_buf out, said;
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_buf_init(&said, sj_test_mem(), 0);
		sj_case("%.*s", SJ_ARG(c.name));
		if (sj_format_compile(r.format, c.text, &messages, &repairs, &d) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "%s at %s", d.message, d.pointer);
		print_surfaces(&messages, &out);
		print_repairs(&repairs, &said);
		CHECK_SLICE(sj_buf_view(&out), c.want);
		CHECK_SLICE(sj_buf_view(&said), c.repairs);
		sj_case_end();
		sj_buf_finish(&out);
		sj_buf_finish(&said);
		sj_value_unref(sj_test_mem(), messages);
		SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	}
	close_rig(&r);
}
