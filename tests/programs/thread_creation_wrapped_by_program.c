// flags: -pthread
// calls: main=1 pthread_create=5 begin=5 worker=5 step=50
// A program with a pthread_create of its own, as leak checkers and schedulers have.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void *(*routine)(void *);
static int begun, sum;

static void *begin(void *argument)
{
	begun++;
	return routine(argument);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
	void *(*start)(void *), void *restrict argument)
{
	create_function *next = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
	routine = start;
	return next(thread, attributes, begin, argument);
}

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void *worker(void *unused)
{
	for (int i = 0; i < 10; i++)
		sum += step(i);
	return unused;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, worker, NULL);
		pthread_join(thread, NULL);
	}
	printf("%d %d\n", begun, sum);
	return 0;
}
