/* Paths from the oracle's record: a walk over all sequences of blocks that were recorded.
 *
 * The record knows sequences by key only. From each start the walk asks, edge by edge, whether the
 * sequence that goes on there was recorded, and how often the path ended there. A sequence that was
 * reached more often than it went on was left early. */
#include "core/base/none.h"
#include "core/paths/regions.h"
#include "format/oracle_key.h"
#include "profile/path_counts.h"
#include "profile/path_list.h"

/* A place on the walk: a sequence, and which of its block's out-edges is next. */
struct place {
	uint64_t key;
	uint64_t left; /* how often it was reached, less how often it is known to have gone on */
	uint32_t next;
};

struct replay {
	const struct wm_solve_source *source;
	struct wm_path_list list;
	uint64_t *block; /* by vertex */
	uint64_t *edge;
	uint32_t *abandoned; /* by vertex: its edge for that, or WM_NONE */
	uint32_t *blocks;    /* of the sequence */
	struct place *places;
	uint32_t depth;
};

static uint64_t count_of(const struct wm_solve_source *source, uint64_t key)
{
	const struct wm_file *file = source->file;
	uint64_t low = 0, high = file->entry_count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct wm_file_entry *entry = &file->entries[middle];
		if (entry->counter < source->first_counter ||
			(entry->counter == source->first_counter && entry->key < key))
			low = middle + 1;
		else
			high = middle;
	}
	const struct wm_file_entry *found = &file->entries[low];
	return low < file->entry_count && found->counter == source->first_counter &&
			       found->key == key
		       ? found->count
		       : 0;
}

/* Goes on to the block, if that was recorded; returns how often. */
static uint64_t enter(struct replay *replay, uint64_t before, uint32_t block)
{
	uint64_t key = wm_oracle_key(before, block);
	uint64_t count = count_of(replay->source, key);
	if (!count)
		return 0;
	replay->block[block] += count;
	replay->blocks[replay->depth] = block;
	replay->places[replay->depth++] =
		(struct place){key, count, replay->source->cfg->out_start[block]};
	return count;
}

static void end_path(struct replay *replay, uint32_t edge, uint64_t count)
{
	if (!count)
		return;
	if (edge != WM_NONE)
		replay->edge[edge] += count;
	wm_path_list_add(&replay->list, replay->blocks, replay->depth, edge, count);
}

static void leave(struct replay *replay)
{
	const struct place *place = &replay->places[replay->depth - 1];
	end_path(replay, replay->abandoned[replay->blocks[replay->depth - 1]], place->left);
	replay->depth--;
}

/* Takes the next edge of the sequence's last block. */
static void advance(struct replay *replay)
{
	const struct wm_cfg *cfg = replay->source->cfg;
	uint32_t block = replay->blocks[replay->depth - 1];
	struct place *place = &replay->places[replay->depth - 1];
	if (place->next == cfg->out_start[block + 1]) {
		leave(replay);
		return;
	}
	uint32_t e = cfg->out_edge[place->next++];
	uint64_t count = 0;
	if (e == replay->abandoned[block])
		return;
	if (replay->source->cut[e]) {
		count = count_of(replay->source, wm_oracle_end_key(place->key, cfg->target[e]));
		end_path(replay, e, count);
	} else {
		count = enter(replay, place->key, cfg->target[e]);
		replay->edge[e] += count;
	}
	place->left -= count;
}

static bool is_start(const struct replay *replay, uint32_t vertex)
{
	const struct wm_cfg *cfg = replay->source->cfg;
	for (uint32_t k = cfg->in_start[vertex]; k < cfg->in_start[vertex + 1]; k++)
		if (replay->source->cut[cfg->in_edge[k]])
			return true;
	return false;
}

/* A second return of setjmp is recognised by the block that it leads to. */
static void count_re_entries(struct replay *replay)
{
	const struct wm_cfg *cfg = replay->source->cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		if (cfg->source[e] != cfg->exit)
			continue;
		uint32_t v = cfg->target[e];
		replay->edge[e] = replay->block[v];
		for (uint32_t k = cfg->in_start[v]; k < cfg->in_start[v + 1]; k++)
			if (cfg->in_edge[k] != e && cfg->in_edge[k] != cfg->edge_count)
				replay->edge[e] -= replay->edge[cfg->in_edge[k]];
	}
}

static void prepare(struct wm_arena *arena, struct wm_arena *scratch, struct replay *replay)
{
	const struct wm_function *function = replay->source->function;
	const struct wm_cfg *cfg = replay->source->cfg;
	replay->block = wm_arena_alloc(arena, cfg->vertex_count, sizeof *replay->block);
	replay->edge = wm_arena_alloc(arena, cfg->edge_count, sizeof *replay->edge);
	replay->abandoned = wm_none_array(scratch, cfg->vertex_count);
	replay->blocks = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *replay->blocks);
	replay->places = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *replay->places);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (function->edge_flags[e] & WM_EDGE_ABANDONED)
			replay->abandoned[cfg->source[e]] = e;
}

int wm_path_counts_replay(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	struct replay replay = {.source = source};
	struct wm_regions regions;
	int status =
		wm_regions_number(scratch, source->cfg, source->cut, source->soft, &regions, error);
	if (!status)
		status = wm_path_list_open(arena, scratch, source, &replay.list, error);
	if (status)
		return status;
	prepare(arena, scratch, &replay);
	for (uint32_t v = 0; v < source->function->block_count; v++) {
		if (is_start(&replay, v))
			enter(&replay, WM_ORACLE_START, v);
		while (replay.depth)
			advance(&replay);
	}
	count_re_entries(&replay);
	wm_path_list_close(&replay.list, result);
	result->block = replay.block;
	result->edge = replay.edge;
	return 0;
}
