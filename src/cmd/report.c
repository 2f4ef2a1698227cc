#include "cmd/session.h"

static void member(struct sj_buf *out, const char *key, struct sj_slice value)
{
	sj_buf_printf(out, "\"%s\":", key);
	sj_json_print_string(out, value);
}

void cmd_put_fault(struct sj_buf *out, const struct cmd_fault *f, bool full)
{
	static const char *const severities[] = {
		[SJ_SEV_ERROR] = "error", [SJ_SEV_WARNING] = "warning", [SJ_SEV_INFO] = "info"};
	const struct sj_diag *d = f->diag;
	uint32_t line = f->line ? f->line : d->line;

	sj_buf_putc(out, '{');
	member(out, "category", sj_slice_of(sj_category_name(d->category)));
	sj_buf_putc(out, ',');
	member(out, "code", sj_slice_of(sj_code_name(d->code)));
	if (full && f->column > 0)
		sj_buf_printf(out, ",\"column\":%u", f->column);
	if (full && f->component.len > 0) {
		sj_buf_putc(out, ',');
		member(out, "component", f->component);
	}
	if (full) {
		sj_buf_putc(out, ',');
		member(out, "hint", sj_slice_of(d->hint));
	}
	if (line > 0)
		sj_buf_printf(out, ",\"line\":%u", line);
	else if (full)
		sj_buf_puts(out, ",\"line\":null");
	if (full && d->code == SJ_E_LINT) {
		sj_buf_putc(out, ',');
		member(out, "lint", sj_slice_of(d->detail));
	}
	sj_buf_putc(out, ',');
	member(out, "message", sj_slice_of(d->message));
	if (full) {
		if (f->message > 0)
			sj_buf_printf(out, ",\"messageNumber\":%u", f->message);
		else
			sj_buf_puts(out, ",\"messageNumber\":null");
		sj_buf_printf(out, ",\"offset\":%llu", (unsigned long long)d->offset);
	}
	sj_buf_putc(out, ',');
	member(out, "pointer", sj_slice_of(d->pointer));
	if (full) {
		sj_buf_putc(out, ',');
		member(out, "severity", sj_slice_of(severities[d->severity]));
	}
	if (f->surface_id.len > 0) {
		sj_buf_putc(out, ',');
		member(out, "surfaceId", f->surface_id);
	} else if (full) {
		sj_buf_puts(out, ",\"surfaceId\":null");
	}
	if (full && f->version.len > 0) {
		sj_buf_putc(out, ',');
		member(out, "version", f->version);
	} else if (full) {
		sj_buf_puts(out, ",\"version\":null");
	}
	sj_buf_putc(out, '}');
}

struct sj_slice cmd_event_version(const struct sj_event *ev)
{
	static const enum sj_version versions[] = {SJ_V08, SJ_V09, SJ_V091, SJ_V10};
	if (ev->view)
		return sj_slice_of(sj_version_text(sj_view_version(ev->view)));
	/* The outbound error speaks the version of the message it refuses. */
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		char quoted[32] = "\"version\":\"";
		size_t len = strlen(quoted);
		const char *text = sj_version_text(versions[i]);
		memcpy(quoted + len, text, strlen(text));
		len += strlen(text);
		quoted[len++] = '"';
		for (size_t at = 0; at + len <= ev->json.len; at++)
			if (memcmp(ev->json.ptr + at, quoted, len) == 0)
				return sj_slice_of(text);
	}
	return SJ_LIT("");
}

void cmd_faults_event(void *ctx, const struct sj_event *ev)
{
	struct cmd_faults *f = ctx;
	if (ev->kind != SJ_EV_DIAG || ev->diag->severity != SJ_SEV_ERROR)
		return;
	bool in_file = ev->diag->offset > 0 || ev->message > 0;
	struct cmd_fault fault = {.diag = ev->diag, .surface_id = ev->surface_id, .message = ev->message};
	if (in_file && !ev->diag->line && ev->diag->offset <= f->text.len)
		fault.line = sj_json_line(f->text, (size_t)ev->diag->offset);
	f->count++;
	sj_buf_puts(&f->lines, "{\"error\":");
	cmd_put_fault(&f->lines, &fault, false);
	sj_buf_puts(&f->lines, "}\n");
}
