/* The template grammar: the public suite, our own table, caps, and properties over random templates. */
#include "a2ui/template.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "harness/test.h"
#include "json/value.h"

/* Parses and prints; the JSON is in `out`. */
static enum sj_status parse(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice text, struct sj_buf *out,
                            struct sj_diag *diag)
{
	struct sj_arena arena;
	struct sj_tpl tpl = {0};
	sj_arena_init(&arena, mem, 0);
	enum sj_status s = sj_tpl_parse(&arena, l, text, &tpl, diag);
	if (s == SJ_OK) {
		sj_tpl_json(&tpl, out);
		s = sj_buf_status(out);
	}
	sj_arena_finish(&arena);
	return s;
}

/* `want` is JSON, or "!" and a part of the error's text. */
static void check(const struct sj_limits *l, struct sj_slice text, const char *want)
{
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	enum sj_status s = parse(sj_test_mem(), l, text, &out, &d);
	if (want[0] == '!') {
		CHECK(s == SJ_INVALID || s == SJ_LIMIT);
		CHECK_INT(d.category, SJ_CAT_PARSE);
		CHECK(d.offset <= text.len);
		if (!strstr(d.message, want + 1))
			sj_fail_at(__FILE__, __LINE__, "%.*s: \"%s\" does not hold \"%s\"", SJ_ARG(text), d.message,
			           want + 1);
	} else {
		CHECK_INT(s, SJ_OK);
		CHECK_STR(sj_buf_view(&out), want);
	}
	sj_buf_finish(&out);
}

static struct sj_value read_json(struct sj_slice text)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, text, &v, NULL));
	return v;
}

/* ---- the public suite -------------------------------------------------------------------------------------------- */

static struct sj_slice text_of(const struct sj_value *object, const char *key)
{
	const struct sj_value *v = object ? sj_value_get(object, sj_slice_of(key)) : NULL;
	return v ? sj_value_text(v) : SJ_NO_SLICE;
}

static void suite_case(const struct sj_value *c)
{
	struct sj_mem *mem = sj_test_mem();
	const struct sj_value *error = sj_value_get(c, SJ_LIT("expect_error")),
			      *expect = sj_value_get(c, SJ_LIT("expect"));
	struct sj_slice input = text_of(c, "input");
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	enum sj_status s = parse(mem, &SJ_LIMITS_DEFAULT, input, &out, &d);
	if (error) {
		char message[512];
		snprintf(message, sizeof message, "%.*s", SJ_ARG(text_of(error, "message")));
		CHECK_INT(s, SJ_INVALID);
		CHECK(strstr(d.message, message) != NULL);
		CHECK_STR(text_of(error, "category"), sj_category_name(d.category));
	} else {
		CHECK_INT(s, SJ_OK);
		struct sj_value got = read_json(sj_buf_view(&out));
		CHECK(expect && sj_value_equal(&got, expect));
		sj_value_unref(mem, got);
	}
	sj_buf_finish(&out);
}

SJ_TEST(template_conformance)
{
	const char *path = sj_data("a2ui/conformance/core/expressions.json");
	if (!path) {
		sj_skip("the public suite is not there");
		return;
	}
	struct sj_value suite = read_json(sj_slurp(path));
	uint32_t ran = 0;
	for (uint32_t i = 0; i < sj_value_count(&suite); i++) {
		const struct sj_value *c = sj_value_item(&suite, i);
		if (!sj_slice_is(text_of(c, "action"), "parse_expression_template"))
			continue;
		sj_case("%.*s", SJ_ARG(text_of(c, "name")));
		suite_case(c);
		sj_case_end();
		ran++;
	}
	CHECK(ran >= 27);
	sj_value_unref(sj_test_mem(), suite);
}

/* ---- our own table ----------------------------------------------------------------------------------------------- */

#define CALL0(name) "{\"call\":\"" name "\",\"args\":{},\"returnType\":\"any\"}"
#define CALL1(name, args) "{\"call\":\"" name "\",\"args\":{" args "},\"returnType\":\"any\"}"

static const struct {
	const char *name, *text, *want;
} CASES[] = {
	{"dollar alone", "a $ b $", "[\"a $ b $\"]"},
	{"dollar before a marker", "$${x}", "[\"$\",{\"path\":\"x\"}]"},
	{"brace alone", "{x} $ {y}", "[\"{x} $ {y}\"]"},
	{"text after", "${x}}", "[{\"path\":\"x\"},\"}\"]"},
	{"escape after an interpolation", "${x}\\${y}", "[{\"path\":\"x\"},\"${y}\"]"},
	{"backslash before an escape stays", "\\\\${x}", "[\"\\\\${x}\"]"},
	{"backslash elsewhere stays", "a\\b\\$", "[\"a\\\\b\\\\$\"]"},
	{"two escapes", "\\${\\${${x}", "[\"${${\",{\"path\":\"x\"}]"},
	{"strings join the text around them", "a${'b'}c${\"d\"}e", "[\"abcde\"]"},
	{"empty strings vanish", "${''}${''}", "[\"\"]"},
	{"empty string between parts", "${x}${''}${y}", "[{\"path\":\"x\"},{\"path\":\"y\"}]"},
	{"empty interpolation", "a${}b${  }", "[\"ab\"]"},
	{"empty nested interpolation", "${${ }}", "[\"\"]"},
	{"string with every escape", "${'\\n\\t\\r\\\\\\'\\\"\\q'}", "[\"\\n\\t\\r\\\\'\\\"q\"]"},
	{"string with braces and markers", "${'}{${x}'}", "[\"}{${x}\"]"},
	{"string with letters beyond ASCII", "${'h\xc3\xa9 \xf0\x9f\x8c\x8d'}", "[\"h\xc3\xa9 \xf0\x9f\x8c\x8d\"]"},
	{"escaped letter beyond ASCII", "${'\\\xc3\xa9'}", "[\"\xc3\xa9\"]"},
	{"null", "${null}", "[null]"},
	{"zero", "${0} ${00.50}", "[0,\" \",0.5]"},
	{"number with a last point", "${1.}", "[1]"},
	{"large number", "${123456789012345678901234567890}", "[1.2345678901234568e+29]"},
	{"minus begins a path", "${-5}", "[{\"path\":\"-5\"}]"},
	{"root", "${/}", "[{\"path\":\"/\"}]"},
	{"dots", "${../x}", "[{\"path\":\"../x\"}]"},
	{"keyword with a tail", "${nullable} ${true-ish} ${false.x} ${true/}",
         "[{\"path\":\"nullable\"},\" \",{\"path\":\"true-ish\"},\" \",{\"path\":\"false.x\"},\" \",{\"path\":\"true/\"}]"},
	{"keywords have one spelling", "${True} ${NULL}", "[{\"path\":\"True\"},\" \",{\"path\":\"NULL\"}]"},
	{"letters beyond ASCII in a path", "${/\xe5\x90\x8d\xe5\x89\x8d/na\xc3\xafve}",
         "[{\"path\":\"/\xe5\x90\x8d\xe5\x89\x8d/na\xc3\xafve\"}]"},
	{"white space beyond ASCII", "${\xc2\xa0x\xe3\x80\x80}", "[{\"path\":\"x\"}]"},
	{"line breaks", "${\n f(\n a:\t1\r\n )\n}", "[" CALL1("f", "\"a\":1") "]"},
	{"space before the bracket", "${f (a:1)}", "[" CALL1("f", "\"a\":1") "]"},
	{"path, then a bracket in the text", "${f} (a)", "[{\"path\":\"f\"},\" (a)\"]"},
	{"index", "${@index()}", "[" CALL0("@index") "]"},
	{"index with an offset", "#${@index(offset: 1)}.", "[\"#\"," CALL1("@index", "\"offset\":1") ",\".\"]"},
	{"index inside an argument", "${f(a: @index(), b: 'x')}",
         "[" CALL1("f", "\"a\":" CALL0("@index") ",\"b\":\"x\"") "]"},
	{"interpolation as an argument", "${formatDate(value:${/d}, format:'MM-dd')}",
         "[" CALL1("formatDate", "\"value\":{\"path\":\"/d\"},\"format\":\"MM-dd\"") "]"},
	{"nested to three", "${a(x: b(y: c(z: 1), w: null), v: true)}",
         "[" CALL1("a", "\"x\":" CALL1("b", "\"y\":" CALL1("c", "\"z\":1") ",\"w\":null") ",\"v\":true") "]"},
	{"call in nested interpolations", "${${${f(a: ${x})}}}", "[" CALL1("f", "\"a\":{\"path\":\"x\"}") "]"},
	{"closing brackets inside strings", "${f(a: ')}', b: \"(\")}", "[" CALL1("f", "\"a\":\")}\",\"b\":\"(\"") "]"},
	{"name with a dot", "${math.add(a: 1)}", "[" CALL1("math.add", "\"a\":1") "]"},
	{"nine arguments", "${f(a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8,i:9)}",
         "[" CALL1("f", "\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9") "]"},

	{"marker at the end", "a ${", "!Unclosed interpolation"},
	{"string that does not end", "${'a}", "!Unclosed interpolation"},
	{"string that ends in a backslash", "${'a\\", "!Unclosed interpolation"},
	{"inner one not closed", "${${a}", "!Unclosed interpolation"},
	{"open bracket", "${add(a: 1, b: 2}", "!Expected ')' after function arguments for 'add'"},
	{"no comma", "${add(a: 1 b: 2)}", "!after function arguments"},
	{"comma at the end", "${add(a: 1,)}", "!after argument name ''"},
	{"positional argument", "${upper('x')}", "!Expected ':' after argument name '' in function 'upper'"},
	{"no colon", "${add(a 10, b: 20)}", "!Expected ':' after argument name 'a' in function 'add'"},
	{"no value", "${add(a: , b: 1)}", "!Unexpected characters"},
	{"no value at the end", "${add(a:)}", "!Unexpected characters"},
	{"argument twice", "${f(a: 1, a: 2)}", "!Argument 'a' is given twice"},
	{"ninth argument twice", "${f(a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8,a:9)}", "!Argument 'a' is given twice"},
	{"two values", "${true false}", "!Unexpected characters"},
	{"two paths", "${a b}", "!Unexpected characters in expression: 'b'"},
	{"number with a tail", "${12abc}", "!Unexpected characters"},
	{"two points", "${1..2}", "!Invalid number literal"},
	{"number and bracket", "${5(a: 1)}", "!Unexpected characters"},
	{"path and bracket", "${/f(a: 1)}", "!Unexpected characters"},
	{"keyword and bracket", "${true(a: 1)}", "!Unexpected characters"},
	{"bracket alone", "${()}", "!Unexpected characters"},
	{"index without brackets", "${@index}", "!Unexpected characters"},
	{"at alone", "${@}", "!Unexpected characters"},
	{"operators", "${a + b}", "!Unexpected characters in expression: '+ b'"},
	{"tilde", "${/a~1b}", "!Unexpected characters in expression: '~1b'"},
	{"array index in brackets", "${items[0]}", "!Unexpected characters"},
	{"object", "${{a}}", "!Unexpected characters"},
	{"ill-formed UTF-8", "${a\xff}", "!Unexpected characters"},
	{"emoji in a path", "${\xf0\x9f\x8c\x8d}", "!Unexpected characters"},
};

SJ_TEST(template_table)
{
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		sj_case("%s", CASES[i].name);
		check(&SJ_LIMITS_DEFAULT, sj_slice_of(CASES[i].text), CASES[i].want);
		sj_case_end();
	}
}

SJ_TEST(template_offsets)
{
	static const struct {
		const char *text;
		unsigned at;
	} cases[] = {
		{"hello ${world", 6},    {"${1.2.3}", 2},          {"ab ${f(a 1)}", 7},     {"${a b}", 4},
		{"${f(a: 1, b: 2}", 14}, {"${f(x: 1, x: 2)}", 10}, {"\\${ ${'\\n' z}", 11},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_diag d = {0};
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_case("%s", cases[i].text);
		CHECK_INT(parse(sj_test_mem(), &SJ_LIMITS_DEFAULT, sj_slice_of(cases[i].text), &out, &d), SJ_INVALID);
		CHECK_INT(d.offset, cases[i].at);
		CHECK_INT(d.code, SJ_E_EXPRESSION_ERROR);
		sj_case_end();
		sj_buf_finish(&out);
	}
}

/* The result is its own: the text it came from may go, and an older diagnostic stays. */
SJ_TEST(template_owns_its_text)
{
	struct sj_arena arena;
	struct sj_tpl tpl;
	char text[] = "a ${f(k: 'v')} ${/p}";
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK_OK(sj_tpl_parse(&arena, &SJ_LIMITS_DEFAULT, sj_slice_of(text), &tpl, NULL));
	memset(text, '#', sizeof text - 1);
	CHECK_INT(tpl.count, 4);
	CHECK_STR(tpl.parts[0].text, "a ");
	CHECK_INT(tpl.parts[1].type, SJ_TPL_CALL);
	CHECK_STR(tpl.parts[1].text, "f");
	CHECK_STR(tpl.parts[1].arg_names[0], "k");
	CHECK_STR(tpl.parts[1].args[0].text, "v");
	CHECK(tpl.parts[1].args[0].parent == &tpl.parts[1]);
	CHECK(tpl.parts[1].parent == NULL);
	CHECK_STR(tpl.parts[3].text, "/p");

	struct sj_diag d = {0};
	sj_diag_set(&d, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "earlier");
	CHECK_INT(sj_tpl_parse(&arena, &SJ_LIMITS_DEFAULT, SJ_LIT("${"), &tpl, &d), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "earlier");
	sj_arena_finish(&arena);
}

/* ---- caps -------------------------------------------------------------------------------------------------------- */

static void repeat(struct sj_buf *b, const char *text, unsigned times)
{
	while (times--)
		sj_buf_puts(b, text);
}

static void nested_calls(struct sj_buf *b, unsigned depth)
{
	sj_buf_clear(b);
	sj_buf_puts(b, "${");
	repeat(b, "f(a: ", depth);
	sj_buf_puts(b, "1");
	repeat(b, ")", depth);
	sj_buf_puts(b, "}");
}

static void nested_interpolations(struct sj_buf *b, unsigned depth)
{
	sj_buf_clear(b);
	repeat(b, "${", depth);
	sj_buf_puts(b, "x");
	repeat(b, "}", depth);
}

static void expect(const struct sj_limits *l, const struct sj_buf *b, enum sj_status want, const char *message)
{
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_INT(parse(sj_test_mem(), l, sj_buf_view(b), &out, &d), want);
	CHECK(strstr(d.message, message) != NULL);
	CHECK_INT(d.code, want == SJ_OK ? SJ_E_NONE : want == SJ_LIMIT ? SJ_E_LIMIT : SJ_E_EXPRESSION_ERROR);
	sj_buf_finish(&out);
}

SJ_TEST(template_caps)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);

	/* As in the reference: the interpolation itself is a level. */
	nested_calls(&b, 99);
	expect(&l, &b, SJ_OK, "");
	nested_calls(&b, 100);
	expect(&l, &b, SJ_LIMIT, "Max recursion depth");
	nested_interpolations(&b, 100);
	expect(&l, &b, SJ_OK, "");
	nested_interpolations(&b, 101);
	expect(&l, &b, SJ_LIMIT, "Max recursion depth");

	sj_buf_clear(&b);
	repeat(&b, "x", l.template_chars);
	expect(&l, &b, SJ_OK, "");
	repeat(&b, "x", 1);
	expect(&l, &b, SJ_LIMIT, "longer than 10000 characters");
	sj_buf_clear(&b);
	repeat(&b, "\xe5\x90\x8d", l.template_chars); /* three bytes, one character */
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	repeat(&b, "\xf0\x9f\x8c\x8d", l.template_chars / 2 + 1); /* one code point, two UTF-16 units */
	expect(&l, &b, SJ_LIMIT, "characters");

	sj_buf_clear(&b);
	repeat(&b, "${x}", l.template_parts);
	expect(&l, &b, SJ_OK, "");
	repeat(&b, "!", 1);
	expect(&l, &b, SJ_LIMIT, "more than 1000 parts");
	sj_buf_clear(&b);
	repeat(&b, "${'x'}", 1600); /* joined: one part */
	expect(&l, &b, SJ_OK, "");

	l.call_args = 3;
	sj_buf_clear(&b);
	sj_buf_puts(&b, "${f(a:1,b:2,c:3)}");
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	sj_buf_puts(&b, "${f(a:1,b:2,c:3,d:4)}");
	expect(&l, &b, SJ_LIMIT, "Function 'f' has more than 3 arguments");
	sj_buf_finish(&b);
}

/* Large hostile templates under limits a host raised: with anything quadratic in here this test would not come to its
 * end. */
SJ_TEST(template_pathological)
{
	enum { MANY = 100000 };
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.template_chars = l.template_parts = l.expression_depth = l.call_args = 10 * MANY;
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);

	repeat(&b, "${", MANY);
	expect(&l, &b, SJ_INVALID, "Unclosed interpolation");
	nested_interpolations(&b, MANY);
	expect(&l, &b, SJ_OK, "");
	nested_calls(&b, MANY);
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	repeat(&b, "${x}", MANY);
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	repeat(&b, "\\${", MANY);
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	sj_buf_puts(&b, "${");
	repeat(&b, "'", MANY);
	expect(&l, &b, SJ_INVALID, "Unclosed interpolation");
	sj_buf_puts(&b, "}");
	expect(&l, &b, SJ_INVALID, "Unexpected characters");
	sj_buf_clear(&b);
	sj_buf_puts(&b, "${");
	repeat(&b, " ", MANY);
	sj_buf_puts(&b, "x}");
	expect(&l, &b, SJ_OK, "");
	sj_buf_clear(&b);
	sj_buf_puts(&b, "${f(");
	for (unsigned i = 0; i < MANY; i++)
		sj_buf_printf(&b, "%sa%u:1", i ? "," : "", i);
	sj_buf_puts(&b, ")}");
	expect(&l, &b, SJ_OK, "");
	sj_buf_finish(&b);
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static uint32_t below(uint32_t *seed, uint32_t n) { return next_random(seed) % n; }

static void put_string(struct sj_buf *out, struct sj_slice text)
{
	sj_buf_putc(out, '\'');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		if (c == '\'' || c == '\\')
			sj_buf_putc(out, '\\');
		sj_buf_put(out, c == '\n' ? "\\n" : &c, c == '\n' ? 2 : 1);
	}
	sj_buf_putc(out, '\'');
}

/* A node as template source. The tree is at most a few levels high here. */
static void put_source(struct sj_buf *out, const struct sj_tpl_node *n)
{
	char number[SJ_NUM_TEXT];
	switch (n->type) {
	case SJ_TPL_LITERAL:
	case SJ_TPL_STRING:
		put_string(out, n->text);
		return;
	case SJ_TPL_NUMBER:
		sj_buf_put(out, number, sj_num_text(n->number, number));
		return;
	case SJ_TPL_TRUE:
		sj_buf_puts(out, "true");
		return;
	case SJ_TPL_FALSE:
		sj_buf_puts(out, "false");
		return;
	case SJ_TPL_NULL:
		sj_buf_puts(out, "null");
		return;
	case SJ_TPL_PATH:
		sj_buf_slice(out, n->text);
		return;
	case SJ_TPL_CALL:
		break;
	}
	sj_buf_slice(out, n->text);
	sj_buf_putc(out, '(');
	for (uint32_t i = 0; i < n->nargs; i++) {
		if (i)
			sj_buf_puts(out, ", ");
		sj_buf_slice(out, n->arg_names[i]);
		sj_buf_puts(out, ": ");
		put_source(out, &n->args[i]);
	}
	sj_buf_putc(out, ')');
}

static void print_source(struct sj_buf *out, const struct sj_tpl *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct sj_tpl_node *n = &t->parts[i];
		if (n->type == SJ_TPL_LITERAL) {
			for (size_t k = 0; k < n->text.len; k++) {
				char c = n->text.ptr[k];
				bool last = k + 1 == n->text.len;
				if (c == '$' && !last && n->text.ptr[k + 1] == '{')
					sj_buf_putc(out, '\\');
				if (c == '\\' && last) /* it must not escape the marker behind it */
					sj_buf_puts(out, "${'\\\\'}");
				else
					sj_buf_putc(out, c);
			}
			continue;
		}
		sj_buf_puts(out, "${");
		put_source(out, n);
		sj_buf_putc(out, '}');
	}
}

static void random_text(struct sj_buf *b, uint32_t *seed)
{
	static const char *const pieces[] = {
		"a", " ", "$", "{", "}", "'", "\"", "\\", "\n", "\xc3\xa9", "\xf0\x9f\x8c\x8d", "${", "text"};
	for (uint32_t n = below(seed, 6); n; n--)
		sj_buf_puts(b, pieces[below(seed, sizeof pieces / sizeof *pieces)]);
}

static void random_expression(struct sj_buf *b, uint32_t *seed, unsigned depth)
{
	static const char *const paths[] = {"/a/b", "x", "user.name", "-", "trueish", "/", "\xc3\xa9t\xc3\xa9/0"};
	static const char *const names[] = {"f", "formatNumber", "@index", "a.b"};
	struct sj_buf text;
	switch (below(seed, depth < 4 ? 8 : 6)) {
	case 0:
		sj_buf_printf(b, "%u.%u", below(seed, 1000), below(seed, 1000));
		return;
	case 1:
		sj_buf_puts(b, below(seed, 2) ? "true" : "false");
		return;
	case 2:
		sj_buf_puts(b, "null");
		return;
	case 3:
		sj_buf_init(&text, sj_test_mem(), 0);
		random_text(&text, seed);
		put_string(b, sj_buf_view(&text));
		sj_buf_finish(&text);
		return;
	case 4:
	case 5:
		sj_buf_puts(b, paths[below(seed, sizeof paths / sizeof *paths)]);
		return;
	case 6:
		sj_buf_puts(b, "${ ");
		random_expression(b, seed, depth + 1);
		sj_buf_puts(b, " }");
		return;
	default:
		sj_buf_printf(b, "%s (", names[below(seed, sizeof names / sizeof *names)]);
		for (uint32_t i = 0, n = below(seed, 12); i < n; i++) {
			sj_buf_printf(b, "%s a%u :", i ? " ," : "", i);
			random_expression(b, seed, depth + 1);
		}
		sj_buf_puts(b, ")");
	}
}

static void random_template(struct sj_buf *b, uint32_t *seed)
{
	for (uint32_t n = below(seed, 5); n; n--) {
		struct sj_buf text;
		sj_buf_init(&text, sj_test_mem(), 0);
		random_text(&text, seed);
		for (size_t i = 0; i < text.len;
		     i++) { /* a literal run: every marker in it escaped, no backslash before one */
			if (text.ptr[i] == '$' && i + 1 < text.len && text.ptr[i + 1] == '{')
				sj_buf_putc(b, '\\');
			if (text.ptr[i] != '\\')
				sj_buf_putc(b, text.ptr[i]);
		}
		if (text.len && text.ptr[text.len - 1] == '$')
			sj_buf_putc(b, ' ');
		sj_buf_finish(&text);
		sj_buf_puts(b, "${");
		random_expression(b, seed, 0);
		sj_buf_puts(b, "}");
	}
}

SJ_TEST(template_parse_print_parse)
{
	uint32_t seed = 20261130;
	for (unsigned round = 0; round < 3000 && !sj_failed(); round++) {
		struct sj_buf source, again, first, second;
		struct sj_arena arena;
		struct sj_tpl tpl;
		struct sj_diag d = {0};
		sj_buf_init(&source, sj_test_mem(), 0);
		sj_buf_init(&again, sj_test_mem(), 0);
		sj_buf_init(&first, sj_test_mem(), 0);
		sj_buf_init(&second, sj_test_mem(), 0);
		sj_arena_init(&arena, sj_test_mem(), 0);
		random_template(&source, &seed);
		if (sj_tpl_parse(&arena, &SJ_LIMITS_DEFAULT, sj_buf_view(&source), &tpl, &d) != SJ_OK) {
			sj_fail_at(__FILE__, __LINE__, "%.*s: %s", SJ_ARG(sj_buf_view(&source)), d.message);
		} else {
			sj_tpl_json(&tpl, &first);
			print_source(&again, &tpl);
			CHECK_OK(parse(sj_test_mem(), &SJ_LIMITS_DEFAULT, sj_buf_view(&again), &second, &d));
			CHECK_SLICE(sj_buf_view(&second), sj_buf_view(&first));
		}
		sj_arena_finish(&arena);
		sj_buf_finish(&source);
		sj_buf_finish(&again);
		sj_buf_finish(&first);
		sj_buf_finish(&second);
	}
}

/* Whatever comes in, the answer is a tree that prints as JSON, or a ParseError with a place in the text. */
SJ_TEST(template_random_input)
{
	static const char alphabet[] = "${${}}()()::,,''\"\"\\\\ab1.2/@ \n\xc3\xa9\xff-_~";
	uint32_t seed = 7, accepted = 0;
	for (unsigned round = 0; round < 20000 && !sj_failed(); round++) {
		char text[48];
		size_t len = below(&seed, sizeof text);
		for (size_t i = 0; i < len; i++)
			text[i] = alphabet[below(&seed, sizeof alphabet - 1)];
		struct sj_buf out;
		struct sj_diag d = {0};
		struct sj_value v = SJ_ABSENT_VALUE;
		sj_buf_init(&out, sj_test_mem(), 0);
		enum sj_status s = parse(sj_test_mem(), &SJ_LIMITS_DEFAULT, sj_slice(text, len), &out, &d);
		if (s == SJ_OK) {
			bool clean =
				!memchr(text, '\xff', len) && !memchr(text, '\xc3', len) && !memchr(text, '\xa9', len);
			accepted++;
			if (clean)
				v = read_json(sj_buf_view(&out));
			CHECK_INT(d.code, SJ_E_NONE);
		} else {
			CHECK_INT(s, SJ_INVALID);
			CHECK_INT(d.category, SJ_CAT_PARSE);
			CHECK(d.message[0] != '\0' && d.offset <= len);
		}
		sj_value_unref(sj_test_mem(), v);
		sj_buf_finish(&out);
	}
	CHECK(accepted > 1000);
}

static enum sj_status parse_all(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	struct sj_buf text, out;
	struct sj_diag d = {0};
	sj_buf_init(&text, mem, 0);
	sj_buf_init(&out, mem, 0);
	repeat(&text, "a ${f(a: 1, b: g(c: 'x', d: ${/p}))} \\${ ", 40);
	nested_calls(&out, 30);
	sj_buf_slice(&text, sj_buf_view(&out));
	sj_buf_puts(&text, "${h(a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8,i:9,j:10)}");
	enum sj_status s = sj_buf_status(&text);
	if (s == SJ_OK)
		s = sj_buf_status(&out);
	sj_buf_clear(&out);
	if (s == SJ_OK)
		s = parse(mem, &SJ_LIMITS_DEFAULT, sj_buf_view(&text), &out, &d);
	sj_buf_finish(&text);
	sj_buf_finish(&out);
	return s;
}

SJ_TEST(template_out_of_memory) { sj_torture(parse_all, NULL); }
