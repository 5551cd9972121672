// build: $PLAIN -pthread -c $SRC/plain/signal_sender.c -o sender.o
// build: $CC $FLAGS $SRC/signal_handler_while_threads_come_and_go.c sender.o -o program
// flags: -pthread
// calls: main=1 handler=500 short_thread=500 step=2000
// The signals fall into whatever the maker of the threads is doing, and into the threads' beginnings.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

extern sem_t answered;
pthread_t start_sending(int *count);

static int handled;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void handler(int number)
{
	handled += step(number);
	sem_post(&answered);
}

static void *short_thread(void *value)
{
	for (int i = 0; i < 3; i++)
		*(int *)value += step(i);
	raise(SIGUSR2);
	return NULL;
}

static void ignore(int number)
{
	(void)number;
}

int main(void)
{
	int count = 500, sum = 0;
	signal(SIGUSR1, handler);
	signal(SIGUSR2, ignore);
	pthread_t sender = start_sending(&count);
	for (int i = 0; i < 500; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, short_thread, &sum);
		pthread_join(thread, NULL);
	}
	pthread_join(sender, NULL);
	printf("%d %d\n", sum, handled);
	return 0;
}
