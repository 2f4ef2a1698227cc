/* Signatures: what a catalog's schemas say, one line for each component and function.
 *
 *   Text(text: string*, variant?: "caption"|"body" = "body") – Shows text.
 *
 * Types come from the document as it stands, through its references as far as a few levels; what has no shorter form is
 * `any`, which is never wrong, only less than the schema says.
 */
#include "base/utf.h"
#include "infer/elemental.h"
#include "infer/prompt.h"

/* Levels of a type that are written out: deeper ones are an object or any. Bounds the recursion below. */
enum { MAX_DEPTH = 6, MAX_ABOUT = 240 };
/* Types of one component or function that are looked at: a document can make them multiply. */
enum { MAX_STEPS = 2000 };

struct sign {
	const struct sj_value *doc;
	struct sj_buf *out;
	enum sj_sign_form form;
	bool terse; /* no descriptions */
	uint32_t steps;
};

static const struct {
	const char *name, *as;
} common[] = {
	{"ComponentId", "id"},          {"Child", "id"},
	{"ChildList", "ids"},           {"DynamicString", "string*"},
	{"DynamicNumber", "number*"},   {"DynamicBoolean", "boolean*"},
	{"DynamicStringList", "string[]*"}, {"DynamicValue", "any*"},
	{"DataBinding", "binding"},     {"FunctionCall", "call"},
	{"Action", "action"},           {"CheckRule", "check"},
	{"AccessibilityAttributes", "accessibility"},
};

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static struct sj_slice text_of(const struct sj_value *v)
{
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_LIT("");
}

static bool is_list(const struct sj_value *v) { return v && v->type == SJ_V_ARRAY && sj_value_count(v) > 0; }

/* ---- references -------------------------------------------------------------------------------------------------- */

/* The common type a reference names, wherever that is published; NULL: it leads elsewhere. */
static const char *common_type(struct sj_slice ref)
{
	size_t at = ref.len;
	while (at > 0 && ref.ptr[at - 1] != '/')
		at--;
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (sj_slice_is(sj_slice(ref.ptr + at, ref.len - at), common[i].name))
			return common[i].as;
	return NULL;
}

/* A place in the document itself, or NULL. */
static const struct sj_value *local(const struct sign *s, struct sj_slice ref)
{
	return ref.len > 1 && ref.ptr[0] == '#' ? sj_value_at(s->doc, sj_slice(ref.ptr + 1, ref.len - 1)) : NULL;
}

/* The schema of a property: here, in a part of allOf, or behind a reference. */
static const struct sj_value *property(struct sign *s, const struct sj_value *schema, struct sj_slice name,
                                       unsigned depth)
{
	const struct sj_value *props = get(schema, "properties"), *all = get(schema, "allOf");
	const struct sj_value *found = props && props->type == SJ_V_OBJECT ? sj_value_get(props, name) : NULL;
	if (depth == MAX_DEPTH || ++s->steps > MAX_STEPS)
		return NULL;
	for (uint32_t i = 0; !found && is_list(all) && i < sj_value_count(all); i++)
		found = property(s, sj_value_item(all, i), name, depth + 1);
	if (!found && get(schema, "$ref"))
		found = property(s, local(s, text_of(get(schema, "$ref"))), name, depth + 1);
	return found;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static void type(struct sign *s, const struct sj_value *schema, unsigned depth);

static bool is_required(const struct sj_value *schema, struct sj_slice name)
{
	const struct sj_value *list = get(schema, "required");
	for (uint32_t i = 0; is_list(list) && i < sj_value_count(list); i++)
		if (sj_slice_eq(text_of(sj_value_item(list, i)), name))
			return true;
	return false;
}

/* v0.8 spells a value as an object of literals, any one of them, and a path. The literal's schema when this is such an
 * object of one literal; the schema itself for one of several; else NULL. */
static const struct sj_value *bound_value(const struct sj_value *schema)
{
	static const char *const literals[] = {"literalString", "literalNumber", "literalBoolean", "literalArray"};
	const struct sj_value *props = get(schema, "properties"), *one = NULL;
	uint32_t n = 0;
	for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
		if (get(props, literals[i])) {
			one = get(props, literals[i]);
			n++;
		}
	if (n == 0 || !get(props, "path") || sj_value_count(props) != n + 1)
		return NULL;
	return n == 1 ? one : schema;
}

static void object(struct sign *s, const struct sj_value *schema, unsigned depth)
{
	const struct sj_value *props = get(schema, "properties"), *bound = bound_value(schema);
	if (bound) {
		bool words = is_list(get(bound, "enum"));
		sj_buf_puts(s->out, words ? "(" : "");
		if (bound == schema)
			sj_buf_puts(s->out, "any");
		else
			type(s, bound, depth + 1);
		sj_buf_puts(s->out, words ? ")*" : "*");
		return;
	}
	if (get(props, "explicitList") && get(props, "template")) {
		sj_buf_puts(s->out, "ids");
		return;
	}
	if (!props || sj_value_count(props) == 0 || depth + 1 >= MAX_DEPTH) {
		sj_buf_puts(s->out, "object");
		return;
	}
	sj_buf_putc(s->out, '{');
	for (uint32_t i = 0; i < sj_value_count(props); i++) {
		struct sj_slice name;
		const struct sj_value *p = sj_value_member(props, i, &name);
		sj_buf_puts(s->out, i ? ", " : "");
		sj_buf_slice(s->out, name);
		sj_buf_puts(s->out, is_required(schema, name) ? ": " : "?: ");
		type(s, p, depth + 1);
	}
	sj_buf_putc(s->out, '}');
}

/* "A | binding | call" becomes "A*". */
static void star(struct sj_buf *out, size_t begin)
{
	static const char both[] = " | binding | call";
	size_t n = sizeof both - 1, len = out->len - begin;
	if (len > n && memcmp(out->ptr + out->len - n, both, n) == 0 && !memchr(out->ptr + begin, '|', len - n)) {
		out->len -= n;
		sj_buf_putc(out, '*');
	}
	out->ptr[out->len] = '\0';
}

/* One after another, each once; `any` swallows the rest. */
static void alternatives(struct sign *s, const struct sj_value *list, unsigned depth)
{
	size_t begin = s->out->len;
	for (uint32_t i = 0; i < sj_value_count(list); i++) {
		size_t at = s->out->len;
		if (i > 0)
			sj_buf_puts(s->out, " | ");
		size_t from = s->out->len;
		type(s, sj_value_item(list, i), depth + 1);
		if (sj_buf_status(s->out) != SJ_OK)
			return;
		struct sj_slice now = sj_slice(s->out->ptr + from, s->out->len - from);
		bool again = sj_slice_is(now, "null");
		for (size_t k = begin; k + now.len <= at && !again; k++)
			again = (k == begin || s->out->ptr[k - 1] == ' ') &&
			        (k + now.len == at || s->out->ptr[k + now.len] == ' ') &&
			        memcmp(s->out->ptr + k, now.ptr, now.len) == 0;
		if (sj_slice_is(now, "any")) {
			s->out->len = begin;
			sj_buf_puts(s->out, "any");
			return;
		}
		if (again)
			s->out->len = at;
	}
	star(s->out, begin);
}

static void words(struct sign *s, const struct sj_value *list)
{
	for (uint32_t i = 0; i < sj_value_count(list); i++) {
		sj_buf_puts(s->out, i ? "|" : "");
		sj_value_print(s->out, sj_value_item(list, i), SJ_PRINT_COMPACT);
	}
}

static void array(struct sign *s, const struct sj_value *schema, unsigned depth)
{
	size_t begin = s->out->len;
	type(s, get(schema, "items"), depth + 1);
	if (sj_buf_status(s->out) != SJ_OK)
		return;
	bool compound = false;
	for (size_t i = begin; i < s->out->len && s->out->ptr[begin] != '{'; i++)
		compound = compound || s->out->ptr[i] == '|';
	if (compound) { /* (A|B)[] */
		char *end = sj_buf_room(s->out, 2);
		if (!end)
			return;
		memmove(s->out->ptr + begin + 1, s->out->ptr + begin, s->out->len - 2 - begin);
		s->out->ptr[begin] = '(';
		s->out->ptr[s->out->len - 1] = ')';
	}
	sj_buf_puts(s->out, "[]");
}

static void simple(struct sign *s, struct sj_slice name, const struct sj_value *schema, unsigned depth)
{
	if (sj_slice_is(name, "array"))
		array(s, schema, depth);
	else if (sj_slice_is(name, "object"))
		object(s, schema, depth);
	else
		sj_buf_slice(s->out, name);
}

static void type(struct sign *s, const struct sj_value *schema, unsigned depth)
{
	const struct sj_value *name = get(schema, "type"), *any = get(schema, "oneOf"), *all = get(schema, "allOf");
	struct sj_slice ref = text_of(get(schema, "$ref"));
	any = any ? any : get(schema, "anyOf");
	if (!schema || schema->type != SJ_V_OBJECT || depth >= MAX_DEPTH || ++s->steps > MAX_STEPS)
		sj_buf_puts(s->out, "any");
	else if (ref.len > 0 && common_type(ref))
		sj_buf_puts(s->out, common_type(ref));
	else if (ref.len > 0)
		type(s, local(s, ref), depth + 1);
	else if (get(schema, "const"))
		sj_value_print(s->out, get(schema, "const"), SJ_PRINT_COMPACT);
	else if (is_list(get(schema, "enum")))
		words(s, get(schema, "enum"));
	else if (is_list(any) && !name)
		alternatives(s, any, depth);
	else if (is_list(all) && !name)
		type(s, sj_value_item(all, 0), depth + 1);
	else if (name && sj_value_is_string(name))
		simple(s, sj_value_text(name), schema, depth);
	else if (is_list(name) && sj_value_count(name) == 1)
		simple(s, text_of(sj_value_item(name, 0)), schema, depth);
	else if (get(schema, "properties"))
		object(s, schema, depth);
	else
		sj_buf_puts(s->out, "any");
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* The first line of a description. */
static void about(struct sign *s, const struct sj_value *def)
{
	struct sj_slice text = text_of(get(def, "description"));
	size_t n = 0;
	if (s->terse)
		return;
	while (n < text.len && (unsigned char)text.ptr[n] >= ' ')
		n++;
	text.len = n;
	text.len = sj_utf8_cut(text, MAX_ABOUT);
	if (text.len > 0) {
		sj_buf_puts(s->out, " – ");
		sj_buf_slice(s->out, text);
	}
}

/* enableDate as enable-date where that is how it is written. */
static void spell(struct sign *s, struct sj_slice name)
{
	if (s->form == SJ_SIGN_ELEMENTS)
		sj_elemental_kebab(s->out, name);
	else
		sj_buf_slice(s->out, name);
}

/* Behind a name: its type, whether it may be left out, and what then stands. */
static void value_of(struct sign *s, bool required, const struct sj_value *schema)
{
	const struct sj_value *fallback = get(schema, "default");
	sj_buf_puts(s->out, required ? ": " : "?: ");
	type(s, schema, 0);
	if (fallback && !sj_value_is_container(fallback)) {
		sj_buf_puts(s->out, " = ");
		sj_value_print(s->out, fallback, SJ_PRINT_COMPACT);
	}
}

static void parameter(struct sign *s, struct sj_slice name, bool required, const struct sj_value *schema, bool first)
{
	sj_buf_puts(s->out, first ? "" : ", ");
	sj_buf_slice(s->out, name);
	value_of(s, required, schema);
}

/* "min or max": alternatives that require one name each. */
static void one_of_required(struct sign *s, const struct sj_value *schema)
{
	const struct sj_value *any = get(schema, "anyOf");
	for (uint32_t i = 0; is_list(any) && i < sj_value_count(any); i++) {
		const struct sj_value *names = get(sj_value_item(any, i), "required");
		if (!is_list(names))
			return;
		sj_buf_puts(s->out, i == 0 ? "; at least " : " or ");
		sj_buf_slice(s->out, text_of(sj_value_item(names, 0)));
	}
}

static bool is_shown(const struct sj_a2ui_prop *p)
{
	return p->cls != SJ_AC_COMMON && p->cls != SJ_AC_ACCESSIBILITY && p->name.len > 0;
}

static const char *type_of_class(const struct sj_a2ui_prop *p)
{
	return p->cls == SJ_AC_CHILD        ? "id"
	       : p->cls == SJ_AC_CHILD_LIST ? "ids"
	       : p->cls == SJ_AC_ACTION     ? "action"
	       : p->cls == SJ_AC_CHECKS     ? "check[]"
	                                    : "any";
}

static const struct sj_value *component_definition(const struct sign *s, const struct sj_a2ui_component *c)
{
	const struct sj_value *all = get(s->doc, "components");
	return all && all->type == SJ_V_OBJECT ? sj_value_get(all, c->name) : NULL;
}

/* One property as it stands between the brackets. */
static void write_property(struct sign *s, const struct sj_a2ui_component *c, const struct sj_a2ui_prop *p)
{
	const struct sj_value *schema = property(s, component_definition(s, c), p->name, 0);
	if (schema && p->cls != SJ_AC_CHILD) {
		spell(s, p->name);
		value_of(s, p->required, schema);
		return;
	}
	spell(s, p->name); /* from the common types */
	sj_buf_puts(s->out, p->required ? ": " : "?: ");
	sj_buf_puts(s->out, type_of_class(p));
}

/* An optional property that every component of the catalog has alike is said once, not with each. */
static bool is_everywhere(struct sign *s, const struct sj_catalog *c, const struct sj_a2ui_prop *p)
{
	uint32_t n = sj_catalog_component_count(c);
	struct sj_buf *out = s->out;
	struct sj_buf first, other;
	bool same = !p->required && is_shown(p) && n > 2;
	sj_buf_init(&first, out->mem, 0);
	sj_buf_init(&other, out->mem, 0);
	for (uint32_t i = 0; i < n && same; i++) {
		const struct sj_a2ui_component *comp = sj_catalog_component_at(c, i);
		const struct sj_a2ui_prop *mine = sj_a2ui_prop_find(comp, p->name);
		same = mine && !mine->required && !comp->open && is_shown(mine);
		s->out = i == 0 ? &first : &other;
		s->steps = 0;
		sj_buf_clear(&other);
		if (same)
			write_property(s, comp, mine);
		same = same && (i == 0 || sj_slice_eq(sj_buf_view(&first), sj_buf_view(&other)));
		if (sj_buf_status(s->out) != SJ_OK)
			out->status = sj_buf_status(s->out);
	}
	s->out = out;
	sj_buf_finish(&first);
	sj_buf_finish(&other);
	return same;
}

enum { MAX_SHARED = 8 };
struct shared {
	const struct sj_a2ui_prop *props[MAX_SHARED]; /* of the first component */
	uint32_t n;
};

static void find_shared(struct sign *s, const struct sj_catalog *c, struct shared *out)
{
	const struct sj_a2ui_component *first =
		sj_catalog_component_count(c) > 0 ? sj_catalog_component_at(c, 0) : NULL;
	out->n = 0;
	for (uint32_t i = 0; first && i < first->nprops && out->n < MAX_SHARED; i++)
		if (is_everywhere(s, c, &first->props[i]))
			out->props[out->n++] = &first->props[i];
	if (out->n == 0)
		return;
	sj_buf_puts(s->out, "Every component also takes: ");
	for (uint32_t i = 0; i < out->n; i++) {
		sj_buf_puts(s->out, i ? ", " : "");
		s->steps = 0;
		write_property(s, first, out->props[i]);
	}
	sj_buf_putc(s->out, '\n');
}

static bool is_shared(const struct shared *shared, struct sj_slice name)
{
	for (uint32_t i = 0; i < shared->n; i++)
		if (sj_slice_eq(shared->props[i]->name, name))
			return true;
	return false;
}

static void component(struct sign *s, const struct sj_a2ui_component *c, const struct shared *shared)
{
	bool first = true, tag = s->form == SJ_SIGN_ELEMENTS;
	s->steps = 0;
	sj_buf_puts(s->out, tag ? "- ui-" : "- ");
	if (tag)
		sj_elemental_tag(s->out, c->name);
	else
		sj_buf_slice(s->out, c->name);
	sj_buf_puts(s->out, tag ? " { " : "(");
	for (uint32_t i = 0; i < c->npositions && s->form == SJ_SIGN_BY_POSITION; i++) {
		sj_buf_puts(s->out, first ? "" : ", ");
		write_property(s, c, c->positions[i]);
		first = false;
	}
	for (int pass = 0; pass < 2 && s->form != SJ_SIGN_BY_POSITION; pass++) /* required ones first */
		for (uint32_t i = 0; i < c->nprops; i++) {
			const struct sj_a2ui_prop *p = &c->props[i];
			if (!is_shown(p) || p->required != (pass == 0) || is_shared(shared, p->name))
				continue;
			sj_buf_puts(s->out, first ? "" : ", ");
			write_property(s, c, p);
			first = false;
		}
	if (c->open)
		sj_buf_puts(s->out, first ? "..." : ", ...");
	sj_buf_puts(s->out, tag ? " }" : ")");
	about(s, component_definition(s, c));
	sj_buf_putc(s->out, '\n');
}

/* A function's definition: a member of a map, or an entry of a list with its name. */
static const struct sj_value *definition(const struct sign *s, struct sj_slice name)
{
	const struct sj_value *all = get(s->doc, "functions");
	if (all && all->type == SJ_V_OBJECT)
		return sj_value_get(all, name);
	for (uint32_t i = 0; is_list(all) && i < sj_value_count(all); i++)
		if (sj_slice_eq(text_of(get(sj_value_item(all, i), "name")), name))
			return sj_value_item(all, i);
	return NULL;
}

static void function(struct sign *s, const struct sj_a2ui_function *f, bool can_call)
{
	s->steps = 0;
	const struct sj_value *def = definition(s, f->name), *args = property(s, def, SJ_LIT("args"), 0);
	if (!args)
		args = get(def, "parameters") ? get(def, "parameters") : get(def, "args");
	sj_buf_puts(s->out, "- ");
	sj_buf_slice(s->out, f->name);
	sj_buf_putc(s->out, '(');
	for (uint32_t k = 0; k < f->nparams; k++) {
		uint32_t i = s->form == SJ_SIGN_BY_POSITION ? f->positions[k] : k;
		const struct sj_value *schema = property(s, args, f->params[i], 0);
		/* The compact form is a map of names to schemas. */
		if (!schema && args && args->type == SJ_V_OBJECT)
			schema = sj_value_get(args, f->params[i]);
		parameter(s, f->params[i], f->required[i], schema, k == 0);
	}
	one_of_required(s, args);
	sj_buf_putc(s->out, ')');
	if (f->return_type.len > 0) {
		sj_buf_puts(s->out, ": ");
		sj_buf_slice(s->out, f->return_type);
	}
	if (f->needs_activation)
		sj_buf_puts(s->out, " [only in an action]");
	else if (f->allowed == SJ_CALLER_AGENT_ONLY && can_call)
		sj_buf_puts(s->out, " [only with callRendererFunction]");
	else if (f->allowed == SJ_CALLER_ANY && can_call)
		sj_buf_puts(s->out, " [also with callRendererFunction]");
	about(s, def);
	sj_buf_putc(s->out, '\n');
}

static void catalog(struct sign *s, const struct sj_format *f, const struct sj_prompt_options *opt,
                    const struct sj_catalog *c)
{
	const struct sj_value *theme = get(get(s->doc, "$defs"), "theme");
	bool can_call = sj_prompt_allows(opt, "callRendererFunction") && f->opt.version == SJ_V10;
	struct shared shared;
	if (sj_catalog_component_count(c) > 0)
		sj_buf_puts(s->out, "Components:\n");
	shared.n = 0;
	if (s->form != SJ_SIGN_BY_POSITION) /* there it would leave a gap */
		find_shared(s, c, &shared);
	for (uint32_t i = 0; i < sj_catalog_component_count(c); i++)
		component(s, sj_catalog_component_at(c, i), &shared);
	if (sj_catalog_function_count(c) > 0)
		sj_buf_puts(s->out, "Functions:\n");
	for (uint32_t i = 0; i < sj_catalog_function_count(c); i++)
		function(s, sj_catalog_function_at(c, i), can_call);
	if (theme && sj_catalog_has_theme(c)) {
		sj_buf_puts(s->out, "Theme: ");
		type(s, theme, 0);
		sj_buf_putc(s->out, '\n');
	}
}

enum sj_status sj_prompt_signatures(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out)
{
	return sj_prompt_signatures_as(f, opt, SJ_SIGN_BY_NAME, false, out);
}

enum sj_status sj_prompt_signatures_as(const struct sj_format *f, const struct sj_prompt_options *opt,
                                       enum sj_sign_form form, bool terse, struct sj_buf *out)
{
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < f->opt.ncatalogs && st == SJ_OK; i++) {
		const struct sj_catalog *c = f->catalogs[i];
		struct sj_value doc;
		st = sj_value_parse(f->mem, &wire, sj_catalog_document(c), &doc, NULL);
		if (st != SJ_OK)
			break;
		struct sign s = {.doc = &doc, .out = out, .form = form, .terse = terse};
		if (f->opt.ncatalogs > 1)
			sj_buf_printf(out, "%sCatalog %.*s\n", i ? "\n" : "", SJ_ARG(sj_catalog_id(c)));
		catalog(&s, f, opt, c);
		sj_value_unref(f->mem, doc);
	}
	return st == SJ_OK ? sj_buf_status(out) : st;
}
