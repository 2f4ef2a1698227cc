#include "a2ui/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "base/utf.h"
#include "json/value.h"
#include "text/ident.h"

enum {
	FEW_ITEMS = 24,
	FEW_FRAMES = 12,
	SHOWN_BYTES = 40,   /* of the template, in a message */
	FEW_ARGS = 8,       /* up to here a repeated name is found by comparing all */
};

/* A finished value that waits for what it is an argument of, or a part that waits for the end of the template. */
struct item {
	struct sj_tpl_node node;
	struct sj_slice name;
};

struct frame {
	bool is_call; /* else a ${ inside an expression */
	struct sj_slice call;
	struct sj_slice name; /* under which the frame's own value goes to the frame outside it */
	uint32_t base;        /* first of its arguments among the items */
};

/* `text` is a copy in the arena that is decoded in place: decoding only shortens and runs left to right, so what is
 * written always lies behind what is read, and offsets stay those of the template. */
struct parser {
	struct sj_arena *arena;
	const struct sj_limits *l;
	struct sj_diag *diag;
	char *text;
	size_t at, end; /* end: the '}' of the interpolation being read */
	char *run;      /* literal text collected so far */
	size_t run_len;
	struct item *items;
	uint32_t nitems, items_cap;
	struct frame *frames;
	uint32_t nframes, frames_cap;
	struct item few_items[FEW_ITEMS];
	struct frame few_frames[FEW_FRAMES];
};

/* ---- errors ------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 5, 6))) static enum sj_status fault(struct parser *p, enum sj_status status,
                                                                  enum sj_code code, size_t at, const char *format, ...)
{
	if (!p->diag || p->diag->code != SJ_E_NONE)
		return status;
	char message[sizeof p->diag->message];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	sj_diag_set(p->diag, status, code, SJ_CAT_PARSE, "%s", message);
	p->diag->offset = at;
	return status;
}

#define SYNTAX(p, at, ...) fault((p), SJ_INVALID, SJ_E_EXPRESSION_ERROR, (at), __VA_ARGS__)
#define TOO_MUCH(p, at, ...) fault((p), SJ_LIMIT, SJ_E_LIMIT, (at), __VA_ARGS__)

static enum sj_status no_memory(struct parser *p)
{
	return fault(p, SJ_NOMEM, SJ_E_NOMEM, 0, "Out of memory while a template is parsed");
}

/* What stands at `at`, cut to what a message may show. */
static struct sj_slice shown(const struct parser *p, size_t at)
{
	struct sj_slice rest = {p->text + at, p->end - at};
	return (struct sj_slice){rest.ptr, sj_utf8_cut(rest, SHOWN_BYTES)};
}

static enum sj_status unexpected(struct parser *p, size_t at)
{
	struct sj_slice rest = shown(p, at);
	return SYNTAX(p, at, "Unexpected characters in expression: '%.*s'", SJ_ARG(rest));
}

/* ---- work stacks ------------------------------------------------------------------------------------------------- */

/* The first few live in the parser itself, so that an ordinary template allocates nothing but its result. */
static bool grow(struct sj_mem *mem, void **items, void *few, uint32_t *cap, size_t item)
{
	if (*cap > UINT32_MAX / 2)
		return false;
	uint32_t next = *cap * 2;
	void *more = sj_mem_resize(mem, *items == few ? NULL : *items, *items == few ? 0 : *cap * item, next * item);
	if (!more)
		return false;
	if (*items == few)
		memcpy(more, few, *cap * item);
	*items = more;
	*cap = next;
	return true;
}

static enum sj_status push_item(struct parser *p, struct sj_tpl_node node, struct sj_slice name)
{
	if (p->nitems == p->items_cap
	    && !grow(p->arena->mem, (void **)&p->items, p->few_items, &p->items_cap, sizeof *p->items))
		return no_memory(p);
	p->items[p->nitems++] = (struct item){node, name};
	return SJ_OK;
}

static enum sj_status push_frame(struct parser *p, struct frame f)
{
	if (p->nframes == p->frames_cap
	    && !grow(p->arena->mem, (void **)&p->frames, p->few_frames, &p->frames_cap, sizeof *p->frames))
		return no_memory(p);
	p->frames[p->nframes++] = f;
	return SJ_OK;
}

static void release_stacks(struct parser *p)
{
	if (p->items != p->few_items)
		sj_mem_free(p->arena->mem, p->items, p->items_cap * sizeof *p->items);
	if (p->frames != p->few_frames)
		sj_mem_free(p->arena->mem, p->frames, p->frames_cap * sizeof *p->frames);
}

/* Moves the items from `base` on to their place in the arena. Only now do they have an address that stays, so only now
 * do their own arguments learn of it: once for each node. */
static enum sj_status settle(struct parser *p, uint32_t base, struct sj_tpl_node **nodes)
{
	uint32_t n = p->nitems - base;
	struct sj_tpl_node *at = sj_arena_alloc(p->arena, n * sizeof *at);
	if (!at)
		return no_memory(p);
	for (uint32_t i = 0; i < n; i++) {
		at[i] = p->items[base + i].node;
		struct sj_tpl_node *args = (struct sj_tpl_node *)(uintptr_t)at[i].args;
		for (uint32_t k = 0; k < at[i].nargs; k++)
			args[k].parent = &at[i];
	}
	*nodes = at;
	return SJ_OK;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

/* What ECMAScript's \s matches. */
static bool is_space(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
	       c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name_ascii(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static bool is_path_ascii(char c) { return is_name_ascii(c) || c == '/' || c == '.' || c == '-'; }

static char peek(const struct parser *p) { return p->at < p->end ? p->text[p->at] : '\0'; }

static void skip_space(struct parser *p)
{
	while (p->at < p->end) {
		unsigned char c = (unsigned char)p->text[p->at];
		if (c < 0x80) {
			if (!is_space(c))
				return;
			p->at++;
			continue;
		}
		size_t next = p->at;
		if (!is_space(sj_utf8_next((struct sj_slice){p->text, p->end}, &next)))
			return;
		p->at = next;
	}
}

/* The longest run of characters that `accepts` or that are letters, digits or marks beyond ASCII. */
static struct sj_slice scan(struct parser *p, bool (*accepts)(char))
{
	size_t from = p->at;
	while (p->at < p->end) {
		if ((unsigned char)p->text[p->at] < 0x80) {
			if (!accepts(p->text[p->at]))
				break;
			p->at++;
			continue;
		}
		size_t next = p->at;
		uint32_t c = sj_utf8_next((struct sj_slice){p->text, p->end}, &next);
		if (c == 0xFFFD || !sj_xid_continue(c))
			break;
		p->at = next;
	}
	return (struct sj_slice){p->text + from, p->at - from};
}

/* The '}' that closes the interpolation whose content starts at `at`: braces balance, quoted text does not count. */
static bool find_end(const char *text, size_t at, size_t len, size_t *end)
{
	size_t open = 1;
	for (; at < len; at++) {
		char c = text[at];
		if (c == '{') {
			open++;
		} else if (c == '}') {
			if (--open == 0) {
				*end = at;
				return true;
			}
		} else if (c == '\'' || c == '"') {
			for (at++; at < len && text[at] != c; at++)
				if (text[at] == '\\')
					at++;
		}
	}
	return false;
}

static enum sj_status string_literal(struct parser *p, struct sj_tpl_node *v)
{
	char quote = p->text[p->at++];
	size_t from = p->at, to = from;
	while (p->at < p->end && p->text[p->at] != quote) {
		char c = p->text[p->at++];
		if (c == '\\' && p->at < p->end) {
			c = p->text[p->at++];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
		}
		p->text[to++] = c;
	}
	if (p->at >= p->end)
		return SYNTAX(p, from - 1, "Unclosed interpolation: a string does not end");
	p->at++;
	*v = (struct sj_tpl_node){.type = SJ_TPL_STRING, .text = {p->text + from, to - from}};
	return SJ_OK;
}

static enum sj_status number_literal(struct parser *p, struct sj_tpl_node *v)
{
	size_t from = p->at;
	unsigned points = 0;
	for (; is_digit(peek(p)) || peek(p) == '.'; p->at++)
		points += peek(p) == '.';
	struct sj_slice text = {p->text + from, p->at - from};
	double number;
	if (points > 1 || !sj_num_parse_loose(text, &number))
		return SYNTAX(p, from, "Invalid number literal: '%.*s'", (int)sj_utf8_cut(text, SHOWN_BYTES), text.ptr);
	*v = (struct sj_tpl_node){.type = SJ_TPL_NUMBER, .number = number};
	return SJ_OK;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* Reads `name :` of the next argument of the innermost call. */
static enum sj_status argument_name(struct parser *p, struct sj_slice *name)
{
	struct sj_slice call = p->frames[p->nframes - 1].call;
	skip_space(p);
	size_t at = p->at;
	*name = scan(p, is_name_ascii);
	skip_space(p);
	if (peek(p) == ':' && name->len) {
		p->at++;
		return SJ_OK;
	}
	bool fresh = p->diag && p->diag->code == SJ_E_NONE;
	enum sj_status s =
		SYNTAX(p, at, "Expected ':' after argument name '%.*s' in function '%.*s'",
	               (int)sj_utf8_cut(*name, SHOWN_BYTES), name->ptr, (int)sj_utf8_cut(call, SHOWN_BYTES), call.ptr);
	if (fresh)
		sj_diag_hint(p->diag, "Arguments are named: %.*s(name: value).", (int)sj_utf8_cut(call, SHOWN_BYTES),
		             call.ptr);
	return s;
}

static enum sj_status repeated_name(struct parser *p, uint32_t base)
{
	uint32_t n = p->nitems - base;
	struct sj_slice twice = SJ_NO_SLICE;
	if (n <= FEW_ARGS) {
		for (uint32_t i = 1; i < n && !twice.ptr; i++)
			for (uint32_t k = 0; k < i; k++)
				if (sj_slice_eq(p->items[base + i].name, p->items[base + k].name))
					twice = p->items[base + i].name;
	} else {
		struct sj_map seen;
		sj_map_init(&seen, p->arena->mem, 0);
		for (uint32_t i = 0; i < n && !twice.ptr; i++) {
			struct sj_slice name = p->items[base + i].name;
			if (sj_map_get(&seen, name) != SJ_MAP_NONE) {
				twice = name;
			} else if (sj_map_put(&seen, name, i) != SJ_OK) {
				sj_map_finish(&seen);
				return no_memory(p);
			}
		}
		sj_map_finish(&seen);
	}
	if (!twice.ptr)
		return SJ_OK;
	return SYNTAX(p, (size_t)(twice.ptr - p->text), "Argument '%.*s' is given twice",
	              (int)sj_utf8_cut(twice, SHOWN_BYTES), twice.ptr);
}

/* The innermost frame, a call, has all its arguments: it becomes a value. */
static enum sj_status close_call(struct parser *p, struct sj_tpl_node *v, struct sj_slice *name)
{
	struct frame f = p->frames[p->nframes - 1];
	uint32_t n = p->nitems - f.base;
	*v = (struct sj_tpl_node){.type = SJ_TPL_CALL, .text = f.call, .nargs = n};
	if (n) {
		enum sj_status s = repeated_name(p, f.base);
		struct sj_tpl_node *args = NULL;
		if (s == SJ_OK)
			s = settle(p, f.base, &args);
		if (s != SJ_OK)
			return s;
		struct sj_slice *names = sj_arena_alloc(p->arena, n * sizeof *names);
		if (!names)
			return no_memory(p);
		for (uint32_t i = 0; i < n; i++)
			names[i] = p->items[f.base + i].name;
		v->args = args;
		v->arg_names = names;
	}
	p->nitems = f.base;
	p->nframes--;
	*name = f.name;
	return SJ_OK;
}

/* A path, a keyword, or the name of a call whose frame is then open (*opened). */
static enum sj_status word(struct parser *p, struct sj_slice name, struct sj_tpl_node *v, bool *opened)
{
	size_t from = p->at;
	bool system = peek(p) == '@';
	p->at += system;
	struct sj_slice token = scan(p, is_path_ascii);
	if (!token.len) {
		p->at = from;
		return unexpected(p, from);
	}
	token = (struct sj_slice){p->text + from, p->at - from};
	enum sj_tpl_type type = sj_slice_is(token, "true")    ? SJ_TPL_TRUE
	                        : sj_slice_is(token, "false") ? SJ_TPL_FALSE
	                        : sj_slice_is(token, "null")  ? SJ_TPL_NULL
	                                                      : SJ_TPL_PATH;
	*v = (struct sj_tpl_node){.type = type, .text = type == SJ_TPL_PATH ? token : SJ_NO_SLICE};
	if (type != SJ_TPL_PATH)
		return SJ_OK;
	size_t after = p->at;
	skip_space(p);
	if (peek(p) != '(' || memchr(token.ptr, '/', token.len)) {
		p->at = after;
		return system ? unexpected(p, from) : SJ_OK;
	}
	p->at++;
	*opened = true;
	return push_frame(p, (struct frame){.is_call = true, .call = token, .name = name, .base = p->nitems});
}

/* One interpolation, `at` behind its "${" and `end` at its '}'. A loop over three states: a value is wanted; a value is
 * there; and, between them, the opening and closing of frames. */
static enum sj_status expression(struct parser *p, struct sj_tpl_node *v)
{
	struct sj_slice name = SJ_NO_SLICE; /* of the argument the wanted value is for */
	enum sj_status s;
want:
	if (p->nframes >= p->l->expression_depth)
		return TOO_MUCH(p, p->at, "Max recursion depth reached in parse: more than %u levels",
		                p->l->expression_depth);
	skip_space(p);
	bool opened = false;
	char c = peek(p);
	if (c == '$' && p->at + 1 < p->end && p->text[p->at + 1] == '{') {
		p->at += 2;
		s = push_frame(p, (struct frame){.is_call = false, .name = name});
		if (s != SJ_OK)
			return s;
		name = SJ_NO_SLICE;
		goto want;
	}
	if (c == '\'' || c == '"') {
		s = string_literal(p, v);
	} else if (is_digit(c)) {
		s = number_literal(p, v);
	} else if ((p->at == p->end && !p->nframes) || (c == '}' && p->nframes && !p->frames[p->nframes - 1].is_call)) {
		*v = (struct sj_tpl_node){.type = SJ_TPL_STRING, .text = {p->text + p->at, 0}};
		s = SJ_OK;
	} else {
		s = word(p, name, v, &opened);
	}
	if (s != SJ_OK)
		return s;
	if (opened) {
		skip_space(p);
		if (peek(p) != ')') {
			if ((s = argument_name(p, &name)) != SJ_OK)
				return s;
			goto want;
		}
		p->at++;
		if ((s = close_call(p, v, &name)) != SJ_OK)
			return s;
	}
	for (;;) { /* *v is there, to be called `name` in the frame it stands in */
		skip_space(p);
		if (!p->nframes)
			return p->at == p->end ? SJ_OK : unexpected(p, p->at);
		struct frame *f = &p->frames[p->nframes - 1];
		if (!f->is_call) {
			if (peek(p) != '}')
				return unexpected(p, p->at);
			p->at++;
			name = f->name;
			p->nframes--;
			continue;
		}
		if (p->nitems - f->base >= p->l->call_args)
			return TOO_MUCH(p, p->at, "Function '%.*s' has more than %u arguments",
			                (int)sj_utf8_cut(f->call, SHOWN_BYTES), f->call.ptr, p->l->call_args);
		if ((s = push_item(p, *v, name)) != SJ_OK)
			return s;
		c = peek(p);
		if (c == ',') {
			p->at++;
			if ((s = argument_name(p, &name)) != SJ_OK)
				return s;
			goto want;
		}
		if (c != ')')
			return SYNTAX(p, p->at, "Expected ')' after function arguments for '%.*s'",
			              (int)sj_utf8_cut(f->call, SHOWN_BYTES), f->call.ptr);
		p->at++;
		if ((s = close_call(p, v, &name)) != SJ_OK)
			return s;
	}
}

/* ---- templates --------------------------------------------------------------------------------------------------- */

static void literal(struct parser *p, struct sj_slice text)
{
	if (!p->run)
		p->run = (char *)(uintptr_t)text.ptr;
	else if (p->run + p->run_len != text.ptr)
		memmove(p->run + p->run_len, text.ptr, text.len);
	p->run_len += text.len;
}

static enum sj_status push_part(struct parser *p, struct sj_tpl_node node)
{
	if (p->nitems >= p->l->template_parts)
		return TOO_MUCH(p, p->at, "Template has more than %u parts", p->l->template_parts);
	return push_item(p, node, SJ_NO_SLICE);
}

static enum sj_status flush(struct parser *p)
{
	struct sj_tpl_node node = {.type = SJ_TPL_LITERAL, .text = {p->run, p->run_len}};
	p->run = NULL;
	p->run_len = 0;
	return node.text.len ? push_part(p, node) : SJ_OK;
}

static enum sj_status interpolation(struct parser *p, size_t len)
{
	size_t open = p->at;
	p->at += 2;
	if (!find_end(p->text, p->at, len, &p->end))
		return SYNTAX(p, open, "Unclosed interpolation: missing '}'");
	struct sj_tpl_node v;
	enum sj_status s = expression(p, &v);
	if (s != SJ_OK)
		return s;
	p->at = p->end + 1;
	if (v.type == SJ_TPL_STRING) {
		literal(p, v.text);
		return SJ_OK;
	}
	s = flush(p);
	return s == SJ_OK ? push_part(p, v) : s;
}

static enum sj_status parts(struct parser *p, size_t len)
{
	size_t from = 0; /* of the literal text being looked at */
	while (p->at < len) {
		char *dollar = memchr(p->text + p->at, '$', len - p->at);
		if (!dollar)
			break;
		size_t i = (size_t)(dollar - p->text);
		p->at = i + 1;
		if (p->at == len || p->text[p->at] != '{')
			continue;
		bool escaped = i > from && p->text[i - 1] == '\\';
		literal(p, (struct sj_slice){p->text + from, i - from - escaped});
		if (escaped) {
			literal(p, (struct sj_slice){p->text + i, 2});
			p->at = from = i + 2;
			continue;
		}
		p->at = i;
		enum sj_status s = interpolation(p, len);
		if (s != SJ_OK)
			return s;
		from = p->at;
	}
	literal(p, (struct sj_slice){p->text + from, len - from});
	return flush(p);
}

enum sj_status sj_tpl_parse(struct sj_arena *arena, const struct sj_limits *l, struct sj_slice text, struct sj_tpl *out,
                            struct sj_diag *diag)
{
	struct parser p = {.arena = arena, .l = l, .diag = diag, .items_cap = FEW_ITEMS, .frames_cap = FEW_FRAMES};
	if (text.len > l->template_chars && sj_utf16_count(text) > l->template_chars)
		return TOO_MUCH(&p, 0, "Template is longer than %u characters", l->template_chars);
	struct sj_slice copy = sj_arena_copy(arena, text);
	if (!copy.ptr)
		return no_memory(&p);
	p.text = (char *)(uintptr_t)copy.ptr;
	p.items = p.few_items;
	p.frames = p.few_frames;
	enum sj_status s = parts(&p, text.len);
	struct sj_tpl_node *nodes = NULL;
	if (s == SJ_OK && p.nitems == 0)
		s = push_item(&p, (struct sj_tpl_node){.type = SJ_TPL_LITERAL, .text = {copy.ptr, 0}}, SJ_NO_SLICE);
	if (s == SJ_OK)
		s = settle(&p, 0, &nodes);
	if (s == SJ_OK)
		*out = (struct sj_tpl){nodes, p.nitems};
	release_stacks(&p);
	return s;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static void put_leaf(struct sj_buf *out, const struct sj_tpl_node *n)
{
	char number[SJ_NUM_TEXT];
	switch (n->type) {
	case SJ_TPL_LITERAL:
	case SJ_TPL_STRING:
		sj_json_print_string(out, n->text);
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
		sj_buf_puts(out, "{\"path\":");
		sj_json_print_string(out, n->text);
		sj_buf_putc(out, '}');
		return;
	case SJ_TPL_CALL:
		break;
	}
}

static void put_key(struct sj_buf *out, const struct sj_tpl_node *call, uint32_t i)
{
	if (i)
		sj_buf_putc(out, ',');
	sj_json_print_string(out, call->arg_names[i]);
	sj_buf_putc(out, ':');
}

static void put_part(struct sj_buf *out, const struct sj_tpl_node *n)
{
	for (;;) {
		if (n->type == SJ_TPL_CALL) {
			sj_buf_puts(out, "{\"call\":");
			sj_json_print_string(out, n->text);
			sj_buf_puts(out, ",\"args\":{");
			if (n->nargs) {
				put_key(out, n, 0);
				n = n->args;
				continue;
			}
			sj_buf_puts(out, "},\"returnType\":\"any\"}");
		} else {
			put_leaf(out, n);
		}
		for (;; n = n->parent) {
			if (!n->parent)
				return;
			uint32_t i = (uint32_t)(n - n->parent->args) + 1;
			if (i < n->parent->nargs) {
				put_key(out, n->parent, i);
				n++;
				break;
			}
			sj_buf_puts(out, "},\"returnType\":\"any\"}");
		}
	}
}

void sj_tpl_json(const struct sj_tpl *t, struct sj_buf *out)
{
	sj_buf_putc(out, '[');
	for (uint32_t i = 0; i < t->count; i++) {
		if (i)
			sj_buf_putc(out, ',');
		put_part(out, &t->parts[i]);
	}
	sj_buf_putc(out, ']');
}
