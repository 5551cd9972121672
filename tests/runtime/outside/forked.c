/* Signals that a process and its children get together, also before a child's handlers of fork have
 * run. Their handler counts in parent and child at the same time. */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tally.h"

enum { CHILDREN = 300, STEPS = 20000 };

static struct {
	int counts;
	int stop;
} *shared;
static volatile int sink;

__attribute__((noinline)) static void step(int n)
{
	sink = n;
}

static void count(int number)
{
	__atomic_fetch_add(&shared->counts, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < STEPS; i++)
		step(i + number);
}

/* Sends to the whole group. */
static pid_t start_sender(void)
{
	pid_t sender = fork();
	if (sender)
		return sender;
	signal(SIGUSR1, SIG_IGN);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_RELAXED)) {
		kill(0, SIGUSR1);
		usleep(200);
	}
	_exit(0);
}

static void run_child(void)
{
	pid_t child = fork();
	if (!child)
		_exit(0);
	count(0);
	waitpid(child, NULL, 0);
}

int main(void)
{
	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setpgid(0, 0);
	signal(SIGUSR1, count);
	pid_t sender = start_sender();
	for (int i = 0; i < CHILDREN; i++)
		run_child();
	signal(SIGUSR1, SIG_IGN);
	__atomic_store_n(&shared->stop, 1, __ATOMIC_RELAXED);
	waitpid(sender, NULL, 0);
	TALLY(run_child, CHILDREN);
	TALLY(count, shared->counts);
	TALLY(step, shared->counts * STEPS);
	return 0;
}
