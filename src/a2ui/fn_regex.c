#include "a2ui/fn_regex.h"

#include "base/utf.h"

enum {
	SHOWN_BYTES = 60,
	COMPILE_STEPS = 16, /* what a byte of a pattern costs to compile, in steps */
};

void sj_fn_regexes_init(struct sj_fn_regexes *r, struct sj_mem *mem, const struct sj_limits *limits)
{
	*r = (struct sj_fn_regexes){.mem = mem, .limits = limits};
	sj_fn_regexes_turn(r);
}

void sj_fn_regexes_turn(struct sj_fn_regexes *r) { r->left = (uint64_t)SJ_FN_TURN * r->limits->regex_steps; }

void sj_fn_regexes_own(struct sj_fn_regexes *r, const void *owner)
{
	if (r->owner == owner)
		return;
	r->owner = owner;
	sj_fn_regexes_turn(r);
}

static void spend(struct sj_fn_regexes *r, uint64_t steps) { r->left -= steps < r->left ? steps : r->left; }

static void drop(struct sj_fn_regexes *r, struct sj_fn_regex *e)
{
	if (e->compiled)
		sj_regex_destroy(e->compiled);
	if (e->reason)
		sj_mem_free(r->mem, e->reason, strlen(e->reason) + 1);
	if (e->pattern)
		sj_mem_free(r->mem, e->pattern, e->len + 1);
	*e = (struct sj_fn_regex){0};
}

void sj_fn_regexes_finish(struct sj_fn_regexes *r)
{
	for (uint32_t i = 0; i < SJ_FN_REGEXES; i++)
		drop(r, &r->at[i]);
}

static enum sj_status refuse(struct sj_diag *diag, struct sj_slice pattern, const char *reason)
{
	return sj_diag_set(diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
	                   "Invalid regex pattern '%.*s': %s", (int)sj_utf8_cut(pattern, SHOWN_BYTES), pattern.ptr,
	                   reason);
}

static enum sj_status no_memory(struct sj_diag *diag)
{
	return sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_EXPRESSION, "Out of memory while a pattern is compiled");
}

static enum sj_status compile(struct sj_fn_regexes *r, struct sj_slice pattern, uint32_t hash,
                              struct sj_fn_regex *place, struct sj_diag *diag)
{
	struct sj_fn_regex e = {.hash = hash, .len = (uint32_t)pattern.len};
	struct sj_diag why = {0};
	r->compilations++;
	spend(r, COMPILE_STEPS * (uint64_t)pattern.len);
	enum sj_status s = sj_regex_compile(r->mem, pattern, r->limits, &e.compiled, &why);
	if (s == SJ_NOMEM)
		return no_memory(diag);
	e.pattern = sj_mem_strndup(r->mem, pattern);
	if (e.pattern && s != SJ_OK)
		e.reason = sj_mem_strndup(r->mem, sj_slice_of(why.message));
	if (!e.pattern || (s != SJ_OK && !e.reason)) {
		drop(r, &e);
		return no_memory(diag);
	}
	drop(r, place);
	*place = e;
	return SJ_OK;
}

static struct sj_fn_regex *find(struct sj_fn_regexes *r, struct sj_slice pattern, uint32_t hash,
                                struct sj_fn_regex **oldest)
{
	*oldest = &r->at[0];
	for (uint32_t i = 0; i < SJ_FN_REGEXES; i++) {
		struct sj_fn_regex *e = &r->at[i];
		if (e->pattern && e->hash == hash && sj_slice_eq((struct sj_slice){e->pattern, e->len}, pattern))
			return e;
		if (e->used < (*oldest)->used)
			*oldest = e;
	}
	return NULL;
}

enum sj_status sj_fn_regexes_search(struct sj_fn_regexes *r, struct sj_slice pattern, struct sj_slice subject,
                                    bool *found, struct sj_diag *diag)
{
	/* Longer ones are refused without a look, so they take no place either. */
	if (pattern.len > r->limits->regex_pattern)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		                   "Invalid regex pattern: it is longer than %u bytes", r->limits->regex_pattern);
	if (r->left == 0)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		                   "Regex '%.*s' was not tried: the patterns before it took all %llu steps of this turn",
		                   (int)sj_utf8_cut(pattern, SHOWN_BYTES), pattern.ptr,
		                   (unsigned long long)SJ_FN_TURN * r->limits->regex_steps);
	uint32_t hash = sj_slice_hash(pattern, 0);
	struct sj_fn_regex *oldest, *e = find(r, pattern, hash, &oldest);
	if (!e) {
		enum sj_status s = compile(r, pattern, hash, oldest, diag);
		if (s != SJ_OK)
			return s;
		e = oldest;
	}
	e->used = ++r->tick;
	if (!e->compiled)
		return refuse(diag, pattern, e->reason);
	struct sj_diag why = {0};
	enum sj_status s = sj_regex_search(e->compiled, subject, found, &why);
	spend(r, sj_regex_steps(e->compiled));
	if (s == SJ_OK)
		return SJ_OK;
	if (s == SJ_NOMEM)
		return no_memory(diag);
	return sj_diag_set(diag, s, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "Regex '%.*s' gave no answer: %s",
	                   (int)sj_utf8_cut(pattern, SHOWN_BYTES), pattern.ptr, why.message);
}
