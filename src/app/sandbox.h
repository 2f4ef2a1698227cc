/* A cage for the process that calls it: after sandbox_enter it computes on what it has, reads and writes the streams
 * it was given, and can do nothing else. There is no way out again. Linux only; what the kernel lacks is missing from
 * the level that is returned, and the caller decides whether that is enough.
 */
#ifndef SJ_APP_SANDBOX_H
#define SJ_APP_SANDBOX_H

#include <stdint.h>

enum {
	SANDBOX_PRIVILEGES = 1, /* nothing it starts could gain rights; it ends with its parent */
	SANDBOX_FILES = 2,      /* only the streams 0 to 2 are open */
	SANDBOX_LIMITS = 4,     /* memory, processor time, no new file, no growing file, no process */
	SANDBOX_LANDLOCK = 8,   /* no path can be opened, no TCP port used where the kernel knows how */
	SANDBOX_SYSCALLS = 16,  /* every system call but the few of sandbox.c fails with EPERM */
	SANDBOX_WHOLE = 31,
};

struct sandbox {
	uint64_t memory_bytes;
	uint32_t cpu_seconds;
	uint32_t layers; /* SANDBOX_WHOLE, but for tests of one layer */
};

/* Returns the layers that hold. */
uint32_t sandbox_enter(const struct sandbox *s);

#endif
