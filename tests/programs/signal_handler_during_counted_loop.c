// build: $PLAIN -pthread -c $SRC/plain/signal_sender.c -o sender.o
// build: $CC $FLAGS $SRC/signal_handler_during_counted_loop.c sender.o -o program
// flags: -pthread
// calls: main=1 handler=300 work=301
// The handler runs the very function that it interrupts.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

extern sem_t answered;
pthread_t start_sending(int *count);

static unsigned handled;

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned x = 1;
	for (unsigned i = 0; i < n; i++)
		x = x & 1 ? 3 * x + i : x / 2;
	return x;
}

static void handler(int number)
{
	handled += work(number) & 1;
	sem_post(&answered);
}

int main(void)
{
	int count = 300;
	signal(SIGUSR1, handler);
	pthread_t sender = start_sending(&count);
	unsigned result = work(20000000);
	pthread_join(sender, NULL);
	printf("%u %u\n", result, handled);
	return 0;
}
