/* A small but whole host of the library: it shows what an agent describes as indented text, does what its arguments
 * say, and prints what would be sent to the agent.
 *
 *     tiny_host MESSAGES.jsonl [press ID | type ID TEXT]...
 *
 * It uses nothing but the public headers; docs/embedding.md walks through it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shoji/shoji.h"

static struct shoji_text text(const char *z) { return (struct shoji_text){z, strlen(z)}; }

/* What an agent wrote goes to a terminal without its control characters. */
static void print(struct shoji_text t)
{
	for (size_t i = 0; i < t.len; i++)
		putchar((unsigned char)t.ptr[i] < ' ' || t.ptr[i] == 127 ? ' ' : t.ptr[i]);
}

static void show_property(struct shoji_engine *e, struct shoji_view *v, uint64_t node, const char *meaning)
{
	struct shoji_text t;
	if (shoji_node_text(e, v, node, meaning, &t) != SHOJI_OK)
		return;
	printf(" %s=\"", meaning);
	print(t);
	putchar('"');
}

/* One line per node: kind, id, what it says. A real face would make a widget instead, and keep it under the node's
 * number. */
static void show_node(struct shoji_engine *e, struct shoji_view *v, uint64_t node, int depth)
{
	static const char *const MEANINGS[] = {"text", "label", "value", "detail", "placeholder"};
	printf("%*s%s #", depth * 2, "", shoji_node_kind(v, node));
	print(shoji_node_component(v, node));
	if (strcmp(shoji_node_why(v, node), "resolved") != 0)
		printf(" (%s)", shoji_node_why(v, node));
	for (size_t i = 0; i < sizeof MEANINGS / sizeof *MEANINGS; i++)
		show_property(e, v, node, MEANINGS[i]);
	struct shoji_text problem;
	if (!shoji_node_valid(v, node, &problem)) {
		fputs(" problem=\"", stdout);
		print(problem);
		putchar('"');
	}
	if (!shoji_node_enabled(v, node) && strcmp(shoji_node_kind(v, node), "button") == 0)
		fputs(" disabled", stdout);
	putchar('\n');
	for (uint32_t i = 0; i < shoji_node_child_count(v, node); i++)
		show_node(e, v, shoji_node_child(v, node, i),
		          depth + 1); /* as deep as the surface: the engine caps it */
}

/* Takes events until there are none. What an agent wants done is refused by doing nothing but saying so. */
static void take_events(struct shoji_engine *e)
{
	struct shoji_event ev = SHOJI_EVENT_INIT;
	while (shoji_next(e, &ev) == SHOJI_OK) {
		const struct shoji_change *changes;
		uint32_t count;
		switch (ev.kind) {
		case SHOJI_EVENT_SURFACE_CHANGED:
			if (shoji_changes(e, ev.view, &changes, &count) == SHOJI_OK && shoji_node_root(ev.view))
				show_node(e, ev.view, shoji_node_root(ev.view), 0);
			break;
		case SHOJI_EVENT_SEND:
			fputs("send ", stdout);
			print(ev.json);
			putchar('\n');
			break;
		case SHOJI_EVENT_FAULT:
			printf("fault %s %s\n", ev.fault->code, ev.fault->message);
			break;
		case SHOJI_EVENT_TOOL_WANTED:
		case SHOJI_EVENT_CALL_WANTED:
			fputs("refused ", stdout);
			print(ev.name);
			putchar('\n');
			shoji_answer(e, ev.call_id, text(""), "UNAVAILABLE", text("This host does nothing."));
			break;
		case SHOJI_EVENT_SURFACE_NEW:
		case SHOJI_EVENT_SURFACE_GONE:
		case SHOJI_EVENT_CALL_GONE:
		case SHOJI_EVENT_CALL_DONE:
			break;
		}
	}
}

static int feed_file(struct shoji_engine *e, uint32_t peer, const char *path)
{
	FILE *f = fopen(path, "rb");
	char bytes[4096];
	size_t n;
	if (!f) {
		perror(path);
		return 3;
	}
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		if (shoji_feed(e, peer, bytes, n) != SHOJI_OK)
			break;
	shoji_feed_end(e, peer);
	fclose(f);
	return 0;
}

/* What the person does, as words: press ID, type ID TEXT. Returns how many words it took, 0 for a mistake. */
static int act(struct shoji_engine *e, struct shoji_view *v, int argc, char **argv)
{
	struct shoji_fault fault = {.size = sizeof fault};
	enum shoji_status st;
	uint64_t node = argc > 1 ? shoji_node_find(v, text(argv[1]), NULL, 0) : 0;
	int words = 0;
	if (node && strcmp(argv[0], "press") == 0) {
		st = shoji_press(e, v, node, &fault);
		words = 2;
	} else if (node && argc > 2 && strcmp(argv[0], "type") == 0) {
		struct shoji_input in = SHOJI_INPUT_INIT;
		in.node = node;
		in.value_is_text = true;
		in.value = text(argv[2]);
		st = shoji_input(e, v, &in, &fault);
		words = 3;
	} else {
		fprintf(stderr, "cannot do: %s\n", argv[0]);
		return 0;
	}
	if (st != SHOJI_OK)
		printf("refused %s\n", fault.message);
	return words;
}

int main(int argc, char **argv)
{
	struct shoji_engine *e;
	uint32_t peer;
	if (argc < 2) {
		fputs("usage: tiny_host MESSAGES.jsonl [press ID | type ID TEXT]...\n", stderr);
		return 2;
	}
	if (shoji_create(NULL, &e) != SHOJI_OK || shoji_peer_open(e, text("file"), &peer) != SHOJI_OK)
		return 3;
	int result = feed_file(e, peer, argv[1]);
	take_events(e);
	for (int i = 2, words; result == 0 && i < argc; i += words) {
		struct shoji_view *v = shoji_view_count(e) ? shoji_view_at(e, 0) : NULL;
		words = v ? act(e, v, argc - i, argv + i) : 0;
		if (!words)
			result = 2;
		take_events(e);
		if (!words)
			break;
	}
	shoji_destroy(e);
	return result;
}
