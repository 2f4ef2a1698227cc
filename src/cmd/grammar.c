/* shoji grammar: what a model may write, as GBNF or as a JSON Schema. */
#include "infer/grammar.h"
#include "cmd/session.h"

struct request {
	struct cmd_session s;
	struct sj_grammar_options opt;
	struct sj_grammar_surface surface;
	const struct sj_catalog *catalogs[CMD_MAX_REPEATS];
	struct sj_slice types[CMD_MAX_REPEATS], ids[CMD_MAX_REPEATS], keys[CMD_MAX_REPEATS];
	bool has_surface;
};

static bool read_messages(const struct cmd_args *args, unsigned *out)
{
	static const struct { const char *word, *action; unsigned bit; } words[] = {
		{"create", "createSurface", SJ_GRAMMAR_CREATE}, {"update", "updateComponents", SJ_GRAMMAR_UPDATE},
		{"data", "updateDataModel", SJ_GRAMMAR_DATA}, {"delete", "deleteSurface", SJ_GRAMMAR_DELETE},
		{"patch", "patch", SJ_GRAMMAR_PATCH},
	};
	for (int n = 0; n < args->nallowed; n++)
		for (const char *at = args->allowed[n]; *at;) {
			const char *end = strchr(at, ',');
			struct sj_slice word = sj_slice(at, end ? (size_t)(end - at) : strlen(at));
			unsigned bit = 0;
			for (size_t i = 0; i < sizeof words / sizeof *words; i++)
				if (sj_slice_is(word, words[i].word) || sj_slice_is(word, words[i].action))
					bit = words[i].bit;
			if (!bit) {
				cmd_usage_error("grammar", "--allow takes create, update, data, delete or patch, not %.*s", SJ_ARG(word));
				return false;
			}
			*out |= bit;
			at = end ? end + 1 : at + word.len;
		}
	return true;
}

static bool read_word(const char *option, const char *text, const char *first, const char *second, bool *is_second)
{
	*is_second = text && strcmp(text, second) == 0;
	if (!text || *is_second || strcmp(text, first) == 0)
		return true;
	cmd_usage_error("grammar", "--%s is %s or %s, not %s", option, first, second, text);
	return false;
}

static bool read_options(const struct cmd_args *args, struct request *r)
{
	const char *version = args->value[CMD_OPT_VERSION];
	bool tree, reserved;
	r->opt.version = version ? sj_version_find(sj_slice_of(version)) : SJ_VERSION_NONE;
	if (version && r->opt.version == SJ_VERSION_NONE) {
		cmd_usage_error("grammar", "there is no protocol version %s", version);
		return false;
	}
	if (cmd_has(args, CMD_OPT_GBNF) && cmd_has(args, CMD_OPT_SCHEMA)) {
		cmd_usage_error("grammar", "--gbnf or --schema, not both");
		return false;
	}
	if (!read_messages(args, &r->opt.messages) ||
	    !read_word("ids", args->value[CMD_OPT_IDS], "free", "tree", &tree) ||
	    !read_word("dialect", args->value[CMD_OPT_DIALECT], "bare", "reserved", &reserved))
		return false;
	r->opt.ids = tree ? SJ_GRAMMAR_IDS_TREE : SJ_GRAMMAR_IDS_FREE;
	if (args->value[CMD_OPT_DIALECT])
		r->opt.dialect = reserved ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	r->opt.compact = cmd_has(args, CMD_OPT_COMPACT);
	r->opt.strict_subset = cmd_has(args, CMD_OPT_STRICT_SUBSET);
	for (int i = 0; i < args->nkeys; i++)
		r->keys[r->opt.nkeys++] = sj_slice_of(args->keys[i]);
	r->opt.keys = r->keys;
	if ((r->opt.messages & SJ_GRAMMAR_PATCH) && r->opt.messages != SJ_GRAMMAR_PATCH) {
		cmd_usage_error("grammar", "--allow patch stands alone: it says all that may be written");
		return false;
	}
	if ((r->opt.messages & SJ_GRAMMAR_PATCH) && args->nrest == 0) {
		cmd_usage_error("grammar", "--allow patch needs FILE: the messages that make the surface to change");
		return false;
	}
	if (args->nrest == 0)
		r->opt.surface_id = sj_slice_of(args->value[CMD_OPT_SURFACE]);
	return true;
}

/* The surface of the file: the one that is named, else the only one. */
static int find_surface(const struct cmd_args *args, struct request *r)
{
	const char *id = args->value[CMD_OPT_SURFACE];
	struct sj_buf text;
	sj_buf_init(&text, args->mem, 0);
	int code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK)
		code = cmd_session_play(&r->s, sj_buf_view(&text));
	sj_buf_finish(&text);
	if (code != CMD_OK)
		return code;
	uint32_t n = sj_engine_view_count(r->s.engine);
	struct sj_view *v =
		id ? sj_engine_view(r->s.engine, UINT32_MAX, sj_slice_of(id)) : sj_engine_view_at(r->s.engine, 0);
	if (id ? !v : n != 1) {
		if (id)
			cmd_say("shoji: %s has no surface %s\n", args->rest[0], id);
		else
			cmd_say("shoji: %s makes %u surfaces: --surface must say which\n", args->rest[0], n);
		return CMD_INVALID;
	}
	if (sj_grammar_surface_of(r->s.engine, v, &r->surface) != SJ_OK)
		return CMD_IO;
	r->has_surface = true;
	r->opt.surface = &r->surface;
	return CMD_OK;
}

static const struct sj_catalog *registered(const struct request *r, struct sj_slice id, enum sj_version v)
{
	for (uint32_t i = 0; i < sj_engine_catalog_count(r->s.engine); i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(r->s.engine, i);
		if (id.len > 0 ? sj_slice_eq(sj_catalog_id(c), id)
		               : sj_version_compatible(sj_catalog_version(c), v) && sj_catalog_component_count(c) >= 18)
			return c;
	}
	return NULL;
}

/* Those that were named, else the surface's, else the basic one. The surface's own comes first. */
static void choose_catalogs(const struct cmd_args *args, struct request *r, uint32_t before)
{
	enum sj_version v = r->opt.version ? r->opt.version : r->has_surface ? r->surface.version : SJ_V10;
	const struct sj_catalog *own = r->has_surface ? registered(r, r->surface.catalog_id, v) : NULL;
	if (own)
		r->catalogs[r->opt.ncatalogs++] = own;
	for (int i = 0; i < args->ncatalogs; i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(r->s.engine, before + (uint32_t)i);
		if (c != own && r->opt.ncatalogs < CMD_MAX_REPEATS)
			r->catalogs[r->opt.ncatalogs++] = c;
	}
	if (r->opt.ncatalogs == 0 && (own = registered(r, SJ_NO_SLICE, v)))
		r->catalogs[r->opt.ncatalogs++] = own;
	r->opt.catalogs = r->catalogs;
}

/* A name is the id of a component that is there, or a type. */
static int choose_components(const struct cmd_args *args, struct request *r)
{
	uint32_t types = 0;
	for (int i = 0; i < args->ncomponents; i++) {
		struct sj_slice name = sj_slice_of(args->components[i]);
		bool is_id = false, is_type = false;
		for (uint32_t k = 0; r->has_surface && k < sj_value_count(&r->surface.components); k++) {
			const struct sj_value *id = cmd_member(sj_value_item(&r->surface.components, k), "id");
			is_id = is_id || (id && sj_slice_eq(sj_value_text(id), name));
		}
		for (uint32_t k = 0; k < r->opt.ncatalogs; k++)
			is_type = is_type || sj_catalog_component(r->catalogs[k], name);
		if (is_id) {
			r->ids[r->opt.npatch_ids++] = name;
			r->opt.patch_ids = r->ids;
		} else if (is_type) {
			r->types[types++] = name;
			r->opt.components = r->types;
		} else {
			cmd_say("shoji: %s is no type of the catalogs%s\n", args->components[i],
			        r->has_surface ? ", and no component of the surface" : "");
			return CMD_INVALID;
		}
	}
	r->opt.ncomponents = types;
	return CMD_OK;
}

int cmd_grammar(const struct cmd_args *args)
{
	struct request *r = sj_mem_zalloc(args->mem, sizeof *r);
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct sj_diag diag = {0};
	struct sj_buf out;
	if (!r)
		return CMD_IO;
	if (!read_options(args, r)) {
		sj_mem_free(args->mem, r, sizeof *r);
		return CMD_USAGE;
	}
	sj_buf_init(&out, args->mem, 0);
	int code = cmd_session_open(&r->s, args->mem, &cfg);
	if (code == CMD_OK) {
		uint32_t before = sj_engine_catalog_count(r->s.engine);
		code = cmd_session_catalogs(&r->s, args);
		if (code == CMD_OK && args->nrest > 0)
			code = find_surface(args, r);
		if (code == CMD_OK) {
			choose_catalogs(args, r, before);
			code = choose_components(args, r);
		}
	}
	if (code == CMD_OK) {
		bool schema = cmd_has(args, CMD_OPT_SCHEMA) || cmd_has(args, CMD_OPT_STRICT_SUBSET);
		enum sj_status st = schema ? sj_grammar_schema(args->mem, &r->opt, &out, &diag)
		                           : sj_grammar_gbnf(args->mem, &r->opt, &out, &diag);
		if (st == SJ_NOMEM)
			code = CMD_IO;
		else if (st != SJ_OK)
			code = CMD_INVALID;
		if (code == CMD_INVALID)
			cmd_say("shoji: %s\n", diag.message);
		if (code == CMD_OK) {
			if (schema)
				sj_buf_putc(&out, '\n');
			cmd_print(sj_buf_view(&out));
		}
	}
	if (r->has_surface)
		sj_grammar_surface_finish(r->s.engine, &r->surface);
	cmd_session_close(&r->s);
	sj_buf_finish(&out);
	sj_mem_free(args->mem, r, sizeof *r);
	return code;
}
