/* Cold processes: cold RUNS COMMAND ARGS... runs a command again and again with its output thrown away and prints one
 * JSON line: median and minimum wall time, and the largest resident size. A small parent of its own, because a child's
 * peak also counts what it was forked from. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	long runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	if (runs < 1 || runs > 1000) {
		fprintf(stderr, "usage: cold RUNS COMMAND ARGS...\n");
		return 2;
	}
	double *t = calloc((size_t)runs, sizeof *t);
	posix_spawn_file_actions_t actions;
	if (!t || posix_spawn_file_actions_init(&actions) != 0)
		return 1;
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	for (long i = 0; i < runs; i++) {
		pid_t pid;
		int status;
		double a = now_ms();
		if (posix_spawnp(&pid, argv[2], &actions, NULL, argv + 2, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0) {
			fprintf(stderr, "cold: %s failed\n", argv[2]);
			return 1;
		}
		t[i] = now_ms() - a;
	}
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	qsort(t, (size_t)runs, sizeof *t, by_value);
	printf("{\"med_ms\":%.3f,\"min_ms\":%.3f,\"rss\":%ld,\"runs\":%ld}\n", t[runs / 2], t[0], usage.ru_maxrss * 1024L, runs);
	posix_spawn_file_actions_destroy(&actions);
	free(t);
	return 0;
}
