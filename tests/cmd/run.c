#include "cmd/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS 12

int temporary(char *path, const char *content)
{
	const char *folder = getenv("TMPDIR");
	snprintf(path, 512, "%s/shoji-test-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);
	if (fd >= 0 && content && write(fd, content, strlen(content)) != (ssize_t)strlen(content))
		sj_fail_at(__FILE__, __LINE__, "%s cannot be written", path);
	if (fd >= 0 && content)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

struct outcome run_to(const char *stdout_path, const char *input, const char *const *args)
{
	char in_path[512], out_path[512], err_path[512], *argv[MAX_ARGS + 2] = {0};
	const char *bin = getenv("SHOJI_BIN");
	struct outcome o = {-1, SJ_NO_SLICE, SJ_NO_SLICE};
	int in = temporary(in_path, input ? input : ""), out = temporary(out_path, NULL),
	    err = temporary(err_path, NULL);
	if (stdout_path) {
		close(out);
		out = open(stdout_path, O_WRONLY);
	}
	CHECK(bin && in >= 0 && out >= 0 && err >= 0);
	for (int i = 0; i < MAX_ARGS && args[i]; i++)
		argv[i + 1] = strdup(args[i]);
	argv[0] = strdup(bin ? bin : "shoji");
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		setenv("TERM", "dumb", 1);
		if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
			_exit(99);
		execv(argv[0], argv);
		_exit(98);
	}
	int status = 0;
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		sj_fail_at(__FILE__, __LINE__, "the command could not be started");
	o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	o.out = sj_slurp(out_path);
	o.err = sj_slurp(err_path);
	for (int i = 0; argv[i]; i++)
		free(argv[i]);
	close(in);
	close(out);
	close(err);
	unlink(in_path);
	unlink(out_path);
	unlink(err_path);
	return o;
}

bool has(struct sj_slice text, const char *part)
{
	size_t len = strlen(part);
	for (size_t i = 0; i + len <= text.len; i++)
		if (memcmp(text.ptr + i, part, len) == 0)
			return true;
	return false;
}
