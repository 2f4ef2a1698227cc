/* The two ways through a compact notation, and the proof that one undoes the other. */
#include "infer/compact.h"

enum sj_status sj_compact_compile(const struct sj_format *f, sj_compact_read_fn read, bool check, struct sj_slice text,
                                  struct sj_value *messages, struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_program p;
	struct sj_value made = SJ_ABSENT_VALUE;
	sj_program_init(&p, f->mem, repairs, diag);
	enum sj_status st = read(f, &p, text);
	if (st == SJ_OK)
		st = sj_compact_messages(f, &p, &made);
	if (st == SJ_OK && check)
		st = sj_compact_check(f, p.calls_in_plain, &made, diag);
	sj_program_finish(&p);
	if (st == SJ_OK)
		*messages = made;
	else
		sj_value_unref(f->mem, made);
	return st;
}

static enum sj_status read_back(const struct sj_format *f, sj_compact_read_fn read, const struct sj_value *messages,
                                struct sj_slice text, struct sj_diag *diag)
{
	struct sj_repairs repairs = {0}; /* none allowed */
	struct sj_value again = SJ_ABSENT_VALUE;
	struct sj_diag fault = {0};
	enum sj_status st = sj_compact_compile(f, read, false, text, &again, &repairs, &fault);
	bool same = st == SJ_OK && sj_value_equal(messages, &again);
	sj_value_unref(f->mem, again);
	SJ_VEC_FREE(f->mem, &repairs.list);
	if (st == SJ_NOMEM || same)
		return st;
	return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
	                   "the notation cannot say these messages: %s",
	                   st == SJ_OK ? "reading it back gives others" : fault.message);
}

enum sj_status sj_compact_decompile(const struct sj_format *f, sj_compact_write_fn write, sj_compact_read_fn read,
                                    const struct sj_value *messages, struct sj_buf *out, struct sj_diag *diag)
{
	struct sj_buf text;
	bool equated = false;
	sj_buf_init(&text, f->mem, 0);
	enum sj_status st = write(f, messages, &text, &equated, diag);
	if (st == SJ_OK && !equated)
		st = read_back(f, read, messages, sj_buf_view(&text), diag);
	if (st == SJ_OK) {
		sj_buf_slice(out, sj_buf_view(&text));
		st = sj_buf_status(out);
	}
	sj_buf_finish(&text);
	return st;
}
