/* Reads FILE.wmk, writes what it holds as text, and compares that with EXPECTED.txt, of which lines
 * that start with # are left out. Files of this folder are never written again: if one cannot be
 * read any more, the reader is wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/file.h"

/* A process that was killed counts as running where its process-id namespace is not ours. */
static void describe(const struct wm_file *file, FILE *out)
{
	fprintf(out, "runs %" PRIu64 "\n", file->runs);
	fprintf(out, "unfinished %" PRIu64 "\n", file->cut_short + file->running);
	fprintf(out, "status %" PRIu32 "\n", file->status);
	fprintf(out, "counters %" PRIu64 "\n", file->counter_count);
	for (uint64_t i = 0; i < file->counter_count; i++)
		if (file->counter[i] != 0)
			fprintf(out, "counter %" PRIu64 " %" PRIu64 "\n", i, file->counter[i]);
	for (uint64_t i = 0; i < file->entry_count; i++)
		fprintf(out, "key %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", file->entries[i].counter,
			file->entries[i].key, file->entries[i].count);
}

static int compare(FILE *expected, char *actual)
{
	char line[200];
	char *next = actual;
	while (fgets(line, sizeof line, expected)) {
		size_t length = strlen(line);
		if (line[0] == '#')
			continue;
		if (strncmp(next, line, length) != 0) {
			printf("expected: %sread:     %.*s\n", line, (int)strcspn(next, "\n"),
				next);
			return 1;
		}
		next += length;
	}
	if (*next)
		printf("not expected: %s", next);
	return *next != 0;
}

int main(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_file file;
	struct wm_error error;
	char *text;
	size_t bytes;
	FILE *expected = argc == 3 ? fopen(argv[2], "re") : NULL;
	if (!expected || wm_file_read(&arena, argv[1], &file, &error) < 0) {
		puts(expected ? error.text : "usage: test_stored FILE.wmk EXPECTED.txt");
		return 1;
	}
	FILE *out = open_memstream(&text, &bytes);
	describe(&file, out);
	fclose(out);
	int status = compare(expected, text);
	fclose(expected);
	free(text);
	wm_arena_reset(&arena);
	return status;
}
