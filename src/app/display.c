/* A display for what needs one, also where there is none. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app.h"

/* Starts Xvfb on a free number; it ends with us, however we end. The number, or -1. */
static int start_server(void)
{
	int ends[2];
	char text[32] = "", fd[16];
	if (pipe(ends) != 0)
		return -1;
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		close(ends[0]);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		int nowhere = open("/dev/null", O_RDWR);
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		g_snprintf(fd, sizeof fd, "%d", ends[1]);
		if (getppid() == parent)
			execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", "4096x4096x24", "-nolisten", "tcp",
			       "-noreset", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	size_t have = 0;
	ssize_t n;
	while (child > 0 && have < sizeof text - 1 && (n = read(ends[0], text + have, sizeof text - 1 - have)) > 0) {
		have += (size_t)n;
		if (memchr(text, '\n', have))
			break;
	}
	close(ends[0]);
	return memchr(text, '\n', have) ? (int)g_ascii_strtoll(text, NULL, 10) : -1;
}

bool app_display(void)
{
	const char *x = g_getenv("DISPLAY"), *wayland = g_getenv("WAYLAND_DISPLAY");
	if (!(x && *x) && !(wayland && *wayland)) {
		int number = start_server();
		if (number < 0) {
			cmd_say("shoji: there is no display, and no Xvfb to make one (Debian: xvfb).\n");
			return false;
		}
		char *display = g_strdup_printf(":%d", number);
		g_setenv("DISPLAY", display, TRUE);
		g_setenv("GDK_BACKEND", "x11", TRUE);
		g_free(display);
	}
	if (gtk_init_check())
		return true;
	cmd_say("shoji: the display cannot be used.\n");
	return false;
}
