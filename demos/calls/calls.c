/* The calls demo: functions called across the border, in both directions, and each way in which a call is refused. What
 * the agent asks of this program goes through the engine's own checks; this file only brings the functions, answers
 * those that are let through, and asks the agent two things that will not go well. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/demo.h"

#define CATALOG "app.calls.catalog/v1"

extern const char demo_calls_agent_jsonl[];

/* ---- the catalog ------------------------------------------------------------------------------------------------- */

static const struct sj_host_prop NOTHING[] = {{0}};
static const struct sj_host_prop NUMBER[] = {
	{"number", "DynamicString", SJ_P_NONE, true, "A registration number."},
	{0},
};
static const struct sj_host_function FUNCTIONS[] = {
	/* Not pure: another terminal, another answer. So the host is asked each time. */
	{.name = "getScreenResolution",
         .kind = SJ_FN_DEFERRED,
         .return_type = "object",
         .args = NOTHING,
         .allowed = SJ_CALLER_ANY,
         .description = "Size of the screen: {width, height, unit}."},
	{.name = "readClipboard",
         .kind = SJ_FN_DEFERRED,
         .return_type = "string",
         .args = NOTHING,
         .allowed = SJ_CALLER_ANY,
         .needs_activation = true,
         .description = "What was copied last; only while the person allows it."},
	{.name = "eraseDrafts",
         .kind = SJ_FN_EFFECT,
         .return_type = "void",
         .args = NOTHING,
         .allowed = SJ_CALLER_RENDERER_ONLY,
         .description = "Throws the person's drafts away; nothing for an agent."},
	{.name = "verifyProvider",
         .kind = SJ_FN_PURE,
         .return_type = "validationResult",
         .args = NUMBER,
         .allowed = SJ_CALLER_AGENT_ONLY,
         .description = "Whether a provider with this number exists; the agent looks it up."},
	{0},
};
static const struct sj_host_catalog CALLS_CATALOG = {
	.catalog_id = CATALOG,
	.title = "Calls",
	.version = SJ_V10,
	.functions = FUNCTIONS,
	.include_basic = true,
};

/* ---- the host ---------------------------------------------------------------------------------------------------- */

/* The two calls this program makes; their outcomes stand at /asks/0 and /asks/1 of the screen. */
static const char *const ASKED[] = {"verifyForeignProvider", "countProviders"};
enum { ASKS = sizeof ASKED / sizeof *ASKED, PATIENCE_MS = 5000 };

struct host {
	struct sj_mem *mem;
	uint64_t call[ASKS]; /* 0: settled, or not made */
	uint32_t width, height;
};

static void write_outcome(struct cmd_session *s, uint32_t row, const char *member, struct sj_slice text)
{
	struct sj_buf json;
	struct sj_diag diag = {0};
	sj_buf_init(&json, s->mem, 0);
	sj_buf_printf(&json, "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"calls\",\"path\":\"/asks/%u/%s\",\"value\":", row, member);
	sj_json_print_string(&json, text);
	sj_buf_puts(&json, "}}");
	if (sj_buf_status(&json) != SJ_OK ||
	    sj_engine_host_message(s->engine, s->peer, sj_buf_view(&json), &diag) != SJ_OK)
		cmd_say("calls: %s\n", diag.message);
	sj_buf_finish(&json);
}

static void ask(struct cmd_session *s, struct host *h, struct sj_view *view)
{
	for (uint32_t i = 0; i < ASKS; i++) {
		struct sj_diag diag = {0};
		if (sj_engine_call_agent(s->engine, view, sj_slice_of(ASKED[i]), SJ_LIT(CATALOG), SJ_LIT("{}"),
		                         PATIENCE_MS, &h->call[i], &diag) != SJ_OK)
			write_outcome(s, i, "answer", sj_slice_of(diag.message));
	}
}

static bool settled(struct cmd_session *s, struct host *h, const struct sj_event *ev)
{
	for (uint32_t i = 0; i < ASKS; i++) {
		if (h->call[i] != ev->call_id)
			continue;
		/* Our copy: the first message to the engine ends the event. */
		struct sj_diag diag = ev->diag ? *ev->diag : (struct sj_diag){0};
		h->call[i] = 0;
		write_outcome(s, i, "code", sj_slice_of(ev->diag ? sj_code_name(diag.code) : ""));
		write_outcome(s, i, "answer", sj_slice_of(diag.code != SJ_E_NONE ? diag.message : "answered"));
		return true;
	}
	return false;
}

/* The engine has let the call through; what is asked is done here. */
static bool wanted(struct cmd_session *s, const struct host *h, const struct sj_event *ev)
{
	uint64_t id = ev->call_id;
	if (sj_slice_is(ev->name, "getScreenResolution")) {
		struct sj_buf json;
		sj_buf_init(&json, s->mem, 0);
		sj_buf_printf(&json, "{\"width\":%u,\"height\":%u,\"unit\":\"character\"}", h->width, h->height);
		sj_engine_answer(s->engine, id, sj_buf_view(&json), SJ_NO_SLICE, SJ_NO_SLICE);
		sj_buf_finish(&json);
		return true;
	}
	if (sj_slice_is(ev->name, "readClipboard")) {
		sj_engine_activate(s->engine, false); /* once */
		sj_engine_answer(s->engine, id, SJ_LIT("\"Wednesday, half past six\""), SJ_NO_SLICE, SJ_NO_SLICE);
		return true;
	}
	return false;
}

static bool on_event(struct cmd_session *s, const struct sj_event *ev)
{
	struct host *h = s->host_ctx;
	switch (ev->kind) {
	case SJ_EV_SURFACE_NEW:
		ask(s, h, ev->view);
		return false;
	case SJ_EV_CALL_DONE:
		return settled(s, h, ev);
	case SJ_EV_TOOL_WANTED:
	case SJ_EV_CALL_WANTED:
		return wanted(s, h, ev);
	case SJ_EV_SEND: {
		/* The button is the gesture: until the next message leaves, the agent may use what needs one. */
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		struct sj_value doc;
		if (sj_value_parse(s->mem, &opt, ev->json, &doc, NULL) != SJ_OK)
			return false;
		const struct sj_value *name = cmd_member(cmd_member(&doc, "action"), "name");
		sj_engine_activate(s->engine, name && sj_slice_is(sj_value_text(name), "allowClipboard"));
		sj_value_unref(s->mem, doc);
		return false;
	}
	case SJ_EV_SURFACE_CHANGED:
	case SJ_EV_SURFACE_GONE:
	case SJ_EV_CALL_GONE:
	case SJ_EV_DIAG:
		break;
	}
	return false;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static int attach(struct cmd_session *s, bool live)
{
	struct sj_diag diag = {0};
	struct winsize size;
	struct host *h = sj_mem_zalloc(s->mem, sizeof *h);
	if (!h) {
		cmd_say("calls: out of memory\n");
		return CMD_IO;
	}
	h->mem = s->mem;
	h->width = 80;
	h->height = 24;
	if (live && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		h->width = size.ws_col;
		h->height = size.ws_row;
	}
	s->host = on_event;
	s->host_ctx = h;
	if (sj_engine_add_host_catalog(s->engine, &CALLS_CATALOG, &diag) == SJ_OK)
		return CMD_OK;
	cmd_say("calls: %s\n", diag.message);
	return CMD_IO;
}

static void detach(struct cmd_session *s)
{
	struct host *h = s->host_ctx;
	s->host = NULL;
	s->host_ctx = NULL;
	if (h)
		sj_mem_free(h->mem, h, sizeof *h);
}

extern const struct sj_demo sj_demo_calls;
const struct sj_demo sj_demo_calls = {
	.name = "calls",
	.title = "functions called in both directions, and every way they are refused (v1.0)",
	.script = demo_calls_agent_jsonl,
	.gate_surface = true,
	.attach = attach,
	.detach = detach,
};
