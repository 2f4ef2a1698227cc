/* Terminals of GBNF: strings of every kind, numbers within bounds, keys and segments that are none of some words. */
#include "infer/grammar_gbnf.h"

#include <stdio.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Fifteen digits: every such integer is exact as a double, and no decimal overflows. */
#define MOST 999999999999999LL

/* Whole numbers from a to b, both positive or both 0..9, as alternatives of blocks: a prefix and free digits. */
static void digits(struct sj_g_gbnf *p, long long a, long long b, bool *first)
{
	while (a <= b) {
		long long block = 1;
		unsigned free = 0;
		while (a > 0 && a % (block * 10) == 0 && a + block * 10 - 1 <= b) {
			block *= 10;
			free++;
		}
		/* Blocks that differ in the last digit of the prefix only. */
		long long prefix = a / block, last = prefix;
		while (last % 10 != 9 && (last + 2) * block - 1 <= b)
			last++;
		if (!*first)
			sj_g_raw(p, "|");
		*first = false;
		if (prefix >= 10) {
			char text[32];
			int n = snprintf(text, sizeof text, "%lld", prefix / 10);
			sj_g_put(p, sj_slice(text, (size_t)n));
		}
		if (last == prefix) {
			char digit = (char)('0' + prefix % 10);
			sj_g_put(p, sj_slice(&digit, 1));
		} else {
			sj_g_rawf(p, "[%lld-%lld]", prefix % 10, last % 10);
		}
		if (free == 1)
			sj_g_raw(p, "[0-9]");
		else if (free > 1)
			sj_g_rawf(p, "[0-9]{%u}", free);
		a = (last + 1) * block;
	}
}

static long long whole(double x, bool up)
{
	if (x > (double)MOST)
		return up ? MOST + 1 : MOST;
	if (x < -(double)MOST)
		return up ? -MOST : -MOST - 1;
	long long i = (long long)x;
	if (up && (double)i < x)
		i++;
	if (!up && (double)i > x)
		i--;
	return i;
}

static void range(struct sj_g_gbnf *p, long long a, long long b, bool fraction, bool *first)
{
	/* Below 0: the same digits after a sign, from the other side. */
	for (int sign = 0; sign < 2; sign++) {
		long long from = sign ? (b < 0 ? -b : 1) : (a > 0 ? a : 0), to = sign ? -a : b;
		/* A fraction moves away from 0: the bound itself has none. */
		if (fraction && sign && to > 0 && from == 1 && b >= 0)
			from = 0;
		if (fraction)
			to--;
		if (from > to || to < 0)
			continue;
		if (!*first)
			sj_g_raw(p, "|");
		*first = false;
		if (sign)
			sj_g_put(p, SJ_LIT("-"));
		bool own = true;
		sj_g_raw(p, "(");
		if (from <= 1 && to >= MOST - 1) /* as far as numbers go */
			sj_g_raw(p, from == 0 ? "\"0\" | [1-9] [0-9]{0,13}" : "[1-9] [0-9]{0,13}");
		else
			digits(p, from, to, &own);
		sj_g_raw(p, ")");
		if (fraction)
			sj_g_raw(p, "\".\" [0-9]{1,6}");
	}
}

void sj_g_number_put(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	if (!node->has_min && !node->has_max) {
		*(node->integer ? &p->integer : &p->number) = true;
		sj_g_raw(p, node->integer ? "integer" : "number");
		return;
	}
	long long a = node->has_min ? whole(node->min, true) : -MOST,
		  b = node->has_max ? whole(node->max, false) : MOST;
	a = a < -MOST ? -MOST : a;
	b = b > MOST ? MOST : b;
	bool first = true;
	sj_g_raw(p, "(");
	if (a <= b)
		range(p, a, b, false, &first);
	if (a <= b && !node->integer)
		range(p, a, b, true, &first);
	if (first) /* never: whoever makes the node sees to it that a whole number lies between */
		sj_g_put(p, SJ_LIT("0"));
	sj_g_raw(p, ")");
}

/* ---- none of some words ------------------------------------------------------------------------------------------ */

enum { LONGEST_WORD = 40 };
#define KEY_CHARS "A-Za-z0-9_"

static bool is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A class of the key's characters without some. */
static void class_without(struct sj_g_gbnf *p, const bool *without)
{
	char text[160];
	size_t n = 0;
	text[n++] = '[';
	for (int c = '0'; c <= 'z'; c++) {
		if (!is_key_char((char)c) || without[c])
			continue;
		int last = c;
		while (last < 'z' && is_key_char((char)(last + 1)) && !without[last + 1])
			last++;
		text[n++] = (char)c;
		if (last > c + 1)
			text[n++] = '-';
		if (last > c)
			text[n++] = (char)last;
		c = last;
	}
	text[n++] = ']';
	text[n] = 0;
	sj_g_raw(p, text);
}

/* What may follow a prefix of `at` characters that `n` words share, so that the whole is none of them. Recursion ends
 * with the longest word that is looked at. */
static void other_than(struct sj_g_gbnf *p, const struct sj_slice *words, uint32_t n, uint32_t at)
{
	bool ends = false, taken[128] = {0};
	sj_g_raw(p, "(");
	bool any = false;
	for (uint32_t i = 0; i < n;) {
		if (words[i].len == at) {
			ends = true;
			i++;
			continue;
		}
		char c = words[i].ptr[at];
		uint32_t same = i;
		while (same < n && words[same].len > at && words[same].ptr[at] == c)
			same++;
		taken[(unsigned char)c & 127] = true;
		if (any)
			sj_g_raw(p, "|");
		any = true;
		sj_g_put(p, sj_slice(&c, 1));
		other_than(p, words + i, same - i, at + 1);
		i = same;
	}
	if (any)
		sj_g_raw(p, "|");
	class_without(p, taken);
	sj_g_raw(p, "key-rest");
	sj_g_raw(p, ends ? ")" : ")?");
	p->key = true;
}

void sj_g_key_put(struct sj_g_gbnf *p, char first, const struct sj_slice *words, uint32_t n)
{
	/* Those of the words, and of the known keys, that begin so and can be said by the free rule at all. */
	struct sj_slice all[64];
	uint32_t count = 0, total = n + p->g->nkeys;
	const struct sj_slice *keys = p->g->keys;
	bool upper = first == 'A', overflow = false;
	for (uint32_t i = 0, k = 0; i + k < total;) { /* both lists are sorted */
		struct sj_slice w;
		if (k == p->g->nkeys || (i < n && sj_slice_cmp(words[i], keys[k]) <= 0))
			w = words[i++];
		else
			w = keys[k++];
		bool begins = w.len > 0 && (upper ? w.ptr[0] >= 'A' && w.ptr[0] <= 'Z' : w.ptr[0] == first);
		bool plain = w.len <= LONGEST_WORD;
		for (size_t c = 0; c < w.len && plain; c++)
			plain = is_key_char(w.ptr[c]);
		if (!begins || !plain || (count > 0 && sj_slice_eq(all[count - 1], w)))
			continue;
		if (count == sizeof all / sizeof *all)
			overflow = true;
		else
			all[count++] = w;
	}
	p->key = true;
	if (overflow) {
		/* Too many to tell apart: a free key is then one longer than any of them. */
		sj_g_put(p, SJ_LIT("\""));
		if (upper)
			sj_g_raw(p, "[A-Z]");
		else
			sj_g_put(p, sj_slice(&first, 1));
		sj_g_rawf(p, "[" KEY_CHARS "]{%d} key-rest", LONGEST_WORD);
	} else if (upper && count > 0) {
		sj_g_put(p, SJ_LIT("\""));
		sj_g_raw(p, "(");
		bool taken[128];
		for (int c = 0; c < 128; c++)
			taken[c] = c < 'A' || c > 'Z';
		for (uint32_t i = 0; i < count;) {
			char c = all[i].ptr[0];
			uint32_t same = i;
			while (same < count && all[same].ptr[0] == c)
				same++;
			taken[(unsigned char)c & 127] = true;
			sj_g_put(p, sj_slice(&c, 1));
			other_than(p, all + i, same - i, 1);
			sj_g_raw(p, "|");
			i = same;
		}
		bool left = false;
		for (int c = 'A'; c <= 'Z'; c++)
			left = left || !taken[c];
		if (left) {
			class_without(p, taken);
			sj_g_raw(p, "key-rest )");
		} else {
			sj_g_rawf(p, "\"A\" [" KEY_CHARS "]{%d} key-rest )", LONGEST_WORD);
		}
	} else {
		sj_g_put(p, SJ_LIT("\""));
		if (upper)
			sj_g_raw(p, "[A-Z]");
		else
			sj_g_put(p, sj_slice(&first, 1));
		if (count > 0)
			other_than(p, all, count, 1);
		else
			sj_g_raw(p, "key-rest");
	}
	sj_g_put(p, SJ_LIT("\":"));
	sj_g_space(p);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static const char *const names[SJ_G_STR_COUNT] = {
	[SJ_G_STR_ANY] = "string",          [SJ_G_STR_ID] = "identifier",
	[SJ_G_STR_PATH] = "path-text",      [SJ_G_STR_TEMPLATE] = "template-text",
	[SJ_G_STR_DATE] = "date",           [SJ_G_STR_TIME] = "time",
	[SJ_G_STR_DATE_TIME] = "date-time", [SJ_G_STR_URI] = "uri",
	[SJ_G_STR_EMAIL] = "email",         [SJ_G_STR_UUID] = "uuid",
};

void sj_g_string_put(struct sj_g_gbnf *p, const struct sj_g_node *node)
{
	if (node->str == SJ_G_STR_PATTERN) {
		sj_g_put(p, SJ_LIT("\""));
		sj_g_raw(p, "(");
		struct sj_slice text = node->text;
		if (p->gap)
			sj_buf_putc(p->out, ' ');
		sj_buf_slice(p->out, text);
		sj_g_raw(p, ")");
		sj_g_put(p, SJ_LIT("\""));
		return;
	}
	if (node->str == SJ_G_STR_ANY && (node->has_min || node->has_max)) {
		p->chr = true;
		sj_g_put(p, SJ_LIT("\""));
		uint32_t min = node->has_min && node->min > 0 ? (uint32_t)node->min : 0;
		if (node->has_max)
			sj_g_rawf(p, "char{%u,%u}", min, node->max > 2000 ? 2000 : (uint32_t)node->max);
		else
			sj_g_rawf(p, "char{%u,}", min);
		sj_g_put(p, SJ_LIT("\""));
		return;
	}
	p->strings[node->str] = true;
	sj_g_raw(p, names[node->str]);
}

static void rule(struct sj_g_gbnf *p, const char *text)
{
	sj_buf_puts(p->out, text);
	sj_buf_putc(p->out, '\n');
}

/* Text in which a dollar opens an expression that closes: a path, or a call of a function that gives something, whose
 * arguments are paths, texts, numbers or truth. */
static void template_rules(struct sj_g_gbnf *p)
{
	const struct sj_grammar_options *o = &p->g->opt;
	struct sj_g_kept kept;
	bool first = true;
	rule(p, "template-text ::= \"\\\"\" ( [^\"\\\\$\\x00-\\x1F\\x7F] | \"\\\\\" [\"nt] | \"${\" ( template-path | template-call ) \"}\" )* \"\\\"\"");
	rule(p, "template-path ::= ( \"/\" segment ){1,8} | name ( \"/\" segment ){0,7}");
	rule(p, "template-arg ::= [a-zA-Z] [a-zA-Z0-9_]* \":\" \" \"? ( \"${\" template-path \"}\" | \"'\" [^\"'\\\\$\\x00-\\x1F\\x7F]* \"'\" | "
	        "[0-9] [0-9]{0,8} ( \".\" [0-9]{1,6} )? | \"true\" | \"false\" )");
	sj_g_begin(p, &kept, "template-call");
	sj_g_raw(p, "(");
	for (uint32_t i = 0; i < sj_catalog_function_count(o->catalogs[0]); i++) {
		const struct sj_a2ui_function *f = sj_catalog_function_at(o->catalogs[0], i);
		bool plain = !f->is_effect && f->allowed != SJ_CALLER_AGENT_ONLY;
		for (size_t k = 0; k < f->name.len && plain; k++)
			plain = is_key_char(f->name.ptr[k]);
		if (!plain)
			continue;
		if (!first)
			sj_g_raw(p, "|");
		first = false;
		sj_g_put(p, f->name);
	}
	if (first) /* it is a template, so there is one */
		sj_g_put(p, SJ_LIT("formatString"));
	sj_g_raw(p, ") \"(\" ( template-arg ( \",\" \" \"? template-arg )* )? \")\"");
	sj_g_end(p, &kept);
	sj_buf_slice(p->out, sj_buf_view(&p->extra));
	sj_buf_clear(&p->extra);
}

void sj_g_words_end(struct sj_g_gbnf *p)
{
	static const struct sj_slice traps[] = {{"__proto__", 9}, {"constructor", 11}, {"prototype", 9}};
	bool *s = p->strings;
	bool v10 = p->g->opt.version >= SJ_V10;
	if (s[SJ_G_STR_DATE_TIME])
		rule(p, "date-time ::= \"\\\"\" date-body \"T\" time-body \"\\\"\"");
	if (s[SJ_G_STR_DATE])
		rule(p, "date ::= \"\\\"\" date-body \"\\\"\"");
	if (s[SJ_G_STR_TIME])
		rule(p, "time ::= \"\\\"\" time-body \"\\\"\"");
	if (s[SJ_G_STR_DATE_TIME] || s[SJ_G_STR_DATE])
		rule(p, "date-body ::= [0-9]{4} \"-\" ( ( \"0\" [13578] | \"1\" [02] ) \"-\" ( \"0\" [1-9] | [12] [0-9] | \"3\" [01] ) | "
		        "( \"0\" [469] | \"11\" ) \"-\" ( \"0\" [1-9] | [12] [0-9] | \"30\" ) | "
		        "\"02-\" ( \"0\" [1-9] | \"1\" [0-9] | \"2\" [0-8] ) )");
	if (s[SJ_G_STR_DATE_TIME] || s[SJ_G_STR_TIME])
		rule(p, "time-body ::= ( [01] [0-9] | \"2\" [0-3] ) \":\" [0-5] [0-9] \":\" [0-5] [0-9] ( \".\" [0-9]{1,6} )? "
		        "( \"Z\" | [+-] ( [01] [0-9] | \"2\" [0-3] ) \":\" [0-5] [0-9] )");
	if (s[SJ_G_STR_URI])
		rule(p, "uri ::= \"\\\"http\" \"s\"? \"://\" [a-z0-9]+ ( [.-] [a-z0-9]+ )* ( \":\" [1-9] [0-9]{0,3} )? "
		        "( \"/\" [A-Za-z0-9._~-]* )* ( \"?\" [A-Za-z0-9._~=&-]* )? ( \"#\" [A-Za-z0-9._~-]* )? \"\\\"\"");
	if (s[SJ_G_STR_EMAIL])
		rule(p, "email ::= \"\\\"\" [a-z0-9]+ ( [._-] [a-z0-9]+ )* \"@\" ( [a-z0-9]+ \".\" )+ [a-z]{2,8} \"\\\"\"");
	if (s[SJ_G_STR_UUID])
		rule(p, "uuid ::= \"\\\"\" [0-9a-f]{8} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{12} \"\\\"\"");
	if (s[SJ_G_STR_TEMPLATE])
		template_rules(p);
	if (s[SJ_G_STR_PATH])
		rule(p, "path-text ::= \"\\\"\" path-body \"\\\"\"");
	if (s[SJ_G_STR_TEMPLATE] || s[SJ_G_STR_PATH]) {
		if (s[SJ_G_STR_PATH])
			rule(p, "path-body ::= \"/\" | ( \"/\" segment ){1,8} | segment ( \"/\" segment ){0,7}");
		/* Keys that would be refused, spelled out letter by letter; an index stays within what one write may
		 * skip. */
		struct sj_g_kept kept;
		rule(p, "segment ::= [0-9]{1,2} | name");
		sj_g_begin(p, &kept, "name");
		sj_g_put(p, SJ_LIT("_"));
		other_than(p, &traps[0], 1, 1);
		sj_g_raw(p, "|");
		sj_g_put(p, SJ_LIT("c"));
		other_than(p, &traps[1], 1, 1);
		sj_g_raw(p, "|");
		sj_g_put(p, SJ_LIT("p"));
		other_than(p, &traps[2], 1, 1);
		sj_g_raw(p, "| [A-Zabd-oq-z] key-rest");
		sj_g_end(p, &kept);
		sj_buf_slice(p->out, sj_buf_view(&p->extra));
		sj_buf_clear(&p->extra);
	}
	if (s[SJ_G_STR_ID]) /* v1.0: an identifier; before, hyphens too */
		rule(p, v10 ? "identifier ::= \"\\\"\" [A-Za-z_] [A-Za-z0-9_]{0,39} \"\\\"\""
		            : "identifier ::= \"\\\"\" [A-Za-z_] [A-Za-z0-9_-]{0,39} \"\\\"\"");
	if (p->key)
		rule(p, "key-rest ::= [" KEY_CHARS "]*");
	if (p->scalar)
		rule(p, "scalar ::= string | number | boolean | \"null\"");
	if (s[SJ_G_STR_ANY]) {
		rule(p, "string ::= \"\\\"\" char* \"\\\"\"");
		p->chr = true;
	}
	if (p->chr)
		/* A lone surrogate is no character: escapes of surrogates come in pairs. */
		rule(p, "char ::= [^\"\\\\\\x00-\\x1F\\x7F] | \"\\\\\" ( [\"\\\\/bfnrt] | \"u\" ( [0-9A-CE-Fa-ce-f] [0-9A-Fa-f]{3} | "
		        "[Dd] [0-7] [0-9A-Fa-f]{2} | [Dd] [89ABab] [0-9A-Fa-f]{2} \"\\\\u\" [Dd] [C-Fc-f] [0-9A-Fa-f]{2} ) )");
	if (p->number)
		rule(p, "number ::= \"-\"? ( \"0\" | [1-9] [0-9]{0,14} ) ( \".\" [0-9]{1,6} )?");
	if (p->integer)
		rule(p, "integer ::= \"-\"? ( \"0\" | [1-9] [0-9]{0,14} )");
	if (p->boolean)
		rule(p, "boolean ::= \"true\" | \"false\"");
	if (p->space)
		rule(p, "ws ::= ( \" \" | \"\\n\" [ \\t]{0,16} )?");
	if (p->g->status == SJ_OK)
		p->g->status = sj_buf_status(p->out);
	if (p->g->status == SJ_OK && p->out->len > p->g->opt.max_bytes)
		p->g->status = SJ_LIMIT;
}
