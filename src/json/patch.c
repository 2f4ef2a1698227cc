/* JSON Patch, RFC 6902.
 *
 * The operations run on a second owner of the document, so that each write copies just the containers on its way and
 * a failure leaves the first owner's untouched. What is added, copied or moved is measured against one budget: sharing
 * would otherwise let a short patch describe a document of exponential size. */
#include "base/limits.h"
#include "base/num.h"
#include "json/body.h"
#include "json/value.h"

struct patch {
	struct sj_mem *mem;
	struct sj_value work;
	struct sj_buf token; /* the decoded token at hand */
	struct sj_diag *diag;
	uint32_t place;  /* of the running operation */
	uint32_t budget; /* values that may still be added */
};

struct operation {
	struct sj_slice path, from;
	const struct sj_value *value;
};

static enum sj_status fail(struct patch *p, enum sj_status st, enum sj_code code, const char *what,
                           struct sj_slice where)
{
	if (p->diag && p->diag->code == SJ_E_NONE) {
		if (where.ptr)
			sj_diag_set(p->diag, st, code, SJ_CAT_DATA, "%s: \"%.*s\"", what, SJ_ARG(where));
		else
			sj_diag_set(p->diag, st, code, SJ_CAT_DATA, "%s", what);
		sj_diag_pointer(p->diag, "/%u", p->place);
	}
	return st;
}

static enum sj_status refuse(struct patch *p, const char *what, struct sj_slice where)
{
	return fail(p, SJ_INVALID, SJ_E_PATCH, what, where);
}

static enum sj_status no_memory(struct patch *p) { return fail(p, SJ_NOMEM, SJ_E_NOMEM, "out of memory", SJ_NO_SLICE); }

/* The last token's slash, or the path's beginning. */
static size_t parent_length(struct sj_slice path)
{
	size_t n = path.len;
	while (n > 0 && path.ptr[n - 1] != '/')
		n--;
	return n ? n - 1 : 0;
}

static uint32_t count_tokens(struct sj_slice path)
{
	uint32_t n = 0;
	for (size_t i = 0; i < path.len; i++)
		n += path.ptr[i] == '/';
	return n;
}

static const char nothing_there[] = "there is nothing at the path";

/* The container that holds the path's last token, writable, and that token. */
static enum sj_status open_parent(struct patch *p, struct sj_slice path, struct sj_value **parent,
                                  struct sj_slice *last)
{
	struct sj_slice way = {path.ptr, parent_length(path)};
	struct sj_value *v = &p->work;
	size_t at = 0;
	while (sj_pointer_next(way, &at, &p->token, last)) {
		enum sj_status st = sj_buf_status(&p->token);
		uint32_t index;
		if (st != SJ_OK)
			return no_memory(p);
		if (v->type == SJ_V_OBJECT)
			v = sj_value_own_member(p->mem, v, *last, &st);
		else if (v->type == SJ_V_ARRAY && sj_num_index(*last, &index))
			v = sj_value_own_item(p->mem, v, index, &st);
		else
			v = NULL, st = SJ_ABSENT;
		if (st == SJ_NOMEM)
			return no_memory(p);
		if (!v)
			return refuse(p, nothing_there, path);
	}
	if (!sj_value_is_container(v))
		return refuse(p, "the path goes through something that is neither array nor object", path);
	sj_pointer_next(path, &at, &p->token, last);
	if (sj_buf_status(&p->token) != SJ_OK)
		return no_memory(p);
	*parent = v;
	return SJ_OK;
}

static enum sj_status charge(struct patch *p, const struct sj_value *v, struct sj_slice path)
{
	uint32_t height, size = sj_value_measure(v, p->budget + 1, &height);
	if (size > p->budget)
		return fail(p, SJ_LIMIT, SJ_E_LIMIT, "the patch adds more values than one document may hold (json_values)",
		            SJ_NO_SLICE);
	if (height + count_tokens(path) > SJ_JSON_MAX_DEPTH)
		return fail(p, SJ_LIMIT, SJ_E_LIMIT, "the patch nests deeper than a document may be (json_depth)", SJ_NO_SLICE);
	p->budget -= size;
	return SJ_OK;
}

/* Takes `v`. */
static enum sj_status add(struct patch *p, struct sj_slice path, struct sj_value v, bool charged)
{
	enum sj_status st = charged ? SJ_OK : charge(p, &v, path);
	struct sj_value *parent = NULL;
	struct sj_slice last;
	if (st == SJ_OK && path.len == 0) {
		sj_value_unref(p->mem, p->work);
		p->work = v;
		return SJ_OK;
	}
	if (st == SJ_OK)
		st = open_parent(p, path, &parent, &last);
	if (st == SJ_OK && parent->type == SJ_V_ARRAY) {
		uint32_t index, count = sj_value_count(parent);
		if (sj_slice_is(last, "-"))
			index = count;
		else if (!sj_num_index(last, &index))
			st = refuse(p, "not an array index", path);
		if (st == SJ_OK && index > count)
			st = refuse(p, "the index lies beyond the end of the array", path);
		if (st == SJ_OK)
			return sj_value_insert(p->mem, parent, index, v) == SJ_OK ? SJ_OK : no_memory(p);
	}
	if (st != SJ_OK) {
		sj_value_unref(p->mem, v);
		return st;
	}
	return sj_value_set(p->mem, parent, last, v) == SJ_OK ? SJ_OK : no_memory(p);
}

static enum sj_status take_out(struct patch *p, struct sj_slice path)
{
	if (path.len == 0)
		return refuse(p, "the whole document cannot be removed", SJ_NO_SLICE);
	struct sj_value *parent;
	struct sj_slice last;
	enum sj_status st = open_parent(p, path, &parent, &last);
	if (st != SJ_OK)
		return st;
	uint32_t index;
	if (parent->type == SJ_V_ARRAY) {
		if (!sj_num_index(last, &index) || index >= sj_value_count(parent))
			return refuse(p, nothing_there, path);
		st = sj_value_remove(p->mem, parent, index);
	} else {
		if (!sj_value_get(parent, last))
			return refuse(p, nothing_there, path);
		st = sj_value_unset(p->mem, parent, last);
	}
	return st == SJ_OK ? SJ_OK : no_memory(p);
}

static enum sj_status run_add(struct patch *p, const struct operation *op)
{
	return add(p, op->path, sj_value_ref(*op->value), false);
}

static enum sj_status run_remove(struct patch *p, const struct operation *op) { return take_out(p, op->path); }

static enum sj_status run_replace(struct patch *p, const struct operation *op)
{
	if (op->path.len == 0)
		return run_add(p, op);
	enum sj_status st = charge(p, op->value, op->path);
	if (st != SJ_OK)
		return st;
	struct sj_value *parent;
	struct sj_slice last;
	st = open_parent(p, op->path, &parent, &last);
	if (st != SJ_OK)
		return st;
	uint32_t index;
	if (parent->type == SJ_V_ARRAY) {
		if (!sj_num_index(last, &index) || index >= sj_value_count(parent))
			return refuse(p, nothing_there, op->path);
		st = sj_value_set_item(p->mem, parent, index, sj_value_ref(*op->value));
	} else {
		if (!sj_value_get(parent, last))
			return refuse(p, nothing_there, op->path);
		st = sj_value_set(p->mem, parent, last, sj_value_ref(*op->value));
	}
	return st == SJ_OK ? SJ_OK : no_memory(p);
}

static enum sj_status run_copy(struct patch *p, const struct operation *op)
{
	const struct sj_value *v = sj_value_at(&p->work, op->from);
	if (!v)
		return refuse(p, "there is nothing to copy from", op->from);
	return add(p, op->path, sj_value_ref(*v), false);
}

static enum sj_status run_move(struct patch *p, const struct operation *op)
{
	const struct sj_value *v = sj_value_at(&p->work, op->from);
	if (!v)
		return refuse(p, "there is nothing to move from", op->from);
	if (sj_slice_eq(op->from, op->path))
		return SJ_OK;
	if (op->path.len > op->from.len && op->path.ptr[op->from.len] == '/' &&
	    memcmp(op->path.ptr, op->from.ptr, op->from.len) == 0)
		return refuse(p, "a value cannot be moved into itself", op->path);
	struct sj_value moved = sj_value_ref(*v);
	enum sj_status st = op->from.len ? take_out(p, op->from) : SJ_OK;
	if (st != SJ_OK) {
		sj_value_unref(p->mem, moved);
		return st;
	}
	/* What does not move deeper down cannot nest too deep, and no move makes the document larger. */
	return add(p, op->path, moved, count_tokens(op->path) <= count_tokens(op->from));
}

static enum sj_status run_test(struct patch *p, const struct operation *op)
{
	const struct sj_value *v = sj_value_at(&p->work, op->path);
	if (!v)
		return fail(p, SJ_INVALID, SJ_E_PATCH_TEST, nothing_there, op->path);
	if (!sj_value_equal(v, op->value))
		return fail(p, SJ_INVALID, SJ_E_PATCH_TEST, "the value at the path is another one", op->path);
	return SJ_OK;
}

static const struct {
	const char *name;
	enum sj_status (*run)(struct patch *, const struct operation *);
	bool has_value, has_from;
} operations[] = {
	{.name = "add", .run = run_add, .has_value = true},
	{.name = "remove", .run = run_remove},
	{.name = "replace", .run = run_replace, .has_value = true},
	{.name = "move", .run = run_move, .has_from = true},
	{.name = "copy", .run = run_copy, .has_from = true},
	{.name = "test", .run = run_test, .has_value = true},
};

/* A pointer member of an operation. */
static enum sj_status read_pointer(struct patch *p, const struct sj_value *op, const char *name, struct sj_slice *out)
{
	const struct sj_value *v = sj_value_get(op, sj_slice_of(name));
	if (!v || !sj_value_is_string(v))
		return refuse(p, "the operation needs this member, a string", sj_slice_of(name));
	*out = sj_value_text(v);
	if (!sj_pointer_check(*out))
		return fail(p, SJ_INVALID, SJ_E_POINTER, "not a JSON Pointer", *out);
	return SJ_OK;
}

static enum sj_status run_one(struct patch *p, const struct sj_value *entry)
{
	if (!entry || entry->type != SJ_V_OBJECT)
		return refuse(p, "an operation must be an object", SJ_NO_SLICE);
	const struct sj_value *name = sj_value_get(entry, SJ_LIT("op"));
	if (!name || !sj_value_is_string(name))
		return refuse(p, "the operation needs this member, a string", SJ_LIT("op"));
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		if (!sj_slice_is(sj_value_text(name), operations[i].name))
			continue;
		struct operation op = {.value = sj_value_get(entry, SJ_LIT("value"))};
		enum sj_status st = read_pointer(p, entry, "path", &op.path);
		if (st == SJ_OK && operations[i].has_from)
			st = read_pointer(p, entry, "from", &op.from);
		if (st == SJ_OK && operations[i].has_value && !op.value)
			st = refuse(p, "the operation needs this member", SJ_LIT("value"));
		return st == SJ_OK ? operations[i].run(p, &op) : st;
	}
	return refuse(p, "no such operation", sj_value_text(name));
}

enum sj_status sj_json_patch(struct sj_mem *m, struct sj_value *doc, const struct sj_value *patch, struct sj_diag *diag)
{
	struct patch p = {.mem = m, .work = sj_value_ref(*doc), .diag = diag, .budget = SJ_LIMITS_DEFAULT.json_values};
	sj_buf_init(&p.token, m, 0);
	enum sj_status st = SJ_OK;
	if (patch->type != SJ_V_ARRAY)
		st = sj_diag_set(diag, SJ_INVALID, SJ_E_PATCH, SJ_CAT_DATA, "a patch must be an array of operations");
	for (; st == SJ_OK && p.place < sj_value_count(patch); p.place++)
		st = run_one(&p, sj_value_item(patch, p.place));
	sj_buf_finish(&p.token);
	if (st != SJ_OK) {
		sj_value_unref(m, p.work);
		return st;
	}
	sj_value_unref(m, *doc);
	*doc = p.work;
	return SJ_OK;
}
