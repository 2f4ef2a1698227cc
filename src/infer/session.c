/* A session: negotiated catalogs, formats bound to them, and one checker of all that was said. */
#include "infer/checker.h"

struct sj_session {
	struct sj_mem *mem;
	struct sj_negotiated catalogs;
	struct sj_format *formats[SJ_FORMAT_COUNT];
	enum sj_format_id usual;
	struct sj_prompt_options prompt;
	struct sj_checker checker;
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

static enum sj_status open_formats(struct sj_session *s, const struct sj_session_options *opt, struct sj_diag *diag)
{
	static const enum sj_format_id direct[] = {SJ_FORMAT_DIRECT_JSON};
	const enum sj_format_id *ids = opt->formats && opt->nformats > 0 ? opt->formats : direct;
	uint32_t n = ids == direct ? 1 : opt->nformats, nbound = 0;
	const struct sj_catalog *bound[SJ_SESSION_MAX_CATALOGS];
	enum sj_status st = SJ_OK;
	/* A message is of one version: a format gets the catalogs that go with the renderer's first choice. */
	for (uint32_t i = 0; i < s->catalogs.nactive; i++)
		if (sj_catalog_mix(sj_catalog_version(s->catalogs.active[0]), sj_catalog_id(s->catalogs.active[i]),
		                   sj_catalog_version(s->catalogs.active[i]), NULL) == SJ_OK ||
		    sj_catalog_version(s->catalogs.active[i]) == sj_catalog_version(s->catalogs.active[0]))
			bound[nbound++] = s->catalogs.active[i];
	s->usual = ids[0];
	for (uint32_t i = 0; i < n && st == SJ_OK; i++) {
		struct sj_format_options format = {
			.id = ids[i], .catalogs = bound, .ncatalogs = nbound, .dialect = opt->dialect};
		if (!s->formats[ids[i]])
			st = sj_format_create(s->mem, &format, &s->formats[ids[i]], diag);
	}
	return st;
}

enum sj_status sj_session_create(struct sj_agent *agent, const struct sj_session_options *opt, struct sj_session **out,
                                 struct sj_diag *diag)
{
	struct sj_mem *mem = sj_agent_mem(agent);
	struct sj_session *s = sj_mem_zalloc(mem, sizeof *s);
	if (!s)
		return SJ_NOMEM;
	s->mem = mem;
	s->prompt = (struct sj_prompt_options){
		.allowed_messages = opt->allowed_messages, .nallowed = opt->nallowed, .examples = opt->examples};
	enum sj_status st = sj_agent_negotiate(agent, opt->capabilities, opt->capabilities_cell, &s->catalogs, diag);
	if (st == SJ_OK)
		st = open_formats(s, opt, diag);
	if (st == SJ_OK) {
		sj_checker_init(&s->checker, s->formats[s->usual], s->catalogs.active, s->catalogs.nactive,
		                opt->limits);
		st = sj_checker_open(&s->checker, diag);
	}
	if (st == SJ_OK)
		st = sj_prompt_check(s->formats[s->usual], &s->prompt, diag);
	if (st != SJ_OK) {
		sj_session_destroy(s);
		return st;
	}
	*out = s;
	return SJ_OK;
}

void sj_session_destroy(struct sj_session *s)
{
	if (!s)
		return;
	if (s->checker.mem)
		sj_checker_finish(&s->checker);
	for (uint32_t i = 0; i < SJ_FORMAT_COUNT; i++)
		sj_format_destroy(s->formats[i]);
	sj_negotiated_finish(&s->catalogs);
	sj_mem_free(s->mem, s, sizeof *s);
}

uint32_t sj_session_catalog_count(const struct sj_session *s) { return s->catalogs.nactive; }
const struct sj_catalog *sj_session_catalog(const struct sj_session *s, uint32_t i) { return s->catalogs.active[i]; }
struct sj_engine *sj_session_engine(struct sj_session *s) { return s->checker.engine; }
const struct sj_format *sj_session_usual_format(const struct sj_session *s) { return s->formats[s->usual]; }

const struct sj_format *sj_session_format(const struct sj_session *s, enum sj_format_id id)
{
	return (unsigned)id < SJ_FORMAT_COUNT ? s->formats[id] : NULL;
}

static enum sj_status find_format(const struct sj_session *s, enum sj_format_id id, const struct sj_format **out,
                                  struct sj_diag *diag)
{
	*out = sj_session_format(s, id);
	return *out ? SJ_OK
	            : sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE,
	                          "The session was made without the format %s", sj_format_name(id));
}

enum sj_status sj_session_prompt(const struct sj_session *s, enum sj_format_id id, bool brief, struct sj_buf *out,
                                 struct sj_diag *diag)
{
	const struct sj_format *f;
	enum sj_status st = find_format(s, id, &f, diag);
	struct sj_prompt_options opt = s->prompt;
	opt.brief = brief;
	return st == SJ_OK ? sj_prompt_write(f, &opt, out, diag) : st;
}

enum sj_status sj_session_accept(struct sj_session *s, const struct sj_value *messages, unsigned flags, uint32_t *taken,
                                 struct sj_diag *diag)
{
	return sj_checker_accept(&s->checker, messages, flags, taken, diag);
}

enum sj_status sj_session_parse(struct sj_session *s, enum sj_format_id id, struct sj_slice response,
                                struct sj_parts *out, struct sj_repairs *repairs, struct sj_diag *diag)
{
	const struct sj_format *f;
	struct sj_parts parts = {0};
	struct sj_value all = SJ_NULL_VALUE;
	enum sj_status st = find_format(s, id, &f, diag);
	if (st == SJ_OK)
		st = sj_format_parse(f, response, &parts, repairs, diag);
	if (st == SJ_OK)
		st = sj_value_array(s->mem, &all);
	for (uint32_t i = 0; i < parts.list.count && st == SJ_OK; i++) {
		const struct sj_part *p = &parts.list.items[i];
		for (uint32_t k = 0; p->kind == SJ_PART_MESSAGES && k < sj_value_count(&p->messages) && st == SJ_OK;
		     k++)
			st = sj_value_append(s->mem, &all, sj_value_ref(*sj_value_item(&p->messages, k)));
	}
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(s->mem, &out->list, out->list.count + parts.list.count, 0);
	if (st == SJ_OK)
		st = sj_session_accept(s, &all, SJ_ACCEPT_WHOLE, NULL, diag);
	if (st == SJ_OK) {
		for (uint32_t i = 0; i < parts.list.count; i++)
			out->list.items[out->list.count++] = parts.list.items[i];
		parts.list.count = 0;
	}
	sj_value_unref(s->mem, all);
	sj_parts_finish(s->mem, &parts);
	return st;
}
