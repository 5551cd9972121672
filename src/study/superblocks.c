#include "study/superblocks.h"

#include <stdlib.h>

enum { MAX_INSTRUCTIONS = 256, LOOKED_AT = 4000, TRIED = 400 };

/* The paths that are looked at, followed through the code. */
struct walks {
	size_t count;
	struct {
		struct wm_hpp_step *steps;
		size_t blocks;
		uint64_t count;
	} *walk;
};

static struct walks follow_all(struct wm_arena *arena, const struct wm_hpp_profile *profile)
{
	struct walks walks = {.count = profile->paths < LOOKED_AT ? profile->paths : LOOKED_AT};
	walks.walk = wm_arena_alloc(arena, walks.count + 1, sizeof *walks.walk);
	for (size_t i = 0; i < walks.count; i++) {
		walks.walk[i].steps = wm_hpp_follow(
			arena, profile, &profile->path[i], &walks.walk[i].blocks);
		walks.walk[i].count = profile->path[i].count;
	}
	return walks;
}

/* How often `blocks` steps ran one after another. */
static uint64_t ran(const struct walks *walks, const struct wm_hpp_step *steps, size_t blocks)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < walks->count; i++)
		for (size_t at = 0; at + blocks <= walks->walk[i].blocks; at++) {
			size_t same = 0;
			while (same < blocks &&
				walks->walk[i].steps[at + same].block == steps[same].block)
				same++;
			sum += same == blocks ? walks->walk[i].count : 0;
		}
	return sum;
}

/* Edges know how often each block passes control to the next, and no more. */
static void bound_by_edges(const struct walks *walks, struct wm_superblock *candidate)
{
	uint64_t lost = 0;
	candidate->edges_most = candidate->entered;
	for (size_t i = 0; i + 1 < candidate->blocks; i++) {
		uint64_t block = ran(walks, candidate->steps + i, 1);
		uint64_t edge = ran(walks, candidate->steps + i, 2);
		lost += block - edge;
		if (edge < candidate->edges_most)
			candidate->edges_most = edge;
	}
	candidate->edges_least = candidate->entered > lost ? candidate->entered - lost : 0;
}

static bool is_used(const struct wm_superblock *found, size_t count, const struct wm_hpp_block *head)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < found[i].blocks; k++)
			if (found[i].steps[k].block == head)
				return true;
	return false;
}

static bool make(const struct walks *walks, double completion, struct wm_superblock *candidate)
{
	size_t all = candidate->blocks;
	candidate->entered = ran(walks, candidate->steps, 1);
	candidate->blocks = 0;
	for (size_t i = 0; i < all; i++) {
		const struct wm_hpp_block *block = candidate->steps[i].block;
		uint64_t completed = ran(walks, candidate->steps, i + 1);
		if (candidate->instructions + block->instructions > MAX_INSTRUCTIONS ||
			(double)completed < completion * (double)candidate->entered)
			break;
		candidate->blocks++;
		candidate->completed = completed;
		candidate->instructions += block->instructions;
		candidate->bytes += block->bytes;
	}
	candidate->loop = candidate->blocks == all &&
			  candidate->path->ending[WM_ENDING_BACKWARD] &&
			  candidate->steps[all - 1].block->target == candidate->path->start;
	return candidate->blocks >= 2 || candidate->loop;
}

struct wm_superblock *wm_superblocks(struct wm_arena *arena, const struct wm_hpp_profile *profile,
	double completion, size_t top, size_t *count)
{
	struct walks walks = follow_all(arena, profile);
	struct wm_superblock *found = wm_arena_alloc(arena, top + 1, sizeof *found);
	*count = 0;
	for (size_t i = 0; i < walks.count && i < TRIED && *count < top; i++) {
		struct wm_superblock *candidate = &found[*count];
		*candidate = (struct wm_superblock){.path = &profile->path[i],
			.steps = walks.walk[i].steps,
			.blocks = walks.walk[i].blocks};
		if (!candidate->blocks || is_used(found, *count, candidate->steps[0].block) ||
			!make(&walks, completion, candidate))
			continue;
		bound_by_edges(&walks, candidate);
		++*count;
	}
	return found;
}
