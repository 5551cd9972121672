/* Symbols are a doubly linked ring for each rule, whose guard closes it. Pairs of neighbours are
 * found by hash. Of three equal symbols in a row only one pair is in the table; where that one is
 * taken apart, the other takes its place. */
#include "core/grammar/sequitur.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

enum { GUARD = 0x40000000 }; /* of a rule: the value of its guard, plus the rule's number */

struct symbol {
	uint32_t value; /* terminal, rule, or guard */
	uint32_t previous, next;
};

struct rule {
	uint32_t guard;
	uint32_t uses;
};

struct wm_sequitur {
	struct wm_arena arena;
	struct symbol *symbols;
	size_t symbol_count, symbol_capacity;
	uint32_t free_symbol; /* linked by `next` */
	struct rule *rules;
	size_t rule_count, rule_capacity;
	uint32_t free_rule; /* linked by `guard` */
	uint32_t *table;    /* first symbols of pairs, or WM_NONE */
	uint64_t table_size, table_used;
};

static bool is_guard(const struct wm_sequitur *s, uint32_t symbol)
{
	return (s->symbols[symbol].value & (WM_GRAMMAR_RULE | GUARD)) == GUARD;
}

static uint32_t next_of(const struct wm_sequitur *s, uint32_t symbol)
{
	return s->symbols[symbol].next;
}

static uint32_t previous_of(const struct wm_sequitur *s, uint32_t symbol)
{
	return s->symbols[symbol].previous;
}

static bool is_pair(const struct wm_sequitur *s, uint32_t symbol)
{
	return symbol != WM_NONE && !is_guard(s, symbol) && next_of(s, symbol) != WM_NONE &&
	       !is_guard(s, next_of(s, symbol));
}

static bool is_same_pair(const struct wm_sequitur *s, uint32_t a, uint32_t b)
{
	return s->symbols[a].value == s->symbols[b].value &&
	       s->symbols[next_of(s, a)].value == s->symbols[next_of(s, b)].value;
}

/* The table: open addressing; what is removed is closed up. */

static uint64_t home_of(const struct wm_sequitur *s, uint32_t symbol)
{
	uint64_t key =
		(uint64_t)s->symbols[symbol].value << 32 | s->symbols[next_of(s, symbol)].value;
	return (key * 0x9e3779b97f4a7c15u >> 20) & (s->table_size - 1);
}

static uint64_t place_of(const struct wm_sequitur *s, uint32_t symbol)
{
	uint64_t at = home_of(s, symbol);
	while (s->table[at] != WM_NONE && !is_same_pair(s, s->table[at], symbol))
		at = (at + 1) & (s->table_size - 1);
	return at;
}

static void make_room(struct wm_sequitur *s)
{
	uint32_t *before = s->table;
	uint64_t size = s->table_size;
	if (s->table_used * 2 < size)
		return;
	s->table_size = size ? size * 2 : 1024;
	s->table = malloc(s->table_size * sizeof *s->table);
	if (!s->table)
		abort();
	memset(s->table, 0xff, s->table_size * sizeof *s->table);
	for (uint64_t i = 0; i < size; i++)
		if (before[i] != WM_NONE)
			s->table[place_of(s, before[i])] = before[i];
	free(before);
}

static void put_pair(struct wm_sequitur *s, uint32_t symbol)
{
	make_room(s);
	uint64_t at = place_of(s, symbol);
	s->table_used += s->table[at] == WM_NONE;
	s->table[at] = symbol;
}

static uint32_t find_pair(const struct wm_sequitur *s, uint32_t symbol)
{
	return s->table_size ? s->table[place_of(s, symbol)] : WM_NONE;
}

static void close_up(struct wm_sequitur *s, uint64_t hole)
{
	const uint64_t mask = s->table_size - 1;
	for (uint64_t at = (hole + 1) & mask; s->table[at] != WM_NONE; at = (at + 1) & mask) {
		uint64_t home = home_of(s, s->table[at]);
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		s->table[hole] = s->table[at];
		hole = at;
	}
	s->table[hole] = WM_NONE;
	s->table_used--;
}

/* Before the pair is taken apart. */
static void forget(struct wm_sequitur *s, uint32_t symbol)
{
	if (!is_pair(s, symbol) || !s->table_size)
		return;
	uint64_t at = place_of(s, symbol);
	if (s->table[at] == symbol)
		close_up(s, at);
}

/* Symbols. */

static uint32_t new_symbol(struct wm_sequitur *s, uint32_t value)
{
	uint32_t symbol = s->free_symbol;
	if (symbol != WM_NONE) {
		s->free_symbol = s->symbols[symbol].next;
	} else {
		s->symbols = wm_arena_grow(&s->arena, s->symbols, s->symbol_count,
			&s->symbol_capacity, sizeof *s->symbols);
		symbol = (uint32_t)s->symbol_count++;
	}
	s->symbols[symbol] = (struct symbol){value, WM_NONE, WM_NONE};
	if (wm_grammar_is_rule(value))
		s->rules[value - WM_GRAMMAR_RULE].uses++;
	return symbol;
}

static void free_symbol(struct wm_sequitur *s, uint32_t symbol)
{
	s->symbols[symbol].next = s->free_symbol;
	s->free_symbol = symbol;
}

static uint32_t new_rule(struct wm_sequitur *s)
{
	uint32_t rule = s->free_rule;
	if (rule != WM_NONE) {
		s->free_rule = s->rules[rule].guard;
	} else {
		s->rules = wm_arena_grow(
			&s->arena, s->rules, s->rule_count, &s->rule_capacity, sizeof *s->rules);
		rule = (uint32_t)s->rule_count++;
	}
	uint32_t guard = new_symbol(s, GUARD | rule);
	s->rules[rule] = (struct rule){guard, 0};
	s->symbols[guard].next = s->symbols[guard].previous = guard;
	return rule;
}

static uint32_t rule_of_guard(const struct wm_sequitur *s, uint32_t guard)
{
	return s->symbols[guard].value & ~(uint32_t)GUARD;
}

/* The middle one of three equal symbols. */
static bool is_in_triple(const struct wm_sequitur *s, uint32_t symbol)
{
	uint32_t before = previous_of(s, symbol), behind = next_of(s, symbol);
	return before != WM_NONE && behind != WM_NONE && !is_guard(s, symbol) &&
	       !is_guard(s, before) && !is_guard(s, behind) &&
	       s->symbols[symbol].value == s->symbols[before].value &&
	       s->symbols[symbol].value == s->symbols[behind].value;
}

static void join(struct wm_sequitur *s, uint32_t a, uint32_t b)
{
	if (next_of(s, a) != WM_NONE) {
		forget(s, a);
		if (is_in_triple(s, b))
			put_pair(s, b);
		if (is_in_triple(s, a))
			put_pair(s, previous_of(s, a));
	}
	s->symbols[a].next = b;
	s->symbols[b].previous = a;
}

static void insert_behind(struct wm_sequitur *s, uint32_t at, uint32_t symbol)
{
	join(s, symbol, next_of(s, at));
	join(s, at, symbol);
}

static void remove_symbol(struct wm_sequitur *s, uint32_t symbol)
{
	uint32_t value = s->symbols[symbol].value;
	join(s, previous_of(s, symbol), next_of(s, symbol));
	forget(s, symbol);
	if (wm_grammar_is_rule(value))
		s->rules[value - WM_GRAMMAR_RULE].uses--;
	free_symbol(s, symbol);
}

static bool check(struct wm_sequitur *s, uint32_t symbol);

/* Puts the rule in the place of two symbols. */
static void substitute(struct wm_sequitur *s, uint32_t symbol, uint32_t rule)
{
	uint32_t before = previous_of(s, symbol);
	remove_symbol(s, next_of(s, before));
	remove_symbol(s, next_of(s, before));
	insert_behind(s, before, new_symbol(s, WM_GRAMMAR_RULE + rule));
	if (!check(s, before))
		check(s, next_of(s, before));
}

/* The rule's only use becomes what the rule says. */
static void expand_use(struct wm_sequitur *s, uint32_t symbol)
{
	uint32_t rule = s->symbols[symbol].value - WM_GRAMMAR_RULE, guard = s->rules[rule].guard;
	uint32_t left = previous_of(s, symbol), right = next_of(s, symbol);
	uint32_t first = next_of(s, guard), last = previous_of(s, guard);
	forget(s, symbol);
	join(s, left, first);
	join(s, last, right);
	if (is_pair(s, last))
		put_pair(s, last);
	free_symbol(s, symbol);
	free_symbol(s, guard);
	s->rules[rule].guard = s->free_rule;
	s->free_rule = rule;
}

static uint32_t append_copy(struct wm_sequitur *s, uint32_t rule, uint32_t symbol)
{
	uint32_t copy = new_symbol(s, s->symbols[symbol].value);
	insert_behind(s, previous_of(s, s->rules[rule].guard), copy);
	return copy;
}

static void match(struct wm_sequitur *s, uint32_t symbol, uint32_t other)
{
	uint32_t rule, before = previous_of(s, other), behind = next_of(s, next_of(s, other));
	if (is_guard(s, before) && is_guard(s, behind)) {
		rule = rule_of_guard(s, before);
		substitute(s, symbol, rule);
	} else {
		rule = new_rule(s);
		append_copy(s, rule, symbol);
		append_copy(s, rule, next_of(s, symbol));
		substitute(s, other, rule);
		substitute(s, symbol, rule);
		put_pair(s, next_of(s, s->rules[rule].guard));
	}
	uint32_t first = next_of(s, s->rules[rule].guard), value = s->symbols[first].value;
	if (wm_grammar_is_rule(value) && s->rules[value - WM_GRAMMAR_RULE].uses == 1)
		expand_use(s, first);
}

static bool check(struct wm_sequitur *s, uint32_t symbol)
{
	if (!is_pair(s, symbol))
		return false;
	uint32_t other = find_pair(s, symbol);
	if (other == WM_NONE) {
		put_pair(s, symbol);
		return false;
	}
	if (other != symbol && next_of(s, other) != symbol)
		match(s, symbol, other);
	return true;
}

struct wm_sequitur *wm_sequitur_start(void)
{
	struct wm_arena arena = {0};
	struct wm_sequitur *s = wm_arena_alloc(&arena, 1, sizeof *s);
	*s = (struct wm_sequitur){.arena = arena, .free_symbol = WM_NONE, .free_rule = WM_NONE};
	new_rule(s);
	return s;
}

void wm_sequitur_add(struct wm_sequitur *s, uint32_t terminal)
{
	uint32_t guard = s->rules[0].guard, last = previous_of(s, guard);
	insert_behind(s, last, new_symbol(s, terminal));
	if (last != guard)
		check(s, last);
}

static uint64_t count_symbols(const struct wm_sequitur *s, uint32_t rule)
{
	uint64_t count = 0;
	for (uint32_t at = next_of(s, s->rules[rule].guard); !is_guard(s, at); at = next_of(s, at))
		count++;
	return count;
}

/* Rules get numbers in the order in which they are first used, breadth first. */
void wm_sequitur_end(struct wm_sequitur *s, struct wm_arena *arena, struct wm_grammar *grammar)
{
	uint32_t *number = wm_none_array(&s->arena, s->rule_count);
	uint32_t *order = wm_arena_alloc(&s->arena, s->rule_count, sizeof *order);
	uint32_t count = 1;
	uint64_t symbols = 0, used = 0;
	number[0] = 0;
	for (uint32_t i = 0; i < count; i++) {
		symbols += count_symbols(s, order[i]);
		for (uint32_t at = next_of(s, s->rules[order[i]].guard); !is_guard(s, at);
			at = next_of(s, at)) {
			uint32_t value = s->symbols[at].value, rule = value - WM_GRAMMAR_RULE;
			if (!wm_grammar_is_rule(value) || number[rule] != WM_NONE)
				continue;
			number[rule] = count;
			order[count++] = rule;
		}
	}
	*grammar = (struct wm_grammar){.rule_count = count,
		.first_symbol = wm_arena_alloc(arena, (size_t)count + 1, sizeof(uint64_t)),
		.symbols = wm_arena_alloc(arena, symbols, sizeof(uint32_t))};
	for (uint32_t i = 0; i < count; i++) {
		grammar->first_symbol[i] = used;
		for (uint32_t at = next_of(s, s->rules[order[i]].guard); !is_guard(s, at);
			at = next_of(s, at)) {
			uint32_t value = s->symbols[at].value;
			grammar->symbols[used++] =
				wm_grammar_is_rule(value)
					? WM_GRAMMAR_RULE + number[value - WM_GRAMMAR_RULE]
					: value;
		}
	}
	grammar->first_symbol[count] = used;
	free(s->table);
	struct wm_arena own = s->arena;
	wm_arena_reset(&own);
}
