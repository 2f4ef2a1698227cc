/* Tags and text of Elemental, read tolerantly. Internal to infer. */
#ifndef SJ_INFER_ELEMENTAL_TOKEN_H
#define SJ_INFER_ELEMENTAL_TOKEN_H

#include "infer/compact.h"

enum sj_markup_kind { SJ_MK_END, SJ_MK_TEXT, SJ_MK_OPEN, SJ_MK_CLOSE };
struct sj_markup { /* one tag, or a run of text */
	enum sj_markup_kind kind;
	struct sj_slice name; /* of a tag, in small letters; TEXT: what it says, decoded and trimmed */
	bool closed;          /* <x /> */
	uint32_t line;
	size_t off;
};
struct sj_attribute {
	struct sj_slice name, value; /* as written; the value decoded, ptr NULL: none */
	uint32_t line;
	size_t off; /* of the value's first byte, else of the name */
};
struct sj_scanner {
	struct sj_program *p;
	struct sj_slice text;
	size_t at;
	uint32_t line;
};
/* The next tag or text. After OPEN the attributes are read one by one, then `closed` of the tag is known. */
enum sj_status sj_scan(struct sj_scanner *s, struct sj_markup *out);
/* SJ_ABSENT: there are no more, the tag is over. */
enum sj_status sj_scan_attribute(struct sj_scanner *s, struct sj_markup *tag, struct sj_attribute *out);

#endif
