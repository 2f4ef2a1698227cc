#include "text/regex_parse.h"

#include "base/utf.h"
#include "text/ident.h"

#define MAX_NEST 100         /* groups inside each other; also below PCRE2's own limit of 250 */
#define MAX_REPEAT 65535     /* PCRE2's largest count */
#define UNBOUNDED UINT32_MAX
#define CALLOUT "(?C)"
#define CALLOUT_EVERY 32     /* characters matched in a row without a callout */
#define CALLOUT_FROM 32      /* a repeat that wants fewer characters goes without a callout of its own */

/* ECMA-262's WhiteSpace and LineTerminator: without PCRE2_UCP, \s is U+0009..000D and the space. */
#define SPACES "\\s\\p{Z}\\x{feff}"
#define NOT_SPACES                                                                                                     \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"            \
	"\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}"              \
	"\\x{ff00}-\\x{10ffff}"
#define NOT_LINE_END "[^\\n\\r\\x{2028}\\x{2029}]"

enum kind { ROOT, PLAIN, CAPTURE, AHEAD, NOT_AHEAD, BEHIND, NOT_BEHIND };

/* A group, kept to the end because references are judged when everything is known. */
struct group {
	enum kind kind;
	uint32_t parent, branch; /* in which alternative of the parent it stands */
	uint32_t branches;       /* its own alternatives */
	uint32_t min, max;       /* how often it is repeated */
	uint32_t number;         /* of a capture, 1-based */
	uint32_t open_at;        /* offset of its ( */
	size_t written;          /* where it starts in the output */
	uint32_t opened_before;  /* captures opened before it */
	bool nullable;           /* it can match the empty text */
};
struct reference {
	uint32_t group, branch; /* where it stands */
	uint32_t number;        /* to which capture */
	uint32_t at;
};
struct name {
	struct sj_slice text;
	uint32_t number;
};

struct parser {
	struct sj_slice p;
	size_t at;
	struct sj_mem *mem;
	struct sj_diag *diag;
	struct sj_regex_front *f;
	SJ_VEC(struct group) groups;
	SJ_VEC(struct reference) refs;
	SJ_VEC(struct name) names;
	uint32_t captures, opened; /* all of them; those whose ( was passed */
	uint32_t open[MAX_NEST + 1], depth; /* stack of groups; open[0] is the root */
	uint32_t branch[MAX_NEST + 1];      /* alternative being read */
	bool empty_so_far[MAX_NEST + 1];    /* that alternative can match the empty text up to here */
	uint32_t row;                       /* characters since the last callout */
};

/* What was read last: what a quantifier would repeat. */
struct atom {
	size_t written;  /* where it starts in the output */
	bool repeatable; /* an assertion is not */
	bool is_group;   /* it closed groups.items[group] */
	bool nullable;
	uint32_t group;
	uint32_t opened_before; /* captures opened before it */
};

enum sj_status sj_regex_refuse(struct sj_diag *diag, size_t offset, const char *what)
{
	if (diag != NULL && diag->code == SJ_E_NONE)
		diag->offset = offset;
	return sj_diag_set(diag, SJ_INVALID, SJ_E_REGEX, SJ_CAT_EXPRESSION, "Invalid regular expression: %s at byte %zu", what,
	                   offset);
}

static enum sj_status refuse(struct parser *ps, size_t at, const char *what)
{
	return sj_regex_refuse(ps->diag, at, what);
}

static enum sj_status too_much(struct parser *ps, size_t at, const char *what)
{
	if (ps->diag != NULL && ps->diag->code == SJ_E_NONE)
		ps->diag->offset = at;
	return sj_diag_set(ps->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION, "Regular expression beyond a limit: %s at byte %zu",
	                   what, at);
}

static int peek_at(const struct parser *ps, size_t ahead)
{
	return ps->p.len - ps->at > ahead ? (unsigned char)ps->p.ptr[ps->at + ahead] : -1;
}

static int peek(const struct parser *ps)
{
	return peek_at(ps, 0);
}

static bool take(struct parser *ps, const char *text)
{
	if (!sj_slice_starts(sj_slice(ps->p.ptr + ps->at, ps->p.len - ps->at), text))
		return false;
	ps->at += strlen(text);
	return true;
}

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_alpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_punct(int c) { return c >= 0x20 && c < 0x7F && !is_digit(c) && !is_alpha(c); }

static int hex_value(int c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Every literal but an ASCII letter or digit is written by its number, so that nothing in it can mean something. */
static void put_code(struct parser *ps, uint32_t code)
{
	struct sj_buf *out = &ps->f->out;
	if (code < 0x80 && (is_digit((int)code) || is_alpha((int)code)))
		sj_buf_putc(out, (char)code);
	else if (code >= 0x80)
		sj_buf_code(out, code);
	else
		sj_buf_printf(out, "\\x{%x}", (unsigned)code);
}

static enum sj_status mark_place(struct parser *ps, size_t source)
{
	struct sj_regex_front *f = ps->f;
	enum sj_status status = SJ_VEC_RESERVE(ps->mem, &f->places, f->places.count + 1, 0);
	if (status == SJ_OK)
		f->places.items[f->places.count++] = (struct sj_regex_place){(uint32_t)f->out.len, (uint32_t)source};
	return status;
}

static enum sj_status insert(struct parser *ps, size_t written, const char *text)
{
	struct sj_buf *out = &ps->f->out;
	size_t n = strlen(text), tail = out->len - written;
	sj_buf_put(out, text, n);
	if (sj_buf_status(out) != SJ_OK)
		return sj_buf_status(out);
	memmove(out->ptr + written + n, out->ptr + written, tail);
	memcpy(out->ptr + written, text, n);
	return SJ_OK;
}

/* --- escapes --- */

static bool take_hex(struct parser *ps, unsigned digits, uint32_t *out)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < digits; i++) {
		int h = hex_value(peek_at(ps, i));
		if (h < 0)
			return false;
		v = v * 16 + (uint32_t)h;
	}
	ps->at += digits;
	*out = v;
	return true;
}

/* Behind \u. Two escaped surrogates make one code point. */
static enum sj_status unicode_escape(struct parser *ps, size_t begin, uint32_t *code)
{
	if (take(ps, "{")) {
		uint32_t v = 0;
		size_t first = ps->at;
		for (int h; (h = hex_value(peek(ps))) >= 0; ps->at++) {
			v = v * 16 + (uint32_t)h;
			if (v > 0x10FFFF)
				return refuse(ps, begin, "code point above U+10FFFF");
		}
		if (ps->at == first || !take(ps, "}"))
			return refuse(ps, begin, "malformed \\u escape");
		*code = v;
	} else {
		if (!take_hex(ps, 4, code))
			return refuse(ps, begin, "malformed \\u escape");
		size_t after = ps->at;
		uint32_t low;
		if (*code >= 0xD800 && *code < 0xDC00 && take(ps, "\\u") && take_hex(ps, 4, &low) && low >= 0xDC00 && low < 0xE000)
			*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
		else
			ps->at = after;
	}
	if (*code >= 0xD800 && *code < 0xE000)
		return refuse(ps, begin, "lone surrogate");
	return SJ_OK;
}

/* The letters that mean something elsewhere, so that the refusal can say what. */
static const char *foreign_escape(int c)
{
	switch (c) {
	case 'A':
	case 'Z':
	case 'z':
	case 'G':
		return "anchor \\A, \\Z, \\z or \\G (write ^ or $)";
	case 'K':
		return "\\K";
	case 'Q':
	case 'E':
		return "\\Q...\\E quoting";
	case 'C':
		return "\\C";
	case 'X':
	case 'R':
	case 'N':
	case 'h':
	case 'H':
	case 'V':
		return "escape \\X, \\R, \\N, \\h, \\H or \\V";
	case 'a':
	case 'e':
		return "control escape \\a or \\e (write \\x07 or \\x1b)";
	case 'g':
		return "\\g reference (write \\1 or \\k<name>)";
	case 'l':
	case 'L':
	case 'U':
		return "case conversion \\l, \\L or \\U";
	default:
		return "unknown escape";
	}
}

/* An escape that stands for one character, with the \ passed and the character after it not. Shared by classes. */
static enum sj_status character_escape(struct parser *ps, size_t begin, uint32_t *code)
{
	static const char letters[] = "tnvfr", values[] = "\t\n\v\f\r";
	int c = peek(ps);
	if (c < 0)
		return refuse(ps, begin, "pattern ends with \\");
	ps->at++;
	const char *letter = c > 0 && c < 0x80 ? strchr(letters, c) : NULL;
	if (letter != NULL) {
		*code = (unsigned char)values[letter - letters];
		return SJ_OK;
	}
	if (is_punct(c)) {
		*code = (uint32_t)c;
		return SJ_OK;
	}
	switch (c) {
	case '0':
		if (is_digit(peek(ps)))
			return refuse(ps, begin, "octal escape (write \\xHH)");
		*code = 0;
		return SJ_OK;
	case 'c':
		if (!is_alpha(peek(ps)))
			return refuse(ps, begin, "\\c without a letter");
		*code = (uint32_t)peek(ps) % 32;
		ps->at++;
		return SJ_OK;
	case 'x':
		return take_hex(ps, 2, code) ? SJ_OK : refuse(ps, begin, "malformed \\x escape");
	case 'u':
		return unicode_escape(ps, begin, code);
	default:
		return refuse(ps, begin, is_digit(c) ? "octal escape (write \\xHH)" : foreign_escape(c));
	}
}

/* \d \D \w \W \s \S \p \P, written for the inside of a class. *is_class is false and nothing is read for any other. */
static enum sj_status class_escape(struct parser *ps, size_t begin, bool *is_class)
{
	struct sj_buf *out = &ps->f->out;
	int c = peek(ps);
	*is_class = true;
	ps->at++;
	switch (c) {
	case 'd':
	case 'D':
	case 'w':
	case 'W': /* ASCII only, as PCRE2 without PCRE2_UCP */
		sj_buf_putc(out, '\\');
		sj_buf_putc(out, (char)c);
		return SJ_OK;
	case 's':
		sj_buf_puts(out, SPACES);
		return SJ_OK;
	case 'S':
		sj_buf_puts(out, NOT_SPACES);
		return SJ_OK;
	case 'p':
	case 'P': {
		size_t open = ps->at;
		const char *close = memchr(ps->p.ptr + open, '}', ps->p.len - open);
		if (!take(ps, "{") || close == NULL)
			return refuse(ps, begin, "\\p without {property}");
		ps->at = (size_t)(close - ps->p.ptr) + 1;
		if (!sj_regex_property(out, sj_slice(ps->p.ptr + open + 1, ps->at - open - 2), c == 'P'))
			return refuse(ps, begin, "unknown Unicode property");
		return SJ_OK;
	}
	default:
		ps->at--;
		*is_class = false;
		return SJ_OK;
	}
}

/* --- classes --- */

/* One member of a class, written; a single character is returned as well, for ranges. */
static enum sj_status class_member(struct parser *ps, bool *is_single, uint32_t *code)
{
	size_t begin = ps->at;
	*is_single = true;
	if (!take(ps, "\\")) {
		if (peek(ps) == '[' && (peek_at(ps, 1) == ':' || peek_at(ps, 1) == '.' || peek_at(ps, 1) == '=')) {
			/* [:alpha:] inside [...]: ECMA-262 would read it as these very letters, which nobody means */
			char closing[3] = {(char)peek_at(ps, 1), ']', '\0'};
			for (size_t i = ps->at + 2; i + 1 < ps->p.len && ps->p.ptr[i] != ']'; i++)
				if (memcmp(ps->p.ptr + i, closing, 2) == 0)
					return refuse(ps, begin, "POSIX class (write \\p{...} or a range)");
		}
		*code = sj_utf8_next(ps->p, &ps->at);
		return SJ_OK;
	}
	bool is_class;
	enum sj_status status = class_escape(ps, begin, &is_class);
	if (status != SJ_OK || is_class) {
		*is_single = false;
		return status;
	}
	if (take(ps, "b")) {
		*code = 8;
		return SJ_OK;
	}
	if (peek(ps) == 'B')
		return refuse(ps, begin, "\\B in a class");
	return character_escape(ps, begin, code);
}

/* Behind [. */
static enum sj_status char_class(struct parser *ps, size_t begin)
{
	struct sj_buf *out = &ps->f->out;
	bool negated = take(ps, "^");
	if (take(ps, "]")) {
		sj_buf_puts(out, negated ? "." : "(?!)"); /* with PCRE2_DOTALL */
		return SJ_OK;
	}
	sj_buf_puts(out, negated ? "[^" : "[");
	while (!take(ps, "]")) {
		bool single, last_single;
		uint32_t first, last;
		size_t member = ps->at;
		if (peek(ps) < 0)
			return refuse(ps, begin, "class without ]");
		enum sj_status status = class_member(ps, &single, &first);
		if (status != SJ_OK)
			return status;
		if (single)
			put_code(ps, first);
		if (peek(ps) != '-' || peek_at(ps, 1) == ']' || peek_at(ps, 1) < 0)
			continue;
		ps->at++;
		size_t dash = out->len;
		status = class_member(ps, &last_single, &last);
		if (status != SJ_OK)
			return status;
		if (single && last_single) {
			if (last < first)
				return refuse(ps, member, "range out of order");
			sj_buf_putc(out, '-');
			put_code(ps, last);
			continue;
		}
		/* A class escape makes no range: the dash is itself. */
		if ((status = insert(ps, dash, "\\x{2d}")) != SJ_OK)
			return status;
		if (last_single)
			put_code(ps, last);
	}
	sj_buf_putc(out, ']');
	return SJ_OK;
}

/* --- names and references --- */

/* Behind (?< or \k<: the name and its >. */
static enum sj_status group_name(struct parser *ps, size_t begin, struct sj_slice *out)
{
	size_t first = ps->at;
	while (peek(ps) >= 0 && peek(ps) != '>') {
		if (peek(ps) == '\\')
			return refuse(ps, ps->at, "escape in a group name");
		bool start = ps->at == first;
		uint32_t c = sj_utf8_next(ps->p, &ps->at);
		bool joiner = c == 0x200C || c == 0x200D;
		if (c != '$' && c != '_' && (start ? !sj_xid_start(c) : !sj_xid_continue(c) && !joiner))
			return refuse(ps, begin, "malformed group name");
	}
	*out = sj_slice(ps->p.ptr + first, ps->at - first);
	return out->len > 0 && take(ps, ">") ? SJ_OK : refuse(ps, begin, "malformed group name");
}

/* Counts the captures and reads their names before anything else, since a reference may point forward. */
static enum sj_status survey(struct parser *ps)
{
	bool in_class = false;
	while (ps->at < ps->p.len) {
		size_t begin = ps->at;
		if (take(ps, "\\")) {
			ps->at += peek(ps) >= 0;
			continue;
		}
		char c = ps->p.ptr[ps->at++];
		if (c == '[')
			in_class = true;
		else if (c == ']')
			in_class = false;
		if (c != '(' || in_class)
			continue;
		if (peek(ps) == '?' && !(peek_at(ps, 1) == '<' && peek_at(ps, 2) != '=' && peek_at(ps, 2) != '!'))
			continue;
		ps->captures++;
		if (!take(ps, "?<"))
			continue;
		struct name n = {.number = ps->captures};
		enum sj_status status = group_name(ps, begin, &n.text);
		for (uint32_t i = 0; status == SJ_OK && i < ps->names.count; i++)
			if (sj_slice_eq(ps->names.items[i].text, n.text))
				status = refuse(ps, begin, "duplicate group name");
		if (status == SJ_OK)
			status = SJ_VEC_RESERVE(ps->mem, &ps->names, ps->names.count + 1, 0);
		if (status != SJ_OK)
			return status;
		ps->names.items[ps->names.count++] = n;
	}
	ps->at = 0;
	return SJ_OK;
}

static bool is_inside(const struct parser *ps, uint32_t number)
{
	for (uint32_t i = 1; i <= ps->depth; i++)
		if (ps->groups.items[ps->open[i]].kind == CAPTURE && ps->groups.items[ps->open[i]].number == number)
			return true;
	return false;
}

static enum sj_status put_reference(struct parser *ps, size_t begin, uint32_t number)
{
	struct sj_buf *out = &ps->f->out;
	if (number == 0 || number > ps->captures)
		return refuse(ps, begin, "backreference to a group that is not there");
	for (uint32_t i = 1; i <= ps->depth; i++) {
		enum kind kind = ps->groups.items[ps->open[i]].kind;
		if (kind == BEHIND || kind == NOT_BEHIND)
			return refuse(ps, begin, "backreference inside a lookbehind");
	}
	/* Inside its own group a capture is not set, so it matches the empty text; PCRE2 would see the previous round's. */
	if (is_inside(ps, number)) {
		sj_buf_puts(out, "(?:)");
		return SJ_OK;
	}
	enum sj_status status = SJ_VEC_RESERVE(ps->mem, &ps->refs, ps->refs.count + 1, 0);
	if (status != SJ_OK)
		return status;
	ps->refs.items[ps->refs.count++] = (struct reference){
		.group = ps->open[ps->depth],
		.branch = ps->branch[ps->depth],
		.number = number,
		.at = (uint32_t)begin,
	};
	sj_buf_printf(out, "(?C'b%u')\\g{%u}", (unsigned)number, (unsigned)number);
	return SJ_OK;
}

static enum sj_status named_reference(struct parser *ps, size_t begin)
{
	struct sj_slice name;
	if (!take(ps, "<"))
		return refuse(ps, begin, "\\k without <name>");
	enum sj_status status = group_name(ps, begin, &name);
	if (status != SJ_OK)
		return status;
	for (uint32_t i = 0; i < ps->names.count; i++)
		if (sj_slice_eq(ps->names.items[i].text, name))
			return put_reference(ps, begin, ps->names.items[i].number);
	return refuse(ps, begin, "backreference to a group that is not there");
}

/* ECMA-262 forgets the captures inside a group whenever the group begins another round; PCRE2 keeps them. A reference
 * means the same to both when the capture it names is certainly set in the round it is used in. The others are refused,
 * because a check that holds here and fails elsewhere is worse than none. */
static bool reference_is_exact(const struct parser *ps, const struct reference *r)
{
	const struct group *g = ps->groups.items;
	uint32_t target = 0;
	while (!(g[target].kind == CAPTURE && g[target].number == r->number))
		target++;

	/* The innermost group that holds both; a reference stands in no group that its target stands for. */
	uint32_t common = r->group, branch = r->branch;
	for (;;) {
		uint32_t up = target;
		while (up != 0 && g[up].parent != common)
			up = g[up].parent;
		if (up != 0 && g[up].parent == common)
			break;
		branch = g[common].branch;
		common = g[common].parent;
	}
	bool in_loop = false;
	for (uint32_t up = common; up != 0; up = g[up].parent)
		in_loop |= g[up].max > 1;

	/* From the capture outwards: can a round leave it out? */
	bool skippable = false, looped = false, own_loop_exact = true;
	for (uint32_t up = target; up != common; up = g[up].parent) {
		looped |= g[up].max > 1;
		if (g[up].max > 1 && (skippable || g[up].nullable))
			own_loop_exact = false;
		if (looped && g[up].kind == BEHIND) /* matched backwards: its last round is the leftmost */
			own_loop_exact = false;
		if (g[up].min == 0 || g[up].kind == NOT_AHEAD || g[up].kind == NOT_BEHIND)
			skippable = true;
		bool same_branch = g[up].parent == common ? g[up].branch == branch : g[g[up].parent].branches == 1;
		if (g[up].parent == common ? in_loop && !same_branch : !same_branch)
			skippable = true;
	}
	bool set_before = g[target].open_at < r->at && !skippable;
	return own_loop_exact && (!in_loop || set_before);
}

/* --- groups --- */

/* Behind "(?" stand these two, and no known group. */
static const char *foreign_group(int c, int next)
{
	if (is_digit(c) || ((c == '+' || c == '-') && is_digit(next)))
		return "recursion";
	return is_alpha(c) || c == '-' || c == '^' ? "inline flags" : "unknown group (?";
}

static enum sj_status open_group(struct parser *ps, size_t begin)
{
	static const struct {
		const char *mark, *what;
	} foreign[] = {
		{"?>", "atomic group"},
		{"?|", "branch reset group"},
		{"?#", "comment"},
		{"?R", "recursion"},
		{"?&", "recursion"},
		{"?P>", "recursion"},
		{"?P=", "backreference (?P=name) (write \\k<name>)"},
		{"?P<", "group (?P<name>...) (write (?<name>...))"},
		{"?'", "group (?'name'...) (write (?<name>...))"},
		{"?C", "callout"},
		{"?(", "conditional group"},
		{"?*", "non-atomic lookaround"},
		{"*", "verb"},
	};
	static const struct {
		const char *mark, *written;
		enum kind kind;
	} known[] = {
		{"?:", "(?:", PLAIN}, {"?=", "(?=", AHEAD}, {"?!", "(?!", NOT_AHEAD}, {"?<=", "(?<=", BEHIND}, {"?<!", "(?<!", NOT_BEHIND},
	};
	struct sj_buf *out = &ps->f->out;
	struct group g = {
		.kind = CAPTURE,
		.parent = ps->open[ps->depth],
		.branch = ps->branch[ps->depth],
		.branches = 1,
		.min = 1,
		.max = 1,
		.open_at = (uint32_t)begin,
		.written = out->len,
		.opened_before = ps->opened,
	};
	enum sj_status status = SJ_OK;

	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (take(ps, foreign[i].mark))
			return refuse(ps, begin, foreign[i].what);
	size_t k = 0;
	while (k < sizeof known / sizeof *known && !take(ps, known[k].mark))
		k++;
	if (k < sizeof known / sizeof *known) {
		g.kind = known[k].kind;
		sj_buf_puts(out, known[k].written);
	} else {
		struct sj_slice name;
		if (take(ps, "?<"))
			status = group_name(ps, begin, &name);
		else if (peek(ps) == '?')
			return refuse(ps, begin, foreign_group(peek_at(ps, 1), peek_at(ps, 2)));
		if (status != SJ_OK)
			return status;
		g.number = ++ps->opened;
		sj_buf_putc(out, '(');
	}
	sj_buf_puts(out, CALLOUT);
	ps->row = 0;

	if (ps->depth == MAX_NEST)
		return too_much(ps, begin, "groups nested too deep");
	if ((status = SJ_VEC_RESERVE(ps->mem, &ps->groups, ps->groups.count + 1, 0)) != SJ_OK)
		return status;
	ps->depth++;
	ps->open[ps->depth] = ps->groups.count;
	ps->branch[ps->depth] = 0;
	ps->empty_so_far[ps->depth] = true;
	ps->groups.items[ps->groups.count++] = g;
	return SJ_OK;
}

static void next_branch(struct parser *ps)
{
	struct group *g = &ps->groups.items[ps->open[ps->depth]];
	g->branches++;
	g->nullable |= ps->empty_so_far[ps->depth];
	ps->branch[ps->depth]++;
	ps->empty_so_far[ps->depth] = true;
	sj_buf_puts(&ps->f->out, "|" CALLOUT);
	ps->row = 0;
}

static void close_group(struct parser *ps, struct atom *a)
{
	struct group *g = &ps->groups.items[ps->open[ps->depth]];
	g->nullable |= ps->empty_so_far[ps->depth];
	bool assertion = g->kind >= AHEAD;
	*a = (struct atom){
		.written = g->written,
		.opened_before = g->opened_before,
		.repeatable = !assertion,
		.is_group = true,
		.nullable = assertion || g->nullable,
		.group = ps->open[ps->depth],
	};
	ps->depth--;
	sj_buf_putc(&ps->f->out, ')');
}

/* --- quantifiers --- */

/* A number, no larger than MAX_REPEAT + 1. */
static bool take_count(struct parser *ps, uint32_t *out)
{
	uint32_t v = 0;
	size_t first = ps->at;
	for (; is_digit(peek(ps)); ps->at++)
		if ((v = v * 10 + (uint32_t)(peek(ps) - '0')) > MAX_REPEAT)
			v = MAX_REPEAT + 1;
	*out = v;
	return ps->at > first;
}

/* *found is false and nothing is read when no quantifier stands here. */
static enum sj_status quantifier(struct parser *ps, bool *found, uint32_t *min, uint32_t *max)
{
	size_t begin = ps->at;
	*found = true;
	*max = UNBOUNDED;
	if (take(ps, "*")) {
		*min = 0;
	} else if (take(ps, "+")) {
		*min = 1;
	} else if (take(ps, "?")) {
		*min = 0;
		*max = 1;
	} else if (peek(ps) == '{' && (is_digit(peek_at(ps, 1)) || peek_at(ps, 1) == ',')) {
		ps->at++;
		if (!take_count(ps, min))
			return refuse(ps, begin, "incomplete count {,n} (write {0,n})");
		*max = *min;
		if (take(ps, ",") && !take_count(ps, max))
			*max = UNBOUNDED;
		if (!take(ps, "}"))
			return refuse(ps, begin, "incomplete count in { }");
		if (*min > MAX_REPEAT || (*max != UNBOUNDED && *max > MAX_REPEAT))
			return too_much(ps, begin, "repeat count above 65535");
		if (*max < *min)
			return refuse(ps, begin, "counts out of order in { }");
	} else {
		*found = false;
	}
	return SJ_OK;
}

/* X{0} matches nothing but the empty text. PCRE2 10.42 would still draw conclusions from the inside of X (anchors, first
 * characters), so it goes; its captures stay, never set, for the sake of the numbers. */
static void drop(struct parser *ps, const struct atom *a)
{
	struct sj_buf *out = &ps->f->out;
	if (sj_buf_status(out) != SJ_OK)
		return;
	out->len = a->written;
	while (ps->f->places.count > 0 && ps->f->places.items[ps->f->places.count - 1].written > a->written)
		ps->f->places.count--;
	sj_buf_puts(out, "(?>|");
	for (uint32_t n = a->opened_before; n < ps->opened; n++)
		sj_buf_puts(out, "()");
	sj_buf_putc(out, ')');
}

static enum sj_status repeat(struct parser *ps, struct atom *a)
{
	struct sj_buf *out = &ps->f->out;
	size_t begin = ps->at;
	uint32_t min, max;
	bool found;
	enum sj_status status = quantifier(ps, &found, &min, &max);
	if (status != SJ_OK || !found)
		return status;
	if (!a->repeatable)
		return refuse(ps, begin, a->is_group ? "quantifier on an assertion" : "nothing to repeat");
	bool lazy = take(ps, "?");
	if (peek(ps) == '+')
		return refuse(ps, ps->at, "possessive quantifier");

	if (!a->is_group && min >= CALLOUT_FROM) {
		char callout[16] = "(?C'm00000')";
		for (uint32_t i = 9, left = min; left > 0; i--, left /= 10)
			callout[i] = (char)('0' + left % 10);
		if ((status = insert(ps, a->written, callout)) != SJ_OK)
			return status;
	}
	if (max == 0)
		drop(ps, a);
	else if (max == UNBOUNDED)
		sj_buf_printf(out, "{%u,}", (unsigned)min);
	else
		sj_buf_printf(out, "{%u,%u}", (unsigned)min, (unsigned)max);
	if (lazy && max > 0)
		sj_buf_putc(out, '?');
	sj_buf_puts(out, CALLOUT);
	ps->row = 0;
	if (a->is_group) {
		ps->groups.items[a->group].min = min;
		ps->groups.items[a->group].max = max;
	}
	a->nullable |= min == 0;
	status = quantifier(ps, &found, &min, &max);
	return status == SJ_OK && found ? refuse(ps, begin, "nothing to repeat") : status;
}

/* --- the whole --- */

static enum sj_status escape(struct parser *ps, size_t begin, struct atom *a)
{
	struct sj_buf *out = &ps->f->out;
	bool is_class;
	uint32_t code;
	enum sj_status status;

	if (peek(ps) == 'b' || peek(ps) == 'B') { /* by ASCII letters, as PCRE2 without PCRE2_UCP */
		sj_buf_putc(out, '\\');
		sj_buf_putc(out, ps->p.ptr[ps->at++]);
		*a = (struct atom){.is_group = true, .nullable = true};
		return SJ_OK;
	}
	if (is_digit(peek(ps)) && peek(ps) != '0') {
		uint32_t number;
		(void)take_count(ps, &number);
		a->nullable = true;
		return put_reference(ps, begin, number);
	}
	if (take(ps, "k")) {
		a->nullable = true;
		return named_reference(ps, begin);
	}
	sj_buf_putc(out, '[');
	if ((status = class_escape(ps, begin, &is_class)) != SJ_OK)
		return status;
	if (is_class) {
		sj_buf_putc(out, ']');
		return SJ_OK;
	}
	out->len = a->written; /* takes the [ back */
	if ((status = character_escape(ps, begin, &code)) == SJ_OK)
		put_code(ps, code);
	return status;
}

static enum sj_status term(struct parser *ps)
{
	struct sj_buf *out = &ps->f->out;
	enum sj_status status = mark_place(ps, ps->at);
	if (status != SJ_OK)
		return status;
	size_t begin = ps->at;
	struct atom a = {.written = out->len, .opened_before = ps->opened, .repeatable = true};
	int c = peek(ps);
	switch (c) {
	case '|':
		ps->at++;
		next_branch(ps);
		return SJ_OK;
	case '(':
		ps->at++;
		return open_group(ps, begin);
	case ')':
		ps->at++;
		if (ps->depth == 0)
			return refuse(ps, begin, "unmatched )");
		close_group(ps, &a);
		break;
	case '^':
	case '$':
		ps->at++;
		sj_buf_putc(out, (char)c);
		a = (struct atom){.is_group = true, .nullable = true};
		break;
	case '.':
		ps->at++;
		sj_buf_puts(out, NOT_LINE_END);
		break;
	case '[':
		ps->at++;
		status = char_class(ps, begin);
		break;
	case '\\':
		ps->at++;
		status = escape(ps, begin, &a);
		break;
	case '*':
	case '+':
	case '?':
		return refuse(ps, begin, "nothing to repeat");
	case '{':
		if (is_digit(peek_at(ps, 1)) || peek_at(ps, 1) == ',')
			return refuse(ps, begin, "nothing to repeat");
		put_code(ps, sj_utf8_next(ps->p, &ps->at));
		break;
	default:
		put_code(ps, sj_utf8_next(ps->p, &ps->at));
		break;
	}
	if (status == SJ_OK)
		status = repeat(ps, &a);
	ps->empty_so_far[ps->depth] &= a.nullable;
	if (++ps->row == CALLOUT_EVERY && peek(ps) != ')') {
		sj_buf_puts(out, CALLOUT);
		ps->row = 0;
	}
	return status;
}

static enum sj_status parse(struct parser *ps)
{
	size_t bad = sj_utf8_check(ps->p);
	if (bad != ps->p.len)
		return refuse(ps, bad, "ill-formed UTF-8");
	enum sj_status status = survey(ps);
	if (status == SJ_OK)
		status = SJ_VEC_RESERVE(ps->mem, &ps->groups, 1, 0);
	if (status != SJ_OK)
		return status;
	ps->groups.items[ps->groups.count++] = (struct group){.kind = ROOT, .branches = 1, .min = 1, .max = 1};
	ps->empty_so_far[0] = true;
	sj_buf_puts(&ps->f->out, CALLOUT);
	while (status == SJ_OK && ps->at < ps->p.len)
		status = term(ps);
	if (status != SJ_OK)
		return status;
	if (ps->depth > 0)
		return refuse(ps, ps->groups.items[ps->open[ps->depth]].open_at, "group without )");
	for (uint32_t i = 0; i < ps->refs.count; i++)
		if (!reference_is_exact(ps, &ps->refs.items[i]))
			return refuse(ps, ps->refs.items[i].at, "backreference to a group that a repetition may leave out");
	return sj_buf_status(&ps->f->out);
}

void sj_regex_front_init(struct sj_regex_front *f, struct sj_mem *mem)
{
	*f = (struct sj_regex_front){0};
	sj_buf_init(&f->out, mem, 0);
}

enum sj_status sj_regex_front_run(struct sj_regex_front *f, struct sj_mem *mem, struct sj_slice pattern, struct sj_diag *diag)
{
	struct parser ps = {.p = pattern, .mem = mem, .diag = diag, .f = f};
	enum sj_status status = parse(&ps);
	SJ_VEC_FREE(mem, &ps.groups);
	SJ_VEC_FREE(mem, &ps.refs);
	SJ_VEC_FREE(mem, &ps.names);
	return status;
}

void sj_regex_front_finish(struct sj_regex_front *f, struct sj_mem *mem)
{
	sj_buf_finish(&f->out);
	SJ_VEC_FREE(mem, &f->places);
}

size_t sj_regex_front_source(const struct sj_regex_front *f, size_t written)
{
	size_t source = 0;
	for (uint32_t i = 0; i < f->places.count && f->places.items[i].written <= written; i++)
		source = f->places.items[i].source;
	return source;
}
