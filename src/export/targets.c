/* Targets of calls through pointers, as the text form of an instrumentation profile of LLVM: for
 * each function how often it was entered, and for each of its calls through a pointer what was
 * called how often. The hash of a function is that of its description, so that functions of one
 * name stay apart and those of two builds are not added. */
#include <inttypes.h>
#include <stdlib.h>

#include "export/format.h"

/* Above these bits LLVM keeps marks in a hash. */
static const uint64_t HASH_BITS = (UINT64_C(1) << 60) - 1;

/* Values of one call that LLVM's profiles have room for. */
enum { MAX_TARGETS = 255, COUNTERS = 1, KINDS = 1, INDIRECT_CALL_TARGET = 0 };

struct target {
	uint32_t function, site; /* that call */
	uint32_t callee;
	uint64_t count;
};

struct targets {
	const struct wm_export_part *part;
	struct target *list; /* by function and site, the most frequent first */
	uint32_t count, next;
};

static int by_callee(const void *left, const void *right)
{
	const struct target *a = left, *b = right;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

static int by_count(const void *left, const void *right)
{
	const struct target *a = left, *b = right;
	if (a->function != b->function || a->site != b->site || a->count == b->count)
		return by_callee(left, right);
	return a->count > b->count ? -1 : 1;
}

static const struct wm_function *function_of(const struct targets *targets, uint32_t number)
{
	return targets->part->profile->functions[number].function;
}

static bool is_by_pointer(const struct wm_function *function, uint32_t site)
{
	return function->calls[site].callee[0] == '\0';
}

/* Each target of each call once, over all contexts. */
static void find_targets(struct wm_arena *arena, struct targets *targets)
{
	const struct wm_contexts *tree = &targets->part->contexts.tree;
	targets->list = wm_arena_alloc(arena, tree->link_count, sizeof *targets->list);
	uint32_t found = 0;
	for (uint32_t i = 0; i < tree->link_count; i++) {
		const struct wm_context_link *link = &tree->links[i];
		uint32_t function = tree->records[link->source].function;
		if (link->source != WM_CONTEXT_OUTSIDE && link->count &&
			is_by_pointer(function_of(targets, function), link->site))
			targets->list[found++] = (struct target){function, link->site,
				tree->records[link->target].function, link->count};
	}
	if (found)
		qsort(targets->list, found, sizeof *targets->list, by_callee);
	for (uint32_t i = 0; i < found; i++) {
		struct target *last = &targets->list[targets->count - (targets->count > 0)];
		if (targets->count && by_callee(last, &targets->list[i]) == 0)
			last->count += targets->list[i].count;
		else
			targets->list[targets->count++] = targets->list[i];
	}
	if (targets->count)
		qsort(targets->list, targets->count, sizeof *targets->list, by_count);
}

/* The targets of the call, which are the next ones of the list. */
static void write_site(struct targets *targets, uint32_t function, uint32_t site, FILE *out)
{
	uint32_t first = targets->next;
	while (targets->next < targets->count &&
		targets->list[targets->next].function == function &&
		targets->list[targets->next].site == site)
		targets->next++;
	uint32_t count = targets->next - first;
	uint32_t written = count < MAX_TARGETS ? count : MAX_TARGETS;
	fprintf(out, "%" PRIu32 "\n", written);
	for (uint32_t i = first; i < first + written; i++)
		fprintf(out, "%s:%" PRIu64 "\n",
			function_of(targets, targets->list[i].callee)->name,
			targets->list[i].count);
	if (written < count)
		fprintf(out, "# %" PRIu32 " more\n", count - written);
}

static void write_function(struct targets *targets, uint32_t number, uint64_t entries, FILE *out)
{
	const struct wm_function *function = function_of(targets, number);
	uint32_t sites = 0;
	for (uint32_t i = 0; i < function->call_count; i++)
		sites += is_by_pointer(function, i);
	fprintf(out, "%s\n%" PRIu64 "\n%d\n%" PRIu64 "\n", function->name,
		function->hash & HASH_BITS, COUNTERS, entries);
	if (sites)
		fprintf(out, "%d\n%d\n%" PRIu32 "\n", KINDS, INDIRECT_CALL_TARGET, sites);
	for (uint32_t i = 0; i < function->call_count; i++)
		if (is_by_pointer(function, i))
			write_site(targets, number, i, out);
	fputc('\n', out);
}

static void write_part(const struct wm_export_part *part, FILE *out)
{
	struct wm_arena arena = {0};
	const struct wm_contexts *tree = &part->contexts.tree;
	struct targets targets = {.part = part};
	uint64_t *entries = wm_arena_alloc(&arena, part->profile->function_count, sizeof *entries);
	const uint64_t *by_record = wm_contexts_entries(&arena, tree);
	for (uint32_t i = 1; i < tree->record_count; i++)
		entries[tree->records[i].function] += by_record[i];
	find_targets(&arena, &targets);
	for (uint32_t i = 0; i < part->profile->function_count; i++)
		if (entries[i])
			write_function(&targets, i, entries[i], out);
	wm_arena_reset(&arena);
}

void wm_export_targets(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	(void)request;
	fputs(":ir\n", out);
	for (uint32_t i = 0; i < data->part_count; i++)
		if (data->parts[i].contexts.counted)
			write_part(&data->parts[i], out);
}
