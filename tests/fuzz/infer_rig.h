/* A small catalog and a format over it, for the fuzzers of infer. */
#ifndef SJ_FUZZ_INFER_RIG_H
#define SJ_FUZZ_INFER_RIG_H

#include <stdlib.h>

#include "infer/infer.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)
#define FUZZ_REPAIRS 12

struct fuzz_rig {
	struct sj_mem mem;
	struct sj_catalog *c;
	struct sj_format *f;
};

static inline void fuzz_rig_open(struct fuzz_rig *r)
{
	static const char catalog[] =
		"{\"catalogId\":\"c\",\"protocolVersion\":\"1.0\",\"components\":{\"Text\":{\"type\":\"object\",\"properties\":{"
		"\"component\":{\"const\":\"Text\"},\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},\"variant\":{"
		"\"type\":\"string\",\"enum\":[\"body\",\"caption\"]},\"size\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"}},"
		"\"required\":[\"component\",\"text\"]},\"Column\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":"
		"\"Column\"},\"children\":{\"$ref\":\"common_types.json#/$defs/ChildList\"}},\"required\":[\"component\","
		"\"children\"]}},\"$defs\":{\"anyComponent\":{\"oneOf\":[{\"$ref\":\"#/components/Text\"},{\"$ref\":"
		"\"#/components/Column\"}]}}}";
	sj_mem_init(&r->mem, NULL, 0);
	MUST(sj_catalog_parse(&r->mem, sj_slice_of(catalog), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL, &r->c, NULL) ==
	     SJ_OK);
	struct sj_format_options opt = {
		.id = SJ_FORMAT_DIRECT_JSON, .catalogs = (const struct sj_catalog *const *)&r->c, .ncatalogs = 1};
	MUST(sj_format_create(&r->mem, &opt, &r->f, NULL) == SJ_OK);
}

static inline void fuzz_rig_close(struct fuzz_rig *r)
{
	sj_format_destroy(r->f);
	sj_catalog_destroy(r->c);
	MUST(r->mem.used_bytes == 0);
}

#endif
