/* The official A2UI schemas of one protocol version in a schema set, as the protocol's own test runner registers them:
 * every document under its $id, and one catalog under the name the envelopes refer to. */
#ifndef SJ_TEST_SCHEMA_A2UI_SET_H
#define SJ_TEST_SCHEMA_A2UI_SET_H

#include <stdio.h>

#include "harness/test.h"
#include "schema/schema.h"

struct a2ui_version {
	const char *folder;   /* of a2ui/specification */
	const char *base;     /* of the $ids */
	const char *envelope; /* document for messages to the renderer */
};

static const struct a2ui_version a2ui_versions[] = {
	{"v0_9", "https://a2ui.org/specification/v0_9/", "server_to_client.json"},
	{"v0_9_1", "https://a2ui.org/specification/v0_9/", "server_to_client.json"},
	{"v1_0", "https://a2ui.org/specification/v1_0/", "agent_to_renderer.json"},
};
/* v0.8 has neither common types nor catalog.json; its documents lie together. */
static const struct a2ui_version a2ui_v08 = {"v0_8", "https://a2ui.org/specification/v0_8/",
                                             "server_to_client_with_standard_catalog.json"};
enum { A2UI_VERSIONS = sizeof a2ui_versions / sizeof *a2ui_versions };

/* Path of a file of the specification, in `out`; false when it is not there. */
static inline bool a2ui_path(const struct a2ui_version *v, const char *relative, char out[512])
{
	char path[512];

	snprintf(path, sizeof path, "a2ui/specification/%s/%s", v->folder, relative);
	const char *found = sj_data(path);
	if (found)
		snprintf(out, 512, "%s", found);
	return found != NULL;
}

static inline bool a2ui_add_file(struct sj_schema_set *set, const char *path, const char *uri)
{
	struct sj_diag diag = {0};

	if (sj_schema_set_add(set, sj_slice_of(uri), sj_slurp(path), &diag) == SJ_OK)
		return true;
	sj_fail_at(__FILE__, __LINE__, "%s: %s at %s", uri, diag.message, diag.pointer);
	return false;
}

/* `catalog`: a file of the version's folder to stand as catalog.json. NULL when the data is absent. */
static inline struct sj_schema_set *a2ui_set(const struct a2ui_version *v, const char *catalog, bool plain)
{
	struct sj_schema_options opt = {.assert_format = true, .plain = plain};
	struct sj_schema_set *set;
	char folder[512], path[512], uri[600], **names;

	if (!a2ui_path(v, "json", folder) || !a2ui_path(v, catalog, path) ||
	    sj_schema_set_create(sj_test_mem(), &opt, &set) != SJ_OK)
		return NULL;
	size_t count = sj_list_dir(folder, ".json", &names);
	for (size_t i = 0; i < count; i++) {
		char file[1024];
		snprintf(file, sizeof file, "%s/%s", folder, names[i]);
		snprintf(uri, sizeof uri, "%s%s", v->base, names[i]);
		a2ui_add_file(set, file, uri);
	}
	snprintf(uri, sizeof uri, "%scatalog.json", v->base);
	a2ui_add_file(set, path, uri);
	return set;
}

#endif
