#include <stdio.h>

#include "cmd/desktop.h"

const struct cmd_verb CMD_VERBS[] = {
	{"play", "FILE|-", "show the surfaces an agent describes, and talk to them",
         "Reads messages (JSON lines, one message, an array, {\"messages\": [...]}, or an official example file; any mix of\n"
         "protocol versions) and draws every surface. On a terminal it then takes commands: a number presses, 5=hello types, 7+ and\n"
         "7- step, ? helps, q leaves. A script of the replay format may stand for FILE: its agent messages are played and its\n"
         "rules answer what is pressed. Effects the agent asks for, such as opening an address, are shown and refused.",
         CMD_ENGINE_OPTIONS | CMD_HAS(WIDTH) | CMD_HAS(ASCII) | CMD_HAS(LINEAR) | CMD_HAS(COLOUR) | CMD_HAS(DIALOGUE) |
                 CMD_HAS(SHOW_MESSAGES) | CMD_HAS(RECORD),
         1, 1, cmd_play},
	{"tree", "FILE|-", "print the resolved tree of every surface as JSON",
         "One line per surface in order of creation: {\"dataModel\", \"surfaceId\", \"tree\"}, keys sorted, properties resolved. Then one\n"
         "line {\"error\": {...}} per fault.",
         CMD_ENGINE_OPTIONS, 1, 1, cmd_tree},
	{"validate", "FILE|-", "check messages and say what is wrong with them",
         "One JSON line per fault: category, code, column (of what is no JSON), component and lint (of --lint), hint, line, message,\n"
         "messageNumber, offset, pointer, severity, surfaceId, version; null where there is none. After the last\n"
         "message references to components that never came and a missing root count as faults; components nobody refers to are\n"
         "warnings. Bound values of a wrong type are warned of, with --lint also everything\n"
         "else of docs/lints.md. Prints nothing and exits 0 when all is well.",
         CMD_ENGINE_OPTIONS | CMD_HAS(LINT) | CMD_HAS(STRICT), 1, 1, cmd_validate},
	{"explain", "FILE|- [COMPONENT]", "say why a screen looks as it does, and what would mend it",
         "For each surface one line that says how it stands (for a blank screen: why), then each thing that is missing, empty,\n"
         "pending, disabled, hidden or unreadable: the cause, the chain from the component over its binding to the message that\n"
         "wrote the data, and messages that would mend it. Messages that were refused follow. With COMPONENT only what concerns\n"
         "that id. --json prints one object a line. docs/explain.md lists the codes.",
         CMD_ENGINE_OPTIONS | CMD_HAS(JSON) | CMD_HAS(SURFACE), 1, 2, cmd_explain},
	{"a11y", "FILE|-", "print the accessibility tree of every surface as JSON",
         "What assistive technology is told: one line per surface, {\"focusOrder\", \"surfaceId\", \"tree\"}, with the role, name, states\n"
         "and children of each thing and where its name came from. --check prints one line per breach of the rules instead: button-name,\n"
         "label, image-alt and their kin, under the names of axe-core. docs/accessibility.md lists both.",
         CMD_ENGINE_OPTIONS | CMD_HAS(SURFACE) | CMD_HAS(CHECK), 1, 1, cmd_a11y},
	{"convert", "FILE|-", "rewrite messages in another protocol version",
         "Reads a whole stream of any versions (JSON lines, an array, {\"messages\": [...]}, an official example file) and prints it in\n"
         "the same form in the version that --to names. Upwards nothing is lost. Downwards each thing the older version cannot say\n"
         "is reported on standard error, with the message and the place in it; --json reports as JSON lines. Exits 1 when\n"
         "something was lost. docs/convert.md says what becomes of what.",
         CMD_HAS(TO) | CMD_HAS(KEYS) | CMD_HAS(CATALOG) | CMD_HAS(JSON), 1, 1, cmd_convert, "--to V"},
	{"replay", "SCRIPT|-", "run a script of agent, person and expectations",
         "Each line of the script is one step: the agent sends, the person does, time passes, something is expected. The format is\n"
         "described in docs/replay.md. A failed expectation is printed with its line, what was wanted and what was there.",
         CMD_HAS(QUIET), 1, 1, cmd_replay},
	{"minimise", "FILE|SCRIPT|-", "cut a stream down to the smallest that still shows something",
         "Leaves out steps, messages, components, properties and data for as long as the expectation of --still holds at the end,\n"
         "and prints what is left: messages, or of a script its steps and the expectation. The same input gives the same output.",
         CMD_HAS(STILL), 1, 1, cmd_minimise, "--still EXPECTATION"},
	{"conformance", "PATH...", "run the protocol's public conformance suites",
         "PATH is a suite file or a folder of them (a checkout of the suites as JSON). Every case is executed. Cases of actions this\n"
         "engine has no part in are skipped by name, with the reason. A case known to contradict the newest text of the protocol\n"
         "is executed too and counted as contradicted. The last line counts: N passed, N failed, N skipped. With --json: a line\n"
         "for each case, then one with the counts of all, of each suite and of each version.",
         CMD_HAS(JSON) | CMD_HAS(VERSION) | CMD_HAS(ROOT) | CMD_HAS(QUIET), 1, -1, cmd_conformance},
	{"prompt", "", "print the text that makes a model write interfaces",
         "The system prompt for an agent: how messages are written, what components and functions there are, and the examples. Each\n"
         "example is checked first. Without --catalog it is about the basic catalog; with several, about all of them. The same\n"
         "arguments give the same bytes.",
         CMD_HAS(CATALOG) | CMD_HAS(SHORT) | CMD_HAS(FORMAT) | CMD_HAS(VERSION) | CMD_HAS(ALLOW) | CMD_HAS(EXAMPLE) |
                 CMD_HAS(ROLE),
         0, 0, cmd_prompt},
	{"infer", "FILE|-", "read what a model wrote: text, and messages between its tags",
         "Prints JSON lines in the order of the response: {\"text\"}, {\"a2ui\": [messages]}, {\"repair\"} for each thing that was mended,\n"
         "and a line for the fault of a block that was refused. Messages are checked against the catalogs given, else against the\n"
         "basic one. To see them: shoji infer --messages FILE | shoji play -",
         CMD_HAS(CATALOG) | CMD_HAS(VERSION) | CMD_HAS(FORMAT) | CMD_HAS(STREAM) | CMD_HAS(STRICT) | CMD_HAS(MESSAGES),
         1, 1, cmd_infer},
	{"grammar", "[FILE|-]", "print what a model may write, for constrained generation",
         "Prints a GBNF grammar for llama.cpp, or with --schema a JSON Schema for the structured output of model APIs, made from a\n"
         "catalog (the basic one of --version unless --catalog names others; the first is the surface's own). With FILE the surface\n"
         "those messages make is taken into account: its ids, and the places of its data. --allow patch then allows one component\n"
         "to be redefined, or one value to be written. docs/grammar.md says what each variant promises.",
         CMD_HAS(CATALOG) | CMD_HAS(VERSION) | CMD_HAS(SURFACE) | CMD_HAS(GBNF) | CMD_HAS(SCHEMA) |
                 CMD_HAS(STRICT_SUBSET) | CMD_HAS(ALLOW) | CMD_HAS(COMPONENT) | CMD_HAS(KEY) | CMD_HAS(IDS) |
                 CMD_HAS(DIALECT) | CMD_HAS(COMPACT),
         0, 1, cmd_grammar},
	{"demo", "[NAME]", "run one of the built-in demos",
         "Without NAME: lists the demos. A demo is a small host with components and functions of its own and a scripted agent.",
         CMD_HAS(WIDTH) | CMD_HAS(ASCII) | CMD_HAS(LINEAR) | CMD_HAS(COLOUR) | CMD_HAS(DIALOGUE) |
                 CMD_HAS(SHOW_MESSAGES),
         0, 1, cmd_demo},
	CMD_DESKTOP_ROWS(cmd_desktop, cmd_desktop, cmd_desktop),
};
const unsigned CMD_NVERBS = sizeof CMD_VERBS / sizeof *CMD_VERBS;

static void usage(FILE *to)
{
	fputs("shoji: user interfaces that agents describe, shown and checked\n\nUsage: shoji VERB [OPTION]... ARGUMENT...\n\nVerbs:\n", to);
	for (unsigned i = 0; i < CMD_NVERBS; i++)
		fprintf(to, "  %-12s %s\n", CMD_VERBS[i].name, CMD_VERBS[i].title);
	fputs("\nshoji VERB --help says more; shoji --version names the version. Results go to standard output, everything else to\n"
	      "standard error. Exit status: 0 all well, 1 the input has a fault or an expectation failed, 2 wrong use, 3 input or\n"
	      "output failed.\n",
	      to);
}

static const struct cmd_verb *find(const char *name)
{
	for (unsigned i = 0; i < CMD_NVERBS; i++)
		if (strcmp(CMD_VERBS[i].name, name) == 0)
			return &CMD_VERBS[i];
	return NULL;
}

static const char *nearest(const char *name)
{
	struct cmd_near near = {.want = sj_slice_of(name)};
	for (unsigned i = 0; i < CMD_NVERBS; i++)
		cmd_near(&near, CMD_VERBS[i].name);
	return near.found;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct cmd_args args;
	struct sj_mem mem;

	sj_mem_init(&mem, NULL, 0);
	if (argc < 2) {
		usage(stderr);
		return CMD_USAGE;
	}
	if (strcmp(name, "--version") == 0) {
		puts("shoji " SHOJI_VERSION);
		return cmd_finish(CMD_OK);
	}
	bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
	if (help && argc == 2) {
		usage(stdout);
		return cmd_finish(CMD_OK);
	}
	const struct cmd_verb *verb = find(help ? argv[2] : name);
	if (!verb) {
		const char *near = nearest(help ? argv[2] : name);
		cmd_usage_error(NULL, "there is no verb %s%s%s%s", help ? argv[2] : name, near ? "; did you mean " : "",
		                near ? near : "", near ? "?" : "");
		return CMD_USAGE;
	}
	if (help) {
		cmd_verb_help(verb);
		return cmd_finish(CMD_OK);
	}
	/* Options are moved about while they are read. */
	char **given = sj_mem_alloc(&mem, (size_t)(argc + 1) * sizeof *given);
	if (!given)
		return CMD_IO;
	memcpy(given, argv, (size_t)(argc + 1) * sizeof *given);
	bool fits = cmd_options(verb, argc - 2, argv + 2, &args);
	if (!fits || cmd_has(&args, CMD_OPT_HELP)) {
		sj_mem_free(&mem, given, (size_t)(argc + 1) * sizeof *given);
		if (fits)
			cmd_verb_help(verb);
		return fits ? cmd_finish(CMD_OK) : CMD_USAGE;
	}
	args.mem = &mem;
	args.given = given;
	int code = verb->run(&args);
	sj_mem_free(&mem, given, (size_t)(argc + 1) * sizeof *given);
	return cmd_finish(code);
}
