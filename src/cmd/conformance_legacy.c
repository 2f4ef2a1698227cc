/* Conformance: the agent's side as older kits had it (select_catalog for a client, load_catalog, generate_prompt). */
#include "cmd/conformance.h"
#include "cmd/match.h"
#include "infer/legacy.h"

enum { NAMES = 64 };

static bool is_true(const struct sj_value *v) { return v && v->type == SJ_V_TRUE; }
static struct sj_slice text_of(const struct sj_value *v)
{
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_LIT("");
}

/* ---- select_catalog ---------------------------------------------------------------------------------------------- */

void act_select_for_client(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *expect = case_member(t, "expect"),
			      *selected = case_member(t, "expectSelected"), *error = case_member(t, "expectError");
	struct sj_value doc = SJ_NULL_VALUE;
	struct sj_diag d = {0};
	enum sj_status st = sj_legacy_select(t->mem, cmd_member(args, "supportedCatalogs"),
	                                     cmd_member(args, "clientCapabilities"),
	                                     is_true(cmd_member(args, "acceptsInlineCatalogs")), &doc, &d);
	if (error)
		trial_expect_diag(t, error, &d);
	else if (st != SJ_OK)
		trial_fail(t, "unexpected %s: %s", sj_category_name(d.category), d.message);
	else if (expect)
		trial_match(t, "the catalog", expect, &doc, true);
	if (st == SJ_OK && selected &&
	    !sj_slice_eq(sj_value_text(selected), text_of(cmd_member(&doc, "catalogId"))))
		trial_fail(t, "selected '%.*s'", SJ_ARG(text_of(cmd_member(&doc, "catalogId"))));
	if (!error && !expect && !selected)
		trial_fail(t, "the case expects nothing");
	sj_value_unref(t->mem, doc);
}

/* ---- load_catalog ------------------------------------------------------------------------------------------------ */

static bool load_one(struct trial *t, const struct sj_value *config, struct sj_value *out, struct sj_diag *diag)
{
	const struct sj_value *modifiers = case_member(t, "modifiers"), *name = cmd_member(config, "name");
	if (!trial_load(t, text_of(cmd_member(config, "path")), out))
		return false;
	if (!cmd_member(out, "catalogId") && name)
		value_put(t->mem, out, "catalogId", sj_value_ref(*name));
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; modifiers && i < sj_value_count(modifiers) && st == SJ_OK; i++)
		st = sj_legacy_modify(t->mem, text_of(sj_value_item(modifiers, i)), out, diag);
	return st == SJ_OK;
}

void act_load_catalog(struct trial *t)
{
	const struct sj_value *configs = case_member(t, "catalogConfigs"), *expect = case_member(t, "expect"),
			      *error = case_member(t, "expectError"), *ids = cmd_member(expect, "supportedCatalogIds");
	struct sj_diag d = {0};
	bool ok = true;
	if (!configs || (ids && sj_value_count(ids) != sj_value_count(configs)))
		trial_fail(t, "%u catalogs are loaded", configs ? sj_value_count(configs) : 0);
	for (uint32_t i = 0; ok && configs && i < sj_value_count(configs); i++) {
		struct sj_value doc = SJ_NULL_VALUE;
		ok = load_one(t, sj_value_item(configs, i), &doc, &d);
		if (ok && ids)
			trial_match(t, "catalogId", sj_value_item(ids, i), cmd_member(&doc, "catalogId"), true);
		else if (ok && i == 0 && expect)
			trial_match(t, "the catalog", expect, &doc, true);
		sj_value_unref(t->mem, doc);
	}
	if (error)
		trial_expect_diag(t, error, &d);
	else if (!ok)
		trial_fail(t, "%s: %s", sj_category_name(d.category), d.message);
}

/* ---- generate_prompt --------------------------------------------------------------------------------------------- */

/* The version's basic catalog: our own data, or the published file where we have none. */
static bool basic_document(struct trial *t, enum sj_version v, struct sj_value *out)
{
	struct sj_catalog *c = NULL;
	if (sj_catalog_basic(t->mem, v, NULL, NULL, &c) == SJ_OK) {
		*out = value_of_json(t->mem, sj_catalog_document(c));
		sj_catalog_destroy(c);
		return out->type == SJ_V_OBJECT;
	}
	if (v != SJ_V08 ||
	    !trial_load(t, SJ_LIT("specification/v0_8/json/standard_catalog_definition.json"), out))
		return false;
	if (!cmd_member(out, "catalogId"))
		value_put_text(t->mem, out, "catalogId",
		               SJ_LIT("https://a2ui.org/specification/v0_8/standard_catalog_definition.json"));
	return true;
}

static void schema_text(struct trial *t, enum sj_version v, const char *ours, const char *published, struct sj_buf *out)
{
	if (!sj_a2ui_schema_write(v, SJ_DIALECT_BARE, sj_slice_of(ours), out) && published)
		trial_read(t, sj_slice_of(published), out);
}

/* The catalog a client gets: chosen, with what it brought along, and only the allowed components. */
static bool client_catalog(struct trial *t, const struct sj_value *args, enum sj_version v, struct sj_value *out,
                           struct sj_diag *diag)
{
	const struct sj_value *allowed = cmd_member(args, "allowedComponents");
	struct sj_value basic, supported, chosen;
	struct sj_slice names[NAMES];
	if (!basic_document(t, v, &basic) || sj_value_array(t->mem, &supported) != SJ_OK ||
	    sj_value_append(t->mem, &supported, basic) != SJ_OK)
		return false;
	enum sj_status st = sj_legacy_select(t->mem, &supported, cmd_member(args, "clientUiCapabilities"),
	                                     is_true(cmd_member(args, "acceptsInlineCatalogs")), &chosen, diag);
	sj_value_unref(t->mem, supported);
	if (st != SJ_OK)
		return false;
	struct sj_catalog_options opt = {.version = v};
	struct sj_catalog *whole = NULL, *pruned = NULL;
	struct sj_buf json;
	uint32_t n = 0;
	for (; allowed && n < sj_value_count(allowed) && n < NAMES; n++)
		names[n] = sj_value_text(sj_value_item(allowed, n));
	sj_buf_init(&json, t->mem, 0);
	sj_value_print(&json, &chosen, SJ_PRINT_COMPACT);
	st = sj_catalog_load(t->mem, sj_buf_view(&json), &opt, &whole, diag);
	if (st == SJ_OK)
		st = sj_catalog_prune(t->mem, whole, n > 0 ? names : NULL, n, NULL, 0, &pruned);
	if (st == SJ_OK)
		*out = value_of_json(t->mem, sj_catalog_document(pruned));
	sj_catalog_destroy(whole);
	sj_catalog_destroy(pruned);
	sj_buf_finish(&json);
	sj_value_unref(t->mem, chosen);
	return st == SJ_OK;
}

void act_generate_prompt(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *contains = case_member(t, "expectContains"),
			      *absent = case_member(t, "expectAbsent"), *error = case_member(t, "expectError");
	enum sj_version v = sj_version_find(text_of(cmd_member(args, "version")));
	struct sj_legacy_prompt p = {.role = text_of(cmd_member(args, "roleDescription")),
	                             .workflow = text_of(cmd_member(args, "workflowDescription")),
	                             .ui = text_of(cmd_member(args, "uiDescription")),
	                             .schema = is_true(cmd_member(args, "includeSchema")),
	                             .version = v};
	struct sj_value catalog = SJ_NULL_VALUE;
	struct sj_buf schema, common, out;
	struct sj_diag d = {0};
	sj_buf_init(&schema, t->mem, 0);
	sj_buf_init(&common, t->mem, 0);
	sj_buf_init(&out, t->mem, 0);
	bool ok = client_catalog(t, args, v, &catalog, &d);
	if (ok && p.schema) {
		schema_text(t, v, v == SJ_V10 ? "agent_to_renderer.json" : "server_to_client.json",
		            v == SJ_V08 ? "specification/v0_8/json/server_to_client.json" : NULL, &schema);
		schema_text(t, v, "common_types.json", NULL, &common);
		p.messages_schema = sj_buf_view(&schema);
		p.common_types = sj_buf_view(&common);
		p.catalog = &catalog;
	}
	ok = ok && sj_legacy_prompt(t->mem, &p, &out, &d) == SJ_OK;
	if (error)
		trial_expect_diag(t, error, &d);
	else if (!ok)
		trial_fail(t, "%s: %s", sj_category_name(d.category), d.message);
	trial_contains(t, contains, sj_buf_view(&out), true);
	trial_contains(t, absent, sj_buf_view(&out), false);
	sj_value_unref(t->mem, catalog);
	sj_buf_finish(&schema);
	sj_buf_finish(&common);
	sj_buf_finish(&out);
}
