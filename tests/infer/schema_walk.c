#include "infer/schema_walk.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/test.h"
#include "infer/gbnf.h"

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static const struct sj_value *resolve(const struct sj_value *root, const struct sj_value *s)
{
	const struct sj_value *ref;
	while ((ref = get(s, "$ref"))) {
		struct sj_slice text = sj_value_text(ref);
		s = sj_value_at(root, sj_slice(text.ptr + 1, text.len - 1));
		if (!s) {
			sj_fail_at(__FILE__, __LINE__, "a reference leads nowhere: %.*s", SJ_ARG(text));
			return root;
		}
	}
	return s;
}

/* ---- patterns: the part of regular expressions that is written here ---------------------------------------------- */

struct pattern {
	struct sj_slice text;
	size_t at;
	uint64_t *seed;
	bool shy; /* as short as can be */
	struct sj_buf *out;
};

static int look(const struct pattern *p) { return p->at < p->text.len ? (unsigned char)p->text.ptr[p->at] : -1; }

static void alternation(struct pattern *p, bool write);

/* Characters of a class, or of one escape; picks one. */
static void class(struct pattern *p, bool write)
{
	char set[256];
	uint32_t n = 0;
	bool negated = false, has[128] = {0};
	p->at++;
	if (look(p) == '^') {
		negated = true;
		p->at++;
	}
	while (look(p) != ']' && look(p) >= 0) {
		int c = look(p);
		p->at++;
		if (c == '\\') {
			c = look(p);
			p->at++;
			if (c == 's' || c == 'S') {
				for (int k = 0x20; k < 0x7f; k++)
					has[k] = true;
				continue;
			}
		}
		int to = c;
		if (look(p) == '-' && p->at + 1 < p->text.len && p->text.ptr[p->at + 1] != ']') {
			to = (unsigned char)p->text.ptr[p->at + 1];
			p->at += 2;
		}
		for (int k = c; k <= to && k < 128; k++)
			has[k] = true;
	}
	p->at++;
	for (int k = 0x20; k < 0x7f; k++)
		if (has[k] != negated)
			set[n++] = (char)k;
	if (write)
		sj_buf_putc(p->out, set[test_random(p->seed, n)]);
}

static void atom(struct pattern *p, bool write)
{
	int c = look(p);
	if (c == '(') {
		p->at++;
		if (look(p) == '?')
			p->at += 2;
		alternation(p, write);
		p->at++;
	} else if (c == '[') {
		class(p, write);
	} else {
		bool escaped = c == '\\';
		p->at += escaped;
		c = look(p);
		p->at++;
		if (escaped && (c == 'd' || c == 'w'))
			c = c == 'd' ? (int)('0' + test_random(p->seed, 10)) : (int)('a' + test_random(p->seed, 26));
		if (write)
			sj_buf_putc(p->out, (char)c);
	}
}

static uint32_t digits(struct pattern *p)
{
	uint32_t n = 0;
	for (; look(p) >= '0' && look(p) <= '9'; p->at++)
		n = n * 10 + (uint32_t)(look(p) - '0');
	return n;
}

static void sequence(struct pattern *p, bool write)
{
	while (look(p) >= 0 && look(p) != '|' && look(p) != ')') {
		size_t start = p->at;
		atom(p, false);
		uint32_t min = 1, max = 1;
		int c = look(p);
		if (c == '?' || c == '*' || c == '+') {
			p->at++;
			min = c == '+';
			max = c == '?' ? 1 : 6;
		} else if (c == '{') {
			p->at++;
			min = max = digits(p);
			if (look(p) == ',') {
				p->at++;
				max = look(p) == '}' ? min + 4 : digits(p);
			}
			p->at++;
		}
		size_t end = p->at;
		uint32_t times = p->shy ? min : min + test_random(p->seed, max - min + 1);
		for (uint32_t i = 0; write && i < times; i++) {
			p->at = start;
			atom(p, true);
		}
		p->at = end;
	}
}

static void alternation(struct pattern *p, bool write)
{
	size_t start = p->at;
	uint32_t n = 1;
	for (sequence(p, false); look(p) == '|'; n++) {
		p->at++;
		sequence(p, false);
	}
	size_t end = p->at;
	uint32_t chosen = write ? test_random(p->seed, n) : 0;
	p->at = start;
	for (uint32_t i = 0; write && i <= chosen; i++) {
		sequence(p, i == chosen);
		p->at += i < chosen;
	}
	p->at = end;
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

struct walk {
	const struct sj_value *root;
	uint64_t *seed;
	uint32_t budget, steps;
	struct sj_buf *out;
};

static void instance(struct walk *w, const struct sj_value *s);

static bool shy(const struct walk *w) { return w->steps > w->budget; }

static void text_instance(struct walk *w, const struct sj_value *s)
{
	static const struct { const char *format, *texts[3]; } formats[] = {
		{"date", {"2026-12-01", "0000-01-31", "9999-12-31"}},
		{"time", {"00:00:00Z", "23:59:59.999+14:00", "12:30:00-08:30"}},
		{"date-time", {"2026-12-01T04:08:39Z", "1970-01-01T00:00:00.000Z", "2024-02-28T23:59:59+01:00"}},
		{"email", {"a@b.co", "first.last@example.org", "x_y@mail.example.com"}},
		{"uuid", {"00000000-0000-0000-0000-000000000000", "123e4567-e89b-12d3-a456-426614174000",
		          "ffffffff-ffff-ffff-ffff-ffffffffffff"}},
	};
	static const char *const any[] = {"",  "a",         "true", "12",   "\xc3\xa9 \xe2\x82\xac",
	                                  "$", "a\"b\\c\n", "${",   "root", "/a/b"};
	const struct sj_value *pattern = get(s, "pattern"), *format = get(s, "format"), *min = get(s, "minLength"),
			      *max = get(s, "maxLength");
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	if (pattern) {
		struct sj_slice regex = sj_value_text(pattern);
		CHECK(regex.len > 1 && regex.ptr[0] == '^' && regex.ptr[regex.len - 1] == '$');
		struct pattern p = {
			.text = sj_slice(regex.ptr + 1, regex.len - 2), .seed = w->seed, .shy = shy(w), .out = &text};
		alternation(&p, true);
	} else if (format) {
		bool known = false;
		for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
			if (sj_slice_is(sj_value_text(format), formats[i].format)) {
				sj_buf_puts(&text, formats[i].texts[test_random(w->seed, 3)]);
				known = true;
			}
		CHECK(known);
	} else if (min || max) {
		uint32_t least = min ? (uint32_t)sj_value_double(min) : 0,
			 most = max ? (uint32_t)sj_value_double(max) : least + 5;
		for (uint32_t n = least + test_random(w->seed, most - least + 1); n > 0; n--)
			sj_buf_putc(&text, (char)('a' + test_random(w->seed, 26)));
	} else {
		sj_buf_puts(&text, any[test_random(w->seed, sizeof any / sizeof *any)]);
	}
	sj_json_print_string(w->out, sj_buf_view(&text));
	sj_buf_finish(&text);
}

static void number_instance(struct walk *w, const struct sj_value *s, bool integer)
{
	const struct sj_value *min = get(s, "minimum"), *max = get(s, "maximum");
	double from = min ? sj_value_double(min) : max ? sj_value_double(max) - 1000 : -1000;
	double to = max ? sj_value_double(max) : from + 2000;
	double x = from + (to - from) * test_random(w->seed, 1001) / 1000;
	struct sj_value v = sj_value_number(integer ? (double)(int64_t)x : x);
	if (integer && sj_value_double(&v) < from)
		v = sj_value_number(from);
	sj_value_print(w->out, &v, SJ_PRINT_COMPACT);
}

static void array_instance(struct walk *w, const struct sj_value *s)
{
	const struct sj_value *min = get(s, "minItems"), *max = get(s, "maxItems"), *first = get(s, "prefixItems");
	uint32_t least = min ? (uint32_t)sj_value_double(min) : 0,
		 most = max ? (uint32_t)sj_value_double(max) : least + 4;
	most = most > least + 4 ? least + 4 : most;
	uint32_t n = shy(w) ? least : least + test_random(w->seed, most - least + 1);
	sj_buf_putc(w->out, '[');
	for (uint32_t i = 0; i < n; i++) {
		sj_buf_puts(w->out, i ? "," : "");
		instance(w, first && i < sj_value_count(first) ? sj_value_item(first, i) : get(s, "items"));
	}
	sj_buf_putc(w->out, ']');
}

static void object_instance(struct walk *w, const struct sj_value *s)
{
	const struct sj_value *properties = get(s, "properties"), *required = get(s, "required"),
			      *rest = get(s, "additionalProperties");
	uint32_t written = 0;
	sj_buf_putc(w->out, '{');
	for (uint32_t i = 0; properties && i < sj_value_count(properties); i++) {
		struct sj_slice key;
		const struct sj_value *member = sj_value_member(properties, i, &key);
		bool must = false;
		for (uint32_t k = 0; required && k < sj_value_count(required); k++)
			must = must || sj_slice_eq(sj_value_text(sj_value_item(required, k)), key);
		if (!must && (shy(w) || test_random(w->seed, 2)))
			continue;
		sj_buf_puts(w->out, written++ ? "," : "");
		sj_json_print_string(w->out, key);
		sj_buf_putc(w->out, ':');
		instance(w, member);
	}
	if (rest && rest->type == SJ_V_OBJECT) {
		static const char *const keys[] = {"a",        "name",       "path_", "caller",
		                                   "\xc3\xa9", "with space", "A-b",   "0"};
		for (uint32_t i = shy(w) ? 8 : test_random(w->seed, 8); i < 8; i += 1 + test_random(w->seed, 5)) {
			sj_buf_puts(w->out, written++ ? "," : "");
			sj_json_print_string(w->out, sj_slice_of(keys[i]));
			sj_buf_putc(w->out, ':');
			instance(w, rest);
		}
	}
	sj_buf_putc(w->out, '}');
}

static void instance(struct walk *w, const struct sj_value *s)
{
	s = resolve(w->root, s);
	w->steps++;
	const struct sj_value *any = get(s, "anyOf"), *words = get(s, "enum"), *type = get(s, "type");
	struct sj_slice name = type ? sj_value_text(type) : SJ_NO_SLICE;
	if (any) {
		/* Shy: what comes first is the plainest, or the last of all, which may be null. */
		uint32_t n = sj_value_count(any), i = shy(w) ? 0 : test_random(w->seed, n);
		const struct sj_value *last = resolve(w->root, sj_value_item(any, n - 1));
		if (shy(w) && get(last, "type") && sj_slice_is(sj_value_text(get(last, "type")), "null"))
			i = n - 1;
		instance(w, sj_value_item(any, i));
	} else if (words) {
		sj_value_print(w->out, sj_value_item(words, test_random(w->seed, sj_value_count(words))),
		               SJ_PRINT_COMPACT);
	} else if (sj_slice_is(name, "string")) {
		text_instance(w, s);
	} else if (sj_slice_is(name, "number") || sj_slice_is(name, "integer")) {
		number_instance(w, s, sj_slice_is(name, "integer"));
	} else if (sj_slice_is(name, "boolean")) {
		sj_buf_puts(w->out, test_random(w->seed, 2) ? "true" : "false");
	} else if (sj_slice_is(name, "null")) {
		sj_buf_puts(w->out, "null");
	} else if (sj_slice_is(name, "array")) {
		array_instance(w, s);
	} else if (sj_slice_is(name, "object")) {
		object_instance(w, s);
	} else {
		sj_fail_at(__FILE__, __LINE__, "a schema of no kind");
		sj_buf_puts(w->out, "null");
	}
}

void schema_random(const struct sj_value *schema, uint64_t *seed, uint32_t budget, struct sj_buf *out)
{
	struct walk w = {.root = schema, .seed = seed, .budget = budget, .out = out};
	instance(&w, schema);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

struct fit {
	const struct sj_value *root;
	struct sj_buf *out, path, *at;
	size_t furthest;
};

static bool fits(struct fit *f, const struct sj_value *s, const struct sj_value *v);

static bool miss(struct fit *f)
{
	if (f->path.len >= f->furthest) {
		f->furthest = f->path.len;
		sj_buf_clear(f->at);
		sj_buf_slice(f->at, sj_buf_view(&f->path));
	}
	return false;
}

static bool below(struct fit *f, struct sj_slice token, const struct sj_value *s, const struct sj_value *v)
{
	size_t len = f->path.len;
	sj_pointer_append(&f->path, token);
	bool ok = fits(f, s, v) || miss(f);
	f->path.len = len;
	return ok;
}

/* Free keys: by class, the capitals last. Known ones come first and in order; here none are. */
static int by_class(const void *a, const void *b)
{
	const struct sj_slice *x = a, *y = b;
	bool upper_x = x->len > 0 && x->ptr[0] >= 'A' && x->ptr[0] <= 'Z',
	     upper_y = y->len > 0 && y->ptr[0] >= 'A' && y->ptr[0] <= 'Z';
	return upper_x != upper_y ? upper_x - upper_y : sj_slice_cmp(*x, *y);
}

static bool object_fits(struct fit *f, const struct sj_value *s, const struct sj_value *v)
{
	const struct sj_value *properties = get(s, "properties"), *required = get(s, "required"),
			      *rest = get(s, "additionalProperties"), *names = get(s, "propertyNames");
	uint32_t n = sj_value_count(v), written = 0;
	bool open = rest && rest->type == SJ_V_OBJECT;
	for (uint32_t k = 0; required && k < sj_value_count(required); k++)
		if (!sj_value_get(v, sj_value_text(sj_value_item(required, k))))
			return false;
	for (uint32_t i = 0; i < n; i++) {
		struct sj_slice key;
		sj_value_member(v, i, &key);
		const struct sj_value *refused = names && get(names, "not") ? get(get(names, "not"), "enum") : NULL;
		for (uint32_t k = 0; refused && k < sj_value_count(refused); k++)
			if (sj_slice_eq(sj_value_text(sj_value_item(refused, k)), key))
				return false;
		if (!open && !(properties && sj_value_get(properties, key)))
			return false;
	}
	sj_buf_putc(f->out, '{');
	struct sj_slice keys[64];
	if (n > 64)
		return false;
	for (uint32_t i = 0; open && i < n; i++)
		sj_value_member(v, i, &keys[i]);
	if (open)
		qsort(keys, n, sizeof *keys, by_class);
	uint32_t total = open ? n : sj_value_count(properties);
	for (uint32_t i = 0; i < total; i++) {
		struct sj_slice key = open ? keys[i] : SJ_NO_SLICE;
		const struct sj_value *member = open ? rest : sj_value_member(properties, i, &key),
				      *value = sj_value_get(v, key);
		if (!value)
			continue;
		sj_buf_puts(f->out, written++ ? "," : "");
		sj_json_print_string(f->out, key);
		sj_buf_putc(f->out, ':');
		if (!below(f, key, member, value))
			return false;
	}
	sj_buf_putc(f->out, '}');
	return true;
}

static bool fits(struct fit *f, const struct sj_value *s, const struct sj_value *v)
{
	s = resolve(f->root, s);
	const struct sj_value *any = get(s, "anyOf"), *words = get(s, "enum"), *type = get(s, "type");
	struct sj_slice name = type ? sj_value_text(type) : SJ_NO_SLICE;
	if (any) {
		size_t len = f->out->len;
		for (uint32_t i = 0; i < sj_value_count(any); i++) {
			if (fits(f, sj_value_item(any, i), v))
				return true;
			f->out->len = len;
		}
		return false;
	}
	bool ok = false;
	if (words) {
		for (uint32_t i = 0; i < sj_value_count(words); i++)
			ok = ok || sj_value_equal(sj_value_item(words, i), v);
	} else if (sj_slice_is(name, "object")) {
		return v->type == SJ_V_OBJECT && object_fits(f, s, v);
	} else if (sj_slice_is(name, "array") && v->type == SJ_V_ARRAY) {
		const struct sj_value *min = get(s, "minItems"), *max = get(s, "maxItems");
		uint32_t n = sj_value_count(v);
		if ((min && n < sj_value_double(min)) || (max && n > sj_value_double(max)))
			return false;
		sj_buf_putc(f->out, '[');
		for (uint32_t i = 0; i < n; i++) {
			char digits_of[16];
			int len = snprintf(digits_of, sizeof digits_of, "%u", i);
			sj_buf_puts(f->out, i ? "," : "");
			if (!below(f, sj_slice(digits_of, (size_t)len), get(s, "items"), sj_value_item(v, i)))
				return false;
		}
		sj_buf_putc(f->out, ']');
		return true;
	} else if (sj_slice_is(name, "string")) {
		ok = sj_value_is_string(v);
	} else if (sj_slice_is(name, "number") || sj_slice_is(name, "integer")) {
		ok = sj_value_is_number(v);
	} else if (sj_slice_is(name, "boolean")) {
		ok = sj_value_is_bool(v);
	} else if (sj_slice_is(name, "null")) {
		ok = v->type == SJ_V_NULL;
	}
	if (ok)
		sj_value_print(f->out, v, SJ_PRINT_COMPACT);
	return ok;
}

bool schema_fit(const struct sj_value *schema, const struct sj_value *v, struct sj_buf *out, struct sj_buf *at)
{
	struct fit f = {.root = schema, .out = out, .at = at};
	sj_buf_init(&f.path, sj_test_mem(), 0);
	bool ok = fits(&f, schema, v);
	sj_buf_finish(&f.path);
	return ok;
}

/* ---- keywords ---------------------------------------------------------------------------------------------------- */

static bool only(const struct sj_value *v, const char *const *allowed, struct sj_buf *other, bool is_map)
{
	bool ok = true;
	for (uint32_t i = 0; v->type == SJ_V_ARRAY && i < sj_value_count(v); i++)
		ok = only(sj_value_item(v, i), allowed, other, false) && ok;
	for (uint32_t i = 0; v->type == SJ_V_OBJECT && i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *member = sj_value_member(v, i, &key);
		bool known = is_map;
		for (const char *const *word = allowed; *word && !known; word++)
			known = sj_slice_is(key, *word);
		if (!known) {
			sj_buf_slice(other, key);
			sj_buf_putc(other, ' ');
			ok = false;
		}
		if (!sj_slice_is(key, "enum") || is_map)
			ok = only(member, allowed, other,
			          !is_map && (sj_slice_is(key, "properties") || sj_slice_is(key, "$defs"))) &&
			     ok;
	}
	return ok;
}

bool schema_holds_only(const struct sj_value *schema, const char *const *allowed, struct sj_buf *other)
{
	return only(schema, allowed, other, false);
}
