/* Rewrites a stream of messages from one protocol version into another: for a library, a proxy, or `shoji convert`.
 *
 * A stream is converted whole, because what a message becomes depends on others: v0.8 names its root and its catalog
 * after the components, and v0.9 sends parts of components. The messages may be of any mix of versions. Upwards nothing
 * that a person would see or an agent would hear is lost; downwards each thing that the older version cannot say is
 * named once, with the place in the message that said it. What is carried how: docs/convert.md.
 */
#ifndef SJ_A2UI_CONVERT_H
#define SJ_A2UI_CONVERT_H

#include "a2ui/catalog.h"

struct sj_convert_loss {
	uint32_t message; /* 1-based, in the given list */
	enum sj_version version; /* of that message; NONE: it is no message at all */
	struct sj_slice pointer; /* into it; borrowed for the call */
	const char *reason;      /* a sentence without a full stop; borrowed for the call */
};

struct sj_convert_options {
	enum sj_version to;
	enum sj_dialect dialect; /* how v1.0 is spelled; AUTO: reserved keys */
	/* Catalogs beyond the official ones, borrowed: they say what the properties of their components are. Those of a
	 * catalog that nobody knows are read by their usual names. */
	const struct sj_catalog *const *catalogs;
	uint32_t ncatalogs;
	const struct sj_limits *limits; /* NULL: the defaults */
	void (*lost)(void *ctx, const struct sj_convert_loss *loss); /* may be NULL */
	void *ctx;
};

/* `messages`: an array, borrowed. On SJ_OK *out is the array of messages of the target version, the caller's, and
 * *nlost how many things were lost. SJ_NOMEM; SJ_INVALID: `to` is no version, or `messages` no array. */
enum sj_status sj_convert(struct sj_mem *mem, const struct sj_convert_options *opt, const struct sj_value *messages,
                          struct sj_value *out, uint32_t *nlost);

#endif
