/* Which profiles the words of a command line mean. An error ends the tool with one line. */
#ifndef WM_CLI_FIND_PROFILES_H
#define WM_CLI_FIND_PROFILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* A file that a word stands for. */
struct wm_found_file {
	const char *path;
	const char *binary; /* the word, if that is a program; or NULL */
	bool named;	    /* it is the word; others may be left out if they cannot be read */
};

struct wm_found_files {
	size_t count;
	struct wm_found_file *files;
	bool first_only; /* the first that can be read is meant, not all */
};

/* Whether the name ends as that of a profile does: a filter for scandir. */
int wm_find_is_profile(const struct dirent *entry);

/* Path of the profile in the working directory that was written last, in the arena; NULL if there
 * is none. */
const char *wm_find_newest(struct wm_arena *arena);

/* Whether the word names a profile, or a program that may have one, and not a source. */
bool wm_find_is_profile_word(const char *word);

/* A word is a profile, a directory (all profiles in it), or a program (its newest profile, in the
 * working directory or beside the program). No word: the profiles of the working directory, the
 * newest first. At least one file is found. */
void wm_find_files(
	struct wm_arena *arena, char **words, size_t count, struct wm_found_files *found);

#endif
