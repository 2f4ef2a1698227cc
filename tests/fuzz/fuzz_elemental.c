/* Blocks of Elemental from anyone: as fuzz_express.c. */
#define FORMAT SJ_FORMAT_ELEMENTAL
#include "fuzz/compact_fuzz.h"
