/* Writes to the model: values that are set, typed entries that are merged, and what is known to be there. */
#include "a2ui/convert_internal.h"
#include "a2ui/internal.h"
#include "base/num.h"

static void put_pointer(struct sj_conv *c, struct sj_value *body, const struct sj_slice *tokens, uint32_t n)
{
	struct sj_buf path;
	sj_buf_init(&path, c->mem, 0);
	for (uint32_t i = 0; i < n; i++)
		sj_pointer_append(&path, tokens[i]);
	if (sj_buf_status(&path) != SJ_OK)
		c->st = sj_buf_status(&path);
	if (n > 0)
		sj_conv_put(c, body, "path", sj_conv_text(c, sj_buf_view(&path)));
	sj_buf_finish(&path);
}

/* What a write does to the model as it is known. ABSENT removes. Takes `value`. */
static void follow(struct sj_conv *c, const struct sj_slice *tokens, uint32_t n, struct sj_value value)
{
	struct sj_value *v = &c->life->model;
	enum sj_status st = c->st;
	if (n == 0) {
		sj_conv_drop(c, *v);
		*v = value.type == SJ_V_ABSENT ? sj_conv_object(c) : value;
		return;
	}
	for (uint32_t i = 0; st == SJ_OK && c->life->model_known; i++) {
		uint32_t index;
		bool list = v->type == SJ_V_ARRAY, last = i + 1 == n;
		if ((list && !sj_num_index(tokens[i], &index)) || (!list && v->type != SJ_V_OBJECT) ||
		    (list && index > c->limits->array_index)) {
			c->life->model_known = false; /* refused by whoever applies it */
			break;
		}
		if (last) {
			if (list)
				st = sj_value_set_item(c->mem, v, index, value);
			else
				st = sj_value_set(c->mem, v, tokens[i], value);
			value = SJ_ABSENT_VALUE;
			break;
		}
		const struct sj_value *there = list ? sj_value_item(v, index) : sj_value_get(v, tokens[i]);
		if (!there || there->type == SJ_V_NULL || there->type == SJ_V_ABSENT) {
			struct sj_value fresh;
			if (value.type == SJ_V_ABSENT) /* nothing to remove */
				break;
			st = sj_num_index(tokens[i + 1], &(uint32_t){0}) ? sj_value_array(c->mem, &fresh)
			                                                 : sj_value_object(c->mem, &fresh);
			if (st == SJ_OK)
				st = list ? sj_value_set_item(c->mem, v, index, fresh)
				          : sj_value_set(c->mem, v, tokens[i], fresh);
		}
		if (st == SJ_OK)
			v = list ? sj_value_own_item(c->mem, v, index, &st)
			         : sj_value_own_member(c->mem, v, tokens[i], &st);
		if (!v)
			break;
	}
	sj_conv_drop(c, value);
	c->st = st;
}

static const struct sj_value *known_at(const struct sj_conv *c, const struct sj_slice *tokens, uint32_t n)
{
	const struct sj_value *v = &c->life->model;
	for (uint32_t i = 0; v && i < n; i++) {
		uint32_t index;
		v = v->type == SJ_V_OBJECT                                        ? sj_value_get(v, tokens[i])
		    : v->type == SJ_V_ARRAY && sj_num_index(tokens[i], &index) ? sj_value_item(v, index)
		                                                               : NULL;
	}
	return v && v->type != SJ_V_ABSENT ? v : NULL;
}

static void emit_data_v08(struct sj_conv *c, const struct sj_slice *tokens, uint32_t n, const struct sj_value *value)
{
	struct sj_value body = sj_conv_body(c), contents = sj_conv_array(c);
	if (value->type == SJ_V_ABSENT) {
		sj_conv_lost(c, "v0.8 cannot remove data");
	} else if (n == 0 && value->type != SJ_V_OBJECT) {
		sj_conv_lost(c, "in v0.8 the whole model is a map");
	} else if (n == 0) {
		bool stays = false;
		for (uint32_t i = 0; c->life->model.type == SJ_V_OBJECT && i < sj_value_count(&c->life->model); i++) {
			struct sj_slice key;
			(void)sj_value_member(&c->life->model, i, &key);
			stays = stays || !sj_value_get(value, key);
		}
		if (stays)
			sj_conv_lost(c, "v0.8 merges into the model: members that are not named here stay");
		for (uint32_t i = 0; i < sj_value_count(value); i++) {
			struct sj_slice key;
			const struct sj_value *m = sj_value_member(value, i, &key);
			struct sj_value entry = sj_conv_entry_v08(c, key, m);
			if (entry.type != SJ_V_ABSENT)
				sj_conv_add(c, &contents, entry);
		}
	} else {
		put_pointer(c, &body, tokens, n - 1);
		struct sj_value entry = sj_conv_entry_v08(c, tokens[n - 1], value);
		if (entry.type != SJ_V_ABSENT)
			sj_conv_add(c, &contents, entry);
	}
	bool any = sj_value_count(&contents) > 0;
	sj_conv_put(c, &body, "contents", contents);
	if (any)
		sj_conv_emit(c, "dataModelUpdate", body);
	else
		sj_conv_drop(c, body);
}

/* ABSENT removes. Takes `value`. */
void sj_conv_write_data(struct sj_conv *c, const struct sj_slice *tokens, uint32_t n, struct sj_value value)
{
	bool v10 = c->opt->to >= SJ_V10;
	if (c->opt->to == SJ_V08) {
		emit_data_v08(c, tokens, n, &value);
		follow(c, tokens, n, value);
		return;
	}
	bool null = v10 && value.type == SJ_V_NULL;
	follow(c, tokens, n, sj_value_ref(value));
	const struct sj_value *around = null && n > 0 && c->life->model_known ? known_at(c, tokens, n - 1) : NULL;
	struct sj_value body = sj_conv_body(c);
	if (null && !around) {
		sj_conv_lost(c, "in v1.0 null removes, so no place can be set to it");
	} else if (null) { /* inside of what is written null is a value */
		n--;
		value = sj_value_ref(*around);
	}
	put_pointer(c, &body, tokens, n);
	if (value.type == SJ_V_ABSENT && v10)
		sj_conv_put(c, &body, "value", SJ_NULL_VALUE);
	else if (value.type != SJ_V_ABSENT)
		sj_conv_put(c, &body, "value", value);
	sj_conv_emit(c, "updateDataModel", body);
}

bool sj_conv_path(struct sj_conv *c, struct sj_slice text, struct sj_path *out)
{
	enum sj_status st = sj_path_parse(&c->arena, c->limits, text, out, NULL);
	if (st == SJ_NOMEM)
		c->st = st;
	else if (st != SJ_OK)
		sj_conv_lost(c, "the path '%.*s' cannot be read", (int)(text.len > 80 ? 80 : text.len), text.ptr);
	return st == SJ_OK;
}

/* Typed entries as a value. The recursion is as deep as the message (limits.json_depth). */
static struct sj_value entries_to_value(struct sj_conv *c, const struct sj_value *entries)
{
	struct sj_value out = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(entries); i++) {
		const struct sj_value *e = sj_value_item(entries, i), *key = sj_conv_get(e, "key"),
				      *map = sj_conv_get(e, "valueMap");
		static const char *const scalars[] = {"valueString", "valueNumber", "valueBoolean"};
		const struct sj_value *v = NULL;
		for (size_t k = 0; k < sizeof scalars / sizeof *scalars && !v; k++)
			v = sj_conv_get(e, scalars[k]);
		struct sj_value read = SJ_ABSENT_VALUE;
		if (v && sj_value_is_string(v)) {
			if (c->st == SJ_OK)
				c->st = sj_v08_text(c->mem, c->limits, sj_value_text(v), &read);
			if (c->st != SJ_OK)
				break;
		} else if (v)
			read = sj_value_ref(*v);
		else if (map)
			read = entries_to_value(c, map);
		if (key && read.type != SJ_V_ABSENT)
			sj_conv_set(c, &out, sj_value_text(key), read);
		else
			sj_conv_drop(c, read);
	}
	return out;
}

void sj_conv_data_v08(struct sj_conv *c, const struct sj_value *body)
{
	const struct sj_value *contents = sj_conv_get(body, "contents");
	struct sj_slice text = sj_conv_member(body, "path");
	struct sj_path p;
	if (!contents || contents->type != SJ_V_ARRAY || !sj_conv_path(c, text.ptr ? text : SJ_LIT("/"), &p))
		return;
	struct sj_value value = entries_to_value(c, contents);
	const struct sj_value *there = known_at(c, p.tokens, p.count), *self = sj_conv_get(&value, ".");
	bool fresh = !there || there->type == SJ_V_NULL || (p.count == 0 && sj_value_count(there) == 0);
	if (self && sj_value_count(&value) == 1) {
		sj_conv_write_data(c, p.tokens, p.count, sj_value_ref(*self));
	} else if (fresh) { /* a map, whatever its keys look like */
		sj_conv_write_data(c, p.tokens, p.count, sj_value_ref(value));
	} else {
		struct sj_slice *tokens = sj_arena_alloc(&c->arena, (p.count + 1) * sizeof *tokens);
		for (uint32_t i = 0; tokens && i < p.count; i++)
			tokens[i] = p.tokens[i];
		for (uint32_t i = 0; tokens && i < sj_value_count(&value); i++) {
			const struct sj_value *m = sj_value_member(&value, i, &tokens[p.count]);
			sj_conv_write_data(c, tokens, p.count + 1, sj_value_ref(*m));
		}
		if (!tokens)
			c->st = SJ_NOMEM;
	}
	sj_conv_drop(c, value);
}

void sj_conv_data(struct sj_conv *c, const struct sj_value *body)
{
	const struct sj_value *value = sj_conv_get(body, "value");
	struct sj_slice text = sj_conv_member(body, "path");
	struct sj_path p;
	if (!sj_conv_path(c, text.ptr ? text : SJ_LIT("/"), &p))
		return;
	bool removes = c->from >= SJ_V10 ? value && value->type == SJ_V_NULL : !value;
	sj_conv_write_data(c, p.tokens, p.count, removes || !value ? SJ_ABSENT_VALUE : sj_value_ref(*value));
}
