/* Plans, between making them (plan.c) and editing them (reconcile.c). */
#ifndef SJ_SURFACE_PLAN_H
#define SJ_SURFACE_PLAN_H

#include "surface/internal.h"

void sj_place_close(struct sj_surface *s, struct sj_plan *p, uint32_t k);
void sj_plist_drop(struct sj_surface *s, struct sj_plan *p, uint32_t l);
void sj_place_unwatch(struct sj_surface *s, struct sj_pnode *pn);
void sj_place_free(struct sj_surface *s, struct sj_plan *p, uint32_t k);
enum sj_status sj_slots_give(struct sj_surface *s, struct sj_plan *p, uint32_t slot0, uint32_t n);
enum sj_why sj_place_judge(struct sj_surface *s, const struct sj_plan *p, const struct sj_pnode *pn,
                           const struct sj_def *d);
uint32_t *sj_kids_new(struct sj_surface *s, uint32_t n);
enum sj_status sj_plist_new(struct sj_surface *s, struct sj_plan *p, uint32_t k, uint32_t edge, uint32_t *out);
enum sj_status sj_place_open(struct sj_surface *s, struct sj_plan *p, uint32_t k);
enum sj_status sj_place_push(struct sj_surface *s, bool fresh, uint32_t plan, uint32_t k);
enum sj_status sj_place_report(struct sj_surface *s, const struct sj_group *g, uint32_t k);
enum sj_status sj_slots_take(struct sj_surface *s, struct sj_plan *p, uint32_t n, uint32_t *slot0);
bool sj_place_watch(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *d);

#endif
