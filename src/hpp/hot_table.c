#include "hpp/hot_table.h"

#include <string.h>

const char *const wm_hot_index_names[WM_HOT_INDEXES] = {"fold", "xor", "address", "scaled"};
const char *const wm_hot_policy_names[WM_HOT_POLICIES] = {"lfu", "lru", "space-saving", "admit"};

static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
enum { MAX_ENTRIES = 1 << 24 };

static bool is_power_of_two(uint32_t number)
{
	return number && !(number & (number - 1));
}

const char *wm_hot_shape_check(const struct wm_hot_shape *shape)
{
	if (!is_power_of_two(shape->entries) || !is_power_of_two(shape->ways))
		return "entries and ways must be powers of two";
	if (shape->entries < shape->ways)
		return "a table cannot have more ways than entries";
	if (shape->entries > MAX_ENTRIES)
		return "a table has at most 16777216 entries";
	return 0;
}

size_t wm_hot_table_bytes(const struct wm_hot_shape *shape)
{
	return shape->entries * sizeof(struct wm_hot_cell);
}

size_t wm_hot_hardware_bytes(const struct wm_hot_shape *shape)
{
	return shape->entries * (size_t)(42 + 6 + 32 + 32) / 8;
}

void wm_hot_table_clear(struct wm_hot_table *table)
{
	memset(table->cell, 0, wm_hot_table_bytes(&table->shape));
}

void wm_hot_table_init(struct wm_hot_table *table, const struct wm_hot_shape *shape, void *memory)
{
	memset(table, 0, sizeof *table);
	table->shape = *shape;
	table->sets = shape->entries / shape->ways;
	while (table->sets >> table->set_bits > 1)
		table->set_bits++;
	table->weight_top = UINT32_MAX;
	table->cell = memory;
	table->random = golden;
	wm_hot_table_clear(table);
}

static uint32_t fold(uint64_t key, uint32_t bits, uint32_t mask)
{
	uint64_t folded = 0;
	for (; bits && key; key >>= bits)
		folded ^= key;
	return (uint32_t)folded & mask;
}

uint32_t wm_hot_table_set(const struct wm_hot_table *table, uint64_t start, uint64_t rest)
{
	uint64_t address = start >> table->shape.shift;
	uint64_t length = rest >> 32, outcomes = rest & UINT32_MAX;
	uint32_t mask = table->sets - 1;
	switch (table->shape.index) {
	case WM_INDEX_ADDRESS:
		return (uint32_t)address & mask;
	case WM_INDEX_XOR:
		return (uint32_t)(address ^ length ^ outcomes) & mask;
	case WM_INDEX_SCALED:
		if (!table->set_bits)
			return 0;
		return (uint32_t)((start ^ outcomes << 20 ^ length << 52) * golden >>
				  (64 - table->set_bits));
	default:
		return fold(address ^ length << 3 ^ outcomes << 1, table->set_bits, mask);
	}
}

static struct wm_hot_cell *set_of(const struct wm_hot_table *table, uint64_t start, uint64_t rest)
{
	return table->cell + (size_t)wm_hot_table_set(table, start, rest) * table->shape.ways;
}

static struct wm_hot_cell *find(
	struct wm_hot_cell *set, uint32_t ways, uint64_t start, uint64_t rest)
{
	for (uint32_t i = 0; i < ways; i++)
		if (set[i].start == start && set[i].rest == rest && set[i].used)
			return &set[i];
	return 0;
}

const struct wm_hot_cell *wm_hot_table_find(
	const struct wm_hot_table *table, uint64_t start, uint64_t rest)
{
	return find(set_of(table, start, rest), table->shape.ways, start, rest);
}

static uint32_t add(const struct wm_hot_table *table, uint32_t left, uint32_t right)
{
	uint64_t sum = (uint64_t)left + right;
	return sum > table->weight_top ? table->weight_top : (uint32_t)sum;
}

static struct wm_hot_cell *victim_of(const struct wm_hot_table *table, struct wm_hot_cell *set)
{
	struct wm_hot_cell *victim = set;
	bool oldest = table->shape.policy == WM_POLICY_LRU;
	for (uint32_t i = 0; i < table->shape.ways; i++) {
		if (!set[i].used)
			return &set[i];
		if (oldest ? set[i].stamp < victim->stamp : set[i].weight < victim->weight)
			victim = &set[i];
	}
	return victim;
}

static uint64_t next_random(struct wm_hot_table *table)
{
	table->random ^= table->random << 13;
	table->random ^= table->random >> 7;
	table->random ^= table->random << 17;
	return table->random;
}

enum wm_hot_result wm_hot_table_add(
	struct wm_hot_table *table, uint64_t start, uint64_t rest, uint32_t weight)
{
	return wm_hot_table_add_to(
		table, wm_hot_table_set(table, start, rest), start, rest, weight);
}

enum wm_hot_result wm_hot_table_add_to(
	struct wm_hot_table *table, uint32_t number, uint64_t start, uint64_t rest, uint32_t weight)
{
	struct wm_hot_cell *set = table->cell + (size_t)number * table->shape.ways, *cell;
	uint32_t least = 0;
	if (!weight && !table->shape.present_zero)
		return WM_HOT_NOTHING;
	cell = find(set, table->shape.ways, start, rest);
	table->clock++;
	if (cell) {
		cell->weight = add(table, cell->weight, weight);
		cell->stamp = table->clock;
		table->hits++;
		return WM_HOT_HIT;
	}
	table->misses++;
	cell = victim_of(table, set);
	if (cell->used) {
		uint32_t old = cell->weight;
		uint64_t both = (uint64_t)old + weight;
		if (table->shape.policy == WM_POLICY_ADMIT && both &&
			next_random(table) % both >= weight) {
			table->turned_away++;
			return WM_HOT_MISS;
		}
		table->evictions++;
		if (table->shape.policy >= WM_POLICY_SPACE_SAVING)
			least = old;
	}
	*cell = (struct wm_hot_cell){
		start, rest, add(table, least, weight), least, table->clock, true};
	return WM_HOT_MISS;
}

uint64_t wm_hot_table_add_times(struct wm_hot_table *table, uint32_t number, uint64_t start,
	uint64_t rest, uint32_t weight, uint64_t times)
{
	struct wm_hot_cell *set = table->cell + (size_t)number * table->shape.ways, *cell;
	uint64_t missed = 0;
	while (times && !(cell = find(set, table->shape.ways, start, rest))) {
		missed += wm_hot_table_add_to(table, number, start, rest, weight) == WM_HOT_MISS;
		times--;
	}
	if (!times)
		return missed;
	uint64_t sum = times <= UINT32_MAX ? cell->weight + times * weight : UINT64_MAX;
	cell->weight = sum > table->weight_top ? table->weight_top : (uint32_t)sum;
	table->clock += times;
	cell->stamp = table->clock;
	table->hits += times;
	return missed;
}

void wm_hot_table_merge(struct wm_hot_table *table, const struct wm_hot_table *other)
{
	for (uint32_t i = 0; i < other->shape.entries; i++) {
		const struct wm_hot_cell *more = &other->cell[i];
		struct wm_hot_cell *set, *cell;
		if (!more->used)
			continue;
		set = set_of(table, more->start, more->rest);
		cell = find(set, table->shape.ways, more->start, more->rest);
		if (cell) {
			cell->weight = add(table, cell->weight, more->weight);
			cell->error = add(table, cell->error, more->error);
			continue;
		}
		cell = victim_of(table, set);
		if (!cell->used || cell->weight < more->weight)
			*cell = *more;
	}
}
