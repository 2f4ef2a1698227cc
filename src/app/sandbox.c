/* The layers of the cage, from the cheapest to the strictest. */
#define _GNU_SOURCE
#include "app/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- what is small ----------------------------------------------------------------------------------------------- */

static bool drop_privileges(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
	       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static bool close_files(void)
{
	struct rlimit r;
	if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
		return true;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur > 1048576)
		return false;
	for (int fd = 3; fd < (int)r.rlim_cur; fd++)
		close(fd);
	return true;
}

static bool limit(int what, uint64_t most)
{
	struct rlimit r = {most, most};
	return setrlimit((__rlimit_resource_t)what, &r) == 0;
}

static bool set_limits(const struct sandbox *s)
{
	return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_NPROC, 0) &&
	       limit(RLIMIT_CPU, s->cpu_seconds) && limit(RLIMIT_AS, s->memory_bytes);
}

/* ---- landlock ---------------------------------------------------------------------------------------------------- */

/* Numbers of the kernel's interface; the headers of older systems lack the newer ones. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#define LANDLOCK_VERSION 1U

struct rules {
	uint64_t files, ports, scopes;
};

/* A set of rules that handles all rights and grants none. */
static bool lock_land(void)
{
	static const uint64_t files[] = {0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF}; /* by ABI, from 1 */
	static const size_t sizes[] = {8, 8, 8, 16, 16, 24};
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_VERSION);
	if (abi < 1)
		return false;
	struct rules r = {.files = files[abi > 5 ? 4 : abi - 1], .ports = abi >= 4 ? 3 : 0, .scopes = abi >= 6 ? 3 : 0};
	long fd = syscall(SYS_landlock_create_ruleset, &r, sizes[abi > 6 ? 5 : abi - 1], 0U);
	bool done = fd >= 0 && syscall(SYS_landlock_restrict_self, (int)fd, 0U) == 0;
	if (fd >= 0)
		close((int)fd);
	return done;
}

/* ---- seccomp ----------------------------------------------------------------------------------------------------- */

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef ARCH
#define NR offsetof(struct seccomp_data, nr)
/* The lower half of an argument; all of these machines are little-endian. */
#define ARG(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(at))
#define GIVE(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), GIVE(SECCOMP_RET_ALLOW)
/* Memory may be had, but never to run code from. */
#define ALLOW_DATA(name)                                                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD(ARG(2)),                                          \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), GIVE(SECCOMP_RET_ERRNO | EPERM),               \
		GIVE(SECCOMP_RET_ALLOW)

static bool filter_syscalls(void)
{
	static struct sock_filter const rules[] = {
		LOAD(offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		GIVE(SECCOMP_RET_KILL_PROCESS),
		LOAD(NR),
#ifdef __x86_64__
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), /* the x32 spelling of the same calls */
		GIVE(SECCOMP_RET_KILL_PROCESS),
#endif
		ALLOW(read),
		ALLOW(write),
		ALLOW(munmap),
		ALLOW(mremap),
		ALLOW(brk),
		ALLOW(madvise),
		ALLOW(futex),
		ALLOW(close),
		ALLOW(fstat),
		ALLOW(lseek),
		ALLOW(getrandom),
		ALLOW(clock_gettime),
		ALLOW(rt_sigprocmask),
		ALLOW(rt_sigreturn),
		ALLOW(exit),
		ALLOW(exit_group),
		ALLOW_DATA(mmap),
		ALLOW_DATA(mprotect),
		GIVE(SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog program = {sizeof rules / sizeof *rules, (struct sock_filter *)(uintptr_t)rules};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
#else
static bool filter_syscalls(void) { return false; }
#endif

uint32_t sandbox_enter(const struct sandbox *s)
{
	uint32_t level = 0;
	/* Both landlock and seccomp ask for the first. */
	if (drop_privileges())
		level |= SANDBOX_PRIVILEGES;
	if (s->layers & SANDBOX_FILES && close_files())
		level |= SANDBOX_FILES;
	/* Before the limits, under which no rule set could be opened any more. */
	if (s->layers & SANDBOX_LANDLOCK && lock_land())
		level |= SANDBOX_LANDLOCK;
	if (s->layers & SANDBOX_LIMITS && set_limits(s))
		level |= SANDBOX_LIMITS;
	if (s->layers & SANDBOX_SYSCALLS && filter_syscalls())
		level |= SANDBOX_SYSCALLS;
	return level;
}
