/* How a compact notation spells what a section of messages is made of. Internal to infer. */
#ifndef SJ_INFER_COMPACT_SECTION_H
#define SJ_INFER_COMPACT_SECTION_H

#include "infer/compact_write.h"

enum sj_section_create { SJ_CREATE_UNSAID, SJ_CREATE_YES, SJ_CREATE_NO };
struct sj_surface_line {
	struct sj_slice id, catalog; /* catalog ptr NULL: unsaid */
	bool no_catalog;             /* said to have none */
	enum sj_section_create create;
	const struct sj_value *send, *theme, *metadata; /* NULL: not there */
};
/* Each writes one thing and may return SJ_ABSENT: the notation cannot say it. */
struct sj_section_ops {
	enum sj_status (*surface)(struct sj_cwriter *w, const struct sj_surface_line *line);
	void (*end)(struct sj_cwriter *w); /* of a section; NULL: nothing is written there */
	enum sj_status (*components)(struct sj_cwriter *w, const struct sj_value *list);
	enum sj_status (*leaf)(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value);
	enum sj_status (*data)(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value);
	enum sj_status (*remove)(struct sj_cwriter *w, struct sj_slice id);
	enum sj_status (*call)(struct sj_cwriter *w, const struct sj_value *call, struct sj_slice id);
};
enum sj_status sj_sections_write(const struct sj_format *f, const struct sj_section_ops *ops, bool elemental,
                                 const struct sj_value *messages, struct sj_buf *out, bool *equated,
                                 struct sj_diag *diag);
bool sj_text_member(const struct sj_value *object, const char *key, struct sj_slice *out);

#endif
