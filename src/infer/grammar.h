/* Constrained generation: from catalogs, and from a live surface where there is one, a GBNF grammar (the dialect of
 * llama.cpp) or a JSON Schema for the structured output of model APIs.
 *
 * The one promise: whatever a grammar can produce, our own validator accepts, as far as the variant says
 * (docs/grammar.md has the table):
 *
 * - always: the envelope, and every component and call against its catalog;
 * - SJ_GRAMMAR_IDS_TREE: the graph too (a root, no dangling reference, no cycle, no orphan, no id twice);
 * - SJ_GRAMMAR_PATCH: the graph of the live surface stays whole, but for components that lose their place, and writes
 *   to the data model fit what is there.
 *
 * With free ids nothing is promised of the graph: that an id is new, or defined elsewhere, is beyond a context-free
 * grammar. What a schema says that the algebra here cannot, is left out rather than promised: a grammar may say less
 * than a catalog allows, never more.
 *
 * Output depends on nothing but the arguments. Its size grows linearly with the catalogs, and with the surface.
 */
#ifndef SJ_INFER_GRAMMAR_H
#define SJ_INFER_GRAMMAR_H

#include "a2ui/catalog.h"
#include "base/buf.h"
#include "engine/engine.h"

/* What is known of a surface that lives. */
struct sj_grammar_surface {
	struct sj_slice id, catalog_id; /* catalog_id empty: it has no default */
	enum sj_version version;
	enum sj_dialect dialect; /* AUTO: not known */
	struct sj_value components; /* array of definitions as written */
	struct sj_value data;       /* the model */
};
/* From an engine. Ids and catalog ids are borrowed from the view; the values are the caller's to finish with the
 * account of the engine. SJ_NOMEM. */
enum sj_status sj_grammar_surface_of(struct sj_engine *e, struct sj_view *v, struct sj_grammar_surface *out);
void sj_grammar_surface_finish(struct sj_engine *e, struct sj_grammar_surface *s);

enum sj_grammar_messages { /* bits */
	SJ_GRAMMAR_CREATE = 1,
	SJ_GRAMMAR_UPDATE = 2,
	SJ_GRAMMAR_DATA = 4,
	SJ_GRAMMAR_DELETE = 8,
	/* Alone, with a live surface: one message, which redefines one component that is there, or writes one value
	 * where one of its kind is. Before v1.0 a single property of a component too. */
	SJ_GRAMMAR_PATCH = 16,
};
enum sj_grammar_ids {
	SJ_GRAMMAR_IDS_FREE, /* any identifier; "root" comes first in a surface that is new */
	SJ_GRAMMAR_IDS_TREE, /* numbered ids, each defined after the component that refers to it */
};
enum sj_grammar_shape {
	SJ_GRAMMAR_SHAPE_AUTO, /* a list; a schema: the wrapper; a patch: one message */
	SJ_GRAMMAR_SHAPE_ONE,
	SJ_GRAMMAR_SHAPE_LIST,    /* [message, ...] */
	SJ_GRAMMAR_SHAPE_WRAPPER, /* {"messages": [...]} */
};

struct sj_grammar_options {
	const struct sj_catalog *const *catalogs; /* the first is the surface's own; more only from v1.0 on */
	uint32_t ncatalogs;
	enum sj_version version; /* NONE: the surface's, else the first catalog's */
	enum sj_dialect dialect; /* of v1.0; AUTO: the surface's, else bare with one catalog, reserved with several */
	const struct sj_grammar_surface *surface; /* NULL: none lives */
	struct sj_slice surface_id;               /* of a new surface; empty: "main" */
	unsigned messages;                        /* 0: create, update and data; with a surface: update and data */
	enum sj_grammar_ids ids;
	enum sj_grammar_shape shape;
	const struct sj_slice *components; /* allow-list of component types; NULL: all */
	uint32_t ncomponents;
	const struct sj_slice *patch_ids; /* PATCH: only components with these ids; NULL: all */
	uint32_t npatch_ids;
	const struct sj_slice *keys; /* known keys of objects whose keys are free; those of the live model are too */
	uint32_t nkeys;
	bool compact;       /* GBNF: no white space between tokens */
	bool strict_subset; /* schema: what strict structured output accepts (docs/grammar.md) */
	/* Sizes; 0 is the default in brackets. */
	uint32_t max_messages;   /* of a list [16] */
	uint32_t max_components; /* of a message [64]; TREE: ids at hand [40] */
	uint32_t max_children;   /* TREE: of one component [6] */
	uint32_t call_depth;     /* calls in each other [5; strict subset: 2], at most the protocol's 5 */
	uint32_t value_depth;    /* arrays and objects in each other, where any JSON may stand [4] */
	size_t max_bytes;        /* of the output [4 MiB] */
};

/* Append a grammar, or a schema, to `out`. SJ_INVALID: the options contradict each other or nothing can be said, *diag
 * says why. SJ_LIMIT: larger than max_bytes, or a catalog that refers to itself without end. SJ_NOMEM. `out` may hold
 * half of it when it fails. */
enum sj_status sj_grammar_gbnf(struct sj_mem *mem, const struct sj_grammar_options *opt, struct sj_buf *out,
                               struct sj_diag *diag);
enum sj_status sj_grammar_schema(struct sj_mem *mem, const struct sj_grammar_options *opt, struct sj_buf *out,
                                 struct sj_diag *diag);

/* What a strict schema made a model write, as messages: members that are null are dropped, at every depth. In a strict
 * schema null never means anything else. Takes *v. */
enum sj_status sj_grammar_drop_nulls(struct sj_mem *mem, struct sj_value *v);

#endif
