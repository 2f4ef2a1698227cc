/* The far end of number_diff.mjs. Each line of stdin is answered by one: "b HEX" (bits of a double) with its text, "t
 * TEXT" with the bits of what it reads as, or "-". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

int main(void)
{
	static char line[8192];
	while (fgets(line, sizeof line, stdin)) {
		size_t n = strcspn(line, "\n");
		double d = 0;
		uint64_t bits;
		if (n < 2)
			return 1;
		line[n] = '\0';
		if (line[0] == 'b') {
			char text[SJ_NUM_TEXT];
			bits = strtoull(line + 2, NULL, 16);
			memcpy(&d, &bits, sizeof d);
			sj_num_text(d, text);
			puts(text);
		} else if (sj_num_parse(sj_slice(line + 2, n - 2), &d)) {
			memcpy(&bits, &d, sizeof bits);
			printf("%016llx\n", (unsigned long long)bits);
		} else {
			puts("-");
		}
	}
	return 0;
}
