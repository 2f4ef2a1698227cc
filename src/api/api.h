/* Inside of the public library: what the files of this module share. A struct shoji_engine is an engine, one text and
 * one event that were handed out last (borrowed until the next call), and the bindings of the program's pure functions.
 * A struct shoji_view is a struct sj_view under its public name. */
#ifndef SJ_API_API_H
#define SJ_API_API_H

#include "base/utf.h"
#include "engine/engine.h"
#include "shoji/host.h"

struct api_function { /* ctx of one registered pure function */
	struct api_function *next;
	void (*call)(void *ctx, struct shoji_text arguments, struct shoji_result *result);
	void *ctx;
};

struct shoji_engine {
	struct sj_engine *engine;
	struct sj_mem *mem; /* the engine's account */
	struct sj_buf text; /* what the last call handed out */
	struct shoji_fault fault;
	struct api_function *functions;
};

static inline struct sj_slice api_in(struct shoji_text t) { return sj_slice(t.ptr, t.len); }
static inline struct shoji_text api_out(struct sj_slice s) { return (struct shoji_text){s.ptr, s.len}; }
static inline struct sj_view *api_view(const struct shoji_view *v) { return (struct sj_view *)(uintptr_t)v; }
static inline struct sj_surface *api_surface(const struct shoji_view *v) { return sj_view_surface(api_view(v)); }

/* Copies a struct that begins with its size, so that callers built with another version of it keep working: what the
 * caller does not know is not written, what it did not give stays as it is in `to`. */
void api_take(void *to, size_t to_bytes, const void *from);
void api_give(void *to, const void *from, size_t from_bytes);
/* Gives a fault to the caller, if it wants one, and returns the status. */
enum shoji_status api_fault(struct shoji_fault *out, enum sj_status st, const struct sj_diag *d);
/* Hands out the text that was written into e->text. */
enum shoji_status api_text(struct shoji_engine *e, struct shoji_text *out);

#endif
