/* Targets of calls through pointers, as the text form of an instrumentation profile of LLVM: for
 * each function how often it was entered, and for each of its calls through a pointer what was
 * called how often. The hash of a function is that of its description, so that functions of one
 * name stay apart and those of two builds are not added. */
#include <inttypes.h>

#include "export/call_targets.h"
#include "export/format.h"

/* Above these bits LLVM keeps marks in a hash. */
static const uint64_t HASH_BITS = (UINT64_C(1) << 60) - 1;

/* Values of one call that LLVM's profiles have room for. */
enum { MAX_TARGETS = 255, COUNTERS = 1, KINDS = 1, INDIRECT_CALL_TARGET = 0 };

static bool is_by_pointer(const struct wm_function *function, uint32_t site)
{
	return function->calls[site].callee[0] == '\0';
}

static void write_site(const struct wm_export_part *part, const struct wm_call_targets *targets,
	uint32_t function, uint32_t site, FILE *out)
{
	size_t count;
	const struct wm_call_target *target = wm_call_targets_of(targets, function, site, &count);
	size_t written = count < MAX_TARGETS ? count : MAX_TARGETS;
	fprintf(out, "%zu\n", written);
	for (size_t i = 0; i < written; i++)
		fprintf(out, "%s:%" PRIu64 "\n",
			part->profile->functions[target[i].callee].function->name, target[i].count);
	if (written < count)
		fprintf(out, "# %zu more\n", count - written);
}

static void write_function(const struct wm_export_part *part, const struct wm_call_targets *targets,
	uint32_t number, uint64_t entries, FILE *out)
{
	const struct wm_function *function = part->profile->functions[number].function;
	uint32_t sites = 0;
	for (uint32_t i = 0; i < function->call_count; i++)
		sites += is_by_pointer(function, i);
	fprintf(out, "%s\n%" PRIu64 "\n%d\n%" PRIu64 "\n", function->name,
		function->hash & HASH_BITS, COUNTERS, entries);
	if (sites)
		fprintf(out, "%d\n%d\n%" PRIu32 "\n", KINDS, INDIRECT_CALL_TARGET, sites);
	for (uint32_t i = 0; i < function->call_count; i++)
		if (is_by_pointer(function, i))
			write_site(part, targets, number, i, out);
	fputc('\n', out);
}

static void write_part(const struct wm_export_part *part, FILE *out)
{
	struct wm_arena arena = {0};
	const struct wm_contexts *tree = &part->contexts.tree;
	struct wm_call_targets targets = wm_call_targets_make(&arena, tree);
	uint64_t *entries = wm_arena_alloc(&arena, part->profile->function_count, sizeof *entries);
	const uint64_t *by_record = wm_contexts_entries(&arena, tree);
	for (uint32_t i = 1; i < tree->record_count; i++)
		entries[tree->records[i].function] += by_record[i];
	for (uint32_t i = 0; i < part->profile->function_count; i++)
		if (entries[i])
			write_function(part, &targets, i, entries[i], out);
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
