/* Sites are those of the description: each context has all that its function has. */
#include "report/tree_shape.h"

#include "core/base/none.h"
#include "core/contexts/shape.h"
#include "report/paint.h"
#include "report/text.h"

static uint64_t count_sites(const struct wm_profile *profile, const struct wm_contexts *tree)
{
	uint64_t sites = 0;
	for (uint32_t i = 1; i < tree->record_count; i++)
		sites += profile->functions[tree->records[i].function].function->call_count;
	return sites;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double average_height(const struct wm_contexts_shape *shape)
{
	return ratio(shape->heights, shape->contexts - shape->inner);
}

void wm_tree_shape_print(
	const struct wm_profile *profile, const struct wm_contexts *tree, bool colour, FILE *out)
{
	struct wm_arena arena = {0};
	const struct wm_contexts_shape shape =
		wm_contexts_shape_find(tree, profile->function_count);
	wm_paint_title(out, colour, "The tree of contexts");
	fprintf(out, "  %14s  contexts\n", wm_text_count(shape.contexts).text);
	fprintf(out, "  %14s  contexts, if the calls of a function are not told apart\n",
		wm_text_count(shape.merged).text);
	fprintf(out, "  %14s  functions\n", wm_text_count(shape.functions).text);
	if (shape.replicated != WM_NONE)
		fprintf(out, "  %14s  contexts of one function at most: %s\n",
			wm_text_count(shape.replicated_max).text,
			wm_text_clean(&arena,
				wm_text_short_name(&arena,
					profile->functions[shape.replicated].function->name)));
	fprintf(out, "  %14.1f  contexts below one that has any, on average\n",
		ratio(shape.below, shape.inner));
	fprintf(out, "  %14.1f  functions in a chain to its end, on average\n",
		average_height(&shape));
	fprintf(out, "  %14s  functions in the longest chain\n",
		wm_text_count(shape.height_max).text);
	fprintf(out, "  %14s  calls in the code of all contexts\n",
		wm_text_count(count_sites(profile, tree)).text);
	fprintf(out, "  %14s  of them led to a function that is counted\n",
		wm_text_count(shape.sites_used).text);
	wm_arena_reset(&arena);
}

void wm_tree_shape_write(
	const struct wm_profile *profile, const struct wm_contexts *tree, struct wm_json *json)
{
	const struct wm_contexts_shape shape =
		wm_contexts_shape_find(tree, profile->function_count);
	wm_json_begin_object(json, "statistics");
	wm_json_number(json, "contexts", shape.contexts);
	wm_json_number(json, "contexts_by_function", shape.merged);
	wm_json_number(json, "functions", shape.functions);
	wm_json_number(json, "replication_max", shape.replicated_max);
	wm_json_real(json, "out_degree", ratio(shape.below, shape.inner));
	wm_json_real(json, "height_average", average_height(&shape));
	wm_json_number(json, "height_max", shape.height_max);
	wm_json_number(json, "sites", count_sites(profile, tree));
	wm_json_number(json, "sites_used", shape.sites_used);
	wm_json_end_object(json);
}
