#include "harness/test.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TESTS = 1024, NAME_BYTES = 200 };

static struct {
	const char *name;
	sj_test_fn fn;
} tests[MAX_TESTS];
static unsigned test_count;

static struct sj_mem account;
static unsigned printed, failures;
static struct {
	char name[NAME_BYTES];
	char skip[NAME_BYTES];
	bool failed, open;
} outer, inner; /* the running test, and the data-driven case inside it */

struct kept { /* memory the harness gives back when the test ends */
	struct kept *next;
	void *ptr;
};
static struct kept *kept;

void sj_test_register(const char *name, sj_test_fn fn)
{
	if (test_count == MAX_TESTS) {
		fprintf(stderr, "too many tests in one program\n");
		abort();
	}
	tests[test_count].name = name;
	tests[test_count++].fn = fn;
}

static void *keep(size_t bytes)
{
	struct kept *k = malloc(sizeof *k);
	void *p = calloc(1, bytes);
	if (!k || !p)
		abort();
	*k = (struct kept){kept, p};
	kept = k;
	return p;
}

static void release_kept(void)
{
	while (kept) {
		struct kept *k = kept;
		kept = k->next;
		free(k->ptr);
		free(k);
	}
}

/* '#' begins a directive in TAP and a line break ends the line, so neither may stand in a name. */
static void put_name(const char *name)
{
	for (; *name; name++)
		putchar(*name == '#' ? '%' : (unsigned char)*name < ' ' ? '?' : *name);
}

static void report(const char *prefix, const char *name, bool failed, const char *skip)
{
	printf("%sok %u - ", failed ? "not " : "", ++printed);
	put_name(prefix);
	put_name(name);
	if (skip[0] && !failed)
		printf(" # SKIP %s", skip);
	putchar('\n');
	fflush(stdout);
	failures += failed;
}

void sj_case(const char *format, ...)
{
	sj_case_end();
	va_list args;
	va_start(args, format);
	vsnprintf(inner.name, sizeof inner.name, format, args);
	va_end(args);
	inner.skip[0] = '\0';
	inner.failed = false;
	inner.open = true;
}

void sj_case_end(void)
{
	if (!inner.open)
		return;
	char prefix[NAME_BYTES];
	snprintf(prefix, sizeof prefix, "%.150s: ", outer.name);
	report(prefix, inner.name, inner.failed, inner.skip);
	inner.open = false;
}

void sj_skip(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *skip = inner.open ? inner.skip : outer.skip;
	vsnprintf(skip, NAME_BYTES, format, args);
	va_end(args);
}

void sj_fail_at(const char *file, int line, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char text[4096];
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	printf("# %s:%d: ", file, line);
	for (const char *p = text; *p; p++) {
		putchar(*p);
		if (*p == '\n' && p[1])
			printf("#   ");
	}
	putchar('\n');
	*(inner.open ? &inner.failed : &outer.failed) = true;
}

bool sj_failed(void) { return inner.open ? inner.failed : outer.failed; }

void sj_check_slice(const char *file, int line, const char *what, struct sj_slice got, struct sj_slice want)
{
	if (!sj_slice_eq(got, want))
		sj_fail_at(file, line, "%s: got \"%.*s\" (%zu bytes), want \"%.*s\" (%zu bytes)", what, SJ_ARG(got),
		           got.len, SJ_ARG(want), want.len);
}

struct sj_mem *sj_test_mem(void) { return &account; }

void sj_torture(enum sj_status (*fn)(struct sj_mem *mem, void *ctx), void *ctx)
{
	enum { MOST_CALLS = 1000000 };
	for (int once = 0; once < 2; once++) {
		for (uint64_t n = 1; n <= MOST_CALLS; n++) {
			struct sj_mem mem;
			sj_mem_init(&mem, NULL, 0);
			mem.fail_at = n;
			mem.fail_once = once;
			enum sj_status st = fn(&mem, ctx);
			if (mem.used_bytes) {
				sj_fail_at(__FILE__, __LINE__, "allocation %llu failing leaves %zu bytes",
				           (unsigned long long)n, mem.used_bytes);
				return;
			}
			bool reached = mem.calls >= n;
			if (st == SJ_OK && !reached)
				break;
			if (st != SJ_OK && !reached) {
				sj_fail_at(__FILE__, __LINE__, "status %d with no allocation failing", (int)st);
				return;
			}
			if (st != SJ_OK && st != SJ_NOMEM) {
				sj_fail_at(__FILE__, __LINE__, "allocation %llu failing gives status %d, want SJ_NOMEM",
				           (unsigned long long)n, (int)st);
				return;
			}
			if (n == MOST_CALLS)
				sj_fail_at(__FILE__, __LINE__, "still allocating after %d calls", MOST_CALLS);
		}
	}
}

static const char *join(char *out, size_t size, const char *root, const char *relative)
{
	int n = snprintf(out, size, "%s/%s", root, relative);
	return n > 0 && (size_t)n < size ? out : NULL;
}

static bool is_there(const char *path)
{
	FILE *f = fopen(path, "rb"); /* opens folders too */
	if (f)
		fclose(f);
	return f != NULL;
}

const char *sj_root(const char *relative)
{
	static char path[4096];
	const char *root = getenv("SHOJI_TEST_ROOT");
	return join(path, sizeof path, root ? root : ".", relative);
}

const char *sj_data(const char *relative)
{
	static char path[4096];
	char data[4000];
	const char *root = getenv("SHOJI_TEST_DATA");
	if (!root) {
		const char *tree = getenv("SHOJI_TEST_ROOT");
		root = join(data, sizeof data, tree ? tree : ".", "../shared/data");
	}
	const char *full = root ? join(path, sizeof path, root, relative) : NULL;
	return full && is_there(full) ? full : NULL;
}

struct sj_slice sj_slurp(const char *path)
{
	FILE *f = path ? fopen(path, "rb") : NULL;
	if (!f)
		return SJ_NO_SLICE;
	size_t len = 0, cap = 65536;
	char *all = malloc(cap);
	size_t n;
	while (all && (n = fread(all + len, 1, cap - len, f)) > 0) {
		len += n;
		if (len == cap)
			all = realloc(all, cap *= 2);
	}
	bool bad = ferror(f);
	fclose(f);
	if (!all || bad) {
		free(all);
		return SJ_NO_SLICE;
	}
	char *copy = keep(len + 1); /* exact size, so that ASan sees reads past the end; NUL beyond it */
	memcpy(copy, all, len);
	free(all);
	return (struct sj_slice){copy, len};
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t sj_list_dir(const char *path, const char *suffix, char ***names)
{
	*names = NULL;
	DIR *dir = path ? opendir(path) : NULL;
	if (!dir)
		return 0;
	size_t count = 0, cap = 0, tail = strlen(suffix);
	char **list = NULL;
	struct dirent *e;
	while ((e = readdir(dir))) {
		size_t len = strlen(e->d_name);
		if (e->d_name[0] == '.' || len < tail || strcmp(e->d_name + len - tail, suffix) != 0)
			continue;
		if (count == cap) {
			cap = cap ? cap * 2 : 64;
			char **more = keep(cap * sizeof *more);
			if (count)
				memcpy(more, list, count * sizeof *more);
			list = more;
		}
		list[count] = keep(len + 1);
		memcpy(list[count++], e->d_name, len);
	}
	closedir(dir);
	if (count)
		qsort(list, count, sizeof *list, by_name);
	*names = list;
	return count;
}

static void run(const char *name, sj_test_fn fn)
{
	snprintf(outer.name, sizeof outer.name, "%s", name);
	outer.skip[0] = '\0';
	outer.failed = false;
	inner.open = false;
	sj_mem_init(&account, NULL, 0);
	fn();
	sj_case_end();
	if (account.used_bytes)
		sj_fail_at(__FILE__, __LINE__, "%s leaves %zu bytes in its memory account", name, account.used_bytes);
	release_kept();
	report("", outer.name, outer.failed, outer.skip);
}

/* Arguments, when there are any, are parts of names: only tests that hold one of them run. */
static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(name, argv[i]))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	printf("TAP version 13\n");
	for (unsigned i = 0; i < test_count; i++)
		if (is_wanted(tests[i].name, argc, argv))
			run(tests[i].name, tests[i].fn);
	printf("1..%u\n", printed);
	return failures ? 1 : 0;
}
