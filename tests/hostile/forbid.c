/* Runs a program from which the kernel withholds something: forbid WHAT PROGRAM [ARGUMENT...].
 * A seccomp filter lets these calls fail as they do on a locked-down host; all others pass. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define SKIP_IF(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (count), 0)
#define PASS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))

static struct sock_filter no_open[] = {
	LOAD(nr), SKIP_IF(SYS_open, 1), SKIP_UNLESS(SYS_openat, 1), FAIL(EACCES), PASS};
static struct sock_filter no_file_map[] = {LOAD(nr), SKIP_UNLESS(SYS_mmap, 3), LOAD(args[4]),
	SKIP_IF(0xffffffffu, 1), FAIL(EPERM), PASS};
static struct sock_filter no_shared_file_map[] = {LOAD(nr), SKIP_UNLESS(SYS_mmap, 6), LOAD(args[4]),
	SKIP_IF(0xffffffffu, 4), LOAD(args[3]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_TYPE),
	SKIP_UNLESS(MAP_SHARED, 1), FAIL(EPERM), PASS};
static struct sock_filter no_space[] = {
	LOAD(nr), SKIP_IF(SYS_fallocate, 1), SKIP_UNLESS(SYS_ftruncate, 1), FAIL(ENOSPC), PASS};
static struct sock_filter no_segment_base[] = {LOAD(nr), SKIP_UNLESS(SYS_arch_prctl, 3),
	LOAD(args[0]), SKIP_UNLESS(0x1001 /* ARCH_SET_GS */, 1), FAIL(EPERM), PASS};

static const struct {
	const char *name;
	struct sock_filter *filter;
	unsigned short length;
} choices[] = {
	{"open", no_open, LENGTH(no_open)},
	{"file-map", no_file_map, LENGTH(no_file_map)},
	{"shared-file-map", no_shared_file_map, LENGTH(no_shared_file_map)},
	{"space", no_space, LENGTH(no_space)},
	{"segment-base", no_segment_base, LENGTH(no_segment_base)},
};

static int forbid(const char *what)
{
	for (size_t i = 0; i < LENGTH(choices); i++) {
		struct sock_fprog program = {choices[i].length, choices[i].filter};
		if (strcmp(what, choices[i].name) == 0)
			return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	}
	errno = EINVAL;
	return -1;
}

int main(int argc, char **argv)
{
	if (argc < 3 || forbid(argv[1])) {
		perror("forbid");
		return 125;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 126;
}
