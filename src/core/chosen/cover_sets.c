#include "core/chosen/cover_sets.h"

struct state {
	const struct wm_set_cover_request *request;
	struct wm_set_cover *cover;
	size_t words;
	bool *covered;	 /* by element */
	bool *taken;	 /* by set */
	size_t *missing; /* by set: its elements that are not covered */
	size_t *start;	 /* by set, and one more: into lists */
	size_t *lists;	 /* the elements of each set */
};

typedef void visitor(struct state *state, size_t element, size_t set);

static void visit_sets(struct state *state, size_t element, visitor *visit)
{
	for (size_t word = 0; word < state->words; word++) {
		uint64_t bits = state->request->elements[element][word];
		for (; bits; bits &= bits - 1)
			visit(state, element, 64 * word + (size_t)__builtin_ctzll(bits));
	}
}

static void count_set(struct state *state, size_t element, size_t set)
{
	(void)element;
	state->cover->sizes[set]++;
}

static void list_element(struct state *state, size_t element, size_t set)
{
	state->lists[state->start[set] + state->missing[set]++] = element;
}

static void lose_element(struct state *state, size_t element, size_t set)
{
	(void)element;
	state->missing[set]--;
}

/* A set that has the element alone. */
static void count_own(struct state *state, size_t element)
{
	size_t only = 0, count = 0;
	for (size_t word = 0; word < state->words && count < 2; word++) {
		uint64_t bits = state->request->elements[element][word];
		count += (size_t)__builtin_popcountll(bits);
		if (bits)
			only = 64 * word + (size_t)__builtin_ctzll(bits);
	}
	if (count == 1)
		state->cover->own[only]++;
}

static void list_elements(struct wm_arena *arena, struct state *state)
{
	size_t sets = state->request->set_count;
	for (size_t i = 0; i < state->request->element_count; i++) {
		visit_sets(state, i, count_set);
		count_own(state, i);
	}
	state->start = wm_arena_alloc(arena, sets + 1, sizeof *state->start);
	for (size_t i = 0; i < sets; i++)
		state->start[i + 1] = state->start[i] + state->cover->sizes[i];
	state->lists = wm_arena_alloc(arena, state->start[sets], sizeof *state->lists);
	for (size_t i = 0; i < state->request->element_count; i++)
		visit_sets(state, i, list_element);
}

static void take(struct state *state, size_t set)
{
	struct wm_set_cover *cover = state->cover;
	cover->added[cover->kept_count] = state->missing[set];
	cover->kept[cover->kept_count++] = set;
	state->taken[set] = true;
	for (size_t i = state->start[set]; i < state->start[set + 1]; i++) {
		size_t element = state->lists[i];
		if (!state->covered[element])
			visit_sets(state, element, lose_element);
		state->covered[element] = true;
	}
}

static bool is_better(const struct state *state, size_t set, size_t best)
{
	const struct wm_set_cover_request *request = state->request;
	double adds = (double)state->missing[set], other = (double)state->missing[best];
	double cost = request->costs[set], other_cost = request->costs[best];
	if (request->by_cost && adds * other_cost != other * cost)
		return adds * other_cost > other * cost;
	if (!request->by_cost && adds != other)
		return adds > other;
	return cost < other_cost;
}

/* The best of the sets that are wanted and add something; SIZE_MAX if none does. */
static size_t choose(const struct state *state, bool (*wants)(const struct state *, size_t))
{
	size_t best = SIZE_MAX;
	for (size_t set = 0; set < state->request->set_count; set++)
		if (!state->taken[set] && wants(state, set) &&
			(best == SIZE_MAX || is_better(state, set, best)))
			best = set;
	return best;
}

static bool is_first(const struct state *state, size_t set)
{
	return state->request->first && state->request->first[set];
}

static bool is_essential(const struct state *state, size_t set)
{
	return !state->request->by_cost && state->cover->own[set] > 0;
}

static bool adds(const struct state *state, size_t set)
{
	return state->missing[set] > 0;
}

void wm_set_cover_make(
	struct wm_arena *arena, const struct wm_set_cover_request *request, struct wm_set_cover *cover)
{
	size_t sets = request->set_count;
	struct wm_arena scratch = {0};
	*cover = (struct wm_set_cover){.sizes = wm_arena_alloc(arena, sets, sizeof *cover->sizes),
		.own = wm_arena_alloc(arena, sets, sizeof *cover->own),
		.kept = wm_arena_alloc(arena, sets, sizeof *cover->kept),
		.added = wm_arena_alloc(arena, sets, sizeof *cover->added)};
	struct state state = {.request = request,
		.cover = cover,
		.words = (sets + 63) / 64,
		.covered = wm_arena_alloc(&scratch, request->element_count, sizeof(bool)),
		.taken = wm_arena_alloc(&scratch, sets, sizeof(bool)),
		.missing = wm_arena_alloc(&scratch, sets, sizeof(size_t))};
	list_elements(&scratch, &state);
	bool (*const steps[])(const struct state *, size_t) = {is_first, is_essential, adds};
	for (size_t step = 0; step < sizeof steps / sizeof *steps; step++)
		for (size_t set; (set = choose(&state, steps[step])) != SIZE_MAX;)
			take(&state, set);
	wm_arena_reset(&scratch);
}
