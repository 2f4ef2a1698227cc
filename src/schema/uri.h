/* RFC 3986: splitting a reference and resolving it against a base. Nothing is normalised beyond what resolution asks
 * for: schemas are looked up by the very text their authors wrote. */
#ifndef SJ_SCHEMA_URI_H
#define SJ_SCHEMA_URI_H

#include "base/buf.h"

/* The five parts; ptr NULL where a part is absent (as against empty). Slices of the input. */
struct sj_schema_uri {
	struct sj_slice scheme, authority, path, query, fragment;
};

void sj_schema_uri_split(struct sj_slice text, struct sj_schema_uri *out);
/* Appends `ref` resolved against `base` (section 5.2), fragment included. */
void sj_schema_uri_resolve(struct sj_buf *out, struct sj_slice base, struct sj_slice ref);
/* Appends the text with %XX decoded; a % that starts no such pair stays. */
void sj_schema_uri_decode(struct sj_buf *out, struct sj_slice text);

#endif
