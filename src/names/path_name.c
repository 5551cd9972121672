/* Names of paths. They are read from the right: the function's part may hold colons of its own, and
 * that of a lambda also #. */
#include "names/path_name.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/text_name.h"

enum { HASH_DIGITS = 8, LONGEST_ID = 20 };

/* FNV-1a over the bytes of the number. */
static uint64_t add_number(uint64_t hash, uint32_t number)
{
	for (int shift = 0; shift < 32; shift += 8)
		hash = (hash ^ ((number >> shift) & 0xff)) * 0x100000001b3u;
	return hash;
}

uint32_t wm_path_cfg_hash(const struct wm_function *function)
{
	uint64_t hash = add_number(0xcbf29ce484222325u, function->block_count);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		hash = add_number(hash, function->edge_source[e]);
		hash = add_number(hash, function->edge_target[e]);
		hash = add_number(
			hash, function->edge_flags[e] & (WM_EDGE_CUT | WM_EDGE_ABANDONED));
	}
	return (uint32_t)(hash ^ (hash >> 32));
}

int wm_path_numbering(struct wm_arena *arena, const struct wm_function *function,
	struct wm_paths *paths, struct wm_error *error)
{
	const bool *cut = wm_function_edges_with(arena, function, WM_EDGE_CUT, true);
	const struct wm_cfg *cfg = wm_function_graph(arena, function);
	return wm_paths_number_regions(arena, cfg, cut, paths, error);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), bytes = strlen(end);
	return length >= bytes && strcmp(text + length - bytes, end) == 0;
}

bool wm_path_name_is_of(const struct wm_path_name *name, const struct wm_function *function)
{
	if (strncmp(name->function, "...", 3) != 0)
		return wm_text_name_fit(name->function, function->name) == WM_TEXT_NAME_WHOLE;
	struct wm_arena arena = {0};
	const char *end = name->function + 3;
	bool is_of = ends_with(function->name, end) ||
		     ends_with(wm_text_short_name(&arena, function->name), end) ||
		     ends_with(wm_text_instance_name(&arena, function->name), end) ||
		     ends_with(wm_text_name(&arena, function->name), end);
	wm_arena_reset(&arena);
	return is_of;
}

bool wm_path_name_fits(const struct wm_path_name *name, const struct wm_function *function)
{
	return name->any_shape || wm_path_cfg_hash(function) == name->hash;
}

char *wm_path_name_text(struct wm_arena *arena, const struct wm_path_name *name)
{
	size_t room = strlen(name->function) + HASH_DIGITS + 3 + name->id_count * (LONGEST_ID + 1);
	char *text = wm_arena_alloc(arena, room, 1), *next = text;
	next += sprintf(next, "%s", name->function);
	if (!name->any_shape)
		next += sprintf(next, ":%08" PRIx32, name->hash);
	for (size_t i = 0; i < name->id_count; i++)
		next += sprintf(next, "%c%" PRIu64,
			i > 0		  ? '+'
			: name->any_shape ? '#'
					  : ':',
			name->ids[i]);
	return text;
}

static bool is_hash(const char *text, size_t length)
{
	return length == HASH_DIGITS && strspn(text, "0123456789abcdef") >= HASH_DIGITS;
}

static bool parse_ids(struct wm_arena *arena, const char *text, struct wm_path_name *name)
{
	name->ids = wm_arena_alloc(arena, strlen(text) + 1, sizeof *name->ids);
	for (name->id_count = 0;; text++) {
		char *end;
		if (*text < '0' || *text > '9')
			return false;
		errno = 0;
		name->ids[name->id_count++] = strtoull(text, &end, 10);
		if (errno || (*end && *end != '+'))
			return false;
		text = end;
		if (!*text)
			return true;
	}
}

/* Cuts FUNCTION:HASH in front of the ids. */
static bool parse_hash(char *text, struct wm_path_name *name)
{
	char *hash = strrchr(text, ':');
	if (!hash || hash == text)
		return false;
	*hash++ = '\0';
	name->hash = (uint32_t)strtoul(hash, NULL, 16);
	return is_hash(hash, strlen(hash));
}

bool wm_path_name_parse(struct wm_arena *arena, const char *text, struct wm_path_name *name)
{
	char *function = wm_arena_copy_text(arena, text);
	char *number = strrchr(function, '#'), *colon = strrchr(function, ':');
	char *ids = number > colon || !colon ? number : colon;
	if (!ids || ids == function)
		return false;
	*name = (struct wm_path_name){.function = function, .any_shape = ids == number};
	*ids++ = '\0';
	return (name->any_shape || parse_hash(function, name)) && parse_ids(arena, ids, name);
}
