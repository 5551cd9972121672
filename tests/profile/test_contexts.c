/* The tree is found from keys that the test computes call by call, as the runtime does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/none.h"
#include "profile/contexts.h"

/* Function number k has k as counter of its contexts, and two calls. */
enum { MAIN, WORK, LEAF, FUNCTIONS };

static const struct wm_call_site calls[] = {{.callee = "work"}, {.callee = "leaf"}};

struct example {
	struct wm_arena arena;
	struct wm_object_function objects[FUNCTIONS];
	struct wm_profile_function functions[FUNCTIONS];
	struct wm_file_entry entries[8];
	struct wm_profile profile;
};

static void make_example(struct example *example)
{
	*example = (struct example){0};
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		example->objects[i] = (struct wm_object_function){
			.function = {.call_count = 2, .calls = calls, .has_contexts = true},
			.first_counter = i};
		example->functions[i].function = &example->objects[i].function;
	}
	example->profile = (struct wm_profile){.object = {.functions = example->objects},
		.file = {.counter_count = FUNCTIONS, .entries = example->entries},
		.function_count = FUNCTIONS,
		.functions = example->functions};
}

/* Counts calls of the function; returns its chain. */
static uint64_t add(
	struct example *example, uint64_t chain, uint32_t site, uint32_t function, uint64_t count)
{
	uint64_t key = wm_context_key(chain, site);
	if (count)
		example->entries[example->profile.file.entry_count++] =
			(struct wm_file_entry){.counter = function, .key = key, .count = count};
	return wm_context_chain(key, function);
}

static void assert_link(const struct wm_contexts *tree, uint32_t source, uint32_t site,
	uint32_t function, uint64_t count)
{
	for (uint32_t i = 0; i < tree->link_count; i++) {
		const struct wm_context_link *link = &tree->links[i];
		if (link->source != source || link->site != site ||
			tree->records[link->target].function != function)
			continue;
		assert_int_equal(link->count, count);
		return;
	}
	fail_msg("record %u has no call of %u at %u", source, function, site);
}

/* Calls of a call site may lead to several functions, and back to main. */
static void test_chains_are_found(void **state)
{
	(void)state;
	struct example example;
	make_example(&example);
	uint64_t main = add(&example, WM_CONTEXT_START, WM_CONTEXT_SITE_OUTSIDE, MAIN, 1);
	uint64_t work = add(&example, main, 0, WORK, 5);
	add(&example, work, 1, LEAF, 7);
	add(&example, work, 1, MAIN, 2);
	add(&example, main, 1, LEAF, 3);
	const struct wm_profile_contexts found =
		wm_profile_contexts_find(&example.arena, &example.profile);
	assert_true(found.counted);
	assert_int_equal(found.tree.record_count, 5);
	assert_link(&found.tree, 0, WM_CONTEXT_SITE_OUTSIDE, MAIN, 1);
	assert_link(&found.tree, 1, 0, WORK, 5);
	assert_link(&found.tree, 1, 1, LEAF, 3);
	assert_link(&found.tree, 2, 1, LEAF, 7);
	assert_link(&found.tree, 2, 1, MAIN, 2);
	wm_arena_reset(&example.arena);
}

/* The calls of work were reset while it ran; beyond the limit, leaf has one record. */
static void test_what_hangs_nowhere_is_told(void **state)
{
	(void)state;
	struct example example;
	make_example(&example);
	uint64_t main = add(&example, WM_CONTEXT_START, WM_CONTEXT_SITE_OUTSIDE, MAIN, 1);
	uint64_t work = add(&example, main, 0, WORK, 0);
	add(&example, work, 1, LEAF, 7);
	uint64_t folded = add(&example, WM_CONTEXT_START, WM_CONTEXT_SITE_FOLDED, LEAF, 0);
	add(&example, folded, 0, WORK, 4);
	const struct wm_profile_contexts found =
		wm_profile_contexts_find(&example.arena, &example.profile);
	assert_link(&found.tree, 0, WM_CONTEXT_SITE_UNKNOWN, LEAF, 7);
	for (uint32_t i = 1; i < found.tree.record_count; i++)
		if (found.tree.records[i].function == LEAF &&
			found.tree.records[i].site == WM_CONTEXT_SITE_FOLDED)
			assert_link(&found.tree, i, 0, WORK, 4);
	const uint64_t *entries = wm_contexts_entries(&example.arena, &found.tree);
	uint64_t sum = 0;
	for (uint32_t i = 0; i < found.tree.record_count; i++)
		sum += entries[i];
	assert_int_equal(sum, 1 + 7 + 4);
	wm_arena_reset(&example.arena);
}

static void test_without_contexts_there_is_no_tree(void **state)
{
	(void)state;
	struct example example;
	make_example(&example);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		example.objects[i].function.has_contexts = false;
	assert_false(wm_profile_contexts_find(&example.arena, &example.profile).counted);
	wm_arena_reset(&example.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains_are_found),
		cmocka_unit_test(test_what_hangs_nowhere_is_told),
		cmocka_unit_test(test_without_contexts_there_is_no_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
