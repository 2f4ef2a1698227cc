/* What leaves the driver: events for the engine, and the one outbound `error` a refused message gets. */
#include <stdarg.h>
#include <stdio.h>

#include "a2ui/internal.h"

enum sj_status sj_emit(struct sj_a2ui *a, const struct sj_out *o)
{
	return a->opt.emit ? a->opt.emit(a->opt.ctx, o) : SJ_OK;
}

enum sj_status sj_emit_send(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_view *v,
                            struct sj_slice json)
{
	struct sj_buf meta;
	sj_buf_init(&meta, a->mem, 0);
	bool present = false;
	enum sj_status st = sj_a2ui_data_model(a, peer, version, &meta, &present, NULL);
	if (st == SJ_OK)
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SEND,
		                                 .peer = peer,
		                                 .view = v,
		                                 .surface_id = v ? sj_slice(v->id, v->id_len) : SJ_NO_SLICE,
		                                 .json = json,
		                                 .metadata = present ? sj_buf_view(&meta) : SJ_NO_SLICE,
		                                 .message = a->message});
	sj_buf_finish(&meta);
	return st;
}

enum sj_status sj_emit_reply(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_view *v,
                             struct sj_slice json)
{
	return sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SEND,
	                                   .peer = peer,
	                                   .view = v,
	                                   .surface_id = v ? sj_slice(v->id, v->id_len) : SJ_NO_SLICE,
	                                   .json = json,
	                                   .message = a->message,
	                                   .with_models = true,
	                                   .version = version});
}

/* The pointer of a diagnostic begins with the action's key ("/updateComponents/components/0/text"); on the wire it is
 * relative to the body. */
static struct sj_slice body_pointer(const char *pointer)
{
	if (pointer[0] != '/')
		return SJ_LIT("");
	const char *rest = strchr(pointer + 1, '/');
	return rest ? sj_slice_of(rest) : SJ_LIT("");
}

static bool is_placed(enum sj_version v, enum sj_code code) /* closed shape {code, surfaceId, path, message} */
{
	return code == SJ_E_VALIDATION_FAILED ||
	       (v >= SJ_V10 && (code == SJ_E_UNALLOWED_PARENT || code == SJ_E_UNALLOWED_CHILD));
}

/* Input faults below the protocol travel under the protocol's own word. */
static enum sj_code wire_code(enum sj_version v, enum sj_code code)
{
	switch ((int)code) {
	case SJ_E_POINTER:
	case SJ_E_LIMIT:
	case SJ_E_UNALLOWED_PARENT:
	case SJ_E_UNALLOWED_CHILD:
		return v >= SJ_V10 && code != SJ_E_POINTER && code != SJ_E_LIMIT ? code : SJ_E_VALIDATION_FAILED;
	default:
		return code;
	}
}

enum sj_status sj_emit_fault(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_slice surface_id,
                             struct sj_view *v, const struct sj_diag *d, bool answer)
{
	struct sj_buf out;
	sj_buf_init(&out, a->mem, 0);
	/* In v0.9 an error needs a surface to name, in v1.0 a surface or a call: without either nobody can be answered.
	 * v0.8 leaves open what its error says; ours says the same. */
	answer = answer && version != SJ_VERSION_NONE && (version == SJ_V08 || surface_id.ptr != NULL);
	if (answer) {
		enum sj_code code = wire_code(version, d->code);
		if (version == SJ_V08)
			sj_buf_puts(&out, "{\"error\":{\"code\":\"");
		else
			sj_buf_printf(&out, "{\"version\":\"%s\",\"error\":{\"code\":\"", sj_version_text(version));
		sj_buf_puts(&out, sj_code_name(code));
		sj_buf_putc(&out, '"');
		if (surface_id.ptr) {
			sj_buf_puts(&out, ",\"surfaceId\":");
			sj_json_print_string(&out, surface_id);
		}
		if (is_placed(version, code)) {
			sj_buf_puts(&out, ",\"path\":");
			sj_json_print_string(&out, body_pointer(d->pointer));
		}
		sj_buf_puts(&out, ",\"message\":");
		sj_json_print_string(&out, sj_slice_of(d->message));
		sj_buf_puts(&out, "}}");
	}
	enum sj_status st = sj_buf_status(&out);
	if (st == SJ_OK)
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_DIAG,
		                                 .peer = peer,
		                                 .view = v,
		                                 .surface_id = surface_id,
		                                 .json = answer ? sj_buf_view(&out) : SJ_NO_SLICE,
		                                 .diag = d,
		                                 .source = a->refused,
		                                 .message = a->message});
	if (st == SJ_OK && answer)
		st = sj_emit_reply(a, peer, version, v, sj_buf_view(&out));
	sj_buf_finish(&out);
	return st;
}

struct sj_diag *sj_faults_next(struct sj_faults *f)
{
	if (f->count++ >= f->cap)
		return NULL;
	struct sj_diag *d = &f->items[f->count - 1];
	sj_diag_clear(d);
	return d;
}

void sj_faults_at(struct sj_faults *f, struct sj_diag *d, uint32_t cell)
{
	if (!d)
		return;
	d->offset = f->base + f->tape->cells[cell].off;
	d->line = (f->base_line ? f->base_line - 1 : 0) + f->line - 1 +
	          sj_json_line(sj_slice(f->tape->text + f->off, f->tape->text_len - f->off),
	                       f->tape->cells[cell].off - f->off);
	struct sj_buf b;
	sj_buf_init(&b, f->mem, sizeof d->pointer - 1);
	/* The pointer is relative to the message, which may stand inside an array or a wrapper. */
	sj_tape_pointer_from(f->tape, f->root, cell, &b);
	if (sj_buf_status(&b) == SJ_OK && b.ptr)
		sj_diag_pointer(d, "%s", b.ptr);
	sj_buf_finish(&b);
}

/* Goes one step down, to a member that should be there. */
static void point_at_member(struct sj_faults *f, struct sj_diag *d, struct sj_slice name)
{
	struct sj_buf step;
	size_t n = strlen(d->pointer);
	sj_buf_init(&step, f->mem, 0);
	sj_pointer_append(&step, name);
	if (sj_buf_status(&step) == SJ_OK)
		snprintf(d->pointer + n, sizeof d->pointer - n, "%.*s", SJ_ARG(sj_buf_view(&step)));
	sj_buf_finish(&step);
}

static void set_detail(struct sj_diag *d, const char *word)
{
	size_t n = strlen(word);
	n = n < sizeof d->detail ? n : sizeof d->detail - 1;
	memcpy(d->detail, word, n);
	d->detail[n] = '\0';
}

enum sj_status sj_fault_at(struct sj_faults *f, uint32_t cell, const char *field, const char *detail,
                           const char *format, ...)
{
	struct sj_diag *d = sj_faults_next(f);
	if (!d)
		return SJ_INVALID;
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	sj_diag_set(d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "%s", text);
	sj_faults_at(f, d, cell);
	set_detail(d, detail);
	if (field)
		point_at_member(f, d, sj_slice_of(field));
	return SJ_INVALID;
}

enum sj_status sj_fault_extra(struct sj_faults *f, uint32_t key, const char *what)
{
	enum sj_status st = sj_fault_at(f, sj_tape_next(f->tape, key), NULL, "invalid_value",
	                                "Additional properties are not allowed ('%.*s' was unexpected in %s)",
	                                SJ_ARG(sj_tape_raw(f->tape, key)), what);
	if (f->count > 0 && f->count <= f->cap)
		sj_diag_hint(&f->items[f->count - 1], "Remove \"%.*s\".", SJ_ARG(sj_tape_raw(f->tape, key)));
	return st;
}

enum sj_status sj_fault_closed(struct sj_faults *f, uint32_t object, const char *const *names, const char *what)
{
	const struct sj_tape *t = f->tape;
	for (uint32_t at = sj_tape_first(t, object); at < t->cells[object].end;) {
		uint32_t value = sj_tape_next(t, at);
		bool known = false;
		for (size_t i = 0; names[i] && !known; i++)
			known = sj_tape_string_is(t, at, sj_slice_of(names[i]));
		if (!known)
			return sj_fault_extra(f, at, what);
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

enum sj_status sj_fault_copy(struct sj_faults *f, const struct sj_diag *from, uint32_t cell, enum sj_status st)
{
	struct sj_diag *d = sj_faults_next(f);
	if (d) {
		*d = *from;
		sj_faults_at(f, d, cell);
		if (!d->detail[0] && sj_category_is(d->category, SJ_CAT_VALIDATION))
			set_detail(d, "invalid_value");
	}
	return st;
}

/* Pointer of the fault within the instance, "" for the instance itself. */
static void relative_pointer(const struct sj_fault_ctx *c, const struct sj_schema_fault *sf, char *out, size_t size)
{
	struct sj_buf whole, root;
	sj_buf_init(&whole, c->f->mem, 0);
	sj_buf_init(&root, c->f->mem, 0);
	sj_tape_pointer(c->tape, sf->cell, &whole);
	sj_tape_pointer(c->tape, c->cell, &root);
	out[0] = '\0';
	if (sj_buf_status(&whole) == SJ_OK && sj_buf_status(&root) == SJ_OK && whole.len > root.len)
		snprintf(out, size, "%s", whole.ptr + root.len);
	sj_buf_finish(&whole);
	sj_buf_finish(&root);
}

/* The words that the schema would take. Those that do not fit are left away, but a whole one is always there. */
static void hint_words(struct sj_diag *d, const struct sj_schema_fault *sf)
{
	const struct sj_tape *s = sf->schema;
	uint32_t only = sj_slice_is(sf->keyword, "const") ? sj_tape_get(s, sf->schema_cell, SJ_LIT("const")) : 0;
	uint32_t words = sj_slice_is(sf->keyword, "enum") ? sj_tape_get(s, sf->schema_cell, SJ_LIT("enum")) : 0;
	char text[sizeof d->hint - 16];
	size_t n = 0;
	if (only && sj_tape_type(s, only) == SJ_J_STRING && s->cells[only].len < sizeof text)
		sj_diag_hint(d, "Use \"%.*s\".", SJ_ARG(sj_tape_raw(s, only)));
	if (!words || sj_tape_type(s, words) != SJ_J_ARRAY)
		return;
	for (uint32_t at = sj_tape_first(s, words); at < s->cells[words].end; at = sj_tape_next(s, at)) {
		struct sj_slice word = sj_tape_raw(s, at);
		if (sj_tape_type(s, at) == SJ_J_STRING && n + word.len + 4 < sizeof text)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%.*s\"", n ? ", " : "", SJ_ARG(word));
	}
	if (n > 0)
		sj_diag_hint(d, "Use one of %s.", text);
}

/* A component that was written where its id belongs, or a list of them. */
static bool holds_component(const struct sj_tape *t, uint32_t cell)
{
	if (sj_tape_type(t, cell) == SJ_J_ARRAY && t->cells[cell].len > 0)
		cell = sj_tape_first(t, cell);
	uint32_t type = sj_tape_type(t, cell) == SJ_J_OBJECT ? sj_tape_get(t, cell, SJ_LIT("component")) : 0;
	return type != 0 && sj_tape_type(t, type) != SJ_J_NULL;
}

/* The property of the component's type that this name means. */
static struct sj_slice meant_property(const struct sj_fault_ctx *c, struct sj_slice name)
{
	struct sj_slice now;
	for (uint32_t i = 0; c->type && sj_a2ui_alias(name, &i, &now);)
		if (sj_a2ui_prop_find(c->type, now))
			return now;
	for (uint32_t i = 0; c->type && i < c->type->nprops; i++)
		if (sj_slice_folds(c->type->props[i].name, name))
			return c->type->props[i].name;
	return SJ_NO_SLICE;
}

static void hint_extra(const struct sj_fault_ctx *c, struct sj_diag *d, const struct sj_schema_fault *sf)
{
	struct sj_slice meant = sf->cell == c->cell ? meant_property(c, sf->property) : SJ_NO_SLICE;
	if (meant.ptr && !sj_tape_get(c->tape, c->cell, meant))
		sj_diag_hint(d, "Use \"%.*s\" instead of \"%.*s\".", SJ_ARG(meant), SJ_ARG(sf->property));
	else
		sj_diag_hint(d, "Remove \"%.*s\".", SJ_ARG(sf->property));
}

static void hint_missing(const struct sj_fault_ctx *c, struct sj_diag *d, const struct sj_schema_fault *sf)
{
	const struct sj_tape *t = c->tape;
	if (sf->cell == c->cell && c->type && sj_tape_type(t, c->cell) == SJ_J_OBJECT)
		for (uint32_t at = sj_tape_first(t, c->cell); at < t->cells[c->cell].end;
		     at = sj_tape_next(t, at + 1)) {
			struct sj_slice name = sj_tape_raw(t, at);
			if (!sj_a2ui_prop_find(c->type, name) && sj_slice_eq(meant_property(c, name), sf->property)) {
				sj_diag_hint(d, "Use \"%.*s\" instead of \"%.*s\".", SJ_ARG(sf->property),
				             SJ_ARG(name));
				return;
			}
		}
	sj_diag_hint(d, "Add \"%.*s\".", SJ_ARG(sf->property));
}

bool sj_fault_schema(void *ctx, const struct sj_schema_fault *sf)
{
	struct sj_fault_ctx *c = ctx;
	struct sj_diag *d = sj_faults_next(c->f);
	if (!d)
		return false;
	char where[120];
	relative_pointer(c, sf, where, sizeof where);
	sj_diag_set(d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Validation failed for %s '%.*s'%s%s: %s",
	            c->what, SJ_ARG(c->name), where[0] ? " at " : "", where, sf->message);
	bool own = c->tape == c->f->tape;
	sj_faults_at(c->f, d, own ? sf->cell : c->outer);
	if (!own) {
		size_t n = strlen(d->pointer);
		snprintf(d->pointer + n, sizeof d->pointer - n, "%s", where);
	}
	bool missing = sj_slice_is(sf->keyword, "required");
	set_detail(d, missing ? "missing_field" : "invalid_value");
	if (missing && sf->property.len > 0) {
		point_at_member(c->f, d, sf->property); /* the place that should be there */
		hint_missing(c, d, sf);
	} else if (sf->property.len > 0) {
		hint_extra(c, d, sf);
	} else if (holds_component(c->tape, sf->cell) && sf->cell != c->cell) {
		sj_diag_hint(d, "Give only the id here; the component itself is one more item of \"components\".");
	} else if (sf->schema && sj_tape_type(sf->schema, sf->schema_cell) == SJ_J_OBJECT) {
		hint_words(d, sf);
	}
	return c->f->count <= c->f->cap; /* one more is looked for, to say that there is more */
}
