/* verdicts FOLDER: says of each line on standard input whether it is a valid message, for bench/peers.mjs.
 *
 * A line is VERSION SCHEMA JSON, with tabs between. FOLDER holds the published specification (v0_9/json/...). One line
 * goes out for each that comes in: two verdicts and the first fault of each, with tabs between. The first is that of
 * the schema engine over the published schemas; the second, for messages to the renderer, that of the message check
 * with our own data. 1: valid, 0: not, -: not asked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "a2ui/check.h"
#include "cmd/cmd.h"

static const struct family {
	const char *name, *folder, *base; /* base: where its documents say they are published; v0.9.1 says v0.9 */
	enum sj_version version;
} families[] = {
	{"v0.8", "v0_8", "https://a2ui.org/specification/v0_8/", SJ_V08},
	{"v0.9", "v0_9", "https://a2ui.org/specification/v0_9/", SJ_V09},
	{"v0.9.1", "v0_9_1", "https://a2ui.org/specification/v0_9/", SJ_V091},
	{"v1.0", "v1_0", "https://a2ui.org/specification/v1_0/", SJ_V10},
};
enum { FAMILIES = sizeof families / sizeof *families, FILES = 16 };

struct kin {
	struct sj_schema_set *set;
	struct sj_catalog *catalog;
	struct {
		char name[96];
		const struct sj_schema *schema;
	} files[FILES];
	unsigned nfiles;
};

static struct sj_mem mem;
static struct kin kin[FAMILIES];
static const char *root;

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "verdicts: %s: %s\n", what, why);
	exit(2);
}

/* Adds a file under the address its neighbours know it by. */
static void add(struct kin *k, const struct family *f, const char *file, const char *uri)
{
	char path[1024];
	struct sj_buf text;
	struct sj_diag d = {0};
	sj_buf_init(&text, &mem, 0);
	snprintf(path, sizeof path, "%s/%s/%s", root, f->folder, file);
	if (cmd_read(path, &text) != CMD_OK)
		exit(2);
	if (sj_schema_set_add(k->set, sj_slice_of(uri), sj_buf_view(&text), &d) != SJ_OK)
		die(path, d.message);
	sj_buf_finish(&text);
}

static const struct sj_schema *schema(struct kin *k, const struct family *f, const char *file)
{
	char path[128], uri[256];
	struct sj_diag d = {0};
	for (unsigned i = 0; i < k->nfiles; i++)
		if (strcmp(k->files[i].name, file) == 0)
			return k->files[i].schema;
	if (k->nfiles == FILES)
		die(file, "too many schemas");
	snprintf(path, sizeof path, "json/%s", file);
	snprintf(uri, sizeof uri, "%s%s", f->base, file);
	add(k, f, path, uri);
	const struct sj_schema *s = NULL;
	if (sj_schema_compile(k->set, sj_slice_of(uri), &s, &d) != SJ_OK)
		die(uri, d.message);
	snprintf(k->files[k->nfiles].name, sizeof k->files[0].name, "%s", file);
	k->files[k->nfiles++].schema = s;
	return s;
}

static void open_family(unsigned at)
{
	const struct family *f = &families[at];
	struct kin *k = &kin[at];
	struct sj_schema_options opt = {.assert_format = true};
	char uri[128];
	if (sj_schema_set_create(&mem, &opt, &k->set) != SJ_OK)
		die(f->name, "out of memory");
	if (sj_catalog_basic(&mem, f->version, NULL, NULL, &k->catalog) != SJ_OK)
		die(f->name, "no basic catalog");
	if (f->version == SJ_V08) /* its schemas refer to nothing outside */
		return;
	snprintf(uri, sizeof uri, "%scommon_types.json", f->base);
	add(k, f, "json/common_types.json", uri);
	snprintf(uri, sizeof uri, "%scatalog.json", f->base); /* the envelope's name for whichever catalog it is */
	add(k, f, "catalogs/basic/catalog.json", uri);
}

static bool first_fault(void *ctx, const struct sj_schema_fault *fault)
{
	snprintf(ctx, 256, "%s", fault->message);
	return false;
}

static void judge(const char *version, const char *file, struct sj_slice json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena, scratch;
	struct sj_tape t;
	char fault[256] = "";
	char other = '-';
	struct sj_diag d = {0};
	unsigned at = 0;
	while (at < FAMILIES && strcmp(families[at].name, version) != 0)
		at++;
	if (at == FAMILIES)
		die(version, "no such version");
	if (!kin[at].set)
		open_family(at);
	const struct sj_schema *s = schema(&kin[at], &families[at], file);
	sj_arena_init(&arena, &mem, 0);
	sj_arena_init(&scratch, &mem, 0);
	if (sj_json_parse(&arena, &opt, json, &t, &d) != SJ_OK)
		die(file, d.message);
	bool valid = sj_schema_validate(s, &t, 0, &scratch, first_fault, fault) == SJ_OK;
	bool inward = strncmp(file, "agent_to_renderer", 17) == 0 || strncmp(file, "server_to_client", 16) == 0;
	if (inward && families[at].version != SJ_V08) { /* the check of single messages begins with v0.9 */
		const struct sj_catalog *list[] = {kin[at].catalog};
		struct sj_check check = {
			.mem = &mem, .catalogs = list, .ncatalogs = 1, .version = families[at].version};
		other = sj_check_message(&check, &t, 0, &scratch, NULL, &d) == SJ_OK ? '1' : '0';
	}
	for (char *c = fault; *c; c++)
		*c = *c == '\t' || *c == '\n' ? ' ' : *c;
	for (char *c = d.message; *c; c++)
		*c = *c == '\t' || *c == '\n' ? ' ' : *c;
	printf("%c\t%c\t%s\t%s\n", valid ? '1' : '0', other, fault, d.message);
	sj_arena_finish(&scratch);
	sj_arena_finish(&arena);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	if (argc != 2)
		die("usage", "verdicts FOLDER <lines");
	root = argv[1];
	sj_mem_init(&mem, NULL, 0);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		char *one = strchr(line, '\t'), *two = one ? strchr(one + 1, '\t') : NULL;
		if (!two)
			die(line, "is no line of VERSION SCHEMA JSON");
		*one = *two = '\0';
		while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			len--;
		judge(line, one + 1, sj_slice(two + 1, (size_t)(line + len - (two + 1))));
	}
	free(line);
	for (unsigned i = 0; i < FAMILIES; i++) {
		sj_schema_set_destroy(kin[i].set);
		sj_catalog_destroy(kin[i].catalog);
	}
	return 0;
}
