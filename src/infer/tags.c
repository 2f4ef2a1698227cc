#include "infer/tags.h"

#include <string.h>

void sj_tagger_init(struct sj_tagger *t, const struct sj_format_ops *ops, bool inside)
{
	t->ops = ops;
	t->scan = NULL;
	t->name = inside ? ops->tags[0] : NULL;
	t->nheld = 0;
	t->is_named = t->lent = t->is_triple = t->is_escaped = false;
	t->tag_quote = t->quote = 0;
	t->opening = t->closing = 0;
}

enum verdict { NO_TAG, MAYBE, TAG };

static bool ends_name(char c) { return sj_is_blank(c) || c == '>' || c == '/'; }

/* Could the held bytes and `c` be `lead` and this name, so far? Sets is_named when c ends the name. */
static bool fits(struct sj_tagger *t, const char *lead, const char *name, char c)
{
	size_t nlead = strlen(lead), n = strlen(name), i = t->nheld;
	if (i < nlead)
		return c == lead[i];
	if (memcmp(t->held + nlead, name, i - nlead < n ? i - nlead : n) != 0)
		return false;
	if (i - nlead < n)
		return c == name[i - nlead];
	return ends_name(c);
}

/* One more byte of what may be a tag; the byte is not held yet. */
static enum verdict tag_byte(struct sj_tagger *t, char c)
{
	if (t->nheld + 1 >= SJ_TAG_BYTES)
		return NO_TAG;
	if (!t->is_named) {
		const char *lead = t->name ? "</" : "<";
		const char *match = NULL;
		if (t->name) {
			match = fits(t, lead, t->name, c) ? t->name : NULL;
		} else {
			for (size_t i = 0; i < 3 && t->ops->tags[i] && !match; i++)
				match = fits(t, lead, t->ops->tags[i], c) ? t->ops->tags[i] : NULL;
		}
		if (!match)
			return NO_TAG;
		t->is_named = t->nheld >= strlen(lead) + strlen(match);
		return t->is_named && c == '>' ? TAG : MAYBE;
	}
	if (t->tag_quote) {
		if (c == t->tag_quote)
			t->tag_quote = 0;
		return MAYBE;
	}
	if (c == '>')
		return TAG;
	if (c == '<' || (t->name && !sj_is_blank(c)))
		return NO_TAG;
	if (c == '"' || c == '\'')
		t->tag_quote = c;
	return MAYBE;
}

static const char *opened_name(const struct sj_tagger *t)
{
	for (size_t i = 0; i < 3 && t->ops->tags[i]; i++) {
		size_t n = strlen(t->ops->tags[i]);
		if (t->nheld > n && memcmp(t->held + 1, t->ops->tags[i], n) == 0 && ends_name(t->held[1 + n]))
			return t->ops->tags[i];
	}
	return t->ops->tags[0];
}

/* One byte of a payload, as far as its strings go. */
static void string_byte(struct sj_tagger *t, char c)
{
	bool triples = strchr(t->ops->quotes, '\'') != NULL;
	if (t->opening == 2 && c != t->quote) { /* it was an empty string */
		t->quote = 0;
		t->opening = 0;
	}
	if (!t->quote) {
		if (c && strchr(t->ops->quotes, c)) {
			t->quote = c;
			t->opening = triples ? 1 : 0;
			t->closing = 0;
			t->is_triple = t->is_escaped = false;
		}
		return;
	}
	if (t->opening && c == t->quote) {
		t->is_triple = ++t->opening == 3;
		t->opening = t->is_triple ? 0 : t->opening;
		return;
	}
	t->opening = 0;
	if (t->is_escaped) {
		t->is_escaped = false;
	} else if (c == '\\') {
		t->is_escaped = true;
		t->closing = 0;
	} else if (c != t->quote) {
		t->closing = 0;
		if (c == '\n' && triples && !t->is_triple)
			t->quote = 0; /* such notations end a string with its line */
	} else if (!t->is_triple || ++t->closing == 3) {
		t->quote = 0;
	}
}

/* Up to the next byte that may begin a tag. */
static const char *scan_payload(struct sj_tagger *t, const char *p, const char *end)
{
	if (t->scan)
		return t->scan(t->ctx, p, end);
	for (; p < end; p++) {
		if (*p == '<' && (!t->quote || t->opening == 2))
			return p;
		string_byte(t, *p);
	}
	return p;
}

enum sj_tag_event sj_tagger_next(struct sj_tagger *t, const char **at, const char *end, struct sj_slice *run)
{
	const char *p = *at;
	if (t->lent) {
		t->lent = false;
		t->nheld = 0;
	}
	if (p == end)
		return SJ_TAG_MORE;
	if (!t->nheld) {
		const char *stop = t->name ? scan_payload(t, p, end) : memchr(p, '<', (size_t)(end - p));
		stop = stop ? stop : end;
		if (stop > p) {
			*run = sj_slice(p, (size_t)(stop - p));
			*at = stop;
			return t->name ? SJ_TAG_PAYLOAD : SJ_TAG_TEXT;
		}
		t->held[t->nheld++] = *p++;
		t->is_named = false;
		t->tag_quote = 0;
	}
	for (; p < end; p++) {
		enum verdict v = tag_byte(t, *p);
		if (v == NO_TAG) {
			*at = p;
			*run = sj_slice(t->held, t->nheld);
			t->lent = true;
			if (t->name) /* none of them is a quote, but an empty string may end here */
				for (uint32_t i = 0; i < t->nheld; i++)
					string_byte(t, t->held[i]);
			return t->name ? SJ_TAG_PAYLOAD : SJ_TAG_TEXT;
		}
		t->held[t->nheld++] = *p;
		if (v == TAG) {
			*at = p + 1;
			bool opens = !t->name;
			t->name = opens ? opened_name(t) : NULL;
			t->nheld = 0;
			t->quote = 0;
			t->opening = 0;
			return opens ? SJ_TAG_OPEN : SJ_TAG_CLOSE;
		}
	}
	*at = p;
	return SJ_TAG_MORE;
}

struct sj_slice sj_tagger_rest(const struct sj_tagger *t)
{
	return t->lent ? SJ_LIT("") : sj_slice(t->held, t->nheld);
}

struct sj_slice sj_text_trim(struct sj_slice s)
{
	while (s.len > 0 && sj_is_blank(s.ptr[0])) {
		s.ptr++;
		s.len--;
	}
	while (s.len > 0 && sj_is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

struct sj_slice sj_payload_trim(struct sj_slice s, bool *fenced)
{
	bool had = false;
	s = sj_text_trim(s);
	if (s.len >= 3 && memcmp(s.ptr, "```", 3) == 0) {
		const char *nl = memchr(s.ptr, '\n', s.len);
		size_t skip = nl ? (size_t)(nl - s.ptr) + 1 : 3;
		had = true;
		s = sj_slice(s.ptr + skip, s.len - skip);
	}
	if (s.len >= 3 && memcmp(s.ptr + s.len - 3, "```", 3) == 0) {
		had = true;
		s.len -= 3;
	}
	if (fenced)
		*fenced = had;
	return sj_text_trim(s);
}
