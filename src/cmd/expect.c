/* The expectations of a replay script: what each member of {"expect": {...}} compares. */
#include "cmd/match.h"
#include "cmd/replay.h"

static void wrong(struct cmd_replay *r, const char *what, const struct sj_buf *why)
{
	if (r->why.len > 0)
		sj_buf_puts(&r->why, "; ");
	sj_buf_printf(&r->why, "%s: ", what);
	sj_buf_slice(&r->why, sj_buf_view(why));
}

static void compare(struct cmd_replay *r, const char *what, const struct sj_value *want, const struct sj_value *got,
                    bool exact)
{
	struct sj_buf why;
	sj_buf_init(&why, r->mem, 0);
	if (!cmd_match(r->mem, want, got, exact, &why))
		wrong(r, what, &why);
	sj_buf_finish(&why);
}

static void say(struct cmd_replay *r, const char *what, const char *z, struct sj_slice text)
{
	struct sj_buf why;
	sj_buf_init(&why, r->mem, 0);
	sj_buf_puts(&why, z);
	sj_buf_slice(&why, text);
	wrong(r, what, &why);
	sj_buf_finish(&why);
}

static void clear(struct cmd_replay *r, struct sj_value *list)
{
	if (sj_value_truncate(r->mem, list, 0) != SJ_OK)
		say(r, "replay", "out of memory", SJ_NO_SLICE);
}

/* A list, or the number of its items. */
static void compare_list(struct cmd_replay *r, const char *what, const struct sj_value *want,
                         const struct sj_value *got)
{
	struct sj_value count = sj_value_int(sj_value_count(got));
	compare(r, what, want, sj_value_is_number(want) ? &count : got, false);
}

/* Errors may be named by their code alone. */
static void compare_faults(struct cmd_replay *r, const char *what, const struct sj_value *want,
                           const struct sj_value *got)
{
	uint32_t count = sj_value_count(got);
	if (sj_value_is_number(want) || want->type != SJ_V_ARRAY || sj_value_count(want) != count) {
		compare_list(r, what, want, got);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct sj_value *w = sj_value_item(want, i), *g = sj_value_item(got, i);
		compare(r, what, w, sj_value_is_string(w) ? cmd_member(g, "code") : g, false);
	}
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static void compare_text(struct cmd_replay *r, const char *what, const struct sj_value *want, struct sj_slice got)
{
	struct sj_value v;
	if (sj_value_string(r->mem, got, &v) != SJ_OK)
		return;
	compare(r, what, want, &v, false);
	sj_value_unref(r->mem, v);
}

static void compare_flag(struct cmd_replay *r, const char *what, const struct sj_value *want, bool got)
{
	struct sj_value v = sj_value_bool(got);
	compare(r, what, want, &v, false);
}

static void compare_children(struct cmd_replay *r, struct sj_surface *s, sj_node_id n, const struct sj_value *want)
{
	struct sj_value list, id;
	if (sj_value_array(r->mem, &list) != SJ_OK)
		return;
	for (uint32_t i = 0; i < sj_node_child_count(s, n); i++)
		if (sj_value_string(r->mem, sj_node_component_id(s, sj_node_child(s, n, i)), &id) != SJ_OK ||
		    sj_value_append(r->mem, &list, id) != SJ_OK)
			say(r, "$children", "out of memory", SJ_NO_SLICE);
	compare_list(r, "$children", want, &list);
	sj_value_unref(r->mem, list);
}

static void compare_special(struct cmd_replay *r, struct sj_surface *s, sj_node_id n, struct sj_slice name,
                            const struct sj_value *want)
{
	struct sj_validity v = {0};
	if (sj_slice_is(name, "$enabled")) {
		compare_flag(r, "$enabled", want, sj_node_enabled(s, n));
	} else if (sj_slice_is(name, "$valid")) {
		sj_node_validity(s, n, &v);
		compare_flag(r, "$valid", want, !v.has_checks || v.valid);
	} else if (sj_slice_is(name, "$message")) {
		sj_node_validity(s, n, &v);
		compare_text(r, "$message", want, v.message);
	} else if (sj_slice_is(name, "$code")) {
		sj_node_validity(s, n, &v);
		compare_text(r, "$code", want, v.code);
	} else if (sj_slice_is(name, "$type")) {
		compare_text(r, "$type", want, sj_node_type(s, n));
	} else if (sj_slice_is(name, "$state")) {
		compare_text(r, "$state", want, sj_slice_of(sj_why_name(sj_node_why(s, n))));
	} else if (sj_slice_is(name, "$children")) {
		compare_children(r, s, n, want);
	} else if (sj_slice_is(name, "$bound")) {
		compare_flag(r, "$bound", want, sj_node_bound(s, n, SJ_P_VALUE));
	} else if (sj_slice_is(name, "$local")) {
		for (uint32_t i = 0; i < sj_value_count(want); i++) {
			struct sj_slice key;
			const struct sj_value *w = sj_value_member(want, i, &key);
			compare(r, "$local", w, sj_node_local(s, n, key), false);
		}
	} else {
		say(r, "nodes", "there is no such thing as ", name);
	}
}

static void compare_node(struct cmd_replay *r, struct sj_view *view, struct sj_slice id, const struct sj_value *want)
{
	struct sj_surface *s = sj_view_surface(view);
	const struct sj_value *gone = cmd_member(want, "$gone");
	size_t before = r->why.len;
	sj_node_id n = cmd_replay_node(r, view, id, NULL);
	if (gone && gone->type == SJ_V_TRUE) {
		if (n == 0)
			r->why.len = before;
		else
			say(r, "nodes", "it is still there: ", id);
		return;
	}
	if (n == 0)
		return;
	size_t start = r->why.len;
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice name;
		const struct sj_value *w = sj_value_member(want, i, &name);
		struct sj_prop prop;
		if (name.len > 0 && name.ptr[0] == '$') {
			compare_special(r, s, n, name, w);
			continue;
		}
		char what[80];
		struct sj_buf label;
		sj_buf_init(&label, r->mem, sizeof what - 1);
		sj_buf_slice(&label, name);
		size_t len = sj_buf_status(&label) == SJ_OK ? label.len : 0;
		memcpy(what, label.ptr ? label.ptr : "", len);
		what[len] = 0;
		sj_buf_finish(&label);
		const struct sj_value *got = sj_node_prop_named(s, n, name, &prop) ? prop.value : NULL;
		/* What was typed into an input without a binding stands before what the agent wrote. */
		if (sj_slice_is(name, "value") && !sj_node_bound(s, n, SJ_P_VALUE) && sj_node_ui(s, n, SJ_P_VALUE))
			got = sj_node_ui(s, n, SJ_P_VALUE);
		compare(r, what, w, got, false);
	}
	if (r->why.len > start)
		sj_buf_printf(&r->why, " (node %.*s)", SJ_ARG(id));
}

/* ---- documents --------------------------------------------------------------------------------------------------- */

static void compare_tree(struct cmd_replay *r, struct sj_view *view, const struct sj_value *want)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf json;
	struct sj_value doc;
	sj_buf_init(&json, r->mem, 0);
	if (sj_view_tree(r->session.engine, view, &json) != SJ_OK ||
	    sj_value_parse(r->mem, &opt, sj_buf_view(&json), &doc, NULL) != SJ_OK) {
		say(r, "tree", "it could not be read", SJ_NO_SLICE);
	} else {
		compare(r, "tree", want, cmd_member(&doc, "tree"), false);
		sj_value_unref(r->mem, doc);
	}
	sj_buf_finish(&json);
}

/* All surfaces in order of creation, byte for byte. */
static void compare_trees(struct cmd_replay *r, const struct sj_value *want)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	uint32_t count = sj_engine_view_count(r->session.engine);
	struct sj_buf got, wanted;
	struct sj_value doc;
	sj_buf_init(&got, r->mem, 0);
	sj_buf_init(&wanted, r->mem, 0);
	if (sj_value_count(want) != count)
		say(r, "trees", "there is another number of surfaces", SJ_NO_SLICE);
	for (uint32_t i = 0; i < count && i < sj_value_count(want); i++) {
		sj_buf_clear(&got);
		sj_buf_clear(&wanted);
		sj_value_canonical(&wanted, sj_value_item(want, i));
		if (sj_view_tree(r->session.engine, sj_engine_view_at(r->session.engine, i), &got) != SJ_OK ||
		    sj_value_parse(r->mem, &opt, sj_buf_view(&got), &doc, NULL) != SJ_OK) {
			say(r, "trees", "one could not be read", SJ_NO_SLICE);
			break;
		}
		size_t failed = r->why.len;
		compare(r, "trees", sj_value_item(want, i), &doc, true);
		if (r->why.len == failed && !sj_slice_eq(sj_buf_view(&got), sj_buf_view(&wanted)))
			say(r, "trees", "not the same bytes: ", sj_buf_view(&got));
		sj_value_unref(r->mem, doc);
	}
	sj_buf_finish(&got);
	sj_buf_finish(&wanted);
}

static void compare_data(struct cmd_replay *r, struct sj_view *view, const struct sj_value *want)
{
	const struct sj_value *model = sj_surface_model(sj_view_surface(view), SJ_ROOT_DATA);
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice pointer;
		const struct sj_value *w = sj_value_member(want, i, &pointer);
		compare(r, "data", w, sj_value_at(model, pointer), true);
	}
}

static void compare_surfaces(struct cmd_replay *r, const struct sj_value *want)
{
	struct sj_value list, id;
	if (sj_value_array(r->mem, &list) != SJ_OK)
		return;
	for (uint32_t i = 0; i < sj_engine_view_count(r->session.engine); i++)
		if (sj_value_string(r->mem, sj_view_id(sj_engine_view_at(r->session.engine, i)), &id) != SJ_OK ||
		    sj_value_append(r->mem, &list, id) != SJ_OK)
			say(r, "surfaces", "out of memory", SJ_NO_SLICE);
	compare_list(r, "surfaces", want, &list);
	sj_value_unref(r->mem, list);
}

static void compare_picture(struct cmd_replay *r, struct sj_view *view, const struct sj_value *parts, bool linear,
                            bool wanted)
{
	struct sj_text_options look = {.width = 80, .linear = linear};
	const char *what = linear ? "linear" : wanted ? "picture" : "pictureLacks";
	if (sj_text_draw(r->session.engine, view, &look, &r->picture) != SJ_OK) {
		say(r, what, "out of memory", SJ_NO_SLICE);
		return;
	}
	for (uint32_t i = 0; i < (parts->type == SJ_V_ARRAY ? sj_value_count(parts) : 1); i++) {
		const struct sj_value *part = parts->type == SJ_V_ARRAY ? sj_value_item(parts, i) : parts;
		if (cmd_contains(sj_buf_view(&r->picture.text), sj_value_text(part)) != wanted)
			say(r, what, wanted ? "it does not show " : "it shows ", sj_value_text(part));
	}
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static bool among(struct cmd_replay *r, const struct sj_value *want, const struct sj_value *list)
{
	bool found = false;
	for (uint32_t i = 0; i < sj_value_count(list) && !found; i++) {
		struct sj_buf why;
		sj_buf_init(&why, r->mem, 0);
		found = cmd_match(r->mem, want, sj_value_item(list, i), false, &why);
		sj_buf_finish(&why);
	}
	return found;
}

/* Findings of the surface: each that is wanted is among them; a number counts those that are more than information. */
static void compare_explain(struct cmd_replay *r, struct sj_view *view, const struct sj_value *want)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf lines, why;
	struct sj_value list, v;
	enum sj_status st = sj_value_array(r->mem, &list);
	sj_buf_init(&lines, r->mem, 0);
	if (st == SJ_OK)
		st = sj_view_explain(r->session.engine, view, SJ_NO_SLICE, &lines);
	for (size_t at = 0; st == SJ_OK && at < lines.len;) {
		const char *end = memchr(lines.ptr + at, '\n', lines.len - at);
		size_t len = end ? (size_t)(end - lines.ptr) - at : lines.len - at;
		st = sj_value_parse(r->mem, &opt, sj_slice(lines.ptr + at, len), &v, NULL);
		if (st == SJ_OK)
			st = sj_value_append(r->mem, &list, v);
		at += len + 1;
	}
	sj_buf_finish(&lines);
	if (st != SJ_OK)
		say(r, "explain", "out of memory", SJ_NO_SLICE);
	else if (sj_value_is_number(want))
		compare(r, "explain", want, cmd_member(sj_value_item(&list, 0), "faults"), false);
	for (uint32_t i = 0; st == SJ_OK && !sj_value_is_number(want) &&
	                     i < (want->type == SJ_V_ARRAY ? sj_value_count(want) : 1);
	     i++) {
		const struct sj_value *one = want->type == SJ_V_ARRAY ? sj_value_item(want, i) : want;
		if (among(r, one, &list))
			continue;
		sj_buf_init(&why, r->mem, 0);
		sj_buf_puts(&why, "there is no finding like ");
		sj_value_print(&why, one, SJ_PRINT_COMPACT);
		wrong(r, "explain", &why);
		sj_buf_finish(&why);
	}
	sj_value_unref(r->mem, list);
}

/* The item of the accessibility tree with this id; NULL: there is none. */
static const struct sj_value *find_item(struct cmd_replay *r, const struct sj_value *root, struct sj_slice id)
{
	SJ_VEC(const struct sj_value *) work = {0};
	const struct sj_value *found = NULL;
	enum sj_status st = SJ_VEC_RESERVE(r->mem, &work, 16, 0);
	if (st == SJ_OK && root)
		work.items[work.count++] = root;
	while (st == SJ_OK && !found && work.count > 0) {
		const struct sj_value *one = work.items[--work.count], *own = cmd_member(one, "id"),
				      *children = cmd_member(one, "children");
		uint32_t n = children ? sj_value_count(children) : 0;
		if (own && sj_value_is_string(own) && sj_slice_eq(sj_value_text(own), id))
			found = one;
		st = SJ_VEC_RESERVE(r->mem, &work, work.count + n, 0);
		for (uint32_t i = n; st == SJ_OK && i-- > 0;)
			work.items[work.count++] = sj_value_item(children, i);
	}
	if (st != SJ_OK)
		say(r, "a11y", "out of memory", SJ_NO_SLICE);
	SJ_VEC_FREE(r->mem, &work);
	return found;
}

/* By id, what assistive technology is told of a component or a part of one; below it by "children". */
static void compare_a11y(struct cmd_replay *r, struct sj_view *view, const struct sj_value *want)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf json;
	struct sj_value doc;
	sj_buf_init(&json, r->mem, 0);
	if (sj_view_a11y(r->session.engine, view, &json) != SJ_OK ||
	    sj_value_parse(r->mem, &opt, sj_buf_view(&json), &doc, NULL) != SJ_OK) {
		say(r, "a11y", "it could not be read", SJ_NO_SLICE);
		sj_buf_finish(&json);
		return;
	}
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice id;
		const struct sj_value *w = sj_value_member(want, i, &id), *gone = cmd_member(w, "$gone");
		const struct sj_value *got = find_item(r, cmd_member(&doc, "tree"), id);
		size_t start = r->why.len;
		if (gone && gone->type == SJ_V_TRUE) {
			if (got)
				say(r, "a11y", "it is still there: ", id);
		} else if (!got) {
			say(r, "a11y", "there is no item ", id);
		} else {
			compare(r, "a11y", w, got, false);
			if (r->why.len > start)
				sj_buf_printf(&r->why, " (item %.*s)", SJ_ARG(id));
		}
	}
	sj_value_unref(r->mem, doc);
	sj_buf_finish(&json);
}

/* At least one fault is like this. */
static void find_fault(struct cmd_replay *r, const struct sj_value *want)
{
	for (uint32_t i = 0; i < sj_value_count(&r->errors); i++) {
		const struct sj_value *got = sj_value_item(&r->errors, i);
		struct sj_buf why;
		sj_buf_init(&why, r->mem, 0);
		bool found =
			cmd_match(r->mem, want, sj_value_is_string(want) ? cmd_member(got, "code") : got, false, &why);
		sj_buf_finish(&why);
		if (found)
			return;
	}
	say(r, "error", "there is no such fault", SJ_NO_SLICE);
}

void cmd_expect(struct cmd_replay *r, const struct sj_value *expect)
{
	const struct sj_value *error = cmd_member(expect, "error"), *errors = cmd_member(expect, "errors"),
			      *warnings = cmd_member(expect, "warnings");
	struct sj_view *view = NULL;
	if (cmd_session_pump(&r->session) != SJ_OK)
		say(r, "replay", "out of memory", SJ_NO_SLICE);
	for (uint32_t i = 0; i < sj_value_count(expect); i++) {
		struct sj_slice name;
		const struct sj_value *want = sj_value_member(expect, i, &name);
		if (sj_slice_is(name, "sent")) {
			compare_list(r, "sent", want, &r->sent);
		} else if (sj_slice_is(name, "metadata")) {
			compare(r, "metadata", want, r->metadata.type == SJ_V_NULL ? NULL : &r->metadata, false);
		} else if (sj_slice_is(name, "called")) {
			compare_list(r, "called", want, &r->called);
		} else if (sj_slice_is(name, "done")) {
			compare_list(r, "done", want, &r->done);
		} else if (sj_slice_is(name, "surfaces")) {
			compare_surfaces(r, want);
		} else if (sj_slice_is(name, "trees")) {
			compare_trees(r, want);
		} else if (sj_slice_is(name, "errors") || sj_slice_is(name, "error") || sj_slice_is(name, "warnings") ||
		           sj_slice_is(name, "surface") || sj_slice_is(name, "note")) {
			continue;
		} else if (!view && !(view = cmd_replay_view(r, expect))) {
			break;
		} else if (sj_slice_is(name, "nodes")) {
			for (uint32_t k = 0; k < sj_value_count(want); k++) {
				struct sj_slice id;
				const struct sj_value *node = sj_value_member(want, k, &id);
				compare_node(r, view, id, node);
			}
		} else if (sj_slice_is(name, "tree")) {
			compare_tree(r, view, want);
		} else if (sj_slice_is(name, "explain")) {
			compare_explain(r, view, want);
		} else if (sj_slice_is(name, "a11y")) {
			compare_a11y(r, view, want);
		} else if (sj_slice_is(name, "data")) {
			compare_data(r, view, want);
		} else if (sj_slice_is(name, "picture")) {
			compare_picture(r, view, want, false, true);
		} else if (sj_slice_is(name, "pictureLacks")) {
			compare_picture(r, view, want, false, false);
		} else if (sj_slice_is(name, "linear")) {
			compare_picture(r, view, want, true, true);
		} else {
			say(r, "expect", "nothing can be expected of ", name);
		}
	}
	/* Reading values may report faults: they belong to this expectation. */
	if (cmd_session_pump(&r->session) != SJ_OK)
		say(r, "replay", "out of memory", SJ_NO_SLICE);
	if (warnings)
		compare_faults(r, "warnings", warnings, &r->warnings);
	if (error)
		find_fault(r, error);
	if (errors) {
		compare_faults(r, "errors", errors, &r->errors);
	} else if (error) {
		; /* the others are of no matter */
	} else if (sj_value_count(&r->errors) > 0) {
		struct sj_buf why;
		sj_buf_init(&why, r->mem, 0);
		sj_buf_puts(&why, "nobody expected ");
		sj_value_print(&why, sj_value_item(&r->errors, 0), SJ_PRINT_COMPACT);
		wrong(r, "errors", &why);
		sj_buf_finish(&why);
	}
	clear(r, &r->sent);
	clear(r, &r->errors);
	clear(r, &r->warnings);
	clear(r, &r->called);
	clear(r, &r->done);
}
