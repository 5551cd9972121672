/* Sites are those of the description: each context has all that its function has. A tree by
 * functions has none. */
#include "report/tree_shape.h"

#include "core/base/none.h"
#include "core/contexts/by_function.h"
#include "core/contexts/shape.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

static uint64_t count_sites(const struct wm_tree *tree)
{
	const struct wm_contexts *contexts = tree->by_site;
	uint64_t sites = 0;
	for (uint32_t i = 1; i < contexts->record_count; i++)
		sites += tree->profile->functions[contexts->records[i].function]
				 .function->call_count;
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

struct shapes {
	struct wm_contexts_shape by_call, by_function;
};

static struct shapes find_shapes(const struct wm_tree *tree)
{
	uint32_t functions = tree->profile->function_count;
	struct wm_arena scratch = {0};
	const struct wm_contexts merged = wm_contexts_merge_sites(&scratch, tree->by_site).contexts;
	const struct shapes shapes = {wm_contexts_shape_find(tree->by_site, functions),
		wm_contexts_shape_find(&merged, functions)};
	wm_arena_reset(&scratch);
	return shapes;
}

static void add_counts(
	struct wm_listing *listing, const char *figure, uint64_t by_call, uint64_t by_function)
{
	wm_listing_add(listing, "%s", wm_text_count(by_call).text);
	wm_listing_add(listing, "%s", wm_text_count(by_function).text);
	wm_listing_add(listing, "%s", figure);
}

static void add_reals(
	struct wm_listing *listing, const char *figure, double by_call, double by_function)
{
	wm_listing_add(listing, "%.1f", by_call);
	wm_listing_add(listing, "%.1f", by_function);
	wm_listing_add(listing, "%s", figure);
}

static void add_count_of_calls(struct wm_listing *listing, const char *figure, uint64_t by_call)
{
	wm_listing_add(listing, "%s", wm_text_count(by_call).text);
	wm_listing_add(listing, "-");
	wm_listing_add(listing, "%s", figure);
}

static void add_replication(
	struct wm_listing *listing, const struct wm_tree *tree, const struct shapes *shapes)
{
	const struct wm_contexts_shape *call = &shapes->by_call, *function = &shapes->by_function;
	add_counts(listing, "contexts of one function at most", call->replicated_max,
		function->replicated_max);
	if (call->replicated == WM_NONE)
		return;
	const struct wm_profile_function *most = tree->profile->functions;
	wm_listing_add(listing, "%s", wm_text_share(call->replicated_max, call->contexts).text);
	wm_listing_add(
		listing, "%s", wm_text_share(function->replicated_max, function->contexts).text);
	wm_listing_add(listing, "of all: %s%s%s",
		wm_text_short_name(listing->arena, most[call->replicated].function->name),
		call->replicated == function->replicated ? "" : "; ",
		call->replicated == function->replicated
			? ""
			: wm_text_short_name(
				  listing->arena, most[function->replicated].function->name));
}

void wm_tree_shape_print(const struct wm_tree *tree, bool colour, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "by call", .right = true},
		{.title = "by function", .right = true}, {.title = ""}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 3};
	const struct shapes shapes = find_shapes(tree);
	const struct wm_contexts_shape *call = &shapes.by_call, *function = &shapes.by_function;
	add_counts(&listing, "contexts", call->contexts, function->contexts);
	add_counts(&listing, "functions", call->functions, function->functions);
	add_replication(&listing, tree, &shapes);
	add_reals(&listing, "contexts below one that has any, on average",
		ratio(call->below, call->inner), ratio(function->below, function->inner));
	add_reals(&listing, "functions in a chain to its end, on average", average_height(call),
		average_height(function));
	add_counts(
		&listing, "functions in the longest chain", call->height_max, function->height_max);
	add_count_of_calls(&listing, "calls in the code of all contexts", count_sites(tree));
	add_count_of_calls(&listing, "of them led to a function that is counted", call->sites_used);
	wm_paint_title(out, colour, "The tree of contexts");
	wm_listing_print(&listing, out, colour);
	wm_arena_reset(&arena);
}

static void write_shape(struct wm_json *json, const struct wm_contexts_shape *shape)
{
	wm_json_number(json, "contexts", shape->contexts);
	wm_json_number(json, "functions", shape->functions);
	wm_json_number(json, "replication_max", shape->replicated_max);
	wm_json_real(json, "out_degree", ratio(shape->below, shape->inner));
	wm_json_real(json, "height_average", average_height(shape));
	wm_json_number(json, "height_max", shape->height_max);
}

void wm_tree_shape_write(const struct wm_tree *tree, struct wm_json *json)
{
	const struct shapes shapes = find_shapes(tree);
	wm_json_begin_object(json, "statistics");
	write_shape(json, &shapes.by_call);
	wm_json_number(json, "contexts_by_function", shapes.by_function.contexts);
	wm_json_number(json, "sites", count_sites(tree));
	wm_json_number(json, "sites_used", shapes.by_call.sites_used);
	wm_json_end_object(json);
	wm_json_begin_object(json, "statistics_by_function");
	write_shape(json, &shapes.by_function);
	wm_json_end_object(json);
}
