/* Runs the command as a black box: what it prints where, and how it ends. */
#ifndef SJ_TESTS_CMD_RUN_H
#define SJ_TESTS_CMD_RUN_H

#include "harness/test.h"

struct outcome {
	int status;
	struct sj_slice out, err; /* released with the test */
};
/* Runs shoji with the arguments up to NULL; `input` is its standard input, standard output goes to a file or (NULL)
 * into the outcome. */
struct outcome run_to(const char *stdout_path, const char *input, const char *const *args);
#define RUN(input, ...) run_to(NULL, (input), (const char *const[]){__VA_ARGS__, NULL})

/* A new file in $TMPDIR with this content (NULL: none yet); its path has room for 512 bytes. */
int temporary(char *path, const char *content);

bool has(struct sj_slice text, const char *part);
#define CHECK_HAS(text, part)                                                                                          \
	do {                                                                                                           \
		if (!has((text), (part)))                                                                              \
			sj_fail_at(__FILE__, __LINE__, "\"%s\" is not in: %.*s", (part), SJ_ARG(text));                \
	} while (0)

#endif
