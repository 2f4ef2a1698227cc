/* The verbs that need GTK. Their rows stand here once, for the command, which hands them on, and for the desktop
 * program, which does them. `run` is the function of a row.
 */
#ifndef SJ_CMD_DESKTOP_H
#define SJ_CMD_DESKTOP_H

#include "cmd/cmd.h"

#define CMD_WINDOW_HELP                                                                                                \
	"The desktop app: chat, library, tools, logs and settings in one window. It needs a display."
#define CMD_OPEN_HELP                                                                                                  \
	"Shows what the messages of FILE describe in a window of native widgets. Each message for the agent is\n"      \
	"printed as one JSON line when the person acts; further messages of the agent are read from standard\n"        \
	"input, one JSON line each, while the window is open. It ends when the person closes the window, with the\n"   \
	"line {\"closed\":\"person\"}, or when the agent has deleted every surface, with {\"closed\":\"agent\"}.\n"        \
	"docs/open.md has examples."
#define CMD_SHOT_HELP                                                                                                  \
	"Draws the last surface of FILE, or the one of --surface, as the window would show it. Without a display\n"    \
	"it starts an X server of its own for the moment (Xvfb has to be installed). The same input gives the\n"       \
	"same picture on one machine; between machines fonts differ."

#define CMD_DESKTOP_ROWS(window, open, shot)                                                                           \
	{"window", "", "open the app: conversations with agents, in a window of their own",                            \
	 CMD_WINDOW_HELP, 0, 0, 0, window, NULL},                                                                      \
	{"open", "FILE|-", "show the surfaces in a window, and say what the person does",                              \
	 CMD_OPEN_HELP, CMD_ENGINE_OPTIONS | CMD_HAS(WIDTH) | CMD_HAS(HEIGHT) | CMD_HAS(DARK), 1, 1, open, NULL},      \
	{"shot", "FILE|-", "draw a surface as a picture, a PNG",                                                       \
	 CMD_SHOT_HELP,                                                                                                \
	 CMD_ENGINE_OPTIONS | CMD_HAS(WIDTH) | CMD_HAS(HEIGHT) | CMD_HAS(DARK) | CMD_HAS(RTL) |                        \
	         CMD_HAS(TEXT_SIZE) | CMD_HAS(OUTPUT) | CMD_HAS(SURFACE),                                              \
	 1, 1, shot, NULL}

/* Becomes the desktop program, with the same arguments. Returns only when there is none: CMD_IO, said. */
int cmd_desktop(const struct cmd_args *args);

#endif
