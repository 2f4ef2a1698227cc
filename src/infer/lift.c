/* Messages that a model put where no tags are: in a Markdown fence, or bare among its words. */
#include <string.h>

#include "infer/format.h"
#include "infer/tags.h"

/* A stretch of the response that holds messages. */
struct run {
	const char *from, *to;    /* all of it, the fence too */
	struct sj_slice payload;
	bool fenced, open; /* open: the response ends in it */
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_quote(char c) { return c == '"' || c == '\''; }

/* Is the word before this colon one of the keys that make an object a message? Only a key counts: what stands before it
 * opens an object or ends a member. */
static bool ends_key(struct sj_slice s, size_t colon)
{
	static const char *const keys[] = {"createSurface",   "updateComponents", "updateDataModel",
	                                   "deleteSurface",   "callFunction",     "actionResponse",
	                                   "beginRendering",  "surfaceUpdate",    "dataModelUpdate"};
	size_t end = colon, begin;
	while (end > 0 && sj_is_blank(s.ptr[end - 1]))
		end--;
	bool quoted = end > 0 && is_quote(s.ptr[end - 1]);
	end -= quoted;
	for (begin = end; begin > 0 && is_word(s.ptr[begin - 1]); begin--)
		;
	struct sj_slice word = sj_slice(s.ptr + begin, end - begin);
	if (quoted && (begin == 0 || !is_quote(s.ptr[--begin])))
		return false;
	while (begin > 0 && sj_is_blank(s.ptr[begin - 1]))
		begin--;
	if (begin == 0 || (s.ptr[begin - 1] != '{' && s.ptr[begin - 1] != ','))
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (sj_slice_is(word, keys[i]))
			return true;
	return false;
}

static bool holds_messages(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == ':' && ends_key(s, i))
			return true;
	return false;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && sj_is_blank(*p))
		p++;
	return p;
}

/* From a bracket to behind the one that closes it; NULL: it never comes. */
static const char *behind_bracket(const char *p, const char *end)
{
	size_t depth = 0;
	char quote = 0, before = 0;
	for (; p < end; p++) {
		if (quote) {
			if (*p == '\\')
				p++;
			else if (*p == quote)
				quote = 0;
			continue;
		}
		if (*p == '"' || (*p == '\'' && before && strchr("{[,:", before)))
			quote = *p;
		else if (*p == '{' || *p == '[')
			depth++;
		else if ((*p == '}' || *p == ']') && --depth == 0)
			return p + 1;
		if (!sj_is_blank(*p))
			before = *p;
	}
	return NULL;
}

/* Bare JSON that begins at this bracket: one value, or several after each other. Where it is none, *p goes on. */
static bool bare_run(const char **p, const char *end, struct run *out)
{
	const char *at = *p, *inner = *p;
	while (inner < end && (*inner == '[' || sj_is_blank(*inner)))
		inner++;
	if (inner == end || *inner != '{') {
		*p = inner;
		return false;
	}
	*out = (struct run){.from = at, .to = at};
	do {
		const char *stop = behind_bracket(at, end);
		out->open = stop == NULL;
		out->to = stop ? stop : end;
		at = skip_blanks(out->to, end);
	} while (!out->open && at < end && *at == '{');
	out->payload = sj_slice(out->from, (size_t)(out->to - out->from));
	*p = out->to;
	return holds_messages(out->payload);
}

static const char *line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	return nl ? nl : end;
}

static bool is_fence(const char *p, const char *end)
{
	return end - p >= 3 && (memcmp(p, "```", 3) == 0 || memcmp(p, "~~~", 3) == 0);
}

/* The fence that begins here. Whether it holds messages: JSON tells by its keys, other notations by their name. */
static bool fenced_run(const struct sj_format *f, const char **p, const char *end, struct run *out)
{
	const char *name = *p, *body = line_end(*p, end), *line;
	*out = (struct run){.from = *p, .to = end, .fenced = true, .open = true};
	while (name < body && (*name == '`' || *name == '~'))
		name++;
	struct sj_slice word = sj_text_trim(sj_slice(name, (size_t)(body - name)));
	body = body < end ? body + 1 : end;
	for (line = body; line < end; line = line_end(line, end) + 1) {
		const char *at = line;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (is_fence(at, end) && *at == **p) {
			out->open = false;
			out->to = line_end(at, end);
			break;
		}
	}
	const char *stop = out->open ? end : line;
	out->payload = sj_slice(body, (size_t)(stop - body));
	*p = out->to;
	if (f->opt.id == SJ_FORMAT_DIRECT_JSON)
		return holds_messages(out->payload);
	bool named = sj_slice_is(word, f->ops->name);
	for (size_t i = 0; i < 3 && f->ops->tags[i]; i++)
		named = named || sj_slice_is(word, f->ops->tags[i]);
	return named;
}

static bool next_run(const struct sj_format *f, const char *p, const char *end, struct run *out)
{
	bool fresh = true; /* only blanks since the line began */
	while (p < end) {
		if (fresh && is_fence(p, end)) {
			if (fenced_run(f, &p, end, out))
				return true;
			continue;
		}
		if ((*p == '{' || *p == '[') && f->opt.id == SJ_FORMAT_DIRECT_JSON) {
			if (bare_run(&p, end, out))
				return true;
			fresh = false;
			continue;
		}
		fresh = *p == '\n' || (fresh && (*p == ' ' || *p == '\t'));
		p++;
	}
	return false;
}

static uint32_t count_lines(const char *from, const char *to)
{
	uint32_t n = 0;
	for (; from < to && (from = memchr(from, '\n', (size_t)(to - from))) != NULL; from++)
		n++;
	return n;
}

static enum sj_status add_words(const struct sj_format *f, const char *from, const char *to, struct sj_parts *out)
{
	struct sj_slice s = sj_text_trim(sj_slice(from, (size_t)(to - from)));
	return s.len > 0 ? sj_parts_add_text(f->mem, out, SJ_PART_TEXT, s) : SJ_OK;
}

/* The payload is read as if it stood between tags; places are counted in the response. */
static enum sj_status read_run(const struct sj_format *f, struct sj_slice response, const struct run *run,
                               uint32_t before, struct sj_parts *out, struct sj_repairs *r, struct sj_diag *diag)
{
	struct sj_buf text;
	struct sj_diag own;
	uint32_t lines = count_lines(response.ptr, run->payload.ptr), first = r->list.count;
	uint64_t offset = (uint64_t)(run->payload.ptr - response.ptr), tag = strlen(f->ops->tags[0]) + 2;
	enum sj_status st = sj_repair_note(f->mem, r, SJ_REPAIR_LIFTED, 1, tag, diag,
	                                   run->fenced ? "lifted a fenced block that holds A2UI messages"
	                                               : "lifted JSON outside of tags that holds A2UI messages");
	sj_buf_init(&text, f->mem, 0);
	sj_diag_clear(&own);
	if (st == SJ_OK) {
		sj_buf_printf(&text, "<%s>", f->ops->tags[0]);
		sj_buf_slice(&text, run->payload);
		if (!run->open)
			sj_buf_printf(&text, "</%s>", f->ops->tags[0]);
		st = sj_buf_status(&text);
	}
	if (st == SJ_OK)
		st = sj_response_parse(f, sj_buf_view(&text), true, out, r, &own);
	for (uint32_t i = first; i < r->list.count; i++) {
		struct sj_repair *one = &r->list.items[i];
		one->line += lines;
		one->offset = (one->offset > tag ? one->offset - tag : 0) + offset;
	}
	if (own.code != SJ_E_NONE && diag && diag->code == SJ_E_NONE) {
		*diag = own;
		diag->message_number += own.message_number ? before : 0;
		if (own.line > 0) {
			diag->line += lines;
			diag->offset = (own.offset > tag ? own.offset - tag : 0) + offset;
		}
	}
	sj_buf_finish(&text);
	return st;
}

enum sj_status sj_lift(const struct sj_format *f, struct sj_slice response, struct sj_parts *out, struct sj_repairs *r,
                       bool *lifted, struct sj_diag *diag)
{
	const char *at = response.ptr, *end = response.ptr + response.len;
	enum sj_status st = SJ_OK;
	struct run run;
	uint32_t messages = 0;
	*lifted = false;
	while (st == SJ_OK && at && next_run(f, at, end, &run)) {
		*lifted = true;
		st = add_words(f, at, run.from, out);
		uint32_t first = out->list.count;
		if (st == SJ_OK)
			st = read_run(f, response, &run, messages, out, r, diag);
		for (uint32_t i = first; i < out->list.count; i++)
			messages += sj_value_count(&out->list.items[i].messages);
		at = run.to;
	}
	return st == SJ_OK && *lifted ? add_words(f, at, end, out) : st;
}
