#include <stdarg.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "text/near.h"

static const struct {
	const char *name, *arg, *help;
} options[] = {
#define CMD_OPTION_ROW(name, text, arg, help) [CMD_OPT_##name] = {text, arg, help},
	CMD_OPTIONS(CMD_OPTION_ROW)
#undef CMD_OPTION_ROW
};

/* What an option means to a verb, where that is not what the table says. */
static const struct {
	const char *verb;
	int option;
	const char *help;
} own_help[] = {
	{"infer", CMD_OPT_CATALOG, "check against this catalog document, not the basic one (may be repeated)"},
	{"infer", CMD_OPT_VERSION, "check against the basic catalog of 0.8, 0.9, 0.9.1 or 1.0 (default: 1.0)"},
	{"infer", CMD_OPT_FORMAT, "the notation to read: direct-json (default), express, vertical or elemental"},
	{"infer", CMD_OPT_STRICT, "repair nothing: a block that would need it is refused"},
	{"validate", CMD_OPT_STRICT, "warnings too make the exit status 1"},
	{"prompt", CMD_OPT_CATALOG, "about this catalog document, not the basic one (may be repeated)"},
	{"prompt", CMD_OPT_VERSION, "about the basic catalog of 0.8, 0.9, 0.9.1 or 1.0 (default: 1.0)"},
	{"prompt", CMD_OPT_FORMAT, "the notation to teach: direct-json (default), express, vertical or elemental"},
	{"prompt", CMD_OPT_ALLOW, "tell only of this kind of message, such as updateDataModel (may be repeated)"},
	{"grammar", CMD_OPT_CATALOG, "made from this catalog document, not the basic one (may be repeated)"},
	{"grammar", CMD_OPT_VERSION, "made from the basic catalog of 0.9, 0.9.1 or 1.0 (default: FILE's, else 1.0)"},
	{"grammar", CMD_OPT_ALLOW, "create, update, data, delete, several with commas; or patch alone, with FILE"},
	{"grammar", CMD_OPT_SURFACE, "the surface of FILE to write to; without FILE, the new surface's id"},
	{"conformance", CMD_OPT_VERSION, "only cases of this protocol version: 0.8, 0.9, 0.9.1 or 1.0"},
	{"conformance", CMD_OPT_JSON, "one JSON line for each case, and one that counts"},
	{"conformance", CMD_OPT_QUIET, "print only what failed, and the counts"},
	{"replay", CMD_OPT_QUIET, "print only what failed, not the counts"},
	{"convert", CMD_OPT_CATALOG, "also know the components of this catalog document (may be repeated)"},
	{"convert", CMD_OPT_JSON, "report what was lost as JSON lines"},
	{"explain", CMD_OPT_JSON, "one JSON object a line"},
	{"shot", CMD_OPT_WIDTH, "width of the picture in pixels (default: 390)"},
	{"shot", CMD_OPT_SURFACE, "the surface of this id (default: the last one)"},
	{"open", CMD_OPT_WIDTH, "width of the window in pixels (default: 480)"},
	{"open", CMD_OPT_HEIGHT, "height of the window in pixels (default: 640)"},
	{"demo", CMD_OPT_DIALOGUE, "talk even when standard input is no terminal"},
};

static const char *help_of(const char *verb, unsigned option)
{
	for (size_t i = 0; i < sizeof own_help / sizeof *own_help; i++)
		if (own_help[i].option == (int)option && strcmp(own_help[i].verb, verb) == 0)
			return own_help[i].help;
	return options[option].help;
}

void cmd_near(struct cmd_near *n, const char *word)
{
	uint32_t steps = UINT32_MAX;
	if (sj_near(n->want, sj_slice_of(word), &steps) && (!n->found || steps < n->steps)) {
		n->found = word;
		n->steps = steps;
	}
}

void cmd_usage_error(const char *verb, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	fputs("shoji: ", stderr);
	vfprintf(stderr, format, ap);
	va_end(ap);
	if (verb)
		fprintf(stderr, "\nTry: shoji %s --help\n", verb);
	else
		fputs("\nTry: shoji --help\n", stderr);
}

void cmd_verb_help(const struct cmd_verb *verb)
{
	printf("shoji %s: %s\n\nUsage: shoji %s%s%s [OPTION]...%s%s\n\n%s\n\nOptions:\n", verb->name, verb->title,
	       verb->name, verb->required ? " " : "", verb->required ? verb->required : "", verb->args[0] ? " " : "",
	       verb->args, verb->help);
	for (unsigned i = 0; i < CMD_OPT_COUNT; i++) {
		char left[64];
		if (i != CMD_OPT_HELP && !(verb->options & UINT64_C(1) << i))
			continue;
		snprintf(left, sizeof left, "--%s%s%s", options[i].name, options[i].arg ? " " : "",
		         options[i].arg ? options[i].arg : "");
		printf("  %-26s %s\n", left, help_of(verb->name, i));
	}
	printf("\nExit status: 0 all well, 1 the input has a fault or an expectation failed, 2 wrong use, 3 input or output failed.\n");
}

static int find(const struct cmd_verb *verb, const char *name, size_t len)
{
	for (int i = 0; i < CMD_OPT_COUNT; i++)
		if ((i == CMD_OPT_HELP || (verb->options & UINT64_C(1) << i)) && strlen(options[i].name) == len &&
		    memcmp(options[i].name, name, len) == 0)
			return i;
	return -1;
}

/* The list of an option that may be repeated, and its length; NULL: the last one counts. */
static const char **list_of(int option, struct cmd_args *out, int **n)
{
	struct {
		int option, *n;
		const char **list;
	} const lists[] = {
		{CMD_OPT_CATALOG, &out->ncatalogs, out->catalogs},
		{CMD_OPT_PERMISSIVE, &out->npermissive, out->permissive},
		{CMD_OPT_ALLOW, &out->nallowed, out->allowed},
		{CMD_OPT_EXAMPLE, &out->nexamples, out->examples},
		{CMD_OPT_COMPONENT, &out->ncomponents, out->components},
		{CMD_OPT_KEY, &out->nkeys, out->keys},
	};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i].option == option) {
			*n = lists[i].n;
			return lists[i].list;
		}
	return NULL;
}

static bool keep(const struct cmd_verb *verb, int option, const char *value, struct cmd_args *out)
{
	int *n = NULL;
	const char **list = list_of(option, out, &n);
	out->value[option] = value;
	if (!list)
		return true;
	if (*n == CMD_MAX_REPEATS) {
		cmd_usage_error(verb->name, "--%s is given too often", options[option].name);
		return false;
	}
	list[(*n)++] = value;
	return true;
}

bool cmd_options(const struct cmd_verb *verb, int argc, char **argv, struct cmd_args *out)
{
	bool only_rest = false;
	*out = (struct cmd_args){.rest = argv};
	for (int i = 0; i < argc; i++) {
		const char *arg = argv[i], *equals;
		if (only_rest || arg[0] != '-' || arg[1] == 0) {
			argv[out->nrest++] = argv[i];
			continue;
		}
		if (strcmp(arg, "--") == 0) {
			only_rest = true;
			continue;
		}
		if (strcmp(arg, "-h") == 0)
			arg = "--help";
		if (strcmp(arg, "-o") == 0)
			arg = "--output";
		equals = strchr(arg, '=');
		int option =
			arg[1] == '-' ? find(verb, arg + 2, equals ? (size_t)(equals - arg - 2) : strlen(arg + 2)) : -1;
		if (option < 0) {
			struct cmd_near near = {.want = sj_slice(arg, equals ? (size_t)(equals - arg) : strlen(arg))};
			near.want.ptr += arg[1] == '-' ? 2 : 1;
			near.want.len -= arg[1] == '-' ? 2 : 1;
			for (int k = 0; k < CMD_OPT_COUNT; k++)
				if (verb->options & UINT64_C(1) << k)
					cmd_near(&near, options[k].name);
			cmd_usage_error(verb->name, "%s does not know the option %s%s%s%s", verb->name, arg,
			                near.found ? "; did you mean --" : "", near.found ? near.found : "",
			                near.found ? "?" : "");
			return false;
		}
		const char *value = "";
		if (!options[option].arg && equals) {
			cmd_usage_error(verb->name, "--%s takes no value", options[option].name);
			return false;
		}
		if (options[option].arg) {
			value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
			if (!value) {
				cmd_usage_error(verb->name, "--%s needs a value: %s", options[option].name,
				                options[option].arg);
				return false;
			}
		}
		if (!keep(verb, option, value, out))
			return false;
	}
	if (cmd_has(out, CMD_OPT_HELP))
		return true;
	if (out->nrest < verb->min_rest || (verb->max_rest >= 0 && out->nrest > verb->max_rest)) {
		cmd_usage_error(verb->name, "%s takes %s", verb->name, verb->args[0] ? verb->args : "no arguments");
		return false;
	}
	return true;
}
