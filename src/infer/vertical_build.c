#include "infer/vertical_build.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
	enum sj_repair_kind kind;
	const char *text;
} heals[SJ_HEALS] = {
	[SJ_HEAL_COMMENT] = {SJ_REPAIR_COMMENT, "passed over a comment"},
	[SJ_HEAL_STRING] = {SJ_REPAIR_UNCLOSED, "closed a string where its line ended"},
	[SJ_HEAL_QUOTES] = {SJ_REPAIR_QUOTES, "read a string in other than straight double quotation marks, or with such in it"},
	[SJ_HEAL_BRACKET] = {SJ_REPAIR_SYNTAX, "passed over a bracket or sign that has no counterpart"},
	[SJ_HEAL_UNCLOSED] = {SJ_REPAIR_UNCLOSED, "closed brackets that were left open"},
	[SJ_HEAL_TRAILING] = {SJ_REPAIR_TRAILING_COMMA, "passed over a comma that separates nothing"},
	[SJ_HEAL_COMMA] = {SJ_REPAIR_LITERAL, "read two values without a comma between them"},
	[SJ_HEAL_KEY] = {SJ_REPAIR_SYNTAX, "read an argument that is not written as name=value"},
	[SJ_HEAL_LITERAL] = {SJ_REPAIR_LITERAL, "read a word or number that is not written as the notation has it"},
	[SJ_HEAL_PATH] = {SJ_REPAIR_SYNTAX, "read ${path} as $path"},
	[SJ_HEAL_ASSIGNMENT] = {SJ_REPAIR_SYNTAX, "passed over the name a component was assigned to"},
	[SJ_HEAL_JSON] = {SJ_REPAIR_SYNTAX, "read JSON instead of a constructor"},
	[SJ_HEAL_TAG] = {SJ_REPAIR_SYNTAX, "read a tag instead of a constructor"},
	[SJ_HEAL_CHECK] = {SJ_REPAIR_SYNTAX, "read a function among the checks as a check"},
	[SJ_HEAL_ID] = {SJ_REPAIR_SYNTAX, "passed over an id or a component's name: they follow from the place"},
	[SJ_HEAL_TWICE] = {SJ_REPAIR_SYNTAX, "took the last of several values for one property"},
};

void sj_build_init(struct sj_build *b, const struct sj_format *f, struct sj_slice text, size_t base, uint32_t line,
                   struct sj_repairs *repairs, struct sj_diag *diag)
{
	*b = (struct sj_build){.f = f,
	                       .text = text,
	                       .base = base,
	                       .line = line,
	                       .repairs = repairs,
	                       .diag = diag,
	                       .components = SJ_ABSENT_VALUE};
	sj_arena_init(&b->arena, f->mem, 0);
}

void sj_build_end(struct sj_build *b)
{
	sj_value_unref(b->f->mem, b->components);
	for (uint32_t i = 0; i < b->pending.count; i++)
		sj_value_unref(b->f->mem, b->pending.items[i].value);
	SJ_VEC_FREE(b->f->mem, &b->pending);
	sj_arena_finish(&b->arena);
}

/* ---- repairs and faults ------------------------------------------------------------------------------------------ */

static uint32_t line_at(const struct sj_build *b, size_t at)
{
	uint32_t line = b->line;
	const char *p = b->text.ptr, *end = p + (at < b->text.len ? at : b->text.len);
	for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		line++;
	return line;
}

enum sj_status sj_build_note(struct sj_build *b, enum sj_heal heal, size_t at)
{
	if (b->noted & 1u << heal)
		return SJ_OK;
	b->noted |= 1u << heal;
	return sj_repair_note(b->f->mem, b->repairs, heals[heal].kind, line_at(b, at), b->base + at, b->diag, "%s",
	                      heals[heal].text);
}

enum sj_status sj_build_place(struct sj_build *b, size_t at, enum sj_status status)
{
	if (b->diag && b->diag->line == 0 && (status == SJ_INVALID || status == SJ_LIMIT)) {
		b->diag->line = line_at(b, at);
		b->diag->offset = b->base + at;
	}
	return status;
}

enum sj_status sj_build_fault(struct sj_build *b, size_t at, enum sj_status status, enum sj_code code,
                              enum sj_category cat, const char *format, ...)
{
	char text[sizeof b->diag->message];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	sj_diag_set(b->diag, status, code, cat, "%s", text);
	return sj_build_place(b, at, status);
}

static enum sj_status note_of(struct sj_build *b, enum sj_repair_kind kind, size_t at, struct sj_slice was,
                              const char *how, struct sj_slice is)
{
	return sj_repair_note(b->f->mem, b->repairs, kind, line_at(b, at), b->base + at, b->diag,
	                      "read '%.*s' as %s%.*s", was.len > 60 ? 60 : (int)was.len, was.len ? was.ptr : "", how,
	                      SJ_ARG(is));
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

enum sj_status sj_build_surface(struct sj_build *b)
{
	sj_value_unref(b->f->mem, b->components);
	b->components = SJ_ABSENT_VALUE;
	return sj_value_array(b->f->mem, &b->components);
}

enum sj_status sj_build_reserve(struct sj_build *b, uint32_t *slot)
{
	*slot = sj_value_count(&b->components);
	return sj_value_append(b->f->mem, &b->components, SJ_NULL_VALUE);
}

enum sj_status sj_build_place_component(struct sj_build *b, uint32_t slot, struct sj_value take)
{
	return sj_value_set_item(b->f->mem, &b->components, slot, take);
}

enum sj_status sj_build_finish_surface(struct sj_build *b, struct sj_value *surfaces)
{
	enum sj_status st = sj_build_pending(b);
	if (st != SJ_OK)
		return st;
	st = sj_value_append(b->f->mem, surfaces, b->components);
	b->components = SJ_ABSENT_VALUE;
	return st;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum sj_status sj_build_type(struct sj_build *b, size_t at, struct sj_slice name, struct sj_slice own,
                             const struct sj_catalog **catalog, const struct sj_a2ui_component **type)
{
	struct sj_slice meant = SJ_NO_SLICE;
	uint32_t candidates = 0;
	if (!sj_vertical_is_component(&(struct sj_vertical){.f = b->f}, name))
		for (uint32_t i = 0; i < b->f->opt.ncatalogs; i++)
			for (uint32_t k = 0; k < sj_catalog_component_count(b->f->catalogs[i]); k++) {
				struct sj_slice known = sj_catalog_component_at(b->f->catalogs[i], k)->name;
				if (sj_vertical_alike(known, name) && !sj_slice_eq(known, meant)) {
					meant = known;
					candidates++;
				}
			}
	if (candidates == 1) {
		enum sj_status st = note_of(b, SJ_REPAIR_NAME_CASE, at, name, "the component ", meant);
		if (st != SJ_OK)
			return st;
		name = meant;
	}
	return sj_build_place(b, at, sj_format_component(b->f, name, own, catalog, type, b->diag));
}

enum sj_status sj_build_name(struct sj_build *b, size_t at, const struct sj_a2ui_component *type, struct sj_slice *key)
{
	const struct sj_a2ui_prop *meant = NULL;
	if (type->open || sj_a2ui_prop_find(type, *key))
		return SJ_OK;
	for (uint32_t i = 0; i < type->nprops; i++)
		if (sj_vertical_alike(type->props[i].name, *key)) {
			if (meant)
				return SJ_OK; /* two fit: neither was said */
			meant = &type->props[i];
		}
	if (!meant)
		return SJ_OK;
	struct sj_slice was = *key;
	*key = meant->name;
	return note_of(b, SJ_REPAIR_NAME_CASE, at, was, "the property ", meant->name);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Takes the value. */
static enum sj_status set(struct sj_build *b, struct sj_value *object, struct sj_slice key, struct sj_value take)
{
	return sj_value_set(b->f->mem, object, key, take);
}

static enum sj_status set_text(struct sj_build *b, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(b->f->mem, text, &v);
	return st == SJ_OK ? set(b, object, sj_slice_of(key), v) : st;
}

enum sj_status sj_build_wrap(struct sj_build *b, const char *key, struct sj_value *value)
{
	struct sj_value object;
	enum sj_status st = sj_value_object(b->f->mem, &object);
	if (st != SJ_OK)
		return st;
	st = set(b, &object, sj_slice_of(key), sj_value_ref(*value));
	if (st != SJ_OK) {
		sj_value_unref(b->f->mem, object);
		return st;
	}
	sj_value_unref(b->f->mem, *value);
	*value = object;
	return SJ_OK;
}

enum sj_status sj_build_binding(struct sj_build *b, struct sj_slice path, struct sj_value *out)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(b->f->mem, path, &v);
	if (st != SJ_OK)
		return st;
	*out = v;
	st = sj_build_wrap(b, sj_format_key_path(b->f).ptr, out);
	if (st != SJ_OK)
		sj_value_unref(b->f->mem, v);
	return st;
}

static bool stamps(const struct sj_build *b) { return b->f->opt.ncatalogs > 1 && b->f->opt.version == SJ_V10; }

enum sj_status sj_build_call(struct sj_build *b, const struct sj_a2ui_function *fn, const struct sj_catalog *catalog,
                             struct sj_value take_args, struct sj_value *out)
{
	struct sj_value call;
	enum sj_status st = sj_value_object(b->f->mem, &call);
	if (st != SJ_OK) {
		sj_value_unref(b->f->mem, take_args);
		return st;
	}
	st = set_text(b, &call, sj_format_key_call(b->f).ptr, fn->name);
	if (st == SJ_OK)
		st = set(b, &call, SJ_LIT("args"), take_args);
	else
		sj_value_unref(b->f->mem, take_args);
	if (st == SJ_OK && stamps(b))
		st = set_text(b, &call, "catalogId", sj_catalog_id(catalog));
	if (st == SJ_OK)
		*out = call;
	else
		sj_value_unref(b->f->mem, call);
	return st;
}

enum sj_status sj_build_rule(struct sj_build *b, struct sj_value take_message, struct sj_value *condition)
{
	enum sj_status st = sj_build_wrap(b, "condition", condition);
	if (st == SJ_OK && take_message.type != SJ_V_ABSENT)
		return set(b, condition, SJ_LIT("message"), take_message);
	sj_value_unref(b->f->mem, take_message);
	return st;
}

enum sj_status sj_build_event(struct sj_build *b, struct sj_value take_name, struct sj_value take_context,
                              struct sj_value *out)
{
	struct sj_mem *mem = b->f->mem;
	struct sj_value event;
	if (take_name.type == SJ_V_ABSENT) {
		sj_value_unref(mem, take_context);
		return sj_build_fault(b, b->text.len, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
		                      "an Event needs a name");
	}
	enum sj_status st = sj_value_object(mem, &event);
	if (st != SJ_OK) {
		sj_value_unref(mem, take_name);
		sj_value_unref(mem, take_context);
		return st;
	}
	st = set(b, &event, SJ_LIT("name"), take_name);
	if (st == SJ_OK && sj_value_count(&take_context) > 0)
		st = set(b, &event, SJ_LIT("context"), take_context);
	else
		sj_value_unref(mem, take_context);
	if (st == SJ_OK)
		st = sj_build_wrap(b, "event", &event);
	if (st == SJ_OK)
		*out = event;
	else
		sj_value_unref(mem, event);
	return st;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

enum sj_status sj_build_head(struct sj_build *b, struct sj_value *component, struct sj_slice id,
                             const struct sj_a2ui_component *type, const struct sj_catalog *catalog)
{
	enum sj_status st = set_text(b, component, "id", id);
	if (st == SJ_OK)
		st = set_text(b, component, "component", type->name);
	if (st == SJ_OK && stamps(b))
		st = set_text(b, component, "catalogId", sj_catalog_id(catalog));
	return st;
}

/* "42", "+10.9%", "1,234": a number in somebody's words. */
static bool reads_as_number(struct sj_slice text, double *out)
{
	char digits[64];
	size_t n = 0, from = 0;
	while (from < text.len && text.ptr[from] == ' ')
		from++;
	while (text.len > from && text.ptr[text.len - 1] == ' ')
		text.len--;
	if (text.len > from && text.ptr[text.len - 1] == '%')
		text.len--;
	for (size_t i = from; i < text.len; i++) {
		char c = text.ptr[i];
		/* A comma before three digits groups them. */
		if (c == ',' && i > from && text.len - i > 3 &&
		    (text.len - i == 4 || text.ptr[i + 4] == ',' || text.ptr[i + 4] == '.'))
			continue;
		if (n == sizeof digits || !sj_vertical_in("0123456789+-.eE", c))
			return false;
		digits[n++] = c;
	}
	return n > 0 && sj_num_parse_loose(sj_slice(digits, n), out);
}

static bool is_word(struct sj_slice text, const char *word)
{
	return sj_vertical_alike(text, sj_slice_of(word)) && text.len == strlen(word);
}

static enum sj_status to_list(struct sj_build *b, struct sj_value *value)
{
	struct sj_value list;
	enum sj_status st = sj_value_array(b->f->mem, &list);
	if (st != SJ_OK)
		return st;
	st = sj_value_append(b->f->mem, &list, sj_value_ref(*value));
	if (st != SJ_OK) {
		sj_value_unref(b->f->mem, list);
		return st;
	}
	sj_value_unref(b->f->mem, *value);
	*value = list;
	return SJ_OK;
}

static bool is_typed(const struct sj_a2ui_prop *row, enum sj_dynamic_type dyn)
{
	return (row->cls == SJ_AC_PLAIN || row->cls == SJ_AC_DYNAMIC) && row->dyn == dyn;
}

/* A string where a number or a truth value is due. */
static enum sj_status from_string(struct sj_build *b, size_t at, const struct sj_a2ui_prop *row, struct sj_value *value)
{
	struct sj_slice text = sj_value_text(value);
	bool number = is_typed(row, SJ_DYN_NUMBER), boolean = is_typed(row, SJ_DYN_BOOLEAN);
	enum sj_status st;
	double d;
	if (!number && !boolean)
		return SJ_OK;
	if (sj_slice_starts(text, "$/")) {
		struct sj_value binding;
		st = note_of(b, SJ_REPAIR_PATH_STRING, at, text, "a binding", SJ_NO_SLICE);
		if (st == SJ_OK)
			st = sj_build_binding(b, sj_slice(text.ptr + 1, text.len - 1), &binding);
		if (st != SJ_OK)
			return st;
		sj_value_unref(b->f->mem, *value);
		*value = binding;
		return SJ_OK;
	}
	struct sj_value v = SJ_ABSENT_VALUE;
	if (number && reads_as_number(text, &d))
		v = sj_value_number(d);
	if (boolean && (is_word(text, "true") || is_word(text, "false")))
		v = sj_value_bool(is_word(text, "true"));
	if (v.type == SJ_V_ABSENT)
		return SJ_OK;
	st = note_of(b, SJ_REPAIR_SCALAR, at, text, number ? "a number" : "a truth value", SJ_NO_SLICE);
	if (st != SJ_OK)
		return st;
	sj_value_unref(b->f->mem, *value);
	*value = v;
	return SJ_OK;
}

enum sj_status sj_build_coerce(struct sj_build *b, size_t at, const struct sj_a2ui_prop *row, bool is_item,
                               struct sj_slice text, struct sj_value *value)
{
	enum sj_status st = SJ_OK;
	if (!row || is_item)
		return SJ_OK;
	bool scalar = sj_value_is_string(value) || sj_value_is_number(value) || sj_value_is_bool(value);
	bool list_of_texts = row->cls == SJ_AC_CHILD_LIST || is_typed(row, SJ_DYN_STRING_LIST);
	bool list_of_objects =
		row->cls == SJ_AC_CHECKS || (row->cls == SJ_AC_ARRAY && row->nsub > 0 && row->sub[0].name.len > 0);
	if ((list_of_texts && scalar) || (list_of_objects && value->type == SJ_V_OBJECT)) {
		st = note_of(b, SJ_REPAIR_SCALAR, at, text, "a list of one", SJ_NO_SLICE);
		return st == SJ_OK ? to_list(b, value) : st;
	}
	if (row->cls == SJ_AC_CHILD && value->type == SJ_V_ARRAY && sj_value_count(value) == 1) {
		struct sj_value one = sj_value_ref(*sj_value_item(value, 0));
		sj_value_unref(b->f->mem, *value);
		*value = one;
		return note_of(b, SJ_REPAIR_SCALAR, at, text, "the one thing in the list", SJ_NO_SLICE);
	}
	if (row->cls == SJ_AC_ACTION && sj_value_is_string(value)) {
		st = note_of(b, SJ_REPAIR_SCALAR, at, text, "an event of that name", SJ_NO_SLICE);
		struct sj_value name = sj_value_ref(*value), event;
		if (st == SJ_OK)
			st = sj_build_event(b, name, SJ_ABSENT_VALUE, &event);
		else
			sj_value_unref(b->f->mem, name);
		if (st != SJ_OK)
			return st;
		sj_value_unref(b->f->mem, *value);
		*value = event;
		return SJ_OK;
	}
	if (sj_value_is_string(value))
		return from_string(b, at, row, value);
	if (scalar && is_typed(row, SJ_DYN_STRING) && text.len > 0) {
		struct sj_value v;
		st = note_of(b, SJ_REPAIR_SCALAR, at, text, "a text", SJ_NO_SLICE);
		if (st == SJ_OK)
			st = sj_value_string(b->f->mem, text, &v);
		if (st == SJ_OK)
			*value = v; /* what it was is not counted */
	}
	return st;
}

/* Members of `props` as if they had been given one by one. Takes the map. */
static enum sj_status spread(struct sj_build *b, size_t at, struct sj_value *component,
                             const struct sj_a2ui_component *type, struct sj_slice id, struct sj_slice key,
                             struct sj_value take)
{
	enum sj_status st =
		note_of(b, SJ_REPAIR_NESTED_PROPS, at, key, "properties of the component itself", SJ_NO_SLICE);
	for (uint32_t i = 0; i < sj_value_count(&take) && st == SJ_OK; i++) {
		struct sj_slice name;
		struct sj_value v = sj_value_ref(*sj_value_member(&take, i, &name));
		st = sj_build_name(b, at, type, &name);
		/* One level is what models write; a second one is an unknown property. */
		if (st != SJ_OK)
			sj_value_unref(b->f->mem, v);
		else if (sj_a2ui_prop_find(type, name))
			st = sj_build_property(b, at, component, type, id, name, SJ_NO_SLICE, v);
		else
			st = set(b, component, name, v);
	}
	sj_value_unref(b->f->mem, take);
	return st;
}

enum sj_status sj_build_property(struct sj_build *b, size_t at, struct sj_value *component,
                                 const struct sj_a2ui_component *type, struct sj_slice id, struct sj_slice key,
                                 struct sj_slice text, struct sj_value take)
{
	static const char *const given[] = {"id", "component", "catalogId"};
	const struct sj_a2ui_prop *row = sj_a2ui_prop_find(type, key);
	enum sj_status st = SJ_OK;
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (sj_slice_is(key, given[i])) {
			sj_value_unref(b->f->mem, take);
			return sj_build_note(b, SJ_HEAL_ID, at);
		}
	if (!row && !type->open && take.type == SJ_V_OBJECT &&
	    (sj_slice_is(key, "props") || sj_slice_is(key, "properties")))
		return spread(b, at, component, type, id, key, take);
	if (sj_value_get(component, key))
		st = sj_build_note(b, SJ_HEAL_TWICE, at);
	if (st == SJ_OK)
		st = sj_build_inline(b, at, row, id, &take);
	if (st == SJ_OK)
		st = sj_build_coerce(b, at, row, false, text, &take);
	if (st == SJ_OK)
		return set(b, component, key, take);
	sj_value_unref(b->f->mem, take);
	return st;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static bool lacks_value(const struct sj_build *b, const struct sj_value *rule)
{
	const struct sj_value *condition = rule->type == SJ_V_OBJECT ? sj_value_get(rule, SJ_LIT("condition")) : NULL;
	if (!condition || condition->type != SJ_V_OBJECT)
		return false;
	const struct sj_value *call = sj_value_get(condition, sj_format_key_call(b->f)),
			      *args = sj_value_get(condition, SJ_LIT("args"));
	if (!call || !sj_value_is_string(call) || !args || args->type != SJ_V_OBJECT ||
	    sj_value_get(args, SJ_LIT("value")))
		return false;
	for (uint32_t i = 0; i < b->f->opt.ncatalogs; i++) {
		const struct sj_a2ui_function *fn = sj_catalog_function(b->f->catalogs[i], sj_value_text(call));
		for (uint32_t k = 0; fn && k < fn->nparams; k++)
			if (sj_slice_is(fn->params[k], "value"))
				return true;
	}
	return false;
}

enum sj_status sj_build_checks(struct sj_build *b, struct sj_value *component, const struct sj_a2ui_component *type)
{
	struct sj_mem *mem = b->f->mem;
	const struct sj_a2ui_prop *row = sj_a2ui_prop_find(type, SJ_LIT("checks"));
	const struct sj_value *value = sj_value_get(component, SJ_LIT("value"));
	enum sj_status st = SJ_OK;
	if (!row || row->cls != SJ_AC_CHECKS || !value || !sj_value_get(component, row->name))
		return SJ_OK;
	struct sj_value held = sj_value_ref(*value), *list = sj_value_own_member(mem, component, row->name, &st);
	for (uint32_t i = 0; list && list->type == SJ_V_ARRAY && i < sj_value_count(list) && st == SJ_OK; i++) {
		if (!lacks_value(b, sj_value_item(list, i)))
			continue;
		struct sj_value *rule = sj_value_own_item(mem, list, i, &st);
		struct sj_value *condition = rule ? sj_value_own_member(mem, rule, SJ_LIT("condition"), &st) : NULL;
		struct sj_value *args = condition ? sj_value_own_member(mem, condition, SJ_LIT("args"), &st) : NULL;
		if (args)
			st = set(b, args, SJ_LIT("value"), sj_value_ref(held));
	}
	sj_value_unref(mem, held);
	return st;
}
