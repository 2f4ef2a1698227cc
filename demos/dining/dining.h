/* What the files of the dining demo share. */
#ifndef SJ_DINING_DINING_H
#define SJ_DINING_DINING_H

#include "cmd/demo.h"

#define DINING_CATALOG "app.dining.catalog/v1"

extern const struct sj_host_catalog dining_catalog;
extern const char demo_dining_agent_jsonl[]; /* agent.jsonl */

#endif
