/* Interrupts one thread again and again from another; every signal is answered before the next. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

sem_t answered;
static pthread_t victim;

static void *send(void *count)
{
	for (int i = 0; i < *(int *)count; i++) {
		pthread_kill(victim, SIGUSR1);
		sem_wait(&answered);
	}
	return 0;
}

pthread_t start_sending(int *count)
{
	pthread_t sender;
	victim = pthread_self();
	sem_init(&answered, 0, 0);
	pthread_create(&sender, 0, send, count);
	return sender;
}
