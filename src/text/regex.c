/* The border to PCRE2: options, limits, memory. What patterns mean is decided in regex_parse.c. */
#include "text/regex.h"

#ifdef SJ_HAVE_PCRE2

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/utf.h"
#include "text/regex_parse.h"

#define FRAME_KIB 16384u         /* PCRE2's backtracking frames, about 130,000 of them */
#define KEPT_BYTES (64u * 1024u) /* frames beyond this are given back after a search */
#define STEPS_PER_BYTE 16u       /* a search that goes over its subject a few times is no catastrophe */
#define BYTES_PER_STEP 32u       /* of frames that a search takes and gives back: what their pages cost */
#define CHARS_PER_STEP 16u       /* running over characters is that much cheaper than a step */
#define HEADER 16u               /* before each block of PCRE2's: its size, which struct sj_mem wants to be told */

struct sj_regex {
	struct sj_mem *mem;
	size_t held_bytes; /* by PCRE2, for this pattern */
	bool refused;      /* the account refused memory since this was last cleared */
	uint32_t max_subject, max_steps;
	uint64_t steps; /* of the last search */
	pcre2_general_context *general;
	pcre2_code *code;
	pcre2_match_context *match;
	pcre2_match_data *data; /* made at the first search, and again after one that took much memory */
};

/* What a search may still cost. PCRE2's own match limit counts backtracking only, and anew for each start position; the
 * callouts that the front parser lays count the characters run over as well, over the whole search. */
struct meter {
	size_t left, last;
};

static void *take_bytes(PCRE2_SIZE bytes, void *data)
{
	struct sj_regex *r = data;
	char *block = bytes <= SIZE_MAX - HEADER ? sj_mem_alloc(r->mem, bytes + HEADER) : NULL;
	if (block == NULL) {
		r->refused = true;
		return NULL;
	}
	memcpy(block, &bytes, sizeof bytes);
	r->held_bytes += bytes;
	return block + HEADER;
}

static void give_bytes(void *ptr, void *data)
{
	struct sj_regex *r = data;
	PCRE2_SIZE bytes;
	if (ptr == NULL)
		return;
	char *block = (char *)ptr - HEADER;
	memcpy(&bytes, block, sizeof bytes);
	r->held_bytes -= bytes;
	sj_mem_free(r->mem, block, bytes + HEADER);
}

static size_t group_length(const pcre2_callout_block *block, size_t number)
{
	if (number >= block->capture_top)
		return 0;
	const PCRE2_SIZE *pair = block->offset_vector + 2 * number;
	return pair[0] == PCRE2_UNSET || pair[1] < pair[0] ? 0 : pair[1] - pair[0];
}

static int on_callout(pcre2_callout_block *block, void *data)
{
	struct meter *m = data;
	size_t at = block->current_position;
	size_t moved = at > m->last ? at - m->last : m->last - at;
	m->last = at;
	if (block->callout_string != NULL) {
		size_t number = 0;
		for (PCRE2_SIZE i = 1; i < block->callout_string_length; i++)
			number = number * 10 + (size_t)(block->callout_string[i] - '0');
		moved += block->callout_string[0] == 'b' ? group_length(block, number) : number;
	}
	size_t cost = 1 + moved / CHARS_PER_STEP;
	if (cost > m->left)
		return PCRE2_ERROR_CALLOUT;
	m->left -= cost;
	return 0;
}

/* What PCRE2 itself finds wrong in a pattern that the front parser let through. */
static enum sj_status compile_fault(struct sj_regex *r, int code, size_t offset, struct sj_diag *diag)
{
	char text[160];
	if (code == PCRE2_ERROR_HEAP_FAILED || r->refused)
		return sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "out of memory");
	switch (code) {
	case PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH:
	case PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED:
	case PCRE2_ERROR_LOOKBEHIND_TOO_LONG:
		return sj_regex_refuse(diag, offset, "lookbehind of variable length");
	case PCRE2_ERROR_MALFORMED_UNICODE_PROPERTY:
	case PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY:
		return sj_regex_refuse(diag, offset, "unknown Unicode property");
	case PCRE2_ERROR_PATTERN_TOO_LARGE:
	case PCRE2_ERROR_PATTERN_TOO_COMPLICATED:
	case PCRE2_ERROR_PATTERN_STRING_TOO_LONG:
	case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
	case PCRE2_ERROR_TOO_MANY_CAPTURES:
		if (diag != NULL && diag->code == SJ_E_NONE)
			diag->offset = offset;
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION,
		                   "Regular expression beyond a limit: its repeats multiply to too much");
	default:
		if (pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text) < 0)
			text[0] = '\0';
		return sj_regex_refuse(diag, offset, text);
	}
}

static enum sj_status compile(struct sj_regex *r, struct sj_slice pattern, struct sj_diag *diag)
{
	struct sj_regex_front front;
	int code = PCRE2_ERROR_HEAP_FAILED;
	PCRE2_SIZE written = 0;

	sj_regex_front_init(&front, r->mem);
	enum sj_status status = sj_regex_front_run(&front, r->mem, pattern, diag);
	if (status != SJ_OK)
		goto out;
	r->general = pcre2_general_context_create(take_bytes, give_bytes, r);
	pcre2_compile_context *context = r->general ? pcre2_compile_context_create(r->general) : NULL;
	if (context != NULL) {
		r->match = pcre2_match_context_create(r->general);
		uint32_t options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY |
		                   PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
		r->code = pcre2_compile((PCRE2_SPTR)front.out.ptr, front.out.len, options, &code, &written, context);
		pcre2_compile_context_free(context);
	}
	if (r->code == NULL || r->match == NULL)
		status = compile_fault(r, r->code == NULL ? code : PCRE2_ERROR_HEAP_FAILED,
		                       sj_regex_front_source(&front, written), diag);
out:
	sj_regex_front_finish(&front, r->mem);
	if (status == SJ_NOMEM)
		(void)sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "out of memory");
	return status;
}

enum sj_status sj_regex_compile(struct sj_mem *mem, struct sj_slice pattern, const struct sj_limits *l,
                                struct sj_regex **out, struct sj_diag *diag)
{
	if (pattern.len > l->regex_pattern)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION,
		                   "Pattern of %zu bytes; at most %u are taken", pattern.len,
		                   (unsigned)l->regex_pattern);
	struct sj_regex *r = sj_mem_zalloc(mem, sizeof *r);
	if (r == NULL)
		return sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "out of memory");
	r->mem = mem;
	r->max_subject = l->regex_subject;
	r->max_steps = l->regex_steps;
	enum sj_status status = compile(r, pattern, diag);
	if (status == SJ_OK)
		*out = r;
	else
		sj_regex_destroy(r);
	return status;
}

void sj_regex_destroy(struct sj_regex *r)
{
	if (r == NULL)
		return;
	pcre2_match_data_free(r->data);
	pcre2_match_context_free(r->match);
	pcre2_code_free(r->code);
	pcre2_general_context_free(r->general);
	sj_mem_free(r->mem, r, sizeof *r);
}

/* Ill-formed bytes, lone surrogates among them, read as U+FFFD. */
static enum sj_status mend(struct sj_buf *out, struct sj_slice subject)
{
	for (size_t at = 0; at < subject.len;) {
		uint32_t c = sj_utf8_next(subject, &at);
		sj_buf_code(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
	}
	return sj_buf_status(out);
}

static enum sj_status run(struct sj_regex *r, struct sj_slice subject, bool *found, struct sj_diag *diag)
{
	size_t budget = (size_t)r->max_steps + STEPS_PER_BYTE * subject.len;
	struct meter meter = {.left = budget};
	uint32_t limit = budget < UINT32_MAX ? (uint32_t)budget : UINT32_MAX;

	if (r->data == NULL && (r->data = pcre2_match_data_create(1, r->general)) == NULL)
		return SJ_NOMEM;
	pcre2_set_match_limit(r->match, limit);
	pcre2_set_depth_limit(r->match, limit);
	pcre2_set_heap_limit(r->match, FRAME_KIB);
	pcre2_set_callout(r->match, on_callout, &meter);
	r->refused = false;
	size_t before = r->held_bytes;
	int rc = pcre2_match(r->code, (PCRE2_SPTR)(subject.len > 0 ? subject.ptr : ""), subject.len, 0,
	                     PCRE2_NO_UTF_CHECK, r->data, r->match);
	size_t grown = r->held_bytes > before ? r->held_bytes - before : 0;
	r->steps = (rc >= 0 || rc == PCRE2_ERROR_NOMATCH ? budget - meter.left : budget) + grown / BYTES_PER_STEP;
	if (grown > KEPT_BYTES) {
		pcre2_match_data_free(r->data);
		r->data = NULL;
	}
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH) {
		*found = rc >= 0;
		return SJ_OK;
	}
	if (r->refused)
		return SJ_NOMEM;
	return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION, "The pattern took more than %zu steps on a text of %zu bytes",
	                   budget, subject.len);
}

enum sj_status sj_regex_search(struct sj_regex *r, struct sj_slice subject, bool *found, struct sj_diag *diag)
{
	struct sj_buf mended;
	r->steps = 0;
	if (subject.len > r->max_subject)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION,
		                   "Text of %zu bytes; a pattern is tried on at most %u", subject.len,
		                   (unsigned)r->max_subject);
	sj_buf_init(&mended, r->mem, 0);
	enum sj_status status = SJ_OK;
	if (sj_utf8_check(subject) != subject.len) {
		status = mend(&mended, subject);
		subject = sj_buf_view(&mended);
	}
	if (status == SJ_OK)
		status = run(r, subject, found, diag);
	sj_buf_finish(&mended);
	if (status == SJ_NOMEM)
		(void)sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "out of memory");
	return status;
}

uint64_t sj_regex_steps(const struct sj_regex *r)
{
	return r->steps;
}

bool sj_regex_available(void)
{
	return true;
}

#else
typedef int sj_regex_is_elsewhere; /* regex_none.c; ISO C wants a declaration in each file */
#endif
