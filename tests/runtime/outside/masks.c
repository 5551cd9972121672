/* The signals that are blocked in new threads and children and in their makers, as the kernel has
 * them, however threads are made, or fail to be made. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { MASKS = 5, PAGE = 4096 };

#ifndef MASKS_IN_ATTRIBUTES
#define MASKS_IN_ATTRIBUTES MASKS
#endif

static sigset_t masks[MASKS];
static void *page;
static int faults, child_opens_all;

static void print_mask(const char *whose)
{
	uint64_t mask = 0;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, sizeof(mask));
	printf("%s %016llx\n", whose, (unsigned long long)mask);
}

/* Nothing, one, all, all but those of faults, which nobody should block, and the reverse of it. */
static void make_masks(void)
{
	const int of_faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
	for (int i = 0; i < MASKS; i++)
		sigemptyset(&masks[i]);
	sigaddset(&masks[1], SIGUSR1);
	sigfillset(&masks[2]);
	sigfillset(&masks[3]);
	for (unsigned i = 0; i < sizeof(of_faults) / sizeof(*of_faults); i++) {
		sigdelset(&masks[3], of_faults[i]);
		sigaddset(&masks[4], of_faults[i]);
	}
}

static void *run(void *unused)
{
	print_mask("thread");
	return unused;
}

static int run_c11(void *unused)
{
	print_mask("thread of C11");
	return unused != NULL;
}

static void make(const pthread_attr_t *attributes)
{
	pthread_t thread;
	errno = 77;
	int status = pthread_create(&thread, attributes, run, NULL);
	int error = errno;
	if (!status)
		pthread_join(thread, NULL);
	printf("status %d, errno %d\n", status, error);
	print_mask("maker");
}

static void make_c11(void)
{
	thrd_t thread;
	if (thrd_create(&thread, run_c11, NULL) == thrd_success)
		thrd_join(thread, NULL);
	print_mask("maker");
}

static void make_impossible(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)1 << 46);
	make(&attributes);
	pthread_attr_destroy(&attributes);
}

static void make_with_masks(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	for (int i = 0; i < MASKS_IN_ATTRIBUTES; i++) {
		pthread_attr_setsigmask_np(&attributes, &masks[i]);
		make(&attributes);
	}
	pthread_attr_setsigmask_np(&attributes, &masks[1]);
	pthread_setattr_default_np(&attributes);
	make(NULL);
	pthread_attr_setsigmask_np(&attributes, NULL);
	pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
}

static void unprotect(int number)
{
	(void)number;
	faults++;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* The C library writes the thread's name to a page that may not be written yet. */
static void make_behind_a_fault(void)
{
	page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, unprotect);
	pthread_create(page, NULL, run, NULL);
	pthread_join(*(pthread_t *)page, NULL);
	printf("faults %d\n", faults);
	print_mask("maker");
}

static void *sleep_long(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void cancel(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, sleep_long, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("cancelled %d\n", result == PTHREAD_CANCELED);
}

static void make_child(int opens_all)
{
	child_opens_all = opens_all;
	fflush(stdout);
	pid_t child = fork();
	if (child)
		waitpid(child, NULL, 0);
	print_mask(child ? "parent" : "child");
	fflush(stdout);
	if (!child)
		_exit(0);
}

/* A child's handler of fork that has its own idea of signals. */
static void open_all(void)
{
	if (child_opens_all)
		sigprocmask(SIG_SETMASK, &masks[0], NULL);
}

__attribute__((constructor(0))) static void begin(void)
{
	pthread_atfork(NULL, NULL, open_all);
}

int main(void)
{
	make_masks();
	make_behind_a_fault();
	for (int i = 0; i < MASKS; i++) {
		sigprocmask(SIG_SETMASK, &masks[i], NULL);
		make(NULL);
		make_c11();
		make_impossible();
		make_with_masks();
		make_child(0);
		make_child(1);
		cancel();
	}
	return 0;
}
