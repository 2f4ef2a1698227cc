/* Every limit on untrusted input, in one place, each with its reason. docs/limits.md is the same table for people; a
 * test keeps the two in step. Two presets: ours, and the caps of the protocol's texts and reference renderers. Zero
 * never means "no limit". */
#ifndef SJ_BASE_LIMITS_H
#define SJ_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* X(field, ours, upstream, unit, "reason") */
#define SJ_LIMITS(X)                                                                                                   \
	X(message_bytes, 16777216, 16777216, "bytes", "one message is held whole while it is checked")                 \
	X(json_depth, 256, 256, "levels", "deeper than any real document; keeps every walk's stack small")             \
	X(json_values, 4000000, 4000000, "values", "cells of one document's tape, 16 bytes each")                      \
	X(string_bytes, 4194304, 4194304, "bytes", "one string")                                                       \
	X(components, 200000, 200000, "components", "ids ever defined on one surface")                                 \
	X(nodes, 1000000, 1000000, "nodes", "instances on one surface; sharing can multiply definitions")              \
	X(template_rows, 20000, 1000, "rows", "instances one template makes")                                          \
	X(array_index, 100000, 10000, "index", "highest index a write may name")                                       \
	X(array_gap, 1000, 10000, "slots", "how far beyond the end a write may land")                                  \
	X(component_depth, 50, 50, "levels", "height of the component graph (protocol)")                               \
	X(scope_depth, 32, 32, "frames", "nested templates; recursive templates over tree data end here")              \
	X(call_depth, 5, 5, "levels", "function calls nested in one property (protocol)")                              \
	X(call_args, 1000, 1000, "arguments", "of one call")                                                           \
	X(dynamic_depth, 100, 1000, "levels", "nesting of one dynamic value")                                          \
	X(template_chars, 10000, 10000, "characters", "of one formatString template")                                  \
	X(template_parts, 1000, 1000, "parts", "of one formatString template")                                         \
	X(expression_depth, 100, 100, "levels", "nesting inside ${...}")                                               \
	X(expression_steps, 100000, 100000, "steps", "operations one evaluation may run")                              \
	X(computed_bytes, 67108864, 67108864, "bytes", "large values that expressions of one surface made and keep")   \
	X(regex_pattern, 1000, 1000, "bytes", "of one pattern")                                                        \
	X(regex_subject, 100000, 100000, "bytes", "of the text a pattern is tried on")                                 \
	X(regex_steps, 100000, 100000, "steps", "match limit: about a millisecond")                                    \
	X(schema_steps, 10000000, 10000000, "steps", "one validation")                                                 \
	X(schema_depth, 128, 128, "levels", "$ref and applicator nesting while validating")                            \
	X(surfaces, 20000, 20000, "surfaces", "of one engine")                                                         \
	X(held_bytes, 16777216, 16777216, "bytes", "what a surface of v0.8 holds back until its beginRendering")       \
	X(settle_rounds, 8, 8, "rounds", "follow-up transactions one input may cause")                                 \
	X(outbound, 10000, 10000, "messages", "waiting to be fetched by the embedder")                                 \
	X(pending_calls, 1000, 1000, "calls", "unanswered calls of one engine")                                        \
	X(watch_patterns, 64, 64, "patterns", "visited for each token of one write; beyond it all is woken")           \
	X(pointer_tokens, 64, 64, "tokens", "of one path")                                                             \
	X(pointer_bytes, 4096, 4096, "bytes", "of one path")                                                           \
	X(call_rest_ms, 300, 300, "ms", "how long input rests before a call replaces one still unanswered")                  \
	X(call_timeout_ms, 30000, 30000, "ms", "an agent function that has not answered")                              \
	X(drawing_bytes, 16384, 16384, "bytes", "path data of one icon")                                               \
	X(drawing_segments, 2000, 2000, "segments", "of one icon; an arc counts as up to four")                        \
	X(image_bytes, 16777216, 16777216, "bytes", "of one encoded image")                                            \
	X(image_pixels, 16000000, 16000000, "pixels", "of one image; four bytes each while it is decoded")             \
	X(image_ms, 5000, 5000, "ms", "decoding one image; then its process is ended")                                 \
	X(images_bytes, 67108864, 67108864, "bytes", "decoded images of one surface, in view or kept")                 \
	X(peer_bytes, 536870912, 536870912, "bytes", "what one agent's surfaces and unread messages hold")             \
	X(memory_bytes, 1073741824, 1073741824, "bytes", "everything one engine holds")

struct sj_limits {
#define SJ_LIMIT_FIELD(name, ours, upstream, unit, why) uint32_t name;
	SJ_LIMITS(SJ_LIMIT_FIELD)
#undef SJ_LIMIT_FIELD
};

extern const struct sj_limits SJ_LIMITS_DEFAULT;
extern const struct sj_limits SJ_LIMITS_UPSTREAM;

#endif
