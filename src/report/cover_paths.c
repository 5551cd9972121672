/* Functions of the code beside the paths of them that ran, and what these say of the next run. */
#include "report/cover_gathering.h"

enum { LEAST_SAMPLES = 10 };

static int add_code_paths(struct wm_cover_gathering *gathering,
	const struct wm_profile_function *function, const struct wm_ran_function *ran)
{
	struct wm_arena scratch = {0};
	struct wm_path_space space;
	size_t count = 0;
	const uint64_t *ids = ran ? wm_ran_function_ids(&scratch, ran, &count) : NULL;
	struct wm_cover_code *code = &gathering->cover->code[gathering->cover->code_count++];
	*code = (struct wm_cover_code){.function = function, .ran = ran};
	int status = wm_path_space_make(
		&scratch, function->function, ids, count, &space, gathering->error);
	if (status < 0)
		return status;
	code->complete = wm_path_space_complete(&space);
	for (size_t i = 0; ran && i < ran->count; i++)
		code->covered_paths +=
			!ran->paths[i].partial && !wm_ran_path_is_uncertain(&ran->paths[i]);
	wm_cover_count_pairs(&space, code);
	struct wm_cover_amount *total = gathering->cover->total;
	total[WM_COVER_PAIRS].of += code->pairs.of;
	total[WM_COVER_PAIRS].covered += code->pairs.covered;
	total[WM_COVER_PAIRS].unknown += code->pairs.unknown;
	if (code->complete <= WM_COVER_SMALL) {
		total[WM_COVER_PATHS].of += code->complete;
		total[WM_COVER_PATHS].covered += code->covered_paths;
	}
	gathering->cover->covered_paths += code->covered_paths;
	wm_arena_reset(&scratch);
	return 0;
}

double wm_cover_chance(uint64_t n, uint64_t once, uint64_t twice, uint64_t all)
{
	double factor = (double)(n - 1) * (double)once;
	if (once == 0 || all == 0)
		return 0;
	return (double)once / (double)all * factor / (factor + 2 * (double)twice);
}

static void estimate(struct wm_cover *cover, const struct wm_ran_paths *ran)
{
	uint64_t once = 0, twice = 0, all = 0;
	for (size_t i = 0; i < ran->function_count; i++)
		for (size_t k = 0; k < ran->functions[i].count; k++) {
			const struct wm_ran_path *path = &ran->functions[i].paths[k];
			if (wm_ran_path_is_uncertain(path))
				continue;
			once += path->samples == 1;
			twice += path->samples == 2;
			all += path->samples;
		}
	cover->single = once;
	if (ran->samples >= LEAST_SAMPLES && all > 0)
		cover->chance = wm_cover_chance(ran->samples, once, twice, all);
}

/* Functions of the code, each once although several programs may have it. */
int wm_cover_add_paths(struct wm_cover_gathering *gathering)
{
	const struct wm_cover_request *request = gathering->request;
	const struct wm_ran_paths *ran = request->ran;
	bool *known = wm_arena_alloc(gathering->arena, ran->function_count, sizeof *known);
	gathering->cover->code = wm_arena_alloc(
		gathering->arena, ran->function_count, sizeof *gathering->cover->code);
	estimate(gathering->cover, ran);
	for (size_t p = 0; p < request->profile_count; p++)
		for (uint32_t i = 0; i < request->profiles[p].function_count; i++) {
			const struct wm_profile_function *function =
				&request->profiles[p].functions[i];
			struct wm_saved_function key = wm_ran_paths_key(function->function);
			const struct wm_ran_function *its = wm_ran_paths_get(ran, &key);
			if (!its || known[its - ran->functions] ||
				!wm_cover_keeps(
					gathering, key.file, function->function->scopes[0].line))
				continue;
			known[its - ran->functions] = true;
			int status = add_code_paths(gathering, function, its);
			if (status < 0)
				return status;
		}
	return 0;
}
