/* The check of messages against the version and the catalogs of a format. */
#include "infer/check.h"

#include <string.h>

struct sj_check sj_format_checker(const struct sj_format *f)
{
	return (struct sj_check){
		.mem = f->mem, .catalogs = f->opt.catalogs, .ncatalogs = f->opt.ncatalogs, .version = f->opt.version};
}

enum sj_status sj_format_check(const struct sj_format *f, const struct sj_value *message, struct sj_diag *diag)
{
	struct sj_check c = sj_format_checker(f);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_buf text;
	struct sj_tape tape;
	sj_arena_init(&arena, f->mem, 0);
	sj_buf_init(&text, f->mem, 0);
	sj_value_print(&text, message, SJ_PRINT_COMPACT);
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_json_parse(&arena, &opt, sj_buf_view(&text), &tape, diag);
	if (st == SJ_OK)
		st = sj_check_message(&c, &tape, 0, &arena, NULL, diag);
	if (st == SJ_INVALID && diag)
		diag->line = 0; /* of our own spelling, which nobody has seen */
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
	return st;
}

enum sj_status sj_format_check_all(const struct sj_format *f, const struct sj_value *messages, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(messages); i++) {
		bool fresh = diag && diag->code == SJ_E_NONE;
		st = sj_format_check(f, sj_value_item(messages, i), diag);
		if (st != SJ_OK && fresh) {
			char pointer[sizeof diag->pointer];
			memcpy(pointer, diag->pointer, sizeof pointer);
			sj_diag_pointer(diag, "/%u%s", i, pointer);
			diag->message_number = i + 1;
		}
	}
	return st;
}
