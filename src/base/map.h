/* Two open-addressing hash maps: slice -> uint32_t (keys borrowed: the caller keeps them alive) and uint64_t ->
 * uint32_t. SJ_MAP_NONE is no valid value. No order is promised: whoever needs one keeps a vector beside it. */
#ifndef SJ_BASE_MAP_H
#define SJ_BASE_MAP_H

#include "base/mem.h"

#define SJ_MAP_NONE UINT32_MAX

struct sj_map_entry {
	struct sj_slice key;
	uint32_t hash, value;
};
struct sj_map {
	struct sj_mem *mem;
	struct sj_map_entry *slots;
	uint32_t count, used, cap, seed; /* used counts tombstones too */
};
void sj_map_init(struct sj_map *m, struct sj_mem *mem, uint32_t seed);
void sj_map_finish(struct sj_map *m);
uint32_t sj_map_get(const struct sj_map *m, struct sj_slice key); /* SJ_MAP_NONE when absent */
enum sj_status sj_map_put(struct sj_map *m, struct sj_slice key, uint32_t value); /* replaces; SJ_NOMEM */
bool sj_map_del(struct sj_map *m, struct sj_slice key);

struct sj_map64 {
	struct sj_mem *mem;
	uint64_t *keys;
	uint32_t *values;
	uint32_t count, used, cap;
};
void sj_map64_init(struct sj_map64 *m, struct sj_mem *mem);
void sj_map64_finish(struct sj_map64 *m);
uint32_t sj_map64_get(const struct sj_map64 *m, uint64_t key);
enum sj_status sj_map64_put(struct sj_map64 *m, uint64_t key, uint32_t value);
bool sj_map64_del(struct sj_map64 *m, uint64_t key);

#endif
