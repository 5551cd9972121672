/* Named caches, and what can be changed about them. */
#include "format/sim_shapes.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	struct wm_sim_shapes shapes;
} presets[] = {
	{"modern", {{{32 << 10, 8, 64}, {1 << 20, 16, 64}}}},
	{"paper", {{{16 << 10, 1, 32}, {1 << 20, 1, 64}}}}, /* an UltraSPARC, 1997 */
};

enum { PRESETS = sizeof presets / sizeof *presets };

static const char *const level_words[] = {"l1d=", "l2="};

/* 32K/8/64 */
static const char *read_shape(const char *text, struct wm_cache_shape *shape)
{
	char *end;
	unsigned long bytes = strtoul(text, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	if (bytes > 1u << 30 || bytes << shift > 1u << 30)
		return "a cache has up to 1 GiB";
	end += shift != 0;
	shape->bytes = (uint32_t)(bytes << shift);
	shape->ways = *end == '/' ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
	shape->line = *end == '/' ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
	if (*end)
		return "give BYTES/WAYS/LINE, such as 32K/8/64";
	return wm_cache_shape_check(shape);
}

static int parse_one(const char *word, struct wm_sim_shapes *shapes, struct wm_error *error)
{
	for (size_t i = 0; i < PRESETS; i++) {
		if (strcmp(presets[i].name, word) != 0)
			continue;
		*shapes = presets[i].shapes;
		return 0;
	}
	for (size_t i = 0; i < WM_SIM_LEVELS; i++) {
		size_t bytes = strlen(level_words[i]);
		const char *wrong;
		if (strncmp(word, level_words[i], bytes) != 0)
			continue;
		wrong = read_shape(word + bytes, &shapes->level[i]);
		return wrong ? wm_error_set(error, WM_ERROR_INPUT, "--sim=%s: %s", word, wrong) : 0;
	}
	return wm_error_set(error, WM_ERROR_INPUT,
		"--sim: '%s' is unknown; use modern, paper, or a description such as "
		"l1d=32K/8/64",
		word);
}

int wm_sim_shapes_parse(struct wm_arena *arena, const char *text, struct wm_sim_shapes *shapes,
	struct wm_error *error)
{
	char *rest = wm_arena_copy_text(arena, text ? text : presets[0].name);
	int status = 0;
	*shapes = presets[0].shapes;
	for (const char *word; !status && (word = strsep(&rest, ","));)
		status = parse_one(word, shapes, error);
	return status;
}
