/* The command `shoji`: a table of verbs, one file each. Results go to stdout, talk goes to stderr, the exit status says
 * how it went. Options, help and the manual page come from the same tables (main.c, options.c).
 */
#ifndef SJ_CMD_CMD_H
#define SJ_CMD_CMD_H

#include "base/buf.h"
#include "engine/engine.h"

enum cmd_exit {
	CMD_OK = 0,
	CMD_INVALID = 1, /* the input has a fault, or an expectation failed */
	CMD_USAGE = 2,
	CMD_IO = 3, /* a file or stream could not be read or written; out of memory */
};

/* X(NAME, "name", "ARGUMENT" or NULL, "what it does") */
#define CMD_OPTIONS(X)                                                                                                 \
	X(HELP, "help", NULL, "show this help")                                                                        \
	X(WIDTH, "width", "COLUMNS", "width of the picture (default: the terminal's, at most 100, else 80)")           \
	X(ASCII, "ascii", NULL, "draw with ASCII characters only")                                                     \
	X(LINEAR, "linear", NULL, "one line per thing with its role, for screen readers; no boxes")                    \
	X(COLOUR, "colour", "WHEN", "auto (default), always or never")                                                 \
	X(DIALOGUE, "dialogue", NULL, "talk even when standard input is no terminal")                                  \
	X(CATALOG, "catalog", "FILE", "also know the components of this catalog document (may be repeated)")           \
	X(PERMISSIVE, "permissive", "ID", "accept any component for this catalog id (may be repeated)")                \
	X(SUBMIT_GATE, "submit-gate", "own|surface", "which failing checks disable a button (default: own)")           \
	X(LOCALE, "locale", "NAME", "language of formatted numbers and dates (default: en)")                           \
	X(TZ, "tz", "ZONE", "time zone of formatted dates: UTC or an offset like +09:00 (default: UTC)")                                             \
	X(NOW, "now", "MS", "the clock in Unix milliseconds (default: the real one in play, else 0)")              \
	X(SHOW_MESSAGES, "show-messages", NULL, "print what is sent to the agent on stderr, one JSON line each")       \
	X(JSON, "json", NULL, "machine-readable output")                                                               \
	X(VERSION, "version", "V", "the protocol version: 0.8, 0.9, 0.9.1 or 1.0 (of a suite, only its cases)")        \
	X(ROOT, "root", "DIR", "where the suites' relative paths begin (default: found beside the suite)")             \
	X(TO, "to", "V", "the protocol version to write (v0.8, v0.9, v0.9.1, v1.0)")                                   \
	X(KEYS, "keys", "WHICH", "how v1.0 spells bindings and calls: reserved (default) or bare")                     \
	X(QUIET, "quiet", NULL, "print only what failed")                                                              \
	X(SURFACE, "surface", "ID", "only the surface of this id")                                                     \
	X(RECORD, "record", "FILE", "write everything that happens as a replay script; secrets are masked")            \
	X(STILL, "still", "EXPECTATION", "what must still be so: a JSON object as in docs/replay.md")                  \
	X(CHECK, "check", NULL, "say what is wrong with it instead of printing it")                                   \
	X(SHORT, "short", NULL, "signatures instead of whole schemas")                                                 \
	X(FORMAT, "format", "NAME", "direct-json (default), express, vertical or elemental")                           \
	X(ALLOW, "allow", "MESSAGE", "only this kind of message (may be repeated)")                                    \
	X(EXAMPLE, "example", "FILE", "show the messages of this file as an example (may be repeated)")                \
	X(ROLE, "role", "TEXT", "begin with this text") \
	X(STREAM, "stream", NULL, "print parts as they become certain, updates with what is new")                      \
	X(STRICT, "strict", NULL, "repair nothing; validate: warnings too make the exit status 1")                    \
	X(MESSAGES, "messages", NULL, "print only the messages, one JSON line each")                                   \
	X(LINT, "lint", NULL, "also warn of what a careful reviewer would")                                            \
	X(GBNF, "gbnf", NULL, "a grammar for llama.cpp (the default)")                                                 \
	X(SCHEMA, "schema", NULL, "a JSON Schema for structured output")                                               \
	X(STRICT_SUBSET, "strict-subset", NULL, "the schema in what strict structured output accepts")                 \
	X(COMPONENT, "component", "NAME", "only this type; of a patch also an id (may be repeated)")                   \
	X(KEY, "key", "NAME", "a key that data may have (may be repeated)")                                            \
	X(IDS, "ids", "free|tree", "ids of a new surface: any (default), or numbered, in a tree that is whole")        \
	X(DIALECT, "dialect", "bare|reserved", "keys of v1.0: path and call (default), or @path and @call")            \
	X(HEIGHT, "height", "PIXELS", "height of the picture (default: as much as the screen wants)")                   \
	X(OUTPUT, "output", "FILE", "where the picture goes, a PNG; -o for short (default: out.png)")                  \
	X(DARK, "dark", NULL, "dark instead of light")                                                                 \
	X(RTL, "rtl", NULL, "laid out from right to left")                                                             \
	X(TEXT_SIZE, "text-size", "PERCENT", "size of the text, 50 to 400 (default: 100)")                             \
	X(COMPACT, "compact", NULL, "no white space between tokens")

enum cmd_option {
#define CMD_OPTION_ENUM(name, text, arg, help) CMD_OPT_##name,
	CMD_OPTIONS(CMD_OPTION_ENUM)
#undef CMD_OPTION_ENUM
	CMD_OPT_COUNT
};
#define CMD_HAS(name) (UINT64_C(1) << CMD_OPT_##name)
#define CMD_ENGINE_OPTIONS                                                                                             \
	(CMD_HAS(CATALOG) | CMD_HAS(PERMISSIVE) | CMD_HAS(SUBMIT_GATE) | CMD_HAS(LOCALE) | CMD_HAS(TZ) | CMD_HAS(NOW))

#define CMD_MAX_REPEATS 64
struct cmd_args {
	struct sj_mem *mem; /* the command's own account */
	const char *value[CMD_OPT_COUNT]; /* "" for a flag that is set; NULL: not given */
	const char *catalogs[CMD_MAX_REPEATS], *permissive[CMD_MAX_REPEATS];
	const char *allowed[CMD_MAX_REPEATS], *examples[CMD_MAX_REPEATS];
	int ncatalogs, npermissive, nallowed, nexamples;
	const char *components[CMD_MAX_REPEATS], *keys[CMD_MAX_REPEATS];
	int ncomponents, nkeys;
	char **rest; /* the arguments that are no options */
	int nrest;
	char **given; /* all arguments from the verb on, as they were given, and NULL */
};
static inline bool cmd_has(const struct cmd_args *a, enum cmd_option o) { return a->value[o] != NULL; }

struct cmd_verb {
	const char *name, *args, *title, *help;
	uint64_t options; /* CMD_HAS bits; --help belongs to all */
	int min_rest, max_rest; /* max -1: any */
	int (*run)(const struct cmd_args *args);
	const char *required; /* options that must be given, as they stand in the usage line; NULL: none */
};
extern const struct cmd_verb CMD_VERBS[];
extern const unsigned CMD_NVERBS;

int cmd_play(const struct cmd_args *args);
int cmd_tree(const struct cmd_args *args);
int cmd_validate(const struct cmd_args *args);
int cmd_explain(const struct cmd_args *args);
int cmd_a11y(const struct cmd_args *args);
int cmd_convert(const struct cmd_args *args);
int cmd_replay(const struct cmd_args *args);
int cmd_minimise(const struct cmd_args *args);
int cmd_conformance(const struct cmd_args *args);
int cmd_demo(const struct cmd_args *args);
int cmd_grammar(const struct cmd_args *args);
int cmd_prompt(const struct cmd_args *args);
int cmd_infer(const struct cmd_args *args);

/* options.c. Reads the options of a verb; moves the rest to the front of argv. On a mistake: says so on stderr, false.
 */
bool cmd_options(const struct cmd_verb *verb, int argc, char **argv, struct cmd_args *out);
void cmd_verb_help(const struct cmd_verb *verb);
void cmd_usage_error(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The word that is nearest to `want`, of those offered one by one; NULL: none is near. */
struct cmd_near {
	struct sj_slice want;
	const char *found;
	uint32_t steps;
};
void cmd_near(struct cmd_near *n, const char *word);

/* input.c */
int cmd_read(
	const char *path,
	struct sj_buf *out); /* whole file, "-" is stdin; CMD_IO, CMD_INVALID for what is no text (said on stderr) */
void cmd_print(struct sj_slice text);               /* to stdout */
void cmd_print_json(struct sj_slice json);          /* the same; a terminal gets no control characters */
void cmd_print_line(struct sj_slice text);          /* to stdout as one line, control characters stripped */
void cmd_say_json(struct sj_slice json);            /* to stderr, likewise */
void cmd_say(const char *format, ...)
	__attribute__((format(printf, 1, 2)));      /* to stderr, control characters stripped */
int cmd_finish(int exit_code);                      /* flushes stdout; CMD_IO when that fails */
/* Parses text; faults are said on stderr with `name`. */
bool cmd_parse(struct sj_mem *mem, struct sj_slice text, const char *name, struct sj_value *out);

#endif
