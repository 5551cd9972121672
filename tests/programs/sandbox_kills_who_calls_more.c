// calls: main=1 work=2
// A program that lets itself be killed for any system call but those that it needs itself.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                     \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned x = n;
	for (unsigned i = 0; i < n; i++)
		x = x & 1 ? 3 * x + i : x / 2;
	return x;
}

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), ALLOW(write),
		ALLOW(exit_group), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	unsigned before = work(100);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 9;
	char text[64];
	int bytes = snprintf(text, sizeof(text), "%u %u\n", before, work(1000));
	return write(1, text, bytes) != bytes;
}
