/* One statement of Vertical to components. A stack of frames stands for what is open; nothing recurses. */
#include "infer/vertical_frame.h"

/* Repairs that the token itself tells of. */
static enum sj_status note_token(struct sj_parse *p)
{
	const struct sj_vertical_token *t = &p->tok;
	enum sj_status st = SJ_OK;
	if (t->commented)
		st = sj_build_note(&p->b, SJ_HEAL_COMMENT, t->comment);
	if (st != SJ_OK || (t->kind != SJ_VT_STRING && t->kind != SJ_VT_PATH))
		return st;
	if (t->s.is_cut)
		st = sj_build_note(&p->b, SJ_HEAL_STRING, t->at);
	if (st == SJ_OK && (t->s.has_inner || t->s.quote == SJ_QUOTE_CURLY || t->s.quote == SJ_QUOTE_BACK ||
	                    (t->s.quote == SJ_QUOTE_SINGLE && !t->s.triple)) &&
	    t->kind == SJ_VT_STRING && (sj_frame_top(p)->kind != SJ_FRAME_TAG || t->s.quote != SJ_QUOTE_SINGLE))
		st = sj_build_note(&p->b, SJ_HEAL_QUOTES, t->at);
	return st;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static enum sj_status put_string(struct sj_parse *p, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(p->b.f->mem, text, &v);
	return st == SJ_OK ? sj_frame_put(p, v, text, p->tok.at) : st;
}

static enum sj_status string_value(struct sj_parse *p)
{
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, sj_frame_top(p)->kind == SJ_FRAME_TAG, &p->scratch);
	if (sj_buf_status(&p->scratch) != SJ_OK)
		return SJ_NOMEM;
	enum sj_status st = put_string(p, sj_buf_view(&p->scratch));
	sj_parse_advance(p);
	return st;
}

static enum sj_status number_value(struct sj_parse *p)
{
	struct sj_slice text = sj_parse_source(p, &p->tok);
	enum sj_status st;
	double d;
	if (sj_num_parse(text, &d) || sj_num_parse_loose(text, &d)) {
		st = sj_num_parse(text, &d) ? SJ_OK : sj_build_note(&p->b, SJ_HEAL_LITERAL, p->tok.at);
		if (st == SJ_OK)
			st = sj_frame_put(p, sj_value_number(d), text, p->tok.at);
	} else {
		st = sj_build_note(&p->b, SJ_HEAL_LITERAL, p->tok.at);
		if (st == SJ_OK)
			st = put_string(p, text);
	}
	sj_parse_advance(p);
	return st;
}

static enum sj_status path_value(struct sj_parse *p)
{
	struct sj_value v;
	enum sj_status st;
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, false, &p->scratch);
	st = sj_buf_status(&p->scratch) == SJ_OK ? sj_build_binding(&p->b, sj_buf_view(&p->scratch), &v) : SJ_NOMEM;
	if (st == SJ_OK && p->tok.from > p->tok.at + 1 && p->v->text.ptr[p->tok.at + 1] == '{')
		st = sj_build_note(&p->b, SJ_HEAL_PATH, p->tok.at);
	if (st == SJ_OK)
		st = sj_frame_put(p, v, SJ_NO_SLICE, p->tok.at);
	sj_parse_advance(p);
	return st;
}

/* Words without quotation marks, as far as they go on without a sign: a text somebody forgot to quote. */
static enum sj_status bare_value(struct sj_parse *p)
{
	static const struct {
		const char *word;
		struct sj_value value;
		bool exact;
	} words[] = {
		{"true", {.type = SJ_V_TRUE}, true},       {"false", {.type = SJ_V_FALSE}, true},
		{"null", {.type = SJ_V_NULL}, true},       {"True", {.type = SJ_V_TRUE}, false},
		{"False", {.type = SJ_V_FALSE}, false},    {"None", {.type = SJ_V_NULL}, false},
		{"undefined", {.type = SJ_V_NULL}, false},
	};
	struct sj_slice word = sj_parse_source(p, &p->tok), text = p->v->text;
	size_t at = p->tok.at, end = p->tok.end;
	enum sj_status st;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(word, words[i].word)) {
			st = words[i].exact ? SJ_OK : sj_build_note(&p->b, SJ_HEAL_LITERAL, at);
			if (st == SJ_OK)
				st = sj_frame_put(p, words[i].value, word, at);
			sj_parse_advance(p);
			return st;
		}
	st = sj_build_note(&p->b, SJ_HEAL_LITERAL, at);
	for (size_t i = end; i < text.len; i++) {
		if (sj_vertical_in("()[]{}=:\"'`$<>#\n", text.ptr[i]) || sj_vertical_curly(text, i))
			break;
		if (text.ptr[i] == ',') {
			end = i;
			break;
		}
		if (sj_vertical_in(" \t\r", text.ptr[i]) == NULL)
			end = i + 1;
	}
	/* Behind the words a key may have begun (`a b key=1`); then only the first was meant. */
	struct sj_vertical_token next;
	sj_vertical_token(p->v, end, &next);
	if (next.kind == SJ_VT_SIGN && sj_vertical_in(":=(", next.sign))
		end = p->tok.end;
	if (st == SJ_OK)
		st = put_string(p, sj_slice(text.ptr + at, end - at));
	p->tok.end = end;
	sj_parse_advance(p);
	return st;
}

static bool knows_function(const struct sj_parse *p, struct sj_slice name)
{
	for (uint32_t i = 0; i < p->b.f->opt.ncatalogs; i++)
		if (sj_catalog_function(p->b.f->catalogs[i], name))
			return true;
	return false;
}

static enum sj_status name_value(struct sj_parse *p)
{
	struct sj_slice name = sj_parse_source(p, &p->tok);
	struct sj_vertical_token next;
	struct sj_frame *f = sj_frame_top(p);
	enum sj_status st;
	sj_vertical_token(p->v, p->tok.end, &next);
	if (!(next.kind == SJ_VT_SIGN && next.sign == '(')) {
		if (sj_slice_is(name, "_") && f->nargs > 0 && !f->after_value) {
			/* A position left out. */
			f->key_want = NULL;
			f->after_value = true;
			f->after_comma = false;
			sj_parse_advance(p);
			return SJ_OK;
		}
		return bare_value(p);
	}
	const struct sj_a2ui_prop *want = sj_frame_wanted(f);
	bool component = sj_vertical_is_component(p->v, name) || (name.ptr[0] >= 'A' && name.ptr[0] <= 'Z');
	if (sj_slice_is(name, "Event") && !sj_frame_takes_component(want)) {
		st = sj_frame_push(p, SJ_FRAME_EVENT, ')', &f);
	} else if (component && (sj_frame_takes_component(want) || !knows_function(p, name))) {
		st = sj_frame_component(p, name, false);
	} else {
		st = sj_frame_call(p, name, want && want->cls == SJ_AC_CHECKS);
	}
	if (st == SJ_OK && sj_frame_top(p)->kind == SJ_FRAME_CHECK)
		st = sj_build_note(&p->b, SJ_HEAL_CHECK, p->tok.at);
	sj_parse_advance(p);
	sj_parse_advance(p);
	return st;
}

/* ?name or ?name(...) */
static enum sj_status check_value(struct sj_parse *p)
{
	sj_parse_advance(p);
	if (p->tok.kind != SJ_VT_NAME)
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a check names a function after its question mark");
	enum sj_status st = sj_frame_call(p, sj_parse_source(p, &p->tok), true);
	if (st != SJ_OK)
		return st;
	sj_parse_advance(p);
	if (sj_parse_at(p, '('))
		sj_parse_advance(p);
	else
		st = sj_frame_close(p);
	return st;
}

static enum sj_status begin_tag(struct sj_parse *p)
{
	sj_parse_advance(p);
	if (p->tok.kind != SJ_VT_NAME)
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a tag names a component");
	enum sj_status st = sj_frame_component(p, sj_parse_source(p, &p->tok), true);
	if (st == SJ_OK)
		st = sj_build_note(&p->b, SJ_HEAL_TAG, p->tok.at);
	sj_parse_advance(p);
	return st;
}

static enum sj_status value(struct sj_parse *p)
{
	struct sj_frame *f;
	enum sj_status st;
	switch (p->tok.kind) {
	case SJ_VT_STRING:
		return string_value(p);
	case SJ_VT_NUMBER:
		return number_value(p);
	case SJ_VT_PATH:
		return path_value(p);
	case SJ_VT_NAME:
		return name_value(p);
	case SJ_VT_BARE:
		return bare_value(p);
	case SJ_VT_END:
		return SJ_OK;
	case SJ_VT_SIGN:
		break;
	}
	switch (p->tok.sign) {
	case '[':
	case '{':
	case '(':
		st = sj_frame_push(p, p->tok.sign == '{' ? SJ_FRAME_MAP : SJ_FRAME_LIST,
		          p->tok.sign == '['   ? ']'
		          : p->tok.sign == '{' ? '}'
		                               : ')',
		          &f);
		if (st == SJ_OK && p->tok.sign == '(')
			st = sj_build_note(&p->b, SJ_HEAL_BRACKET, p->tok.at);
		sj_parse_advance(p);
		return st;
	case '?':
		return check_value(p);
	case '<':
		return begin_tag(p);
	default:
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "'%c' stands where a value is expected", p->tok.sign);
	}
}

/* ---- arguments, members, items ----------------------------------------------------------------------------------- */

static enum sj_status take_key(struct sj_parse *p, struct sj_frame *f)
{
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, false, &p->scratch);
	if (sj_buf_status(&p->scratch) != SJ_OK)
		return SJ_NOMEM;
	return sj_frame_key(p, f, sj_buf_view(&p->scratch));
}

/* `key=`, `key:`, `:key`, `"key":`. *found: there was one, and its value comes next. */
static enum sj_status key(struct sj_parse *p, bool *found)
{
	struct sj_frame *f = sj_frame_top(p);
	struct sj_vertical_token next;
	enum sj_status st = SJ_OK;
	bool map = f->kind == SJ_FRAME_MAP, colon_first = sj_parse_at(p, ':') && !map;
	*found = false;
	if (colon_first)
		sj_parse_advance(p);
	bool may = p->tok.kind == SJ_VT_NAME || p->tok.kind == SJ_VT_STRING ||
	           (p->tok.kind == SJ_VT_BARE && (map || f->kind == SJ_FRAME_TAG)) ||
	           (map && p->tok.kind == SJ_VT_NUMBER);
	if (!may)
		return SJ_OK;
	sj_vertical_token(p->v, p->tok.end, &next);
	bool sign = next.kind == SJ_VT_SIGN && (next.sign == '=' || next.sign == ':');
	if (!sign && !colon_first && !(map && p->tok.kind == SJ_VT_STRING))
		return SJ_OK;
	if (colon_first || !sign || (next.sign == ':') != map || (p->tok.kind == SJ_VT_STRING && !map))
		st = sj_build_note(&p->b, SJ_HEAL_KEY, p->tok.at);
	if (st == SJ_OK)
		st = take_key(p, f);
	*found = true;
	sj_parse_advance(p);
	while (sj_parse_at(p, '=') || sj_parse_at(p, ':')) /* also := and => is read as = */
		sj_parse_advance(p);
	return st;
}

/* The frame is open and the token is none of its signs: a key or a value. */
static enum sj_status entry(struct sj_parse *p)
{
	struct sj_frame *f = sj_frame_top(p);
	enum sj_status st = SJ_OK;
	bool found = false;
	size_t before = p->tok.at;
	if (f->after_value && !f->after_comma && f->kind != SJ_FRAME_TAG)
		st = sj_build_note(&p->b, SJ_HEAL_COMMA, p->tok.at);
	if (st == SJ_OK && f->kind != SJ_FRAME_LIST)
		st = key(p, &found);
	if (st != SJ_OK)
		return st;
	f->after_value = f->after_comma = false;
	if (!found && f->kind == SJ_FRAME_MAP) {
		if (p->tok.kind == SJ_VT_NAME) { /* {name} is {name: name} to nobody; say so */
			return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
			                      "'%.*s' has no value", SJ_ARG(sj_parse_source(p, &p->tok)));
		}
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a member needs a name");
	}
	if (!found && f->kind != SJ_FRAME_LIST && f->kind != SJ_FRAME_TAG)
		st = sj_frame_position(p, f);
	if (st != SJ_OK)
		return st;
	if (found && (p->tok.kind == SJ_VT_END || sj_parse_at(p, ',') || sj_parse_at(p, f->closer))) {
		f->key_want = NULL; /* `key=` without a value says nothing */
		return sj_build_note(&p->b, SJ_HEAL_KEY, before);
	}
	st = note_token(p);
	return st == SJ_OK ? value(p) : st;
}

/* `{` in a tag opens an expression: one value. `{{` a map. The brace behind it is left to step(). */
static enum sj_status expression(struct sj_parse *p)
{
	p->at = p->tok.end;
	p->v->in_tag = false;
	sj_vertical_token(p->v, p->at, &p->tok);
	return sj_parse_at(p, '}') ? SJ_OK : value(p);
}

static enum sj_status attribute(struct sj_parse *p)
{
	struct sj_frame *f = sj_frame_top(p);
	bool found;
	enum sj_status st = note_token(p);
	if (st == SJ_OK)
		st = key(p, &found);
	if (st != SJ_OK)
		return st;
	if (!found) {
		if (p->tok.kind != SJ_VT_NAME && p->tok.kind != SJ_VT_BARE) {
			sj_parse_advance(p); /* what has no business in a tag */
			return sj_build_note(&p->b, SJ_HEAL_BRACKET, p->at);
		}
		st = take_key(p, f); /* an attribute alone is true */
		if (st == SJ_OK)
			st = sj_frame_put(p, sj_value_bool(true), SJ_LIT("true"), p->tok.at);
		sj_parse_advance(p);
		return st;
	}
	st = note_token(p);
	return st != SJ_OK ? st : sj_parse_at(p, '{') ? expression(p) : value(p);
}

/* What stands between a tag and its end: text, tags, expressions. */
static enum sj_status content(struct sj_parse *p)
{
	struct sj_frame *f = sj_frame_top(p);
	struct sj_slice t = p->v->text;
	size_t at = p->at;
	while (at < t.len && t.ptr[at] != '{' &&
	       !(t.ptr[at] == '<' &&
	         ((at + 1 < t.len && t.ptr[at + 1] == '/') || sj_vertical_is_name(t, at + 1, true))))
		at++;
	struct sj_vertical_token run = {.kind = SJ_VT_BARE, .from = p->at, .to = at};
	sj_vertical_text(t, &run, true, &f->text);
	p->at = at;
	sj_vertical_token(p->v, at, &p->tok);
	if (at == t.len)
		return SJ_OK;
	if (t.ptr[at] == '<' && t.ptr[at + 1] == '/') {
		while (at < t.len && t.ptr[at] != '>')
			at++;
		p->tok.end = at < t.len ? at + 1 : at;
		enum sj_status st = sj_frame_close(p);
		sj_parse_advance(p);
		return st;
	}
	if (t.ptr[at] == '<')
		return begin_tag(p);
	/* An expression as content is the first argument. */
	f->content = false;
	f->resume = true;
	enum sj_status st = SJ_OK;
	if (f->type->npositions > 0)
		st = sj_frame_key(p, f, f->type->positions[0]->name);
	return st == SJ_OK ? expression(p) : st;
}

/* What stands before the brace that ends an expression, and belongs to nothing. */
static enum sj_status pass_over(struct sj_parse *p)
{
	enum sj_status st = sj_build_note(&p->b, SJ_HEAL_BRACKET, p->tok.at);
	sj_parse_advance(p);
	return st;
}

static enum sj_status step(struct sj_parse *p)
{
	struct sj_frame *f = sj_frame_top(p);
	enum sj_status st = note_token(p);
	if (st != SJ_OK)
		return st;
	if (p->tok.kind == SJ_VT_END) {
		st = sj_build_note(&p->b, SJ_HEAL_UNCLOSED, p->at);
		while (st == SJ_OK && p->stack.count > 0)
			st = sj_frame_close(p);
		return st;
	}
	if (f->kind == SJ_FRAME_TAG && sj_parse_at(p, '/')) {
		sj_parse_advance(p);
		if (!sj_parse_at(p, '>'))
			return SJ_OK;
		st = sj_frame_close(p);
		sj_parse_advance(p);
		return st;
	}
	if (f->kind == SJ_FRAME_TAG && sj_parse_at(p, '>')) {
		f->content = true;
		p->at = p->tok.end;
		return SJ_OK;
	}
	if (f->kind == SJ_FRAME_TAG && !sj_parse_at(p, '}'))
		return f->resume ? pass_over(p) : attribute(p);
	if (sj_parse_at(p, ')') || sj_parse_at(p, ']') || sj_parse_at(p, '}')) {
		if (f->after_comma && p->tok.sign == f->closer)
			st = sj_build_note(&p->b, SJ_HEAL_TRAILING, p->tok.at);
		if (st == SJ_OK && f->kind != SJ_FRAME_TAG)
			st = sj_frame_close_by(p, p->tok.sign);
		else if (f->resume) {
			/* The brace that ends an expression in a tag's content. */
			f->resume = false;
			f->content = true;
		}
		sj_parse_advance(p);
		return st;
	}
	if (sj_parse_at(p, ',') || sj_parse_at(p, ';')) {
		if (f->after_comma || !f->after_value || sj_parse_at(p, ';'))
			st = sj_build_note(&p->b, SJ_HEAL_TRAILING, p->tok.at);
		f->after_comma = true;
		sj_parse_advance(p);
		return st;
	}
	return entry(p);
}

/* The head: `x =` before it, then Name( or { or [ or <Name. */
static enum sj_status head(struct sj_parse *p)
{
	struct sj_vertical_token next;
	struct sj_frame *f;
	enum sj_status st = SJ_OK;
	sj_vertical_token(p->v, p->tok.end, &next);
	if (p->tok.kind == SJ_VT_NAME && next.kind == SJ_VT_SIGN && (next.sign == '=' || next.sign == ':')) {
		st = sj_build_note(&p->b, SJ_HEAL_ASSIGNMENT, p->tok.at);
		sj_parse_advance(p);
		while (sj_parse_at(p, '=') || sj_parse_at(p, ':'))
			sj_parse_advance(p);
	}
	if (st != SJ_OK)
		return st;
	if (p->tok.kind == SJ_VT_NAME) {
		st = sj_frame_component(p, sj_parse_source(p, &p->tok), false);
		sj_parse_advance(p);
		sj_parse_advance(p);
		return st;
	}
	if (sj_parse_at(p, '<'))
		return begin_tag(p);
	if (sj_parse_at(p, '{') || sj_parse_at(p, '[')) {
		st = sj_build_note(&p->b, SJ_HEAL_JSON, p->tok.at);
		if (st == SJ_OK)
			st = sj_frame_push(p, sj_parse_at(p, '{') ? SJ_FRAME_MAP : SJ_FRAME_LIST,
			                   sj_parse_at(p, '{') ? '}' : ']', &f);
		sj_parse_advance(p);
		return st;
	}
	return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "no component begins here");
}

enum sj_status sj_vertical_parse(struct sj_vertical *v, size_t base, uint32_t line, struct sj_value *surfaces,
                                 struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_parse p = {.v = v, .surfaces = surfaces};
	enum sj_status st;
	sj_build_init(&p.b, v->f, v->text, base, line, repairs, diag);
	sj_buf_init(&p.scratch, v->f->mem, 0);
	sj_vertical_token(v, 0, &p.tok);
	st = head(&p);
	while (st == SJ_OK && p.stack.count > 0)
		st = sj_frame_top(&p)->kind == SJ_FRAME_TAG && sj_frame_top(&p)->content && p.tok.kind != SJ_VT_END
		             ? content(&p)
		             : step(&p);
	while (p.stack.count > 0)
		sj_frame_drop(&p, &p.stack.items[--p.stack.count]);
	SJ_VEC_FREE(v->f->mem, &p.stack);
	sj_buf_finish(&p.scratch);
	sj_build_end(&p.b);
	return st;
}
