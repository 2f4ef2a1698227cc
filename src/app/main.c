/* shoji-desktop [shot|open ARGUMENT...] */
#include <stdlib.h>

#include "app/app.h"
#include "app/desktop.h"
#include "base/num.h"

int main(int argc, char **argv)
{
	struct sj_mem mem;
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = true};
	struct cmd_session s;
	struct sj_buf text;
	struct app_shot o = {.out = "out.png", .width = 390};
	const char *file = NULL;
	if (argc == 1)
		return app_desktop(argc, argv);
	sj_mem_init(&mem, NULL, 0);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--dark") == 0)
			o.dark = true;
		else if (strcmp(argv[i], "--width") == 0 && i + 1 < argc)
			o.width = (int)g_ascii_strtoll(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--height") == 0 && i + 1 < argc)
			o.height = (int)g_ascii_strtoll(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
			o.out = argv[++i];
		else
			file = argv[i];
	}
	int code = cmd_session_open(&s, &mem, &cfg);
	sj_buf_init(&text, &mem, 0);
	if (code == CMD_OK)
		code = cmd_read(file, &text);
	if (code == CMD_OK)
		code = app_shot(&o, &s, sj_buf_view(&text));
	sj_buf_finish(&text);
	cmd_session_close(&s);
	return code;
}
