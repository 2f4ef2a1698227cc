#include "cmd/session.h"

struct verdict {
	struct sj_mem *mem;
	struct sj_slice text;
	uint32_t errors, warnings;
	bool in_file; /* offsets count in the text */
};

static void print_fault(struct verdict *v, const struct cmd_fault *f)
{
	struct sj_buf line;
	sj_buf_init(&line, v->mem, 0);
	cmd_put_fault(&line, f, true);
	sj_buf_putc(&line, '\n');
	cmd_print_json(sj_buf_view(&line));
	sj_buf_finish(&line);
	v->errors += f->diag->severity == SJ_SEV_ERROR;
	v->warnings += f->diag->severity == SJ_SEV_WARNING;
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct verdict *v = ctx;
	if (ev->kind != SJ_EV_DIAG)
		return;
	struct cmd_fault f = {.diag = ev->diag,
	                      .surface_id = ev->surface_id,
	                      .version = cmd_event_version(ev),
	                      .message = ev->message};
	if (!ev->diag->line && ev->message > 0 && ev->diag->offset <= v->text.len)
		f.line = sj_json_line(v->text, (size_t)ev->diag->offset);
	/* of what is no JSON at all, the column too */
	if (ev->diag->category == SJ_CAT_PARSE && v->in_file && ev->diag->offset <= v->text.len) {
		size_t begin = (size_t)ev->diag->offset;
		while (begin > 0 && v->text.ptr[begin - 1] != '\n')
			begin--;
		f.column = (uint32_t)((size_t)ev->diag->offset - begin + 1);
	}
	print_fault(v, &f);
}

struct reviewer {
	struct verdict *v;
	struct sj_view *view;
};

static void on_lint(void *ctx, const struct sj_lint *l)
{
	struct reviewer *r = ctx;
	struct cmd_fault f = {.diag = &l->diag,
	                      .surface_id = sj_view_id(r->view),
	                      .version = sj_slice_of(sj_version_text(sj_view_version(r->view))),
	                      .message = l->message,
	                      .component = l->component};
	if (r->v->in_file && l->message > 0 && l->diag.offset <= r->v->text.len)
		f.line = sj_json_line(r->v->text, (size_t)l->diag.offset);
	print_fault(r->v, &f);
}

/* What only the end of the stream can tell: until then the missing parts might still come. */
static void check_whole(struct verdict *v, struct sj_view *view)
{
	struct sj_surface *s = sj_view_surface(view);
	struct sj_slice missing = SJ_LIT(""), parent = SJ_LIT("");
	struct cmd_fault f = {.surface_id = sj_view_id(view),
	                      .version = sj_slice_of(sj_version_text(sj_view_version(view)))};

	if (!sj_view_begun(view)) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Surface '%.*s' never began: what was sent for it waits for a beginRendering",
		            SJ_ARG(sj_view_id(view)));
		sj_diag_hint(&d, "Send beginRendering with this surfaceId and the id of the root component.");
		f.diag = &d;
		print_fault(v, &f);
		return;
	}
	uint32_t count = sj_surface_dangling(s, &missing, &parent);
	if (count > 0) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Dangling reference: component '%.*s' refers to '%.*s', which never came (%u such reference%s)", SJ_ARG(parent),
		            SJ_ARG(missing), count, count == 1 ? "" : "s");
		sj_diag_hint(&d, "Send a component with the id '%.*s', or take the reference away.", SJ_ARG(missing));
		f.diag = &d;
		print_fault(v, &f);
	}
	if (sj_component_count(s) == 0) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "The surface has no root: it was created, and no component came");
		d.severity = SJ_SEV_WARNING; /* they may come with the next turn */
		sj_diag_hint(&d, "Send updateComponents with a component of the id 'root'.");
		f.diag = &d;
		print_fault(v, &f);
	}
	if (sj_surface_root(s) == 0 && sj_component_count(s) > 0) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Missing root component");
		sj_diag_hint(&d, "%s", sj_view_version(view) == SJ_V08 ? "beginRendering names a root that no surfaceUpdate defined."
		                                                       : "One component must have the id 'root'.");
		f.diag = &d;
		print_fault(v, &f);
	}
	struct sj_slice orphan = SJ_LIT("");
	count = sj_surface_orphans(s, &orphan);
	if (count > 0) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Orphaned component '%.*s': nothing refers to it (%u such component%s)", SJ_ARG(orphan), count, count == 1 ? "" : "s");
		d.severity =
			SJ_SEV_WARNING; /* replaced children leave them behind, and no message can take them away */
		f.diag = &d;
		print_fault(v, &f);
	}
}

int cmd_validate(const struct cmd_args *args)
{
	struct sj_engine_config cfg;
	struct cmd_session s;
	struct sj_buf text;
	struct verdict v = {.mem = args->mem};

	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	int code = cmd_session_open(&s, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	s.event = on_event;
	s.ctx = &v;
	sj_buf_init(&text, args->mem, 0);
	code = cmd_session_catalogs(&s, args);
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	v.text = sj_buf_view(&text);
	v.in_file = code == CMD_OK && !cmd_is_script(args->mem, v.text);
	if (code == CMD_OK)
		code = cmd_session_play(&s, v.text);
	for (uint32_t i = 0; code == CMD_OK && i < sj_engine_view_count(s.engine); i++) {
		struct sj_view *view = sj_engine_view_at(s.engine, i);
		if (sj_surface_settle(sj_view_surface(view)) == SJ_NOMEM || cmd_session_pump(&s) != SJ_OK)
			code = CMD_IO;
		check_whole(&v, view);
		struct reviewer r = {&v, view};
		if (code == CMD_OK &&
		    sj_view_lint(s.engine, view, !cmd_has(args, CMD_OPT_LINT), on_lint, &r) == SJ_NOMEM)
			code = CMD_IO;
	}
	sj_buf_finish(&text);
	cmd_session_close(&s);
	bool bad = v.errors > 0 || (cmd_has(args, CMD_OPT_STRICT) && v.warnings > 0);
	return code == CMD_OK && bad ? CMD_INVALID : code;
}
