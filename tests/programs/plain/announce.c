/* One call in which a thread says that it is there and then stays: whoever hears it knows that the
 * thread's counters stand still. */
#include <semaphore.h>

static sem_t announced, never;

__attribute__((constructor)) static void prepare(void)
{
	sem_init(&announced, 0, 0);
	sem_init(&never, 0, 0);
}

int announce_and_stay(void)
{
	sem_post(&announced);
	return sem_wait(&never);
}

void hear(int count)
{
	for (int i = 0; i < count; i++)
		sem_wait(&announced);
}
