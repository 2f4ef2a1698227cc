/* The prompt for Express. No word of ours names a component or a function: those are the catalogs'. */
#include "infer/express.h"
#include "infer/prompt.h"

struct text {
	const struct sj_format *f;
	const struct sj_prompt_options *opt;
	struct sj_prompt_traits has;
	struct sj_buf *out;
	bool brief, creates, updates, data, removes, calls;
};

static void say(const struct text *t, const char *words) { sj_buf_puts(t->out, words); }

static void notation(const struct text *t)
{
	say(t, "\n## Notation\n"
	       "One statement a line.\n"
	       "- `name = Type(argument, property=argument)` is a component; `name` is its id. Arguments without a name fill "
	       "the properties in the order listed below, `_` skips one, the rest may be left out.\n");
	if (t->has.child || t->has.child_list)
		say(t, "- A component that belongs inside another is named there, before or after its own line, or written "
		       "right there: `Type(other)`, `Type([first, second])`, `Type(Type(...))`.\n");
	if (t->has.child_list)
		say(t, "- `_template($/items, row)` in place of a list of children repeats `row` for each item of a list in the "
		       "data; inside it `$member`, without a slash, is a member of the item.\n");
	if (t->has.dynamic)
		say(t, "- `$/a/b` binds a value to the data model. Only where the type has a star.\n");
	if (t->has.functions)
		say(t, "- `function(argument, other=argument)` computes a value. Only where the type has a star"
		       " or an action or check is expected.\n");
	if (t->has.action) {
		say(t, "- An action is `Event(\"name\", {key: $/value})`, which is reported to you");
		say(t, t->has.functions ? ", or the call of a function, which runs at once without you.\n" : ".\n");
	}
	if (t->has.checks)
		say(t, "- A check in a list of checks is `?function(\"message\")`: the component's own value is its first "
		       "argument and is not written; further arguments come before the message.\n");
	say(t, "- Values: `\"text\"` with \\n, \\\" and \\\\ as escapes, `12.5`, `true`, `null`, `[...]`, `{key: value}`");
	if (!t->brief)
		say(t, "; `r\"...\"` keeps backslashes, `\"\"\"...\"\"\"` runs over lines. `# ...` is a comment. A name may "
		       "also stand for a value, which is put in where the name is used");
	say(t, ".\n");
	if (t->has.inputs)
		say(t, "- Bind the value of an input, or what is entered is lost.\n");
}

static void messages(const struct text *t)
{
	bool v10 = t->f->opt.version >= SJ_V10;
	say(t, "\n## Statements\n"
	       "- `surface(\"id\")`: the lines that follow are about this surface, up to the next such line.");
	if (t->creates && t->updates)
		say(t, " With a component `root` they make it; without one they change components of a surface that is "
		       "there (`surface(\"id\", create=false)` to give that another root).\n");
	else if (t->creates)
		say(t, " They make it; the topmost component is called `root`.\n");
	else
		say(t, " It is there already: `surface(\"id\", create=false)` when `root` is among them.\n");
	if (t->creates)
		say(t, "- `surface(\"id\", sendDataModel=true)` has the data sent to you with each event.\n");
	if (t->creates || t->data)
		say(t, t->creates ? "- `$/a/b = value` sets up the data model of a new surface, one line for each place."
		                  : "- `$/a/b = value`, one line for each place, replaces the whole data model.");
	if (t->creates && t->data)
		say(t, " Where no surface is made, such lines together replace the whole data model.");
	if (t->creates || t->data)
		say(t, "\n");
	if (t->data)
		sj_buf_printf(t->out, "- `_data($/a/b, value)` changes one place of the data model and leaves the rest; %s\n",
		              v10 ? "`null` empties it." : "without a value it is emptied.");
	if (t->removes)
		say(t, "- `deleteSurface(\"id\")` takes a surface away.\n");
	if (t->calls && v10 && t->has.functions)
		say(t, "- The call of a function on a line of its own runs it on the user's side.\n");
	if (t->f->opt.ncatalogs > 1 && v10)
		say(t, "- There are several catalogs. A name that is in only one of them needs no more; to one that is in several "
		       "add `catalogId=\"...\"` as its last argument. A surface names none.\n");
	else if (t->f->opt.ncatalogs > 1)
		say(t, "- There are several catalogs; a surface uses one: `surface(\"id\", \"catalog\")`.\n");
}

enum sj_status sj_express_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                 struct sj_diag *diag)
{
	struct text t = {.f = f, .opt = opt, .out = out, .brief = opt->brief,
	                 .creates = sj_prompt_allows(opt, "createSurface"),
	                 .updates = sj_prompt_allows(opt, "updateComponents"),
	                 .data = sj_prompt_allows(opt, "updateDataModel"),
	                 .removes = sj_prompt_allows(opt, "deleteSurface"),
	                 .calls = sj_prompt_allows(opt, "callRendererFunction")};
	if (f->opt.version < SJ_V09)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE,
		                   "this notation writes messages of v0.9 and later, not of %s",
		                   sj_version_text(f->opt.version));
	sj_prompt_traits(f, &t.has);
	sj_buf_printf(out, "# Interfaces (A2UI %s, Express)\n", sj_version_text(f->opt.version));
	say(&t, "You can show the user an interface: write it in the notation below between <a2ui> and </a2ui>. What stands "
	        "outside the tags is shown as plain text. Use only the components, properties and functions listed here.\n");
	notation(&t);
	messages(&t);
	say(&t, "\n## Signatures\n"
	        "In the order of positions. `?`: may be left out. `*`: may also be bound or computed. ");
	say(&t, t.has.child || t.has.child_list ? "`id`, `ids`: components.\n" : "\n");
	if (t.has.accessibility && !t.brief)
		say(&t, "Every component also takes `accessibility={label: ..., description: ...}` for those who do not see it.\n");
	return sj_prompt_signatures_as(f, opt, SJ_SIGN_BY_POSITION, t.brief, out);
}
