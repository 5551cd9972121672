/* A program of which it is known how often each function is called, whatever becomes of it.
 *
 * THREADS scan LETTERS each of a text of their own, in which every eighth letter is a space. So
 * `scan` is called THREADS x LETTERS times and `word_ends` an eighth as often. A last argument says
 * what is to become of the program:
 *
 *   run         prints the processor nanoseconds per letter of the slowest thread, and ends
 *   fork        scans once before a fork and once in both processes: three times in all
 *   TALLY       a file: scans until it is killed, and notes there, thread by thread, how many
 *               letters it has begun and how many it has done
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, TEXT = 4096, WORDS = 512 };

struct tally {
	_Alignas(128) volatile unsigned long begun;
	volatile unsigned long done;
};

struct worker {
	_Alignas(128) pthread_t thread;
	unsigned long letters;
	struct tally *tally;
	unsigned hash, longest, length;
	unsigned seen[WORDS];
	char text[TEXT];
	double nanoseconds;
};

static struct worker workers[MAX_THREADS];
static pthread_barrier_t start;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

__attribute__((noinline)) static void word_ends(struct worker *worker)
{
	unsigned *seen = &worker->seen[worker->hash % WORDS];
	if (*seen == 0)
		*seen = worker->hash;
	else if (*seen != worker->hash)
		*seen ^= worker->hash >> 1;
	if (worker->length > worker->longest)
		worker->longest = worker->length;
	worker->hash = worker->length = 0;
}

__attribute__((noinline)) static void scan(struct worker *worker, char letter)
{
	if (letter == ' ') {
		word_ends(worker);
		return;
	}
	if (letter >= 'A' && letter <= 'Z')
		letter += 'a' - 'A';
	worker->hash = worker->hash * 31 + (unsigned char)letter;
	worker->length++;
}

static void fill(struct worker *worker, unsigned state)
{
	for (int i = 0; i < TEXT; i++) {
		state = state * 1664525 + 1013904223;
		worker->text[i] = (i & 7) == 7 ? ' ' : (state >> 31 ? 'A' : 'a') + state % 26;
	}
}

static void scan_all(struct worker *worker)
{
	for (unsigned long i = 0; i < worker->letters; i++)
		scan(worker, worker->text[i % TEXT]);
}

static void *run(void *argument)
{
	struct worker *worker = argument;
	pthread_barrier_wait(&start);
	double before = now();
	scan_all(worker);
	worker->nanoseconds = (now() - before) / worker->letters;
	return NULL;
}

static void *run_until_killed(void *argument)
{
	struct worker *worker = argument;
	for (unsigned long i = 0;; i++) {
		worker->tally->begun++;
		scan(worker, worker->text[i % TEXT]);
		worker->tally->done++;
	}
	return NULL;
}

static struct tally *map_tally(const char *path)
{
	size_t bytes = MAX_THREADS * sizeof(struct tally);
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (file < 0 || ftruncate(file, bytes) != 0)
		exit(1);
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static void run_threads(int count, void *(*function)(void *))
{
	double slowest = 0;
	unsigned sum = 0;
	pthread_barrier_init(&start, NULL, count);
	for (int i = 0; i < count; i++)
		pthread_create(&workers[i].thread, NULL, function, &workers[i]);
	for (int i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].longest ^ workers[i].seen[1];
		if (workers[i].nanoseconds > slowest)
			slowest = workers[i].nanoseconds;
	}
	printf("%.4f %u\n", slowest, sum);
}

static void run_and_fork(struct worker *worker)
{
	scan_all(worker);
	pid_t child = fork();
	scan_all(worker);
	if (child > 0)
		waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	int count = argc == 4 ? atoi(argv[1]) : 0;
	if (count < 1 || count > MAX_THREADS)
		return 2;
	for (int i = 0; i < count; i++) {
		workers[i].letters = strtoul(argv[2], NULL, 10);
		fill(&workers[i], i);
	}
	if (strcmp(argv[3], "run") == 0) {
		run_threads(count, run);
	} else if (strcmp(argv[3], "fork") == 0) {
		run_and_fork(&workers[0]);
	} else {
		struct tally *tally = map_tally(argv[3]);
		for (int i = 0; i < count; i++)
			workers[i].tally = &tally[i];
		run_threads(count, run_until_killed);
	}
	return 0;
}
