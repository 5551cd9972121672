/* Each object is a profile by itself; here they become one. Functions are copied, not what they
 * point to. */
#define _GNU_SOURCE
#include "profile/objects.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *wm_profile_object_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "liblzma.so.5.6.3" becomes "liblzma.so": a name that does not change with each version. */
static char *unversioned(struct wm_arena *arena, const char *path)
{
	char *name = wm_arena_copy_text(arena, wm_profile_object_name(path));
	char *suffix = strstr(name, ".so.");
	if (suffix)
		suffix[sizeof ".so" - 1] = '\0';
	return name;
}

/* "lzma" of "liblzma.so". */
static const char *shortest(struct wm_arena *arena, const char *path)
{
	char *name = unversioned(arena, path);
	char *suffix = strstr(name, ".so");
	if (suffix)
		*suffix = '\0';
	return suffix && strncmp(name, "lib", 3) == 0 ? name + 3 : name;
}

static bool fits(struct wm_arena *arena, const char *pattern, const char *path)
{
	return fnmatch(pattern, path, 0) == 0 ||
	       fnmatch(pattern, wm_profile_object_name(path), 0) == 0 ||
	       fnmatch(pattern, unversioned(arena, path), 0) == 0 ||
	       fnmatch(pattern, shortest(arena, path), 0) == 0;
}

/* Threads of a library are also threads of its program. */
static void add_ending(struct wm_file *all, const struct wm_file *file)
{
	if (file->cut_short > all->cut_short)
		all->cut_short = file->cut_short;
	if (file->running > all->running)
		all->running = file->running;
	all->status |= file->status;
}

static void add_sums(struct wm_profile *all, const struct wm_profile *part)
{
	all->executed_functions += part->executed_functions;
	all->instructions += part->instructions;
	all->counters += part->counters;
	all->blocks += part->blocks;
	all->increments += part->increments;
	all->block_entries += part->block_entries;
}

static uint32_t count_functions(const struct wm_profile *parts, uint32_t count)
{
	uint32_t functions = 0;
	for (uint32_t i = 0; i < count; i++)
		functions += parts[i].function_count;
	return functions;
}

/* Links the objects, so that each source is looked up in all of them. */
static void link_objects(struct wm_profile *all, struct wm_profile *parts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		parts[i].object.next = i + 1 < count ? &parts[i + 1].object : NULL;
	all->object.next = parts[0].object.next;
}

static void join(
	struct wm_arena *arena, struct wm_profile *all, struct wm_profile *parts, uint32_t count)
{
	struct wm_profile joined = parts[0];
	joined.lost_count = all->lost_count;
	joined.lost = all->lost;
	joined.part_count = count;
	joined.parts = parts;
	joined.function_count = count_functions(parts, count);
	joined.functions = wm_arena_alloc(arena, joined.function_count, sizeof *joined.functions);
	link_objects(&joined, parts, count);
	struct wm_profile_function *next = joined.functions;
	for (uint32_t i = 0; i < count; i++) {
		if (parts[i].function_count)
			memcpy(next, parts[i].functions, parts[i].function_count * sizeof *next);
		next += parts[i].function_count;
		if (i > 0) {
			add_sums(&joined, &parts[i]);
			add_ending(&joined.file, &parts[i].file);
		}
	}
	*all = joined;
}

static void name_functions(struct wm_arena *arena, struct wm_profile *library)
{
	const char *name = unversioned(arena, library->file.object_path);
	for (uint32_t i = 0; i < library->function_count; i++)
		library->functions[i].library = name;
}

static const char *why_lost(struct wm_arena *arena, const struct wm_file *file, int status)
{
	const char *path = file->object_path;
	const char *reason = "it was built again since it ran";
	char text[512];
	if (access(path, R_OK) != 0)
		reason = strerror(errno);
	else if (status != WM_ERROR_MISMATCH)
		reason = "it is not what it was when it ran";
	snprintf(text, sizeof text, "what library '%.300s' counted is left out: %s", path, reason);
	return wm_arena_copy_text(arena, text);
}

void wm_profile_add_libraries(struct wm_arena *arena, struct wm_profile *profile)
{
	struct wm_error error;
	uint32_t count = profile->file.library_count, found = 1;
	struct wm_profile *parts = wm_arena_alloc(arena, count + 1, sizeof *parts);
	profile->lost = wm_arena_alloc(arena, count, sizeof *profile->lost);
	parts[0] = *profile;
	for (uint32_t i = 0; i < count; i++) {
		const struct wm_file *file = &profile->file.libraries[i];
		int status = wm_profile_make(arena, file, NULL, &parts[found], &error);
		if (status < 0) {
			profile->lost[profile->lost_count++] = why_lost(arena, file, status);
			continue;
		}
		name_functions(arena, &parts[found]);
		found++;
	}
	join(arena, profile, parts, found);
}

static int refuse(const struct wm_profile *profile, const char *pattern, struct wm_error *error)
{
	char *list = NULL;
	size_t bytes = 0;
	FILE *text = open_memstream(&list, &bytes);
	for (uint32_t i = 0; i < profile->part_count; i++)
		fprintf(text, "%s%s", i ? ", " : "",
			wm_profile_object_name(profile->parts[i].object.path));
	fclose(text);
	int status = wm_error_set(error, WM_ERROR_INPUT,
		"%s: no object of the run fits --object='%s'; there are: %.600s",
		profile->file.path, pattern, list);
	free(list);
	return status;
}

int wm_profile_choose(struct wm_arena *arena, struct wm_profile *profile, const char *pattern,
	struct wm_error *error)
{
	struct wm_profile *chosen = wm_arena_alloc(arena, profile->part_count, sizeof *chosen);
	uint32_t count = 0;
	for (uint32_t i = 0; i < profile->part_count; i++)
		if (fits(arena, pattern, profile->parts[i].object.path))
			chosen[count++] = profile->parts[i];
	if (count == 0)
		return refuse(profile, pattern, error);
	join(arena, profile, chosen, count);
	return 0;
}
