/* The prompt for direct JSON.
 *
 * Every rule stands once, with its reason where that is shorter than a second rule; a rule about a concept that none of
 * the catalogs has is left out. v0.8 has another form of messages, values and data, and so rules of its own.
 */
#include "infer/prompt.h"

struct text {
	const struct sj_format *f;
	const struct sj_prompt_options *opt;
	struct sj_prompt_traits has;
	struct sj_buf *out;
	enum sj_version v;
	bool reserved;
	struct sj_slice path, call; /* the keys of bindings and calls */
};

static bool allows(const struct text *t, const char *message) { return sj_prompt_allows(t->opt, message); }

static void messages(const struct text *t)
{
	const struct sj_prompt_message *m = sj_prompt_messages(t->v);
	if (t->v == SJ_V08)
		sj_buf_puts(t->out, "\n## Messages\nA message is an object with exactly one member:\n");
	else
		sj_buf_printf(t->out, "\n## Messages\nA message is {\"version\": \"%s\", NAME: {...}} with exactly one NAME of:\n",
		              sj_version_text(t->v));
	for (; m->name; m++)
		if (allows(t, m->name))
			sj_buf_printf(t->out, "- %s%s%s – %s\n", m->name, t->opt->brief ? " " : "",
			              t->opt->brief ? m->members : "", m->purpose);
	if (allows(t, "createSurface") && allows(t, "updateComponents"))
		sj_buf_puts(t->out, "To change what the user sees, update its surface; make another one only for something new.\n");
}

/* Which catalogs there are, and how a message says which it means. */
static void catalogs(const struct text *t)
{
	const struct sj_format *f = t->f;
	bool creates = allows(t, t->v == SJ_V08 ? "beginRendering" : "createSurface");
	if (f->opt.ncatalogs == 1) {
		if (creates)
			sj_buf_printf(t->out, "- The catalogId is \"%.*s\".\n", SJ_ARG(sj_catalog_id(f->catalogs[0])));
		return;
	}
	sj_buf_puts(t->out, "- There are several catalogs:");
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++)
		sj_buf_printf(t->out, "%s \"%.*s\"", i ? "," : "", SJ_ARG(sj_catalog_id(f->catalogs[i])));
	sj_buf_puts(t->out, t->v == SJ_V10
	                            ? ". The surface's catalogId holds for every component and call that has none of its "
	                              "own; from another catalog, each names it itself with \"catalogId\" (a call does not "
	                              "take over its component's).\n"
	                            : ". A surface has one of them, its catalogId; all its components and functions come "
	                              "from there.\n");
}

static void values(const struct text *t)
{
	if (!t->has.dynamic && !t->has.child_list)
		return;
	sj_buf_printf(t->out, "- %s may be a literal or a binding {\"%.*s\": \"/a/b\"} to the data model",
	              t->opt->brief ? "A value whose type has a star" : "A Dynamic value", SJ_ARG(t->path));
	if (t->has.functions)
		sj_buf_printf(t->out, " or a call {\"%.*s\": NAME, \"args\": {...}}", SJ_ARG(t->call));
	sj_buf_puts(t->out, "; any other value is literal. There are no other expressions.\n");
	if (allows(t, "updateDataModel") || t->v == SJ_V10)
		sj_buf_puts(t->out,
		            "- Put what changes, what repeats and what the user enters into the data model, and bind it; then an "
		            "update of data is enough, without new components.\n");
	if (t->has.inputs)
		sj_buf_puts(t->out, "- Bind the value of an input, or what is entered is lost.\n");
}

static void rules(const struct text *t)
{
	bool brief = t->opt->brief;
	sj_buf_puts(t->out, "\n## Rules\n"
	                    "- Between the tags stands strict JSON and nothing else: no comments, no trailing commas, no "
	                    "Markdown fence.\n"
	                    "- Use only the components, properties and functions ");
	sj_buf_puts(t->out, brief ? "listed below" : "of the schema below");
	sj_buf_puts(t->out, ", spelled as they are there, and give every required one.\n");
	catalogs(t);
	sj_buf_puts(t->out, "- \"components\" is a flat list. Each component has an \"id\", unique on its surface, and its "
	                    "type as \"component\"");
	if (t->has.child || t->has.child_list)
		sj_buf_puts(t->out, "; it names those inside it by their ids. Exactly one has the id \"root\", all "
		                    "others are reached from it, every id that is named exists, and none contains itself.\n");
	else
		sj_buf_puts(t->out, ". The one that is shown has the id \"root\".\n");
	values(t);
	if (t->has.child_list)
		sj_buf_printf(t->out, "- To repeat a component for each item of a list in the data model, write its children as "
		                      "{\"componentId\": ID, \"path\": \"/items\"}. Inside it a path without a slash in front "
		                      "starts at the item: {\"%.*s\": \"name\"}.\n",
		              SJ_ARG(t->path));
	if (t->has.action)
		sj_buf_puts(t->out, "- An action is {\"event\": {\"name\": ..., \"context\": {...}}}, which is reported to you with its "
		                    "context resolved");
	if (t->has.action && t->has.functions)
		sj_buf_printf(t->out, ", or {\"functionCall\": {\"%.*s\": ..., \"args\": {...}}}, which runs at once without you",
		              SJ_ARG(t->call));
	if (t->has.action)
		sj_buf_puts(t->out, ".\n");
	if (t->has.checks)
		sj_buf_puts(t->out, "- A check is {\"condition\": a binding or call, \"message\": what to tell the user while it "
		                    "does not hold}.\n");
	if (t->has.accessibility && brief)
		sj_buf_puts(t->out, "- Any component may have \"accessibility\": {\"label\": ..., \"description\": ...} for those "
		                    "who do not see it.\n");
	if (t->reserved)
		sj_buf_puts(t->out, "- In a literal object, a key that begins with @ is written with @@.\n");
}

static void rules_v08(const struct text *t)
{
	sj_buf_puts(t->out, "\n## Rules\n"
	                    "- Between the tags stands strict JSON and nothing else: no comments, no trailing commas, no "
	                    "Markdown fence.\n"
	                    "- Use only the components and properties ");
	sj_buf_puts(t->out, t->opt->brief ? "listed below" : "of the schema below");
	sj_buf_puts(t->out, ", spelled as they are there, and give every required one.\n");
	catalogs(t);
	sj_buf_puts(t->out,
	            "- \"components\" is a flat list of {\"id\": ..., \"component\": {TYPE: {properties}}}, with a \"weight\" "
	            "for a share of the room. Ids are unique on their surface; a component names those inside it by their ids, every id that is named exists, and none "
	            "contains itself.\n"
	            "- A value is {\"literalString\": ...}, {\"literalNumber\": ...}, {\"literalBoolean\": ...} or a binding "
	            "{\"path\": \"/a/b\"} to the data model; a literal beside a path is written there first.\n"
	            "- Children are {\"explicitList\": [ids]}, or {\"template\": {\"componentId\": ID, \"dataBinding\": \"/items\"}} "
	            "to repeat a component for each item; inside it a path without a slash in front starts at the item.\n"
	            "- An action is {\"name\": ..., \"context\": [{\"key\": ..., \"value\": a value}]}, reported to you.\n");
	if (allows(t, "dataModelUpdate"))
		sj_buf_puts(t->out, "- contents is a list of {\"key\": ..., \"valueString\", \"valueNumber\", \"valueBoolean\" or "
		                    "\"valueMap\": ...}; a valueMap is such a list again.\n");
}

enum sj_status sj_prompt_direct(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                struct sj_diag *diag)
{
	struct text t = {.f = f,
	                 .opt = opt,
	                 .out = out,
	                 .v = f->opt.version,
	                 .reserved = f->opt.version == SJ_V10 && sj_prompt_dialect(f) == SJ_DIALECT_RESERVED};
	t.path = t.reserved ? SJ_LIT("@path") : SJ_LIT("path");
	t.call = t.reserved ? SJ_LIT("@call") : SJ_LIT("call");
	enum sj_status st;
	(void)diag;
	sj_prompt_traits(f, &t.has);
	sj_buf_printf(out, "# Interfaces (A2UI %s)\n", sj_version_text(t.v));
	sj_buf_printf(out, "You can show the user an interface: write its messages as one JSON array between <%s> and "
	                   "</%s>. What stands outside the tags is shown as plain text. Write as many blocks as you need, "
	                   "and none where words are enough.\n",
	              f->ops->tags[0], f->ops->tags[0]);
	messages(&t);
	if (t.v == SJ_V08)
		rules_v08(&t);
	else
		rules(&t);
	if (!opt->brief) {
		sj_buf_puts(out, "\n## Schema\n"
		                 "JSON Schema 2020-12; a reference to another file leads to that line. \"anyComponent\" and "
		                 "\"anyFunction\" of a catalog are each one of its \"components\" and \"functions\".\n");
		st = sj_prompt_schema(f, opt, out);
	} else {
		sj_buf_puts(out, "\n## Signatures\n"
		                 "`?`: may be left out. ");
		sj_buf_puts(out, t.v == SJ_V08 ? "`*`: a literal in its object, or a binding. `ids`: children. What names one "
		                                 "component is its id.\n"
		                               : "`*`: may also be a binding or a call. `id`, `ids`: components by id");
		if (t.v != SJ_V08) {
			sj_buf_puts(out, t.has.child_list ? ", or the repeated form. " : ". ");
			sj_buf_puts(out, "Properties stand beside \"id\" and \"component\"; arguments are members of "
			                 "\"args\".\n");
		}
		st = sj_prompt_signatures(f, opt, out);
	}
	return st;
}
