/* The capital of a letter, one code point to one, for the scripts that have capitals at the beginning of a sentence. */
#ifndef SJ_A2UI_LETTER_CASE_H
#define SJ_A2UI_LETTER_CASE_H

#include <stdint.h>

uint32_t sj_upper(uint32_t code_point); /* itself when it has no capital */

#endif
