// build: $PLAIN -c $SRC/plain/wait_until_threads.c -o wait.o
// build: $CC $FLAGS $SRC/thread_made_by_timer.c wait.o -o program
// flags: -pthread
// calls: main=1 expired=5 step=20
// The C library starts a thread each time a timer expires; one helper of its own stays.
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

void wait_until_threads(int wanted);

static sem_t done;
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void expired(union sigval value)
{
	for (int i = 0; i < value.sival_int; i++)
		sum += step(i);
	sem_post(&done);
}

int main(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
	struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
	sem_init(&done, 0, 0);
	for (int i = 0; i < 5; i++) {
		timer_t timer;
		event.sigev_value.sival_int = 2 * i;
		timer_create(CLOCK_MONOTONIC, &event, &timer);
		timer_settime(timer, 0, &soon, NULL);
		sem_wait(&done);
	}
	wait_until_threads(2);
	printf("%d\n", sum);
	return 0;
}
