/* waymark merge: one file out of many.
 *
 * Files are read one after another into the same memory and added to one sum, so that their number
 * does not matter. The output may be one of them: it is read last and under its lock, since what a
 * process adds to it after that would be lost.
 */
#define _GNU_SOURCE /* asprintf */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/output.h"
#include "profile/file.h"

struct merge {
	const char *output;
	bool all_must_fit;
	struct wm_arena arena;	 /* of the sum */
	struct wm_arena scratch; /* of the file at hand */
	struct wm_file sum;	 /* with the identity of the first file that can be read */
	bool started;
	size_t fitting;
	size_t output_uses; /* how often the output is among the inputs */
	size_t misfits;
	struct wm_error misfit; /* the newest, not told yet */
};

/* Tells of the misfit before this one: the last line depends on how it all ends. */
static void add_misfit(struct merge *merge, const struct wm_error *error)
{
	if (merge->misfits++ > 0)
		wm_warn("%s", merge->misfit.text);
	merge->misfit = *error;
}

static void warn_of_unknown(struct merge *merge, const struct wm_file *file)
{
	const char *kinds = wm_file_unknown_kinds(&merge->scratch, file);
	if (kinds)
		wm_warn("%s: holds data of %s, which this waymark does not know: it is left out",
			file->path, kinds);
}

static void add_file(struct merge *merge, const struct wm_file *file)
{
	struct wm_error error;
	warn_of_unknown(merge, file);
	if (wm_file_add(&merge->sum, file, &error) < 0)
		add_misfit(merge, &error);
	else
		merge->fitting++;
}

static bool is_output(const struct merge *merge, const char *path)
{
	struct stat output, input;
	return stat(merge->output, &output) == 0 && stat(path, &input) == 0 &&
	       output.st_dev == input.st_dev && output.st_ino == input.st_ino;
}

static void add_path(struct merge *merge, const char *path)
{
	struct wm_error error;
	struct wm_file file;
	bool later = is_output(merge, path);
	merge->output_uses += later;
	if (later && merge->started)
		return;
	if (wm_file_read(&merge->scratch, path, &file, &error) < 0) {
		/* An output that cannot be read is refused in the end, whatever else fits. */
		if (!later)
			add_misfit(merge, &error);
	} else {
		if (!merge->started)
			merge->sum = wm_file_start(&merge->arena, &file);
		merge->started = true;
		if (!later)
			add_file(merge, &file);
	}
	wm_arena_reset(&merge->scratch);
}

static void add_folder(struct merge *merge, const char *folder)
{
	struct dirent **entries;
	struct wm_error error;
	int count = scandir(folder, &entries, wm_find_is_profile, alphasort);
	if (count == 0) {
		wm_error_set(&error, WM_ERROR_INPUT, "%s: no .wmk file in this directory", folder);
		add_misfit(merge, &error);
	}
	for (int i = 0; i < count; i++) {
		char *path;
		if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0)
			wm_fatal("out of memory");
		add_path(merge, path);
		free(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void add_input(struct merge *merge, const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode) && access(path, R_OK | X_OK) == 0)
		add_folder(merge, path);
	else
		add_path(merge, path);
}

static bool parse_failure(const char *word)
{
	static const char *const words[] = {"any", "all", "warn"};
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(word, words[i]) == 0)
			return i == 0;
		wm_nearest_offer(&nearest, words[i]);
	}
	wm_fatal_usage("merge: --failure='%s' is none of any, all, warn%s%s%s", word,
		nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "",
		nearest.best ? "?" : "");
}

static int parse(int argc, char **argv, struct merge *merge)
{
	const char *failure = "any";
	const struct wm_option options[] = {
		{"-o", &merge->output, NULL}, {"--failure", &failure, NULL}};
	int left = wm_options_parse("merge", argc, argv, options, sizeof options / sizeof *options);
	merge->all_must_fit = parse_failure(failure);
	if (!merge->output)
		wm_fatal_usage("merge: name the file to write: -o OUT.wmk");
	if (left == 0)
		wm_fatal_usage("merge: name the files to add, or directories that hold them");
	return left;
}

static void settle_misfits(const struct merge *merge)
{
	if (merge->misfits == 0)
		return;
	if (merge->all_must_fit)
		wm_fatal("%s; nothing is written (--failure=all leaves out what does not fit)",
			merge->misfit.text);
	if (merge->fitting == 0)
		wm_fatal("%s; nothing is left to write", merge->misfit.text);
	wm_warn("%s", merge->misfit.text);
}

int wm_command_merge(int argc, char **argv)
{
	struct merge merge = {.output = NULL};
	struct wm_output output;
	int count = parse(argc, argv, &merge);
	for (int i = 1; i <= count; i++)
		add_input(&merge, argv[i]);
	wm_output_open(&merge.arena, merge.output, &output);
	for (size_t i = 0; i < merge.output_uses; i++)
		add_file(&merge, &output.old);
	settle_misfits(&merge);
	wm_output_write(&output, &merge.sum);
	wm_arena_reset(&merge.arena);
	return 0;
}
