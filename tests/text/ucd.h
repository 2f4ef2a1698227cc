/* Reads the files of Debian's unicode-data, when they are there and of the version our tables were made from. */
#ifndef SJ_TEST_UCD_H
#define SJ_TEST_UCD_H

#include "harness/test.h"

/* The file's text; {NULL,0} after sj_skip when it is absent or of another version. */
struct sj_slice ucd_file(const char *relative);
/* The next line with a value, its comment cut off; false at the end. */
bool ucd_line(struct sj_slice file, size_t *at, struct sj_slice *line);
/* "0041..005A ; XID_Start" into its range and second field. */
bool ucd_range(struct sj_slice line, uint32_t *first, uint32_t *last, struct sj_slice *value);

#endif
