/* Conformance: dispatch_action, handle_rpc, accessibility_check. */
#include "a2ui/protocol.h"
#include "cmd/conformance.h"
#include "cmd/match.h"
#include "surface/a11y.h"

#define SUITE_CATALOG "urn:suite:actions"

/* ---- dispatch_action --------------------------------------------------------------------------------------------- */

/* "/items/1" is row 1 of a list over /items: the action gets a button in that row. A scope of no row is the surface's
 * own. */
static bool split_scope(struct sj_slice scope, struct sj_slice *list, uint32_t *row)
{
	size_t at = scope.len;
	while (at > 0 && scope.ptr[at - 1] != '/')
		at--;
	*list = sj_slice(scope.ptr, at > 0 ? at - 1 : 0);
	*row = 0;
	for (size_t i = at; i < scope.len; i++) {
		if (scope.ptr[i] < '0' || scope.ptr[i] > '9' || *row > 10000)
			return false;
		*row = *row * 10 + (uint32_t)(scope.ptr[i] - '0');
	}
	return at < scope.len;
}

static void put_messages(struct trial *t, struct sj_slice list, struct sj_buf *out)
{
	const struct sj_value *model = case_member(t, "dataModel");
	sj_buf_puts(out, "[{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" SUITE_CATALOG "\"}},");
	if (model) {
		sj_buf_puts(out, "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/\",\"value\":");
		sj_value_print(out, model, SJ_PRINT_COMPACT);
		sj_buf_puts(out, "}},");
	}
	sj_buf_puts(out, "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":\"Column\",\"children\":");
	if (list.len > 0) {
		sj_buf_puts(out, "{\"componentId\":\"button\",\"path\":");
		sj_json_print_string(out, list);
		sj_buf_puts(out, "}");
	} else {
		sj_buf_puts(out, "[\"button\"]");
	}
	sj_buf_puts(out, "},{\"id\":\"button\",\"component\":\"Button\",\"child\":\"label\",\"action\":");
	sj_value_print(out, case_member(t, "actionPayload"), SJ_PRINT_COMPACT);
	sj_buf_puts(out, "},{\"id\":\"label\",\"component\":\"Text\",\"text\":\"Press\"}]}}]");
}

static void check_dispatched(struct trial *t, struct bench *b)
{
	const struct sj_value *expect = case_member(t, "expectDispatched"),
			      *errors = case_member(t, "expectDispatchedErrors");
	const struct sj_value *action = NULL;
	for (uint32_t i = 0; i < sj_value_count(&b->sent); i++)
		if (cmd_member(sj_value_item(&b->sent, i), "action"))
			action = cmd_member(sj_value_item(&b->sent, i), "action");
	if (expect)
		trial_match(t, "action", expect, action, false);
	else if (action)
		trial_fail(t, "an event was sent");
	uint32_t wanted = errors ? sj_value_count(errors) : 0;
	if (b->faults.count != wanted)
		trial_fail(t, "%u errors, wanted %u%s%s", b->faults.count, wanted, b->faults.count ? ": " : "",
		           b->faults.count ? b->faults.items[0].diag.message : "");
	for (uint32_t i = 0; i < wanted && !trial_failed(t); i++)
		if (!error_fits(t, sj_value_item(errors, i), &b->faults.items[i]))
			trial_fail(t, "error %u is %s: %s", i, sj_code_name(b->faults.items[i].diag.code),
			           b->faults.items[i].diag.message);
}

void act_dispatch(struct trial *t)
{
	const struct sj_value *scope = case_member(t, "scope");
	struct sj_slice list = SJ_LIT("");
	uint32_t row = 0;
	struct sj_buf json;
	struct sj_diag d = {0};
	struct bench b;

	if (scope && !split_scope(sj_value_text(scope), &list, &row)) {
		trial_fail(t, "the runner cannot place the scope");
		return;
	}
	if (!bench_open(&b, t, NULL))
		return;
	sj_buf_init(&json, t->mem, 0);
	put_messages(t, list, &json);
	struct sj_value messages = value_of_json(t->mem, sj_buf_view(&json));
	sj_buf_finish(&json);
	if (sj_engine_add_permissive(b.engine, SJ_LIT(SUITE_CATALOG), SJ_V09) != SJ_OK)
		trial_fail(t, "out of memory");
	bench_feed(&b, &messages);
	sj_value_unref(t->mem, messages);
	struct sj_view *v = sj_engine_view(b.engine, UINT32_MAX, SJ_LIT("s"));
	if (!v || b.faults.count > 0) {
		trial_fail(t, "unexpected %s",
		           b.faults.count > 0 ? b.faults.items[0].diag.message : "lack of a surface");
	} else if (sj_surface_settle(sj_view_surface(v)) == SJ_OK) {
		sj_node_id button = sj_surface_find(sj_view_surface(v), SJ_LIT("button"), &row, list.len > 0);
		sj_engine_press(b.engine, v, button, &d);
		bench_drain(&b);
		check_dispatched(t, &b);
	}
	bench_close(&b);
}

/* ---- handle_rpc -------------------------------------------------------------------------------------------------- */

#define MAX_STUBS 8

/* What the suites' functions give. */
static enum sj_result play_media(struct sj_call *call, struct sj_value *out)
{
	*out = value_of_json(call->mem, SJ_LIT("{\"playing\":true,\"timestamp\":0}"));
	return SJ_R_OK;
}

static enum sj_result open_url(struct sj_call *call, struct sj_value *out)
{
	*out = value_of_json(call->mem, SJ_LIT("{\"opened\":true}"));
	return SJ_R_OK;
}

static enum sj_result fail(struct sj_call *call, struct sj_value *out)
{
	(void)out;
	sj_diag_set(call->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "the function threw");
	return SJ_R_ERROR;
}

static enum sj_result give_null(struct sj_call *call, struct sj_value *out)
{
	(void)call;
	*out = SJ_NULL_VALUE;
	return SJ_R_OK;
}

static const struct {
	const char *name;
	enum sj_result (*eval)(struct sj_call *call, struct sj_value *out);
	struct sj_host_prop args[3];
} behaviours[] = {
	{"playMedia",
         play_media,
         {{"mediaId", "string", SJ_P_NONE, false, ""}, {"autoplay", "boolean", SJ_P_NONE, false, ""}}},
	{"openExternalUrl", open_url, {{"url", "string", SJ_P_NONE, false, ""}}},
	{"failingFunction", fail, {{0}}},
};

struct rpc {
	struct trial *t;
	struct sj_a2ui *a2ui;
	struct sj_value sent, done;
	bool has_done;
	struct sj_diag fault;
};

static enum sj_status on_emit(void *ctx, const struct sj_out *o)
{
	struct rpc *r = ctx;
	if (o->kind == SJ_OUT_SEND)
		return sj_value_append(r->t->mem, &r->sent, value_of_json(r->t->mem, o->json));
	if (o->kind == SJ_OUT_CALL_DONE) {
		r->has_done = true;
		r->done = value_of_json(r->t->mem, o->json);
	}
	if (o->kind == SJ_OUT_DIAG && r->fault.code == SJ_E_NONE)
		r->fault = *o->diag;
	return SJ_OK;
}

static void on_touched(void *ctx, struct sj_view *v)
{
	(void)ctx;
	(void)v;
}

static enum sj_caller caller_of(const struct sj_value *meta)
{
	const struct sj_value *v = cmd_member(meta, "allowedCallers");
	if (value_text_is(v, "rendererOrAgent"))
		return SJ_CALLER_ANY;
	return value_text_is(v, "agentOnly") ? SJ_CALLER_AGENT_ONLY : SJ_CALLER_RENDERER_ONLY;
}

static const char *zero_ended(struct sj_slice s, char *room, size_t size)
{
	size_t n = s.len < size - 1 ? s.len : size - 1;
	memcpy(room, s.ptr ? s.ptr : "", n);
	room[n] = 0;
	return room;
}

/* A catalog with the functions of the case. */
static void add_stubs(struct rpc *r, struct sj_slice catalog_id, const struct sj_value *metadata)
{
	struct sj_host_function functions[MAX_STUBS + 1] = {{0}};
	char names[MAX_STUBS][64], id[256];
	struct sj_host_catalog host = {.catalog_id = zero_ended(catalog_id, id, sizeof id),
	                               .title = "Suite",
	                               .version = SJ_V10,
	                               .functions = functions};
	static const struct sj_host_prop no_args[1] = {{0}};
	struct sj_catalog *c;
	struct sj_diag d = {0};

	for (uint32_t i = 0; metadata && i < sj_value_count(metadata) && i < MAX_STUBS; i++) {
		struct sj_slice name;
		const struct sj_value *meta = sj_value_member(metadata, i, &name);
		functions[i] = (struct sj_host_function){.name = zero_ended(name, names[i], sizeof names[i]),
		                                         .kind = SJ_FN_PURE,
		                                         .return_type = "any",
		                                         .args = no_args,
		                                         .allowed = caller_of(meta),
		                                         .eval = give_null,
		                                         .description = ""};
		for (size_t k = 0; k < sizeof behaviours / sizeof *behaviours; k++)
			if (strcmp(behaviours[k].name, functions[i].name) == 0) {
				functions[i].eval = behaviours[k].eval;
				functions[i].args = behaviours[k].args;
			}
	}
	if (sj_catalog_from_host(r->t->mem, &host, sj_fn_impl, sj_a2ui_functions(r->a2ui), &c, &d) != SJ_OK) {
		trial_fail(r->t, "catalog: %s", d.message);
		return;
	}
	/* A document may not let the agent call what needs a person's gesture; the suite's metadata does. */
	for (uint32_t i = 0; metadata && i < sj_value_count(metadata) && i < MAX_STUBS; i++) {
		struct sj_slice name;
		const struct sj_value *meta = sj_value_member(metadata, i, &name),
				      *activation = cmd_member(meta, "requiresUserActivation");
		sj_catalog_set_callers(c, name, caller_of(meta), activation && activation->type == SJ_V_TRUE);
	}
	if (sj_a2ui_add_catalog(r->a2ui, c, &d) != SJ_OK)
		trial_fail(r->t, "catalog: %s", d.message);
}

static void feed(struct rpc *r, const struct sj_value *message, struct sj_diag *first)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_origin origin = {0, 0};
	struct sj_arena arena;
	struct sj_tape tape;
	struct sj_buf json;
	sj_arena_init(&arena, r->t->mem, 0);
	sj_buf_init(&json, r->t->mem, 0);
	sj_value_print(&json, message, SJ_PRINT_COMPACT);
	if (sj_json_parse(&arena, &opt, sj_buf_view(&json), &tape, first) == SJ_OK)
		sj_a2ui_batch(r->a2ui, 0, &tape, &origin, first);
	sj_buf_finish(&json);
	sj_arena_finish(&arena);
}

static void inbound(struct rpc *r)
{
	struct trial *t = r->t;
	const struct sj_value *args = case_member(t, "args"), *message = cmd_member(args, "message"),
			      *active = cmd_member(args, "userActivationPresent");
	const struct sj_value *id =
		cmd_member(cmd_member(cmd_member(message, "callRendererFunction"), "callFunction"), "catalogId");
	const struct sj_value *expect = case_member(t, "expect"), *response = cmd_member(expect, "response"),
			      *error = cmd_member(expect, "error");
	struct sj_diag first = {0};

	if (id && sj_value_is_string(id) && !cmd_contains(sj_value_text(id), SJ_LIT("non_existent")))
		add_stubs(r, sj_value_text(id), cmd_member(args, "functionMetadata"));
	sj_a2ui_activate(r->a2ui, active && active->type == SJ_V_TRUE);
	feed(r, message, &first);
	if (error) {
		trial_expect_diag(t, error, &first);
	} else if (response && response->type == SJ_V_NULL) {
		if (sj_value_count(&r->sent) > 0 || first.code != SJ_E_NONE)
			trial_fail(t, "something was answered: %s", first.message);
	} else {
		/* Exactly one reply, and nothing in it that was not asked for. */
		if (sj_value_count(&r->sent) != 1)
			trial_fail(t, "%u replies: %s", sj_value_count(&r->sent), first.message);
		trial_match(t, "response", response, sj_value_item(&r->sent, 0), true);
	}
}

/* The case chooses the id of the outbound call; here the engine does. The case's id stands for the engine's in both
 * directions. */
static void outbound(struct rpc *r)
{
	static const char create[] = "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":%.*s,\"catalogId\":%.*s}}";
	struct trial *t = r->t;
	const struct sj_value *args = case_member(t, "args"), *call = cmd_member(args, "outboundCall"),
			      *function = cmd_member(call, "callFunction");
	const struct sj_value *surface = cmd_member(call, "surfaceId"), *catalog = cmd_member(function, "catalogId"),
			      *expect = case_member(t, "expect");
	const struct sj_value *correlated = cmd_member(expect, "correlatedCallId"),
			      *case_id = cmd_member(call, "functionCallId");
	struct sj_buf json, surface_text, catalog_text, args_text;
	struct sj_diag d = {0};
	uint64_t id;

	if (!function || !surface || !catalog) {
		trial_fail(t, "the outbound call is incomplete");
		return;
	}
	struct sj_buf *all[] = {&json, &surface_text, &catalog_text, &args_text};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sj_buf_init(all[i], t->mem, 0);
	sj_value_print(&surface_text, surface, SJ_PRINT_COMPACT);
	sj_value_print(&catalog_text, catalog, SJ_PRINT_COMPACT);
	sj_value_print(&args_text, cmd_member(function, "args") ? cmd_member(function, "args") : &SJ_NULL_VALUE,
	               SJ_PRINT_COMPACT);
	sj_buf_printf(&json, create, SJ_ARG(sj_buf_view(&surface_text)), SJ_ARG(sj_buf_view(&catalog_text)));
	struct sj_value message = value_of_json(t->mem, sj_buf_view(&json));
	feed(r, &message, &d);
	sj_value_unref(t->mem, message);
	struct sj_view *v = sj_a2ui_view_find(r->a2ui, 0, sj_value_text(surface));
	if (!v || sj_a2ui_call_agent(r->a2ui, v, sj_value_text(cmd_member(function, "call")), sj_value_text(catalog),
	                             sj_buf_view(&args_text), 0, &id, &d) != SJ_OK)
		trial_fail(t, "the call was not made: %s", d.message);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sj_buf_finish(all[i]);
	const struct sj_value *sent =
		sj_value_count(&r->sent) == 1 ? cmd_member(sj_value_item(&r->sent, 0), "callAgentFunction") : NULL;
	if (!sent) {
		trial_fail(t, "no callAgentFunction was sent");
		return;
	}
	struct sj_value own_id = sj_value_ref(*cmd_member(sent, "functionCallId")), want = sj_value_ref(*call);
	value_put(t->mem, &want, "functionCallId", sj_value_ref(own_id));
	trial_match(t, "callAgentFunction", &want, sent, false);
	sj_value_unref(t->mem, want);
	struct sj_value answer = sj_value_ref(*cmd_member(args, "inboundResponse"));
	struct sj_value body = sj_value_ref(*cmd_member(&answer, "agentFunctionResponse"));
	if (!correlated || !sj_value_equal(correlated, case_id) ||
	    !sj_value_equal(cmd_member(&body, "functionCallId"), case_id))
		trial_fail(t, "the runner expects one id throughout the case");
	value_put(t->mem, &body, "functionCallId", sj_value_ref(own_id));
	value_put(t->mem, &answer, "agentFunctionResponse", body);
	feed(r, &answer, &d);
	if (!r->has_done)
		trial_fail(t, "the response did not settle the call");
	else
		trial_match(t, "result", cmd_member(expect, "result"), &r->done, true);
	sj_value_unref(t->mem, answer);
	sj_value_unref(t->mem, own_id);
}

void act_rpc(struct trial *t)
{
	struct rpc r = {.t = t, .done = SJ_NULL_VALUE};
	struct sj_a2ui_options opt = {.mem = t->mem,
	                              .limits = &SJ_LIMITS_DEFAULT,
	                              .rules = {.skip_graph = true},
	                              .dialect = SJ_DIALECT_AUTO,
	                              .alias_unknown_catalogs = true,
	                              .emit = on_emit,
	                              .touched = on_touched,
	                              .ctx = &r};
	/* Below the engine: whether a person's gesture is under way is the host's to say, message by message. */
	if (sj_value_array(t->mem, &r.sent) != SJ_OK || sj_a2ui_create(&opt, &r.a2ui) != SJ_OK) {
		trial_fail(t, "out of memory");
		return;
	}
	if (cmd_member(case_member(t, "args"), "outboundCall"))
		outbound(&r);
	else
		inbound(&r);
	sj_a2ui_destroy(r.a2ui);
	sj_value_unref(t->mem, r.sent);
	sj_value_unref(t->mem, r.done);
}

/* ---- accessibility_check ----------------------------------------------------------------------------------------- */

/* The suite's surface is one object: the root's own members, and the others by id under "components". */
static struct sj_value surface_message(struct trial *t)
{
	const struct sj_value *surface = case_member(t, "surface"), *others = cmd_member(surface, "components");
	struct sj_buf json;
	struct sj_value root = sj_value_ref(*surface), message;
	if (sj_value_unset(t->mem, &root, SJ_LIT("components")) != SJ_OK)
		trial_fail(t, "out of memory");
	sj_buf_init(&json, t->mem, 0);
	sj_buf_puts(&json, "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" SUITE_CATALOG "\",\"components\":[");
	sj_value_print(&json, &root, SJ_PRINT_COMPACT);
	for (uint32_t i = 0; others && i < sj_value_count(others); i++) {
		struct sj_slice id;
		struct sj_value one = sj_value_ref(*sj_value_member(others, i, &id));
		value_put_text(t->mem, &one, "id", id);
		sj_buf_putc(&json, ',');
		sj_value_print(&json, &one, SJ_PRINT_COMPACT);
		sj_value_unref(t->mem, one);
	}
	sj_buf_puts(&json, "]}}");
	sj_value_unref(t->mem, root);
	message = value_of_json(t->mem, sj_buf_view(&json));
	sj_buf_finish(&json);
	return message;
}

/* A member as the tree has it; where it is bound and there is no data yet, the case compares the binding itself. */
static void put_read(struct trial *t, struct sj_value *out, const char *key, struct sj_slice text,
                     const struct sj_value *written)
{
	const struct sj_value *own = cmd_member(cmd_member(written, "accessibility"), key);
	if (own && own->type == SJ_V_OBJECT && (!text.len || sj_slice_is(sj_slice_of(key), "label")))
		value_put(t->mem, out, key, sj_value_ref(*own));
	else if (text.len)
		value_put_text(t->mem, out, key, text);
}

static struct sj_value accessible(struct trial *t, const struct sj_a11y *it, const struct sj_value *written)
{
	const struct sj_value *hidden = cmd_member(cmd_member(written, "accessibility"), "hidden");
	struct sj_value out;
	if (sj_value_object(t->mem, &out) != SJ_OK)
		return SJ_NULL_VALUE;
	put_read(t, &out, "label", it->name, written);
	put_read(t, &out, "description", it->description, written);
	put_read(t, &out, "live", it->live, written);
	if (it->hidden || !hidden || hidden->type != SJ_V_OBJECT)
		value_put(t->mem, &out, "hidden", sj_value_bool(it->hidden));
	else
		value_put(t->mem, &out, "hidden", sj_value_ref(*hidden));
	value_put_text(t->mem, &out, "role", sj_slice_of(sj_ui_role_name(it->role)));
	if (it->checked >= 0)
		value_put(t->mem, &out, "checked", sj_value_bool(it->checked));
	return out;
}

/* The item of a component. One below something hidden has none: it is told to be hidden, and nothing else. */
static const struct sj_a11y *find_item(const struct sj_a11y_tree *tree, struct sj_slice id)
{
	static const struct sj_a11y below_hidden = {.hidden = true, .checked = -1};
	for (uint32_t i = 0; i < tree->items.count; i++)
		if (tree->items.items[i].part == SJ_PART_SELF && sj_slice_eq(tree->items.items[i].id, id))
			return &tree->items.items[i];
	return sj_surface_find(tree->surface, id, NULL, 0) ? &below_hidden : NULL;
}

struct rules {
	struct trial *t;
	const struct sj_value *wanted;
	const struct sj_a11y_tree *tree;
};

static void on_breach(void *ctx, enum sj_a11y_rule rule, uint32_t item, const char *message)
{
	struct rules *r = ctx;
	for (uint32_t i = 0; r->wanted && i < sj_value_count(r->wanted); i++)
		if (value_text_is(sj_value_item(r->wanted, i), sj_a11y_rule_name(rule)))
			trial_fail(r->t, "%s: %.*s: %s", sj_a11y_rule_name(rule), SJ_ARG(r->tree->items.items[item].id),
			           message);
}

/* The rules of axe-core that the case names: none of them may be broken anywhere. */
static void check_rules(struct trial *t, const struct sj_a11y_tree *tree)
{
	struct rules r = {t, cmd_member(case_member(t, "assertions"), "axeCore"), tree};
	enum sj_a11y_rule known;
	for (uint32_t i = 0; r.wanted && i < sj_value_count(r.wanted); i++)
		if (!sj_a11y_rule_find(sj_value_text(sj_value_item(r.wanted, i)), &known))
			trial_fail(t, "the runner does not know the rule %.*s",
			           SJ_ARG(sj_value_text(sj_value_item(r.wanted, i))));
	if (sj_a11y_check(tree, on_breach, &r) != SJ_OK)
		trial_fail(t, "out of memory");
}

static void check_tree(struct trial *t, struct sj_surface *s, const struct sj_value *all)
{
	const struct sj_value *want = cmd_member(case_member(t, "assertions"), "accessibilityTree");
	struct sj_a11y_tree tree;
	if (sj_a11y_build(s, &tree) != SJ_OK)
		trial_fail(t, "out of memory");
	for (uint32_t i = 0; want && i < sj_value_count(want); i++) {
		struct sj_slice id;
		const struct sj_value *node = sj_value_member(want, i, &id), *written = NULL;
		const struct sj_a11y *it = find_item(&tree, id);
		if (!it) {
			trial_fail(t, "there is no node %.*s", SJ_ARG(id));
			continue;
		}
		for (uint32_t k = 0; k < sj_value_count(all); k++)
			if (sj_slice_eq(sj_value_text(cmd_member(sj_value_item(all, k), "id")), id))
				written = sj_value_item(all, k);
		struct sj_value got = accessible(t, it, written);
		trial_match(t, "accessibility", node, &got, false);
		sj_value_unref(t->mem, got);
	}
	check_rules(t, &tree);
	sj_a11y_finish(&tree);
}

void act_accessibility(struct trial *t)
{
	struct sj_value message;
	struct bench b;
	if (!bench_open(&b, t, NULL))
		return;
	if (sj_engine_add_permissive(b.engine, SJ_LIT(SUITE_CATALOG), SJ_V10) != SJ_OK)
		trial_fail(t, "out of memory");
	message = surface_message(t);
	bench_feed(&b, &message);
	struct sj_view *v = sj_engine_view(b.engine, UINT32_MAX, SJ_LIT("s"));
	if (!v || b.faults.count > 0) {
		trial_fail(t, "unexpected %s",
		           b.faults.count > 0 ? b.faults.items[0].diag.message : "lack of a surface");
	} else {
		check_tree(t, sj_view_surface(v), cmd_member(cmd_member(&message, "createSurface"), "components"));
	}
	sj_value_unref(t->mem, message);
	bench_close(&b);
}
