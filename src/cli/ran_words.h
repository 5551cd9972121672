/* Which runs the words of a command line mean. An error ends the tool with one line. */
#ifndef WM_CLI_RAN_WORDS_H
#define WM_CLI_RAN_WORDS_H

#include <stddef.h>

#include "profile/ran_paths.h"

/* Adds what the words stand for: profiles, programs and directories as in find_profiles.h, each
 * profile a sample of its own with the file's name as label; and saved sets of paths, FILE.wmp or
 * @FILE.wmp; and stores, of which the runs of the kind (test, field) are samples with labels of
 * their own. No word: the newest profile of the working directory. Profiles that cannot be read and
 * that no word names are left out with a warning, as are those without paths. `binary` is the
 * program of the profiles, or NULL. */
void wm_ran_words_add(struct wm_ran_paths *ran, const char *command, char **words, size_t count,
	const char *binary, const char *kind);

/* The profiles that words without saved sets mean: as wm_load_profiles and, of stores, all runs of
 * the kind added up. */
struct wm_profile *wm_ran_words_profiles(struct wm_arena *arena, const char *command, char **words,
	size_t *count, const char *binary, const char *kind);

/* Whether the word is a saved set. */
bool wm_ran_words_is_set(const char *word);

/* Label of a profile: the name of its file without folder and ending. */
const char *wm_ran_words_label(struct wm_arena *arena, const char *path);

#endif
