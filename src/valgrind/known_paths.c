/* Paths of loops, as the numbers of their blocks: a loop runs along few of them again and again. */
#include "valgrind/tool.h"

#include <pub_tool_libcbase.h>

enum { MAX_BLOCKS = 24, HEADS = 1 << 11, WAYS = 4, LEARN_EACH = 4 };

struct known {
	uint32_t head;	 /* number + 1 of the block in which it begins */
	uint32_t blocks; /* behind the head; the last begins the next path */
	uint32_t block[MAX_BLOCKS];
	struct wm_path_again path;
};

static struct known known[HEADS][WAYS];
static uint32_t turned_away, victim;

void wm_known_paths_forget(void)
{
	VG_(memset)(known, 0, sizeof known);
}

static bool is_next(const struct known *path, const uint64_t *next)
{
	for (uint32_t i = 0; i < path->blocks; i++)
		if ((uint32_t)next[i] != path->block[i])
			return false;
	return true;
}

/* The path of this way that the buffer goes along, or NULL. */
static const struct known *find(uint32_t head, const uint64_t *next, const uint64_t *end)
{
	const struct known *way = known[head % HEADS];
	for (int i = 0; i < WAYS; i++, way++)
		if (way->head == head + 1 && next + way->blocks <= end && is_next(way, next))
			return way;
	return NULL;
}

const uint64_t *wm_known_path_follow(uint32_t *block, const uint64_t *next, const uint64_t *end)
{
	const struct known *path = find(*block, next, end);
	const struct wm_block *last;
	uint64_t times = 0;
	if (!path)
		return NULL;
	last = &wm_blocks[path->block[path->blocks - 1]];
	do {
		next += path->blocks;
		times++;
	} while (path->block[path->blocks - 1] == *block && next + path->blocks <= end &&
		 is_next(path, next));
	*block = path->block[path->blocks - 1];
	wm_profiler_again(&wm_profiler_state, &path->path, times, last->info.start);
	return next + last->slots;
}

/* What the blocks from the head to before the last do. False if there is something else in them. */
static bool add_up(const struct known *path, struct wm_path_again *again, uint64_t *rest)
{
	uint32_t number = path->head - 1, outcomes = 0, branches = 0;
	for (uint32_t i = 0; i < path->blocks; number = path->block[i++]) {
		const struct wm_block *block = &wm_blocks[number];
		uint64_t to = wm_blocks[path->block[i]].info.start;
		bool conditional = block->info.kind == WM_BRANCH_CONDITIONAL;
		again->instructions += block->info.instructions;
		if (block->info.kind == WM_BRANCH_NONE)
			continue;
		if (!conditional && block->info.kind != WM_BRANCH_JUMP)
			return false;
		outcomes |= (uint32_t)(!conditional || to == block->info.target) << branches++;
		again->conditionals += conditional;
		again->jumps += !conditional;
	}
	*rest = (uint64_t)branches << 32 | outcomes;
	return branches < wm_profiler_state.options.control.length;
}

void wm_known_path_learn(uint32_t head, const uint64_t *blocks, uint64_t count)
{
	struct known path = {.head = head + 1, .blocks = (uint32_t)count};
	const struct wm_exact_path *found;
	uint64_t rest;
	if (count > MAX_BLOCKS || ++turned_away % LEARN_EACH)
		return;
	for (uint32_t i = 0; i < count; i++)
		path.block[i] = (uint32_t)blocks[i];
	if (!add_up(&path, &path.path, &rest))
		return;
	found = wm_exact_table_find(&wm_profiler_state.exact, wm_blocks[head].info.start, rest);
	if (!found)
		return;
	path.path.number = (uint32_t)(found - wm_profiler_state.exact.path);
	known[head % HEADS][victim++ % WAYS] = path;
}
