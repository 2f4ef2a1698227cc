/* The survey demo. All of it is data: a catalog (catalog.json) whose own component is Question, and an agent
 * (agent.jsonl) that writes another survey for each ticket. The host only says which catalog it has. */
#include "cmd/demo.h"

extern const char demo_survey_catalog_json[], demo_survey_agent_jsonl[];

static int attach(struct cmd_session *s, bool live)
{
	(void)live;
	return cmd_session_catalog(s, sj_slice_of(demo_survey_catalog_json), "survey");
}

static void detach(struct cmd_session *s) { (void)s; }

extern const struct sj_demo sj_demo_survey;
const struct sj_demo sj_demo_survey = {
	.name = "survey",
	.title = "how did we do? A survey per ticket that arrives piece by piece (v0.9.1, a catalog of its own)",
	.script = demo_survey_agent_jsonl,
	.attach = attach,
	.detach = detach,
};
