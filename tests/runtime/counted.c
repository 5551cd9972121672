/* Counts by key as instrumented code does, without being instrumented; the word on the command line
 * says how. What each must give is written in tables.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define __WAYMARK__
#include "waymark.h"

#pragma GCC visibility push(hidden)
void __waymark_count(const uint64_t *site, const uint64_t *entry);
uint64_t __waymark_oracle_enter(const uint64_t *site, uint64_t state, uint32_t block, uint32_t cut);
void __waymark_oracle_end(const uint64_t *site, uint64_t state, uint32_t exit);
#pragma GCC visibility pop

enum { SITES = 4 };

__attribute__((section("waymark_counters"), used)) static uint64_t sites[SITES];

#ifdef MORE_COUNTERS /* that make room for more cells than are counted in at first */
__attribute__((section("waymark_counters"), used)) static uint64_t more[MORE_COUNTERS];
#endif

static void count(unsigned site, uint64_t key)
{
	uint64_t entry = (uint64_t)(uintptr_t)&sites[site] + 8 * key;
	__waymark_count(&sites[site], (const uint64_t *)(uintptr_t)entry);
}

/* Each of so many keys so often, at all sites in turn. */
static void count_all(uint64_t keys, uint64_t times)
{
	for (uint64_t t = 0; t < times; t++)
		for (uint64_t k = 0; k < keys; k++)
			count((unsigned)(k % SITES), k * 0x10001);
}

#ifndef LIBRARY

static void count_before_the_runtime(void)
{
	for (uint64_t k = 0; k < 50; k++)
		count(3, ~k);
}

__attribute__((section(".preinit_array"), used)) static void (*const before)(
	void) = count_before_the_runtime;

static void *count_in_thread(void *times)
{
	count_all(5000, (uint64_t)(size_t)times);
	return NULL;
}

static void in_threads(int threads, size_t times, const pthread_attr_t *attributes)
{
	pthread_t thread[16];
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], attributes, count_in_thread, (void *)times);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

static void many(void)
{
	count_all(1000000, 1);
	count_all(500000, 1);
}

static void threads(void)
{
	in_threads(8, 40, NULL);
	in_threads(8, 2, NULL);
}

static void small_stacks(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
	in_threads(4, 3, &attributes);
}

static volatile uint64_t handled;

static void on_timer(int signal)
{
	(void)signal;
	for (int i = 0; i < 50; i++) {
		count(1, handled % 7000 + ((uint64_t)1 << 50));
		handled++;
	}
}

static void start_timer(void (*handler)(int), int microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void signals(void)
{
	start_timer(on_timer, 100);
	count_all(200000, 10);
	start_timer(on_timer, 0);
	printf("%llu\n", (unsigned long long)handled);
}

static volatile int forks;

static void fork_in_handler(int signal)
{
	(void)signal;
	if (forks >= 100 || fork() != 0) {
		forks++;
		return;
	}
	count(2, 77);
	_exit(0);
}

static void forks_in_handlers(void)
{
	start_timer(fork_in_handler, 500);
	while (forks < 100)
		count_all(3000, 1), count(2, 78);
	start_timer(fork_in_handler, 0);
	while (wait(NULL) > 0)
		;
}

static volatile uint64_t turn;
static volatile int64_t turn_of_fork = -1;

static void fork_and_go_on(int signal)
{
	(void)signal;
	if (turn_of_fork < 0 && forks < 60 && ++forks && fork() == 0)
		turn_of_fork = (int64_t)turn;
}

static int goes_on(void)
{
	return turn_of_fork < 0 ? forks < 60 : turn < (uint64_t)turn_of_fork + 5000;
}

/* A new key every fifty turns; children go on from where their parent was, and say where. */
static void forks_that_go_on(void)
{
	start_timer(fork_and_go_on, 300);
	for (turn = 0; goes_on(); turn++)
		count(2, turn / 50);
	start_timer(fork_and_go_on, 0);
	printf("%lld %llu\n", (long long)turn_of_fork, (unsigned long long)turn);
	fflush(stdout);
	if (turn_of_fork >= 0)
		_exit(0);
	while (wait(NULL) > 0)
		;
}

static void fork_children(void)
{
	count_all(1000, 10);
	for (int i = 0; i < 5; i++) {
		if (fork() == 0) {
			count_all(2000, 500);
			if (fork() == 0) {
				count_all(3000, 100);
				_exit(0);
			}
			wait(NULL);
			_exit(0);
		}
	}
	count_all(1000, 2000);
	while (wait(NULL) > 0)
		;
}

static void fork_in_turn(void)
{
	for (int i = 0; i < 50; i++) {
		if (fork() == 0) {
			count_all(1000, 1);
			_exit(0);
		}
		wait(NULL);
	}
}

/* Tables that children make in their parent's memory are the parent's. */
static void vfork_children(void)
{
	for (uint64_t i = 0; i < 20; i++) {
		if (vfork() == 0) {
			for (uint64_t k = 0; k < 500; k++)
				count(0, i * 400 + k);
			_exit(0);
		}
		count_all(1000, 1);
	}
}

/* The thread counts for the first time in its child. */
static void *vfork_in_thread(void *made)
{
	if (vfork() == 0) {
		count_all(10, 1);
		_exit(0);
	}
	pthread_barrier_wait(made);
	return count_in_thread((void *)2000);
}

static void vfork_in_threads(void)
{
	pthread_t thread, other;
	pthread_barrier_t made;
	pthread_barrier_init(&made, NULL, 2);
	pthread_create(&thread, NULL, vfork_in_thread, &made);
	pthread_barrier_wait(&made);
	pthread_create(&other, NULL, count_in_thread, (void *)2000);
	count_all(5000, 2000);
	pthread_join(other, NULL);
	pthread_join(thread, NULL);
}

/* Forever; killed from outside. */
static void forever(void)
{
	puts("ready");
	fflush(stdout);
	for (uint64_t i = 0;; i++)
		count(0, i % 30000);
}

static void limit(int resource, rlim_t most)
{
	struct rlimit limit;
	getrlimit(resource, &limit);
	limit.rlim_cur = most;
	setrlimit(resource, &limit);
}

static void limited_file(int lifted)
{
	limit(RLIMIT_FSIZE, 65536);
	in_threads(3, 2, NULL);
	count_all(20000, 3);
	if (lifted)
		limit(RLIMIT_FSIZE, RLIM_INFINITY);
}

static void limited_memory(void)
{
	limit(RLIMIT_FSIZE, 65536);
	limit(RLIMIT_AS, 64 << 20);
	count_all(4000000, 1);
}

static int write_image(const char *path)
{
	size_t bytes = waymark_write(NULL, 0);
	char *image = malloc(bytes + 1);
	FILE *file = fopen(path, "wb");
	/* At an odd address, on purpose. */
	if (!image || !file || waymark_write(image + 1, bytes) != bytes ||
		fwrite(image + 1, 1, bytes, file) != bytes)
		return -1;
	free(image);
	return fclose(file);
}

static int steer(const char *word)
{
	int status = 0;
	count_all(3000, 5);
	in_threads(2, 1, NULL);
	if (!strcmp(word, "reset")) {
		status = waymark_reset();
		count_all(3000, 1);
		status |= waymark_reset();
		count_all(700, 2);
	} else if (!strcmp(word, "pause")) {
		status = waymark_pause();
		count_all(9000, 2);
		in_threads(2, 1, NULL);
		status |= waymark_resume();
		count_all(700, 2);
	} else if (!strcmp(word, "set-file")) {
		status = waymark_set_file("second.wmk");
		count_all(4000, 2);
		in_threads(2, 1, NULL);
	} else if (!strcmp(word, "write")) {
		status = write_image("image.wmk");
	} else if (!strcmp(word, "dump")) {
		status = waymark_dump();
		raise(SIGKILL);
	}
	return status;
}

/* All registers that the call must keep, seen before and after it. */
struct registers {
	uint64_t general[12]; /* all but rsp, and rax, rdx and r11, which may change */
	uint8_t vector[16][32];
};

static void capture_around(
	uint64_t key, struct registers *before, struct registers *after, int wide);

#define EACH_VECTOR(m)                                                                             \
	m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) m(14) m(15)
#define TEXT_OF(x) #x
#define LOAD(n) "vmovdqu " TEXT_OF(n) "*32(%%rbx),%%ymm" TEXT_OF(n) "\n"
#define STORE(n) "vmovdqu %%ymm" TEXT_OF(n) "," TEXT_OF(n) "*32(%%rbx)\n"
#define LOAD_HALF(n) "movdqu " TEXT_OF(n) "*32(%%rbx),%%xmm" TEXT_OF(n) "\n"
#define STORE_HALF(n) "movdqu %%xmm" TEXT_OF(n) "," TEXT_OF(n) "*32(%%rbx)\n"
#define CLOBBER(n) "xmm" TEXT_OF(n),

#define AROUND(load, store)                                                                        \
	__asm__ volatile("push %%rbp\n"                                                            \
			 "sub $128,%%rsp\n"                                                        \
			 "mov %%rcx,(%%rsp)\n"                                                     \
			 "mov %%rdx,8(%%rsp)\n"                                                    \
			 "mov %%rcx,%%rbx\n"                                                       \
			 "add $96,%%rbx\n" load "mov $0xb1,%%ebx\n	mov $0xc1,%%ecx\n"              \
			 "mov $0xe1,%%ebp\n	mov $0x81,%%r8d\n	mov $0x91,%%r9d\n"                   \
			 "mov $0x101,%%r10d\n	mov $0x121,%%r12d\n	mov $0x131,%%r13d\n"             \
			 "mov $0x141,%%r14d\n	mov $0x151,%%r15d\n"                                 \
			 "call __waymark_count\n"                                                  \
			 "mov 8(%%rsp),%%r11\n"                                                    \
			 "mov %%rbx,(%%r11)\n	mov %%rcx,8(%%r11)\n"                                \
			 "mov %%rbp,16(%%r11)\n	mov %%r8,24(%%r11)\n"                              \
			 "mov %%r9,32(%%r11)\n	mov %%r10,40(%%r11)\n"                              \
			 "mov %%r12,48(%%r11)\n	mov %%r13,56(%%r11)\n"                             \
			 "mov %%r14,64(%%r11)\n	mov %%r15,72(%%r11)\n"                             \
			 "mov %%rdi,80(%%r11)\n	mov %%rsi,88(%%r11)\n"                             \
			 "lea 96(%%r11),%%rbx\n" store "add $128,%%rsp\n"                          \
			 "pop %%rbp\n"                                                             \
		: "+c"(first), "+d"(second), "+D"(site), "+S"(entry)                               \
		:                                                                                  \
		: "rax", "rbx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",              \
		EACH_VECTOR(CLOBBER) "memory", "cc")

static void capture_around(
	uint64_t key, struct registers *before, struct registers *after, int wide)
{
	const uint64_t *site = &sites[0];
	uint64_t entry = (uint64_t)(uintptr_t)site + 8 * key;
	const uint64_t expected[] = {0xb1, 0xc1, 0xe1, 0x81, 0x91, 0x101, 0x121, 0x131, 0x141,
		0x151, (uint64_t)(uintptr_t)site, entry};
	struct registers *first = before, *second = after;
	for (size_t i = 0; i < sizeof before->vector; i++)
		(&before->vector[0][0])[i] = (uint8_t)(i * 37 + key);
	memset(after, 0, sizeof *after);
	if (wide)
		AROUND(EACH_VECTOR(LOAD), EACH_VECTOR(STORE));
	else
		AROUND(EACH_VECTOR(LOAD_HALF), EACH_VECTOR(STORE_HALF));
	memcpy(before->general, expected, sizeof expected);
}

/* Every new key may make a larger table; each is counted twice. */
static int registers(void)
{
	static struct registers before, after;
	int wide = __builtin_cpu_supports("avx2");
	for (uint64_t i = 0; i < 10000; i++) {
		capture_around(i / 2, &before, &after, wide);
		for (int v = 0; v < 16; v++)
			if (memcmp(before.vector[v], after.vector[v], wide ? 32 : 16) != 0)
				return -1;
		if (memcmp(before.general, after.general, sizeof before.general) != 0)
			return -1;
	}
	return 0;
}

static int number_of_errors(void)
{
	errno = 4711;
	count_all(10000, 1);
	limit(RLIMIT_FSIZE, 65536);
	in_threads(2, 1, NULL);
	count_all(20000, 1);
	return errno == 4711 ? 0 : -1;
}

static void steps(void)
{
	uint64_t state = 0;
	for (uint32_t turn = 0; turn < 1000; turn++) {
		state = __waymark_oracle_enter(&sites[1], state, 0, turn > 0);
		state = __waymark_oracle_enter(&sites[1], state, 1 + turn % 3, 0);
	}
	__waymark_oracle_end(&sites[1], state, 9);
}

static int libraries(const char *path)
{
	for (int i = 0; i < 40; i++) {
		void *library = dlopen(path, RTLD_NOW);
		void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : NULL;
		if (!work)
			return -1;
		work();
		dlclose(library);
	}
	return 0;
}

/* Counts once, in a thread, for each line that it reads. */
static void serve(void)
{
	char line[100];
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		in_threads(1, 1, NULL);
		puts("done");
		fflush(stdout);
	}
}

static int run(const char *word, const char *argument)
{
	if (!strcmp(word, "many"))
		many();
	else if (!strcmp(word, "threads"))
		threads();
	else if (!strcmp(word, "few"))
		count_all(600, 2);
	else if (!strcmp(word, "keys"))
		count_all(strtoull(argument, NULL, 10), 2);
	else if (!strcmp(word, "small-stacks"))
		small_stacks();
	else if (!strcmp(word, "signals"))
		signals();
	else if (!strcmp(word, "forks-in-handlers"))
		forks_in_handlers();
	else if (!strcmp(word, "forks-that-go-on"))
		forks_that_go_on();
	else if (!strcmp(word, "fork"))
		fork_children();
	else if (!strcmp(word, "fork-in-turn"))
		fork_in_turn();
	else if (!strcmp(word, "vfork"))
		vfork_children();
	else if (!strcmp(word, "vfork-in-threads"))
		vfork_in_threads();
	else if (!strcmp(word, "forever"))
		forever();
	else if (!strcmp(word, "serve"))
		serve();
	else if (!strcmp(word, "limited"))
		limited_file(0);
	else if (!strcmp(word, "limit-lifted"))
		limited_file(1);
	else if (!strcmp(word, "no-memory"))
		limited_memory();
	else if (!strcmp(word, "registers"))
		return registers();
	else if (!strcmp(word, "errno"))
		return number_of_errors();
	else if (!strcmp(word, "steps"))
		steps();
	else if (!strcmp(word, "libraries"))
		return libraries(argument);
	else
		return steer(word);
	return 0;
}

int main(int argc, char **argv)
{
	return argc > 1 && run(argv[1], argv[argc - 1]) == 0 ? 0 : 1;
}

#else

void work(void);

__attribute__((visibility("default"))) void work(void)
{
	count_all(300, 2);
}

#endif
