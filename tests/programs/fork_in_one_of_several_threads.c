// flags: -pthread
// calls: main=1 worker=3 forker=2 step=1580
// left_early: forker=-2
// The other threads stand still in a call when the child gets its copy; there they are no more.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t ready, proceed;
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n % 3 ? n : 2;
}

__attribute__((noinline)) static int repeat(int count)
{
	int total = 0;
	for (int i = 0; i < count; i++)
		total += step(i);
	return total;
}

static void *worker(void *unused)
{
	__atomic_fetch_add(&sum, repeat(100), __ATOMIC_RELAXED);
	sem_post(&ready);
	sem_wait(&proceed);
	__atomic_fetch_add(&sum, repeat(300), __ATOMIC_RELAXED);
	return unused;
}

static void *forker(void *count)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(repeat((long)count) & 127);
	waitpid(child, &status, 0);
	__atomic_fetch_add(&sum, WEXITSTATUS(status), __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t thread[3], fork_thread;
	sem_init(&ready, 0, 0);
	sem_init(&proceed, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		sem_wait(&ready);
	for (long i = 1; i <= 2; i++) {
		pthread_create(&fork_thread, NULL, forker, (void *)(190 * i - 95));
		pthread_join(fork_thread, NULL);
	}
	for (int i = 0; i < 3; i++)
		sem_post(&proceed);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum);
	return 0;
}
