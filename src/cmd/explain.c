/* `shoji explain`: why a screen looks as it does. The engine tells of each surface; what it cannot know any more, the
 * messages it refused, is told here from the diagnostics that came by. */
#include <stdio.h>

#include "cmd/explain.h"
#include "text/near.h"

/* What a check or a binding could not compute is told by the surface itself. */
bool explain_is_refusal(const struct sj_event *ev)
{
	return ev->kind == SJ_EV_DIAG && ev->diag->severity == SJ_SEV_ERROR && ev->message &&
	       ev->diag->category != SJ_CAT_EXPRESSION && !(ev->diag->code == SJ_E_CATALOG_ERROR && ev->view);
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct explain *x = ctx;
	if (ev->kind == SJ_EV_SURFACE_GONE)
		x->gone = ev->message;
	if (!explain_is_refusal(ev))
		return;
	if (SJ_VEC_RESERVE(x->mem, &x->refusals, x->refusals.count + 1, 0) != SJ_OK) {
		x->nomem = true;
		return;
	}
	struct sj_slice id = sj_arena_copy(&x->arena, ev->surface_id);
	struct refusal *last = x->refusals.count ? &x->refusals.items[x->refusals.count - 1] : NULL;
	if (last && last->message == ev->message) { /* the first fault is what travels back */
		last->faults++;
		return;
	}
	struct refusal r = {.diag = *ev->diag, .message = ev->message, .faults = 1, .surface_id = id};
	if (ev->source.ptr && sj_value_parse(x->mem, &opt, ev->source, &r.parsed, NULL) == SJ_NOMEM)
		x->nomem = true;
	x->refusals.items[x->refusals.count++] = r;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Offsets are sought in a table of line ends: a report may hold thousands. */
static void index_lines(struct explain *x)
{
	for (size_t i = 0; i < x->text.len && !x->nomem; i++) {
		if (x->text.ptr[i] != '\n')
			continue;
		if (SJ_VEC_RESERVE(x->mem, &x->ends, x->ends.count + 1, 0) != SJ_OK)
			x->nomem = true;
		else
			x->ends.items[x->ends.count++] = i;
	}
}

uint32_t explain_line(const struct explain *x, uint64_t offset)
{
	uint32_t lo = 0, hi = x->ends.count;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (x->ends.items[mid] < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo + 1;
}

static void put(struct explain *x, struct sj_value *object, const char *key, struct sj_value take)
{
	if (sj_value_set(x->mem, object, sj_slice_of(key), take) != SJ_OK)
		x->nomem = true;
}

static void put_text(struct explain *x, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(x->mem, text, &v) != SJ_OK)
		x->nomem = true;
	else
		put(x, object, key, v);
}

/* Where there is an offset there is a line. */
static void add_line(struct explain *x, struct sj_value *object)
{
	const struct sj_value *offset = cmd_member(object, "offset");
	if (offset && x->in_file)
		put(x, object, "line", sj_value_int(explain_line(x, (uint64_t)sj_value_double(offset))));
}

static void add_lines(struct explain *x, struct sj_value *finding)
{
	enum sj_status st = SJ_OK;
	add_line(x, finding);
	struct sj_value *chain = sj_value_own_member(x->mem, finding, SJ_LIT("chain"), &st);
	for (uint32_t i = 0; chain && i < sj_value_count(chain); i++) {
		struct sj_value *link = sj_value_own_item(x->mem, chain, i, &st);
		if (link)
			add_line(x, link);
	}
	if (st == SJ_NOMEM)
		x->nomem = true;
}

/* ---- for a person ------------------------------------------------------------------------------------------------ */

static struct sj_slice text_of(const struct sj_value *v, const char *key)
{
	const struct sj_value *m = cmd_member(v, key);
	return m && sj_value_is_string(m) ? sj_value_text(m) : SJ_LIT("");
}

static void say_origin(struct sj_buf *b, const struct sj_value *v)
{
	const struct sj_value *m = cmd_member(v, "message"), *line = cmd_member(v, "line"),
			      *offset = cmd_member(v, "offset");
	if (!m || m->type != SJ_V_INT)
		return;
	sj_buf_printf(b, "message %lld", (long long)m->u.i);
	if (line && line->type == SJ_V_INT)
		sj_buf_printf(b, ", line %lld", (long long)line->u.i);
	if (offset && offset->type == SJ_V_INT)
		sj_buf_printf(b, ", byte %lld", (long long)offset->u.i);
}

static void say_link(struct sj_buf *b, const struct sj_value *link)
{
	struct sj_slice what = text_of(link, "what");
	const struct sj_value *message = cmd_member(link, "message");
	if (sj_slice_is(what, "component")) {
		struct sj_slice property = text_of(link, "property");
		sj_buf_printf(b, "    component '%.*s'", SJ_ARG(text_of(link, "id")));
		if (property.len)
			sj_buf_printf(b, ", %.*s", SJ_ARG(property));
		sj_buf_puts(b, ": ");
		say_origin(b, link);
	} else if (sj_slice_is(what, "place")) {
		sj_buf_printf(b, "    at %.*s: %.*s", SJ_ARG(text_of(link, "pointer")), SJ_ARG(text_of(link, "holds")));
	} else if (sj_slice_is(what, "writer")) {
		if (message && message->type == SJ_V_INT) {
			sj_buf_puts(b, "    last written, there or above, by ");
			say_origin(b, link);
		} else {
			sj_buf_puts(b, "    nothing ever wrote there");
		}
	} else if (sj_slice_is(what, "meant")) {
		sj_buf_printf(b, "    perhaps %.*s is meant, written \"%.*s\"", SJ_ARG(text_of(link, "pointer")),
		              SJ_ARG(text_of(link, "path")));
	} else if (sj_slice_is(what, "missing")) {
		sj_buf_printf(b, "    missing '%.*s'", SJ_ARG(text_of(link, "id")));
		if (text_of(link, "meant").len)
			sj_buf_printf(b, "; perhaps '%.*s' is meant", SJ_ARG(text_of(link, "meant")));
	} else if (sj_slice_is(what, "refused")) {
		sj_buf_puts(b, "    refused: ");
		say_origin(b, link);
	} else if (sj_slice_is(what, "reason")) {
		sj_buf_printf(b, "    because: %.*s", SJ_ARG(text_of(link, "text")));
	} else {
		sj_buf_printf(b, "    %.*s \"%.*s\"", SJ_ARG(what), SJ_ARG(text_of(link, "path")));
	}
}

/* Names and messages may come from the input: what they hold must not look like a line of ours. */
static void end_line(struct explain *x, struct sj_buf *b)
{
	if (sj_buf_status(b) != SJ_OK)
		x->nomem = true;
	cmd_print_line(sj_buf_view(b));
	sj_buf_clear(b);
}

static void say(struct explain *x, const struct sj_value *v)
{
	struct sj_buf b;
	const struct sj_value *chain = cmd_member(v, "chain"), *fix = cmd_member(v, "suggestion"),
			      *send = cmd_member(fix, "send"), *changed = cmd_member(fix, "changed");
	sj_buf_init(&b, x->mem, 0);
	if (cmd_member(v, "summary")) {
		struct sj_slice id = text_of(v, "surfaceId");
		sj_buf_printf(&b, "%.*s%s%.*s", SJ_ARG(id), id.len ? ": " : "", SJ_ARG(text_of(v, "summary")));
		end_line(x, &b);
	} else {
		end_line(x, &b);
		sj_buf_printf(&b, "%.*s: %.*s", SJ_ARG(text_of(v, "code")), SJ_ARG(text_of(v, "cause")));
		end_line(x, &b);
		for (uint32_t i = 0; chain && i < sj_value_count(chain); i++) {
			say_link(&b, sj_value_item(chain, i));
			end_line(x, &b);
		}
		if (cmd_member(v, "pointer")) {
			sj_buf_puts(&b, "    ");
			say_origin(&b, v);
			sj_buf_printf(&b, ", at \"%.*s\"", SJ_ARG(text_of(v, "pointer")));
			end_line(x, &b);
		}
		for (uint32_t i = 0; changed && i < sj_value_count(changed); i++) {
			const struct sj_value *one = sj_value_item(changed, i);
			sj_buf_printf(&b, "    changed: %.*s", SJ_ARG(sj_value_text(one)));
			end_line(x, &b);
		}
		if (send) {
			sj_buf_puts(&b, "    suggestion: send");
			end_line(x, &b);
		}
		for (uint32_t i = 0; send && i < sj_value_count(send); i++) {
			sj_buf_puts(&b, "      ");
			sj_value_print(&b, sj_value_item(send, i), SJ_PRINT_COMPACT);
			end_line(x, &b);
		}
	}
	sj_buf_finish(&b);
}

static bool is_info(const struct sj_value *v) { return sj_slice_is(text_of(v, "severity"), "info"); }

/* What only hides things in their order (another tab, a closed dialog) is said when it is asked for. */
void explain_show(struct explain *x, const struct sj_value *v)
{
	if (!is_info(v) && !cmd_member(v, "summary"))
		x->faults++;
	if (x->json) {
		struct sj_buf b;
		sj_buf_init(&b, x->mem, 0);
		sj_value_print(&b, v, SJ_PRINT_UTF16);
		sj_buf_putc(&b, '\n');
		if (sj_buf_status(&b) != SJ_OK)
			x->nomem = true;
		cmd_print_json(sj_buf_view(&b));
		sj_buf_finish(&b);
	} else if (x->component.ptr || cmd_member(v, "summary") || !sj_slice_is(text_of(v, "state"), "hidden")) {
		say(x, v);
	}
}

/* ---- what the engine cannot tell --------------------------------------------------------------------------------- */

static void show_refusal(struct explain *x, const struct refusal *r)
{
	struct sj_value v;
	struct sj_buf cause;
	if (sj_value_object(x->mem, &v) != SJ_OK) {
		x->nomem = true;
		return;
	}
	sj_buf_init(&cause, x->mem, 0);
	sj_buf_printf(&cause, "Message %u was refused, and nothing of it was done: %s", r->message, r->diag.message);
	if (r->diag.message[0] && r->diag.message[strlen(r->diag.message) - 1] != '.')
		sj_buf_putc(&cause, '.');
	if (r->diag.hint[0])
		sj_buf_printf(&cause, " %s", r->diag.hint);
	put_text(x, &v, "cause", sj_buf_view(&cause));
	put_text(x, &v, "code", SJ_LIT("message-refused"));
	put_text(x, &v, "fault", sj_slice_of(sj_code_name(r->diag.code)));
	put(x, &v, "faults", sj_value_int(r->faults));
	put(x, &v, "message", sj_value_int(r->message));
	put(x, &v, "offset", sj_value_int((int64_t)r->diag.offset));
	if (x->in_file)
		put(x, &v, "line", sj_value_int(r->diag.line ? r->diag.line : explain_line(x, r->diag.offset)));
	put_text(x, &v, "pointer", sj_slice_of(r->diag.pointer));
	put_text(x, &v, "severity", SJ_LIT("error"));
	put_text(x, &v, "state", SJ_LIT("missing"));
	put(x, &v, "suggestion", r->fix.type == SJ_V_OBJECT ? sj_value_ref(r->fix) : SJ_NULL_VALUE);
	if (r->surface_id.len)
		put_text(x, &v, "surfaceId", r->surface_id);
	explain_show(x, &v);
	sj_buf_finish(&cause);
	sj_value_unref(x->mem, v);
}

/* No surface at all: the first line still says why. */
static void show_no_surface(struct explain *x)
{
	struct sj_value v;
	struct sj_buf cause;
	const struct refusal *first = x->refusals.count ? &x->refusals.items[0] : NULL;
	if (sj_value_object(x->mem, &v) != SJ_OK) {
		x->nomem = true;
		return;
	}
	sj_buf_init(&cause, x->mem, 0);
	sj_buf_puts(&cause, "The screen is blank: ");
	if (x->gone)
		sj_buf_printf(&cause, "message %u deleted the last surface.", x->gone);
	else if (first)
		sj_buf_printf(&cause, "no surface was ever created. Message %u was refused: %s", first->message,
		              first->diag.message);
	else
		sj_buf_puts(&cause, "no surface was ever created; the input holds no message.");
	put(x, &v, "blank", sj_value_bool(true));
	put(x, &v, "faults", sj_value_int(x->refusals.count));
	put(x, &v, "nodes", sj_value_int(0));
	put_text(x, &v, "summary", sj_buf_view(&cause));
	explain_show(x, &v);
	x->faults += !first;
	sj_buf_finish(&cause);
	sj_value_unref(x->mem, v);
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

/* The summary of a blank screen ends with the first cause: it is told with what was found out since. */
static void retell(struct explain *x, struct sj_value *summary, struct sj_slice was, struct sj_slice now)
{
	struct sj_slice text = text_of(summary, "summary");
	struct sj_buf b;
	if (was.len == 0 || text.len < was.len || sj_slice_eq(was, now) ||
	    memcmp(text.ptr + text.len - was.len, was.ptr, was.len) != 0)
		return;
	sj_buf_init(&b, x->mem, 0);
	sj_buf_put(&b, text.ptr, text.len - was.len);
	sj_buf_slice(&b, now);
	put_text(x, summary, "summary", sj_buf_view(&b));
	sj_buf_finish(&b);
}

static void show_surface(struct explain *x, struct sj_view *view)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf lines;
	struct sj_value list;
	enum sj_status st = SJ_OK;
	sj_buf_init(&lines, x->mem, 0);
	if (sj_value_array(x->mem, &list) != SJ_OK ||
	    sj_view_explain(x->session.engine, view, x->component, &lines) != SJ_OK)
		x->nomem = true;
	for (size_t at = 0; at < lines.len && !x->nomem;) {
		size_t end = at;
		struct sj_value v;
		while (end < lines.len && lines.ptr[end] != '\n')
			end++;
		if (sj_value_parse(x->mem, &opt, sj_slice(lines.ptr + at, end - at), &v, NULL) != SJ_OK ||
		    sj_value_append(x->mem, &list, v) != SJ_OK)
			x->nomem = true;
		at = end + 1;
	}
	sj_buf_finish(&lines);
	for (uint32_t i = 0; !x->nomem && i < sj_value_count(&list); i++) {
		struct sj_value *v = sj_value_own_item(x->mem, &list, i, &st);
		const struct sj_value *cause = v ? cmd_member(v, "cause") : NULL;
		struct sj_value was = cause ? sj_value_ref(*cause) : SJ_ABSENT_VALUE;
		if (!v)
			break;
		add_lines(x, v);
		if (i > 0) {
			explain_blame(x, v);
			struct sj_value now = sj_value_ref(*cmd_member(v, "cause"));
			struct sj_value *summary = sj_value_own_item(x->mem, &list, 0, &st);
			if (summary)
				retell(x, summary, sj_value_text(&was), sj_value_text(&now));
			sj_value_unref(x->mem, now);
		}
		sj_value_unref(x->mem, was);
	}
	for (uint32_t i = 0; !x->nomem && st == SJ_OK && i < sj_value_count(&list); i++)
		explain_show(x, sj_value_item(&list, i));
	if (st == SJ_NOMEM)
		x->nomem = true;
	sj_value_unref(x->mem, list);
}

/* Is the id one of the surface's: defined, or named by something? A slip of the pen is told. */
struct lookup {
	bool known;
	uint32_t fewest;
	struct sj_slice near;
};
static void consider(struct explain *x, struct lookup *l, struct sj_slice id)
{
	uint32_t steps;
	if (sj_slice_eq(id, x->component)) {
		l->known = true;
	} else if (sj_near(id, x->component, &steps) && steps < l->fewest) {
		l->fewest = steps;
		l->near = id;
	}
}

static void look_up(struct explain *x, struct sj_surface *s, struct lookup *l)
{
	for (uint32_t i = 0; i < sj_component_count(s); i++) {
		sj_component_ref c = sj_component_at(s, i);
		consider(x, l, sj_component_id(s, c));
		for (uint32_t k = 0; sj_component_defined(s, c) && k < sj_component_edges(s, c); k++) {
			struct sj_edge e;
			sj_component_edge(s, c, k, &e);
			consider(x, l, e.child_id);
		}
	}
}

static int report(struct explain *x, const char *only)
{
	uint32_t shown = 0;
	struct lookup l = {.fewest = UINT32_MAX};
	for (uint32_t i = 0; i < sj_engine_view_count(x->session.engine); i++) {
		struct sj_view *view = sj_engine_view_at(x->session.engine, i);
		if (only && !sj_slice_is(sj_view_id(view), only))
			continue;
		shown++;
		if (x->component.ptr)
			look_up(x, sj_view_surface(view), &l);
	}
	for (uint32_t i = 0; x->component.ptr && i < x->refusals.count; i++)
		l.known = l.known || explain_brings(&x->refusals.items[i], x->component);
	if (x->component.ptr && !l.known && (shown > 0 || !only)) {
		cmd_say("shoji: there is no component '%.*s'", SJ_ARG(x->component));
		if (l.near.ptr)
			cmd_say("; perhaps '%.*s' is meant", SJ_ARG(l.near));
		cmd_say("\n");
		return CMD_INVALID;
	}
	for (uint32_t i = 0; i < sj_engine_view_count(x->session.engine); i++) {
		struct sj_view *view = sj_engine_view_at(x->session.engine, i);
		if (!only || sj_slice_is(sj_view_id(view), only))
			show_surface(x, view);
	}
	if (shown == 0 && only) {
		cmd_say("shoji: there is no surface '%s'\n", only);
		return CMD_INVALID;
	}
	if (shown == 0)
		show_no_surface(x);
	for (uint32_t i = 0; i < x->refusals.count; i++) {
		const struct refusal *r = &x->refusals.items[i];
		if (!x->component.ptr || r->parsed.type == SJ_V_ABSENT || explain_brings(r, x->component))
			show_refusal(x, r);
	}
	if (x->nomem) {
		cmd_say("shoji: out of memory\n");
		return CMD_IO;
	}
	return x->faults > 0 ? CMD_INVALID : CMD_OK;
}

int cmd_explain(const struct cmd_args *args)
{
	struct sj_engine_config cfg;
	struct sj_buf text;
	struct explain x = {.mem = args->mem, .json = cmd_has(args, CMD_OPT_JSON)};

	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	cfg.keep_refused = true;
	int code = cmd_session_open(&x.session, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	x.session.event = on_event;
	x.session.ctx = &x;
	if (args->nrest > 1)
		x.component = sj_slice_of(args->rest[1]);
	sj_arena_init(&x.arena, args->mem, 0);
	sj_buf_init(&text, args->mem, 0);
	code = cmd_session_catalogs(&x.session, args);
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK) {
		x.text = sj_buf_view(&text);
		x.in_file = !cmd_is_script(args->mem, x.text);
		index_lines(&x);
		code = cmd_session_play(&x.session, x.text);
	}
	if (code == CMD_OK)
		explain_mend(&x, args, &cfg);
	if (code == CMD_OK)
		code = report(&x, args->value[CMD_OPT_SURFACE]);
	for (uint32_t i = 0; i < x.refusals.count; i++) {
		sj_value_unref(args->mem, x.refusals.items[i].parsed);
		sj_value_unref(args->mem, x.refusals.items[i].fix);
	}
	SJ_VEC_FREE(args->mem, &x.refusals);
	SJ_VEC_FREE(args->mem, &x.ends);
	sj_arena_finish(&x.arena);
	sj_buf_finish(&text);
	cmd_session_close(&x.session);
	return code;
}
