#include "a2ui/sketch.h"

#include <assert.h>

enum { MAX_REQUIRED = 24, MAX_NESTING = 24, MAX_ALTERNATIVES = 24 };

/* Recursion here follows our own constant text, which MAX_NESTING bounds. */
struct pen {
	struct sj_buf *out;
	const struct sj_sketch_env *env;
	const char *at;
	unsigned mute; /* > 0: read without writing (a part that the version does not have) */
	unsigned depth;
};

static void put(struct pen *p, struct sj_slice s)
{
	if (!p->mute)
		sj_buf_slice(p->out, s);
}

static void puts_(struct pen *p, const char *z) { put(p, sj_slice_of(z)); }

static void put_string(struct pen *p, struct sj_slice s)
{
	if (!p->mute)
		sj_sketch_string(p->out, s);
}

void sj_sketch_string(struct sj_buf *out, struct sj_slice text)
{
	sj_buf_putc(out, '"');
	size_t from = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		if (c != '"' && c != '\\' && c != '\n')
			continue;
		sj_buf_put(out, text.ptr + from, i - from);
		sj_buf_put(out, c == '\n' ? "\\n" : c == '"' ? "\\\"" : "\\\\", 2);
		from = i + 1;
	}
	sj_buf_put(out, text.ptr + from, text.len - from);
	sj_buf_putc(out, '"');
}

static void blanks(struct pen *p)
{
	while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t')
		p->at++;
}

static bool eat(struct pen *p, char c)
{
	blanks(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' ||
	       c == '$' || c == '.';
}

static struct sj_slice name(struct pen *p)
{
	blanks(p);
	const char *from = p->at;
	while (is_name(*p->at))
		p->at++;
	assert(p->at > from);
	return sj_slice(from, (size_t)(p->at - from));
}

static struct sj_slice until(struct pen *p, char end)
{
	const char *from = p->at;
	while (*p->at && *p->at != end)
		p->at++;
	assert(*p->at == end);
	return sj_slice(from, (size_t)(p->at++ - from));
}

static void ref(struct pen *p, const char *before, struct sj_slice to)
{
	puts_(p, "\"$ref\":\"");
	puts_(p, before);
	put(p, to);
	puts_(p, "\"");
}

static bool is_v10(const struct pen *p) { return p->env->version >= SJ_V10; }

/* "<" or ">" before something: true when it was skipped-in-silence mode that began (the caller ends it). */
static bool versioned(struct pen *p)
{
	blanks(p);
	bool skip = false;
	if ((*p->at == '<' || *p->at == '>') && p->at[1] != ' ') {
		skip = (*p->at == '<') == is_v10(p);
		p->at++;
	}
	p->mute += skip;
	blanks(p);
	return skip;
}

static void schema(struct pen *p);

/* 'a|b' after its first quote: const or enum; with `typed`, an enum beside a type. */
static void words(struct pen *p, bool typed)
{
	struct sj_slice all = until(p, '\'');
	const char *bar = memchr(all.ptr, '|', all.len);
	if (!bar && !typed) {
		puts_(p, "\"const\":");
		put_string(p, all);
		return;
	}
	puts_(p, typed ? ",\"enum\":[" : "\"enum\":[");
	for (size_t from = 0; from <= all.len;) {
		bar = memchr(all.ptr + from, '|', all.len - from);
		size_t to = bar ? (size_t)(bar - all.ptr) : all.len;
		puts_(p, from ? "," : "");
		put_string(p, sj_slice(all.ptr + from, to - from));
		from = to + 1;
	}
	puts_(p, "]");
}

static struct sj_slice key_of(const struct pen *p, struct sj_slice key)
{
	bool bare = key.ptr[0] == '@' && p->env->dialect != SJ_DIALECT_RESERVED;
	return bare ? sj_slice(key.ptr + 1, key.len - 1) : key;
}

struct object { /* being written */
	struct sj_slice required[MAX_REQUIRED];
	unsigned nrequired;
	bool comma, open; /* something stands before; "properties" has been begun */
};

static void property(struct pen *p, struct object *o, struct sj_slice key, bool must)
{
	if (p->mute)
		return;
	puts_(p, o->open ? "," : o->comma ? ",\"properties\":{" : "\"properties\":{");
	o->open = o->comma = true;
	if (must) {
		assert(o->nrequired < MAX_REQUIRED);
		o->required[o->nrequired++] = key;
	}
	put_string(p, key);
	puts_(p, ":");
}

static void closer(struct pen *p, struct object *o)
{
	char c = *p->at++;
	blanks(p);
	bool any = *p->at == '}';
	if (o->open && !p->mute) {
		puts_(p, "}");
		o->open = false;
	}
	puts_(p, o->comma ? "," : "");
	puts_(p, c == '~' ? "\"unevaluatedProperties\":" : "\"additionalProperties\":");
	if (c == '*' && !any)
		schema(p);
	else
		puts_(p, c == '*' ? "true" : "false");
	o->comma = o->comma || !p->mute;
}

/* Members and closers up to and with "}". */
static void object_members(struct pen *p, struct object *o)
{
	while (!eat(p, '}')) {
		bool skip = versioned(p);
		if (*p->at == '.' || *p->at == '~' || *p->at == '*') {
			closer(p, o);
		} else {
			struct sj_slice key = name(p);
			bool must = eat(p, '!');
			property(p, o, key_of(p, key), must);
			schema(p);
			eat(p, ',');
		}
		p->mute -= skip;
	}
}

static void object_end(struct pen *p, struct object *o)
{
	if (o->open)
		puts_(p, "}");
	for (unsigned i = 0; i < o->nrequired; i++) {
		puts_(p, i ? "," : ",\"required\":[");
		put_string(p, o->required[i]);
	}
	puts_(p, o->nrequired ? "]" : "");
}

/* After "{". */
static void object(struct pen *p, bool typed)
{
	struct object o = {.comma = typed};
	puts_(p, typed ? "\"type\":\"object\"" : "");
	object_members(p, &o);
	object_end(p, &o);
}

/* After "(": alternatives up to and with ")". The operator is found by reading the first one in silence. */
static void combination(struct pen *p)
{
	const char *start = p->at;
	p->mute++;
	bool skip = versioned(p);
	schema(p);
	p->mute -= 1u + skip;
	blanks(p);
	char op = *p->at;
	assert(op == '|' || op == '&' || op == '?' || op == ')');
	p->at = start;
	puts_(p, op == '&' ? "\"allOf\":[" : op == '?' ? "\"anyOf\":[" : "\"oneOf\":[");
	unsigned count = 0;
	do {
		skip = versioned(p);
		if (!p->mute)
			puts_(p, count++ ? "," : "");
		schema(p);
		p->mute -= skip;
	} while (op != ')' && eat(p, op));
	bool closed = eat(p, ')');
	assert(closed && count <= MAX_ALTERNATIVES);
	(void)closed;
	puts_(p, "]");
}

static void version_words(struct pen *p)
{
	puts_(p, p->env->version == SJ_V091 ? "\"enum\":[\"v0.9\",\"v0.9.1\"]"
	         : p->env->version == SJ_V09 ? "\"const\":\"v0.9\"" : "\"const\":\"v1.0\"");
}

/* Writes what stands inside the braces; false when it wrote nothing (the schema that accepts all). */
static bool core(struct pen *p)
{
	static const struct { const char *word, *type;
	} types[] = {
		{"str", "string"}, {"num", "number"}, {"int", "integer"}, {"bool", "boolean"},
		{"obj", "object"}, {"arr", "array"},  {"null", "null"},
	};
	blanks(p);
	char c = *p->at++;
	switch (c) {
	case '$': {
		struct sj_slice type = name(p); /* before v1.0 a child is named by the plain ComponentId */
		ref(p, p->env->common, sj_slice_is(type, "Child") && !is_v10(p) ? SJ_LIT("ComponentId") : type);
		return true;
	}
	case '#': ref(p, "#/$defs/", name(p)); return true;
	case '^': ref(p, "catalog.json#/$defs/", name(p)); return true;
	case '<': ref(p, "", until(p, '>')); return true;
	case '`': {
		struct sj_slice raw = until(p, '`');
		put(p, raw);
		return raw.len > 0;
	}
	case '\'': words(p, false); return true;
	case '(': combination(p); return true;
	case '{': object(p, true); return true;
	case '-':
		p->at++;
		object(p, false);
		return true;
	case '[': {
		puts_(p, "\"type\":\"array\",\"items\":");
		schema(p);
		bool closed = eat(p, ']');
		assert(closed);
		(void)closed;
		return true;
	}
	default: break;
	}
	p->at--;
	struct sj_slice word = name(p);
	if (sj_slice_is(word, "any"))
		return false;
	if (sj_slice_is(word, "VERSION")) {
		version_words(p);
		return true;
	}
	const char *type = NULL;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		type = sj_slice_is(word, types[i].word) ? types[i].type : type;
	assert(type);
	puts_(p, "\"type\":\"");
	puts_(p, type);
	puts_(p, "\"");
	if (*p->at == '\'') {
		p->at++;
		words(p, true);
	}
	return true;
}

static void scalar(struct pen *p)
{
	if (*p->at == '\'') {
		p->at++;
		put_string(p, until(p, '\''));
		return;
	}
	const char *from = p->at;
	while (is_name(*p->at))
		p->at++;
	put(p, sj_slice(from, (size_t)(p->at - from)));
}

static void members(struct pen *p, bool comma)
{
	p->depth++;
	assert(p->depth < MAX_NESTING);
	blanks(p);
	if (comma && strncmp(p->at, "any", 3) != 0)
		puts_(p, ",");
	char first = *p->at;
	bool some = core(p) || comma;
	for (;; some = true) {
		const char *before = some ? "," : "";
		if (*p->at == '=') {
			p->at++;
			puts_(p, before);
			puts_(p, "\"default\":");
			scalar(p);
		} else if (*p->at == '>' && p->at[1] >= '0' && p->at[1] <= '9') {
			p->at++;
			puts_(p, before);
			puts_(p, first == '[' ? "\"minItems\":" : "\"minimum\":");
			scalar(p);
		} else if (*p->at == ':') {
			p->at++;
			puts_(p, before);
			puts_(p, "\"format\":\"");
			const char *from = p->at;
			while ((*p->at >= 'a' && *p->at <= 'z') || *p->at == '-')
				p->at++;
			put(p, sj_slice(from, (size_t)(p->at - from)));
			puts_(p, "\"");
		} else if (*p->at == '/') {
			p->at++;
			puts_(p, before);
			puts_(p, "\"pattern\":");
			put_string(p, until(p, '/'));
		} else if (*p->at == '+') {
			p->at += 2;
			puts_(p, before);
			put(p, until(p, '`'));
		} else if (*p->at == ' ' && p->at[1] == '_') {
			p->at += 2;
			struct sj_slice text = until(p, '_');
			p->mute += p->env->terse;
			puts_(p, before);
			puts_(p, "\"description\":");
			put_string(p, text);
			p->mute -= p->env->terse;
		} else {
			break;
		}
	}
	p->depth--;
}

static void schema(struct pen *p)
{
	puts_(p, "{");
	members(p, false);
	puts_(p, "}");
}

void sj_sketch_tagged(struct sj_buf *out, const struct sj_sketch_env *env, const char *tag, struct sj_slice value,
                      const char *props, const char *last)
{
	struct pen p = {.out = out, .env = env, .at = props};
	struct object o = {.comma = true};
	property(&p, &o, sj_slice_of(tag), true);
	puts_(&p, "{\"const\":");
	put_string(&p, value);
	puts_(&p, "}");
	bool opened = eat(&p, '{');
	assert(opened);
	(void)opened;
	object_members(&p, &o);
	assert(*p.at == '\0');
	if (last) {
		p.at = last;
		object_members(&p, &o);
	}
	object_end(&p, &o);
}

void sj_sketch(struct sj_buf *out, const struct sj_sketch_env *env, const char *sketch)
{
	struct pen p = {.out = out, .env = env, .at = sketch};
	schema(&p);
	blanks(&p);
	assert(*p.at == '\0');
}

void sj_sketch_members(struct sj_buf *out, const struct sj_sketch_env *env, const char *sketch, bool comma)
{
	struct pen p = {.out = out, .env = env, .at = sketch};
	members(&p, comma);
	blanks(&p);
	assert(*p.at == '\0');
}
