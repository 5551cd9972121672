/* Sequitur's grammars: the published examples, and random sequences against their definitions. */
#include "core/grammar/grammar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_LENGTH = 200, MAX_WIDTH = 6, SEQUENCES = 3000 };

static struct wm_grammar build(struct wm_arena *arena, const uint32_t *sequence, size_t length)
{
	struct wm_grammar grammar;
	struct wm_sequitur *sequitur = wm_sequitur_start();
	for (size_t i = 0; i < length; i++)
		wm_sequitur_add(sequitur, sequence[i]);
	wm_sequitur_end(sequitur, arena, &grammar);
	return grammar;
}

static struct wm_grammar build_text(struct wm_arena *arena, const char *text)
{
	uint32_t sequence[MAX_LENGTH];
	for (size_t i = 0; text[i]; i++)
		sequence[i] = (uint32_t)(unsigned char)text[i];
	return build(arena, sequence, strlen(text));
}

static void assert_rule(const struct wm_grammar *grammar, uint32_t rule, const char *body)
{
	uint64_t at = grammar->first_symbol[rule];
	assert_true(rule < grammar->rule_count);
	assert_int_equal(grammar->first_symbol[rule + 1] - at, strlen(body));
	for (; *body; body++, at++)
		assert_int_equal(grammar->symbols[at],
			*body >= '0' && *body <= '9' ? WM_GRAMMAR_RULE + (uint32_t)(*body - '0')
						     : (uint32_t)*body);
}

static void published_examples(void **state)
{
	struct wm_arena arena = {0};
	(void)state;
	struct wm_grammar grammar = build_text(&arena, "abcdbcabcdbc");
	assert_int_equal(grammar.rule_count, 3);
	assert_rule(&grammar, 0, "11");
	assert_rule(&grammar, 1, "a2d2");
	assert_rule(&grammar, 2, "bc");
	grammar = build_text(&arena, "aaaa");
	assert_int_equal(grammar.rule_count, 2);
	assert_rule(&grammar, 0, "11");
	assert_rule(&grammar, 1, "aa");
	wm_arena_reset(&arena);
}

struct taken {
	uint32_t terminals[MAX_LENGTH];
	size_t count;
};

static bool take(void *context, uint32_t terminal)
{
	struct taken *taken = context;
	assert_true(taken->count < MAX_LENGTH);
	taken->terminals[taken->count++] = terminal;
	return true;
}

static void require_both_rules(const struct wm_grammar *grammar)
{
	uint64_t count = grammar->first_symbol[grammar->rule_count];
	const uint32_t *symbols = grammar->symbols;
	for (uint32_t rule = 1; rule < grammar->rule_count; rule++) {
		uint32_t uses = 0;
		for (uint64_t i = 0; i < count; i++)
			uses += symbols[i] == WM_GRAMMAR_RULE + rule;
		assert_true(uses >= 2);
	}
	for (uint32_t a = 0; a < grammar->rule_count; a++)
		for (uint64_t i = grammar->first_symbol[a]; i + 1 < grammar->first_symbol[a + 1];
			i++)
			for (uint32_t b = a; b < grammar->rule_count; b++)
				for (uint64_t k = b == a ? i + 1 : grammar->first_symbol[b];
					k + 1 < grammar->first_symbol[b + 1]; k++) {
					bool same = symbols[i] == symbols[k] &&
						    symbols[i + 1] == symbols[k + 1];
					assert_true(!same || (a == b && k == i + 1));
				}
}

/* How often a string occurs, from windows: those in which it crosses the border. */
struct search {
	const uint32_t *string;
	uint32_t length;
	uint64_t found;
};

static void look_in(void *context, const struct wm_grammar_window *window)
{
	struct search *search = context;
	if (search->length == 1) {
		bool here = window->has_single && window->text[window->left - 1] == *search->string;
		search->found += here ? window->times : 0;
		return;
	}
	for (uint32_t start = 0; start < window->left; start++)
		if (start + search->length > window->left &&
			start + search->length <= window->count &&
			!memcmp(window->text + start, search->string,
				search->length * sizeof *search->string))
			search->found += window->times;
}

static void require_occurrences(
	const struct wm_grammar *grammar, const uint32_t *sequence, size_t length)
{
	for (int i = 0; i < 4; i++) {
		uint32_t width = 1 + (uint32_t)rand() % MAX_WIDTH;
		if (width > length)
			continue;
		const uint32_t *string = sequence + (size_t)rand() % (length - width + 1);
		struct search search = {.string = string, .length = width};
		uint64_t there = 0;
		for (size_t k = 0; k + width <= length; k++)
			there += !memcmp(sequence + k, string, width * sizeof *string);
		wm_grammar_windows(grammar, MAX_WIDTH, look_in, &search);
		assert_int_equal(search.found, there);
	}
}

static void random_sequences(void **state)
{
	(void)state;
	srand(4);
	for (int i = 0; i < SEQUENCES; i++) {
		struct wm_arena arena = {0};
		struct wm_error error;
		uint32_t sequence[MAX_LENGTH], kinds = 1 + (uint32_t)rand() % 3;
		size_t length = 1 + (size_t)rand() % (i % 10 ? 60 : MAX_LENGTH);
		struct taken taken = {.count = 0};
		for (size_t k = 0; k < length; k++)
			sequence[k] = (uint32_t)rand() % kinds;
		struct wm_grammar grammar = build(&arena, sequence, length);
		assert_int_equal(wm_grammar_check(&arena, &grammar, kinds, &error), 0);
		wm_grammar_expand(&grammar, take, &taken);
		assert_int_equal(taken.count, length);
		assert_memory_equal(taken.terminals, sequence, length * sizeof *sequence);
		require_both_rules(&grammar);
		require_occurrences(&grammar, sequence, length);
		wm_arena_reset(&arena);
	}
}

static void foreign_grammars_are_checked(void **state)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	const uint32_t rule = WM_GRAMMAR_RULE;
	uint64_t first[] = {0, 2, 4, 6};
	uint32_t good[] = {rule + 1, rule + 2, 0, rule + 2, 0, 0};
	uint32_t cycle[] = {rule + 1, rule + 2, 0, rule + 2, 0, rule + 1};
	uint32_t unused[] = {rule + 1, 0, 0, 0, 0, 0};
	uint32_t unknown[] = {rule + 1, rule + 2, 0, rule + 3, 0, 0};
	uint32_t terminal[] = {rule + 1, rule + 2, 0, 7, 0, 0};
	struct wm_grammar grammar = {3, first, good};
	(void)state;
	assert_int_equal(wm_grammar_check(&arena, &grammar, 1, &error), 0);
	uint32_t *const bad[] = {cycle, unused, unknown, terminal};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		grammar.symbols = bad[i];
		assert_int_equal(wm_grammar_check(&arena, &grammar, 1, &error), WM_ERROR_INPUT);
	}
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(published_examples),
		cmocka_unit_test(random_sequences), cmocka_unit_test(foreign_grammars_are_checked)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
