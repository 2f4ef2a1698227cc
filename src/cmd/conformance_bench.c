/* What the actions of the conformance suites have in common: files, values, an engine per case, catalogs, expected
 * errors. */
#include "cmd/conformance.h"

#include <stdarg.h>
#include <stdio.h>

#include "cmd/match.h"
#include "text/regex.h"

/* ---- the trial --------------------------------------------------------------------------------------------------- */

void trial_fail(struct trial *t, const char *format, ...)
{
	char text[1024];
	va_list ap;
	if (trial_failed(t))
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	sj_buf_puts(&t->why, text[0] ? text : "failed");
}

void trial_skip(struct trial *t, const char *reason)
{
	if (trial_failed(t))
		return;
	t->skipped = true;
	sj_buf_puts(&t->why, reason);
}

bool trial_read(struct trial *t, struct sj_slice path, struct sj_buf *out)
{
	static const char *const folders[] = {"", "conformance/", "conformance/core/"};
	char name[1024];
	bool yaml = path.len > 5 && memcmp(path.ptr + path.len - 5, ".yaml", 5) == 0;
	int len = (int)(yaml ? path.len - 5 : path.len);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(name, sizeof name, "%s/%s%.*s%s", t->root, folders[i], len, path.ptr, yaml ? ".json" : "");
		FILE *f = fopen(name, "rb");
		if (!f)
			continue;
		fclose(f);
		if (cmd_read(name, out) == CMD_OK)
			return true;
	}
	trial_fail(t, "there is no file %.*s", SJ_ARG(path));
	return false;
}

bool trial_load(struct trial *t, struct sj_slice path, struct sj_value *out)
{
	struct sj_buf text;
	bool ok = false;
	sj_buf_init(&text, t->mem, 0);
	if (trial_read(t, path, &text)) {
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		struct sj_diag d = {0};
		ok = sj_value_parse(t->mem, &opt, sj_buf_view(&text), out, &d) == SJ_OK;
		if (!ok)
			trial_fail(t, "%.*s: %s", SJ_ARG(path), d.message);
	}
	sj_buf_finish(&text);
	return ok;
}

const struct sj_value *case_member(const struct trial *t, const char *key) { return cmd_member(t->c, key); }

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct sj_value value_of_json(struct sj_mem *mem, struct sj_slice json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	return sj_value_parse(mem, &opt, json, &v, NULL) == SJ_OK ? v : SJ_NULL_VALUE;
}

struct sj_value value_copy(struct sj_mem *mem, const struct sj_value *v)
{
	struct sj_buf json;
	if (!v || v->type == SJ_V_ABSENT)
		return SJ_ABSENT_VALUE;
	sj_buf_init(&json, mem, 0);
	sj_value_print(&json, v, SJ_PRINT_COMPACT);
	struct sj_value copy = value_of_json(mem, sj_buf_view(&json));
	sj_buf_finish(&json);
	return copy;
}

void value_put(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_value take)
{
	if (sj_value_set(mem, object, sj_slice_of(key), take) != SJ_OK)
		cmd_say("shoji: out of memory\n");
}

void value_put_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(mem, text, &v) == SJ_OK)
		value_put(mem, object, key, v);
}

bool value_text_is(const struct sj_value *v, const char *text)
{
	return v && sj_value_is_string(v) && sj_slice_is(sj_value_text(v), text);
}

void trial_match(struct trial *t, const char *what, const struct sj_value *want, const struct sj_value *got, bool exact)
{
	struct sj_buf why;
	sj_buf_init(&why, t->mem, 0);
	if (!cmd_match(t->mem, want, got, exact, &why))
		trial_fail(t, "%s: %.*s", what, SJ_ARG(sj_buf_view(&why)));
	sj_buf_finish(&why);
}

void trial_match_json(struct trial *t, const char *what, const struct sj_value *want, struct sj_slice json, bool exact)
{
	struct sj_value got = value_of_json(t->mem, json);
	trial_match(t, what, want, &got, exact);
	sj_value_unref(t->mem, got);
}

void trial_contains(struct trial *t, const struct sj_value *list, struct sj_slice text, bool there)
{
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		struct sj_slice part = sj_value_text(sj_value_item(list, i));
		if (cmd_contains(text, part) != there)
			trial_fail(t, "'%.*s' is %s", SJ_ARG(part), there ? "not there" : "there");
	}
}

/* ---- the engine -------------------------------------------------------------------------------------------------- */

bool bench_open(struct bench *b, struct trial *t, const struct sj_engine_config *cfg)
{
	struct sj_engine_config plain = {.size = sizeof plain, .no_basic = true};
	*b = (struct bench){.t = t, .sent = SJ_NULL_VALUE, .called = SJ_NULL_VALUE};
	if (sj_value_array(t->mem, &b->sent) == SJ_OK && sj_value_array(t->mem, &b->called) == SJ_OK &&
	    sj_engine_create(cfg ? cfg : &plain, &b->engine) == SJ_OK &&
	    sj_engine_peer_open(b->engine, SJ_LIT("suite"), &b->peer) == SJ_OK)
		return true;
	trial_fail(t, "no engine could be made");
	bench_close(b);
	return false;
}

void bench_close(struct bench *b)
{
	sj_engine_destroy(b->engine);
	b->engine = NULL;
	sj_value_unref(b->t->mem, b->sent);
	sj_value_unref(b->t->mem, b->called);
	b->sent = b->called = SJ_NULL_VALUE;
	SJ_VEC_FREE(b->t->mem, &b->faults);
}

void bench_forget(struct bench *b)
{
	b->faults.count = 0;
	if (sj_value_truncate(b->t->mem, &b->sent, 0) != SJ_OK || sj_value_truncate(b->t->mem, &b->called, 0) != SJ_OK)
		trial_fail(b->t, "out of memory");
}

void bench_drain(struct bench *b)
{
	struct sj_mem *mem = b->t->mem;
	struct sj_event ev;
	while (sj_engine_next(b->engine, &ev) == SJ_OK) {
		enum sj_status status = SJ_OK;
		if (ev.kind == SJ_EV_SEND) {
			status = sj_value_append(mem, &b->sent, value_of_json(mem, ev.json));
		} else if (ev.kind == SJ_EV_TOOL_WANTED || ev.kind == SJ_EV_CALL_WANTED) {
			struct sj_value call;
			status = sj_value_object(mem, &call);
			if (status == SJ_OK) {
				value_put_text(mem, &call, "name", ev.name);
				value_put(mem, &call, "args", value_of_json(mem, ev.json));
				status = sj_value_append(mem, &b->called, call);
			}
		} else if (ev.kind == SJ_EV_DIAG && ev.diag->severity == SJ_SEV_ERROR) {
			status = SJ_VEC_RESERVE(mem, &b->faults, b->faults.count + 1, 0);
			if (status == SJ_OK)
				b->faults.items[b->faults.count++] = (struct bench_fault){
					*ev.diag, ev.message > b->messages ? ev.message - b->messages : ev.message};
		}
		if (status != SJ_OK)
			trial_fail(b->t, "out of memory");
	}
}

static uint32_t batch_size(const struct sj_value *batch)
{
	const struct sj_value *list = cmd_member(batch, "messages") ? cmd_member(batch, "messages") : batch;
	return list->type == SJ_V_ARRAY ? sj_value_count(list) : list->type == SJ_V_OBJECT;
}

void bench_feed(struct bench *b, const struct sj_value *batch)
{
	struct sj_buf json;
	sj_buf_init(&json, b->t->mem, 0);
	sj_value_print(&json, batch, SJ_PRINT_COMPACT);
	sj_buf_putc(&json, '\n');
	if (sj_engine_feed(b->engine, b->peer, json.ptr, json.len) != SJ_OK)
		trial_fail(b->t, "out of memory");
	sj_buf_finish(&json);
	bench_drain(b);
	b->messages += batch_size(batch);
}

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

bool bench_add_document(struct bench *b, const struct sj_value *document, struct sj_slice alias,
                        enum sj_version version)
{
	struct sj_mem *mem = b->t->mem;
	struct sj_value doc = sj_value_ref(*document);
	struct sj_buf json;
	struct sj_diag d = {0};

	if (alias.len > 0) {
		value_put_text(mem, &doc, "catalogId", alias);
		if (sj_value_unset(mem, &doc, SJ_LIT("$id")) != SJ_OK)
			trial_fail(b->t, "out of memory");
	}
	sj_buf_init(&json, mem, 0);
	sj_value_print(&json, &doc, SJ_PRINT_COMPACT);
	sj_value_unref(mem, doc);
	enum sj_status status =
		sj_engine_add_catalog(b->engine, sj_buf_view(&json), SJ_NO_SLICE,
	                              cmd_member(document, "protocolVersion") ? SJ_VERSION_NONE : version, &d);
	sj_buf_finish(&json);
	if (status == SJ_OK)
		return true;
	trial_fail(b->t, "catalog: %s", d.message);
	return false;
}

static bool has_catalog(const struct bench *b, struct sj_slice id)
{
	for (uint32_t i = 0; i < sj_engine_catalog_count(b->engine); i++)
		if (sj_slice_eq(sj_catalog_id(sj_engine_catalog_at(b->engine, i)), id))
			return true;
	return false;
}

/* The basic catalog of a version as a document. */
static struct sj_value basic_document(struct bench *b, enum sj_version version)
{
	struct sj_catalog *basic;
	struct sj_value doc = SJ_NULL_VALUE;
	struct sj_buf json;
	if (sj_catalog_basic(b->t->mem, version, NULL, NULL, &basic) != SJ_OK)
		return doc;
	sj_buf_init(&json, b->t->mem, 0);
	if (sj_catalog_emit(basic, &json) == SJ_OK)
		doc = value_of_json(b->t->mem, sj_buf_view(&json));
	sj_buf_finish(&json);
	sj_catalog_destroy(basic);
	return doc;
}

/* The suites abbreviate container types as {"type": "object"} and mean that they hold children. */
static struct sj_value with_children(struct sj_mem *mem, const struct sj_value *document)
{
	static const char children[] = "{\"children\":{\"$ref\":\"common_types.json#/$defs/ChildList\"},\"child\":{\"$ref\":\"common_types.json#/$defs/ComponentId\"}}";
	struct sj_value doc = sj_value_ref(*document);
	const struct sj_value *old = cmd_member(&doc, "components");
	struct sj_value components;
	if (!old || sj_value_object(mem, &components) != SJ_OK)
		return doc;
	for (uint32_t i = 0; i < sj_value_count(old); i++) {
		struct sj_slice name;
		struct sj_value one = sj_value_ref(*sj_value_member(old, i, &name));
		if (one.type == SJ_V_OBJECT && !cmd_member(&one, "properties") && !cmd_member(&one, "allOf")) {
			value_put_text(mem, &one, "type", SJ_LIT("object"));
			value_put(mem, &one, "properties", value_of_json(mem, sj_slice_of(children)));
		}
		if (sj_value_set(mem, &components, name, one) != SJ_OK)
			break;
	}
	value_put(mem, &doc, "components", components);
	return doc;
}

/* Ids a case wants to be unknown: its error names them, or they say so themselves. */
static bool meant_unknown(const struct trial *t, struct sj_slice id)
{
	static const char *const words[] = {"unknown", "missing", "nonexistent", "non_existent", "non-existent"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (cmd_contains(id, sj_slice_of(words[i])))
			return true;
	const struct sj_value *error = case_member(t, "expectError");
	const struct sj_value *message = error && error->type == SJ_V_OBJECT ? cmd_member(error, "message") : error;
	return id.len == 0 || (message && cmd_contains(sj_value_text(message), SJ_LIT("Catalog not found")) &&
	                       cmd_contains(sj_value_text(message), id));
}

/* One createSurface: its catalog's name is made known. */
static bool add_alias(struct bench *b, const struct sj_value *message, const struct sj_value *first, bool strict)
{
	const struct sj_value *create = cmd_member(message, "createSurface"), *version = cmd_member(message, "version");
	if (!create)
		create = cmd_member(message, "beginRendering");
	const struct sj_value *id = cmd_member(create, "catalogId");
	enum sj_version v = version ? sj_version_find(sj_value_text(version)) : b->t->version;
	if (!id || !sj_value_is_string(id) || has_catalog(b, sj_value_text(id)) ||
	    meant_unknown(b->t, sj_value_text(id)) || v == SJ_VERSION_NONE)
		return true;
	if (!strict)
		return sj_engine_add_permissive(b->engine, sj_value_text(id), v) == SJ_OK;
	if (first)
		return bench_add_document(b, first, sj_value_text(id), v);
	struct sj_value basic = basic_document(b, v);
	bool ok = bench_add_document(b, &basic, sj_value_text(id), v);
	sj_value_unref(b->t->mem, basic);
	return ok;
}

static bool add_one(struct bench *b, const struct sj_value *doc, struct sj_value *first, bool strict)
{
	const struct sj_value *schema = cmd_member(doc, "catalogSchema"), *version = cmd_member(doc, "protocolVersion");
	enum sj_version v = version ? sj_version_find(sj_value_text(version)) : b->t->version;
	if (!schema && !cmd_member(doc, "catalogId"))
		return true; /* only a version: the basic catalog, under whatever name a surface uses */
	if (!strict && !schema && !cmd_member(doc, "components") && !cmd_member(doc, "functions"))
		return sj_engine_add_permissive(b->engine, sj_value_text(cmd_member(doc, "catalogId")), v) == SJ_OK;
	struct sj_value use = schema ? with_children(b->t->mem, schema) : sj_value_ref(*doc);
	bool ok = bench_add_document(b, &use, SJ_NO_SLICE, v);
	if (ok && first->type == SJ_V_NULL)
		*first = sj_value_ref(use);
	sj_value_unref(b->t->mem, use);
	return ok;
}

static const struct sj_value *batch_item(const struct sj_value *batch, uint32_t i)
{
	const struct sj_value *list = cmd_member(batch, "messages") ? cmd_member(batch, "messages") : batch;
	if (list->type == SJ_V_ARRAY)
		return sj_value_item(list, i);
	return i == 0 ? list : NULL;
}

bool bench_catalogs(struct bench *b, const struct sj_value *messages, bool strict)
{
	struct trial *t = b->t;
	const struct sj_value *paths = case_member(t, "catalogPaths"), *path = case_member(t, "catalogPath"),
			      *catalogs = case_member(t, "catalogs"), *catalog = case_member(t, "catalog"), *message;
	struct sj_value first = SJ_NULL_VALUE; /* what other names stand for */
	bool ok = true;

	for (uint32_t i = 0; ok && (paths ? i < sj_value_count(paths) : path && i < 1); i++) {
		struct sj_value doc;
		ok = trial_load(t, sj_value_text(paths ? sj_value_item(paths, i) : path), &doc);
		if (!ok)
			break;
		/* The standard catalog of v0.8 is published without its name and version. */
		bool nameless = t->version == SJ_V08 && !cmd_member(&doc, "catalogId") && !cmd_member(&doc, "$id");
		ok = bench_add_document(b, &doc, nameless ? SJ_LIT(SJ_V08_STANDARD_ID) : SJ_NO_SLICE,
		                        nameless ? SJ_V08 : SJ_VERSION_NONE);
		if (ok && first.type == SJ_V_NULL)
			first = sj_value_ref(doc);
		sj_value_unref(t->mem, doc);
	}
	for (uint32_t i = 0; ok && catalogs && i < sj_value_count(catalogs); i++)
		ok = add_one(b, sj_value_item(catalogs, i), &first, strict);
	if (ok && catalog)
		ok = add_one(b, catalog, &first, strict);
	for (uint32_t s = 0; ok && messages && s < sj_value_count(messages); s++)
		for (uint32_t i = 0; ok && (message = batch_item(sj_value_item(messages, s), i)) != NULL; i++)
			ok = add_alias(b, message, first.type == SJ_V_NULL ? NULL : &first, strict);
	sj_value_unref(t->mem, first);
	if (!ok)
		trial_fail(t, "a catalog of the case could not be made");
	return ok;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static bool category_fits(enum sj_category got, struct sj_slice wanted)
{
	for (int c = SJ_CAT_NONE; c <= SJ_CAT_RPC; c++)
		if (sj_slice_is(wanted, sj_category_name((enum sj_category)c)))
			return sj_category_is(got, (enum sj_category)c);
	return false;
}

static bool message_fits(struct trial *t, struct sj_slice wanted, const char *got)
{
	struct sj_regex *r;
	bool found = cmd_contains(sj_slice_of(got), wanted);
	if (found || !sj_regex_available() || sj_regex_compile(t->mem, wanted, &SJ_LIMITS_DEFAULT, &r, NULL) != SJ_OK)
		return found;
	if (sj_regex_search(r, sj_slice_of(got), &found, NULL) != SJ_OK)
		found = false;
	sj_regex_destroy(r);
	return found;
}

/* "messages.0.createSurface.surfaceId" against message 1 and pointer "/createSurface/surfaceId". */
static bool detail_fits(struct trial *t, const struct sj_value *detail, const struct bench_fault *f)
{
	const struct sj_value *path = cmd_member(detail, "path"), *code = cmd_member(detail, "code");
	bool fits = true;
	if (path) {
		struct sj_buf got;
		sj_buf_init(&got, t->mem, 0);
		sj_buf_printf(&got, "messages.%u", f->message > 0 ? f->message - 1 : 0);
		for (const char *c = f->diag.pointer; *c; c++)
			sj_buf_putc(&got, *c == '/' ? '.' : *c);
		/* Faults of a component are named from the component on: "chartType". */
		struct sj_slice w = sj_value_text(path), g = sj_buf_view(&got);
		fits = sj_slice_eq(g, w) || (g.len > w.len && g.ptr[g.len - w.len - 1] == '.' &&
		                             sj_slice_eq(sj_slice(g.ptr + g.len - w.len, w.len), w));
		sj_buf_finish(&got);
	}
	return fits && (!code || sj_slice_is(sj_value_text(code), f->diag.detail));
}

bool error_fits(struct trial *t, const struct sj_value *expected, const struct bench_fault *f)
{
	if (sj_value_is_string(expected))
		return message_fits(t, sj_value_text(expected), f->diag.message);
	const struct sj_value *category = cmd_member(expected, "category"), *code = cmd_member(expected, "code"),
	                      *message = cmd_member(expected, "message"), *details = cmd_member(expected, "details");
	if (category && !category_fits(f->diag.category, sj_value_text(category)))
		return false;
	if (code && !sj_slice_is(sj_value_text(code), sj_code_name(f->diag.code)))
		return false;
	if (message && !message_fits(t, sj_value_text(message), f->diag.message))
		return false;
	for (uint32_t i = 0; details && i < sj_value_count(details); i++)
		if (!detail_fits(t, sj_value_item(details, i), f))
			return false;
	return true;
}

static void put_fault(struct sj_buf *out, const struct bench_fault *f)
{
	sj_buf_printf(out, "%s %s \"%s\" at %u%s (%s)", sj_category_name(f->diag.category), sj_code_name(f->diag.code),
	              f->diag.message, f->message, f->diag.pointer, f->diag.detail);
}

void trial_expect_error(struct trial *t, const struct sj_value *expected, const struct bench *b)
{
	struct sj_buf text;
	for (uint32_t i = 0; i < b->faults.count; i++)
		if (error_fits(t, expected, &b->faults.items[i]))
			return;
	sj_buf_init(&text, t->mem, 0);
	sj_value_print(&text, expected, SJ_PRINT_COMPACT);
	sj_buf_puts(&text, ", got ");
	if (b->faults.count > 0)
		put_fault(&text, &b->faults.items[0]);
	else
		sj_buf_puts(&text, "no error");
	trial_fail(t, "wanted the error %.*s", SJ_ARG(sj_buf_view(&text)));
	sj_buf_finish(&text);
}

void trial_expect_diag(struct trial *t, const struct sj_value *expected, const struct sj_diag *d)
{
	struct bench b = {.t = t};
	struct bench_fault f = {*d, 0};
	b.faults.items = &f;
	b.faults.count = d->code != SJ_E_NONE;
	trial_expect_error(t, expected, &b);
}
