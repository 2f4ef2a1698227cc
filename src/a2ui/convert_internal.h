/* What the convert*.c files share. Between a source and a target stands one neutral form of a component: the names of
 * v1.0, values with reserved keys ({"@path"}, {"@call"}, "@@x"), and beside them what only older versions say:
 * `variant` h1 to h5 of a Text, `validationRegexp` of a TextField, `maxAllowedSelections` of a ChoicePicker above 1.
 *
 * Failures are sticky: after the first one (out of memory) everything does nothing, and c->st tells. Values are owned
 * by whoever holds them, as in json/value.h.
 */
#ifndef SJ_A2UI_CONVERT_INTERNAL_H
#define SJ_A2UI_CONVERT_INTERNAL_H

#include "a2ui/convert.h"
#include "base/arena.h"
#include "base/map.h"

struct sj_life { /* one surface from its creation to its end */
	struct sj_slice id;
	enum sj_version from;
	struct sj_slice root;        /* id of the root in the source; v0.8: empty while no beginRendering named it */
	struct sj_slice catalog_id;  /* of the source; ptr NULL: none */
	const struct sj_catalog *catalog;
	bool basic;                  /* the official components: their properties have other names in other versions */
	bool created;                /* in the target */
	SJ_VEC(struct sj_slice) ids; /* every component id the source uses */
	struct sj_value renamed;     /* object: id -> id in the target, where it differs */
	struct sj_value components;  /* object: id -> neutral form, as of now */
	struct sj_value raw;         /* object: id -> definition as it was written (v0.8) */
	struct sj_value model;       /* what the agent has written, as of now */
	bool model_known;            /* false: something was written that could not be followed */
	SJ_VEC(uint32_t) held;       /* messages of v0.8 that wait for beginRendering */
};

struct sj_conv {
	struct sj_mem *mem;
	const struct sj_convert_options *opt;
	const struct sj_limits *limits;
	struct sj_arena arena; /* everything that lives as long as the conversion */
	enum sj_status st;
	struct sj_value out;
	uint32_t nlost;
	SJ_VEC(struct sj_life) lives;
	SJ_VEC(struct sj_catalog *) made;
	/* of the message at hand */
	uint32_t message;
	enum sj_version from;
	enum sj_dialect dialect;
	struct sj_buf where; /* pointer to the place at hand */
	struct sj_life *life;
};

/* Values. Every `take` is consumed, also after a failure. */
struct sj_value sj_conv_object(struct sj_conv *c);
struct sj_value sj_conv_array(struct sj_conv *c);
struct sj_value sj_conv_text(struct sj_conv *c, struct sj_slice text);
void sj_conv_set(struct sj_conv *c, struct sj_value *object, struct sj_slice key, struct sj_value take);
void sj_conv_put(struct sj_conv *c, struct sj_value *object, const char *key, struct sj_value take);
void sj_conv_add(struct sj_conv *c, struct sj_value *array, struct sj_value take);
void sj_conv_drop(struct sj_conv *c, struct sj_value take);
const struct sj_value *sj_conv_get(const struct sj_value *v, const char *key); /* NULL when v is no object */
bool sj_conv_is(const struct sj_value *v, const char *text); /* a string of this text; v may be NULL */
struct sj_slice sj_conv_keep(struct sj_conv *c, struct sj_slice text); /* into the arena */
/* {"@call": name, "args": args} */
struct sj_value sj_conv_call(struct sj_conv *c, const char *name, struct sj_value args);

/* The place at hand: step in, step back. */
size_t sj_conv_enter(struct sj_conv *c, struct sj_slice token);
size_t sj_conv_enter_index(struct sj_conv *c, uint32_t index);
void sj_conv_leave(struct sj_conv *c, size_t before);
void sj_conv_lost(struct sj_conv *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* convert.c: a message of the target's version with this action and body; the body of a message about the surface at
 * hand; a string member, ptr NULL when there is none. */
void sj_conv_emit(struct sj_conv *c, const char *action, struct sj_value take);
struct sj_value sj_conv_body(struct sj_conv *c);
struct sj_slice sj_conv_member(const struct sj_value *body, const char *key);

/* convert_data.c: a write at a place, ABSENT removes; takes `value`. A path as tokens: false: it was reported. Whole
 * messages. */
struct sj_path;
void sj_conv_write_data(struct sj_conv *c, const struct sj_slice *tokens, uint32_t n, struct sj_value value);
bool sj_conv_path(struct sj_conv *c, struct sj_slice text, struct sj_path *out);
void sj_conv_data(struct sj_conv *c, const struct sj_value *body);
void sj_conv_data_v08(struct sj_conv *c, const struct sj_value *body);

/* convert_in.c: a component as it was sent into the neutral form. v0.8: `seeds` gets [path, value] pairs of properties
 * that are not as they were in `before` (NULL: there was none). */
struct sj_value sj_conv_read_component(struct sj_conv *c, const struct sj_value *component,
                                       const struct sj_value *before, struct sj_value *seeds);
struct sj_slice sj_conv_renamed(struct sj_conv *c, struct sj_slice id);
const struct sj_catalog *sj_conv_catalog(struct sj_conv *c, struct sj_slice id, enum sj_version v, bool *basic);
/* Values of the version at hand into the neutral form and back. */
struct sj_value sj_conv_read_value(struct sj_conv *c, const struct sj_value *v, uint32_t depth);

/* convert_v08.c: names of the standard catalog, both ways. */
struct sj_value sj_conv_from_v08(struct sj_conv *c, struct sj_value take); /* neutral form, names of v0.8 -> of v1.0 */
struct sj_value sj_conv_to_v08(struct sj_conv *c, const struct sj_value *component); /* -> {id, weight, component} */
struct sj_value sj_conv_entry_v08(struct sj_conv *c, struct sj_slice key,
                                  const struct sj_value *value); /* ABSENT: lost */
bool sj_conv_bound_v08(const struct sj_value *v, const struct sj_value **literal, const struct sj_value **path);

/* convert_out.c: a neutral component as v0.9 or v1.0 writes it. */
struct sj_value sj_conv_write_component(struct sj_conv *c, const struct sj_value *component);
/* convert_text.c: headings. The text with Markdown in front, for v1.0; and back: level 1 to 5, 0 when it is none. */
struct sj_value sj_conv_heading(struct sj_conv *c, const struct sj_value *text, unsigned level);
unsigned sj_conv_heading_of(struct sj_conv *c, const struct sj_value *text, struct sj_value *rest);
/* A text whose template is one path alone: its path; else ptr NULL. */
struct sj_slice sj_conv_lone_path(struct sj_conv *c, const struct sj_value *text);

#endif
