/* The runner of the protocol's conformance suites: what its files share.
 *
 * A suite is a JSON array of cases {name, action, ...}; an action is one row of the table in conformance.c and one
 * function that executes the case on the engine and compares values. Nothing is judged by shape alone. Where a suite
 * writes something no wire has (a shorthand of its own, an id the engine must choose itself), the function that
 * translates it says so. Requirements a2ui 22 and Appendix B.
 */
#ifndef SJ_CMD_CONFORMANCE_H
#define SJ_CMD_CONFORMANCE_H

#include "cmd/session.h"

struct trial { /* one running case */
	struct sj_mem *mem;
	const char *root;          /* folder with specification/, catalogs/ and conformance/ */
	const struct sj_value *c;  /* the case */
	enum sj_version version;   /* the case's protocolVersion; NONE: it names none */
	bool reserved_keys;        /* the suite is about the newer spelling of v1.0 */
	struct sj_buf why;         /* empty: nothing wrong so far */
	bool skipped;              /* `why` is the reason */
};
void trial_fail(struct trial *t, const char *format, ...)
	__attribute__((format(printf, 2, 3))); /* the first reason stays */
void trial_skip(struct trial *t, const char *reason);
static inline bool trial_failed(const struct trial *t) { return t->why.len > 0; }
/* CONTRADICTED: executed and failed, as it must: the case contradicts the newest text of the protocol
 * (conformance_known.c). */
enum cmd_verdict { CMD_PASSED, CMD_CONTRADICTED, CMD_FAILED, CMD_SKIPPED, CMD_VERDICTS };
struct cmd_case {
	const char *suite; /* path of its file */
	struct sj_slice name, action;
	enum sj_version version; /* NONE: it is about no version */
	enum cmd_verdict verdict;
	struct sj_slice why; /* empty when passed */
};
typedef void (*cmd_suite_fn)(void *ctx, const struct cmd_case *c);
/* Runs a suite, or every suite below a folder. */
int cmd_conformance_run(struct sj_mem *mem, const char *path, const char *root, enum sj_version only, cmd_suite_fn fn,
                        void *ctx);

/* A case that contradicts the newest text. Kept as short as honesty allows; each row names what it contradicts. */
struct conformance_known {
	const char *suite;  /* end of the suite's path, from a folder's name on: "agent/express/compiler.json" */
	const char *name;   /* of the case */
	const char *reason; /* with the newer rule and where it stands */
};
extern const struct conformance_known CONFORMANCE_KNOWN[]; /* ends with a row of NULL */
/* The verdict in the light of the table: a listed case that failed is contradicted, one that passed has a stale row,
 * which is a failure. `why` gets the reason at its end. */
enum cmd_verdict conformance_judge(const struct conformance_known *table, const char *suite, struct sj_slice name,
                                   enum cmd_verdict verdict, struct sj_buf *why);

/* A file below root (tried as given, below conformance/, and with .json for .yaml). false: the trial has failed. */
bool trial_read(struct trial *t, struct sj_slice path, struct sj_buf *out);
bool trial_load(struct trial *t, struct sj_slice path, struct sj_value *out);

/* values.c-like helpers, in conformance_bench.c */
const struct sj_value *case_member(const struct trial *t, const char *key);
struct sj_value value_copy(struct sj_mem *mem, const struct sj_value *v); /* across accounts; NULL becomes absent */
struct sj_value value_of_json(struct sj_mem *mem, struct sj_slice json);  /* null when it is no JSON */
void value_put(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_value take);
void value_put_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text);
bool value_text_is(const struct sj_value *v, const char *text);
/* Fails the trial when the two differ. */
void trial_match(struct trial *t, const char *what, const struct sj_value *want, const struct sj_value *got,
                 bool exact);
void trial_match_json(struct trial *t, const char *what, const struct sj_value *want, struct sj_slice json, bool exact);

/* Every text of the list (NULL: none) is in the text, or (not there) is not. */
void trial_contains(struct trial *t, const struct sj_value *list, struct sj_slice text, bool there);

struct sj_parts;
/* Parts of a response as the suites write them: text, a2ui, a2ui_raw with is_final. */
struct sj_value value_of_response(struct trial *t, const struct sj_parts *parts);

/* An engine for one case, with everything it said. */
struct bench_fault {
	struct sj_diag diag;
	uint32_t message; /* 1-based within the last feed; 0: not of a message */
};
struct bench {
	struct trial *t;
	struct sj_engine *engine;
	uint32_t peer;
	uint32_t messages; /* before the last feed */
	struct sj_value sent, called;
	SJ_VEC(struct bench_fault) faults;
};
bool bench_open(struct bench *b, struct trial *t, const struct sj_engine_config *cfg); /* false: the trial has failed */
void bench_close(struct bench *b);
void bench_feed(struct bench *b, const struct sj_value *batch); /* and takes all events */
void bench_drain(struct bench *b);
void bench_forget(struct bench *b); /* what was said so far */
/* The catalogs a case names: files, documents inside it, and names its surfaces use for them. Non-strict: such names
 * accept everything. */
bool bench_catalogs(struct bench *b, const struct sj_value *messages, bool strict);
bool bench_add_document(struct bench *b, const struct sj_value *document, struct sj_slice alias,
                        enum sj_version version);
/* Is this the error that was expected? Substring for messages, subclasses for categories, exact codes. */
bool error_fits(struct trial *t, const struct sj_value *expected, const struct bench_fault *f);
void trial_expect_error(struct trial *t, const struct sj_value *expected, const struct bench *b);
void trial_expect_diag(struct trial *t, const struct sj_value *expected, const struct sj_diag *d);

/* The actions. */
void act_messages(struct trial *t);            /* process_messages, validate */
void act_renderer_data_model(struct trial *t);
void act_renderer_capabilities(struct trial *t);
void act_data_model(struct trial *t);
void act_parse_template(struct trial *t);
void act_evaluate(struct trial *t);
void act_resolve_path(struct trial *t);
void act_dispatch(struct trial *t);
void act_rpc(struct trial *t);
void act_accessibility(struct trial *t);
void act_nodes(struct trial *t);
void act_from_json(struct trial *t);
void act_catalog_schema(struct trial *t);
void act_select_catalog(struct trial *t);
void act_common_types(struct trial *t);
void act_common_type(struct trial *t);
void act_select_for_client(struct trial *t); /* conformance_legacy.c */
void act_load_catalog(struct trial *t);
void act_generate_prompt(struct trial *t);
void act_provide_catalog(struct trial *t); /* conformance_session.c */
void act_resolve_catalogs(struct trial *t);
void act_prune(struct trial *t);
void act_create_session(struct trial *t);
void act_prompt_snippet(struct trial *t);
void act_create_part(struct trial *t); /* conformance_extensions.c */
void act_is_part(struct trial *t);
void act_get_extension(struct trial *t);
void act_try_activate(struct trial *t);
void act_try_activate_extension(struct trial *t);
void act_select_newest(struct trial *t);
void act_convert_event(struct trial *t);
void act_execute_tool(struct trial *t);
void act_a2a_request(struct trial *t); /* handle_rpc with a request */
void act_unwrap(struct trial *t); /* of any format */
void act_wrap(struct trial *t);
void act_compile(struct trial *t);
void act_decompile(struct trial *t);
void act_parse_response(struct trial *t);
void act_parse_chunk(struct trial *t);
void act_process_chunk(struct trial *t); /* conformance_chunks.c */
void act_parse_full(struct trial *t);
void act_fix_payload(struct trial *t);
void act_has_parts(struct trial *t);

/* conformance_schema.c: the cases of specification/VERSION/test/cases, {schema, catalog?, tests: [{description, valid,
 * data}]}, against our own message schemas and our own basic catalog. NULL: `why` of t says so. */
struct schema_suite;
struct schema_suite *schema_suite_open(struct trial *t, const char *path, const struct sj_value *doc);
void schema_suite_close(struct schema_suite *s);
void schema_suite_test(struct schema_suite *s, struct trial *t, const struct sj_value *test);

#endif
