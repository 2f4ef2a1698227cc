/* shoji minimise: cuts a stream that shows something down to the smallest one that still shows it.
 *
 * Delta debugging: parts of the input are left out, big ones first, and stay out when the expectation still holds. The
 * steps come first, then whatever holds something: lists of messages, components, properties, members of the data
 * model, in document order; all of it again until nothing more can go. What is tried is always JSON. The same input
 * gives the same result; the number of trials and the bytes they replay are bounded.
 */
#include <stdio.h>

#include "cmd/replay.h"

enum { MOST_TRIALS = 20000, MOST_BYTES = 512 * 1024 * 1024 };

struct minimiser {
	struct sj_mem *mem;
	struct sj_value steps; /* the smallest so far */
	struct sj_buf expect;  /* the last line */
	struct sj_buf script;  /* of the running trial */
	SJ_VEC(uint32_t) path; /* to the container that is being cut: which child of which */
	uint32_t trials;
	uint64_t bytes; /* replayed so far */
	bool out_of_memory, holds;
	uint32_t last_line;
	char why[512]; /* why the expectation did not hold */
};

/* ---- trials ------------------------------------------------------------------------------------------------------ */

static void on_failure(void *ctx, uint32_t line, struct sj_slice text)
{
	struct minimiser *m = ctx;
	if (line != m->last_line) /* a step that can no longer be done */
		return;
	m->holds = false;
	snprintf(m->why, sizeof m->why, "%.*s", SJ_ARG(text));
}

static void print_steps(const struct sj_value *steps, struct sj_buf *out)
{
	for (uint32_t i = 0; i < sj_value_count(steps); i++) {
		sj_value_print(out, sj_value_item(steps, i), SJ_PRINT_COMPACT);
		sj_buf_putc(out, '\n');
	}
}

static bool is_spent(const struct minimiser *m)
{
	return m->out_of_memory || m->trials >= MOST_TRIALS || m->bytes >= MOST_BYTES;
}

/* Does the expectation hold after these steps? */
static bool try_steps(struct minimiser *m, const struct sj_value *steps)
{
	struct cmd_replay_result result = {0};
	sj_buf_clear(&m->script);
	print_steps(steps, &m->script);
	sj_buf_slice(&m->script, sj_buf_view(&m->expect));
	m->trials++;
	m->bytes += m->script.len;
	m->last_line = sj_value_count(steps) + 1;
	m->holds = true;
	if (sj_buf_status(&m->script) != SJ_OK ||
	    cmd_replay_run(m->mem, sj_buf_view(&m->script), on_failure, m, &result) == CMD_IO)
		m->out_of_memory = true;
	return m->holds && !m->out_of_memory && result.expectations == 1;
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

static const struct sj_value *child(const struct sj_value *v, uint32_t i)
{
	struct sj_slice key;
	return v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key);
}

static const struct sj_value *at_path(const struct minimiser *m)
{
	const struct sj_value *v = &m->steps;
	for (uint32_t i = 0; i < m->path.count; i++)
		v = child(v, m->path.items[i]);
	return v;
}

static struct sj_value *own_child(struct sj_mem *mem, struct sj_value *v, uint32_t i, enum sj_status *st)
{
	struct sj_slice key;
	struct sj_value *out;
	if (v->type == SJ_V_ARRAY)
		return sj_value_own_item(mem, v, i, st);
	sj_value_member(v, i, &key);
	char *copy = sj_mem_strndup(mem, key); /* the member's own text may move */
	if (!copy) {
		*st = SJ_NOMEM;
		return NULL;
	}
	out = sj_value_own_member(mem, v, sj_slice(copy, key.len), st);
	sj_mem_free(mem, copy, key.len + 1);
	return out;
}

static enum sj_status remove_child(struct sj_mem *mem, struct sj_value *v, uint32_t i)
{
	struct sj_slice key;
	if (v->type == SJ_V_ARRAY)
		return sj_value_remove(mem, v, i);
	sj_value_member(v, i, &key);
	char *copy = sj_mem_strndup(mem, key);
	if (!copy)
		return SJ_NOMEM;
	enum sj_status st = sj_value_unset(mem, v, sj_slice(copy, key.len));
	sj_mem_free(mem, copy, key.len + 1);
	return st;
}

/* Leaves children [from, from + n) of the container at the path out, for good when the expectation still holds. */
static bool cut(struct minimiser *m, uint32_t from, uint32_t n)
{
	struct sj_value steps = sj_value_ref(m->steps), *v = &steps;
	enum sj_status st = SJ_OK;
	bool holds = false;
	for (uint32_t i = 0; v && st == SJ_OK && i < m->path.count; i++)
		v = own_child(m->mem, v, m->path.items[i], &st);
	for (uint32_t i = n; v && st == SJ_OK && i-- > 0;)
		st = remove_child(m->mem, v, from + i);
	if (!v || st != SJ_OK)
		m->out_of_memory = true;
	else
		holds = try_steps(m, &steps);
	if (!holds) {
		sj_value_unref(m->mem, steps);
		return false;
	}
	sj_value_unref(m->mem, m->steps);
	m->steps = steps;
	return true;
}

/* The container at the path: halves, quarters ... single children, until none can go. */
static bool cut_children(struct minimiser *m)
{
	uint32_t count = sj_value_count(at_path(m));
	bool any = false;
	for (uint32_t size = count; size > 0 && !is_spent(m);) {
		bool went = false;
		for (uint32_t from = 0; from < count && !is_spent(m);) {
			uint32_t n = size < count - from ? size : count - from;
			if (cut(m, from, n)) {
				count -= n;
				went = any = true;
			} else {
				from += n;
			}
		}
		size = size > count ? count : size;
		if (size > 1)
			size /= 2;
		else if (!went)
			break;
	}
	return any;
}

/* The next container in document order; false: there is none. */
static bool go_on(struct minimiser *m)
{
	const struct sj_value *v = at_path(m);
	uint32_t from = 0;
	for (;;) {
		for (uint32_t i = from; i < sj_value_count(v); i++) {
			if (!sj_value_is_container(child(v, i)))
				continue;
			if (SJ_VEC_RESERVE(m->mem, &m->path, m->path.count + 1, 0) != SJ_OK) {
				m->out_of_memory = true;
				return false;
			}
			m->path.items[m->path.count++] = i;
			return true;
		}
		if (m->path.count == 0)
			return false;
		from = m->path.items[--m->path.count] + 1;
		v = at_path(m);
	}
}

static void minimise(struct minimiser *m)
{
	bool any = true;
	while (any && !is_spent(m)) {
		any = false;
		m->path.count = 0;
		do {
			any = cut_children(m) || any;
		} while (!is_spent(m) && go_on(m));
	}
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void add_step(struct minimiser *m, const char *key, struct sj_value take)
{
	struct sj_value step;
	if (sj_value_object(m->mem, &step) != SJ_OK) {
		sj_value_unref(m->mem, take);
		m->out_of_memory = true;
		return;
	}
	if (sj_value_set(m->mem, &step, sj_slice_of(key), take) != SJ_OK) {
		sj_value_unref(m->mem, step);
		m->out_of_memory = true;
	} else if (sj_value_append(m->mem, &m->steps, step) != SJ_OK) {
		m->out_of_memory = true;
	}
}

static void add_bytes(struct minimiser *m, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(m->mem, text, &v) != SJ_OK)
		m->out_of_memory = true;
	else
		add_step(m, "bytes", v);
}

/* Each message a step of its own. */
static void add_messages(struct minimiser *m, const struct sj_value *v)
{
	const struct sj_value *list = cmd_member(v, "messages") ? cmd_member(v, "messages") : v;
	if (list->type != SJ_V_ARRAY) {
		add_step(m, "agent", sj_value_ref(*v));
		return;
	}
	for (uint32_t i = 0; i < sj_value_count(list); i++)
		add_step(m, "agent", sj_value_ref(*sj_value_item(list, i)));
}

static struct sj_slice next_line(struct sj_slice text, size_t *at)
{
	const char *end = memchr(text.ptr + *at, '\n', text.len - *at);
	struct sj_slice line = {text.ptr + *at, end ? (size_t)(end - text.ptr) - *at + 1 : text.len - *at};
	*at += line.len;
	return line;
}

/* A document of messages, or lines of them; a line that is no JSON stays as it is. */
static void read_messages(struct minimiser *m, struct sj_slice text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	if (sj_value_parse(m->mem, &opt, text, &v, NULL) == SJ_OK) {
		add_messages(m, &v);
		sj_value_unref(m->mem, v);
		return;
	}
	for (size_t at = 0; at < text.len;) {
		struct sj_slice line = next_line(text, &at);
		if (sj_value_parse(m->mem, &opt, line, &v, NULL) == SJ_OK) {
			add_messages(m, &v);
			sj_value_unref(m->mem, v);
		} else if (line.len > 1) {
			add_bytes(m, line);
		}
	}
}

static bool read_script(struct minimiser *m, struct sj_slice text)
{
	for (size_t at = 0; at < text.len;) {
		struct sj_slice line = next_line(text, &at);
		struct sj_value step;
		if (line.len <= 1)
			continue;
		if (!cmd_parse(m->mem, line, "script", &step))
			return false;
		const struct sj_value *bytes = cmd_member(&step, "bytes"), *agent = cmd_member(&step, "agent");
		if (bytes && sj_value_is_string(bytes))
			read_messages(m, sj_value_text(bytes));
		else if (agent)
			add_messages(m, agent);
		else if (!cmd_member(&step, "expect") &&
		         sj_value_append(m->mem, &m->steps, sj_value_ref(step)) != SJ_OK)
			m->out_of_memory = true;
		sj_value_unref(m->mem, step);
	}
	return true;
}

/* Faults that nobody asks about are of no matter here. */
static bool read_expectation(struct minimiser *m, const char *json)
{
	struct sj_value v, any;
	bool ok = cmd_parse(m->mem, sj_slice_of(json), "--still", &v);
	if (!ok)
		return false;
	ok = v.type == SJ_V_OBJECT;
	if (ok && !cmd_member(&v, "errors") && !cmd_member(&v, "error"))
		ok = cmd_parse(m->mem, SJ_LIT("{\"$any\":true}"), "--still", &any) &&
		     sj_value_set(m->mem, &v, SJ_LIT("errors"), any) == SJ_OK;
	sj_buf_puts(&m->expect, "{\"expect\":");
	sj_value_print(&m->expect, &v, SJ_PRINT_COMPACT);
	sj_buf_puts(&m->expect, "}\n");
	sj_value_unref(m->mem, v);
	if (!ok)
		cmd_usage_error("minimise", "--still takes an expectation, such as {\"error\":\"CYCLIC_REFERENCE\"}");
	return ok;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

static void print_result(struct minimiser *m, bool script)
{
	struct sj_buf out;
	bool plain = !script;
	for (uint32_t i = 0; i < sj_value_count(&m->steps); i++)
		plain = plain && cmd_member(sj_value_item(&m->steps, i), "agent");
	sj_buf_init(&out, m->mem, 0);
	for (uint32_t i = 0; plain && i < sj_value_count(&m->steps); i++) {
		sj_value_print(&out, cmd_member(sj_value_item(&m->steps, i), "agent"), SJ_PRINT_COMPACT);
		sj_buf_putc(&out, '\n');
	}
	if (!plain) {
		print_steps(&m->steps, &out);
		sj_buf_slice(&out, sj_buf_view(&m->expect));
	}
	cmd_print_json(sj_buf_view(&out));
	sj_buf_finish(&out);
}

static int run(struct minimiser *m, struct sj_slice text)
{
	bool script = cmd_is_script(m->mem, text);
	if (script && !read_script(m, text))
		return CMD_INVALID;
	if (!script)
		read_messages(m, text);
	uint32_t steps = sj_value_count(&m->steps);
	bool holds = !m->out_of_memory && try_steps(m, &m->steps);
	uint64_t size = m->script.len - m->expect.len;
	if (holds)
		minimise(m);
	if (m->out_of_memory) {
		cmd_say("shoji: out of memory\n");
		return CMD_IO;
	}
	if (!holds) {
		cmd_say("The expectation does not hold for the whole of it: %s\n", m->why);
		return CMD_INVALID;
	}
	sj_buf_clear(&m->script);
	print_steps(&m->steps, &m->script);
	print_result(m, script);
	cmd_say("%u trials: %u of %u steps, %llu of %llu bytes are left%s\n", m->trials, sj_value_count(&m->steps), steps,
	        (unsigned long long)m->script.len, (unsigned long long)size,
	        is_spent(m) ? "; more could go, but enough was tried" : "");
	return CMD_OK;
}

int cmd_minimise(const struct cmd_args *args)
{
	struct minimiser m = {.mem = args->mem};
	struct sj_buf text;
	int code = CMD_OK;

	if (!cmd_has(args, CMD_OPT_STILL)) {
		cmd_usage_error("minimise", "--still says what must still be so");
		return CMD_USAGE;
	}
	sj_buf_init(&m.expect, m.mem, 0);
	sj_buf_init(&m.script, m.mem, 0);
	sj_buf_init(&text, m.mem, 0);
	if (sj_value_array(m.mem, &m.steps) != SJ_OK)
		code = CMD_IO;
	if (code == CMD_OK && !read_expectation(&m, args->value[CMD_OPT_STILL]))
		code = CMD_USAGE;
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK)
		code = run(&m, sj_buf_view(&text));
	sj_value_unref(m.mem, m.steps);
	SJ_VEC_FREE(m.mem, &m.path);
	sj_buf_finish(&m.expect);
	sj_buf_finish(&m.script);
	sj_buf_finish(&text);
	return code;
}
