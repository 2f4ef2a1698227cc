/* Prompts, the part that all notations share: what may be sent, examples, the catalogs' instructions. */
#include "infer/prompt.h"

#include "infer/checker.h"
#include "infer/compact.h"

static const struct sj_prompt_message v08[] = {
	{"beginRendering", "{surfaceId, root, catalogId?, styles?}",
         "Shows the surface; root is the id of its topmost component. Until then nothing is visible."},
	{"surfaceUpdate", "{surfaceId, components}",
         "Adds components, or replaces those whose id is already there."},
	{"dataModelUpdate", "{surfaceId, path?, contents}", "Writes data for bindings to read."},
	{"deleteSurface", "{surfaceId}", "Takes the surface away."},
	{0},
};
static const struct sj_prompt_message v09[] = {
	{"createSurface", "{surfaceId, catalogId, theme?, sendDataModel?}",
         "Makes a surface: once, before any other message about it."},
	{"updateComponents", "{surfaceId, components}",
         "Adds components; one whose id is already there is replaced as a whole."},
	{"updateDataModel", "{surfaceId, path?, value?}",
         "Writes value at path, a JSON Pointer (without one: the whole model). Without value, what is there goes."},
	{"deleteSurface", "{surfaceId}", "Takes the surface away."},
	{0},
};
static const struct sj_prompt_message v10[] = {
	{"createSurface", "{surfaceId, catalogId?, components?, dataModel?, sendDataModel?}",
         "Makes a surface, with all it shows where you know that already: once, before any other message about it."},
	{"updateComponents", "{surfaceId, components}",
         "Adds components; one whose id is already there is replaced as a whole."},
	{"updateDataModel", "{surfaceId, path?, value}",
         "Writes value at path, a JSON Pointer (without one: the whole model). null empties the place."},
	{"deleteSurface", "{surfaceId}", "Takes the surface away."},
	{"callRendererFunction", "{functionCallId, callFunction}",
         "Runs a function on the user's side. callFunction is a call with its catalogId; the answer comes back under the "
         "same functionCallId."},
	{"agentFunctionResponse", "{functionCallId, value or error}",
         "Answers a function call that was sent to you."},
	{0},
};

const struct sj_prompt_message *sj_prompt_messages(enum sj_version v)
{
	return v == SJ_V08 ? v08 : v == SJ_V10 ? v10 : v09;
}

bool sj_prompt_allows(const struct sj_prompt_options *opt, const char *name)
{
	for (uint32_t i = 0; opt->allowed_messages && i < opt->nallowed; i++)
		if (sj_slice_is(opt->allowed_messages[i], name))
			return true;
	return !opt->allowed_messages;
}

static void trait_of(const struct sj_a2ui_prop *p, struct sj_prompt_traits *t)
{
	t->dynamic |= p->cls == SJ_AC_DYNAMIC;
	t->child |= p->cls == SJ_AC_CHILD;
	t->child_list |= p->cls == SJ_AC_CHILD_LIST;
	t->action |= p->cls == SJ_AC_ACTION;
	t->checks |= p->cls == SJ_AC_CHECKS;
	t->accessibility |= p->cls == SJ_AC_ACCESSIBILITY;
	for (uint32_t i = 0; i < p->nsub; i++) {
		enum sj_a2ui_class c = p->sub[i].cls;
		t->dynamic |= c == SJ_AC_DYNAMIC;
		t->child |= c == SJ_AC_CHILD;
		t->child_list |= c == SJ_AC_CHILD_LIST;
		t->action |= c == SJ_AC_ACTION;
	}
}

void sj_prompt_traits(const struct sj_format *f, struct sj_prompt_traits *out)
{
	*out = (struct sj_prompt_traits){0};
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++) {
		const struct sj_catalog *c = f->catalogs[i];
		out->functions |= sj_catalog_function_count(c) > 0;
		out->theme |= sj_catalog_has_theme(c);
		for (uint32_t k = 0; k < sj_catalog_component_count(c); k++) {
			const struct sj_a2ui_component *comp = sj_catalog_component_at(c, k);
			bool bound = false;
			for (uint32_t p = 0; p < comp->nprops; p++) {
				trait_of(&comp->props[p], out);
				bound |= comp->props[p].cls == SJ_AC_DYNAMIC &&
				         sj_slice_is(comp->props[p].name, "value");
			}
			out->inputs |= bound;
		}
	}
}

enum sj_dialect sj_prompt_dialect(const struct sj_format *f)
{
	enum sj_dialect d = SJ_DIALECT_AUTO;
	for (uint32_t i = 0; i < f->opt.ncatalogs && f->opt.version == SJ_V10 && d != SJ_DIALECT_RESERVED; i++)
		if (sj_catalog_dialect(f->catalogs[i]) != SJ_DIALECT_AUTO)
			d = sj_catalog_dialect(f->catalogs[i]);
	return d == SJ_DIALECT_AUTO ? f->opt.dialect : d;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static enum sj_status check_allowed(const struct sj_format *f, const struct sj_prompt_options *opt,
                                    struct sj_diag *diag)
{
	const struct sj_prompt_message *rows = sj_prompt_messages(f->opt.version);
	if (opt->allowed_messages && opt->nallowed == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "No message is allowed: there would be nothing to write");
	for (uint32_t i = 0; opt->allowed_messages && i < opt->nallowed; i++) {
		uint32_t k = 0;
		while (rows[k].name && !sj_slice_is(opt->allowed_messages[i], rows[k].name))
			k++;
		if (!rows[k].name)
			return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			                   "'%.*s' is no message of %s", SJ_ARG(opt->allowed_messages[i]),
			                   sj_version_text(f->opt.version));
	}
	return SJ_OK;
}

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

/* The messages of an example: itself when it is a list, else its member. */
static const struct sj_value *messages_of(const struct sj_value *example)
{
	const struct sj_value *m = example->type == SJ_V_ARRAY ? example : get(example, "messages");
	return m && m->type == SJ_V_ARRAY ? m : NULL;
}

/* Does the example make every surface it writes? One that goes on where a conversation stood can be checked only
 * message by message. */
static bool stands_alone(const struct sj_value *messages)
{
	static const char *const makes[] = {"createSurface", "beginRendering", "surfaceUpdate", "dataModelUpdate"};
	static const char *const writes[] = {"updateComponents", "updateDataModel", "deleteSurface"};
	for (uint32_t i = 0; i < sj_value_count(messages); i++) {
		const struct sj_value *m = sj_value_item(messages, i), *id = NULL;
		for (size_t k = 0; k < sizeof writes / sizeof *writes && !id; k++)
			id = get(get(m, writes[k]), "surfaceId");
		bool made = id == NULL;
		for (uint32_t j = 0; j < i && !made; j++)
			for (size_t k = 0; k < sizeof makes / sizeof *makes; k++) {
				const struct sj_value *other =
					get(get(sj_value_item(messages, j), makes[k]), "surfaceId");
				made = made || (other && sj_value_equal(other, id));
			}
		if (!made)
			return false;
	}
	return true;
}

static void place(struct sj_diag *diag, uint32_t example, uint32_t message, bool listed)
{
	char below[sizeof diag->pointer];
	if (!diag)
		return;
	memcpy(below, diag->pointer, sizeof below);
	if (listed)
		sj_diag_pointer(diag, "/%u/%u%s", example, message, below);
	else
		sj_diag_pointer(diag, "/%u%s", example, below);
}

static enum sj_status check_example(const struct sj_format *f, const struct sj_value *example, uint32_t at,
                                    struct sj_checker *checker, struct sj_diag *diag)
{
	const struct sj_value *messages = messages_of(example);
	enum sj_status st = SJ_OK;
	if (!messages || sj_value_count(messages) == 0) {
		sj_diag_pointer(diag, "/%u", at);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "An example is a list of messages, or an object with one as 'messages'");
	}
	/* The check of single messages begins with v0.9; earlier ones are read by the engine alone. */
	for (uint32_t i = 0; i < sj_value_count(messages) && f->opt.version != SJ_V08; i++) {
		st = sj_format_check(f, sj_value_item(messages, i), diag);
		if (st != SJ_OK) {
			place(diag, at, i, true);
			return st;
		}
	}
	if (!stands_alone(messages))
		return SJ_OK;
	st = checker->engine ? SJ_OK : sj_checker_open(checker, diag);
	if (st == SJ_OK) {
		st = sj_checker_accept(checker, messages, 0, NULL, diag);
		if (st != SJ_OK)
			place(diag, at, 0, false);
	}
	sj_checker_forget(checker);
	return st;
}

enum sj_status sj_prompt_check(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_diag *diag)
{
	enum sj_status st = check_allowed(f, opt, diag);
	struct sj_checker checker;
	if (st != SJ_OK || !opt->examples)
		return st;
	if (opt->examples->type != SJ_V_ARRAY)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "Examples come as a list");
	sj_checker_init(&checker, f, f->catalogs, f->opt.ncatalogs, NULL);
	for (uint32_t i = 0; i < sj_value_count(opt->examples) && st == SJ_OK; i++)
		st = check_example(f, sj_value_item(opt->examples, i), i, &checker, diag);
	sj_checker_finish(&checker);
	return st;
}

/* ---- the text ---------------------------------------------------------------------------------------------------- */

/* Text of someone else's with white space around it taken off. */
static void put_trimmed(struct sj_buf *out, struct sj_slice s)
{
	while (s.len > 0 && (unsigned char)s.ptr[s.len - 1] <= ' ')
		s.len--;
	while (s.len > 0 && (unsigned char)s.ptr[0] <= ' ')
		s = sj_slice(s.ptr + 1, s.len - 1);
	sj_buf_slice(out, s);
}

static void instructions(const struct sj_format *f, struct sj_buf *out)
{
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++) {
		struct sj_slice text = sj_catalog_instructions(f->catalogs[i]);
		if (text.len == 0)
			continue;
		if (f->opt.ncatalogs == 1)
			sj_buf_puts(out, "\n## Instructions of the catalog\n");
		else
			sj_buf_printf(out, "\n## Instructions of the catalog %.*s\n",
			              SJ_ARG(sj_catalog_id(f->catalogs[i])));
		put_trimmed(out, text);
		sj_buf_putc(out, '\n');
	}
}

/* JSON as a model should write it: every blank costs. One message a line. */
static void compact(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out)
{
	sj_buf_printf(out, "<%s>\n[", f->ops->tags[0]);
	for (uint32_t i = 0; i < sj_value_count(messages); i++) {
		sj_buf_puts(out, i ? ",\n" : "");
		sj_value_print(out, sj_value_item(messages, i), SJ_PRINT_COMPACT);
	}
	sj_buf_printf(out, "]\n</%s>", f->ops->tags[0]);
}

static enum sj_status write_example(const struct sj_format *f, const struct sj_value *example, uint32_t number,
                                    struct sj_buf *out, struct sj_diag *diag)
{
	const struct sj_value *name = get(example, "name"), *about = get(example, "description");
	struct sj_value folded = SJ_ABSENT_VALUE;
	enum sj_status st = f->ops->folds ? sj_compact_fold(f, messages_of(example), &folded) : SJ_OK;
	struct sj_part part = {.kind = SJ_PART_MESSAGES,
	                       .messages = f->ops->folds ? folded : *messages_of(example)};
	struct sj_parts parts = {.list = {.items = &part, .count = 1, .cap = 1}}; /* borrows: nothing to finish */
	sj_buf_printf(out, "\n### %u", number);
	if (name && sj_value_is_string(name)) {
		sj_buf_puts(out, ". ");
		put_trimmed(out, sj_value_text(name));
	}
	sj_buf_putc(out, '\n');
	if (about && sj_value_is_string(about)) {
		put_trimmed(out, sj_value_text(about));
		sj_buf_putc(out, '\n');
	}
	if (st == SJ_OK && f->opt.id != SJ_FORMAT_DIRECT_JSON)
		st = sj_format_wrap(f, &parts, out, diag);
	sj_value_unref(f->mem, folded);
	if (f->opt.id == SJ_FORMAT_DIRECT_JSON)
		compact(f, &part.messages, out);
	sj_buf_putc(out, '\n');
	return st;
}

enum sj_status sj_prompt_write(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                               struct sj_diag *diag)
{
	static const struct sj_prompt_options plain = {0};
	opt = opt ? opt : &plain;
	if (f->opt.ncatalogs == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                   "No catalog is active: there is no component to write");
	if (!f->ops->prompt)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE, "there is no prompt for %s here",
		                   f->ops->name);
	enum sj_status st = sj_prompt_check(f, opt, diag);
	if (st != SJ_OK)
		return st;
	size_t begin = out->len;
	st = f->ops->prompt(f, opt, out, diag);
	if (st == SJ_OK)
		instructions(f, out);
	uint32_t n = opt->examples ? sj_value_count(opt->examples) : 0;
	if (st == SJ_OK && n > 0)
		sj_buf_puts(out, n == 1 ? "\n## Example\n" : "\n## Examples\n");
	for (uint32_t i = 0; i < n && st == SJ_OK; i++)
		st = write_example(f, sj_value_item(opt->examples, i), i + 1, out, diag);
	st = st == SJ_OK ? sj_buf_status(out) : st;
	if (st != SJ_OK && out->len > begin) { /* half a prompt would be worse than none */
		out->len = begin;
		out->ptr[begin] = '\0';
	}
	return st;
}
