/* Catalogs by themselves: classes, meanings, hints, forms of functions, refusals, dialects, hosts, permissive and open
 * types. */
#include "a2ui/catalog_help.h"

static struct sj_catalog *load(const char *json, enum sj_version v)
{
	struct sj_catalog *c = NULL;
	struct sj_catalog_options opt = {.version = v};
	struct sj_diag d = {0};
	if (sj_catalog_load(sj_test_mem(), sj_slice_of(json), &opt, &c, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	return c;
}

static void refused(const char *json, enum sj_version v, const char *message)
{
	struct sj_catalog *c = NULL;
	struct sj_catalog_options opt = {.version = v};
	struct sj_diag d = {0};
	CHECK_INT(sj_catalog_load(sj_test_mem(), sj_slice_of(json), &opt, &c, &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_CATALOG);
	CHECK_STR(sj_slice_of(d.message), message);
	sj_catalog_destroy(c);
}

static const struct sj_a2ui_prop *prop(const struct sj_catalog *c, const char *type, const char *name)
{
	const struct sj_a2ui_component *comp = sj_catalog_component(c, sj_slice_of(type));
	const struct sj_a2ui_prop *p = comp ? sj_a2ui_prop_find(comp, sj_slice_of(name)) : NULL;
	if (!p)
		sj_fail_at(__FILE__, __LINE__, "no property %s.%s", type, name);
	static const struct sj_a2ui_prop nothing;
	return p ? p : &nothing;
}

static void has(const struct sj_catalog *c, const char *type, const char *name, enum sj_a2ui_class cls,
                enum sj_dynamic_type dyn, enum sj_ui_prop ui)
{
	const struct sj_a2ui_prop *p = prop(c, type, name);
	if (p->cls != cls || p->dyn != dyn || p->ui != ui)
		sj_fail_at(__FILE__, __LINE__, "%s.%s: class %d, dyn %d,"
			" ui %s", type, name, p->cls, p->dyn, sj_ui_prop_name(p->ui));
}

static enum sj_status check(const struct sj_catalog *c, enum sj_dialect d, const char *json, struct seen_faults *seen)
{
	struct sj_arena arena;
	struct sj_tape t;
	enum sj_status st = SJ_ABSENT;
	*seen = (struct seen_faults){0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, sj_slice_of(json), &t));
	const struct sj_a2ui_component *type =
		sj_catalog_component(c, sj_tape_string(&t, get(&t, 0, "component"), &arena));
	if (type)
		st = sj_catalog_check_component(c, type, d, &t, 0, &arena, see_fault, seen);
	sj_arena_finish(&arena);
	return st;
}

static void valid(const struct sj_catalog *c, enum sj_dialect d, const char *json)
{
	struct seen_faults seen;
	enum sj_status st = check(c, d, json, &seen);
	if (st != SJ_OK || seen.count)
		sj_fail_at(__FILE__, __LINE__, "%d, %s: %s", st, seen.message, json);
}

static void invalid(const struct sj_catalog *c, enum sj_dialect d, const char *json, const char *keyword,
                    const char *message)
{
	struct seen_faults seen;
	CHECK_INT(check(c, d, json, &seen), SJ_INVALID);
	CHECK(seen.count > 0);
	CHECK_STR(sj_slice_of(seen.keyword), keyword);
	CHECK_STR(sj_slice_of(seen.message), message);
}

SJ_TEST(versions)
{
	CHECK_INT(sj_version_find(SJ_LIT("v0.9")), SJ_V09);
	CHECK_INT(sj_version_find(SJ_LIT("1.0")), SJ_V10);
	CHECK_INT(sj_version_find(SJ_LIT("1.0.0")), SJ_V10);
	CHECK_INT(sj_version_find(SJ_LIT("v0.9.1")), SJ_V091);
	CHECK_INT(sj_version_find(SJ_LIT("v99.0")), SJ_VERSION_NONE);
	CHECK_INT(sj_version_find(SJ_LIT("")), SJ_VERSION_NONE);
	CHECK_STR(sj_slice_of(sj_version_text(SJ_V091)), "v0.9.1");
	CHECK(sj_version_compatible(SJ_V09, SJ_V091) && !sj_version_compatible(SJ_V09, SJ_V10) &&
	      !sj_version_compatible(SJ_V08, SJ_V09));
}

SJ_TEST(basic_catalogs_know_their_components)
{
	static const enum sj_version all[] = {SJ_V09, SJ_V091, SJ_V10};
	for (size_t i = 0; i < 3; i++) {
		struct sj_catalog *c;
		bool v10 = all[i] == SJ_V10;
		CHECK_OK(sj_catalog_basic(sj_test_mem(), all[i], NULL, NULL, &c));
		CHECK_INT(sj_catalog_component_count(c), 18);
		CHECK_INT(sj_catalog_function_count(c), 14);
		CHECK_INT(sj_catalog_version(c), all[i]);
		CHECK_INT(sj_catalog_has_theme(c), !v10);
		CHECK_INT(sj_catalog_instructions(c).len > 0, v10);
		has(c, "Text", "text", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_TEXT);
		has(c, "Text", "variant", SJ_AC_PLAIN, SJ_DYN_STRING, SJ_P_VARIANT);
		has(c, "Text", "id", SJ_AC_COMMON, SJ_DYN_ANY, SJ_P_NONE);
		has(c, "Text", "accessibility", SJ_AC_ACCESSIBILITY, SJ_DYN_ANY, SJ_P_NONE);
		has(c, "Image", "description", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_DESCRIPTION);
		has(c, "Icon", "name", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_NAME);
		has(c, "Row", "children", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN);
		has(c, "Card", "child", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_CHILD);
		has(c, "Modal", "trigger", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_TRIGGER);
		has(c, "Modal", "content", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_CONTENT);
		has(c, "Button", "action", SJ_AC_ACTION, SJ_DYN_ANY, SJ_P_ACTION);
		has(c, "Button", "checks", SJ_AC_CHECKS, SJ_DYN_ANY, SJ_P_NONE);
		has(c, "ChoicePicker", "value", SJ_AC_DYNAMIC, SJ_DYN_STRING_LIST, SJ_P_VALUE);
		has(c, "ChoicePicker", "options", SJ_AC_ARRAY, SJ_DYN_ANY, SJ_P_OPTIONS);
		has(c, "CheckBox", "value", SJ_AC_DYNAMIC, SJ_DYN_BOOLEAN, SJ_P_VALUE);
		has(c, "Slider", "value", SJ_AC_DYNAMIC, SJ_DYN_NUMBER, SJ_P_VALUE);
		has(c, "Slider", "max", SJ_AC_PLAIN, SJ_DYN_NUMBER, SJ_P_MAX);
		has(c, "DateTimeInput", "min", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_MIN);
		CHECK(prop(c, "Slider", "max")->required && !prop(c, "Slider", "min")->required);
		const struct sj_a2ui_prop *tabs = prop(c, "Tabs", "tabs");
		CHECK(tabs->cls == SJ_AC_ARRAY && tabs->nsub == 2 && tabs->sub[1].cls == SJ_AC_CHILD &&
		      tabs->sub[0].dyn == SJ_DYN_STRING);
		CHECK_INT(sj_catalog_component(c, SJ_LIT("AudioPlayer"))->kind, SJ_UI_AUDIO);
		CHECK_INT(sj_a2ui_prop_find(sj_catalog_component(c, SJ_LIT("Video")), SJ_LIT("posterUrl")) != NULL,
		          v10);
		CHECK_INT(sj_a2ui_prop_find(sj_catalog_component(c, SJ_LIT("Text")), SJ_LIT("catalogId")) != NULL, v10);
		CHECK(sj_catalog_component(c, SJ_LIT("Nope")) == NULL);
		const struct sj_a2ui_function *f = sj_catalog_function(c, SJ_LIT("openUrl"));
		CHECK(f && f->is_effect && f->needs_activation == v10 && f->nparams == 1);
		f = sj_catalog_function(c, SJ_LIT("formatCurrency"));
		CHECK(f && f->nparams == 4 && f->required[0] && f->required[1] && !f->required[2]);
		CHECK_SLICE(f->params[1], SJ_LIT("currency"));
		CHECK_STR(sj_catalog_function(c, SJ_LIT("email"))->return_type, v10 ? "validationResult" : "boolean");
		sj_catalog_destroy(c);
	}
	struct sj_catalog *none;
	CHECK_INT(sj_catalog_basic(sj_test_mem(), SJ_VERSION_NONE, NULL, NULL, &none), SJ_ABSENT);
}

SJ_TEST(classes_come_from_schemas_not_from_names)
{
	struct sj_catalog *c = load(
		"{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\",\"$defs\":{"
		"\"Slot\":{\"$ref\":\"common_types.json#/$defs/Child\"},\"Pair\":{\"type\":\"object\","
		"\"properties\":{\"left\":{\"$ref\":\"#/$defs/Slot\"},"
		"\"note\":{\"type\":\"string\"}}},\"Tree\":{\"type\":\"object\","
		"\"properties\":{\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Tree\"}},"
		"\"body\":{\"$ref\":\"#/$defs/Slot\"}}}},\"components\":{\"X\":{\"type\":\"object\",\"properties\":{"
		"\"a\":{\"$ref\":\"https://a2ui.org/specification/v1_0/common_types.json#/$defs/Child\"},"
		"\"b\":{\"allOf\":[{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"},{\"description\":\"d\"}]},"
		"\"c\":{\"oneOf\":[{\"type\":\"string\",\"enum\":[\"x\"]},"
		"{\"$ref\":\"common_types.json#/$defs/DataBinding\"}]},"
		"\"d\":{\"type\":\"array\",\"items\":{\"$ref\":\"common_types.json#/$defs/ComponentId\"}},"
		"\"e\":{\"type\":\"array\",\"items\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"}},"
		"\"f\":{\"$ref\":\"#/$defs/Pair\"},"
		"\"g\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Pair\"}},"
		"\"h\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"common_types.json#/$defs/Action\"}},"
		"\"children\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
		"\"action\":{\"type\":\"string\"},"
		"\"i\":{\"type\":\"array\",\"items\":{\"$ref\":\"common_types.json#/$defs/CheckRule\"}},"
		"\"j\":{\"type\":\"array\"},\"k\":{},\"l\":{\"type\":\"object\","
		"\"properties\":{\"m\":{\"type\":\"number\"}}},"
		"\"n\":{\"$ref\":\"#/$defs/Tree\"},\"o\":{\"type\":\"string\",\"title\":\"ComponentId\"}}}}}",
		SJ_VERSION_NONE);
	if (!c)
		return;
	has(c, "X", "a", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_CHILD);
	has(c, "X", "b", SJ_AC_DYNAMIC, SJ_DYN_NUMBER, SJ_P_NONE);
	has(c, "X", "c", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_NONE);
	has(c, "X", "d", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN);
	has(c, "X", "e", SJ_AC_ARRAY, SJ_DYN_ANY, SJ_P_NONE);
	CHECK(prop(c, "X", "e")->nsub == 1 && prop(c, "X", "e")->sub[0].name.len == 0 &&
	      prop(c, "X", "e")->sub[0].dyn == SJ_DYN_STRING);
	has(c, "X", "f", SJ_AC_OBJECT, SJ_DYN_ANY, SJ_P_NONE);
	has(c, "X", "g", SJ_AC_ARRAY, SJ_DYN_ANY, SJ_P_NONE);
	CHECK(prop(c, "X", "g")->nsub == 2 && prop(c, "X", "g")->sub[0].cls == SJ_AC_CHILD &&
	      prop(c, "X", "g")->sub[1].cls == SJ_AC_PLAIN);
	has(c, "X", "h", SJ_AC_OBJECT, SJ_DYN_ANY, SJ_P_NONE);
	CHECK(prop(c, "X", "h")->nsub == 1 && prop(c, "X", "h")->sub[0].cls == SJ_AC_ACTION);
	has(c, "X", "children", SJ_AC_PLAIN, SJ_DYN_STRING_LIST, SJ_P_NONE);
	has(c, "X", "action", SJ_AC_PLAIN, SJ_DYN_STRING, SJ_P_NONE);
	has(c, "X", "i", SJ_AC_CHECKS, SJ_DYN_ANY, SJ_P_NONE);
	has(c, "X", "j", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_NONE);
	has(c, "X", "k", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_NONE);
	has(c, "X", "l", SJ_AC_PLAIN, SJ_DYN_ANY, SJ_P_NONE);
	has(c, "X", "n", SJ_AC_OBJECT, SJ_DYN_ANY, SJ_P_NONE); /* recursive, and it ends */
	has(c, "X", "o", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_NONE);
	CHECK(sj_a2ui_prop_find(sj_catalog_component(c, SJ_LIT("X")), SJ_LIT("zzz")) == NULL);
	sj_catalog_destroy(c);
}

SJ_TEST(a_local_definition_may_share_the_name_of_a_common_type)
{
	struct sj_catalog *c = load("{\"catalogId\":\"c\",\"$defs\":{\"Action\":{\"type\":\"string\","
		"\"enum\":[\"go\"]},"
	                            "\"DynamicString\":{\"oneOf\":[{\"type\":\"string\"},"
	                            "{\"$ref\":\"#/$defs/DataBinding\"},{\"allOf\":[]}]}},"
	                            "\"components\":{\"X\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/Action\"},"
	                            "\"b\":{\"$ref\":\"#/$defs/ChildList\"},"
	                            "\"t\":{\"$ref\":\"#/$defs/DynamicString\"}}}}}",
	                            SJ_V09);
	if (!c)
		return;
	has(c, "X", "a", SJ_AC_PLAIN, SJ_DYN_STRING, SJ_P_NONE);        /* the document's own */
	has(c, "X", "b", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN); /* not there: the common one */
	has(c, "X", "t", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_NONE);   /* a copy of the common one */
	sj_catalog_destroy(c);
}

SJ_TEST(meanings_and_hints)
{
	struct sj_catalog *c = load("{\"catalogId\":\"shop\",\"protocolVersion\":\"1.0\",\"components\":{"
	                            "\"Product\":{\"type\":\"object\","
	                            "\"properties\":{\"name\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	                            "\"title\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	                            "\"price\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"},"
	                            "\"description\":{\"type\":\"string\"},"
	                            "\"onBuy\":{\"$ref\":\"common_types.json#/$defs/Action\"},"
	                            "\"amount\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"}}},"
	                            "\"Stars\":{\"type\":\"object\",\"x-shoji-kind\":\"rating\","
	                            "\"properties\":{\"n\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\","
	                            "\"x-shoji-ui\":\"value\"},\"value\":{\"type\":\"string\"}}},"
	                            "\"Text\":{\"type\":\"object\",\"x-shoji-kind\":\"summary\",\"properties\":{}}}}",
	                            SJ_VERSION_NONE);
	if (!c)
		return;
	CHECK_INT(sj_catalog_component(c, SJ_LIT("Product"))->kind, SJ_UI_CUSTOM);
	has(c, "Product", "title", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_LABEL); /* the better word for it */
	has(c, "Product", "name", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_NONE);
	has(c, "Product", "price", SJ_AC_DYNAMIC, SJ_DYN_NUMBER, SJ_P_DETAIL);
	has(c, "Product", "description", SJ_AC_PLAIN, SJ_DYN_STRING, SJ_P_NONE);
	has(c, "Product", "onBuy", SJ_AC_ACTION, SJ_DYN_ANY, SJ_P_ACTION);
	has(c, "Product", "amount", SJ_AC_DYNAMIC, SJ_DYN_NUMBER, SJ_P_VALUE);
	CHECK_INT(sj_catalog_component(c, SJ_LIT("Stars"))->kind, SJ_UI_RATING);
	has(c, "Stars", "n", SJ_AC_DYNAMIC, SJ_DYN_NUMBER, SJ_P_VALUE);
	has(c, "Stars", "value", SJ_AC_PLAIN, SJ_DYN_STRING, SJ_P_NONE); /* the hint came first */
	CHECK_INT(sj_catalog_component(c, SJ_LIT("Text"))->kind, SJ_UI_SUMMARY);
	sj_catalog_destroy(c);
}

SJ_TEST(refusals)
{
	refused("[]", SJ_V09, "A catalog must be a JSON object");
	refused("{}", SJ_V09, "catalog_id must be provided or exist in catalog_schema");
	refused("{\"catalogId\":1}", SJ_V09, "catalogId must be a string");
	refused("{\"catalogId\":\"c\",\"protocolVersion\":\"2.0\"}", SJ_VERSION_NONE, "Unsupported protocol version "
		"'2.0' in catalog 'c'");
	refused("{\"catalogId\":\"c\",\"protocolVersion\":\"0.9\"}", SJ_V10, "Catalog 'c' is written for v0.9,"
		" not for v1.0");
	refused("{\"catalogId\":\"c\",\"theme\":{}}", SJ_V10, "Unknown member 'theme' in catalog 'c'");
	refused("{\"catalogId\":\"c\",\"components\":{\"Surface\":{}}}", SJ_V10, "Component name 'Surface' is "
		"reserved");
	refused("{\"catalogId\":\"c\",\"components\":{\"X\":1}}", SJ_V10, "Component 'X' must be defined by a JSON "
		"Schema");
	refused("{\"catalogId\":\"c\",\"components\":{\"X\":{\"allowedParents\":\"Row\"}}}", SJ_V10, "allowedParents "
		"of 'X' must be an array of strings");
	refused("{\"catalogId\":\"c\",\"components\":{\"X\":{\"allowedChildren\":[1]}}}", SJ_V10, "allowedChildren of "
		"'X' must be an array of strings");
	refused("{\"catalogId\":\"c\","
		"\"components\":{\"X\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/Gone\"}}}}}", SJ_V10,
	        "Unresolvable reference '#/$defs/Gone' in catalog 'c'");
	refused("{\"catalogId\":\"c\",\"functions\":{\"f\":{\"returnType\":\"text\"}}}", SJ_V10, "Unknown returnType "
		"'text' of function 'f'");
	refused("{\"catalogId\":\"c\",\"functions\":{\"f\":{\"returnType\":\"any\","
		"\"allowedCallers\":\"me\"}}}", SJ_V10,
	        "allowedCallers of 'f' must be rendererOnly, agentOnly or rendererOrAgent");
	refused("{\"catalogId\":\"c\",\"functions\":{\"f\":{\"returnType\":\"any\",\"allowedCallers\":\"agentOnly\","
		"\"requiresUserActivation\":true}}}", SJ_V10,
	        "Function 'f' requires user activation, so only the renderer may call it");
	refused("{\"catalogId\":\"c\",\"functions\":[{\"parameters\":{}}]}", SJ_V09, "A function needs a name");
	refused("{\"catalogId\":\"c\",\"functions\":{\"bad-name\":{}}}", SJ_V10, "Invalid UAX #31 function identifier "
		"'bad-name'");
	struct sj_catalog *c = NULL;
	struct sj_diag d = {0};
	CHECK_INT(sj_catalog_parse(sj_test_mem(), SJ_LIT("{\"catalogId\":\"a\"}"), SJ_LIT("b"), SJ_V09, NULL, NULL, &c,
	                           &d),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Catalog id 'b' conflicts with 'a' in the document");
	sj_diag_clear(&d);
	CHECK_INT(sj_catalog_parse(sj_test_mem(), SJ_LIT("{\n\"catalogId\":"), SJ_NO_SLICE, SJ_V09, NULL, NULL, &c, &d),
	          SJ_INVALID);
	CHECK_INT(d.code, SJ_E_CATALOG_ERROR);
	CHECK_INT(d.line, 2);
}

SJ_TEST(functions_in_every_form)
{
	struct sj_catalog *c = load("{\"catalogId\":\"c\",\"functions\":[{\"name\":\"add\",\"returnType\":\"number\","
		"\"parameters\":{\"type\":\"object\","
	                            "\"properties\":{\"a\":{\"type\":\"number\"},\"b\":{\"type\":\"number\"}},"
	                            "\"required\":[\"a\"],\"additionalProperties\":false}}],"
	                            "\"components\":{\"T\":{\"properties\":{\"text\":{"
	                            "\"$ref\":\"common_types.json#/$defs/DynamicNumber\"}}}}}",
	                            SJ_V09);
	const struct sj_a2ui_function *f = c ? sj_catalog_function(c, SJ_LIT("add")) : NULL;
	CHECK(f && f->nparams == 2 && f->required[0] && !f->required[1]);
	if (f) {
		CHECK_STR(f->return_type, "number");
		valid(c, SJ_DIALECT_BARE, "{\"id\":\"t\",\"component\":\"T\",\"text\":{\"call\":\"add\","
			"\"args\":{\"a\":1,\"b\":2}}}");
		valid(c, SJ_DIALECT_BARE, "{\"id\":\"t\",\"component\":\"T\",\"text\":{\"call\":\"add\","
			"\"args\":{\"a\":1},\"returnType\":\"number\"}}");
		invalid(c, SJ_DIALECT_BARE, "{\"id\":\"t\",\"component\":\"T\",\"text\":{\"call\":\"add\","
			"\"args\":{\"b\":2}}}", "required", "'a' is a required property");
		invalid(c, SJ_DIALECT_BARE, "{\"id\":\"t\",\"component\":\"T\",\"text\":{\"call\":\"add\","
			"\"args\":{\"a\":\"x\"}}}", "type",
		        "'x' is not of type 'number'");
		invalid(c, SJ_DIALECT_BARE, "{\"id\":\"t\",\"component\":\"T\","
			"\"text\":{\"call\":\"add\"}}", "required", "'args' is a required property");
	}
	sj_catalog_destroy(c);
	/* name -> schema, and nothing at all */
	c = load("{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\",\"functions\":{\"tax\":{\"returnType\":\"number\","
		"\"parameters\":{\"sum\":{\"type\":\"number\"}}},"
	         "\"ping\":{\"returnType\":\"void\",\"allowedCallers\":\"rendererOrAgent\"}}}",
	         SJ_VERSION_NONE);
	f = c ? sj_catalog_function(c, SJ_LIT("tax")) : NULL;
	CHECK(f && f->nparams == 1 && !f->required[0]);
	CHECK(c && sj_catalog_function(c, SJ_LIT("ping"))->allowed == SJ_CALLER_ANY &&
	      sj_catalog_function(c, SJ_LIT("ping"))->is_effect);
	sj_catalog_destroy(c);
}

static enum sj_status call(const struct sj_catalog *c, const char *name, enum sj_dialect d, const char *json,
                           struct seen_faults *seen)
{
	struct sj_arena arena;
	struct sj_tape t;
	*seen = (struct seen_faults){0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, sj_slice_of(json), &t));
	enum sj_status st =
		sj_catalog_check_call(c, sj_catalog_function(c, sj_slice_of(name)), d, &t, 0, &arena, see_fault, seen);
	sj_arena_finish(&arena);
	return st;
}

SJ_TEST(calls_are_checked_in_both_dialects_whatever_the_catalog_is_written_in)
{
	struct sj_slice bare = a2ui_file("specification/v1_0/catalogs/basic/catalog.json");
	for (int form = 0; form < 2; form++) {
		struct sj_catalog *c = NULL;
		struct seen_faults seen;
		struct sj_catalog_options opt = {0};
		if (form == 0)
			CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &c));
		else if (bare.ptr)
			CHECK_OK(sj_catalog_load(sj_test_mem(), bare, &opt, &c, NULL));
		else
			sj_skip("the published catalog is not there");
		if (!c)
			return;
		CHECK_OK(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"@call\":\"formatString\","
			"\"args\":{\"value\":{\"@path\":\"/a\"}}}", &seen));
		CHECK_OK(call(c, "formatString", SJ_DIALECT_BARE, "{\"call\":\"formatString\","
			"\"args\":{\"value\":{\"path\":\"/a\"}},\"catalogId\":\"x\"}", &seen));
		CHECK_OK(call(c, "formatString", SJ_DIALECT_AUTO, "{\"@call\":\"formatString\","
			"\"args\":{\"value\":\"x\"}}", &seen));
		CHECK_OK(call(c, "openUrl", SJ_DIALECT_RESERVED, "{\"@call\":\"openUrl\","
			"\"args\":{\"url\":\"https://a.example\"}}", &seen));
		CHECK_INT(call(c, "openUrl", SJ_DIALECT_RESERVED, "{\"@call\":\"openUrl\",\"args\":{\"url\":\"not a "
			"url\"}}", &seen), SJ_INVALID);
		CHECK_INT(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"call\":\"formatString\","
			"\"args\":{\"value\":\"x\"}}", &seen), SJ_INVALID);
		CHECK_INT(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"@call\":\"formatString\","
			"\"args\":{\"value\":3}}", &seen), SJ_INVALID);
		CHECK_INT(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"@call\":\"formatString\","
			"\"args\":{}}", &seen), SJ_INVALID);
		CHECK_STR(sj_slice_of(seen.message), "'value' is a required property");
		CHECK_INT(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"@call\":\"formatString\","
			"\"args\":{\"value\":\"x\",\"more\":1}}", &seen), SJ_INVALID);
		CHECK_INT(call(c, "formatString", SJ_DIALECT_RESERVED, "{\"@call\":\"formatString\","
			"\"args\":{\"value\":\"x\"},\"bogus\":1}", &seen), SJ_INVALID);
		CHECK_INT(call(c, "length", SJ_DIALECT_BARE, "{\"call\":\"length\","
			"\"args\":{\"value\":\"x\"}}", &seen), SJ_INVALID);
		CHECK_OK(call(c, "length", SJ_DIALECT_BARE, "{\"call\":\"length\",\"args\":{\"value\":\"x\","
			"\"max\":3}}", &seen));
		CHECK_INT(call(c, "and", SJ_DIALECT_BARE, "{\"call\":\"and\","
			"\"args\":{\"values\":[true]}}", &seen), SJ_INVALID);
		sj_catalog_destroy(c);
	}
}

SJ_TEST(the_dialect_is_read_from_the_payload)
{
	struct sj_catalog *c = load("{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\","
		"\"components\":{\"Card\":{\"type\":\"object\",\"properties\":{"
	                            "\"details\":{\"$ref\":\"common_types.json#/$defs/DynamicValue\"},"
	                            "\"list\":{\"type\":\"array\"}}}}}",
	                            SJ_VERSION_NONE);
	if (!c)
		return;
#define CARD(details) "{\"id\":\"r\",\"component\":\"Card\",\"details\":" details "}"
	valid(c, SJ_DIALECT_AUTO, CARD("{\"@path\":\"/a\"}"));
	valid(c, SJ_DIALECT_AUTO, CARD("{\"path\":\"/a\"}"));
	valid(c, SJ_DIALECT_AUTO, CARD("{\"path\":\"/var/log\",\"call\":\"audit\"}"));
	valid(c, SJ_DIALECT_AUTO, CARD("{\"@@path\":\"/static\",\"@@type\":\"R\"}"));
	valid(c, SJ_DIALECT_AUTO, CARD("{\"a\":[{\"b\":null,\"c\":{\"@path\":\"/x\"}}]}"));
	CHECK_INT(check(c, SJ_DIALECT_BARE, CARD("{\"path\":\"/var/log\","
		"\"call\":\"audit\"}"), &(struct seen_faults){0}), SJ_INVALID);
	CHECK_INT(check(c, SJ_DIALECT_AUTO, CARD("{\"@if\":true}"), &(struct seen_faults){0}), SJ_INVALID);
	CHECK_INT(check(c, SJ_DIALECT_AUTO, CARD("{\"@\":true}"), &(struct seen_faults){0}), SJ_INVALID);
	CHECK_INT(check(c, SJ_DIALECT_AUTO, CARD("[{\"x\":{\"@else\":1}}]"), &(struct seen_faults){0}), SJ_INVALID);
	CHECK_INT(check(c, SJ_DIALECT_AUTO, CARD("{\"\\u0040if\":true}"), &(struct seen_faults){0}), SJ_INVALID);
	valid(c, SJ_DIALECT_AUTO, CARD("{\"\\u0040path\":\"/a\"}"));
	invalid(c, SJ_DIALECT_RESERVED, "{\"id\":\"r\",\"component\":\"Card\",\"list\":[{\"@if\":1}]}", "propertyNames",
	        "'@if' is no directive: a key that begins with @ takes two");
	/* What vendors keep in their metadata is theirs. */
	valid(c, SJ_DIALECT_AUTO, "{\"id\":\"r\",\"component\":\"Card\",\"details\":{\"path\":\"/a\"},"
		"\"metadata\":{\"extensions\":{\"v\":{\"@type\":\"x\"}}}}");
	valid(c, SJ_DIALECT_RESERVED, "{\"id\":\"r\",\"component\":\"Card\","
		"\"metadata\":{\"extensions\":{\"v\":{\"@type\":\"x\"}}}}");
	sj_catalog_destroy(c);
}

SJ_TEST(faults_say_what_is_wrong)
{
	struct sj_catalog *c;
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &c));
	invalid(c, SJ_DIALECT_RESERVED, "{\"id\":\"t\",\"component\":\"Text\"}", "required", "'text' is a required "
		"property");
	invalid(c, SJ_DIALECT_RESERVED, "{\"component\":\"Text\",\"text\":\"x\"}", "required", "'id' is a required "
		"property");
	invalid(c, SJ_DIALECT_RESERVED, "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"x\","
		"\"variant\":\"h1\"}", "enum", "'h1' is not one of ['caption', 'body']");
	invalid(c, SJ_DIALECT_RESERVED, "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"x\","
		"\"color\":\"red\"}", "unevaluatedProperties",
	        "Unevaluated properties are not allowed ('color' was unexpected)");
	sj_catalog_destroy(c);
	c = load("{\"catalogId\":\"c\",\"theme\":{\"type\":\"object\","
		"\"properties\":{\"primaryColor\":{\"type\":\"string\",\"pattern\":\"^#[0-9a-f]{6}$\"}},"
	         "\"additionalProperties\":false},"
	         "\"components\":{\"B\":{\"properties\":{\"label\":{\"type\":\"string\"}},\"required\":[\"label\"],"
	         "\"additionalProperties\":false}}}",
	         SJ_V09);
	/* The envelope's members are not the catalog's to refuse. */
	valid(c, SJ_DIALECT_BARE, "{\"id\":\"b\",\"component\":\"B\",\"label\":\"x\"}");
	invalid(c, SJ_DIALECT_BARE, "{\"id\":\"b\",\"component\":\"B\",\"label\":1}", "type", "1 is not of type "
		"'string'");
	invalid(c, SJ_DIALECT_BARE, "{\"id\":\"b\",\"component\":\"B\",\"label\":\"x\","
		"\"z\":1}", "additionalProperties",
	        "Additional properties are not allowed ('z' was unexpected)");
	struct sj_arena arena;
	struct sj_tape t;
	struct seen_faults seen = {0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, SJ_LIT("[{\"primaryColor\":\"#00ff00\"},{\"primaryColor\":\"green\"},"
		"{\"font\":1}]"), &t));
	CHECK_OK(sj_catalog_check_theme(c, &t, sj_tape_item(&t, 0, 0), &arena, see_fault, &seen));
	CHECK_INT(sj_catalog_check_theme(c, &t, sj_tape_item(&t, 0, 1), &arena, see_fault, &seen), SJ_INVALID);
	CHECK_INT(sj_catalog_check_theme(c, &t, sj_tape_item(&t, 0, 2), &arena, NULL, NULL), SJ_INVALID);
	CHECK_STR(sj_slice_of(seen.keyword), "pattern");
	sj_arena_finish(&arena);
	sj_catalog_destroy(c);
}

SJ_TEST(open_definitions_and_permissive_catalogs)
{
	struct sj_catalog *c = load("{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\","
		"\"components\":{\"Box\":{\"allowedChildren\":[\"Text\"]},\"Row\":{\"type\":\"object\"}}}",
	                            SJ_VERSION_NONE);
	if (!c)
		return;
	const struct sj_a2ui_component *box = sj_catalog_component(c, SJ_LIT("Box"));
	CHECK(box->open && box->nchildren == 1 && box->allowed_parents == NULL);
	CHECK_SLICE(box->allowed_children[0], SJ_LIT("Text"));
	has(c, "Box", "children", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN);
	has(c, "Row", "whatever", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_NONE);
	valid(c, SJ_DIALECT_AUTO, "{\"id\":\"b\",\"component\":\"Box\",\"children\":[\"v\"],\"any\":1}");
	sj_catalog_destroy(c);
	CHECK_OK(sj_catalog_permissive(sj_test_mem(), SJ_LIT("test-catalog"), SJ_V09, &c));
	CHECK(sj_catalog_is_permissive(c) && sj_catalog_version(c) == SJ_V09);
	CHECK_SLICE(sj_catalog_id(c), SJ_LIT("test-catalog"));
	CHECK_INT(sj_catalog_component(c, SJ_LIT("Text"))->kind, SJ_UI_TEXT);
	CHECK_INT(sj_catalog_component(c, SJ_LIT("Anything"))->kind, SJ_UI_CUSTOM);
	has(c, "Anything", "child", SJ_AC_CHILD, SJ_DYN_ANY, SJ_P_CHILD);
	has(c, "Anything", "label", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_LABEL);
	has(c, "Text", "foo", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_NONE);
	valid(c, SJ_DIALECT_AUTO, "{\"id\":\"b\",\"component\":\"Text\",\"nonsense\":1}");
	sj_catalog_destroy(c);
}

SJ_TEST(catalogs_of_v08)
{
	struct sj_slice json = a2ui_file("specification/v0_8/json/standard_catalog_definition.json");
	struct sj_catalog *c;
	struct sj_catalog_options opt = {.id = SJ_LIT("standard"), .version = SJ_V08};
	if (!json.ptr) {
		sj_skip("the file is not there");
		return;
	}
	CHECK_OK(sj_catalog_load(sj_test_mem(), json, &opt, &c, NULL));
	CHECK_INT(sj_catalog_component_count(c), 18);
	CHECK(sj_catalog_has_theme(c));
	has(c, "Text", "text", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_TEXT);
	has(c, "Row", "children", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN);
	CHECK_INT(sj_catalog_component(c, SJ_LIT("MultipleChoice"))->kind, SJ_UI_CHOICE);
	has(c, "MultipleChoice", "selections", SJ_AC_DYNAMIC, SJ_DYN_ANY, SJ_P_VALUE);
	/* A component of v0.8 is checked by its properties alone: the object under its type's name. */
	struct sj_arena arena;
	struct sj_tape t;
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, SJ_LIT("[{\"text\":{\"literalString\":\"x\"},\"usageHint\":\"h1\"},"
		"{\"text\":\"x\"}]"), &t));
	const struct sj_a2ui_component *text = sj_catalog_component(c, SJ_LIT("Text"));
	CHECK_OK(sj_catalog_check_component(c, text, SJ_DIALECT_AUTO, &t, sj_tape_item(&t, 0, 0), &arena, NULL, NULL));
	CHECK_INT(sj_catalog_check_component(c, text, SJ_DIALECT_AUTO, &t, sj_tape_item(&t, 0, 1), &arena, NULL, NULL),
	          SJ_INVALID);
	sj_arena_finish(&arena);
	sj_catalog_destroy(c);
}

/* Hosts. */

static enum sj_result half(struct sj_call *call_, struct sj_value *out)
{
	*out = sj_value_number(sj_value_double(&call_->args[0]) / 2);
	return SJ_R_OK;
}

static const struct sj_host_prop question_props[] = {
	{"question", "DynamicString", SJ_P_LABEL, true, "What is asked "
	 "\"exactly\""}, {"answer", "DynamicString", SJ_P_VALUE, false, NULL},
	{"tone", "enum:warm|cool", SJ_P_VARIANT, false, NULL}, {"children", "ChildList", SJ_P_CHILDREN, false, NULL},
	{"onDone", "Action", SJ_P_ACTION, false, NULL}, {0}};
static const struct sj_host_prop half_args[] = {{"n", "DynamicNumber", SJ_P_NONE, true, NULL}, {0}};
static const char *const only_column[] = {"Column", NULL};
static const struct sj_host_component host_components[] = {
	{.name = "Question",
         .kind = SJ_UI_CUSTOM,
         .props = question_props,
         .allowed_parents = only_column,
         .description = "Asks",
         .checkable = true},
	{.name = "Text", .kind = SJ_UI_SUMMARY, .props = question_props},
	{0}};
static const struct sj_host_function host_functions[] = {
	{.name = "half", .kind = SJ_FN_PURE, .return_type = "number", .args = half_args, .eval = half},
	{.name = "ask", .kind = SJ_FN_DEFERRED, .return_type = "string", .allowed = SJ_CALLER_ANY},
	{0}};

SJ_TEST(catalogs_from_a_hosts_table)
{
	static const enum sj_version all[] = {SJ_V09, SJ_V10};
	for (size_t i = 0; i < 2; i++) {
		struct sj_host_catalog table = {.catalog_id = "my:catalog",
		                                .title = "Mine",
		                                .instructions = all[i] == SJ_V10 ? "Be kind." : NULL,
		                                .version = all[i],
		                                .components = host_components,
		                                .functions = host_functions,
		                                .include_basic = true};
		struct sj_catalog *c = NULL, *again;
		struct sj_diag d = {0};
		enum sj_dialect dialect = all[i] == SJ_V10 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
		if (sj_catalog_from_host(sj_test_mem(), &table, NULL, NULL, &c, &d) != SJ_OK) {
			sj_fail_at(__FILE__, __LINE__, "%s", d.message);
			return;
		}
		CHECK_INT(sj_catalog_component_count(c), 19);
		CHECK_INT(sj_catalog_function_count(c), 16);
		CHECK_INT(sj_catalog_component(c, SJ_LIT("Text"))->kind, SJ_UI_SUMMARY); /* the host's own wins */
		CHECK_INT(sj_catalog_component(c, SJ_LIT("Column"))->kind, SJ_UI_COLUMN);
		has(c, "Question", "question", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_LABEL);
		has(c, "Question", "answer", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_VALUE);
		has(c, "Question", "onDone", SJ_AC_ACTION, SJ_DYN_ANY, SJ_P_ACTION);
		has(c, "Question", "checks", SJ_AC_CHECKS, SJ_DYN_ANY, SJ_P_NONE);
		CHECK_SLICE(sj_catalog_component(c, SJ_LIT("Question"))->allowed_parents[0], SJ_LIT("Column"));
		const struct sj_a2ui_function *f = sj_catalog_function(c, SJ_LIT("half"));
		CHECK(f && f->impl && f->impl->eval == half && f->nparams == 1);
		f = sj_catalog_function(c, SJ_LIT("ask"));
		CHECK(f && f->impl && f->impl->kind == SJ_FN_DEFERRED && f->allowed == SJ_CALLER_ANY);
		valid(c, dialect, "{\"id\":\"q\",\"component\":\"Question\",\"question\":\"?\",\"tone\":\"warm\","
			"\"weight\":2}");
		invalid(c, dialect, "{\"id\":\"q\",\"component\":\"Question\",\"question\":\"?\","
			"\"tone\":\"hot\"}", "enum", "'hot' is not one of ['warm', 'cool']");
		/* The emitted document stands alone and means the same. */
		struct sj_buf text;
		struct sj_catalog_options opt = {.version = all[i]};
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK_OK(sj_catalog_emit(c, &text));
		CHECK_OK(sj_catalog_load(sj_test_mem(), sj_buf_view(&text), &opt, &again, &d));
		has(again, "Question", "answer", SJ_AC_DYNAMIC, SJ_DYN_STRING, SJ_P_VALUE);
		CHECK_INT(sj_catalog_component(again, SJ_LIT("Text"))->kind, SJ_UI_SUMMARY);
		valid(again, dialect, "{\"id\":\"q\",\"component\":\"Question\",\"question\":\"?\",\"tone\":\"warm\","
			"\"weight\":2}");
		sj_catalog_destroy(again);
		sj_buf_clear(&text);
		/* And so does the inline form. */
		CHECK_OK(sj_catalog_emit_inline(c, &text));
		CHECK_OK(sj_catalog_load(sj_test_mem(), sj_buf_view(&text), &opt, &again, &d));
		has(again, "Question", "children", SJ_AC_CHILD_LIST, SJ_DYN_ANY, SJ_P_CHILDREN);
		valid(again, dialect, "{\"id\":\"q\",\"component\":\"Question\",\"question\":\"?\",\"tone\":\"warm\","
			"\"weight\":2}");
		invalid(again, dialect, "{\"id\":\"q\",\"component\":\"Question\",\"question\":\"?\","
			"\"x\":1}", "unevaluatedProperties",
		        "Unevaluated properties are not allowed ('x' was unexpected)");
		CHECK_INT(sj_catalog_function_count(again), 16);
		sj_catalog_destroy(again);
		sj_buf_finish(&text);
		sj_catalog_destroy(c);
	}
	static const struct sj_host_prop odd[] = {{"x", "Colour", SJ_P_NONE, false, NULL}, {0}};
	static const struct sj_host_component bad[] = {{.name = "A", .props = odd}, {0}};
	struct sj_host_catalog table = {.catalog_id = "c", .version = SJ_V10, .components = bad};
	struct sj_catalog *c;
	struct sj_diag d = {0};
	CHECK_INT(sj_catalog_from_host(sj_test_mem(), &table, NULL, NULL, &c, &d), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Host catalog: unknown property type 'Colour'");
}

SJ_TEST(pruning_narrows_unions_and_keeps_implementations)
{
	struct sj_catalog *c, *less;
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &c));
	const struct sj_slice components[] = {SJ_LIT("Text"), SJ_LIT("Column"), SJ_LIT("Nope")},
			      functions[] = {SJ_LIT("required")};
	CHECK_OK(sj_catalog_prune(sj_test_mem(), c, components, 3, functions, 1, &less));
	CHECK_INT(sj_catalog_component_count(less), 2);
	CHECK_INT(sj_catalog_function_count(less), 1);
	CHECK(sj_catalog_component(less, SJ_LIT("Button")) == NULL);
	struct sj_arena arena;
	struct sj_tape t;
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, sj_catalog_document(less), &t));
	uint32_t defs = get(&t, 0, "$defs");
	CHECK_INT(t.cells[get(&t, get(&t, defs, "anyComponent"), "oneOf")].len, 2);
	CHECK_INT(t.cells[get(&t, get(&t, defs, "anyFunction"), "oneOf")].len, 1);
	sj_arena_finish(&arena);
	sj_catalog_destroy(less);
	CHECK_OK(sj_catalog_prune(sj_test_mem(), c, NULL, 0, functions, 0, &less));
	CHECK_INT(sj_catalog_component_count(less), 18);
	CHECK_INT(sj_catalog_function_count(less), 0);
	sj_catalog_destroy(less);
	sj_catalog_destroy(c);
}

/* Documents of strangers: whatever loads can be written, and what was written loads and is written the same. */

static void load_and_write(struct sj_slice json, unsigned *loaded)
{
	struct sj_catalog *c, *again;
	struct sj_catalog_options opt = {.id = SJ_LIT("x"), .override_id = true};
	struct sj_diag d = {0};
	struct sj_buf first, second, other;
	enum sj_status st = sj_catalog_load(sj_test_mem(), json, &opt, &c, &d);
	CHECK(st == SJ_OK || (st == SJ_INVALID && d.message[0] && d.category == SJ_CAT_CATALOG));
	if (st != SJ_OK)
		return;
	++*loaded;
	sj_buf_init(&first, sj_test_mem(), 0);
	sj_buf_init(&second, sj_test_mem(), 0);
	sj_buf_init(&other, sj_test_mem(), 0);
	CHECK_OK(sj_catalog_emit(c, &first));
	CHECK_OK(sj_catalog_emit_inline(c, &other));
	CHECK_OK(sj_catalog_emit_resolved(c, &other));
	opt.version = sj_catalog_version(c);
	sj_diag_clear(&d);
	if (sj_catalog_load(sj_test_mem(), sj_buf_view(&first), &opt, &again, &d) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s: %.*s", d.message, SJ_ARG(sj_buf_view(&first)));
	} else {
		CHECK_OK(sj_catalog_emit(again, &second));
		CHECK_SLICE(sj_buf_view(&second), sj_buf_view(&first));
		sj_catalog_destroy(again);
	}
	for (uint32_t i = 0; i < sj_catalog_component_count(c); i += 5) {
		char text[300];
		struct sj_arena arena;
		struct sj_tape t;
		const struct sj_a2ui_component *type = sj_catalog_component_at(c, i);
		snprintf(text, sizeof text, "{\"id\":\"a\",\"component\":\"%.*s\",\"text\":\"x\",\"child\":\"b\","
			"\"label\":{\"path\":\"/l\"}}", SJ_ARG(type->name));
		sj_arena_init(&arena, sj_test_mem(), 0);
		if (parse_json(&arena, sj_slice_of(text), &t)) {
			st = sj_catalog_check_component(c, type, SJ_DIALECT_AUTO, &t, 0, &arena, NULL, NULL);
			CHECK(st == SJ_OK || st == SJ_INVALID);
		}
		sj_arena_finish(&arena);
	}
	sj_buf_finish(&other);
	sj_buf_finish(&second);
	sj_buf_finish(&first);
	sj_catalog_destroy(c);
}

SJ_TEST(damaged_documents)
{
	static const enum sj_version all[] = {SJ_V09, SJ_V10};
	for (size_t i = 0; i < 2; i++) {
		struct sj_catalog *c;
		struct mutator m = {.state = 4711 + i};
		struct sj_arena arena;
		struct sj_tape t;
		unsigned loaded = 0;
		CHECK_OK(sj_catalog_basic(sj_test_mem(), all[i], NULL, NULL, &c));
		sj_arena_init(&arena, sj_test_mem(), 0);
		CHECK(parse_json(&arena, sj_catalog_document(c), &t));
		for (unsigned round = 0; round < 150 && !sj_failed(); round++) {
			struct sj_buf text;
			sj_buf_init(&text, sj_test_mem(), 0);
			mutate(&m, &t, 0, &text);
			load_and_write(sj_buf_view(&text), &loaded);
			sj_buf_finish(&text);
		}
		CHECK(loaded > 20);
		sj_arena_finish(&arena);
		sj_catalog_destroy(c);
	}
}

/* Definitions that refer to each other multiply without end unless something counts. */
SJ_TEST(definitions_that_multiply)
{
	struct sj_buf text;
	struct sj_catalog *c;
	struct sj_catalog_options opt = {.id = SJ_LIT("x")};
	struct sj_diag d = {0};
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_puts(&text, "{\"protocolVersion\":\"0.9\",\"$defs\":{\"D0\":{\"type\":\"object\","
		"\"properties\":{\"x\":{\"$ref\":\"#/$defs/ChildList\"}}}");
	for (unsigned i = 1; i < 30; i++) {
		sj_buf_printf(&text, ",\"D%u\":{\"type\":\"object\",\"properties\":{", i);
		for (unsigned k = 0; k < 8; k++)
			sj_buf_printf(&text, "%s\"p%u\":{\"$ref\":\"#/$defs/D%u\"}", k ? "," : "", k, i - 1);
		sj_buf_puts(&text, "},\"allOf\":[");
		for (unsigned k = 0; k < 8; k++)
			sj_buf_printf(&text, "%s{\"$ref\":\"#/$defs/D%u\"}", k ? "," : "", i - 1);
		sj_buf_puts(&text, "]}");
	}
	sj_buf_puts(&text, "},\"components\":{\"A\":{\"$ref\":\"#/$defs/D29\"},"
		"\"B\":{\"properties\":{\"t\":{\"$ref\":\"#/$defs/D29\"}}}}}");
	CHECK_INT(sj_catalog_load(sj_test_mem(), sj_buf_view(&text), &opt, &c, &d), SJ_LIMIT);
	CHECK_STR(sj_slice_of(d.message), "The definitions of catalog 'x' refer to each other too often");
	sj_buf_finish(&text);
}

/* Out of memory. */

static enum sj_status torture_all(struct sj_mem *mem, void *ctx)
{
	enum sj_version v = *(enum sj_version *)ctx;
	struct sj_catalog *c = NULL, *less = NULL;
	struct sj_host_catalog table = {
		.catalog_id = "t", .version = v, .components = host_components, .functions = host_functions};
	enum sj_status st = sj_catalog_from_host(mem, &table, NULL, NULL, &c, NULL);
	if (st != SJ_OK)
		return st;
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	st = sj_catalog_emit(c, &text);
	if (st == SJ_OK)
		st = sj_catalog_emit_inline(c, &text);
	if (st == SJ_OK)
		st = sj_catalog_emit_resolved(c, &text);
	const struct sj_slice keep[] = {SJ_LIT("Question")};
	if (st == SJ_OK)
		st = sj_catalog_prune(mem, c, keep, 1, NULL, 0, &less);
	struct sj_arena arena;
	struct sj_tape t;
	sj_arena_init(&arena, mem, 0);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	if (st == SJ_OK)
		st = sj_json_parse(&arena, &opt, SJ_LIT("{\"id\":\"q\",\"component\":\"Question\","
			"\"question\":1}"), &t, NULL);
	if (st == SJ_OK) {
		st = sj_catalog_check_component(less, sj_catalog_component(less, SJ_LIT("Question")), SJ_DIALECT_AUTO,
		                                &t, 0, &arena, NULL, NULL);
		st = st == SJ_INVALID ? SJ_OK : st == SJ_OK ? SJ_INVALID : st;
	}
	sj_arena_finish(&arena);
	sj_buf_finish(&text);
	sj_catalog_destroy(less);
	sj_catalog_destroy(c);
	return st;
}

static enum sj_status torture_basic(struct sj_mem *mem, void *ctx)
{
	struct sj_catalog *c;
	enum sj_status st = sj_catalog_basic(mem, *(enum sj_version *)ctx, NULL, NULL, &c);
	if (st == SJ_OK)
		sj_catalog_destroy(c);
	return st;
}

SJ_TEST(every_allocation_may_fail)
{
	enum sj_version all[] = {SJ_V09, SJ_V10};
	for (size_t i = 0; i < 2; i++) {
		sj_torture(torture_basic, &all[i]);
		sj_torture(torture_all, &all[i]);
	}
}

/* The official cases {schema, catalog?, tests}, against our own documents. */
SJ_TEST(specification_cases_on_our_documents)
{
	for (size_t s = 0; s < SPECS; s++) {
		char folder[300], path[700], **names;
		snprintf(folder, sizeof folder, "a2ui/specification/%s/test/cases", specs[s].folder);
		const char *found = sj_data(folder);
		if (!found) {
			sj_skip("the specification is not there");
			return;
		}
		char at_folder[600];
		snprintf(at_folder, sizeof at_folder, "%s", found);
		size_t n = sj_list_dir(at_folder, ".json", &names);
		CHECK(n >= 6);
		for (size_t i = 0; i < n; i++) {
			struct sj_arena arena;
			struct sj_tape t;
			struct sj_schema_set *set;
			struct sj_schema_options opt = {.assert_format = true};
			const struct sj_schema *schema = NULL;
			sj_arena_init(&arena, sj_test_mem(), 0);
			snprintf(path, sizeof path, "specification/%s/test/cases/%s", specs[s].folder, names[i]);
			CHECK(parse_json(&arena, a2ui_file(path), &t));
			CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
			uint32_t named = get(&t, 0, "catalog");
			for (uint32_t k = 0; sj_a2ui_schema_name(specs[s].v, k); k++) {
				struct sj_buf text;
				const char *name = sj_a2ui_schema_name(specs[s].v, k);
				sj_buf_init(&text, sj_test_mem(), 0);
				if (named && strcmp(name, "catalog.json") == 0) {
					snprintf(path, sizeof path, "specification/%s/test/%.*s", specs[s].folder,
					         SJ_ARG(sj_tape_raw(&t, named)));
					sj_buf_slice(&text, a2ui_file(path));
				} else {
					CHECK(sj_a2ui_schema_write(specs[s].v, SJ_DIALECT_BARE, sj_slice_of(name),
					                           &text));
				}
				snprintf(path, sizeof path, "%s%s", specs[s].base, name);
				CHECK_OK(sj_schema_set_add(set, sj_slice_of(path), sj_buf_view(&text), NULL));
				sj_buf_finish(&text);
			}
			snprintf(path, sizeof path, "%s%.*s", specs[s].base,
			         SJ_ARG(sj_tape_raw(&t, get(&t, 0, "schema"))));
			CHECK_OK(sj_schema_compile(set, sj_slice_of(path), &schema, NULL));
			uint32_t tests = get(&t, 0, "tests");
			for (uint32_t at = tests + 1; schema && at < t.cells[tests].end; at = sj_tape_next(&t, at)) {
				sj_case("%s/%s: %.*s", specs[s].folder, names[i],
				        SJ_ARG(sj_tape_raw(&t, get(&t, at, "description"))));
				bool good = sj_tape_type(&t, get(&t, at, "valid")) == SJ_J_TRUE;
				CHECK_INT(sj_schema_validate(schema, &t, get(&t, at, "data"), &arena, NULL, NULL),
				          good ? SJ_OK : SJ_INVALID);
				sj_case_end();
			}
			sj_schema_set_destroy(set);
			sj_arena_finish(&arena);
		}
	}
}

static void in_order(const struct sj_catalog *c, const char *type, const char *names)
{
	const struct sj_a2ui_component *comp = sj_catalog_component(c, sj_slice_of(type));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	for (uint32_t i = 0; comp && i < comp->npositions; i++)
		sj_buf_printf(&b, "%s%.*s", i ? " " : "", SJ_ARG(comp->positions[i]->name));
	CHECK_STR(sj_buf_view(&b), names);
	sj_buf_finish(&b);
}

SJ_TEST(positions_follow_the_document_and_its_annotations)
{
	struct sj_catalog *c = NULL;
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &c));
	in_order(c, "TextField", "label value placeholder variant weight checks");
	in_order(c, "Button", "child variant action weight checks");
	sj_catalog_destroy(c);
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V09, NULL, NULL, &c));
	in_order(c, "TextField", "label value variant validationRegexp weight checks");
	sj_catalog_destroy(c);
	c = load("{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\",\"components\":{\"A\":{\"properties\":{"
	         "\"component\":{\"const\":\"A\"},\"w\":{},\"x\":{\"positionalIndex\":1},\"y\":{},"
	         "\"z\":{\"positionalIndex\":0}}}},\"functions\":{\"f\":{\"properties\":{\"call\":{"
	         "\"const\":\"f\"},\"args\":{\"properties\":{\"a\":{},\"b\":{\"positionalIndex\":0}}}}}}}",
	         SJ_VERSION_NONE);
	in_order(c, "A", "z x w y");
	const struct sj_a2ui_function *f = c ? sj_catalog_function(c, SJ_LIT("f")) : NULL;
	CHECK(f && f->nparams == 2 && f->positions[0] == 1 && f->positions[1] == 0);
	sj_catalog_destroy(c);
}
