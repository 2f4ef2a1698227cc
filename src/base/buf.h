/* A growable byte buffer with a cap, sticky on failure: write many, check once with sj_buf_status(). After a failure
 * further writes do nothing. */
#ifndef SJ_BASE_BUF_H
#define SJ_BASE_BUF_H

#include "base/mem.h"

struct sj_buf {
	struct sj_mem *mem;
	char *ptr; /* always NUL-terminated once anything was written */
	size_t len, cap, max_bytes; /* max 0: none */
	enum sj_status status;
};

void sj_buf_init(struct sj_buf *b, struct sj_mem *mem, size_t max_bytes);
void sj_buf_finish(struct sj_buf *b);
void sj_buf_clear(struct sj_buf *b); /* keeps the memory, clears the status */
void sj_buf_put(struct sj_buf *b, const char *ptr, size_t len);
/* Room for `n` bytes beyond the end, which the caller fills from the returned place, or NULL when refused. The length
 * grows at once. */
char *sj_buf_room(struct sj_buf *b, size_t n);
static inline void sj_buf_putc(struct sj_buf *b, char c)
{
	if (b->status == SJ_OK && b->cap - b->len > 1) { /* cap 0: len is 0 */
		b->ptr[b->len++] = c;
		b->ptr[b->len] = '\0';
		return;
	}
	char *place = sj_buf_room(b, 1);
	if (place)
		*place = c;
}
void sj_buf_puts(struct sj_buf *b, const char *z);
void sj_buf_slice(struct sj_buf *b, struct sj_slice s);
void sj_buf_code(struct sj_buf *b, uint32_t code_point); /* as UTF-8; lone surrogates as WTF-8 */
void sj_buf_printf(struct sj_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline struct sj_slice sj_buf_view(const struct sj_buf *b) { return (struct sj_slice){b->ptr, b->len}; }
static inline enum sj_status sj_buf_status(const struct sj_buf *b) { return b->status; }

#endif
