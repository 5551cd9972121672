/* What can be asked of a grammar without making the sequence. A rule is used by rules with smaller
 * numbers only where these are made by Sequitur; others may be in any order, but without cycles. */
#include "core/grammar/grammar.h"

#include <stdlib.h>
#include <string.h>

uint64_t *wm_grammar_occurrences(struct wm_arena *arena, const struct wm_grammar *grammar)
{
	uint32_t count = grammar->rule_count, ready = 0;
	struct wm_arena scratch = {0};
	uint64_t *times = wm_arena_alloc(arena, count, sizeof *times);
	uint64_t *uses = wm_arena_alloc(&scratch, count, sizeof *uses);
	uint32_t *stack = wm_arena_alloc(&scratch, count, sizeof *stack);
	for (uint64_t i = 0; i < grammar->first_symbol[count]; i++)
		if (wm_grammar_is_rule(grammar->symbols[i]))
			uses[grammar->symbols[i] - WM_GRAMMAR_RULE]++;
	times[0] = 1;
	stack[ready++] = 0;
	while (ready) {
		uint32_t rule = stack[--ready];
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			uint32_t used = grammar->symbols[i] - WM_GRAMMAR_RULE;
			if (!wm_grammar_is_rule(grammar->symbols[i]))
				continue;
			if (__builtin_add_overflow(times[used], times[rule], &times[used]))
				times[used] = UINT64_MAX;
			if (--uses[used] == 0)
				stack[ready++] = used;
		}
	}
	wm_arena_reset(&scratch);
	return times;
}

struct place {
	uint64_t next, end;
};

void wm_grammar_expand(const struct wm_grammar *grammar,
	bool (*take)(void *context, uint32_t terminal), void *context)
{
	struct wm_arena arena = {0};
	size_t depth = 0, capacity = 0;
	struct place *stack = wm_arena_grow(&arena, NULL, 0, &capacity, sizeof *stack);
	stack[depth++] = (struct place){grammar->first_symbol[0], grammar->first_symbol[1]};
	while (depth) {
		struct place *top = &stack[depth - 1];
		if (top->next == top->end) {
			depth--;
			continue;
		}
		uint32_t symbol = grammar->symbols[top->next++], rule = symbol - WM_GRAMMAR_RULE;
		if (!wm_grammar_is_rule(symbol)) {
			if (!take(context, symbol))
				break;
			continue;
		}
		stack = wm_arena_grow(&arena, stack, depth, &capacity, sizeof *stack);
		stack[depth++] = (struct place){
			grammar->first_symbol[rule], grammar->first_symbol[rule + 1]};
	}
	wm_arena_reset(&arena);
}

int wm_grammar_check(struct wm_arena *arena, const struct wm_grammar *grammar,
	uint32_t terminal_count, struct wm_error *error)
{
	uint32_t count = grammar->rule_count, ready = 0, seen = 0;
	uint64_t *uses = wm_arena_alloc(arena, count, sizeof *uses);
	uint32_t *stack = wm_arena_alloc(arena, count, sizeof *stack);
	for (uint64_t i = 0; i < grammar->first_symbol[count]; i++) {
		uint32_t symbol = grammar->symbols[i], rule = symbol - WM_GRAMMAR_RULE;
		bool is_rule = wm_grammar_is_rule(symbol);
		if (is_rule ? rule >= count || rule == 0 : symbol >= terminal_count)
			return wm_error_set(
				error, WM_ERROR_INPUT, "a rule has a symbol that is not there");
		if (is_rule)
			uses[rule]++;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!uses[i])
			stack[ready++] = i;
	if (ready != 1)
		return wm_error_set(error, WM_ERROR_INPUT, "a rule is not used");
	while (ready) {
		uint32_t rule = stack[--ready];
		seen++;
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			uint32_t used = grammar->symbols[i] - WM_GRAMMAR_RULE;
			if (wm_grammar_is_rule(grammar->symbols[i]) && --uses[used] == 0)
				stack[ready++] = used;
		}
	}
	return seen == count ? 0 : wm_error_set(error, WM_ERROR_INPUT, "a rule leads to itself");
}

/* The first and last terminals of each rule, `width` at most. */
struct ends {
	uint32_t *first, *last; /* by rule: `width` places each; `last` is filled from its end */
	uint32_t *first_count, *last_count;
	uint32_t width;
};

static void add_first(const struct wm_grammar *grammar, struct ends *ends, uint32_t rule)
{
	uint32_t *to = ends->first + (size_t)rule * ends->width, count = 0;
	for (uint64_t i = grammar->first_symbol[rule];
		i < grammar->first_symbol[rule + 1] && count < ends->width; i++) {
		uint32_t symbol = grammar->symbols[i], used = symbol - WM_GRAMMAR_RULE;
		if (!wm_grammar_is_rule(symbol)) {
			to[count++] = symbol;
			continue;
		}
		for (uint32_t k = 0; k < ends->first_count[used] && count < ends->width; k++)
			to[count++] = ends->first[(size_t)used * ends->width + k];
	}
	ends->first_count[rule] = count;
}

static void add_last(const struct wm_grammar *grammar, struct ends *ends, uint32_t rule)
{
	uint32_t *to = ends->last + (size_t)rule * ends->width, count = 0, width = ends->width;
	for (uint64_t i = grammar->first_symbol[rule + 1];
		i-- > grammar->first_symbol[rule] && count < width;) {
		uint32_t symbol = grammar->symbols[i], used = symbol - WM_GRAMMAR_RULE;
		if (!wm_grammar_is_rule(symbol)) {
			to[width - ++count] = symbol;
			continue;
		}
		for (uint32_t k = 0; k < ends->last_count[used] && count < width; k++)
			to[width - ++count] = ends->last[(size_t)used * width + width - 1 - k];
	}
	ends->last_count[rule] = count;
}

/* Rules such that each comes behind those that use it. */
static uint32_t *sort_rules(struct wm_arena *arena, const struct wm_grammar *grammar)
{
	uint32_t count = grammar->rule_count, ready = 0, done = 0;
	uint64_t *uses = wm_arena_alloc(arena, count, sizeof *uses);
	uint32_t *stack = wm_arena_alloc(arena, count, sizeof *stack);
	uint32_t *order = wm_arena_alloc(arena, count, sizeof *order);
	for (uint64_t i = 0; i < grammar->first_symbol[count]; i++)
		if (wm_grammar_is_rule(grammar->symbols[i]))
			uses[grammar->symbols[i] - WM_GRAMMAR_RULE]++;
	stack[ready++] = 0;
	while (ready) {
		uint32_t rule = order[done++] = stack[--ready];
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			uint32_t used = grammar->symbols[i] - WM_GRAMMAR_RULE;
			if (wm_grammar_is_rule(grammar->symbols[i]) && --uses[used] == 0)
				stack[ready++] = used;
		}
	}
	return order;
}

static struct ends find_ends(
	struct wm_arena *arena, const struct wm_grammar *grammar, uint32_t width)
{
	uint32_t count = grammar->rule_count;
	struct ends ends = {.first = wm_arena_alloc(arena, (size_t)count * width, 4),
		.last = wm_arena_alloc(arena, (size_t)count * width, 4),
		.first_count = wm_arena_alloc(arena, count, 4),
		.last_count = wm_arena_alloc(arena, count, 4),
		.width = width};
	const uint32_t *order = sort_rules(arena, grammar);
	for (uint32_t i = count; i-- > 0;) {
		add_first(grammar, &ends, order[i]);
		add_last(grammar, &ends, order[i]);
	}
	return ends;
}

/* Before the border: what ends there; behind it: what starts there. Together in `text`. */
static uint32_t gather(const struct wm_grammar *grammar, const struct ends *ends, uint32_t rule,
	uint64_t border, uint32_t *text, uint32_t *left)
{
	uint32_t symbol = grammar->symbols[border], used = symbol - WM_GRAMMAR_RULE, count = 0;
	const uint32_t width = ends->width;
	if (!wm_grammar_is_rule(symbol)) {
		text[count++] = symbol;
	} else {
		uint32_t known = ends->last_count[used];
		uint32_t taken = known < width - 1 ? known : width - 1;
		memcpy(text, ends->last + (size_t)used * width + width - taken,
			taken * sizeof *text);
		count = taken;
	}
	*left = count;
	for (uint64_t i = border + 1; i < grammar->first_symbol[rule + 1] && count < *left + width;
		i++) {
		symbol = grammar->symbols[i];
		used = symbol - WM_GRAMMAR_RULE;
		if (!wm_grammar_is_rule(symbol)) {
			text[count++] = symbol;
			continue;
		}
		for (uint32_t k = 0; k < ends->first_count[used] && count < *left + width; k++)
			text[count++] = ends->first[(size_t)used * width + k];
	}
	return count;
}

void wm_grammar_windows(const struct wm_grammar *grammar, uint32_t width,
	void (*take)(void *context, const struct wm_grammar_window *window), void *context)
{
	struct wm_arena arena = {0};
	struct ends ends = find_ends(&arena, grammar, width);
	const uint64_t *times = wm_grammar_occurrences(&arena, grammar);
	uint32_t *text = wm_arena_alloc(&arena, (size_t)2 * width, sizeof *text);
	for (uint32_t rule = 0; rule < grammar->rule_count; rule++)
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			struct wm_grammar_window window = {.text = text, .times = times[rule]};
			window.count = gather(grammar, &ends, rule, i, text, &window.left);
			window.has_single = !wm_grammar_is_rule(grammar->symbols[i]);
			take(context, &window);
		}
	wm_arena_reset(&arena);
}
