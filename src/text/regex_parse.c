#include "text/regex_parse.h"

#include "base/utf.h"
#include "text/ident.h"
#include "text/regex_reader.h"

#define MAX_NEST 100         /* groups inside each other; also below PCRE2's own limit of 250 */
#define MAX_REPEAT 65535     /* PCRE2's largest count */
#define UNBOUNDED UINT32_MAX
#define CALLOUT "(?C)"
#define CALLOUT_EVERY 32     /* characters matched in a row without a callout */
#define CALLOUT_FROM 32      /* a repeat that wants fewer characters goes without a callout of its own */

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
	struct sj_regex_reader r;
	struct sj_mem *mem;
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
	return sj_diag_set(diag, SJ_INVALID, SJ_E_REGEX, SJ_CAT_EXPRESSION,
	                   "Invalid regular expression: %s at byte %zu", what, offset);
}

static enum sj_status refuse(struct parser *ps, size_t at, const char *what)
{
	return sj_rx_refuse(&ps->r, at, what);
}

static enum sj_status too_much(struct parser *ps, size_t at, const char *what)
{
	if (ps->r.diag != NULL && ps->r.diag->code == SJ_E_NONE)
		ps->r.diag->offset = at;
	return sj_diag_set(ps->r.diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION,
	                   "Regular expression beyond a limit: %s at byte %zu", what, at);
}

static int peek_at(const struct parser *ps, size_t ahead)
{
	return sj_rx_peek_at(&ps->r, ahead);
}

static int peek(const struct parser *ps)
{
	return sj_rx_peek(&ps->r);
}

static bool take(struct parser *ps, const char *text)
{
	return sj_rx_take(&ps->r, text);
}

static enum sj_status mark_place(struct parser *ps, size_t source)
{
	struct sj_regex_front *f = ps->f;
	enum sj_status status = SJ_VEC_RESERVE(ps->mem, &f->places, f->places.count + 1, 0);
	if (status == SJ_OK)
		f->places.items[f->places.count++] = (struct sj_regex_place){(uint32_t)f->out.len, (uint32_t)source};
	return status;
}

/* --- names and references --- */

/* Behind (?< or \k<: the name and its >. */
static enum sj_status group_name(struct parser *ps, size_t begin, struct sj_slice *out)
{
	size_t first = ps->r.at;
	while (peek(ps) >= 0 && peek(ps) != '>') {
		if (peek(ps) == '\\')
			return refuse(ps, ps->r.at, "escape in a group name");
		bool start = ps->r.at == first;
		uint32_t c = sj_utf8_next(ps->r.p, &ps->r.at);
		bool joiner = c == 0x200C || c == 0x200D;
		if (c != '$' && c != '_' && (start ? !sj_xid_start(c) : !sj_xid_continue(c) && !joiner))
			return refuse(ps, begin, "malformed group name");
	}
	*out = sj_slice(ps->r.p.ptr + first, ps->r.at - first);
	return out->len > 0 && take(ps, ">") ? SJ_OK : refuse(ps, begin, "malformed group name");
}

/* Counts the captures and reads their names before anything else, since a reference may point forward. */
static enum sj_status survey(struct parser *ps)
{
	bool in_class = false;
	while (ps->r.at < ps->r.p.len) {
		size_t begin = ps->r.at;
		if (take(ps, "\\")) {
			ps->r.at += peek(ps) >= 0;
			continue;
		}
		char c = ps->r.p.ptr[ps->r.at++];
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
	ps->r.at = 0;
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
	/* Inside its own group a capture is not set, so it matches the empty text; PCRE2 would see the previous
	 * round's. */
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
	if (sj_rx_is_digit(c) || ((c == '+' || c == '-') && sj_rx_is_digit(next)))
		return "recursion";
	return sj_rx_is_alpha(c) || c == '-' || c == '^' ? "inline flags" : "unknown group (?";
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
		{"?:", "(?:", PLAIN},    {"?=", "(?=", AHEAD},        {"?!", "(?!", NOT_AHEAD},
		{"?<=", "(?<=", BEHIND}, {"?<!", "(?<!", NOT_BEHIND},
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
	size_t first = ps->r.at;
	for (; sj_rx_is_digit(peek(ps)); ps->r.at++)
		if ((v = v * 10 + (uint32_t)(peek(ps) - '0')) > MAX_REPEAT)
			v = MAX_REPEAT + 1;
	*out = v;
	return ps->r.at > first;
}

/* *found is false and nothing is read when no quantifier stands here. */
static enum sj_status quantifier(struct parser *ps, bool *found, uint32_t *min, uint32_t *max)
{
	size_t begin = ps->r.at;
	*found = true;
	*max = UNBOUNDED;
	if (take(ps, "*")) {
		*min = 0;
	} else if (take(ps, "+")) {
		*min = 1;
	} else if (take(ps, "?")) {
		*min = 0;
		*max = 1;
	} else if (peek(ps) == '{' && (sj_rx_is_digit(peek_at(ps, 1)) || peek_at(ps, 1) == ',')) {
		ps->r.at++;
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

/* X{0} matches nothing but the empty text. PCRE2 10.42 would still draw conclusions from the inside of X (anchors,
 * first characters), so it goes; its captures stay, never set, for the sake of the numbers. */
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
	size_t begin = ps->r.at;
	uint32_t min, max;
	bool found;
	enum sj_status status = quantifier(ps, &found, &min, &max);
	if (status != SJ_OK || !found)
		return status;
	if (!a->repeatable)
		return refuse(ps, begin, a->is_group ? "quantifier on an assertion" : "nothing to repeat");
	bool lazy = take(ps, "?");
	if (peek(ps) == '+')
		return refuse(ps, ps->r.at, "possessive quantifier");

	if (!a->is_group && min >= CALLOUT_FROM) {
		char callout[16] = "(?C'm00000')";
		for (uint32_t i = 9, left = min; left > 0; i--, left /= 10)
			callout[i] = (char)('0' + left % 10);
		if ((status = sj_rx_insert(&ps->r, a->written, callout)) != SJ_OK)
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
		sj_buf_putc(out, ps->r.p.ptr[ps->r.at++]);
		*a = (struct atom){.is_group = true, .nullable = true};
		return SJ_OK;
	}
	if (sj_rx_is_digit(peek(ps)) && peek(ps) != '0') {
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
	if ((status = sj_regex_class_escape(&ps->r, begin, &is_class)) != SJ_OK)
		return status;
	if (is_class) {
		sj_buf_putc(out, ']');
		return SJ_OK;
	}
	out->len = a->written; /* takes the [ back */
	if ((status = sj_regex_char_escape(&ps->r, begin, &code)) == SJ_OK)
		sj_rx_put_code(&ps->r, code);
	return status;
}

static enum sj_status term(struct parser *ps)
{
	struct sj_buf *out = &ps->f->out;
	enum sj_status status = mark_place(ps, ps->r.at);
	if (status != SJ_OK)
		return status;
	size_t begin = ps->r.at;
	struct atom a = {.written = out->len, .opened_before = ps->opened, .repeatable = true};
	int c = peek(ps);
	switch (c) {
	case '|':
		ps->r.at++;
		next_branch(ps);
		return SJ_OK;
	case '(':
		ps->r.at++;
		return open_group(ps, begin);
	case ')':
		ps->r.at++;
		if (ps->depth == 0)
			return refuse(ps, begin, "unmatched )");
		close_group(ps, &a);
		break;
	case '^':
	case '$':
		ps->r.at++;
		sj_buf_putc(out, (char)c);
		a = (struct atom){.is_group = true, .nullable = true};
		break;
	case '.':
		ps->r.at++;
		sj_buf_puts(out, NOT_LINE_END);
		break;
	case '[':
		ps->r.at++;
		status = sj_regex_class(&ps->r, begin);
		break;
	case '\\':
		ps->r.at++;
		status = escape(ps, begin, &a);
		break;
	case '*':
	case '+':
	case '?':
		return refuse(ps, begin, "nothing to repeat");
	case '{':
		if (sj_rx_is_digit(peek_at(ps, 1)) || peek_at(ps, 1) == ',')
			return refuse(ps, begin, "nothing to repeat");
		sj_rx_put_code(&ps->r, sj_utf8_next(ps->r.p, &ps->r.at));
		break;
	default:
		sj_rx_put_code(&ps->r, sj_utf8_next(ps->r.p, &ps->r.at));
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
	size_t bad = sj_utf8_check(ps->r.p);
	if (bad != ps->r.p.len)
		return refuse(ps, bad, "ill-formed UTF-8");
	enum sj_status status = survey(ps);
	if (status == SJ_OK)
		status = SJ_VEC_RESERVE(ps->mem, &ps->groups, 1, 0);
	if (status != SJ_OK)
		return status;
	ps->groups.items[ps->groups.count++] = (struct group){.kind = ROOT, .branches = 1, .min = 1, .max = 1};
	ps->empty_so_far[0] = true;
	sj_buf_puts(&ps->f->out, CALLOUT);
	while (status == SJ_OK && ps->r.at < ps->r.p.len)
		status = term(ps);
	if (status != SJ_OK)
		return status;
	if (ps->depth > 0)
		return refuse(ps, ps->groups.items[ps->open[ps->depth]].open_at, "group without )");
	for (uint32_t i = 0; i < ps->refs.count; i++)
		if (!reference_is_exact(ps, &ps->refs.items[i]))
			return refuse(ps, ps->refs.items[i].at,
			              "backreference to a group that a repetition may leave out");
	return sj_buf_status(&ps->f->out);
}

void sj_regex_front_init(struct sj_regex_front *f, struct sj_mem *mem)
{
	*f = (struct sj_regex_front){0};
	sj_buf_init(&f->out, mem, 0);
}

enum sj_status sj_regex_front_run(struct sj_regex_front *f, struct sj_mem *mem, struct sj_slice pattern,
                                  struct sj_diag *diag)
{
	struct parser ps = {.r = {.p = pattern, .diag = diag, .out = &f->out}, .mem = mem, .f = f};
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
