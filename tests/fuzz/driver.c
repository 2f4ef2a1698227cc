/* Runs a fuzzing program as an ordinary test: every file of its corpus is a case, and so that the corpus reaches
 * further than its own bytes, each is also tried cut short and, with a seeded generator, damaged a few hundred times.
 * TAP on stdout.
 *
 * The corpus is tests/fuzz/corpus/NAME for a program called test_fuzz_NAME or fuzz_NAME. Arguments are files to run
 * instead, as they are: a crash that libFuzzer found is repeated with them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/random.h"

enum { MOST_FILES = 4096, DAMAGED = 300, CUTS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
	uint8_t *ptr;
	size_t len;
};

static struct bytes slurp(const char *path)
{
	struct bytes b = {NULL, 0};
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) != 0)
		goto done;
	long n = ftell(f);
	rewind(f);
	b.ptr = n >= 0 ? malloc((size_t)n + 1) : NULL;
	if (b.ptr)
		b.len = fread(b.ptr, 1, (size_t)n, f);
done:
	if (f)
		fclose(f);
	return b;
}

/* A copy of exactly this size, so that ASan sees a read past the end. */
static void run(const uint8_t *data, size_t len)
{
	uint8_t *exact = malloc(len ? len : 1);
	if (!exact)
		abort();
	memcpy(exact, data, len);
	LLVMFuzzerTestOneInput(exact, len);
	free(exact);
}

static void run_cut(struct bytes b)
{
	size_t step = b.len / CUTS + 1;
	for (size_t n = 0; n < b.len; n += step)
		run(b.ptr, n);
}

static void run_damaged(struct bytes b, struct sj_random *r)
{
	if (b.len == 0)
		return;
	uint8_t *work = malloc(b.len * 2);
	if (!work)
		abort();
	for (int i = 0; i < DAMAGED; i++) {
		size_t len = b.len;
		memcpy(work, b.ptr, len);
		for (uint32_t n = 1 + sj_random_below(r, 4); n > 0; n--) {
			size_t at = sj_random_below(r, (uint32_t)len), from = sj_random_below(r, (uint32_t)b.len);
			size_t most = b.len - from < len - at ? b.len - from : len - at;
			switch (sj_random_below(r, 4)) {
			case 0:
				work[at] = (uint8_t)sj_random_next(r);
				break;
			case 1:
				work[at] ^= (uint8_t)(1u << sj_random_below(r, 8));
				break;
			case 2: /* another part of the file in its place */
				memcpy(work + at, b.ptr + from, sj_random_below(r, (uint32_t)most + 1));
				break;
			default: /* a part taken out */
				if (len > 1) {
					size_t gone = 1 + sj_random_below(r, (uint32_t)(len - at < 8 ? len - at : 8));
					gone = gone < len ? gone : len - 1;
					memmove(work + at, work + at + gone, len - at - gone);
					len -= gone;
				}
			}
		}
		run(work, len);
	}
	free(work);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int run_corpus(const char *folder)
{
	static char *names[MOST_FILES];
	size_t count = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir)) && count < MOST_FILES;)
		if (e->d_name[0] != '.' && !(names[count] = strdup(e->d_name), names[count] == NULL))
			count++;
	if (dir)
		closedir(dir);
	qsort(names, count, sizeof *names, by_name);
	printf("1..%zu\n", count + 1);
	printf("%sok 1 - corpus %s\n", count ? "" : "not ", folder);
	for (size_t i = 0; i < count; i++) {
		char path[5000];
		struct sj_random r = {i};
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		struct bytes b = slurp(path);
		printf("# %s\n", names[i]); /* before the run: should it abort, the name stands there */
		fflush(stdout);
		run(b.ptr ? b.ptr : (const uint8_t *)"", b.len);
		run_cut(b);
		run_damaged(b, &r);
		printf("%sok %zu - %s\n", b.ptr ? "" : "not ", i + 2, names[i]);
		free(b.ptr);
		free(names[i]);
	}
	return count ? 0 : 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct bytes b = slurp(argv[i]);
		if (!b.ptr) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		run(b.ptr, b.len);
		free(b.ptr);
	}
	if (argc > 1)
		return 0;
	const char *root = getenv("SHOJI_TEST_ROOT"), *name = strstr(argv[0], "fuzz_");
	for (const char *next = name; next; next = strstr(next + 1, "fuzz_"))
		name = next;
	char folder[4096];
	snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", root ? root : ".", name ? name + 5 : "");
	printf("TAP version 13\n");
	return run_corpus(folder);
}
