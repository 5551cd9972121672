/* Uses every function of waymark.h; the word on the command line says which. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waymark.h"

static unsigned total;

__attribute__((noinline)) static void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		total += i % 3 ? i : 1;
}

static void *work_in_thread(void *n)
{
	work((unsigned)(size_t)n);
	return NULL;
}

static void in_threads(unsigned n)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work_in_thread, (void *)(size_t)n);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void reset_in_handler(int signal)
{
	(void)signal;
	if (waymark_reset())
		abort();
}

static sem_t go, done;

static void *work_when_told(void *n)
{
	work(1000);
	sem_post(&done);
	sem_wait(&go);
	return work_in_thread(n);
}

static int pause_beside_thread(void)
{
	pthread_t thread;
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, work_when_told, (void *)500);
	sem_wait(&done);
	int status = waymark_pause();
	sem_post(&go);
	pthread_join(thread, NULL);
	in_threads(77);
	status |= waymark_resume();
	work(9);
	return status;
}

/* Code between the calls counts as well, so an image may need more room than it was said to. */
static int write_image(const char *path)
{
	size_t bytes = waymark_write(NULL, 0);
	char *image = calloc(2, bytes);
	FILE *file = fopen(path, "wb");
	if (!image || !file || waymark_write(image, bytes - 1) < bytes || image[0])
		return -1;
	bytes = waymark_write(image, 2 * bytes);
	if (fwrite(image, 1, bytes, file) != bytes)
		return -1;
	free(image);
	return fclose(file);
}

static int steer(const char *what)
{
	if (!strcmp(what, "reset")) {
		in_threads(100);
		work(50);
		if (waymark_reset())
			return -1;
		in_threads(10);
		work(5);
		return 0;
	}
	if (!strcmp(what, "reset-in-handler")) {
		signal(SIGUSR1, reset_in_handler);
		work(50);
		raise(SIGUSR1);
		work(5);
		return 0;
	}
	if (!strcmp(what, "set-file")) {
		in_threads(100);
		if (waymark_set_file("second.wmk"))
			return -1;
		in_threads(10);
		return 0;
	}
	if (!strcmp(what, "pause"))
		return pause_beside_thread();
	if (!strcmp(what, "write")) {
		in_threads(100);
		return write_image("image.wmk");
	}
	if (!strcmp(what, "dump")) {
		work(50);
		if (waymark_dump())
			return -1;
		raise(SIGKILL);
	}
	return -1;
}

int main(int argc, char **argv)
{
	int status = argc > 1 ? steer(argv[1]) : -1;
	printf("%u %d\n", total, status);
	return 0;
}
