/* Writes the functions of FILE.wmk, with their graphs and the paths that ran, as lines of numbers
 * for against_trace.py: f name, s parent call_line function, b scope:line…, c block scope line
 * callee, e source target flags, p count end_edge block…. */
#include <inttypes.h>
#include <stdio.h>

#include "profile/profile.h"

static void dump_graph(const struct wm_function *function)
{
	printf("f %s\n", function->name);
	for (uint32_t s = 0; s < function->scope_count; s++)
		printf("s %" PRIu32 " %" PRIu32 " %s\n", function->scopes[s].parent,
			function->scopes[s].call_line, function->scopes[s].function);
	for (uint32_t b = 0; b < function->block_count; b++) {
		const struct wm_block *block = &function->blocks[b];
		putchar('b');
		for (uint32_t i = 0; i < block->position_count; i++) {
			const struct wm_position *position =
				&function->positions[block->first_position + i];
			printf(" %" PRIu32 ":%" PRIu32, position->scope, position->line);
		}
		putchar('\n');
	}
	for (uint32_t c = 0; c < function->call_count; c++) {
		const struct wm_call_site *call = &function->calls[c];
		printf("c %" PRIu32 " %" PRIu32 " %" PRIu32 " %s\n", call->block, call->scope,
			call->line, call->callee);
	}
	for (uint32_t e = 0; e < function->edge_count; e++)
		printf("e %" PRIu32 " %" PRIu32 " %d\n", function->edge_source[e],
			function->edge_target[e], function->edge_flags[e]);
}

static void dump_path(const struct wm_profile_path *path)
{
	printf("p %" PRIu64 " %" PRIu32, path->count, path->end_edge);
	for (uint32_t i = 0; i < path->block_count; i++)
		printf(" %" PRIu32, path->blocks[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_file file;
	struct wm_profile profile;
	struct wm_error error;
	if (argc != 2 || wm_file_read(&arena, argv[1], &file, &error) < 0 ||
		wm_profile_make(&arena, &file, NULL, &profile, &error) < 0) {
		fprintf(stderr, "%s\n", argc == 2 ? error.text : "usage: dump_paths FILE.wmk");
		return 1;
	}
	for (uint32_t i = 0; i < profile.function_count; i++) {
		const struct wm_profile_function *function = &profile.functions[i];
		dump_graph(function->function);
		for (uint32_t k = 0; k < function->path_count; k++)
			dump_path(&function->paths[k]);
	}
	wm_arena_reset(&arena);
	return 0;
}
