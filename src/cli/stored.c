#include "cli/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "cli/find_store.h"
#include "names/path_name.h"
#include "profile/path_find.h"

static void stop_on(int status, const struct wm_error *error)
{
	if (status < 0)
		wm_fatal("%s", error->text);
}

static void tell(void *context, size_t done, size_t total)
{
	(void)context;
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\rreading %zu of %zu new runs%s", done, total, done < total ? "" : "\r\033[K");
	fflush(stderr);
}

bool wm_stored_failed(const char *outcome)
{
	return strncmp(outcome, "fail", 4) == 0 || strncmp(outcome, "signal", 6) == 0;
}

struct named {
	const char *label;
	size_t run;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->label, b->label);
	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static void add_run(struct wm_stored_label *label, const struct wm_store_run *run)
{
	label->name = run->label;
	label->seconds += (double)run->cpu / 1e6;
	if (!label->runs || run->started >= label->last) {
		label->last = run->started;
		label->outcome = run->outcome;
	}
	label->runs++;
}

static void group_by_label(struct wm_stored *stored)
{
	size_t count = stored->run_count;
	struct named *named = wm_arena_alloc(&stored->arena, count, sizeof *named);
	stored->labels = wm_arena_alloc(&stored->arena, count, sizeof *stored->labels);
	stored->label_of = wm_arena_alloc(&stored->arena, count, sizeof *stored->label_of);
	for (size_t i = 0; i < count; i++)
		named[i] = (struct named){stored->runs[i].label, i};
	if (count)
		qsort(named, count, sizeof *named, compare_named);
	for (size_t i = 0; i < count; i++) {
		bool is_new = i == 0 || strcmp(named[i - 1].label, named[i].label) != 0;
		stored->label_count += is_new;
		stored->label_of[named[i].run] = stored->label_count - 1;
		add_run(&stored->labels[stored->label_count - 1], &stored->runs[named[i].run]);
	}
	for (size_t i = 0; i < stored->label_count; i++)
		stored->labels[i].seconds /= (double)stored->labels[i].runs;
}

const uint64_t *wm_stored_labels(struct wm_stored *stored, size_t item)
{
	uint64_t *set = stored->labels_of[item];
	if (set)
		return set;
	set = stored->labels_of[item] =
		wm_arena_alloc(&stored->arena, stored->words + 1, sizeof *set);
	for (size_t word = 0; word < stored->items.words; word++)
		for (uint64_t bits = stored->items.items[item].runs[word]; bits; bits &= bits - 1) {
			size_t run = 64 * word + (size_t)__builtin_ctzll(bits);
			size_t label = stored->label_of[run];
			set[label / 64] |= (uint64_t)1 << label % 64;
		}
	return set;
}

void wm_stored_open(struct wm_stored *stored, const char *option, const char *kind)
{
	struct wm_error error;
	const struct wm_store_progress progress = {tell, NULL};
	const struct wm_store_filter filter = {.kind = kind};
	*stored = (struct wm_stored){.label_count = 0};
	stored->store = wm_find_store_open(&stored->arena, option, WM_STORE_USE);
	stop_on(wm_store_runs(&stored->arena, stored->store, &filter, &stored->runs,
			&stored->run_count, &error),
		&error);
	stop_on(wm_store_items_read(&stored->arena, stored->store, stored->runs, stored->run_count,
			&progress, &stored->items, &error),
		&error);
	group_by_label(stored);
	stored->words = (stored->label_count + 63) / 64;
	stored->labels_of = wm_arena_alloc(
		&stored->arena, stored->items.count, sizeof *stored->labels_of);
	stored->opened = wm_arena_alloc(
		&stored->arena, stored->items.object_count, sizeof *stored->opened);
}

void wm_stored_close(struct wm_stored *stored)
{
	wm_store_close(stored->store);
	wm_arena_reset(&stored->arena);
}

const struct wm_function *wm_stored_function(struct wm_stored *stored, size_t function)
{
	struct wm_error error;
	const struct wm_store_function *wanted = &stored->items.functions[function];
	struct wm_stored_program *program = NULL;
	for (size_t i = 0; i < stored->opened_count && !program; i++)
		if (stored->opened[i]->id == wanted->object)
			program = stored->opened[i];
	if (!program) {
		program = wm_arena_alloc(&stored->arena, 1, sizeof *program);
		program->id = wanted->object;
		stop_on(wm_store_object_read(&stored->arena, stored->store, wanted->object,
				&program->object, &error),
			&error);
		stored->opened[stored->opened_count++] = program;
	}
	if (wanted->place >= program->object.function_count)
		wm_fatal("%s: the store is damaged: a program lacks a function of its own",
			wm_store_place(stored->store));
	return &program->object.functions[wanted->place].function;
}

struct wm_stored_blocks wm_stored_blocks(
	struct wm_arena *arena, struct wm_stored *stored, size_t function)
{
	struct wm_error unused;
	struct wm_stored_blocks blocks = {.function = wm_stored_function(stored, function)};
	blocks.has_paths = wm_path_numbering(arena, blocks.function, &blocks.paths, &unused) == 0;
	return blocks;
}

const uint32_t *wm_stored_item_blocks(struct wm_arena *arena,
	const struct wm_stored_blocks *blocks, const struct wm_store_item *item, uint32_t *count)
{
	struct wm_profile_path path;
	*count = 0;
	if (item->part == WM_PART_BLOCK && item->id < blocks->function->block_count) {
		uint32_t *block = wm_arena_alloc(arena, 1, sizeof *block);
		*block = (uint32_t)item->id;
		*count = 1;
		return block;
	}
	bool is_path = item->part == WM_PART_PATH || item->part == WM_PART_EARLY;
	if (!is_path || !blocks->has_paths || item->id >= blocks->paths.count)
		return NULL;
	wm_path_decode(arena, blocks->function, &blocks->paths, item->id, &path);
	*count = path.block_count;
	return path.blocks;
}
