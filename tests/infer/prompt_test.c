/* Prompts: the same bytes each time, nothing that was pruned, everything that is there, examples that hold. */
#include "harness/test.h"
#include "infer/infer.h"

#include <stdlib.h>

static const enum sj_version versions[] = {SJ_V08, SJ_V09, SJ_V091, SJ_V10};
enum { NVERSIONS = sizeof versions / sizeof *versions };

static struct sj_catalog *basic(enum sj_version v)
{
	struct sj_catalog *c = NULL;
	CHECK_OK(sj_catalog_basic(sj_test_mem(), v, NULL, NULL, &c));
	return c;
}

static struct sj_catalog *load(struct sj_mem *mem, const char *json)
{
	struct sj_catalog_options opt = {.id = SJ_NO_SLICE};
	struct sj_catalog *c = NULL;
	return sj_catalog_load(mem, sj_slice_of(json), &opt, &c, NULL) == SJ_OK ? c : NULL;
}

static struct sj_value value(struct sj_mem *mem, const char *json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	return sj_value_parse(mem, &opt, sj_slice_of(json), &v, NULL) == SJ_OK ? v : SJ_NULL_VALUE;
}

static enum sj_status write(struct sj_mem *mem, const struct sj_catalog *const *catalogs, uint32_t n,
                            const struct sj_prompt_options *opt, struct sj_buf *out, struct sj_diag *diag)
{
	struct sj_format_options of = {.id = SJ_FORMAT_DIRECT_JSON, .catalogs = catalogs, .ncatalogs = n};
	struct sj_format *f = NULL;
	enum sj_status st = sj_format_create(mem, &of, &f, diag);
	if (st == SJ_OK)
		st = sj_prompt_write(f, opt, out, diag);
	sj_format_destroy(f);
	return st;
}

/* The prompt of one catalog into *out, which is set up here. */
static struct sj_slice prompt(const struct sj_catalog *c, bool brief, struct sj_buf *out)
{
	struct sj_prompt_options opt = {.brief = brief};
	struct sj_diag d = {0};
	sj_buf_init(out, sj_test_mem(), 0);
	CHECK_OK(write(sj_test_mem(), &c, 1, &opt, out, &d));
	CHECK_STR(sj_slice_of(d.message), "");
	return sj_buf_view(out);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t count(struct sj_slice text, struct sj_slice part, bool word)
{
	size_t n = 0;
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (memcmp(text.ptr + i, part.ptr, part.len) == 0 &&
		    (!word || ((i == 0 || !is_word(text.ptr[i - 1])) &&
		               (i + part.len == text.len || !is_word(text.ptr[i + part.len])))))
			n++;
	return n;
}

static bool has(struct sj_slice text, const char *part) { return count(text, sj_slice_of(part), false) > 0; }

/* ---- stability --------------------------------------------------------------------------------------------------- */

#define TWO_CATALOGS_1 "{\"catalogId\":\"x:one\",\"protocolVersion\":\"1.0\",\"instructions\":\" Be brief. \\n\"," \
	"\"components\":{\"Label\":{\"type\":\"object\",\"description\":\"Says something.\\nSecond line.\",\"properties\":" \
	"{\"component\":{\"const\":\"Label\"},\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"}},\"required\":" \
	"[\"component\",\"text\"]}}}"
#define TWO_CATALOGS_2 "{\"catalogId\":\"x:two\",\"protocolVersion\":\"1.0\",\"components\":{\"Box\":{\"type\":\"object\",\"allowedChildren\":" \
	"[\"Label\",\"Nowhere\"],\"properties\":{\"component\":{\"const\":\"Box\"},\"inside\":{\"$ref\":" \
	"\"common_types.json#/$defs/Child\"}},\"required\":[\"component\"]}},\"functions\":{\"shout\":{\"type\":\"object\"," \
	"\"returnType\":\"string\",\"allowedCallers\":\"agentOnly\",\"properties\":{\"@call\":{\"const\":\"shout\"},\"args\":{\"type\":" \
	"\"object\",\"properties\":{\"what\":{\"type\":[\"string\"]},\"how\":{\"enum\":[1,\"loud\",null]}},\"required\":[\"what\"]}}," \
	"\"required\":[\"@call\"]}}}"

SJ_TEST(the_same_bytes)
{
	for (int brief = 0; brief < 2; brief++) {
		struct sj_buf first;
		for (int run = 0; run < 3; run++) {
			struct sj_catalog *c = basic(SJ_V10);
			struct sj_buf again;
			prompt(c, brief, run ? &again : &first);
			if (run > 0) {
				CHECK_SLICE(sj_buf_view(&again), sj_buf_view(&first));
				sj_buf_finish(&again);
			}
			sj_catalog_destroy(c);
		}
		sj_buf_finish(&first);
	}
}

SJ_TEST(catalogs_in_their_order)
{
	struct sj_catalog *one = load(sj_test_mem(), TWO_CATALOGS_1), *two = load(sj_test_mem(), TWO_CATALOGS_2);
	for (int brief = 0; brief < 2; brief++)
		for (int turned = 0; turned < 2; turned++) {
			const struct sj_catalog *list[] = {turned ? two : one, turned ? one : two};
			struct sj_prompt_options opt = {.brief = brief};
			struct sj_buf out;
			sj_buf_init(&out, sj_test_mem(), 0);
			CHECK_OK(write(sj_test_mem(), list, 2, &opt, &out, NULL));
			CHECK(has(sj_buf_view(&out),
			          turned ? "catalogs: \"x:two\", \"x:one\"." : "catalogs: \"x:one\", \"x:two\"."));
			const char *heads[2][2] = {{"catalog.json of x:one", "catalog.json of x:two"},
			                           {"Catalog x:one", "Catalog x:two"}};
			const char *a = strstr(out.ptr, heads[brief][0]), *b = strstr(out.ptr, heads[brief][1]);
			CHECK(a && b && (a > b) == (turned == 1));
			CHECK(has(sj_buf_view(&out), "\n## Instructions of the catalog x:one\nBe brief.\n"));
			/* Who may stand in a box: the other catalog's label, but nobody that does not exist. */
			CHECK(!has(sj_buf_view(&out), "Nowhere"));
			CHECK(brief || has(sj_buf_view(&out), "\"allowedChildren\":[\"Label\"]"));
			sj_buf_finish(&out);
		}
	sj_catalog_destroy(one);
	sj_catalog_destroy(two);
}

SJ_TEST(signatures)
{
	struct sj_catalog *one = load(sj_test_mem(), TWO_CATALOGS_1), *two = load(sj_test_mem(), TWO_CATALOGS_2);
	struct sj_buf out;
	struct sj_slice text = prompt(one, true, &out);
	CHECK(has(text, "- Label(text: string*) – Says something.\n"));
	CHECK(!has(text, "Second line"));
	CHECK(has(text, "The catalogId is \"x:one\"."));
	CHECK(!has(text, "ids`") ||
	      !has(text, "repeat a component")); /* a rule about what no component has is left out */
	CHECK(!has(text, "functionCall\""));
	sj_buf_finish(&out);
	text = prompt(two, true, &out);
	CHECK(has(text, "- Box(inside?: id)\n"));
	CHECK(has(text, "- shout(what: string, how?: 1|\"loud\"|null): string [only with callRendererFunction]\n"));
	sj_buf_finish(&out);
	sj_catalog_destroy(one);
	sj_catalog_destroy(two);
}

/* Definitions that multiply are cut, not followed to the end. */
SJ_TEST(a_catalog_that_multiplies)
{
	enum { WIDE = 18, HIGH = 3 };
	struct sj_buf json, out;
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_buf_puts(&json, "{\"catalogId\":\"x:many\",\"protocolVersion\":\"1.0\",\"components\":{\"A\":{\"type\":\"object\",\"properties\":"
	                   "{\"component\":{\"const\":\"A\"},\"p\":{\"$ref\":\"#/$defs/D0\"}},\"required\":[\"component\"]}},\"$defs\":{");
	for (int level = 0; level < HIGH; level++) {
		sj_buf_printf(&json, "\"D%d\":{\"type\":\"object\",\"properties\":{", level);
		for (int i = 0; i < WIDE; i++)
			sj_buf_printf(&json, "%s\"m%d\":{\"$ref\":\"#/$defs/D%d\"}", i ? "," : "", i, level + 1);
		sj_buf_puts(&json, "}},");
	}
	sj_buf_printf(&json, "\"D%d\":{\"type\":\"string\"}}}", HIGH);
	struct sj_catalog *c = load(sj_test_mem(), json.ptr);
	CHECK(c != NULL);
	if (c) {
		struct sj_slice text = prompt(c, true, &out);
		CHECK(has(text, "- A(p?: {m0?: {m0?:"));
		CHECK(text.len < 40000);
		sj_buf_finish(&out);
	}
	sj_catalog_destroy(c);
	sj_buf_finish(&json);
}

/* ---- what is there, and what is not ------------------------------------------------------------------------------ */

SJ_TEST(everything_is_mentioned)
{
	for (int v = 0; v < NVERSIONS; v++)
		for (int brief = 0; brief < 2; brief++) {
			struct sj_catalog *c = basic(versions[v]);
			struct sj_buf out, name;
			struct sj_slice text = prompt(c, brief, &out);
			sj_case("%s%s", sj_version_text(versions[v]), brief ? ", brief" : "");
			sj_buf_init(&name, sj_test_mem(), 0);
			for (uint32_t i = 0; i < sj_catalog_component_count(c); i++) {
				const struct sj_a2ui_component *comp = sj_catalog_component_at(c, i);
				sj_buf_clear(&name);
				sj_buf_printf(&name, brief ? "\n- %.*s(" : "\"%.*s\":{", SJ_ARG(comp->name));
				CHECK_INT(count(text, sj_buf_view(&name), false), 1);
				const char *line = strstr(text.ptr, name.ptr),
					   *end = line ? strchr(line + 1, '\n') : NULL;
				CHECK(end != NULL);
				for (uint32_t p = 0; p < comp->nprops && end; p++) {
					if (!comp->props[p].required || comp->props[p].cls == SJ_AC_COMMON)
						continue;
					sj_buf_clear(&name);
					sj_buf_printf(&name, brief ? "%.*s: " : "\"%.*s\":{",
					              SJ_ARG(comp->props[p].name));
					CHECK(count(sj_slice(line, (size_t)(end - line)), sj_buf_view(&name), false) >
					      0);
				}
			}
			for (uint32_t i = 0; i < sj_catalog_function_count(c); i++) {
				const struct sj_a2ui_function *f = sj_catalog_function_at(c, i);
				sj_buf_clear(&name);
				sj_buf_printf(&name, brief ? "\n- %.*s(" : "{\"const\":\"%.*s\"}", SJ_ARG(f->name));
				CHECK_INT(count(text, sj_buf_view(&name), false), 1);
				for (uint32_t p = 0; p < f->nparams && brief; p++) {
					sj_buf_clear(&name);
					sj_buf_printf(&name, "%.*s%s: ", SJ_ARG(f->params[p]),
					              f->required[p] ? "" : "?");
					CHECK(count(text, sj_buf_view(&name), false) > 0);
				}
			}
			CHECK(brief ? text.len < 9000 : text.len < 34000);
			CHECK(brief != has(text, "<a2ui_schema>\n"));
			CHECK(has(text, "<a2ui-json>") && has(text, "</a2ui-json>"));
			sj_buf_finish(&name);
			sj_buf_finish(&out);
			sj_catalog_destroy(c);
			sj_case_end();
		}
}

/* Each component and function in turn is pruned, and is then nowhere. */
SJ_TEST(pruned_things_are_absent)
{
	for (int v = 0; v < NVERSIONS; v++) {
		struct sj_catalog *c = basic(versions[v]);
		uint32_t n = sj_catalog_component_count(c), m = sj_catalog_function_count(c);
		for (uint32_t out_of = 0; out_of < n + m; out_of++) {
			struct sj_slice keep[64], gone;
			uint32_t kept = 0;
			bool function = out_of >= n;
			gone = function ? sj_catalog_function_at(c, out_of - n)->name
			                : sj_catalog_component_at(c, out_of)->name;
			for (uint32_t i = 0; i < (function ? m : n); i++)
				if (i + (function ? n : 0) != out_of)
					keep[kept++] = function ? sj_catalog_function_at(c, i)->name
					                        : sj_catalog_component_at(c, i)->name;
			struct sj_catalog *pruned = NULL;
			CHECK_OK(sj_catalog_prune(sj_test_mem(), c, function ? NULL : keep, kept,
			                          function ? keep : NULL, kept, &pruned));
			for (int brief = 0; brief < 2; brief++) {
				struct sj_buf out, name;
				struct sj_slice text = prompt(pruned, brief, &out);
				sj_buf_init(&name, sj_test_mem(), 0);
				/* Some functions are words of English or of JSON Schema. */
				size_t seen = 0;
				if (!function || (gone.len > 8 && !sj_slice_is(gone, "required")))
					seen += count(text, gone, true);
				sj_buf_printf(&name, brief ? "- %.*s(" : "\"const\":\"%.*s\"", SJ_ARG(gone));
				seen += count(text, sj_buf_view(&name), false);
				if (seen > 0)
					sj_fail_at(__FILE__, __LINE__, "pruned %.*s of %s is there", SJ_ARG(gone),
					           sj_version_text(versions[v]));
				sj_buf_finish(&name);
				sj_buf_finish(&out);
			}
			sj_catalog_destroy(pruned);
		}
		sj_catalog_destroy(c);
	}
}

/* The other notations: the same bytes, and nothing that was pruned. Those without a prompt here are passed over. */
SJ_TEST(every_notation)
{
	static const struct sj_slice keep[] = {{"TextField", 9}, {"Column", 6}}, few[] = {{"formatDate", 10}};
	struct sj_catalog *c = basic(SJ_V10), *pruned = NULL;
	CHECK_OK(sj_catalog_prune(sj_test_mem(), c, keep, 2, few, 1, &pruned));
	const struct sj_catalog *list[] = {pruned};
	for (int id = 0; id < SJ_FORMAT_COUNT; id++)
		for (int brief = 0; brief < 2; brief++) {
			struct sj_format_options of = {.id = (enum sj_format_id)id, .catalogs = list, .ncatalogs = 1};
			struct sj_prompt_options opt = {.brief = brief};
			struct sj_format *f = NULL;
			struct sj_buf out, again;
			struct sj_diag d = {0};
			sj_buf_init(&out, sj_test_mem(), 0);
			sj_buf_init(&again, sj_test_mem(), 0);
			enum sj_status st = sj_format_create(sj_test_mem(), &of, &f, &d);
			if (st == SJ_OK)
				st = sj_prompt_write(f, &opt, &out, &d);
			if (st == SJ_OK) {
				CHECK_OK(sj_prompt_write(f, &opt, &again, &d));
				CHECK_SLICE(sj_buf_view(&again), sj_buf_view(&out));
				CHECK(has(sj_buf_view(&out),
				          id == SJ_FORMAT_ELEMENTAL ? "ui-text-field" : "TextField"));
				CHECK(has(sj_buf_view(&out), "formatDate"));
				for (uint32_t i = 0; i < sj_catalog_component_count(c); i++) {
					struct sj_slice name = sj_catalog_component_at(c, i)->name;
					if (!sj_catalog_component(pruned, name) &&
					    count(sj_buf_view(&out), name, true) > 0)
						sj_fail_at(__FILE__, __LINE__, "%s: %.*s is there",
						           sj_format_name(of.id), SJ_ARG(name));
				}
				CHECK(!has(sj_buf_view(&out), "openUrl") && !has(sj_buf_view(&out), "formatNumber"));
			} else {
				CHECK_INT(d.code, SJ_E_UNAVAILABLE);
				CHECK_INT(out.len, 0);
			}
			sj_format_destroy(f);
			sj_buf_finish(&out);
			sj_buf_finish(&again);
		}
	sj_catalog_destroy(c);
	sj_catalog_destroy(pruned);
}

/* Every reference of the schemas leads somewhere in them, and every definition is led to. */
SJ_TEST(schemas_are_whole)
{
	for (int v = 0; v < NVERSIONS; v++) {
		struct sj_catalog *c = basic(versions[v]);
		struct sj_buf out, ref;
		prompt(c, false, &out);
		struct sj_value docs[3] = {SJ_NULL_VALUE, SJ_NULL_VALUE, SJ_NULL_VALUE};
		static const char *const files[3][2] = {{"\nserver_to_client.json\n", "\nagent_to_renderer.json\n"},
		                                        {"\ncommon_types.json\n", "\ncommon_types.json\n"},
		                                        {"\ncatalog.json\n", "\ncatalog.json\n"}};
		for (int i = 0; i < 3; i++) {
			const char *head = files[i][versions[v] == SJ_V10], *at = strstr(out.ptr, head);
			if (i == 1 && versions[v] == SJ_V08)
				continue; /* has none */
			CHECK(at != NULL);
			if (!at)
				continue;
			char *line = (char *)(uintptr_t)at + strlen(head), *end = strchr(line, '\n');
			*end = '\0';
			docs[i] = value(sj_test_mem(), line);
			CHECK_INT(docs[i].type, SJ_V_OBJECT);
			*end = '\n';
		}
		sj_buf_init(&ref, sj_test_mem(), 0);
		for (int i = 0; i < 3; i++) {
			const struct sj_value *defs = sj_value_get(&docs[i], SJ_LIT("$defs"));
			for (uint32_t k = 0; defs && k < sj_value_count(defs); k++) {
				struct sj_slice name;
				sj_value_member(defs, k, &name);
				sj_buf_clear(&ref);
				sj_buf_printf(&ref, "#/$defs/%.*s\"", SJ_ARG(name));
				CHECK(count(sj_buf_view(&out), sj_buf_view(&ref), false) > 0);
			}
		}
		for (const char *at = strstr(out.ptr, "\"$ref\":\""); at; at = strstr(at + 1, "\"$ref\":\"")) {
			const char *text = at + 8, *hash = strchr(text, '#'), *end = strchr(text, '"');
			CHECK(hash && hash < end);
			struct sj_slice file = sj_slice(text, (size_t)(hash - text)),
					pointer = sj_slice(hash + 1, (size_t)(end - hash - 1));
			bool found = false, named = false;
			for (int i = 0; i < 3; i++) {
				bool here = file.len == 0 || count(file,
				                                   sj_slice_of(i == 1   ? "common_types.json"
				                                               : i == 2 ? "catalog.json"
				                                                        : "?"),
				                                   false) > 0;
				found = found || (here && sj_value_at(&docs[i], pointer));
			}
			named = sj_slice_is(pointer, "/$defs/anyComponent") ||
			        sj_slice_is(pointer, "/$defs/anyFunction");
			CHECK(found || named);
			if (!found && !named)
				sj_fail_at(__FILE__, __LINE__, "%.*s leads nowhere", (int)(end - text), text);
		}
		for (int i = 0; i < 3; i++)
			sj_value_unref(sj_test_mem(), docs[i]);
		sj_buf_finish(&ref);
		sj_buf_finish(&out);
		sj_catalog_destroy(c);
	}
}

SJ_TEST(allowed_messages)
{
	static const struct sj_slice some[] = {{"createSurface", 13}, {"updateComponents", 16}},
				     wrong[] = {{"createsurface", 13}};
	static const char *const others[] = {"updateDataModel", "deleteSurface", "callRendererFunction",
	                                     "agentFunctionResponse"};
	for (int v = 1; v < NVERSIONS; v++) /* of v0.8 below */
		for (int brief = 0; brief < 2; brief++) {
			struct sj_catalog *c = basic(versions[v]);
			const struct sj_catalog *list[] = {c};
			struct sj_prompt_options opt = {.allowed_messages = some, .nallowed = 2, .brief = brief};
			struct sj_diag d = {0};
			struct sj_buf out;
			sj_buf_init(&out, sj_test_mem(), 0);
			CHECK_OK(write(sj_test_mem(), list, 1, &opt, &out, NULL));
			CHECK(has(sj_buf_view(&out), "createSurface") && has(sj_buf_view(&out), "updateComponents"));
			for (size_t i = 0; i < sizeof others / sizeof *others; i++)
				CHECK(!has(sj_buf_view(&out), others[i]));
			sj_buf_clear(&out);
			opt.allowed_messages = wrong;
			opt.nallowed = 1;
			CHECK_INT(write(sj_test_mem(), list, 1, &opt, &out, &d), SJ_INVALID);
			CHECK_INT(d.category, SJ_CAT_VALIDATION);
			CHECK_INT(out.len, 0);
			opt.nallowed = 0;
			sj_diag_clear(&d);
			CHECK_INT(write(sj_test_mem(), list, 1, &opt, &out, &d), SJ_INVALID);
			CHECK_INT(d.category, SJ_CAT_VALIDATION);
			sj_buf_finish(&out);
			sj_catalog_destroy(c);
		}
}

SJ_TEST(v08)
{
	static const struct sj_slice some[] = {{"beginRendering", 14}, {"surfaceUpdate", 13}};
	struct sj_catalog *c = basic(SJ_V08);
	const struct sj_catalog *list[] = {c};
	for (int brief = 0; brief < 2; brief++) {
		struct sj_prompt_options opt = {.allowed_messages = some, .nallowed = 2, .brief = brief};
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		CHECK_OK(write(sj_test_mem(), list, 1, &opt, &out, NULL));
		CHECK(has(sj_buf_view(&out), "beginRendering") && has(sj_buf_view(&out), "surfaceUpdate"));
		CHECK(!has(sj_buf_view(&out), "dataModelUpdate") && !has(sj_buf_view(&out), "deleteSurface"));
		if (brief) {
			CHECK(has(sj_buf_view(&out), "\n- TextField(label: string*, text?: string*, textFieldType?: \"date\"|"));
			CHECK(has(sj_buf_view(&out), "\n- Icon(name: (\"accountCircle\"|"));
			CHECK(has(sj_buf_view(&out), "\"warning\")*) – "));
			CHECK(has(sj_buf_view(&out), "\n- Row(children: ids, "));
			CHECK(has(sj_buf_view(&out), "context?: {key: string, value: any*}[]}"));
		}
		sj_buf_finish(&out);
	}
	sj_catalog_destroy(c);
}

/* Examples of v0.8 are read by the engine alone, which holds components until their surface begins. */
SJ_TEST(v08_examples)
{
	static const struct {
		const char *json, *pointer;
	} cases[] = {
		{"[[{\"surfaceUpdate\":{\"surfaceId\":\"m\",\"components\":[{\"id\":\"top\",\"component\":{\"Text\":{\"text\":"
	         "{\"literalString\":\"Hi\"}}}}]}},{\"beginRendering\":{\"surfaceId\":\"m\",\"root\":\"top\"}}]]",
	         NULL},
		{"[[{\"surfaceUpdate\":{\"surfaceId\":\"m\",\"components\":[{\"id\":\"top\",\"component\":{\"Chart\":{}}}]}},"
	         "{\"beginRendering\":{\"surfaceId\":\"m\",\"root\":\"top\"}}]]",
	         "/0/1"},
		{"[[{\"surfaceUpdate\":{\"surfaceId\":\"m\"}}]]", "/0/0"},
	};
	struct sj_catalog *c = basic(SJ_V08);
	const struct sj_catalog *list[] = {c};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value v = value(sj_test_mem(), cases[i].json);
		struct sj_prompt_options opt = {.examples = &v, .brief = true};
		struct sj_diag d = {0};
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		CHECK_INT(write(sj_test_mem(), list, 1, &opt, &out, &d), cases[i].pointer ? SJ_INVALID : SJ_OK);
		if (cases[i].pointer)
			CHECK(sj_slice_starts(sj_slice_of(d.pointer), cases[i].pointer));
		else
			CHECK(has(sj_buf_view(&out), "\"literalString\":\"Hi\""));
		sj_buf_finish(&out);
		sj_value_unref(sj_test_mem(), v);
	}
	sj_catalog_destroy(c);
}

SJ_TEST(no_catalog)
{
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_INT(write(sj_test_mem(), NULL, 0, NULL, &out, &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_CATALOG);
	CHECK_INT(out.len, 0);
	sj_buf_finish(&out);
}

/* ---- examples ---------------------------------------------------------------------------------------------------- */

#define CREATE(id) "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"" id "\",\"catalogId\":\"x:one\"}}"
#define LABEL(id, text) "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"" id "\",\"components\":[{\"id\":\"root\",\"component\":\"Label\",\"text\":\"" text "\"}]}}"

static const struct example {
	const char *what, *json;
	const char *pointer; /* of the fault; NULL: none */
	enum sj_category category;
} examples[] = {
	{"a list", "[[" CREATE("m") "," LABEL("m", "Hello") "]]", NULL, SJ_CAT_NONE},
	{"one with a name",
         "[{\"name\":\"A greeting\",\"description\":\"When somebody comes.\",\"messages\":[" CREATE("m") "," LABEL(
		 "m", "Hello") "]}]",
         NULL, SJ_CAT_NONE},
	{"two that make the same surface",
         "[[" CREATE("m") "," LABEL("m", "Hello") "],[" CREATE("m") "," LABEL("m", "Bye") "]]", NULL, SJ_CAT_NONE},
	{"one that goes on", "[[" LABEL("earlier", "Hello") "]]", NULL, SJ_CAT_NONE},
	{"an unknown component",
         "[[" CREATE("m") "," LABEL("m", "Hi") "],[" CREATE(
		 "m") ",{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"m\",\"components\":[{\"id\":\"root\",\"component\":\"Chart\"}]}}]]",
         "/1/1", SJ_CAT_VALIDATION},
	{"a missing property",
         "[[" CREATE(
		 "m") ",{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"m\",\"components\":[{\"id\":\"root\",\"component\":\"Label\"}]}}]]",
         "/0/1/updateComponents/components/0", SJ_CAT_VALIDATION},
	{"a surface made twice", "[[" CREATE("m") "," CREATE("m") "," LABEL("m", "Hi") "]]", "/0/1", SJ_CAT_INTEGRITY},
	{"no root",
         "[[" CREATE(
		 "m") ",{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"m\",\"components\":[{\"id\":\"top\",\"component\":\"Label\",\"text\":\"\"}]}}]]",
         "/0/1", SJ_CAT_INTEGRITY},
	{"another version", "[[{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"m\"}}]]", "/0/0",
         SJ_CAT_VALIDATION},
	{"no messages", "[[]]", "/0", SJ_CAT_VALIDATION},
	{"no list", "[7]", "/0", SJ_CAT_VALIDATION},
};

static enum sj_status with_examples(struct sj_mem *mem, const char *json, bool brief, struct sj_buf *out,
                                    struct sj_diag *diag)
{
	struct sj_catalog *c = load(mem, TWO_CATALOGS_1);
	struct sj_value v = value(mem, json);
	const struct sj_catalog *list[] = {c};
	struct sj_prompt_options opt = {.examples = &v, .brief = brief};
	enum sj_status st = c && v.type == SJ_V_ARRAY ? write(mem, list, 1, &opt, out, diag) : SJ_NOMEM;
	sj_value_unref(mem, v);
	sj_catalog_destroy(c);
	return st;
}

SJ_TEST(examples_are_checked)
{
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *e = &examples[i];
		struct sj_diag d = {0};
		struct sj_buf out;
		sj_case("%s", e->what);
		sj_buf_init(&out, sj_test_mem(), 0);
		CHECK_INT(with_examples(sj_test_mem(), e->json, false, &out, &d), e->pointer ? SJ_INVALID : SJ_OK);
		if (e->pointer) {
			CHECK_INT(out.len, 0);
			CHECK(sj_slice_starts(sj_slice_of(d.pointer), e->pointer));
			CHECK(sj_category_is(d.category, e->category));
			if (sj_failed())
				sj_fail_at(__FILE__, __LINE__, "%s at %s: %s", sj_category_name(d.category), d.pointer,
				           d.message);
		}
		sj_buf_finish(&out);
		sj_case_end();
	}
}

SJ_TEST(examples_are_shown)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(with_examples(sj_test_mem(), examples[1].json, true, &out, NULL));
	CHECK(has(sj_buf_view(&out), "\n## Example\n\n### 1. A greeting\nWhen somebody comes.\n<a2ui-json>\n[" CREATE("m") ",\n" LABEL("m", "Hello") "]\n</a2ui-json>\n"));
	sj_buf_clear(&out);
	CHECK_OK(with_examples(sj_test_mem(), examples[2].json, true, &out, NULL));
	CHECK(has(sj_buf_view(&out), "\n## Examples\n\n### 1\n"));
	CHECK(strstr(out.ptr, "Hello") < strstr(out.ptr, "\n### 2\n") &&
	      strstr(out.ptr, "\n### 2\n") < strstr(out.ptr, "Bye"));
	sj_buf_finish(&out);
}

/* What a prompt shows is what its own format reads. */
SJ_TEST(examples_can_be_read_back)
{
	struct sj_catalog *c = load(sj_test_mem(), TWO_CATALOGS_1);
	const struct sj_catalog *list[] = {c};
	struct sj_format_options of = {.id = SJ_FORMAT_DIRECT_JSON, .catalogs = list, .ncatalogs = 1};
	struct sj_format *f = NULL;
	struct sj_parts parts = {0};
	struct sj_repairs repairs = {0};
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(with_examples(sj_test_mem(), examples[2].json, true, &out, NULL));
	CHECK_OK(sj_format_create(sj_test_mem(), &of, &f, NULL));
	const char *at = strstr(out.ptr, "\n## Examples\n");
	CHECK(at != NULL);
	if (at) /* not a single repair is allowed */
		CHECK_OK(sj_format_parse(f, sj_slice_of(at), &parts, &repairs, NULL));
	uint32_t blocks = 0;
	for (uint32_t i = 0; i < parts.list.count; i++)
		if (parts.list.items[i].kind == SJ_PART_MESSAGES) {
			blocks++;
			CHECK_INT(sj_value_count(&parts.list.items[i].messages), 2);
		}
	CHECK_INT(blocks, 2);
	sj_parts_finish(sj_test_mem(), &parts);
	SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	sj_format_destroy(f);
	sj_catalog_destroy(c);
	sj_buf_finish(&out);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static enum sj_status whole(struct sj_mem *mem, void *ctx)
{
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	enum sj_status st = with_examples(mem, examples[2].json, *(bool *)ctx, &out, NULL);
	if (st != SJ_OK)
		CHECK_INT(out.len, 0);
	sj_buf_finish(&out);
	return st;
}

SJ_TEST(memory_may_fail)
{
	bool brief = false;
	sj_torture(whole, &brief);
	brief = true;
	sj_torture(whole, &brief);
}
