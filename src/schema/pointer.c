#include "json/value.h"
#include "schema/schema.h"

/* Goes down from the root: at each container it passes the children that end before the cell. */
void sj_tape_pointer_from(const struct sj_tape *t, uint32_t root, uint32_t cell, struct sj_buf *out)
{
	struct sj_arena scratch;
	uint32_t at = root;

	sj_arena_init(&scratch, out->mem, 0);
	while (at != cell) {
		bool object = sj_tape_type(t, at) == SJ_J_OBJECT;
		uint32_t index = 0, child = at + 1;
		uint32_t value = child + object;
		while (sj_tape_next(t, value) <= cell) {
			child = sj_tape_next(t, value);
			value = child + object;
			index++;
		}
		if (object) {
			struct sj_slice name = sj_tape_string(t, child, &scratch);
			if (!name.ptr) {
				out->status = SJ_NOMEM;
				break;
			}
			sj_pointer_append(out, name);
			if (child == cell) /* the key itself: named like its value */
				break;
		} else {
			sj_buf_printf(out, "/%u", (unsigned)index);
		}
		at = value;
	}
	sj_arena_finish(&scratch);
}

void sj_tape_pointer(const struct sj_tape *t, uint32_t cell, struct sj_buf *out)
{
	sj_tape_pointer_from(t, 0, cell, out);
}
