/* A neutral component as v0.9 or v1.0 writes it. */
#include <stdio.h>

#include "a2ui/convert_internal.h"

static bool to_v10(const struct sj_conv *c) { return c->opt->to >= SJ_V10; }
static bool to_bare(const struct sj_conv *c) { return !to_v10(c) || c->opt->dialect == SJ_DIALECT_BARE; }

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The minimal catalog of v0.9 has one function, and no successor. */
static bool loses_a_function(const struct sj_conv *c)
{
	return to_v10(c) && c->life->catalog_id.ptr &&
	       sj_slice_is(c->life->catalog_id, "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json");
}

/* The same value with the function's argument in its place. As deep as the message (limits.json_depth). */
static struct sj_value without_function(struct sj_conv *c, const struct sj_value *v)
{
	const struct sj_value *value = sj_conv_get(sj_conv_get(v, "args"), "value");
	if (!sj_value_is_container(v) || c->st != SJ_OK)
		return sj_value_ref(*v);
	if (sj_conv_is(sj_conv_get(v, "@call"), "capitalize") && value) {
		sj_conv_lost(c, "the basic catalog of v1.0 has no function 'capitalize'");
		return without_function(c, value);
	}
	struct sj_value out = v->type == SJ_V_ARRAY ? sj_conv_array(c) : sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		if (v->type == SJ_V_ARRAY) {
			sj_conv_add(c, &out, without_function(c, sj_value_item(v, i)));
		} else {
			const struct sj_value *m = sj_value_member(v, i, &key);
			sj_conv_set(c, &out, key, without_function(c, m));
		}
	}
	return out;
}

static struct sj_value write_value(struct sj_conv *c, const struct sj_value *v);

static const char *return_type(struct sj_conv *c, struct sj_slice name)
{
	static const struct { const char *name, *type;
	} known[] = {{"formatString", "string"}, {"formatNumber", "string"}, {"formatCurrency", "string"},
	             {"formatDate", "string"},   {"pluralize", "string"},    {"capitalize", "string"},
	             {"openUrl", "void"},        {"required", "boolean"},    {"regex", "boolean"},
	             {"length", "boolean"},      {"numeric", "boolean"},     {"email", "boolean"},
	             {"and", "boolean"},         {"or", "boolean"},          {"not", "boolean"}};
	for (size_t i = 0; c->life->basic && i < sizeof known / sizeof *known; i++)
		if (sj_slice_is(name, known[i].name))
			return known[i].type;
	const struct sj_a2ui_function *f = c->life->catalog ? sj_catalog_function(c->life->catalog, name) : NULL;
	return f && f->return_type.ptr && !sj_slice_is(f->return_type, "validationResult")
	               ? sj_conv_keep(c, f->return_type).ptr
	       : f ? "boolean"
	           : NULL;
}

static struct sj_value write_call(struct sj_conv *c, const struct sj_value *v, const struct sj_value *name)
{
	const struct sj_value *args = sj_conv_get(v, "args"), *catalog = sj_conv_get(v, "catalogId");
	struct sj_value out = sj_conv_object(c);
	if (sj_conv_is(name, "@index") && !to_v10(c))
		sj_conv_lost(c, "before v1.0 there is no @index");
	sj_conv_put(c, &out, "call", sj_value_ref(*name));
	struct sj_value to = sj_conv_object(c);
	for (uint32_t i = 0; args && args->type == SJ_V_OBJECT && i < sj_value_count(args); i++) {
		struct sj_slice key;
		const struct sj_value *a = sj_value_member(args, i, &key);
		sj_conv_set(c, &to, key, write_value(c, a));
	}
	if (args)
		sj_conv_put(c, &out, "args", to);
	else
		sj_conv_drop(c, to);
	if (catalog && to_v10(c))
		sj_conv_put(c, &out, "catalogId", sj_value_ref(*catalog));
	else if (catalog && !(c->life->catalog_id.ptr && sj_slice_eq(sj_value_text(catalog), c->life->catalog_id)))
		sj_conv_lost(c, "before v1.0 a call names no catalog");
	const char *type = to_v10(c) ? NULL : return_type(c, sj_value_text(name));
	if (type)
		sj_conv_put(c, &out, "returnType", sj_conv_text(c, sj_slice_of(type)));
	return out;
}

/* The recursion is as deep as the message, which its reading bounded (limits.json_depth). */
static struct sj_value write_value(struct sj_conv *c, const struct sj_value *v)
{
	if (!to_bare(c) || !sj_value_is_container(v) || c->st != SJ_OK)
		return sj_value_ref(*v);
	if (v->type == SJ_V_ARRAY) {
		struct sj_value out = sj_conv_array(c);
		for (uint32_t i = 0; i < sj_value_count(v); i++)
			sj_conv_add(c, &out, write_value(c, sj_value_item(v, i)));
		return out;
	}
	const struct sj_value *path = sj_conv_get(v, "@path"), *call = sj_conv_get(v, "@call");
	if (call)
		return write_call(c, v, call);
	struct sj_value out = sj_conv_object(c);
	if (path) {
		sj_conv_put(c, &out, "path", sj_value_ref(*path));
		return out;
	}
	bool reserved = c->from >= SJ_V10 && c->dialect == SJ_DIALECT_RESERVED;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		if (reserved && (sj_slice_is(key, "path") || sj_slice_is(key, "call")) && sj_value_is_string(m))
			sj_conv_lost(c, "with bare keys an object that holds '%.*s' is no data", SJ_ARG(key));
		if (key.len > 1 && key.ptr[0] == '@' && key.ptr[1] == '@')
			key = sj_slice(key.ptr + 1, key.len - 1);
		sj_conv_set(c, &out, key, write_value(c, m));
	}
	return out;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static struct sj_value write_action(struct sj_conv *c, const struct sj_value *v)
{
	const struct sj_value *event = sj_conv_get(v, "event"), *call = sj_conv_get(v, "functionCall");
	struct sj_value out = sj_conv_object(c);
	if (call) {
		sj_conv_put(c, &out, "functionCall", write_value(c, call));
		return out;
	}
	struct sj_value to = sj_conv_object(c);
	for (uint32_t i = 0; event && i < sj_value_count(event); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(event, i, &key);
		if (sj_slice_is(key, "userMessage") && !to_v10(c)) {
			sj_conv_lost(c, "before v1.0 an event has no userMessage");
		} else if (sj_slice_is(key, "context")) { /* its keys are data */
			struct sj_value context = sj_conv_object(c);
			for (uint32_t k = 0; k < sj_value_count(m); k++) {
				struct sj_slice name;
				const struct sj_value *one = sj_value_member(m, k, &name);
				sj_conv_set(c, &context, name, write_value(c, one));
			}
			sj_conv_set(c, &to, key, context);
		} else {
			sj_conv_set(c, &to, key, write_value(c, m));
		}
	}
	sj_conv_put(c, &out, "event", to);
	return out;
}

/* In v1.0 this function brings words of its own, which stand before those of the rule; before, the rule had the only
 * ones. */
static bool brings_words(const struct sj_conv *c, const struct sj_value *condition)
{
	return c->life->basic && sj_conv_is(sj_conv_get(condition, "@call"), "email");
}

static unsigned call_depth(const struct sj_value *v)
{
	const struct sj_value *args = sj_conv_get(v, "args");
	unsigned most = 0;
	for (uint32_t i = 0; args && args->type == SJ_V_OBJECT && i < sj_value_count(args); i++) {
		struct sj_slice key;
		const struct sj_value *a = sj_value_member(args, i, &key);
		uint32_t n = a->type == SJ_V_ARRAY ? sj_value_count(a) : 1;
		for (uint32_t k = 0; k < n; k++) {
			unsigned d = call_depth(a->type == SJ_V_ARRAY ? sj_value_item(a, k) : a);
			most = d > most ? d : most;
		}
	}
	return most + (sj_conv_get(v, "@call") != NULL);
}

/* and(condition, true): the same outcome without words. */
static struct sj_value without_words(struct sj_conv *c, const struct sj_value *condition)
{
	struct sj_value list = sj_conv_array(c), args = sj_conv_object(c);
	sj_conv_add(c, &list, sj_value_ref(*condition));
	sj_conv_add(c, &list, sj_value_bool(true));
	sj_conv_put(c, &args, "values", list);
	return sj_conv_call(c, "and", args);
}

static void add_rule(struct sj_conv *c, struct sj_value *list, const struct sj_value *condition,
                     const struct sj_value *message)
{
	struct sj_value rule = sj_conv_object(c), fails = SJ_ABSENT_VALUE;
	if (to_v10(c) && !sj_value_is_container(condition)) { /* a literal outcome is none of v1.0 */
		if (condition->type == SJ_V_TRUE) {
			sj_conv_drop(c, rule);
			return;
		}
		struct sj_value args = sj_conv_object(c);
		sj_conv_put(c, &args, "value", sj_value_bool(true));
		fails = sj_conv_call(c, "not", args);
		condition = &fails;
	} else if (to_v10(c) && c->from < SJ_V10 && message && brings_words(c, condition)) {
		if (call_depth(condition) < c->limits->call_depth) {
			fails = without_words(c, condition);
			condition = &fails;
		} else {
			sj_conv_lost(c, "in v1.0 the function's own words stand before the rule's message");
		}
	}
	sj_conv_put(c, &rule, "condition", write_value(c, condition));
	sj_conv_drop(c, fails);
	if (message)
		sj_conv_put(c, &rule, "message", sj_value_ref(*message));
	else if (!to_v10(c))
		sj_conv_put(c, &rule, "message", sj_conv_text(c, SJ_LIT("This is not valid.")));
	sj_conv_add(c, list, rule);
}

/* A check of our own: FUNCTION(value: the component's value, NAME: limit). */
static void add_own_rule(struct sj_conv *c, struct sj_value *list, const struct sj_value *component,
                         const char *function, const char *name, struct sj_value take, const char *message)
{
	const struct sj_value *value = sj_conv_get(component, "value");
	if (!value) {
		sj_conv_drop(c, take);
		return;
	}
	struct sj_value args = sj_conv_object(c), text = sj_conv_text(c, sj_slice_of(message));
	sj_conv_put(c, &args, "value", sj_value_ref(*value));
	sj_conv_put(c, &args, name, take);
	struct sj_value call = sj_conv_call(c, function, args);
	add_rule(c, list, &call, &text);
	sj_conv_drop(c, call);
	sj_conv_drop(c, text);
}

static struct sj_value write_checks(struct sj_conv *c, const struct sj_value *component)
{
	const struct sj_value *checks = sj_conv_get(component, "checks"),
			      *pattern = sj_conv_get(component, "validationRegexp"),
			      *most = sj_conv_get(component, "maxAllowedSelections");
	struct sj_value out = sj_conv_array(c);
	for (uint32_t i = 0; checks && i < sj_value_count(checks); i++) {
		const struct sj_value *rule = sj_value_item(checks, i), *condition = sj_conv_get(rule, "condition");
		if (condition)
			add_rule(c, &out, condition, sj_conv_get(rule, "message"));
	}
	if (pattern && sj_value_is_string(pattern)) {
		struct sj_buf text;
		sj_buf_init(&text, c->mem, 0);
		sj_buf_printf(&text, "%s%.*s)", SJ_V08_PATTERN_HEAD, SJ_ARG(sj_value_text(pattern)));
		if (sj_buf_status(&text) != SJ_OK)
			c->st = sj_buf_status(&text);
		add_own_rule(c, &out, component, "regex", "pattern", sj_conv_text(c, sj_buf_view(&text)),
		             SJ_V08_PATTERN_MESSAGE);
		sj_buf_finish(&text);
	}
	if (most && sj_value_is_number(most)) {
		char text[60];
		snprintf(text, sizeof text, "Choose at most %.0f.", sj_value_double(most));
		add_own_rule(c, &out, component, "length", "max", sj_value_ref(*most), text);
	}
	return out;
}

static struct sj_value write_accessibility(struct sj_conv *c, const struct sj_value *v)
{
	struct sj_value out = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		if (!to_v10(c) && (sj_slice_is(key, "live") || sj_slice_is(key, "hidden")))
			sj_conv_lost(c, "before v1.0 accessibility has no '%.*s'", SJ_ARG(key));
		else
			sj_conv_set(c, &out, key, write_value(c, m));
	}
	return out;
}

/* Only v1.0 has these. */
static bool is_new(struct sj_slice type, struct sj_slice key)
{
	static const char *const rows[][2] = {
		{"TextField", "placeholder"}, {"Video", "posterUrl"}, {"Slider", "steps"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (sj_slice_is(type, rows[i][0]) && sj_slice_is(key, rows[i][1]))
			return true;
	return false;
}

static unsigned heading_level(const struct sj_value *variant)
{
	struct sj_slice s = variant ? sj_value_text(variant) : SJ_LIT("");
	return s.len == 2 && s.ptr[0] == 'h' && s.ptr[1] >= '1' && s.ptr[1] <= '5' ? (unsigned)(s.ptr[1] - '0') : 0;
}

/* Text: h1 to h5 are words of a variant before v1.0, and Markdown from then on. */
static void write_text(struct sj_conv *c, const struct sj_value *component, struct sj_value *out)
{
	const struct sj_value *text = sj_conv_get(component, "text"), *variant = sj_conv_get(component, "variant");
	unsigned level = heading_level(variant);
	struct sj_value to = SJ_ABSENT_VALUE;
	if (!text)
		return;
	if (to_v10(c) && level) {
		to = sj_conv_heading(c, text, level);
	} else if (!to_v10(c) && c->from >= SJ_V10 && (level = sj_conv_heading_of(c, text, &to)) != 0) {
		char word[] = {'h', (char)('0' + level), '\0'};
		sj_conv_put(c, out, "variant", sj_conv_text(c, sj_slice_of(word)));
	} else {
		to = sj_value_ref(*text);
	}
	sj_conv_put(c, out, "text", write_value(c, &to));
	sj_conv_drop(c, to);
}

static struct sj_value write_component(struct sj_conv *c, const struct sj_value *component)
{
	const struct sj_value *type_value = sj_conv_get(component, "component");
	struct sj_slice type = type_value ? sj_value_text(type_value) : SJ_LIT("");
	bool text = c->life->basic && sj_slice_is(type, "Text");
	struct sj_value out = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(component); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(component, i, &key);
		size_t at = sj_conv_enter(c, key);
		if (sj_slice_is(key, "id") || sj_slice_is(key, "component") || sj_slice_is(key, "weight"))
			sj_conv_set(c, &out, key, sj_value_ref(*v));
		else if (sj_slice_is(key, "catalogId") && !to_v10(c)) {
			if (!c->life->catalog_id.ptr || !sj_slice_eq(sj_value_text(v), c->life->catalog_id))
				sj_conv_lost(c, "before v1.0 a surface has one catalog");
		} else if (sj_slice_is(key, "metadata") && !to_v10(c))
			sj_conv_lost(c, "before v1.0 a component has no metadata");
		else if (sj_slice_is(key, "metadata") || sj_slice_is(key, "catalogId"))
			sj_conv_set(c, &out, key, sj_value_ref(*v));
		else if (text && sj_slice_is(key, "text"))
			write_text(c, component, &out);
		else if (text && sj_slice_is(key, "variant") && (heading_level(v) && to_v10(c)))
			; /* in the text */
		else if (sj_slice_is(key, "checks") || sj_slice_is(key, "validationRegexp") ||
		         sj_slice_is(key, "maxAllowedSelections"))
			; /* together, below */
		else if (c->life->basic && !to_v10(c) && is_new(type, key))
			sj_conv_lost(c, "before v1.0 there is no '%.*s' of %.*s", SJ_ARG(key), SJ_ARG(type));
		else if (sj_slice_is(key, "accessibility"))
			sj_conv_set(c, &out, key, write_accessibility(c, v));
		else if (sj_conv_get(v, "event") || sj_conv_get(v, "functionCall"))
			sj_conv_set(c, &out, key, write_action(c, v));
		else if (sj_conv_get(v, "componentId"))
			sj_conv_set(c, &out, key, sj_value_ref(*v)); /* a template's path has no other spelling */
		else
			sj_conv_set(c, &out, key, write_value(c, v));
		sj_conv_leave(c, at);
	}
	struct sj_value checks = write_checks(c, component);
	if (sj_value_count(&checks) > 0)
		sj_conv_put(c, &out, "checks", checks);
	else
		sj_conv_drop(c, checks);
	return out;
}

struct sj_value sj_conv_write_component(struct sj_conv *c, const struct sj_value *component)
{
	if (!loses_a_function(c))
		return write_component(c, component);
	struct sj_value without = without_function(c, component), out = write_component(c, &without);
	sj_conv_drop(c, without);
	return out;
}
