/* The schemas of a prompt: the messages that may be sent, the common types, the catalogs.
 *
 * They stay three kinds of documents that refer to each other by file name, as they are published. Left out is what
 * only a machine needs ($schema, $id, the unions of all components), what is said elsewhere in the prompt, and every
 * definition that nothing which may be written refers to.
 */
#include "infer/prompt.h"

struct work {
	struct sj_mem *mem;
	const struct sj_format *f;
	const struct sj_prompt_options *opt;
	struct sj_buf text; /* reused */
	enum sj_status st;
};

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static void unset(struct work *w, struct sj_value *object, const char *key)
{
	if (w->st == SJ_OK && object->type == SJ_V_OBJECT)
		w->st = sj_value_unset(w->mem, object, sj_slice_of(key));
}

static struct sj_value parse(struct work *w, struct sj_slice text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	if (w->st == SJ_OK)
		w->st = sj_value_parse(w->mem, &opt, text, &v, NULL);
	return w->st == SJ_OK ? v : SJ_NULL_VALUE;
}

/* One of our own documents; null where the version has none of that name. */
static struct sj_value own(struct work *w, const char *name)
{
	sj_buf_clear(&w->text);
	bool there = w->st == SJ_OK &&
	             sj_a2ui_schema_write(w->f->opt.version, sj_prompt_dialect(w->f), sj_slice_of(name), &w->text);
	if (w->st == SJ_OK)
		w->st = sj_buf_status(&w->text);
	struct sj_value v = there ? parse(w, sj_buf_view(&w->text)) : SJ_NULL_VALUE;
	unset(w, &v, "$schema");
	unset(w, &v, "$id");
	unset(w, &v, "title");
	return v;
}

/* ---- what is referred to ----------------------------------------------------------------------------------------- */

/* The name behind "FILE#/$defs/" (or, with file "", behind "#/$defs/"); empty when the reference leads elsewhere. */
static struct sj_slice defs_name(struct sj_slice ref, const char *file)
{
	static const char mark[] = "#/$defs/";
	size_t n = strlen(file), m = sizeof mark - 1, at = 0;
	const char *hash = memchr(ref.ptr, '#', ref.len);
	if (!hash)
		return SJ_LIT("");
	at = (size_t)(hash - ref.ptr);
	if (ref.len < at + m || memcmp(hash, mark, m) != 0)
		return SJ_LIT("");
	if (n == 0 ? at != 0 : at < n || memcmp(hash - n, file, n) != 0 || (at > n && hash[-(long)n - 1] != '/'))
		return SJ_LIT("");
	return sj_slice(ref.ptr + at + m, ref.len - at - m);
}

struct walk {
	SJ_VEC(const struct sj_value *) todo;
};

static void push(struct work *w, struct walk *k, const struct sj_value *v)
{
	if (w->st == SJ_OK && v)
		w->st = SJ_VEC_RESERVE(w->mem, &k->todo, k->todo.count + 1, 0);
	if (w->st == SJ_OK && v)
		k->todo.items[k->todo.count++] = v;
}

/* Marks (sets in `used`) each definition of `file` that what lies below `from` refers to, and with `defs` also those
 * that those refer to by "#/$defs/". */
static void mark(struct work *w, const struct sj_value *from, const char *file, const struct sj_value *defs,
                 struct sj_value *used)
{
	struct walk k = {0};
	push(w, &k, from);
	while (k.todo.count > 0 && w->st == SJ_OK) {
		const struct sj_value *v = k.todo.items[--k.todo.count], *ref = get(v, "$ref");
		if (ref && sj_value_is_string(ref)) {
			struct sj_slice name = defs_name(sj_value_text(ref), file);
			if (name.len == 0 && defs)
				name = defs_name(sj_value_text(ref), "");
			if (name.len > 0 && !sj_value_get(used, name)) {
				w->st = sj_value_set(w->mem, used, name, sj_value_bool(true));
				if (w->st == SJ_OK && defs)
					push(w, &k, sj_value_get(defs, name));
			}
		}
		for (uint32_t i = 0; i < sj_value_count(v); i++) {
			struct sj_slice key;
			const struct sj_value *child =
				v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key);
			if (sj_value_is_container(child))
				push(w, &k, child);
		}
	}
	SJ_VEC_FREE(w->mem, &k.todo);
}

static void keep_used(struct work *w, struct sj_value *doc, const struct sj_value *used)
{
	struct sj_value *defs = w->st == SJ_OK && get(doc, "$defs")
	                                ? sj_value_own_member(w->mem, doc, SJ_LIT("$defs"), &w->st)
	                                : NULL;
	for (uint32_t i = defs ? sj_value_count(defs) : 0; i-- > 0 && w->st == SJ_OK;) {
		struct sj_slice name;
		sj_value_member(defs, i, &name);
		if (!sj_value_get(used, name))
			w->st = sj_value_unset(w->mem, defs, name);
	}
	if (defs && w->st == SJ_OK && sj_value_count(defs) == 0)
		unset(w, doc, "$defs");
}

/* A definition of the document that only others which are gone referred to goes as well. `root` (NULL: none) is
 * referred to from elsewhere. */
static void keep_reachable(struct work *w, struct sj_value *doc, const char *root)
{
	struct sj_value used = SJ_NULL_VALUE, rest = sj_value_ref(*doc);
	if (w->st == SJ_OK)
		w->st = sj_value_object(w->mem, &used);
	unset(w, &rest, "$defs");
	if (w->st == SJ_OK && get(doc, "$defs"))
		mark(w, &rest, "", get(doc, "$defs"), &used);
	if (w->st == SJ_OK && root && get(get(doc, "$defs"), root)) {
		w->st = sj_value_set(w->mem, &used, sj_slice_of(root), sj_value_bool(true));
		mark(w, get(get(doc, "$defs"), root), "", get(doc, "$defs"), &used);
	}
	sj_value_unref(w->mem, rest);
	keep_used(w, doc, &used);
	sj_value_unref(w->mem, used);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const char *message_file(enum sj_version v)
{
	return v == SJ_V10 ? "agent_to_renderer.json" : "server_to_client.json";
}

/* The message a branch of the document's union stands for: the one row's name its definition requires. */
static bool is_allowed(struct work *w, const struct sj_value *doc, const struct sj_value *branch)
{
	const struct sj_value *ref = get(branch, "$ref");
	struct sj_slice name = ref && sj_value_is_string(ref) ? defs_name(sj_value_text(ref), "") : SJ_LIT("");
	const struct sj_value *def = name.len > 0 ? sj_value_get(get(doc, "$defs"), name) : branch;
	const struct sj_prompt_message *rows = sj_prompt_messages(w->f->opt.version);
	for (; rows->name; rows++)
		if (get(get(def, "properties"), rows->name))
			return sj_prompt_allows(w->opt, rows->name);
	return true;
}

/* v0.8 has one object with a member for each message instead of a union. */
static void allow_members(struct work *w, struct sj_value *doc)
{
	const struct sj_prompt_message *rows = sj_prompt_messages(w->f->opt.version);
	struct sj_value *props = w->st == SJ_OK && get(doc, "properties")
	                                 ? sj_value_own_member(w->mem, doc, SJ_LIT("properties"), &w->st)
	                                 : NULL;
	for (; props && rows->name; rows++)
		if (!sj_prompt_allows(w->opt, rows->name))
			unset(w, props, rows->name);
}

static struct sj_value messages(struct work *w)
{
	struct sj_value doc = own(w, message_file(w->f->opt.version));
	struct sj_value *any = w->st == SJ_OK && get(&doc, "oneOf")
	                               ? sj_value_own_member(w->mem, &doc, SJ_LIT("oneOf"), &w->st)
	                               : NULL;
	for (uint32_t i = any ? sj_value_count(any) : 0; i-- > 0 && w->st == SJ_OK;)
		if (!is_allowed(w, &doc, sj_value_item(any, i)))
			w->st = sj_value_remove(w->mem, any, i);
	allow_members(w, &doc);
	keep_reachable(w, &doc, NULL);
	return doc;
}

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

static bool is_known(const struct sj_format *f, struct sj_slice type)
{
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++)
		if (!sj_catalog_is_permissive(f->catalogs[i]) && sj_catalog_component(f->catalogs[i], type))
			return true;
	return sj_slice_is(type, "Surface"); /* the parent of every root */
}

/* Who may stand around or in a component: types that no active catalog has are nobody. */
static void narrow_neighbours(struct work *w, struct sj_value *component, const char *key)
{
	const struct sj_value *names = get(component, key);
	struct sj_value *list = NULL;
	if (w->st != SJ_OK || !names || names->type != SJ_V_ARRAY)
		return;
	list = sj_value_own_member(w->mem, component, sj_slice_of(key), &w->st);
	for (uint32_t i = list ? sj_value_count(list) : 0; i-- > 0 && w->st == SJ_OK;)
		if (!is_known(w->f, sj_value_text(sj_value_item(list, i))))
			w->st = sj_value_remove(w->mem, list, i);
}

/* Only what the compiled catalog has: its unions may have left out what the document holds. */
static void narrow_section(struct work *w, const struct sj_catalog *c, struct sj_value *doc, bool functions)
{
	const char *key = functions ? "functions" : "components";
	const struct sj_value *there = get(doc, key);
	struct sj_value *all = NULL;
	if (w->st == SJ_OK && there && there->type == SJ_V_OBJECT)
		all = sj_value_own_member(w->mem, doc, sj_slice_of(key), &w->st);
	for (uint32_t i = all ? sj_value_count(all) : 0; i-- > 0 && w->st == SJ_OK;) {
		struct sj_slice name;
		const struct sj_value *def = sj_value_member(all, i, &name);
		bool kept = functions ? sj_catalog_function(c, name) != NULL : sj_catalog_component(c, name) != NULL;
		if (!kept) {
			w->st = sj_value_unset(w->mem, all, name);
		} else if (!functions && (get(def, "allowedParents") || get(def, "allowedChildren"))) {
			struct sj_value *component = sj_value_own_member(w->mem, all, name, &w->st);
			if (component) {
				narrow_neighbours(w, component, "allowedParents");
				narrow_neighbours(w, component, "allowedChildren");
			}
		}
	}
	if (all && w->st == SJ_OK && sj_value_count(all) == 0)
		unset(w, doc, key);
}

static struct sj_value catalog(struct work *w, const struct sj_catalog *c)
{
	static const char *const elsewhere[] = {"$schema",      "$id",   "catalogId",   "protocolVersion",
	                                        "instructions", "title", "description"};
	struct sj_value doc = parse(w, sj_catalog_document(c));
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		unset(w, &doc, elsewhere[i]);
	narrow_section(w, c, &doc, false);
	narrow_section(w, c, &doc, true);
	struct sj_value *defs = w->st == SJ_OK && get(&doc, "$defs")
	                                ? sj_value_own_member(w->mem, &doc, SJ_LIT("$defs"), &w->st)
	                                : NULL;
	if (defs) {
		unset(w, defs, "anyComponent");
		unset(w, defs, "anyFunction");
	}
	keep_reachable(w, &doc, sj_catalog_has_theme(c) ? "theme" : NULL);
	return doc;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void line(struct sj_buf *out, const char *name, struct sj_slice about, const struct sj_value *doc)
{
	sj_buf_puts(out, name);
	if (about.len > 0)
		sj_buf_printf(out, " of %.*s", SJ_ARG(about));
	sj_buf_putc(out, '\n');
	sj_value_print(out, doc, SJ_PRINT_COMPACT);
	sj_buf_putc(out, '\n');
}

enum sj_status sj_prompt_schema(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out)
{
	struct work w = {.mem = f->mem, .f = f, .opt = opt};
	struct sj_value used = SJ_NULL_VALUE;
	sj_buf_init(&w.text, f->mem, 0);
	struct sj_value said = messages(&w), common = own(&w, "common_types.json");
	if (w.st == SJ_OK)
		w.st = sj_value_object(w.mem, &used);
	mark(&w, &said, "common_types.json", NULL, &used);
	sj_buf_puts(out, "<a2ui_schema>\n");
	if (said.type == SJ_V_OBJECT)
		line(out, message_file(f->opt.version), SJ_LIT(""), &said);
	/* The catalogs come last, but say first which common types are needed. */
	struct sj_buf catalogs;
	sj_buf_init(&catalogs, f->mem, 0);
	for (uint32_t i = 0; i < f->opt.ncatalogs && w.st == SJ_OK; i++) {
		struct sj_value doc = catalog(&w, f->catalogs[i]);
		mark(&w, &doc, "common_types.json", NULL, &used);
		line(&catalogs, "catalog.json", f->opt.ncatalogs > 1 ? sj_catalog_id(f->catalogs[i]) : SJ_LIT(""),
		     &doc);
		sj_value_unref(w.mem, doc);
	}
	if (w.st == SJ_OK && common.type == SJ_V_OBJECT) {
		struct sj_value all = SJ_NULL_VALUE;
		/* Those that the needed ones need. */
		w.st = sj_value_object(w.mem, &all);
		for (uint32_t i = 0; i < sj_value_count(&used) && w.st == SJ_OK; i++) {
			struct sj_slice name;
			sj_value_member(&used, i, &name);
			const struct sj_value *def =
				get(&common, "$defs") ? sj_value_get(get(&common, "$defs"), name) : NULL;
			if (!def)
				continue;
			w.st = sj_value_set(w.mem, &all, name, sj_value_bool(true));
			mark(&w, def, "common_types.json", get(&common, "$defs"), &all);
		}
		keep_used(&w, &common, &all);
		sj_value_unref(w.mem, all);
		if (w.st == SJ_OK && get(&common, "$defs"))
			line(out, "common_types.json", SJ_LIT(""), &common);
	}
	if (w.st == SJ_OK)
		w.st = sj_buf_status(&catalogs);
	if (w.st == SJ_OK)
		sj_buf_slice(out, sj_buf_view(&catalogs));
	sj_buf_puts(out, "</a2ui_schema>\n");
	sj_buf_finish(&catalogs);
	sj_value_unref(w.mem, said);
	sj_value_unref(w.mem, common);
	sj_value_unref(w.mem, used);
	sj_buf_finish(&w.text);
	return w.st == SJ_OK ? sj_buf_status(out) : w.st;
}
