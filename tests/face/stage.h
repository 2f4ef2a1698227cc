/* A surface to look at: an engine fed with components of the basic catalog of v1.0. */
#ifndef SJ_TEST_FACE_STAGE_H
#define SJ_TEST_FACE_STAGE_H

#include "face/text/text.h"
#include "harness/test.h"

struct stage {
	struct sj_engine *engine;
	uint32_t peer;
	struct sj_view *view;
	struct sj_text_picture picture;
	uint32_t sent, wanted, faults;
	struct sj_buf last; /* what was sent last */
};

#define BASIC "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"

static inline void stage_drain(struct stage *s)
{
	struct sj_event ev;
	while (sj_engine_next(s->engine, &ev) == SJ_OK) {
		s->wanted += ev.kind == SJ_EV_TOOL_WANTED;
		s->faults += ev.kind == SJ_EV_DIAG && ev.diag->severity == SJ_SEV_ERROR;
		if (ev.kind != SJ_EV_SEND)
			continue;
		s->sent++;
		sj_buf_clear(&s->last);
		sj_buf_slice(&s->last, ev.json);
	}
}

static inline void stage_feed(struct stage *s, const char *json)
{
	CHECK_OK(sj_engine_feed(s->engine, s->peer, json, strlen(json)));
	CHECK_OK(sj_engine_feed(s->engine, s->peer, "\n", 1));
	stage_drain(s);
}

/* `components` is the inside of the array, `model` an object; both JSON. */
static inline void stage_begin(struct stage *s, const char *components, const char *model)
{
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct sj_buf json;
	*s = (struct stage){.peer = 0};
	CHECK_OK(sj_engine_create(&cfg, &s->engine));
	CHECK_OK(sj_engine_peer_open(s->engine, SJ_LIT("agent"), &s->peer));
	sj_text_picture_init(&s->picture, sj_test_mem());
	sj_buf_init(&s->last, sj_test_mem(), 0);
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_buf_puts(&json, "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\",\"dataModel\":");
	sj_buf_puts(&json, model ? model : "{}");
	sj_buf_puts(&json, ",\"components\":[");
	sj_buf_puts(&json, components);
	sj_buf_puts(&json, "]}}");
	stage_feed(s, json.ptr);
	sj_buf_finish(&json);
	CHECK_INT(s->faults, 0);
	s->view = sj_engine_view(s->engine, UINT32_MAX, SJ_LIT("s"));
	CHECK(s->view != NULL);
}

static inline void stage_end(struct stage *s)
{
	sj_text_picture_finish(&s->picture);
	sj_buf_finish(&s->last);
	sj_engine_destroy(s->engine);
}

static inline struct sj_slice stage_draw(struct stage *s, struct sj_text_options look)
{
	if (look.width == 0)
		look.width = 60;
	CHECK_OK(sj_text_draw(s->engine, s->view, &look, &s->picture));
	return sj_buf_view(&s->picture.text);
}

/* One line of the dialogue; the reply, in the test's memory. */
static inline struct sj_slice stage_say(struct stage *s, const char *line, bool *redraw, bool *quit)
{
	static char kept[4096];
	struct sj_buf reply;
	sj_buf_init(&reply, sj_test_mem(), 0);
	stage_draw(s, (struct sj_text_options){.numbers = true});
	CHECK_OK(sj_text_command(s->engine, s->view, &s->picture, sj_slice_of(line), &reply, redraw, quit));
	stage_drain(s);
	size_t n = reply.len < sizeof kept ? reply.len : sizeof kept;
	if (n > 0)
		memcpy(kept, reply.ptr, n);
	sj_buf_finish(&reply);
	return sj_slice(kept, n);
}

#endif
