/* Conformance: process_messages, validate, get_renderer_data_model, get_renderer_capabilities. */
#include "cmd/conformance.h"

#include "base/num.h"
#include "cmd/match.h"

/* ---- what the suites write and no wire has ----------------------------------------------------------------------- */

static const char *const COMPONENT_LISTS[] = {"createSurface", "updateComponents"};

/* {"component": "Collection", "items": path, "template": {..., "components": [...]}} is the suites' shorthand for a
 * List with a template whose components stand beside it. Appends what it means. */
static void expand_collection(struct sj_mem *mem, const struct sj_value *c, struct sj_value *out)
{
	const struct sj_value *template = cmd_member(c, "template"), *items = cmd_member(c, "items"),
			      *id = cmd_member(c, "id");
	const struct sj_value *inner = cmd_member(template, "components"), *own = cmd_member(template, "id");
	struct sj_value list, children, row;
	if (sj_value_object(mem, &list) != SJ_OK || sj_value_object(mem, &children) != SJ_OK ||
	    sj_value_object(mem, &row) != SJ_OK)
		return;
	struct sj_slice row_id = own ? sj_value_text(own) : SJ_LIT("collection_row");
	value_put_text(mem, &children, "componentId", row_id);
	value_put(mem, &children, "path", sj_value_ref(*items));
	value_put(mem, &list, "id", sj_value_ref(*id));
	value_put_text(mem, &list, "component", SJ_LIT("List"));
	value_put(mem, &list, "children", children);
	for (uint32_t i = 0; i < sj_value_count(template); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(template, i, &key);
		if (!sj_slice_is(key, "components") && sj_value_set(mem, &row, key, sj_value_ref(*v)) != SJ_OK)
			return;
	}
	value_put_text(mem, &row, "id", row_id);
	if (sj_value_append(mem, out, list) != SJ_OK || sj_value_append(mem, out, row) != SJ_OK)
		return;
	for (uint32_t i = 0; inner && i < sj_value_count(inner); i++)
		if (sj_value_append(mem, out, sj_value_ref(*sj_value_item(inner, i))) != SJ_OK)
			return;
}

static struct sj_value adapt_message(struct sj_mem *mem, const struct sj_value *message, struct sj_slice version)
{
	struct sj_value m = sj_value_ref(*message);
	if (m.type != SJ_V_OBJECT)
		return m;
	if (version.len > 0 && !cmd_member(&m, "version"))
		value_put_text(mem, &m, "version", version);
	for (size_t k = 0; k < sizeof COMPONENT_LISTS / sizeof *COMPONENT_LISTS; k++) {
		const struct sj_value *body = cmd_member(&m, COMPONENT_LISTS[k]), *old = cmd_member(body, "components");
		bool found = false;
		for (uint32_t i = 0; old && old->type == SJ_V_ARRAY && i < sj_value_count(old); i++)
			found = found || value_text_is(cmd_member(sj_value_item(old, i), "component"), "Collection");
		if (!found)
			continue;
		struct sj_value list, copy = sj_value_ref(*body);
		if (sj_value_array(mem, &list) != SJ_OK)
			break;
		for (uint32_t i = 0; i < sj_value_count(old); i++) {
			const struct sj_value *c = sj_value_item(old, i);
			if (value_text_is(cmd_member(c, "component"), "Collection"))
				expand_collection(mem, c, &list);
			else if (sj_value_append(mem, &list, sj_value_ref(*c)) != SJ_OK)
				break;
		}
		value_put(mem, &copy, "components", list);
		value_put(mem, &m, COMPONENT_LISTS[k], copy);
	}
	return m;
}

/* Messages that name no version get the case's, unless the case is about just that. */
static struct sj_slice missing_version(const struct trial *t, const struct sj_value *expect_error)
{
	struct sj_buf text;
	bool about_version = false;
	if (t->version == SJ_VERSION_NONE || t->version == SJ_V08)
		return SJ_LIT("");
	if (expect_error) {
		sj_buf_init(&text, t->mem, 0);
		sj_value_print(&text, expect_error, SJ_PRINT_COMPACT);
		about_version = cmd_contains(sj_buf_view(&text), SJ_LIT("version"));
		sj_buf_finish(&text);
	}
	return about_version ? SJ_LIT("") : sj_slice_of(sj_version_text(t->version));
}

static struct sj_value adapt_batch(struct trial *t, const struct sj_value *batch, const struct sj_value *expect_error)
{
	struct sj_slice version = missing_version(t, expect_error);
	const struct sj_value *inner = cmd_member(batch, "messages"), *list = inner ? inner : batch;
	struct sj_value out, wrapper;
	if (list->type != SJ_V_ARRAY)
		return adapt_message(t->mem, list, version);
	if (sj_value_array(t->mem, &out) != SJ_OK)
		return SJ_NULL_VALUE;
	for (uint32_t i = 0; i < sj_value_count(list); i++)
		if (sj_value_append(t->mem, &out, adapt_message(t->mem, sj_value_item(list, i), version)) != SJ_OK)
			trial_fail(t, "out of memory");
	if (!inner || sj_value_object(t->mem, &wrapper) != SJ_OK)
		return out;
	value_put(t->mem, &wrapper, "messages", out); /* the wrapper is for the engine to take off */
	return wrapper;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static const struct sj_value *find_component(const struct sj_value *all, struct sj_slice id)
{
	for (uint32_t i = 0; i < sj_value_count(all); i++) {
		const struct sj_value *c = sj_value_item(all, i), *own = cmd_member(c, "id");
		if (own && sj_slice_eq(sj_value_text(own), id))
			return c;
	}
	return NULL;
}

/* The node a map key means: a component id, or for the instances of a template "id_3". */
static sj_node_id find_node(struct sj_surface *s, struct sj_slice id, struct sj_slice *component)
{
	*component = id;
	sj_node_id n = sj_surface_find(s, id, NULL, 0);
	if (n != 0)
		return n;
	size_t at = id.len;
	uint32_t row = 0, place = 1;
	while (at > 0 && id.ptr[at - 1] >= '0' && id.ptr[at - 1] <= '9' && place <= 100000) {
		row += (uint32_t)(id.ptr[--at] - '0') * place;
		place *= 10;
	}
	if (at == id.len || at == 0 || id.ptr[at - 1] != '_')
		return 0;
	*component = sj_slice(id.ptr, at - 1);
	return sj_surface_find(s, *component, &row, 1);
}

/* As it was written, with the values its node resolved them to. */
static struct sj_value evaluated(struct sj_mem *mem, struct sj_surface *s, sj_node_id n, const struct sj_value *written)
{
	struct sj_value out = written ? sj_value_ref(*written) : SJ_NULL_VALUE;
	for (uint32_t i = 0; written && n && i < sj_node_prop_count(s, n); i++) {
		struct sj_prop prop;
		if (!sj_node_prop(s, n, i, &prop) || prop.cls != SJ_PC_VALUE || !(prop.flags & SJ_PF_DYNAMIC))
			continue;
		if (prop.value && prop.value->type != SJ_V_ABSENT) {
			if (sj_value_set(mem, &out, prop.name, value_copy(mem, prop.value)) != SJ_OK)
				break;
		} else if (sj_value_unset(mem, &out, prop.name) != SJ_OK) {
			break;
		}
	}
	return out;
}

/* A number that a text shows is written as the text it shows. */
static void as_shown(struct sj_mem *mem, const struct sj_value *want, struct sj_value *got)
{
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice key;
		const struct sj_value *w = sj_value_member(want, i, &key), *g = sj_value_get(got, key);
		char text[SJ_NUM_TEXT];
		struct sj_value v;
		if (!g || !sj_value_is_string(w) || !sj_value_is_number(g))
			continue;
		if (sj_value_string(mem, sj_slice(text, sj_num_text(sj_value_double(g), text)), &v) != SJ_OK ||
		    sj_value_set(mem, got, key, v) != SJ_OK)
			return;
	}
}

static void check_component(struct trial *t, struct sj_surface *s, const struct sj_value *all, struct sj_slice id,
                            const struct sj_value *want)
{
	struct sj_slice component;
	struct sj_buf why;
	sj_node_id n = find_node(s, id, &component);
	const struct sj_value *written = find_component(all, component);
	if (!written) {
		trial_fail(t, "component '%.*s' is not there", SJ_ARG(id));
		return;
	}
	sj_buf_init(&why, t->mem, 0);
	/* The suites mean the definition in some cases and the shown values in others. */
	if (!cmd_match(t->mem, want, written, false, &why)) {
		struct sj_value now = evaluated(t->mem, s, n, written);
		as_shown(t->mem, want, &now);
		trial_match(t, "component", want, &now, false);
		sj_value_unref(t->mem, now);
	}
	sj_buf_finish(&why);
}

static void check_components(struct bench *b, struct sj_view *v, const struct sj_value *want)
{
	struct trial *t = b->t;
	struct sj_buf json;
	sj_buf_init(&json, t->mem, 0);
	if (sj_view_components(b->engine, v, &json) != SJ_OK)
		trial_fail(t, "the components could not be read");
	struct sj_value all = value_of_json(t->mem, sj_buf_view(&json));
	sj_buf_finish(&json);
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice id = SJ_LIT("");
		const struct sj_value *c =
			want->type == SJ_V_ARRAY ? sj_value_item(want, i) : sj_value_member(want, i, &id);
		if (want->type == SJ_V_ARRAY && cmd_member(c, "id"))
			id = sj_value_text(cmd_member(c, "id"));
		check_component(t, sj_view_surface(v), &all, id, c);
	}
	sj_value_unref(t->mem, all);
}

static void check_surface(struct bench *b, struct sj_slice id, const struct sj_value *want)
{
	struct trial *t = b->t;
	struct sj_view *v = sj_engine_view(b->engine, UINT32_MAX, id);
	const struct sj_value *exists = cmd_member(want, "exists");
	struct sj_buf json;

	if (exists && exists->type == SJ_V_FALSE) {
		if (v)
			trial_fail(t, "surface '%.*s' exists", SJ_ARG(id));
		return;
	}
	if (!v) {
		trial_fail(t, "surface '%.*s' does not exist", SJ_ARG(id));
		return;
	}
	if (sj_surface_settle(sj_view_surface(v)) != SJ_OK)
		trial_fail(t, "the surface did not settle");
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice key;
		const struct sj_value *w = sj_value_member(want, i, &key);
		if (sj_slice_is(key, "exists")) {
			continue;
		} else if (sj_slice_is(key, "sendDataModel")) {
			struct sj_value got = sj_value_bool(sj_view_sends_data_model(v));
			trial_match(t, "sendDataModel", w, &got, true);
		} else if (sj_slice_is(key, "theme")) {
			trial_match(t, "theme", w, sj_view_theme(v), false);
		} else if (sj_slice_is(key, "catalogId")) {
			if (!sj_slice_eq(sj_value_text(w), sj_view_catalog_id(v)))
				trial_fail(t, "catalogId is '%.*s'", SJ_ARG(sj_view_catalog_id(v)));
		} else if (sj_slice_is(key, "dataModel")) {
			trial_match(t, "dataModel", w, sj_surface_model(sj_view_surface(v), SJ_ROOT_DATA), false);
		} else if (sj_slice_is(key, "components")) {
			check_components(b, v, w);
		} else if (sj_slice_is(key, "validationResult")) {
			sj_buf_init(&json, t->mem, 0);
			if (sj_view_validation(b->engine, v, &json) != SJ_OK)
				trial_fail(t, "the validation could not be read");
			trial_match_json(t, "validationResult", w, sj_buf_view(&json), false);
			sj_buf_finish(&json);
		} else {
			trial_fail(t, "the runner does not know what to compare with '%.*s'", SJ_ARG(key));
		}
	}
}

static void check_state(struct bench *b, const struct sj_value *expect)
{
	const struct sj_value *surfaces = cmd_member(expect, "surfaces");
	for (uint32_t i = 0; surfaces && i < sj_value_count(surfaces); i++) {
		struct sj_slice id;
		const struct sj_value *want = sj_value_member(surfaces, i, &id);
		check_surface(b, id, want);
	}
}

/* Everything a message may change, as one text. */
static void put_state(struct bench *b, struct sj_buf *out)
{
	for (uint32_t i = 0; i < sj_engine_view_count(b->engine); i++) {
		struct sj_view *v = sj_engine_view_at(b->engine, i);
		sj_view_tree(b->engine, v, out);
		sj_view_components(b->engine, v, out);
	}
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static struct sj_engine_config config_of(const struct trial *t, bool strict)
{
	const struct sj_value *mode = case_member(t, "strictMode");
	struct sj_engine_config cfg = {.size = sizeof cfg, .no_basic = true, .strict = true};
	if (t->reserved_keys)
		cfg.dialect = SJ_DIALECT_RESERVED; /* a host that knows its agent says so */
	if (mode && mode->type == SJ_V_TRUE)
		return cfg; /* everything is forbidden */
	if (strict)
		cfg.strict = false; /* schemas count; what is missing may still come */
	else
		cfg.strictness.skip_graph = true;
	return cfg;
}

static const struct sj_value *messages_of(const struct sj_value *v)
{
	const struct sj_value *m = cmd_member(v, "messages");
	return m ? m : cmd_member(v, "payload");
}

/* The batches of a case, one per step, adapted. */
static struct sj_value batches_of(struct trial *t)
{
	const struct sj_value *steps = case_member(t, "steps"), *m;
	struct sj_value list;
	if (sj_value_array(t->mem, &list) != SJ_OK)
		return SJ_NULL_VALUE;
	for (uint32_t i = 0; steps ? i < sj_value_count(steps) : i < 1; i++) {
		const struct sj_value *step = steps ? sj_value_item(steps, i) : t->c,
				      *error = cmd_member(step, "expectError");
		m = messages_of(step);
		if (!m) {
			trial_fail(t, "there are no messages");
			break;
		}
		if (sj_value_append(t->mem, &list, adapt_batch(t, m, error ? error : case_member(t, "expectError"))) !=
		    SJ_OK)
			trial_fail(t, "out of memory");
	}
	return list;
}

static void run_step(struct bench *b, const struct sj_value *step, const struct sj_value *batch, bool last)
{
	struct trial *t = b->t;
	const struct sj_value *error = cmd_member(step, "expectError"), *case_error = case_member(t, "expectError"),
			      *expect = cmd_member(step, "expect");
	struct sj_buf before, after;
	bool single = batch->type == SJ_V_OBJECT || (batch->type == SJ_V_ARRAY && sj_value_count(batch) == 1);

	sj_buf_init(&before, t->mem, 0);
	sj_buf_init(&after, t->mem, 0);
	put_state(b, &before);
	bench_forget(b);
	bench_feed(b, batch);
	put_state(b, &after); /* reads every value, so that what cannot be evaluated is reported */
	bench_drain(b);
	if (!error && case_error && (last || b->faults.count > 0))
		error = case_error;
	if (error) {
		trial_expect_error(t, error, b);
		if (single && !trial_failed(t) && b->faults.count > 0 && b->faults.items[0].message > 0 &&
		    !sj_slice_eq(sj_buf_view(&before), sj_buf_view(&after)))
			trial_fail(t, "the refused message left something behind");
	} else if (b->faults.count > 0) {
		trial_fail(t, "unexpected %s: %s at %s", sj_category_name(b->faults.items[0].diag.category),
		           b->faults.items[0].diag.message, b->faults.items[0].diag.pointer);
	}
	if (expect)
		check_state(b, expect);
	sj_buf_finish(&before);
	sj_buf_finish(&after);
}

void act_messages(struct trial *t)
{
	const struct sj_value *steps = case_member(t, "steps"), *mode = case_member(t, "strictMode");
	bool strict = value_text_is(case_member(t, "action"), "validate") || (mode && mode->type == SJ_V_TRUE);
	struct sj_engine_config cfg = config_of(t, strict);
	struct bench b;

	if (!bench_open(&b, t, &cfg))
		return;
	struct sj_value batches = batches_of(t);
	if (!trial_failed(t) && bench_catalogs(&b, &batches, strict)) {
		uint32_t n = sj_value_count(&batches);
		for (uint32_t i = 0; i < n && !trial_failed(t); i++)
			run_step(&b, steps ? sj_value_item(steps, i) : NULL, sj_value_item(&batches, i), i + 1 == n);
		if (case_member(t, "expect"))
			check_state(&b, case_member(t, "expect"));
	}
	sj_value_unref(t->mem, batches);
	bench_close(&b);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static enum sj_version version_arg(const struct trial *t)
{
	const struct sj_value *v = cmd_member(case_member(t, "args"), "version");
	return v ? sj_version_find(sj_value_text(v)) : SJ_VERSION_NONE;
}

static void expect_document(struct trial *t, struct bench *b, bool present, struct sj_slice json,
                            const struct sj_diag *d)
{
	const struct sj_value *expect = case_member(t, "expect"), *error = case_member(t, "expectError");
	(void)b;
	if (error)
		trial_expect_diag(t, error, d);
	else if (d->code != SJ_E_NONE)
		trial_fail(t, "unexpected %s: %s", sj_category_name(d->category), d->message);
	else if (expect && expect->type == SJ_V_NULL && present)
		trial_fail(t, "wanted nothing, got %.*s", SJ_ARG(json));
	else if (expect && expect->type != SJ_V_NULL)
		trial_match_json(t, "document", expect, present ? json : SJ_LIT("null"), true);
}

void act_renderer_data_model(struct trial *t)
{
	struct sj_engine_config cfg = config_of(t, false);
	struct sj_diag d = {0};
	struct sj_buf json;
	struct bench b;
	bool present = false;

	if (!bench_open(&b, t, &cfg))
		return;
	struct sj_value batches = batches_of(t);
	sj_buf_init(&json, t->mem, 0);
	if (!trial_failed(t) && bench_catalogs(&b, &batches, false)) {
		for (uint32_t i = 0; i < sj_value_count(&batches); i++)
			bench_feed(&b, sj_value_item(&batches, i));
		if (b.faults.count > 0)
			trial_fail(t, "unexpected %s", b.faults.items[0].diag.message);
		sj_engine_data_model_message(b.engine, b.peer, version_arg(t), &json, &present, &d);
		expect_document(t, &b, present, sj_buf_view(&json), &d);
	}
	sj_buf_finish(&json);
	sj_value_unref(t->mem, batches);
	bench_close(&b);
}

void act_renderer_capabilities(struct trial *t)
{
	const struct sj_value *inlined = cmd_member(case_member(t, "args"), "includeInlineCatalogs");
	enum sj_version version = version_arg(t);
	struct sj_diag d = {0};
	struct sj_buf json;
	struct bench b;

	if (!bench_open(&b, t, NULL))
		return;
	sj_buf_init(&json, t->mem, 0);
	if (bench_catalogs(&b, NULL, true)) {
		enum sj_status status = sj_engine_capabilities(b.engine, &version, version != SJ_VERSION_NONE,
		                                               inlined && inlined->type == SJ_V_TRUE, &json, &d);
		expect_document(t, &b, status == SJ_OK, sj_buf_view(&json), &d);
	}
	sj_buf_finish(&json);
	bench_close(&b);
}
