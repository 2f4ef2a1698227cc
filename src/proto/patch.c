/* Patches of drafts. */
#include "proto/patch.h"

#include <assert.h>

#include "base/utf.h"
#include "proto/hash.h"
#include "proto/internal.h"

struct patch {
	struct sj_mem *mem;
	const struct sj_value *spec;
	const struct sj_proto_ids *ids;
	struct sj_proto_error *error;
	struct sj_proto_tree tree; /* of the spec that the patch began with */
	struct sj_value work;
	bool *replaced; /* a node of the tree: by an operation that named it */
	bool wrote_data, wrote_state;
	uint32_t place; /* of the running operation */
};

static enum sj_status fault(struct patch *p, const char *member, const char *what)
{
	struct sj_buf *path = &p->error->path;
	sj_buf_printf(path, "ops[%u]", p->place);
	if (member)
		sj_buf_printf(path, ".%s", member);
	sj_buf_puts(&p->error->message, what);
	return sj_buf_status(path) == SJ_OK && sj_buf_status(&p->error->message) == SJ_OK ? SJ_INVALID : SJ_NOMEM;
}

/* What an operation may say beside `op`; all of it is required. */
struct form {
	const char *name;
	const char *members[2]; /* by name */
	enum sj_status (*run)(struct patch *p, const struct sj_value *op);
};

static enum sj_status run_write(struct patch *p, const struct sj_value *op);
static enum sj_status run_replace_node(struct patch *p, const struct sj_value *op);

static const struct form forms[] = {
	{"add", {"path", "value"}, run_write},     {"replace", {"path", "value"}, run_write},
	{"remove", {"path", NULL}, run_write},     {"test", {"path", "value"}, run_write},
	{"replaceNode", {"id", "node"}, run_replace_node},
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool knows(const struct form *f, struct sj_slice key)
{
	for (int i = 0; i < 2; i++)
		if (f->members[i] && sj_slice_is(key, f->members[i]))
			return true;
	return sj_slice_is(key, "op");
}

/* The first member that is not known, in the order of UTF-16. */
static bool unknown_member(const struct form *f, const struct sj_value *op, struct sj_slice *out)
{
	bool found = false;
	for (uint32_t i = 0; i < sj_value_count(op); i++) {
		struct sj_slice key;
		sj_value_member(op, i, &key);
		if (!knows(f, key) && (!found || sj_utf16_cmp(key, *out) < 0)) {
			*out = key;
			found = true;
		}
	}
	return found;
}

static enum sj_status unknown(struct patch *p, struct sj_slice key)
{
	struct sj_buf *path = &p->error->path;
	sj_buf_printf(path, "ops[%u]", p->place);
	sj_path_key(path, key);
	sj_buf_puts(&p->error->message, "Unknown property");
	return sj_buf_status(path) == SJ_OK && sj_buf_status(&p->error->message) == SJ_OK ? SJ_INVALID : SJ_NOMEM;
}

static enum sj_status run_one(struct patch *p, const struct sj_value *op)
{
	if (!op || op->type != SJ_V_OBJECT)
		return fault(p, NULL, "Expected object");
	const struct sj_value *name = sj_value_get(op, SJ_LIT("op"));
	const struct form *f = NULL;
	for (int i = 0; i < FORMS && name && sj_value_is_string(name); i++)
		if (sj_slice_is(sj_value_text(name), forms[i].name))
			f = &forms[i];
	if (!f)
		return fault(p, "op", "Unknown operation: use add, replace, remove, test or replaceNode");
	struct sj_slice key;
	if (unknown_member(f, op, &key))
		return unknown(p, key);
	for (int i = 0; i < 2; i++)
		if (f->members[i] && !sj_value_get(op, sj_slice_of(f->members[i])))
			return fault(p, f->members[i], "Required property");
	return f->run(p, op);
}

static const char where[] = "Patches write below /data and /state: replaceNode changes the tree";

/* A member of the state: its name, and for what is written, its value. */
static enum sj_status check_state(struct patch *p, struct sj_slice path, const struct sj_value *value)
{
	struct sj_slice key = sj_slice(path.ptr + 7, path.len - 7);
	if (!sj_proto_is_key(key))
		return fault(p, "path", "Invalid state key");
	if (value && !sj_value_is_string(value) && !sj_value_is_number(value) && !sj_value_is_bool(value))
		return fault(p, "value", "State holds strings, numbers and booleans");
	return SJ_OK;
}

/* An object for the first thing below it: a spec without data or state is one that has none yet. */
static enum sj_status make_room(struct patch *p, struct sj_slice member)
{
	if (sj_value_get(&p->work, member))
		return SJ_OK;
	struct sj_value empty;
	enum sj_status st = sj_value_object(p->mem, &empty);
	return st == SJ_OK ? sj_value_set(p->mem, &p->work, member, empty) : st;
}

/* RFC 6902 does the work, one operation at a time. */
static enum sj_status apply(struct patch *p, const struct sj_value *op)
{
	struct sj_value one;
	struct sj_diag d = {.code = SJ_E_NONE};
	enum sj_status st = sj_value_array(p->mem, &one);
	if (st != SJ_OK)
		return st;
	st = sj_value_append(p->mem, &one, sj_value_ref(*op));
	if (st == SJ_OK)
		st = sj_json_patch(p->mem, &p->work, &one, &d);
	sj_value_unref(p->mem, one);
	if (st == SJ_OK || st == SJ_NOMEM)
		return st;
	bool about_value = d.code == SJ_E_LIMIT || (d.code == SJ_E_PATCH_TEST && strstr(d.message, "another"));
	if (d.message[0] >= 'a' && d.message[0] <= 'z')
		d.message[0] = (char)(d.message[0] - 'a' + 'A');
	enum sj_status said = fault(p, about_value ? "value" : "path", d.message);
	return said == SJ_INVALID ? st : said;
}

static enum sj_status run_write(struct patch *p, const struct sj_value *op)
{
	const struct sj_value *path = sj_value_get(op, SJ_LIT("path"));
	if (!sj_value_is_string(path))
		return fault(p, "path", "Invalid string value");
	struct sj_slice at = sj_value_text(path), name = sj_value_text(sj_value_get(op, SJ_LIT("op")));
	if (!sj_pointer_check(at))
		return fault(p, "path", "Not a JSON Pointer");
	bool tests = sj_slice_is(name, "test"), state = sj_slice_starts(at, "/state/");
	if (!state && !sj_slice_is(at, "/data") && !sj_slice_starts(at, "/data/"))
		return fault(p, "path", where);
	enum sj_status st = SJ_OK;
	if (state)
		st = check_state(p, at, tests ? NULL : sj_value_get(op, SJ_LIT("value")));
	if (st == SJ_OK && sj_slice_is(name, "add") && !sj_slice_is(at, "/data"))
		st = make_room(p, state ? SJ_LIT("state") : SJ_LIT("data"));
	if (st == SJ_OK)
		st = apply(p, op);
	if (st == SJ_OK && !tests)
		*(state ? &p->wrote_state : &p->wrote_data) = true;
	return st;
}

/* Whether an operation replaced a node around this one. */
static bool is_gone(const struct patch *p, uint32_t order)
{
	for (uint32_t i = p->tree.spots.items[order].parent; i != SJ_NO_NODE; i = p->tree.spots.items[i].parent)
		if (p->replaced[i])
			return true;
	return false;
}

static enum sj_status run_replace_node(struct patch *p, const struct sj_value *op)
{
	const struct sj_value *id = sj_value_get(op, SJ_LIT("id")), *node = sj_value_get(op, SJ_LIT("node"));
	if (!sj_value_is_string(id))
		return fault(p, "id", "Invalid string value");
	uint32_t order = sj_proto_id_find(p->ids, sj_value_text(id));
	if (order == SJ_NO_NODE)
		return fault(p, "id", "Unknown node id: the outline lists those there are");
	if (order == 0)
		return fault(p, "id", "The root cannot be replaced");
	if (is_gone(p, order))
		return fault(p, "id", "An earlier operation replaced a node around this one");
	if (node->type != SJ_V_OBJECT)
		return fault(p, "node", "Expected object");
	p->replaced[order] = true;
	for (uint32_t i = order + 1; i < p->tree.spots.items[order].end; i++)
		p->replaced[i] = false;
	return sj_proto_put(p->mem, &p->work, sj_proto_tree_pointer(&p->tree, order), sj_value_ref(*node));
}

/* The hash of a spec without what the patch may have changed. Both specs have the same nodes outside of what was
 * replaced, so the pointers of the old tree are good in the new one too. */
static enum sj_status hash_rest(const struct patch *p, const struct sj_value *spec, char out[SJ_PROTO_HASH_TEXT])
{
	struct sj_value rest = sj_value_ref(*spec);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && i < p->tree.spots.count; i++)
		if (p->replaced[i])
			st = sj_proto_mask(p->mem, &rest, sj_proto_tree_pointer(&p->tree, i),
			                   sj_proto_id_at(p->ids, i));
	if (st == SJ_OK && p->wrote_data)
		st = sj_proto_mask(p->mem, &rest, SJ_LIT("/data"), SJ_LIT("/data"));
	if (st == SJ_OK && p->wrote_state)
		st = sj_proto_mask(p->mem, &rest, SJ_LIT("/state"), SJ_LIT("/state"));
	if (st == SJ_OK)
		st = sj_proto_hash(p->mem, &rest, out);
	sj_value_unref(p->mem, rest);
	return st;
}

static enum sj_status check_locality(struct patch *p, struct sj_proto_patched *out)
{
	char before[SJ_PROTO_HASH_TEXT];
	enum sj_status st = hash_rest(p, p->spec, before);
	if (st == SJ_OK)
		st = hash_rest(p, &out->spec, out->locality);
	if (st != SJ_OK)
		return st;
	if (memcmp(before, out->locality, sizeof before) == 0)
		return SJ_OK;
	sj_buf_puts(&p->error->path, "ops");
	sj_buf_puts(&p->error->message, "The patch changed more than it names");
	return SJ_INVALID;
}

/* The ids of the new spec, and which of its nodes were put in. Both trees are walked side by side: they differ only
 * below the nodes that were replaced. */
static enum sj_status name_nodes(struct patch *p, struct sj_proto_patched *out, const struct sj_proto_tree *after,
                                 uint32_t *keep)
{
	enum sj_status st = SJ_OK;
	uint32_t old = 0;
	for (uint32_t i = 0; i < after->spots.count;) {
		keep[i] = old;
		if (p->replaced[old]) {
			for (uint32_t k = i + 1; k < after->spots.items[i].end; k++)
				keep[k] = SJ_NO_NODE;
			i = after->spots.items[i].end;
			old = p->tree.spots.items[old].end;
		} else {
			i++;
			old++;
		}
	}
	st = sj_proto_ids_carry(p->mem, p->ids, after, keep, &out->ids);
	for (uint32_t i = 0; st == SJ_OK && i < after->spots.count; i++)
		if (keep[i] == SJ_NO_NODE || p->replaced[keep[i]])
			st = sj_value_append(p->mem, &out->changed, sj_value_ref(*sj_value_item(&out->ids.list, i)));
	return st;
}

static enum sj_status conclude(struct patch *p, const struct sj_proto_options *opt, struct sj_proto_patched *out)
{
	struct sj_proto_tree after;
	enum sj_status st = sj_proto_check(p->mem, &p->work, opt, &out->spec, p->error);
	if (st != SJ_OK)
		return st;
	st = sj_value_array(p->mem, &out->changed);
	if (st == SJ_OK)
		st = check_locality(p, out);
	if (st != SJ_OK)
		return st;
	uint32_t *keep = NULL;
	st = sj_proto_tree_init(&after, p->mem, &out->spec);
	size_t bytes = after.spots.count * sizeof *keep;
	if (st == SJ_OK && !(keep = sj_mem_alloc(p->mem, bytes)))
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = name_nodes(p, out, &after, keep);
	sj_mem_free(p->mem, keep, keep ? bytes : 0);
	sj_proto_tree_finish(&after);
	return st;
}

static enum sj_status run_all(struct patch *p, const struct sj_value *ops)
{
	const char *what = ops->type != SJ_V_ARRAY ? "Expected array" : NULL;
	uint32_t count = sj_value_count(ops);
	if (!what && (count == 0 || count > SJ_PROTO_PATCH_OPS))
		what = "Array length out of range";
	if (what) {
		sj_buf_puts(&p->error->path, "ops");
		sj_buf_puts(&p->error->message, what);
		return sj_buf_status(&p->error->message) == SJ_OK ? SJ_INVALID : SJ_NOMEM;
	}
	enum sj_status st = SJ_OK;
	for (; st == SJ_OK && p->place < count; p->place++)
		if ((st = run_one(p, sj_value_item(ops, p->place))) != SJ_OK)
			break;
	return st;
}

enum sj_status sj_proto_patch(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                              const struct sj_value *ops, const struct sj_proto_options *opt,
                              struct sj_proto_patched *out, struct sj_proto_error *error)
{
	struct patch p = {.mem = mem, .spec = spec, .ids = ids, .error = error, .work = sj_value_ref(*spec)};
	struct sj_proto_patched made = {.spec = SJ_ABSENT_VALUE};
	enum sj_status st = sj_proto_tree_init(&p.tree, mem, spec);
	assert(st != SJ_OK || sj_proto_ids_fit(ids, &p.tree));
	size_t bytes = p.tree.spots.count * sizeof *p.replaced;
	if (st == SJ_OK && !(p.replaced = sj_mem_zalloc(mem, bytes)))
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = run_all(&p, ops);
	if (st == SJ_OK)
		st = conclude(&p, opt, &made);
	sj_mem_free(mem, p.replaced, p.replaced ? bytes : 0);
	sj_proto_tree_finish(&p.tree);
	sj_value_unref(mem, p.work);
	if (st == SJ_OK)
		*out = made;
	else
		sj_proto_patched_release(mem, &made);
	return st;
}

void sj_proto_patched_release(struct sj_mem *mem, struct sj_proto_patched *p)
{
	sj_value_unref(mem, p->spec);
	sj_value_unref(mem, p->changed);
	sj_proto_ids_release(mem, &p->ids);
	*p = (struct sj_proto_patched){.spec = SJ_ABSENT_VALUE};
}
