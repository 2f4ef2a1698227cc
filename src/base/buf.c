#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf.h"

void sj_buf_init(struct sj_buf *b, struct sj_mem *mem, size_t max_bytes)
{
	*b = (struct sj_buf){.mem = mem, .max_bytes = max_bytes};
}

void sj_buf_finish(struct sj_buf *b)
{
	sj_mem_free(b->mem, b->ptr, b->cap);
	b->ptr = NULL;
	b->len = b->cap = 0;
}

void sj_buf_clear(struct sj_buf *b)
{
	b->len = 0;
	b->status = SJ_OK;
	if (b->ptr)
		b->ptr[0] = '\0';
}

/* Room for `more` bytes and the NUL; sets the status when refused. */
static bool reserve(struct sj_buf *b, size_t more)
{
	if (b->status != SJ_OK)
		return false;
	if (more < b->cap - b->len)
		return true;
	if (more >= SIZE_MAX / 2 - b->len) {
		b->status = SJ_NOMEM;
		return false;
	}
	size_t need = b->len + more + 1;
	if (b->max_bytes && need - 1 > b->max_bytes) {
		b->status = SJ_LIMIT;
		return false;
	}
	size_t want = b->cap < 64 ? 64 : b->cap * 2;
	if (want < need)
		want = need;
	if (b->max_bytes && want > b->max_bytes + 1)
		want = b->max_bytes + 1;
	char *moved = sj_mem_resize(b->mem, b->ptr, b->cap, want);
	if (!moved) {
		b->status = SJ_NOMEM;
		return false;
	}
	b->ptr = moved;
	b->cap = want;
	return true;
}

char *sj_buf_room(struct sj_buf *b, size_t n)
{
	if (!reserve(b, n))
		return NULL;
	char *place = b->ptr + b->len;
	b->len += n;
	b->ptr[b->len] = '\0';
	return place;
}

void sj_buf_put(struct sj_buf *b, const char *ptr, size_t len)
{
	char *place = sj_buf_room(b, len);
	if (place && len)
		memcpy(place, ptr, len);
}

void sj_buf_puts(struct sj_buf *b, const char *z) { sj_buf_put(b, z, strlen(z)); }
void sj_buf_slice(struct sj_buf *b, struct sj_slice s) { sj_buf_put(b, s.ptr, s.len); }

void sj_buf_code(struct sj_buf *b, uint32_t code_point)
{
	char bytes[4];
	sj_buf_put(b, bytes, sj_utf8_put(bytes, code_point));
}

void sj_buf_printf(struct sj_buf *b, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n >= 0 && reserve(b, (size_t)n)) {
		vsnprintf(b->ptr + b->len, (size_t)n + 1, format, again);
		b->len += (size_t)n;
	}
	va_end(again);
}
