/* A library that knows nothing of profiles and calls its user back in threads of its own. */
#include <pthread.h>

void run_in_threads(int count, void *(*callback)(void *), void **argument)
{
	pthread_t thread[16];
	for (int i = 0; i < count; i++)
		pthread_create(&thread[i], 0, callback, argument[i]);
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], 0);
}
