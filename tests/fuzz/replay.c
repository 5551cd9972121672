/* Feeds every file of the named folders to a target, without libFuzzer.
 *
 * A file named good-... must be taken, one named bad-... refused; of the others, found by fuzzing,
 * it is only asked that nothing breaks. Each may take 10 seconds, all together 512 MB.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fuzz.h"

enum { SECONDS_EACH = 10, MAX_MEGABYTES = 512 };

static uint8_t *load(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	WM_FUZZ_REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
	*bytes = (size_t)ftell(file);
	rewind(file);
	uint8_t *data = malloc(*bytes ? *bytes : 1);
	WM_FUZZ_REQUIRE(data && fread(data, 1, *bytes, file) == *bytes);
	fclose(file);
	return data;
}

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool replay_file(const char *folder, const char *name)
{
	char path[4096];
	size_t bytes;
	struct rusage usage;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	uint8_t *data = load(path, &bytes);
	alarm(SECONDS_EACH);
	int status = wm_fuzz_try(data, bytes);
	alarm(0);
	free(data);
	bool expected = !(has_prefix(name, "good-") && status < 0) &&
			!(has_prefix(name, "bad-") && status == 0);
	getrusage(RUSAGE_SELF, &usage);
	bool small = usage.ru_maxrss <= MAX_MEGABYTES * 1024L;
	if (!expected || !small)
		fprintf(stderr, "%s: %s\n", path,
			!small	      ? "takes too much memory"
			: status == 0 ? "was taken"
				      : "was refused");
	return expected && small;
}

static bool replay_folder(const char *folder)
{
	DIR *directory = opendir(folder);
	unsigned count = 0, failed = 0;
	if (!directory) {
		perror(folder);
		return false;
	}
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		failed += !replay_file(folder, entry->d_name);
	}
	closedir(directory);
	printf("%s: %u files, %u failed\n", folder, count, failed);
	return count > 0 && failed == 0;
}

int main(int argc, char **argv)
{
	bool good = argc > 1;
	for (int i = 1; i < argc; i++)
		good &= replay_folder(argv[i]);
	return good ? 0 : 1;
}
