/* The data model that path assignments build up, one place at a time. */
#include "base/num.h"
#include "infer/compact.h"

static enum sj_status conflict(struct sj_program *p, const struct sj_cstmt *s, const char *why)
{
	return sj_compact_fault(p->diag, SJ_CAT_COMPILE, s->line, s->off, "$%.*s %s", SJ_ARG(s->name), why);
}

/* The container below `at` for `token`, made when it is not there. `list`: the next token is an index. */
static enum sj_status descend(struct sj_program *p, const struct sj_cstmt *s, struct sj_value **at,
                              struct sj_slice token, bool list)
{
	struct sj_value fresh;
	enum sj_status st = SJ_OK;
	uint32_t index = 0;
	bool array = (*at)->type == SJ_V_ARRAY;
	if (array && !sj_num_index(token, &index))
		return conflict(p, s, "names a member of a list");
	if (array && index > sj_value_count(*at))
		return conflict(p, s, "leaves a gap in a list");
	const struct sj_value *there = array ? sj_value_item(*at, index) : sj_value_get(*at, token);
	if (!there) {
		st = list ? sj_value_array(p->mem, &fresh) : sj_value_object(p->mem, &fresh);
		if (st == SJ_OK)
			st = array ? sj_value_append(p->mem, *at, fresh) : sj_value_set(p->mem, *at, token, fresh);
	} else if (!sj_value_is_container(there)) {
		return conflict(p, s, "lies below a value that is no map and no list");
	}
	if (st != SJ_OK)
		return st;
	struct sj_value *own = array ? sj_value_own_item(p->mem, *at, index, &st)
	                             : sj_value_own_member(p->mem, *at, token, &st);
	if (own)
		*at = own;
	return st;
}

static enum sj_status put(struct sj_program *p, const struct sj_cstmt *s, struct sj_value *at, struct sj_slice token,
                          struct sj_value take)
{
	uint32_t index = 0;
	if (at->type != SJ_V_ARRAY)
		return sj_value_set(p->mem, at, token, take);
	bool place = sj_num_index(token, &index);
	if (place && index <= sj_value_count(at))
		return sj_value_set_item(p->mem, at, index, take);
	sj_value_unref(p->mem, take);
	return conflict(p, s, place ? "leaves a gap in a list" : "is no place in a list");
}

enum sj_status sj_compact_put(struct sj_program *p, const struct sj_cstmt *s, struct sj_value *root,
                              struct sj_value take)
{
	struct sj_slice path = s->name, token, next;
	struct sj_buf held, ahead;
	size_t at = 0;
	uint32_t tokens = 0;
	if (path.len == 0 || sj_slice_is(path, "/")) {
		sj_value_unref(p->mem, *root);
		*root = take;
		return SJ_OK;
	}
	enum sj_status st = SJ_OK;
	struct sj_value *where = root;
	sj_buf_init(&held, p->mem, 0);
	sj_buf_init(&ahead, p->mem, 0);
	if (path.ptr[path.len - 1] == '/')
		path.len--;
	if (path.len == 0 || path.ptr[0] != '/' || path.len > SJ_LIMITS_DEFAULT.pointer_bytes ||
	    !sj_pointer_check(path))
		st = conflict(p, s, "is no absolute path");
	else if (!sj_value_is_container(root))
		st = conflict(p, s, "lies below a value that is no map and no list");
	bool more = st == SJ_OK && sj_pointer_next(path, &at, &held, &token);
	while (st == SJ_OK && more) {
		if (++tokens > SJ_LIMITS_DEFAULT.pointer_tokens) {
			st = conflict(p, s, "has too many parts");
			break;
		}
		more = sj_pointer_next(path, &at, &ahead, &next);
		if (sj_buf_status(&held) != SJ_OK || sj_buf_status(&ahead) != SJ_OK) {
			st = SJ_NOMEM;
			break;
		}
		uint32_t index;
		if (!more) {
			st = put(p, s, where, token, take);
			take = SJ_ABSENT_VALUE;
			break;
		}
		st = descend(p, s, &where, token, sj_num_index(next, &index));
		/* `next` may lie in `ahead`: keep it while that is used for the one behind it. */
		struct sj_buf swap = held;
		held = ahead;
		ahead = swap;
		token = next;
	}
	sj_value_unref(p->mem, take);
	sj_buf_finish(&held);
	sj_buf_finish(&ahead);
	return st;
}
