/* Hashes of specs, and what stands in for a part that is left out of one. */
#include "proto/hash.h"

#include <sodium/crypto_hash_sha256.h>

#include "base/num.h"

enum sj_status sj_proto_hash(struct sj_mem *mem, const struct sj_value *v, char out[65])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[crypto_hash_sha256_BYTES];
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	sj_value_canonical(&text, v);
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK) {
		crypto_hash_sha256(sum, (const unsigned char *)text.ptr, text.len);
		for (size_t i = 0; i < sizeof sum; i++) {
			out[2 * i] = digits[sum[i] >> 4];
			out[2 * i + 1] = digits[sum[i] & 15];
		}
		out[2 * sizeof sum] = '\0';
	}
	sj_buf_finish(&text);
	return st;
}

/* The child that a token names, writable. */
static struct sj_value *own_child(struct sj_mem *mem, struct sj_value *v, struct sj_slice token, enum sj_status *st)
{
	uint32_t index;
	*st = SJ_ABSENT;
	if (v->type == SJ_V_OBJECT)
		return sj_value_own_member(mem, v, token, st);
	if (v->type == SJ_V_ARRAY && sj_num_index(token, &index))
		return sj_value_own_item(mem, v, index, st);
	return NULL;
}

static enum sj_status put_last(struct sj_mem *mem, struct sj_value *v, struct sj_slice token, struct sj_value take)
{
	uint32_t index;
	if (v->type == SJ_V_OBJECT)
		return sj_value_set(mem, v, token, take);
	if (v->type == SJ_V_ARRAY && sj_num_index(token, &index) && index < sj_value_count(v))
		return sj_value_set_item(mem, v, index, take);
	sj_value_unref(mem, take);
	return SJ_ABSENT;
}

enum sj_status sj_proto_put(struct sj_mem *mem, struct sj_value *spec, struct sj_slice pointer, struct sj_value take)
{
	struct sj_buf decoded, last;
	struct sj_slice token, next;
	size_t at = 0;
	enum sj_status st = SJ_OK;
	sj_buf_init(&decoded, mem, 0);
	sj_buf_init(&last, mem, 0);
	bool more = sj_pointer_next(pointer, &at, &decoded, &token);
	struct sj_value *v = more ? spec : NULL;
	while (v) {
		/* The token lies in the buffer that the next one is decoded into. */
		sj_buf_clear(&last);
		sj_buf_slice(&last, token);
		more = sj_pointer_next(pointer, &at, &decoded, &next);
		if (sj_buf_status(&last) != SJ_OK || sj_buf_status(&decoded) != SJ_OK) {
			st = SJ_NOMEM;
			v = NULL;
		} else if (!more) {
			break;
		} else {
			v = own_child(mem, v, sj_buf_view(&last), &st);
			token = next;
		}
	}
	if (v) {
		st = put_last(mem, v, sj_buf_view(&last), take);
	} else {
		sj_value_unref(mem, take);
		st = st == SJ_OK ? SJ_ABSENT : st;
	}
	sj_buf_finish(&last);
	sj_buf_finish(&decoded);
	return st;
}

enum sj_status sj_proto_mask(struct sj_mem *mem, struct sj_value *spec, struct sj_slice pointer, struct sj_slice name)
{
	struct sj_value stand_in, text;
	enum sj_status st = sj_value_object_for(mem, 1, &stand_in);
	if (st != SJ_OK)
		return st;
	st = sj_value_string(mem, name, &text);
	if (st == SJ_OK)
		st = sj_value_set(mem, &stand_in, SJ_LIT("~"), text);
	if (st != SJ_OK) {
		sj_value_unref(mem, stand_in);
		return st;
	}
	return sj_proto_put(mem, spec, pointer, stand_in);
}
