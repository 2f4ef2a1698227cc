/* Blocks of Express from anyone. What is accepted gives valid messages and gives back all memory; what is refused is
 * one diagnostic whose place lies in the text; what can be written back compiles to the same messages without repair.
 */
#define FORMAT SJ_FORMAT_EXPRESS
#include "fuzz/compact_fuzz.h"
