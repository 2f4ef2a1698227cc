/* The prompt of older kits: role, workflow, look, schemas, examples, each under its heading. The headings and the line
 * before the rules are what the suites look for; programs that cut such prompts apart do too. */
#include "infer/legacy.h"

static void put_trimmed(struct sj_buf *out, struct sj_slice s)
{
	while (s.len > 0 && (unsigned char)s.ptr[s.len - 1] <= ' ')
		s.len--;
	while (s.len > 0 && (unsigned char)s.ptr[0] <= ' ')
		s = sj_slice(s.ptr + 1, s.len - 1);
	sj_buf_slice(out, s);
}

static void workflow(const struct sj_legacy_prompt *p, struct sj_buf *out)
{
	sj_buf_puts(out, "## Workflow Description:\nThe generated response MUST follow these rules:\n"
	                 "- Interfaces go between <a2ui-json> and </a2ui-json>, each time as one JSON array of messages "
	                 "and nothing else; all other text stays outside.\n"
	                 "- The JSON is strict: no comments, no Markdown fences, no trailing commas.\n"
	                 "- Every message is valid under the schema, and uses no component, property or function that "
	                 "the schema does not have.\n");
	sj_buf_puts(out, p->version == SJ_V08
	                         ? "- Components form a flat list, refer to each other by id, and every id referred to is "
	                           "defined; beginRendering names the topmost one.\n"
	                         : "- Components form a flat list, refer to each other by id, and every id referred to is "
	                           "defined; the topmost one has the id root.\n");
	if (p->workflow.len > 0) {
		put_trimmed(out, p->workflow);
		sj_buf_putc(out, '\n');
	}
}

/* A document under its heading, laid out for reading. */
static enum sj_status document(struct sj_mem *mem, const char *heading, struct sj_slice text, struct sj_buf *out,
                               struct sj_diag *diag)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	if (text.len == 0)
		return SJ_OK;
	enum sj_status st = sj_value_parse(mem, &opt, text, &v, diag);
	if (st != SJ_OK)
		return st;
	sj_buf_printf(out, "\n### %s:\n", heading);
	sj_value_print(out, &v, SJ_PRINT_PRETTY);
	sj_buf_putc(out, '\n');
	sj_value_unref(mem, v);
	return SJ_OK;
}

static void examples(const struct sj_value *list, struct sj_buf *out)
{
	sj_buf_puts(out, "\n### Examples:\n");
	for (uint32_t i = 0; i < sj_value_count(list); i++) {
		const struct sj_value *e = sj_value_item(list, i), *name = NULL, *messages = e;
		if (e->type == SJ_V_OBJECT) {
			name = sj_value_get(e, SJ_LIT("name"));
			messages = sj_value_get(e, SJ_LIT("messages"));
		}
		if (name && sj_value_is_string(name)) {
			sj_buf_puts(out, "\n#### ");
			put_trimmed(out, sj_value_text(name));
			sj_buf_putc(out, '\n');
		}
		sj_buf_puts(out, "\n<a2ui-json>\n");
		if (messages)
			sj_value_print(out, messages, SJ_PRINT_PRETTY);
		sj_buf_puts(out, "\n</a2ui-json>\n");
	}
}

enum sj_status sj_legacy_prompt(struct sj_mem *mem, const struct sj_legacy_prompt *p, struct sj_buf *out,
                                struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	size_t begin = out->len;
	if (p->role.len > 0) {
		put_trimmed(out, p->role);
		sj_buf_puts(out, "\n\n");
	}
	workflow(p, out);
	if (p->ui.len > 0) {
		sj_buf_puts(out, "\n## UI Description:\n");
		put_trimmed(out, p->ui);
		sj_buf_putc(out, '\n');
	}
	if (p->schema) {
		sj_buf_puts(out, "\n---BEGIN A2UI JSON SCHEMA---\n");
		st = document(mem, "Server To Client Schema", p->messages_schema, out, diag);
		if (st == SJ_OK)
			st = document(mem, "Common Types Schema", p->common_types, out, diag);
		if (st == SJ_OK && p->catalog) {
			sj_buf_puts(out, "\n### Catalog Schema:\n");
			sj_value_print(out, p->catalog, SJ_PRINT_PRETTY);
			sj_buf_putc(out, '\n');
		}
		sj_buf_puts(out, "\n---END A2UI JSON SCHEMA---\n");
	}
	if (p->examples && sj_value_count(p->examples) > 0)
		examples(p->examples, out);
	st = st == SJ_OK ? sj_buf_status(out) : st;
	if (st != SJ_OK && out->len > begin) {
		out->len = begin;
		out->ptr[begin] = '\0';
	}
	return st;
}
