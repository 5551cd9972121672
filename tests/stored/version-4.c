/* The program whose counts version-4.wmk holds. It counts as instrumented code does, so that no
 * version of the plug-in matters. Built with clang -O1 -pthread -Wl,--build-id and
 * libwaymark_rt.a, and run three times: with the words `ends`, `ends` and `killed`.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
extern __thread int64_t __waymark_delta __attribute__((tls_model("initial-exec")));
int64_t __waymark_attach(void);
void __waymark_count(const uint64_t *site, const uint64_t *entry);
#pragma GCC visibility pop

__attribute__((section("waymark_counters"), used)) static uint64_t sites[700];

static void add(unsigned site, uint64_t amount)
{
	int64_t delta = __waymark_delta ? __waymark_delta : __waymark_attach();
	*(volatile uint64_t *)((char *)&sites[site] + delta) += amount;
}

static void count(unsigned site, uint64_t key)
{
	__waymark_count(
		&sites[site], (const uint64_t *)((uintptr_t)&sites[site] + (uintptr_t)(8 * key)));
}

static void *run_thread(void *unused)
{
	add(4, 7);
	for (uint64_t key = 1; key <= 3; key++)
		count(2, -key);
	return unused;
}

int main(int count_of_words, char **words)
{
	pthread_t thread;
	add(0, 1);
	add(1, (uint64_t)1 << 40);
	add(3, (uint64_t)count_of_words + (words[1][0] == 'k' ? 100 : 0));
	for (uint64_t key = 0; key < 50; key++)
		for (uint64_t times = 0; times <= key; times++)
			count(5, key * key);
	pthread_create(&thread, NULL, run_thread, NULL);
	pthread_join(thread, NULL);
	if (words[1][0] == 'k')
		raise(SIGKILL);
	return 0;
}
