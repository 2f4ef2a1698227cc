/* Registered catalogs, their transformers, negotiation; the older way of choosing a catalog. */
#include "harness/test.h"
#include "infer/legacy.h"
#include "infer/session.h"

#define CATALOG(id, version, components) \
	"{\"catalogId\":\"" id "\",\"protocolVersion\":\"" version "\",\"components\":{" components "}," \
	"\"functions\":{\"shout\":{\"type\":\"object\",\"returnType\":\"string\",\"properties\":{\"@call\":{\"const\":" \
	"\"shout\"},\"args\":{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"string\"}}}},\"required\":" \
	"[\"@call\"]},\"sing\":{\"type\":\"object\",\"returnType\":\"string\",\"properties\":{\"@call\":{\"const\":\"sing\"}}," \
	"\"required\":[\"@call\"]}}}"
#define COMPONENT(name) \
	"\"" name "\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"" name "\"},\"text\":{\"type\":\"string\"}}," \
	"\"required\":[\"component\"]}"

static const char abc[] = CATALOG("x:abc", "1.0", COMPONENT("Aa") "," COMPONENT("Bb") "," COMPONENT("Cc"));
static const char other[] = CATALOG("x:other", "1.0", COMPONENT("Oo"));
static const char older[] = "{\"catalogId\":\"x:older\",\"components\":{" COMPONENT("Old") "}}";

static struct sj_catalog *load(struct sj_mem *mem, const char *json)
{
	struct sj_catalog_options opt = {.id = SJ_NO_SLICE};
	struct sj_catalog *c = NULL;
	return sj_catalog_load(mem, sj_slice_of(json), &opt, &c, NULL) == SJ_OK ? c : NULL;
}

static struct sj_slice names_of(const struct sj_catalog *c, bool functions)
{
	static char text[256];
	uint32_t n = functions ? sj_catalog_function_count(c) : sj_catalog_component_count(c);
	size_t len = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct sj_slice s =
			functions ? sj_catalog_function_at(c, i)->name : sj_catalog_component_at(c, i)->name;
		memcpy(text + len, s.ptr, s.len);
		len += s.len;
		text[len++] = ' ';
	}
	return sj_slice(text, len);
}

static enum sj_status parse(struct sj_arena *a, const char *json, struct sj_tape *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	return sj_json_parse(a, &opt, sj_slice_of(json), out, NULL);
}

/* An agent with three catalogs; the first passes through two transformers. */
static enum sj_status make(struct sj_mem *mem, bool accepts_inline, struct sj_agent **out)
{
	static const struct sj_slice keep[] = {{"Cc", 2}, {"Nobody", 6}, {"Aa", 2}}, few[] = {{"Aa", 2}, {"Bb", 2}},
				     sing[] = {{"sing", 4}};
	const struct sj_pruning steps[] = {{.components = keep, .ncomponents = 3},
	                                   {.functions = sing, .nfunctions = 1},
	                                   {.components = few, .ncomponents = 2}};
	struct sj_catalog *c[] = {load(mem, abc), load(mem, other), load(mem, older)};
	struct sj_registration rows[] = {{c[0], steps, 3}, {c[1], NULL, 0}, {c[2], NULL, 0}};
	struct sj_agent_options opt = {rows, 3, accepts_inline};
	enum sj_status st = c[0] && c[1] && c[2] ? sj_agent_create(mem, &opt, out, NULL) : SJ_NOMEM;
	for (int i = 0; i < 3; i++) /* registrations are borrowed only while the agent is made */
		sj_catalog_destroy(c[i]);
	return st;
}

SJ_TEST(transformers_apply_in_order)
{
	struct sj_agent *a;
	CHECK_OK(make(sj_test_mem(), false, &a));
	CHECK_INT(sj_agent_catalog_count(a), 3);
	CHECK_STR(names_of(sj_agent_catalog(a, 0), false), "Aa ");
	CHECK_STR(names_of(sj_agent_catalog(a, 0), true), "sing ");
	CHECK_STR(names_of(sj_agent_catalog(a, 1), false), "Oo ");
	CHECK_STR(names_of(sj_agent_catalog(a, 1), true), "shout sing ");
	sj_agent_destroy(a);
}

SJ_TEST(an_agent_says_what_it_has)
{
	struct sj_agent *a;
	struct sj_buf out;
	CHECK_OK(make(sj_test_mem(), true, &a));
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(sj_agent_capabilities(a, &out));
	CHECK_STR(sj_buf_view(&out), "{\"v1.0\":{\"supportedCatalogIds\":[\"x:abc\",\"x:other\"],\"acceptsInlineCatalogs\":true},"
	                             "\"v0.9\":{\"supportedCatalogIds\":[\"x:older\"],\"acceptsInlineCatalogs\":true}}");
	sj_buf_finish(&out);
	sj_agent_destroy(a);
}

SJ_TEST(one_id_twice_is_refused)
{
	struct sj_catalog *c = load(sj_test_mem(), abc);
	struct sj_registration rows[] = {{c, NULL, 0}, {c, NULL, 0}};
	struct sj_agent_options opt = {rows, 2, false};
	struct sj_agent *a = NULL;
	struct sj_diag d = {0};
	CHECK_INT(sj_agent_create(sj_test_mem(), &opt, &a, &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_CATALOG);
	CHECK(a == NULL);
	sj_catalog_destroy(c);
}

static const struct negotiation {
	const char *name, *caps; /* NULL: none sent */
	bool accepts_inline;
	const char *active;      /* ids, a space after each; NULL: refused */
	enum sj_category category;
} negotiations[] = {
	{"no capabilities", NULL, false, "x:abc x:other x:older ", SJ_CAT_NONE},
	{"the renderer's order", "{\"v1.0\":{\"supportedCatalogIds\":[\"x:other\",\"x:abc\"]}}", false,
         "x:other x:abc ", SJ_CAT_NONE},
	{"unknown and repeated ids", "{\"v1.0\":{\"supportedCatalogIds\":[\"x:no\",\"x:abc\",7,\"x:abc\"]}}", false,
         "x:abc ", SJ_CAT_NONE},
	{"two versions",
         "{\"v0.9\":{\"supportedCatalogIds\":[\"x:older\"]},\"v1.0\":{\"supportedCatalogIds\":[\"x:abc\"]}}", false,
         "x:abc x:older ", SJ_CAT_NONE},
	{"v0.9.1 under a key of its own", "{\"v0.9.1\":{\"supportedCatalogIds\":[\"x:older\"]}}", false, "x:older ",
         SJ_CAT_NONE},
	{"of the two keys the schemas' own", "{\"v0.9.1\":{\"supportedCatalogIds\":[\"x:older\"]},\"v0.9\":{\"supportedCatalogIds\":[]}}",
         false, NULL, SJ_CAT_CATALOG},
	{"a version names only its own", "{\"v0.9\":{\"supportedCatalogIds\":[\"x:abc\",\"x:older\"]}}", false,
         "x:older ", SJ_CAT_NONE},
	{"an empty list", "{\"v1.0\":{\"supportedCatalogIds\":[]}}", false, NULL, SJ_CAT_CATALOG},
	{"nothing in common", "{\"v1.0\":{\"supportedCatalogIds\":[\"x:no\"]}}", true, NULL, SJ_CAT_CATALOG},
	{"no entry of a version held", "{\"v0.8\":{\"supportedCatalogIds\":[\"x:abc\"]}}", true, NULL,
         SJ_CAT_VALIDATION},
	{"no entry at all", "{}", true, NULL, SJ_CAT_VALIDATION},
	{"inline, not accepted",
         "{\"v1.0\":{\"supportedCatalogIds\":[\"x:abc\"],\"inlineCatalogs\":[{\"catalogId\":\"x:in\",\"components\":{" COMPONENT(
		 "Aa") "}}]}}",
         false, "x:abc ", SJ_CAT_NONE},
	{"inline, accepted",
         "{\"v1.0\":{\"supportedCatalogIds\":[\"x:abc\"],\"inlineCatalogs\":[{\"catalogId\":\"x:in\",\"components\":{" COMPONENT(
		 "Aa") "}}]}}",
         true, "x:abc x:in ", SJ_CAT_NONE},
	{"inline, broken", "{\"v1.0\":{\"supportedCatalogIds\":[\"x:abc\"],\"inlineCatalogs\":[{\"components\":{}}]}}",
         true, NULL, SJ_CAT_CATALOG},
};

static void negotiate(const struct negotiation *k, const struct sj_agent *a)
{
	struct sj_negotiated n = {0};
	struct sj_diag d = {0};
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_buf ids;
	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&ids, sj_test_mem(), 0);
	if (k->caps)
		CHECK_OK(parse(&arena, k->caps, &t));
	enum sj_status st = sj_agent_negotiate(a, k->caps ? &t : NULL, 0, &n, &d);
	CHECK_INT(st, k->active ? SJ_OK : SJ_INVALID);
	CHECK_INT(d.category, k->category);
	for (uint32_t i = 0; i < n.nactive; i++)
		sj_buf_printf(&ids, "%.*s ", SJ_ARG(sj_catalog_id(n.active[i])));
	if (k->active)
		CHECK_STR(sj_buf_view(&ids), k->active);
	sj_negotiated_finish(&n);
	sj_buf_finish(&ids);
	sj_arena_finish(&arena);
}

SJ_TEST(negotiation)
{
	for (size_t i = 0; i < sizeof negotiations / sizeof *negotiations; i++) {
		struct sj_agent *a;
		sj_case("%s", negotiations[i].name);
		CHECK_OK(make(sj_test_mem(), negotiations[i].accepts_inline, &a));
		negotiate(&negotiations[i], a);
		sj_agent_destroy(a);
		sj_case_end();
	}
}

/* Who registered nothing can still be brought a catalog. */
SJ_TEST(only_inline_catalogs)
{
	static const struct negotiation brought = {
		"", "{\"v1.0\":{\"supportedCatalogIds\":[],\"inlineCatalogs\":[{\"catalogId\":\"x:in\",\"components\":{" COMPONENT("Aa") "}}]}}",
		true, "x:in ", SJ_CAT_NONE};
	struct sj_agent_options opt = {NULL, 0, true};
	struct sj_agent *a;
	CHECK_OK(sj_agent_create(sj_test_mem(), &opt, &a, NULL));
	negotiate(&brought, a);
	sj_agent_destroy(a);
}

static enum sj_status whole(struct sj_mem *mem, void *ctx)
{
	struct sj_negotiated n = {0};
	struct sj_agent *a = NULL;
	struct sj_arena arena;
	struct sj_tape t;
	(void)ctx;
	sj_arena_init(&arena, mem, 0);
	enum sj_status st = parse(&arena, negotiations[12].caps, &t);
	if (st == SJ_OK)
		st = make(mem, true, &a);
	if (st == SJ_OK)
		st = sj_agent_negotiate(a, &t, 0, &n, NULL);
	sj_negotiated_finish(&n);
	sj_agent_destroy(a);
	sj_arena_finish(&arena);
	return st;
}

SJ_TEST(memory_may_fail) { sj_torture(whole, NULL); }

/* ---- the older way ----------------------------------------------------------------------------------------------- */

static struct sj_value value(struct sj_mem *mem, const char *json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	return sj_value_parse(mem, &opt, sj_slice_of(json), &v, NULL) == SJ_OK ? v : SJ_NULL_VALUE;
}

static void check_value(const struct sj_value *v, const char *want)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_print(&out, v, SJ_PRINT_SORTED);
	CHECK_STR(sj_buf_view(&out), want);
	sj_buf_finish(&out);
}

#define SUPPORTED "[{\"catalogId\":\"a\",\"components\":{\"Text\":{}}},{\"catalogId\":\"b\"}]"

static enum sj_status select_one(struct sj_mem *mem, void *ctx)
{
	struct sj_value supported = value(mem, SUPPORTED), caps = value(mem, ctx), got = SJ_NULL_VALUE;
	enum sj_status st = supported.type == SJ_V_NULL || caps.type == SJ_V_NULL
	                            ? SJ_NOMEM
	                            : sj_legacy_select(mem, &supported, &caps, true, &got, NULL);
	sj_value_unref(mem, supported);
	sj_value_unref(mem, caps);
	sj_value_unref(mem, got);
	return st;
}

SJ_TEST(one_catalog_for_a_client)
{
	static const struct {
		const char *caps;
		bool accepts_inline;
		const char *want; /* NULL: refused */
	} cases[] = {
		{"{}", false, "{\"catalogId\":\"a\",\"components\":{\"Text\":{}}}"},
		{"{\"supportedCatalogIds\":[\"z\",\"b\",\"a\"]}", false, "{\"catalogId\":\"b\"}"},
		{"{\"supportedCatalogIds\":[\"z\"]}", false, NULL},
		{"{\"inlineCatalogs\":[{\"catalogId\":\"i\",\"components\":{\"Button\":{}}}]}", false, NULL},
		{"{\"inlineCatalogs\":[{\"catalogId\":\"i\",\"components\":{\"Button\":{}}}]}", true,
	         "{\"catalogId\":\"a\",\"components\":{\"Button\":{},\"Text\":{}}}"},
		{"{\"supportedCatalogIds\":[\"b\"],\"inlineCatalogs\":[{\"components\":{\"Button\":{}}},{\"components\":{\"Button\":"
	         "{\"type\":\"object\"}},\"functions\":{\"f\":{}}}]}",
	         true, "{\"catalogId\":\"b\",\"components\":{\"Button\":{\"type\":\"object\"}},\"functions\":{\"f\":{}}}"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_mem *mem = sj_test_mem();
		struct sj_value supported = value(mem, SUPPORTED), caps = value(mem, cases[i].caps),
				got = SJ_NULL_VALUE;
		struct sj_diag d = {0};
		enum sj_status st = sj_legacy_select(mem, &supported, &caps, cases[i].accepts_inline, &got, &d);
		CHECK_INT(st, cases[i].want ? SJ_OK : SJ_INVALID);
		if (cases[i].want)
			check_value(&got, cases[i].want);
		else
			CHECK_INT(d.category, SJ_CAT_CATALOG);
		check_value(&supported, SUPPORTED); /* what was offered is left alone */
		sj_value_unref(mem, supported);
		sj_value_unref(mem, caps);
		sj_value_unref(mem, got);
	}
	sj_torture(select_one, (void *)(uintptr_t)cases[5].caps);
}

static enum sj_status modify(struct sj_mem *mem, void *ctx)
{
	struct sj_value doc = value(mem, ctx);
	enum sj_status st = doc.type == SJ_V_NULL
	                            ? SJ_NOMEM
	                            : sj_legacy_modify(mem, SJ_LIT("remove_strict_validation"), &doc, NULL);
	sj_value_unref(mem, doc);
	return st;
}

SJ_TEST(modifiers)
{
	static const char strict[] =
		"{\"a\":[{\"additionalProperties\":false,\"b\":{\"c\":1,\"unevaluatedProperties\":false}}],"
		"\"additionalProperties\":{\"type\":\"string\"},\"d\":{\"additionalProperties\":true}}";
	struct sj_value doc = value(sj_test_mem(), strict), before = sj_value_ref(doc);
	struct sj_diag d = {0};
	CHECK_INT(sj_legacy_modify(sj_test_mem(), SJ_LIT("remove_everything"), &doc, &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_USAGE);
	CHECK_OK(sj_legacy_modify(sj_test_mem(), SJ_LIT("remove_strict_validation"), &doc, NULL));
	check_value(&doc, "{\"a\":[{\"b\":{\"c\":1}}],\"additionalProperties\":{\"type\":\"string\"},\"d\":{\"additionalProperties\":true}}");
	CHECK(!sj_value_equal(&doc, &before));
	sj_value_unref(sj_test_mem(), doc);
	sj_value_unref(sj_test_mem(), before);
	sj_torture(modify, (void *)(uintptr_t)strict);
}
