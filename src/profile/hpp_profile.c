#include "profile/hpp_profile.h"

#include <stdlib.h>
#include <string.h>

static int refuse(struct wm_error *error, const char *name, const char *what)
{
	return wm_error_set(error, WM_ERROR_INPUT, "%s: %s", name, what);
}

static int check_head(const char *name, const struct wm_hpp_head *head, size_t count,
	struct wm_error *error)
{
	if (memcmp(head->magic, WM_HPP_MAGIC, sizeof head->magic) != 0)
		return refuse(error, name, "not a .wmh file: `waymark hpp COMMAND` writes one");
	if (head->version != WM_HPP_VERSION || head->head_bytes != sizeof *head)
		return refuse(error, name, "was written by another version of Waymark; run it again");
	if (head->file_bytes != count || count % 8)
		return refuse(error, name, "is cut short, or something stands behind its end");
	for (int i = 0; i < WM_HPP_SECTIONS; i++) {
		uint64_t offset = head->section[i].offset, records = head->section[i].count;
		uint32_t each = wm_hpp_record_bytes((enum wm_hpp_section)i);
		if (offset % 8 || offset < sizeof *head || offset > count ||
			records > (count - offset) / each || records > UINT32_MAX)
			return refuse(error, name, "is damaged: a section lies outside the file");
	}
	return 0;
}

static int check_sum(const char *name, const void *bytes, size_t count, struct wm_error *error)
{
	struct wm_hpp_head head;
	memcpy(&head, bytes, sizeof head);
	uint64_t told = head.checksum, sum;
	head.checksum = 0;
	sum = wm_hpp_checksum(WM_HPP_CHECKSUM_START, (const uint64_t *)(const void *)&head,
		sizeof head / 8);
	for (size_t at = sizeof head; at < count; at += 8) {
		uint64_t word;
		memcpy(&word, (const char *)bytes + at, 8);
		sum = wm_hpp_checksum(sum, &word, 1);
	}
	if (sum != told)
		return refuse(error, name, "is damaged: its checksum is wrong");
	return 0;
}

static void *copy(struct wm_arena *arena, const char *bytes, const struct wm_hpp_head *head,
	enum wm_hpp_section section, uint64_t *count)
{
	uint32_t each = wm_hpp_record_bytes(section);
	*count = head->section[section].count;
	void *array = wm_arena_alloc(arena, *count + 1, each);
	memcpy(array, bytes + head->section[section].offset, *count * each);
	return array;
}

static int by_start(const void *left, const void *right)
{
	const struct wm_hpp_block *a = left, *b = right;
	return a->start < b->start ? -1 : a->start > b->start;
}

struct ranked {
	uint64_t weight, count;
	struct wm_exact_path path;
};

static int by_weight(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	if (a->path.start != b->path.start)
		return a->path.start < b->path.start ? -1 : 1;
	return a->path.rest < b->path.rest ? -1 : a->path.rest > b->path.rest;
}

uint64_t wm_hpp_weight(const struct wm_hpp_profile *profile, const struct wm_exact_path *path)
{
	return profile->control.event == WM_HPP_EVENT_FREQUENCY ? path->count : path->events;
}

static void rank(struct wm_arena *arena, struct wm_hpp_profile *profile,
	const struct wm_exact_path *path)
{
	struct ranked *ranked = calloc(profile->paths + 1, sizeof *ranked);
	struct wm_exact_path *sorted = wm_arena_alloc(arena, profile->paths + 1, sizeof *sorted);
	profile->path = sorted;
	if (!ranked)
		abort();
	for (uint64_t i = 0; i < profile->paths; i++)
		ranked[i] = (struct ranked){
			wm_hpp_weight(profile, &path[i]), path[i].count, path[i]};
	qsort(ranked, profile->paths, sizeof *ranked, by_weight);
	for (uint64_t i = 0; i < profile->paths; i++)
		sorted[i] = ranked[i].path;
	free(ranked);
}

static int check_records(const struct wm_hpp_profile *profile, struct wm_error *error)
{
	const char *wrong = wm_hot_shape_check(&profile->head.table);
	for (uint64_t i = 0; i < profile->blocks; i++) {
		const struct wm_hpp_block *block = &profile->block[i];
		if (block->kind >= WM_CODE_KINDS || block->last >= block->bytes ||
			(uint64_t)block->code + block->bytes > profile->code_bytes)
			wrong = "a block makes no sense";
	}
	for (uint64_t i = 0; i < profile->objects; i++)
		if (profile->object[i].name >= profile->text_bytes || profile->object[i].id_bytes > 24)
			wrong = "an object makes no sense";
	for (uint64_t i = 0; i < profile->paths; i++)
		if (profile->path[i].rest >> 32 > WM_MAX_PATH_LENGTH)
			wrong = "a path is too long";
	if (profile->cells != profile->head.table.entries || profile->head.table.index >= WM_HOT_INDEXES ||
		profile->head.table.policy >= WM_HOT_POLICIES)
		wrong = "its hot path table makes no sense";
	if (!profile->text_bytes || profile->text[profile->text_bytes - 1])
		wrong = "its texts have no end";
	if (wrong)
		return wm_error_set(error, WM_ERROR_INPUT, "%s: is damaged: %s", profile->name, wrong);
	return 0;
}

int wm_hpp_profile_decode(struct wm_arena *arena, const char *name, const void *bytes, size_t count,
	struct wm_hpp_profile *profile, struct wm_error *error)
{
	*profile = (struct wm_hpp_profile){.name = name};
	if (count < sizeof profile->head)
		return refuse(error, name, "is too short for a .wmh file");
	memcpy(&profile->head, bytes, sizeof profile->head);
	const struct wm_hpp_head *head = &profile->head;
	int status = check_head(name, head, count, error);
	if (status == 0)
		status = check_sum(name, bytes, count, error);
	if (status)
		return status;
	const char *wrong = wm_control_decode(head->control, &profile->control);
	if (wrong)
		return wm_error_set(error, WM_ERROR_INPUT, "%s: is damaged: %s", name, wrong);
	struct wm_hpp_block *block = copy(arena, bytes, head, WM_HPP_BLOCKS, &profile->blocks);
	qsort(block, profile->blocks, sizeof *block, by_start);
	profile->block = block;
	profile->object = copy(arena, bytes, head, WM_HPP_OBJECTS, &profile->objects);
	profile->code = copy(arena, bytes, head, WM_HPP_CODE, &profile->code_bytes);
	profile->cell = copy(arena, bytes, head, WM_HPP_CELLS, &profile->cells);
	profile->sketch = copy(arena, bytes, head, WM_HPP_SKETCH, &profile->sketched);
	profile->text = copy(arena, bytes, head, WM_HPP_TEXT, &profile->text_bytes);
	rank(arena, profile, copy(arena, bytes, head, WM_HPP_PATHS, &profile->paths));
	profile->program = profile->text;
	return check_records(profile, error);
}

void wm_hpp_profile_of(struct wm_arena *arena, const char *name, const struct wm_profiler *profiler,
	struct wm_hpp_profile *profile)
{
	*profile = (struct wm_hpp_profile){.name = name, .control = profiler->options.control};
	wm_hpp_head_fill(&profile->head, profiler);
	profile->paths = profiler->exact.paths;
	profile->cell = profiler->table.cell;
	profile->cells = profiler->options.table.entries;
	profile->sketch = profiler->sketch.cell;
	profile->sketched = profiler->sketch.cell ? profiler->sketch.shape.entries : 0;
	rank(arena, profile, profiler->exact.path);
}

const struct wm_hpp_block *wm_hpp_block_at(const struct wm_hpp_profile *profile, uint64_t start)
{
	uint64_t low = 0, high = profile->blocks;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (profile->block[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < profile->blocks && profile->block[low].start == start;
	return found ? &profile->block[low] : NULL;
}

const struct wm_hpp_object *wm_hpp_object_at(const struct wm_hpp_profile *profile, uint64_t address)
{
	for (uint64_t i = profile->objects; i > 0; i--)
		if (address >= profile->object[i - 1].start && address < profile->object[i - 1].end)
			return &profile->object[i - 1];
	return NULL;
}

const char *wm_hpp_object_name(
	const struct wm_hpp_profile *profile, const struct wm_hpp_object *object)
{
	return profile->text + object->name;
}

/* Where the path's weight is in the table, or NULL. */
static const struct wm_hot_cell *cell_of(
	const struct wm_hot_table *table, const struct wm_exact_path *path)
{
	return wm_hot_table_find(table, path->start, path->rest);
}

struct wm_hpp_overlap wm_hpp_overlap(const struct wm_hpp_profile *profile)
{
	struct wm_hpp_overlap overlap = {.share = 0};
	/* Only looked at: the cells stay as they are. */
	struct wm_hot_table table = {.shape = profile->head.table};
	double all = 0, in_table = 0;
	table.sets = table.shape.entries / table.shape.ways;
	while (table.sets >> table.set_bits > 1)
		table.set_bits++;
	table.cell = (struct wm_hot_cell *)profile->cell;
	for (uint64_t i = 0; i < profile->paths; i++)
		all += (double)wm_hpp_weight(profile, &profile->path[i]);
	for (uint64_t i = 0; i < profile->cells; i++)
		in_table += profile->cell[i].used ? (double)profile->cell[i].weight : 0;
	if (all == 0 || in_table == 0) {
		overlap.share = all == in_table;
		return overlap;
	}
	for (uint64_t i = 0; i < profile->paths; i++) {
		const struct wm_exact_path *path = &profile->path[i];
		const struct wm_hot_cell *cell = cell_of(&table, path);
		double weight = (double)wm_hpp_weight(profile, path) / all;
		double told = cell ? (double)cell->weight / in_table : 0;
		overlap.share += weight < told ? weight : told;
		overlap.caught_weight += cell ? weight : 0;
		overlap.heavy += weight >= 0.005;
		overlap.heavy_caught += weight >= 0.005 && cell;
		if (!cell && !overlap.largest_miss)
			overlap.largest_miss = path;
	}
	return overlap;
}

static uint64_t behind(const struct wm_hpp_block *block)
{
	return block->start + block->bytes;
}

/* A path may pass through many blocks without a branch; but not through one forever. */
enum { MAX_STEPS = 4096 };

struct walk {
	const struct wm_hpp_profile *profile;
	unsigned bits, length;
	uint32_t outcomes;
	bool ends_with_bit; /* the path ends at its last recorded branch */
	unsigned depth;	    /* extended calls that it is inside of */
	uint64_t returns[WM_MAX_EXTENSION];
};

static uint64_t behind_call(struct walk *walk, const struct wm_hpp_block *block)
{
	const struct wm_control *control = &walk->profile->control;
	if (control->extension == WM_EXTEND_CALLS && block->kind == WM_BRANCH_CALL &&
		walk->depth < control->maximum) {
		walk->returns[walk->depth++] = behind(block);
		return block->target;
	}
	return control->row[WM_TYPE_CALL] & WM_POP ? 0 : behind(block);
}

/* Where control goes behind the block; 0 where the path ends, or the code does not tell. */
static uint64_t next_of(struct walk *walk, const struct wm_hpp_block *block, int *outcome)
{
	*outcome = -1;
	if (block->kind >= WM_BRANCH_NONE)
		return behind(block);
	if (block->kind <= WM_BRANCH_CALL_INDIRECT)
		return behind_call(walk, block);
	if (block->kind == WM_BRANCH_RETURN)
		return walk->depth ? walk->returns[--walk->depth] : 0;
	if (walk->bits == walk->length)
		return 0;
	*outcome = walk->outcomes >> walk->bits++ & 1;
	if (block->kind == WM_BRANCH_JUMP_INDIRECT ||
		(walk->bits == walk->length && walk->ends_with_bit))
		return 0;
	return *outcome ? block->target : behind(block);
}

struct wm_hpp_step *wm_hpp_follow(struct wm_arena *arena, const struct wm_hpp_profile *profile,
	const struct wm_exact_path *path, size_t *count)
{
	struct walk walk = {.profile = profile,
		.length = (unsigned)(path->rest >> 32),
		.outcomes = (uint32_t)path->rest,
		.ends_with_bit = !path->ending[WM_ENDING_RETURN] &&
				 !path->ending[WM_ENDING_ABANDONED] &&
				 !path->ending[WM_ENDING_CALL]};
	struct wm_hpp_step *steps = NULL;
	size_t capacity = 0;
	uint64_t next = path->start;
	for (*count = 0; next && *count < MAX_STEPS; ++*count) {
		const struct wm_hpp_block *block = wm_hpp_block_at(profile, next);
		if (!block)
			break;
		steps = wm_arena_grow(arena, steps, *count, &capacity, sizeof *steps);
		steps[*count].block = block;
		next = next_of(&walk, block, &steps[*count].outcome);
	}
	return steps;
}
