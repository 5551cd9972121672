/* A line is looked for once in each function. */
#include "trace/places.h"

#include "names/block_lines.h"

void wm_trace_finder_start(struct wm_arena *arena, const struct wm_trace_functions *functions,
	const struct wm_trace_place *place, struct wm_trace_finder *finder)
{
	*finder = (struct wm_trace_finder){.arena = arena,
		.place = place,
		.blocks = wm_arena_alloc(
			arena, functions->object->function_count, sizeof *finder->blocks)};
}

bool wm_trace_finder_is_at(const struct wm_trace_finder *finder, const struct wm_function *function,
	uint32_t block, uint32_t position)
{
	const struct wm_position *at =
		&function->positions[function->blocks[block].first_position + position];
	return at->line == finder->place->line &&
	       (!finder->place->file || wm_block_lines_names_file(finder->place->file,
						function->scopes[at->scope].file));
}

const uint8_t *wm_trace_finder_look(
	struct wm_trace_finder *finder, const struct wm_traced_function *traced)
{
	const struct wm_function *function = traced->function;
	uint8_t *blocks = wm_arena_alloc(finder->arena, function->block_count, 1);
	for (uint32_t v = 0; v < function->block_count; v++)
		for (uint32_t k = 0; k < function->blocks[v].position_count; k++)
			blocks[v] |= wm_trace_finder_is_at(finder, function, v, k);
	finder->blocks[traced->number] = blocks;
	return blocks;
}
