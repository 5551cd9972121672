/* Counts by context, as a profile has them, and functions with calls. Whatever they say, each count
 * is in the tree once, its views have the same sums, and the name of each context leads to it.
 *
 * The input is a few bytes for the functions, then records: a count of a chain that is known by
 * then (a call in it, and the function called), or of any key. */
#include "fuzz.h"

#include <inttypes.h>
#include <string.h>

#include "cli/find_context.h"
#include "core/base/none.h"
#include "core/contexts/apportion.h"
#include "core/contexts/costs.h"
#include "report/context_name.h"
#include "report/tree_diff.h"
#include "report/tree_shape.h"
#include "report/tree_view.h"

enum { FUNCTIONS = 7, CALLS = 5, MAX_ENTRIES = 200 };

/* Names that are read in parts: operators with slashes, and namespaces. */
static const char *const names[FUNCTIONS] = {
	"main", "parse", "_ZN2nsdvEii", "_ZN1A1fEv", "_ZN1B1fEv", "leaf", "_ZdVR1AS0_"};

struct input {
	const uint8_t *next, *end;
};

static uint8_t byte(struct input *input)
{
	return input->next < input->end ? *input->next++ : 0;
}

static uint64_t word(struct input *input)
{
	uint64_t value = 0;
	for (int i = 0; i < 8; i++)
		value = value << 8 | byte(input);
	return value;
}

struct example {
	struct wm_arena arena;
	struct wm_object_function objects[FUNCTIONS];
	struct wm_profile_function functions[FUNCTIONS];
	struct wm_call_site calls[FUNCTIONS][CALLS];
	struct wm_file_entry entries[MAX_ENTRIES];
	uint64_t counters[FUNCTIONS];
	uint64_t chains[MAX_ENTRIES + 1];
	uint32_t chain_count;
	struct wm_profile profile;
};

static void read_functions(struct example *example, struct input *input)
{
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint8_t shape = byte(input);
		for (uint32_t k = 0; k < CALLS; k++) {
			uint8_t callee = byte(input) % (FUNCTIONS + 2);
			example->calls[i][k].callee = callee < FUNCTIONS    ? names[callee]
						      : callee == FUNCTIONS ? ""
									    : "qsort";
		}
		example->objects[i] =
			(struct wm_object_function){.function = {.name = names[i],
							    .call_count = shape % (CALLS + 1),
							    .calls = example->calls[i],
							    .has_contexts = shape < 0xf0},
				.first_counter = i};
		example->functions[i].function = &example->objects[i].function;
	}
}

static void read_entry(struct example *example, struct input *input)
{
	struct wm_file *file = &example->profile.file;
	uint8_t chain = byte(input), site = byte(input), function = byte(input) % FUNCTIONS;
	uint64_t count = (uint64_t)byte(input) << (byte(input) % 57), key = word(input);
	if (chain != 0xff) {
		key = wm_context_key(example->chains[chain % example->chain_count], site % 8);
		example->chains[example->chain_count++] = wm_context_chain(key, function);
	}
	if (count)
		example->entries[file->entry_count++] =
			(struct wm_file_entry){function, key, count};
}

static int by_place(const void *left, const void *right)
{
	const struct wm_file_entry *a = left, *b = right;
	if (a->counter != b->counter)
		return a->counter < b->counter ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* As readers of files leave them: sorted, and none twice. */
static void settle(struct wm_file *file)
{
	uint64_t kept = 0;
	if (file->entry_count)
		qsort(file->entries, file->entry_count, sizeof *file->entries, by_place);
	for (uint64_t i = 0; i < file->entry_count; i++)
		if (kept == 0 || by_place(&file->entries[kept - 1], &file->entries[i]) != 0)
			file->entries[kept++] = file->entries[i];
	file->entry_count = kept;
}

static uint64_t sum_of_entries(const struct example *example)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < example->profile.file.entry_count; i++)
		if (example->objects[example->entries[i].counter].function.has_contexts)
			sum += example->entries[i].count;
	return sum;
}

static void check_sums(struct wm_arena *arena, const struct wm_tree *tree, uint64_t sum)
{
	const struct wm_contexts *contexts = &tree->contexts;
	uint64_t made = 0;
	for (uint32_t i = 0; i < contexts->link_count; i++)
		made += contexts->links[i].count;
	WM_FUZZ_REQUIRE(made == sum);
	WM_FUZZ_REQUIRE(wm_context_costs(arena, contexts, tree->entries)[0] == sum);
	for (uint32_t i = 1; i < contexts->record_count; i++)
		WM_FUZZ_REQUIRE(contexts->records[i].parent < i);
}

static void check_names(struct wm_arena *arena, const struct wm_tree *tree)
{
	for (uint32_t i = 1; i < tree->contexts.record_count; i++) {
		const char *name = wm_context_name(arena, tree, i);
		const bool *found = wm_find_contexts(arena, "fuzz", tree, name);
		WM_FUZZ_REQUIRE(found[i]);
		const char *brief = wm_context_short_name(arena, tree, i, name);
		WM_FUZZ_REQUIRE(wm_find_contexts(arena, "fuzz", tree, brief)[i]);
	}
}

static void show(const struct wm_tree *tree, FILE *out)
{
	const struct wm_tree_request request = {.min = 0.01, .depth = 100, .top = 10};
	wm_tree_view_print(tree, &request, out);
	wm_tree_inverted_print(tree, &request, out);
	wm_tree_list_print(tree, &request, out);
	wm_tree_functions_print(tree, &request, out);
	wm_tree_gprof_print(tree, &request, out);
	wm_tree_shape_print(tree, true, out);
	wm_tree_json_write(tree, out);
}

static void check(struct example *example)
{
	struct wm_arena *arena = &example->arena;
	const struct wm_profile_contexts found = wm_profile_contexts_find(arena, &example->profile);
	uint64_t sum = sum_of_entries(example);
	FILE *out = fopen("/dev/null", "w");
	WM_FUZZ_REQUIRE(out);
	for (int by_function = 0; found.counted && by_function < 2; by_function++) {
		const struct wm_tree tree =
			wm_tree_make(arena, &example->profile, &found, by_function);
		check_sums(arena, &tree, sum);
		check_names(arena, &tree);
		show(&tree, out);
		const struct wm_tree_diff diff = wm_tree_diff_make(arena, &tree, &tree);
		WM_FUZZ_REQUIRE(by_function || diff.count == 0);
	}
	fclose(out);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	static struct example example;
	struct input input = {data, data + bytes};
	example = (struct example){.chains = {WM_CONTEXT_START}, .chain_count = 1};
	example.profile =
		(struct wm_profile){.object = {.path = "program", .functions = example.objects},
			.file = {.path = "program.wmk",
				.counter_count = FUNCTIONS,
				.counter = example.counters,
				.entries = example.entries},
			.function_count = FUNCTIONS,
			.functions = example.functions};
	read_functions(&example, &input);
	while (input.next < input.end && example.chain_count < MAX_ENTRIES &&
		example.profile.file.entry_count < MAX_ENTRIES)
		read_entry(&example, &input);
	settle(&example.profile.file);
	check(&example);
	wm_arena_reset(&example.arena);
	return 0;
}
