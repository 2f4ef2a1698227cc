/* A catalog as nodes: common types, calls, components. */
#include "infer/grammar_read.h"

static struct sj_g_member member(const char *name, const struct sj_g_node *value, bool required, const char *about)
{
	return (struct sj_g_member){.name = sj_slice_of(name), .value = value, .required = required,
	                            .about = about ? sj_slice_of(about) : SJ_NO_SLICE};
}

static const struct sj_g_node *one_of(struct sj_grammar *g, const struct sj_g_node *a, const struct sj_g_node *b)
{
	return sj_g_one_of(g, (const struct sj_g_node *const[]){a, b}, 2);
}

/* A rule around the node, named after what it is and where it comes from. */
static const struct sj_g_node *rule(struct sj_g_read *r, const char *prefix, struct sj_slice name, int number,
                                    const struct sj_g_node *body)
{
	if (body->kind == SJ_G_NEVER)
		return body;
	struct sj_buf text;
	sj_buf_init(&text, r->g->mem, 0);
	if (r->number > 0)
		sj_buf_printf(&text, "k%u-", r->number);
	sj_buf_puts(&text, prefix);
	if (sj_buf_status(&text) != SJ_OK)
		r->g->status = sj_buf_status(&text);
	struct sj_g_rule *made = sj_g_rule(r->g, sj_buf_status(&text) == SJ_OK ? text.ptr : "", name, number);
	sj_buf_finish(&text);
	if (!made)
		return &SJ_G_NOTHING;
	made->body = body;
	return sj_g_refer(r->g, made);
}

/* ---- bindings and calls ------------------------------------------------------------------------------------------ */

static const struct sj_g_node *binding(struct sj_g_read *r)
{
	if (!r->binding) {
		struct sj_g_member path =
			member(r->g->reserved ? "@path" : "path", r->g->path, true, "Path into the data model.");
		r->binding = rule(r, "binding", SJ_NO_SLICE, -1, sj_g_object(r->g, &path, 1));
	}
	return r->binding;
}

static bool is_one(struct sj_slice word, const char *const *words)
{
	for (; *words; words++)
		if (sj_slice_is(word, *words))
			return true;
	return false;
}

/* May a call of this function stand there? v1.0 takes any; what a slot can show is left: text shows every scalar. */
static bool fits(const struct sj_g_read *r, const struct sj_a2ui_function *f, enum sj_g_slot slot)
{
	static const char *const words[SJ_G_SLOT_COUNT][6] = {
		[SJ_G_SLOT_STRING] = {"string", "number", "boolean", "any", NULL},
		[SJ_G_SLOT_NUMBER] = {"number", "any", NULL},
		[SJ_G_SLOT_BOOLEAN] = {"boolean", "validationResult", "any", NULL},
		[SJ_G_SLOT_LIST] = {"array", "any", NULL},
	};
	static const char *const typed[SJ_G_SLOT_COUNT][3] = {
		[SJ_G_SLOT_STRING] = {"string", "any", NULL},
		[SJ_G_SLOT_NUMBER] = {"number", "any", NULL},
		[SJ_G_SLOT_BOOLEAN] = {"boolean", "any", NULL},
		[SJ_G_SLOT_LIST] = {"array", "any", NULL},
	};
	if (slot == SJ_G_SLOT_ACTION)
		return true;
	if (f->is_effect || f->allowed == SJ_CALLER_AGENT_ONLY)
		return false; /* it acts, or is the agent's own: not for a property */
	if (slot == SJ_G_SLOT_ANY)
		return true;
	return is_one(f->return_type, r->g->opt.version < SJ_V10 ? typed[slot] : words[slot]);
}

static const struct sj_g_node *dynamic(struct sj_g_read *r, enum sj_dynamic_type type);
static const struct sj_g_node *calls(struct sj_g_read *r, enum sj_g_slot slot);

/* The schema of an argument as the protocol reads it: where anything may stand, a value, a binding or a call. */
static const struct sj_g_node *argument(struct sj_g_read *r, const struct sj_g_node *value)
{
	if (value->kind == SJ_G_JSON)
		return dynamic(r, SJ_DYN_ANY);
	return sj_g_of_types(r, value, 62); /* no null */
}

static const struct sj_g_node *arguments(struct sj_g_read *r, const struct sj_a2ui_function *f,
                                         const struct sj_g_node *args)
{
	struct sj_grammar *g = r->g;
	args = sj_g_of_types(r, args, 32);
	const struct sj_g_node *open = sj_g_open(args);
	uint32_t n = open->kind == SJ_G_ONE_OF ? open->n : 1;
	const struct sj_g_node **all = sj_g_alloc(g, n * sizeof *all);
	for (uint32_t i = 0; all && i < n; i++) {
		const struct sj_g_node *one = open->kind == SJ_G_ONE_OF ? sj_g_open(open->items[i]) : open;
		all[i] = one;
		if (one->kind != SJ_G_OBJECT)
			continue;
		if (one->n == 0) {
			if (one->item)
				all[i] = sj_g_free_object(g, dynamic(r, SJ_DYN_ANY), false);
			continue;
		}
		struct sj_g_member *members = sj_g_alloc(g, one->n * sizeof *members);
		for (uint32_t k = 0; members && k < one->n; k++) {
			members[k] = one->members[k];
			members[k].value = argument(r, members[k].value);
			if (sj_slice_is(f->name, "formatString") && sj_slice_is(members[k].name, "value") &&
			    members[k].value == r->dynamic[SJ_DYN_STRING][r->level]) {
				/* Its text is a template: an expression that does not close would be a fault. */
				if (!g->template)
					g->template = sj_g_named(g, "template", sj_g_string(g, SJ_G_STR_TEMPLATE));
				members[k].value =
					sj_g_one_of(g,
				                    (const struct sj_g_node *const[]){g->template, binding(r),
				                                                      calls(r, SJ_G_SLOT_STRING)},
				                    3);
			}
		}
		if (members)
			all[i] = sj_g_object(g, members, one->n);
	}
	return all ? sj_g_one_of(g, all, n) : &SJ_G_NOTHING;
}

static bool has_required(const struct sj_g_node *args)
{
	args = sj_g_open(args);
	if (args->kind == SJ_G_ONE_OF)
		return true;
	for (uint32_t i = 0; args->kind == SJ_G_OBJECT && i < args->n; i++)
		if (args->members[i].required)
			return true;
	return false;
}

/* A whole call of the function, with its arguments at this level. */
static const struct sj_g_node *read_call(struct sj_g_read *r, uint32_t index, bool with_type)
{
	struct sj_grammar *g = r->g;
	const struct sj_a2ui_function *f = sj_catalog_function_at(r->catalog, index);
	uint32_t all = sj_tape_get(&r->doc, 0, SJ_LIT("functions")), at = 0;
	uint32_t def = all && sj_tape_type(&r->doc, all) == SJ_J_OBJECT ? sj_tape_get(&r->doc, all, f->name) : 0;
	if (!def)
		return &SJ_G_NOTHING;
	const struct sj_g_node *args = NULL, *call = &SJ_G_OBJECTS;
	bool stated = false, args_required = false, may_name = g->opt.version >= SJ_V10;
	const struct sj_g_node *whole = sj_g_open(sj_g_of_types(r, sj_g_apply(r, &SJ_G_TOP, def, 0), 32));
	bool is_call_schema = false;
	for (uint32_t i = 0; whole->kind == SJ_G_OBJECT && i < whole->n; i++) {
		const struct sj_g_member *m = &whole->members[i];
		if (sj_slice_is(m->name, "call") || sj_slice_is(m->name, "@call")) {
			is_call_schema = true;
			call = m->value;
		} else if (sj_slice_is(m->name, "args")) {
			args = m->value;
			args_required = m->required;
		} else if (sj_slice_is(m->name, "returnType")) {
			stated = sj_g_open(m->value)->kind == SJ_G_LITERAL;
		} else if (m->required && !sj_slice_is(m->name, "catalogId")) {
			return &SJ_G_NOTHING; /* more than a call can carry */
		}
	}
	if (is_call_schema) {
		const struct sj_g_node *word = sj_g_word(g, f->name);
		if (sj_g_open(call)->kind != SJ_G_LITERAL || !sj_slice_eq(sj_g_open(call)->text, word->text))
			return &SJ_G_NOTHING;
		bool named = false;
		for (uint32_t i = 0; i < whole->n; i++)
			named = named || sj_slice_is(whole->members[i].name, "catalogId");
		may_name = may_name && (named || whole->item);
	} else if (whole->kind == SJ_G_NEVER) {
		return whole;
	} else {
		/* {name, parameters, returnType}: parameters are a schema, or a map of schemas. */
		at = sj_tape_get(&r->doc, def, SJ_LIT("parameters"));
		bool is_object = at && sj_tape_type(&r->doc, at) == SJ_J_OBJECT;
		uint32_t type = is_object ? sj_tape_get(&r->doc, at, SJ_LIT("type")) : 0;
		uint32_t properties = is_object ? sj_tape_get(&r->doc, at, SJ_LIT("properties")) : 0;
		uint32_t ref = is_object ? sj_tape_get(&r->doc, at, SJ_LIT("$ref")) : 0;
		bool is_schema = (type && sj_tape_type(&r->doc, type) == SJ_J_STRING) ||
		                 (properties && sj_tape_type(&r->doc, properties) == SJ_J_OBJECT) ||
		                 (ref && sj_tape_type(&r->doc, ref) == SJ_J_STRING);
		if (is_object && is_schema) {
			args = sj_g_apply(r, &SJ_G_TOP, at, 0);
		} else if (is_object) {
			uint32_t count = r->doc.cells[at].len, i = 0;
			struct sj_g_member *members = sj_g_alloc(g, count * sizeof *members);
			for (uint32_t key = sj_tape_first(&r->doc, at); members && key < r->doc.cells[at].end;
			     key = sj_tape_next(&r->doc, key + 1)) {
				struct sj_slice name = sj_tape_string(&r->doc, key, &r->arena);
				if (!name.ptr)
					g->status = SJ_NOMEM;
				members[i++] = (struct sj_g_member){
					.name = sj_g_keep(g, name), .value = sj_g_apply(r, &SJ_G_TOP, key + 1, 0)};
			}
			args = members ? sj_g_object(g, members, count) : &SJ_G_NOTHING;
		} else {
			args = &SJ_G_OBJECTS;
		}
	}
	struct sj_g_member out[4];
	uint32_t n = 0;
	out[n++] = member(g->reserved ? "@call" : "call", sj_g_word(g, f->name), true, NULL);
	bool foreign = g->opt.version >= SJ_V10 && r->number > 0;
	if (foreign && !may_name)
		return &SJ_G_NOTHING;
	if (foreign)
		out[n++] = member("catalogId", sj_g_word(g, sj_catalog_id(r->catalog)), true, NULL);
	if (args) {
		args = arguments(r, f, args);
		if (args->kind == SJ_G_NEVER && args_required)
			return args;
		out[n++] = member("args", args, args_required || has_required(args), NULL);
	}
	if (with_type && stated)
		out[n++] = member("returnType", sj_g_word(g, f->return_type), false, NULL);
	return rule(r, "call", f->name, (int)(r->level * 2 + with_type), sj_g_object(g, out, n));
}

static const struct sj_g_node *function(struct sj_g_read *r, uint32_t index, bool with_type)
{
	struct sj_g_call *c = &r->functions[index * (SJ_G_MAX_CALL_DEPTH + 1) + r->level];
	if (!c->made[with_type]) {
		/* What is nested in the arguments is one level further down. */
		bool in_action = r->in_action;
		r->level--;
		r->in_action = false;
		const struct sj_g_node *node = read_call(r, index, with_type);
		r->level++;
		r->in_action = in_action;
		c->made[with_type] = true;
		c->node[with_type] = node;
	}
	return c->node[with_type];
}

/* All calls that may stand there; nothing when there are none, or none more may be nested. */
static const struct sj_g_node *calls(struct sj_g_read *r, enum sj_g_slot slot)
{
	static const char *const names[SJ_G_SLOT_COUNT] = {
		[SJ_G_SLOT_ANY] = "call-any",       [SJ_G_SLOT_STRING] = "call-string",
		[SJ_G_SLOT_NUMBER] = "call-number", [SJ_G_SLOT_BOOLEAN] = "call-boolean",
		[SJ_G_SLOT_LIST] = "call-list",     [SJ_G_SLOT_ACTION] = "call-action"};
	const struct sj_g_node **slots = r->calls[slot];
	if (r->level == 0)
		return &SJ_G_NOTHING;
	if (slots[r->level])
		return slots[r->level];
	/* Functions of all catalogs: a call names the one it is from. */
	struct sj_grammar *g = r->g;
	uint32_t total = 0, n = 0;
	for (uint32_t c = 0; c < g->opt.ncatalogs; c++)
		total += sj_catalog_function_count(g->readers[c].catalog);
	const struct sj_g_node **all = sj_g_alloc(g, total * sizeof *all);
	for (uint32_t c = 0; all && c < g->opt.ncatalogs; c++) {
		struct sj_g_read *from = &g->readers[c];
		uint32_t level = from->level;
		from->level = r->level;
		for (uint32_t i = 0; i < sj_catalog_function_count(from->catalog); i++) {
			const struct sj_a2ui_function *f = sj_catalog_function_at(from->catalog, i);
			static const char *const types[] = {[SJ_G_SLOT_STRING] = "string",
			                                    [SJ_G_SLOT_NUMBER] = "number",
			                                    [SJ_G_SLOT_BOOLEAN] = "boolean",
			                                    [SJ_G_SLOT_LIST] = "array"};
			bool exact = slot == SJ_G_SLOT_ANY || slot == SJ_G_SLOT_ACTION ||
			             sj_slice_is(f->return_type, types[slot]);
			if (fits(from, f, slot))
				all[n++] = function(from, i, g->opt.version < SJ_V10 && exact);
		}
		from->level = level;
	}
	slots[r->level] = all ? rule(r, names[slot], SJ_NO_SLICE, (int)r->level, sj_g_one_of(g, all, n))
	                      : &SJ_G_NOTHING;
	return slots[r->level];
}

/* ---- common types ------------------------------------------------------------------------------------------------ */

static const struct sj_g_node *dynamic(struct sj_g_read *r, enum sj_dynamic_type type)
{
	static const char *const names[] = {[SJ_DYN_ANY] = "dynamic-value", [SJ_DYN_STRING] = "dynamic-string",
	                                    [SJ_DYN_NUMBER] = "dynamic-number", [SJ_DYN_BOOLEAN] = "dynamic-boolean",
	                                    [SJ_DYN_STRING_LIST] = "dynamic-list"};
	struct sj_grammar *g = r->g;
	const struct sj_g_node **slot = &r->dynamic[type][r->level];
	if (*slot)
		return *slot;
	const struct sj_g_node *literal = &SJ_G_STRINGS;
	switch (type) {
	case SJ_DYN_STRING: break;
	case SJ_DYN_NUMBER: literal = &SJ_G_NUMBERS; break;
	case SJ_DYN_BOOLEAN: literal = &SJ_G_BOOLS; break;
	case SJ_DYN_STRING_LIST: literal = sj_g_array(g, &SJ_G_STRINGS, 0, -1); break;
	case SJ_DYN_ANY:
		literal = sj_g_one_of(
			g,
			(const struct sj_g_node *const[]){
				&SJ_G_STRINGS, &SJ_G_NUMBERS, &SJ_G_BOOLS, sj_g_array(g, &SJ_G_TOP, 0, -1),
				g->opt.version < SJ_V10 ? &SJ_G_NOTHING : sj_g_free_object(g, &SJ_G_TOP, true)},
			5);
		break;
	}
	const struct sj_g_node *parts[] = {literal, binding(r), calls(r, (enum sj_g_slot)type)};
	*slot = rule(r, names[type], SJ_NO_SLICE, (int)r->level, sj_g_one_of(g, parts, 3));
	return *slot;
}

static const struct sj_g_node *child_list(struct sj_g_read *r)
{
	if (r->child_list && r->list_of == r->reference)
		return r->child_list;
	struct sj_g_member row[] = {
		member("componentId", r->reference, true, "Component that is repeated."),
		member("path", r->g->list_path, true, "Path of a list in the data model."),
	};
	r->list_of = r->reference;
	r->child_list = rule(r, "child-list", SJ_NO_SLICE, (int)r->g->nrules,
	                     one_of(r->g, sj_g_array(r->g, r->reference, 0, -1), sj_g_object(r->g, row, 2)));
	return r->child_list;
}

const struct sj_g_node *sj_g_common_type(struct sj_g_read *r, struct sj_slice name, uint32_t cell, unsigned depth)
{
	static const struct { const char *name; enum sj_dynamic_type type; } dynamics[] = {
		{"DynamicString", SJ_DYN_STRING}, {"DynamicNumber", SJ_DYN_NUMBER}, {"DynamicBoolean", SJ_DYN_BOOLEAN},
		{"DynamicStringList", SJ_DYN_STRING_LIST}, {"DynamicValue", SJ_DYN_ANY},
	};
	static const char *const read_once[] = {"Action", "CheckRule", "AccessibilityAttributes", NULL};
	if (sj_slice_is(name, "ComponentId") || sj_slice_is(name, "Child"))
		return r->reference;
	if (sj_slice_is(name, "ChildList"))
		return child_list(r);
	if (sj_slice_is(name, "DataBinding"))
		return binding(r);
	if (sj_slice_is(name, "FunctionCall"))
		return calls(r, r->in_action ? SJ_G_SLOT_ACTION : SJ_G_SLOT_ANY);
	if (sj_slice_is(name, "IndexSystemFunction"))
		return &SJ_G_NOTHING; /* whether a row is around it only evaluation knows */
	for (size_t i = 0; i < sizeof dynamics / sizeof *dynamics; i++)
		if (sj_slice_is(name, dynamics[i].name))
			return dynamic(r, dynamics[i].type);
	if (!is_one(name, read_once))
		return NULL;
	for (uint32_t i = 0; i < r->memos.count; i++)
		if (r->memos.items[i].cell == cell && r->memos.items[i].level == r->level)
			return r->memos.items[i].node;
	bool in_action = r->in_action;
	r->in_action = sj_slice_is(name, "Action");
	const struct sj_g_node *node =
		rule(r, "common", name, (int)r->level, sj_g_apply(r, &SJ_G_TOP, cell, depth + 1));
	r->in_action = in_action;
	sj_g_remember(r, (struct sj_g_memo){.cell = cell, .level = r->level, .node = node});
	return node;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

enum sj_status sj_g_read_open(struct sj_grammar *g, uint32_t number, struct sj_diag *diag)
{
	struct sj_g_read *r = &g->readers[number];
	const struct sj_catalog *c = g->opt.catalogs[number];
	*r = (struct sj_g_read){
		.g = g, .catalog = c, .number = number, .level = g->opt.call_depth, .reference = g->reference};
	sj_buf_init(&r->text, g->mem, 0);
	sj_arena_init(&r->arena, g->mem, 0);
	enum sj_status st = sj_catalog_emit(c, &r->text);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	opt.dup = SJ_DUP_LAST;
	if (st == SJ_OK)
		st = sj_json_parse(&r->arena, &opt, sj_buf_view(&r->text), &r->doc, diag);
	if (st == SJ_OK) {
		size_t count = (size_t)sj_catalog_function_count(c) * (SJ_G_MAX_CALL_DEPTH + 1);
		r->functions = sj_g_alloc(g, count * sizeof *r->functions);
		st = g->status;
	}
	return st;
}

/* v1.0 composes what all components have around the catalog's own; before, the catalog says it itself. */
static const struct sj_g_node *accessibility(struct sj_g_read *r)
{
	struct sj_grammar *g = r->g;
	if (r->accessibility)
		return r->accessibility;
	const struct sj_g_node *live[] = {sj_g_word(g, SJ_LIT("off")), sj_g_word(g, SJ_LIT("polite")),
	                                  sj_g_word(g, SJ_LIT("assertive"))};
	struct sj_g_member m[] = {
		member("label", dynamic(r, SJ_DYN_STRING), false, "Short name, read out instead of the visible text."),
		member("description", dynamic(r, SJ_DYN_STRING), false, "Longer explanation for assistive technology."),
		member("live", sj_g_one_of(g, live, 3), false, "How changes are announced."),
		member("hidden", dynamic(r, SJ_DYN_BOOLEAN), false, "True hides it from assistive technology."),
	};
	r->accessibility = rule(r, "accessibility", SJ_NO_SLICE, -1, sj_g_object(g, m, 4));
	return r->accessibility;
}

static const struct sj_g_node *component_object(struct sj_g_read *r, const struct sj_g_node *from)
{
	struct sj_grammar *g = r->g;
	bool v10 = g->opt.version >= SJ_V10;
	struct sj_g_member *m = sj_g_alloc(g, (from->n + 2) * sizeof *m);
	uint32_t n = 0;
	if (!m)
		return &SJ_G_NOTHING;
	if (v10)
		m[n++] = (struct sj_g_member){.name = SJ_LIT("catalogId"),
		                              .value = sj_g_word(g, sj_catalog_id(r->catalog)),
		                              .required = r->number > 0};
	for (uint32_t i = 0; i < from->n; i++) {
		static const char *const envelope[] = {"id", "component", "catalogId", "metadata", NULL};
		if (is_one(from->members[i].name, envelope) ||
		    (v10 && sj_slice_is(from->members[i].name, "accessibility")))
			continue;
		m[n++] = from->members[i];
	}
	if (v10)
		m[n++] = (struct sj_g_member){.name = SJ_LIT("accessibility"), .value = accessibility(r),
		                              .about = SJ_LIT("What assistive technology is told about it.")};
	return sj_g_object(g, m, n);
}

const struct sj_g_node *sj_g_read_component(struct sj_grammar *g, uint32_t catalog, uint32_t index)
{
	struct sj_g_read *r = &g->readers[catalog];
	const struct sj_a2ui_component *type = sj_catalog_component_at(r->catalog, index);
	uint32_t all = sj_tape_get(&r->doc, 0, SJ_LIT("components"));
	uint32_t def = all && sj_tape_type(&r->doc, all) == SJ_J_OBJECT ? sj_tape_get(&r->doc, all, type->name) : 0;
	if (!def)
		return &SJ_G_NOTHING;
	r->level = g->opt.call_depth;
	const struct sj_g_node *node = sj_g_open(sj_g_of_types(r, sj_g_apply(r, &SJ_G_TOP, def, 0), 32));
	if (node->kind == SJ_G_OBJECT)
		return component_object(r, node);
	if (node->kind != SJ_G_ONE_OF)
		return &SJ_G_NOTHING;
	const struct sj_g_node **parts = sj_g_alloc(g, node->n * sizeof *parts);
	for (uint32_t i = 0; parts && i < node->n; i++) {
		const struct sj_g_node *one = sj_g_open(node->items[i]);
		parts[i] = one->kind == SJ_G_OBJECT ? component_object(r, one) : &SJ_G_NOTHING;
	}
	return parts ? sj_g_one_of(g, parts, node->n) : &SJ_G_NOTHING;
}

void sj_g_read_refer(struct sj_grammar *g, const struct sj_g_node *reference)
{
	g->reference = reference;
	for (uint32_t i = 0; i < g->opt.ncatalogs; i++)
		g->readers[i].reference = reference;
}

const struct sj_g_node *sj_g_read_theme(struct sj_grammar *g, uint32_t catalog)
{
	struct sj_g_read *r = &g->readers[catalog];
	uint32_t defs = sj_tape_get(&r->doc, 0, SJ_LIT("$defs"));
	uint32_t theme =
		defs && sj_tape_type(&r->doc, defs) == SJ_J_OBJECT ? sj_tape_get(&r->doc, defs, SJ_LIT("theme")) : 0;
	if (!theme || !sj_catalog_has_theme(r->catalog))
		return &SJ_G_NOTHING;
	const struct sj_g_node *node = sj_g_of_types(r, sj_g_apply(r, &SJ_G_TOP, theme, 0), 32);
	const struct sj_g_node *open = sj_g_open(node);
	if (open->kind == SJ_G_OBJECT && open->n == 0)
		return &SJ_G_NOTHING; /* it says nothing of what a theme is */
	return node;
}

void sj_g_read_close(struct sj_grammar *g, uint32_t number)
{
	struct sj_g_read *r = &g->readers[number];
	sj_buf_finish(&r->text);
	sj_arena_finish(&r->arena);
	SJ_VEC_FREE(g->mem, &r->memos);
	SJ_VEC_FREE(g->mem, &r->busy);
}
