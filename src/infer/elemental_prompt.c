/* The prompt for Elemental. No word of ours names a component or a function: those are the catalogs'. */
#include "infer/elemental.h"
#include "infer/prompt.h"

struct text {
	const struct sj_format *f;
	struct sj_prompt_traits has;
	struct sj_buf *out;
	bool brief, creates, updates, data, removes, calls;
};

static void say(const struct text *t, const char *words) { sj_buf_puts(t->out, words); }

static void notation(const struct text *t)
{
	say(t, "\n## Notation\n"
	       "It looks like HTML, but there are no other elements than those listed here, no classes, styles or scripts.\n"
	       "- Each component is an element with an `id` of its own and its properties as attributes.\n"
	       "- An attribute holds plain text, or in braces a value: numbers, `true`, `null`, `'text'`, `[1, 2]`, "
	       "`{key: value}`. In text, < & and \" are written &lt; &amp; &quot;.\n");
	if (t->has.dynamic)
		say(t, "- `{/a/b}` binds a value to the data model. Only where the type has a star.\n");
	if (t->has.functions)
		say(t, "- `{function(argument: value)}` computes a value; all arguments are named. Only where the type has a "
		       "star or an action or check is expected.\n");
	if (t->has.child || t->has.child_list)
		say(t, "- Components that belong inside another stand inside its element; where it has several places for one, "
		       "with `slot=\"place\"`. Elsewhere a component is named by its id.\n");
	if (t->has.child_list)
		say(t, "- `<template path=\"/items\">` around one element inside a component repeats it for each item of a list "
		       "in the data; inside it `{member}`, without a slash, is a member of the item.\n");
	if (t->has.action)
		say(t, "- An action is `{event(name: 'name', context: {key: /value})}`, which is reported to you");
	if (t->has.action)
		say(t, t->has.functions ? ", or the call of a function, which runs at once without you.\n" : ".\n");
	if (t->has.checks)
		say(t, "- A check is `{condition: function(...), message: 'what to tell the user while it does not hold'}`.\n");
	if (t->has.inputs)
		say(t, "- Bind the value of an input, or what is entered is lost.\n");
}

static void messages(const struct text *t)
{
	bool v10 = t->f->opt.version >= SJ_V10;
	say(t, "\n## Surfaces\n- `<body id=\"surface\">...</body>` holds all about one surface.");
	if (t->creates && t->updates)
		say(t, " With a component whose id is `root` it makes the surface; without one it changes components of a "
		       "surface that is there (`create=\"false\"` to give that another root).\n");
	else if (t->creates)
		say(t, " It makes it; the id of the topmost component is `root`.\n");
	else
		say(t, " It is there already: add `create=\"false\"` when `root` is inside.\n");
	if (t->creates)
		say(t, "- `<body id=\"surface\" send-data-model>` has the data sent to you with each event.\n");
	if (t->creates || t->data)
		say(t, t->creates ? "- `<data path=\"/a/b\" value=\"{...}\" />` in it sets up the data model of a new surface."
		                  : "- `<data path=\"/a/b\" value=\"{...}\" />`: all of them replace the whole data model.");
	if (t->creates && t->data)
		say(t, " Where no surface is made, they together replace the whole data model.");
	if (t->creates || t->data)
		say(t, "\n");
	if (t->data)
		sj_buf_printf(t->out, "- `<set path=\"/a/b\" value=\"{...}\" />` changes one place of it and leaves the rest; %s\n",
		              v10 ? "`{null}` empties it." : "without a value it is emptied.");
	if (t->removes)
		say(t, "- `<delete-surface id=\"surface\" />` takes a surface away.\n");
	if (t->calls && v10 && t->has.functions)
		say(t, "- `<call function=\"{function(argument: value)}\" />` runs a function on the user's side.\n");
	if (t->f->opt.ncatalogs > 1 && v10)
		say(t, "- There are several catalogs. A name that is in only one of them needs no more; to one that is in several "
		       "add the attribute `catalog-id`, or the argument `catalogId` to a call. A surface names none.\n");
	else if (t->f->opt.ncatalogs > 1)
		say(t, "- There are several catalogs; a surface uses one: a link with rel=\"catalog\" and its id as href comes "
		       "first in it.\n");
}

enum sj_status sj_elemental_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                   struct sj_diag *diag)
{
	struct text t = {.f = f, .out = out, .brief = opt->brief,
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
	sj_buf_printf(out, "# Interfaces (A2UI %s, Elemental)\n", sj_version_text(f->opt.version));
	say(&t, "You can show the user an interface: write it in the notation below between <a2ui> and </a2ui>. What stands "
	        "outside the tags is shown as plain text.\n");
	notation(&t);
	messages(&t);
	say(&t, "\n## Declarations\n"
	        "`?`: may be left out. `*`: may also be bound or computed. ");
	say(&t, t.has.child || t.has.child_list ? "`id`, `ids`: components inside.\n" : "\n");
	if (t.has.accessibility && !t.brief)
		say(&t, "Every component also takes `accessibility=\"{{label: ..., description: ...}}\"` for those who do not see "
		        "it.\n");
	return sj_prompt_signatures_as(f, opt, SJ_SIGN_ELEMENTS, t.brief, out);
}
