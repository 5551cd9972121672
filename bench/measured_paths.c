/* What the numberings of the literature make of the paths that a program ran, function by function,
 * as lines of JSON: how many table entries each path takes (delta: Vaswani 2007, figures 3.17 and
 * 3.18), and how many probes a path alone, or a few paths, need (Apiwattanapong and Harrold 2002,
 * studies 1 and 2).
 *
 * usage: measured_paths PROFILE.wmk BINARY, for a build with --paths=classic */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/chosen/prefer.h"
#include "core/chosen/scaled_hash.h"
#include "core/chosen/select.h"
#include "names/path_name.h"
#include "profile/file.h"
#include "profile/profile.h"
#include "support/random_graph.h"

/* Orders that are tried; interesting paths of a function at most; paths at most where each is
 * looked at alone; random choices of a few. */
enum {
	ORDERS = 100,
	PACKED_ORDERS = 20,
	MAX_INTERESTING = 3000,
	MAX_ALONE = 1000,
	CHOICES = 100,
	MAX_FEW = 5
};

static uint32_t probes_of_all(const struct wm_paths *paths)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		count += paths->value[e] != 0;
	return count;
}

static uint32_t probes_of(const struct wm_paths *paths, const uint64_t *ids, uint32_t count)
{
	struct wm_arena arena = {0};
	struct wm_selection selection;
	wm_select_plan(&arena, paths, NULL, ids, count, &selection);
	uint32_t probes = selection.probe_count;
	wm_arena_reset(&arena);
	return probes;
}

static double mean_of_all(const struct wm_paths *paths)
{
	double sum = 0;
	for (uint64_t id = 0; id < paths->count; id++)
		sum += probes_of(paths, &id, 1);
	return sum / (double)paths->count;
}

static bool is_among(const uint64_t *ids, uint32_t count, uint64_t id)
{
	for (uint32_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static double mean_of_few(const struct wm_paths *paths, uint32_t few, struct random_source *source)
{
	double sum = 0;
	for (uint32_t choice = 0; choice < CHOICES; choice++) {
		uint64_t ids[MAX_FEW];
		for (uint32_t i = 0; i < few;) {
			ids[i] = random_below(source, (uint32_t)paths->count);
			i += !is_among(ids, i, ids[i]);
		}
		sum += probes_of(paths, ids, few);
	}
	return sum / CHOICES;
}

/* Only of functions with few paths: by number of chosen ones, from 1. */
static void print_probes(const struct wm_paths *paths, struct random_source *source)
{
	uint32_t all = probes_of_all(paths);
	if (paths->count > MAX_ALONE || paths->count < 2 || !all)
		return;
	printf(", \"probes\": %u, \"few\": [%.4f", all, mean_of_all(paths));
	for (uint32_t few = 2; few <= MAX_FEW && few < paths->count; few++)
		printf(", %.4f", mean_of_few(paths, few, source));
	printf("]");
}

static void print_deltas(
	struct wm_arena *arena, const struct wm_paths *paths, const uint64_t *ids, uint32_t count)
{
	struct wm_preference published, ordered, packed;
	struct wm_scaled_hash hash;
	wm_prefer_plan(arena, paths, ids, count, WM_PREFER_INTERVALS, 0, &published);
	wm_prefer_plan(arena, paths, ids, count, WM_PREFER_INTERVALS, ORDERS, &ordered);
	wm_prefer_plan(arena, paths, ids, count, WM_PREFER_PACKING, PACKED_ORDERS, &packed);
	wm_scaled_hash_choose(arena, ids, NULL, count, &hash);
	printf(", \"ball_larus\": %.6g, \"published\": %.6g, \"ordered\": %.6g, \"packed\": %.6g, "
	       "\"slots\": %.6g",
		(double)(ids[count - 1] - ids[0] + 1) / count, wm_prefer_delta(&published),
		wm_prefer_delta(&ordered), wm_prefer_delta(&packed),
		(double)((uint64_t)1 << hash.bits) / count);
}

static void print_function(const struct wm_profile_function *function, struct random_source *source)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_paths paths;
	uint32_t count = 0;
	if (function->path_count == 0 || function->path_count > MAX_INTERESTING ||
		wm_path_numbering(&arena, function->function, &paths, &error) < 0)
		return;
	uint64_t *ids = wm_arena_alloc(&arena, function->path_count, sizeof *ids);
	for (uint32_t i = 0; i < function->path_count; i++)
		if (!function->paths[i].partial)
			ids[count++] = function->paths[i].id;
	if (count > 0) {
		printf("{\"function\": \"%s\", \"possible\": %" PRIu64 ", \"ran\": %u",
			function->function->name, paths.count, count);
		print_deltas(&arena, &paths, ids, count);
		print_probes(&paths, source);
		puts("}");
	}
	wm_arena_reset(&arena);
}

int main(int argc, char **argv)
{
	struct wm_arena arena = {0};
	struct wm_file file;
	struct wm_profile profile;
	struct wm_error error;
	struct random_source source = random_from_seed(2002);
	if (argc != 3) {
		fputs("usage: measured_paths PROFILE.wmk BINARY\n", stderr);
		return 2;
	}
	if (wm_file_read(&arena, argv[1], &file, &error) < 0 ||
		wm_profile_make(&arena, &file, argv[2], &profile, &error) < 0) {
		fprintf(stderr, "measured_paths: %s\n", error.text);
		return 1;
	}
	for (uint32_t i = 0; i < profile.function_count; i++)
		print_function(&profile.functions[i], &source);
	wm_arena_reset(&arena);
	return 0;
}
