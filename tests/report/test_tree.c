/* A tree is checked against the counters of functions, which know nothing of contexts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/tree.h"

enum { MAIN, WORK, LEAF, FUNCTIONS };

static const struct wm_call_site calls[] = {{.callee = "work"}, {.callee = "leaf"}};
static const uint64_t blocks[1] = {1};

struct example {
	struct wm_arena arena;
	struct wm_function functions[FUNCTIONS];
	struct wm_profile_function counted[FUNCTIONS];
	struct wm_profile profile;
	struct wm_profile_contexts contexts;
	struct wm_tree tree;
};

static void add(
	struct wm_contexts *tree, uint32_t record, uint32_t site, uint32_t function, uint64_t count)
{
	uint32_t link = wm_contexts_link(tree, record, site, function);
	tree->links[link].count = count;
}

/* main calls work twice, which calls leaf 5 times; main calls leaf 3 times. */
static void make_example(struct example *example, const uint64_t *entered)
{
	static const char *const names[FUNCTIONS] = {"main", "work", "leaf"};
	*example = (struct example){0};
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		example->functions[i] = (struct wm_function){
			.name = names[i], .call_count = 2, .calls = calls, .has_contexts = true};
		example->counted[i] = (struct wm_profile_function){
			.function = &example->functions[i], .block = blocks, .calls = entered[i]};
	}
	example->profile =
		(struct wm_profile){.function_count = FUNCTIONS, .functions = example->counted};
	struct wm_contexts tree = wm_contexts_make(&example->arena);
	add(&tree, 0, WM_CONTEXT_SITE_OUTSIDE, MAIN, 1);
	add(&tree, 1, 0, WORK, 2);
	add(&tree, 2, 1, LEAF, 5);
	add(&tree, 1, 1, LEAF, 3);
	example->contexts = (struct wm_profile_contexts){.counted = true, .tree = tree};
	example->tree = wm_tree_make(&example->arena, &example->profile, &example->contexts, false);
}

static void test_equal_counts(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, (const uint64_t[]){1, 2, 8});
	assert_int_equal(wm_tree_check(&example.tree).functions, 0);
	wm_arena_reset(&example.arena);
}

static void test_different_counts(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, (const uint64_t[]){1, 3, 7});
	const struct wm_tree_difference found = wm_tree_check(&example.tree);
	assert_int_equal(found.functions, 2);
	assert_int_equal(found.function, WORK);
	assert_int_equal(found.in_contexts, 2);
	assert_int_equal(found.by_counters, 3);
	wm_arena_reset(&example.arena);
}

/* Where only calls by context are counted, there is nothing to compare with. */
static void test_nothing_to_compare_with(void **state)
{
	(void)state;
	struct example example;
	make_example(&example, (const uint64_t[]){0, 0, 0});
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		example.counted[i].block = NULL;
	assert_int_equal(wm_tree_check(&example.tree).functions, 0);
	wm_arena_reset(&example.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_counts),
		cmocka_unit_test(test_different_counts),
		cmocka_unit_test(test_nothing_to_compare_with),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
