#include "hpp/cache.h"

#include <string.h>

static bool is_power_of_two(uint32_t number)
{
	return number && !(number & (number - 1));
}

const char *wm_cache_shape_check(const struct wm_cache_shape *shape)
{
	if (!is_power_of_two(shape->line) || shape->line < 16 || shape->line > 4096)
		return "a cache's line must be a power of two from 16 to 4096";
	if (!shape->ways || shape->ways > 64 || shape->bytes % (shape->line * shape->ways))
		return "a cache's size must be a multiple of its line times its ways (1 to 64)";
	if (!is_power_of_two(shape->bytes / shape->line / shape->ways) || shape->bytes > 1u << 30)
		return "the number of a cache's sets must be a power of two";
	return 0;
}

size_t wm_cache_bytes(const struct wm_cache_shape *shape)
{
	return shape->bytes / shape->line * sizeof(uint64_t);
}

void wm_cache_init(struct wm_cache *cache, const struct wm_cache_shape *shape, void *memory)
{
	memset(cache, 0, sizeof *cache);
	cache->shape = *shape;
	cache->set_mask = shape->bytes / shape->line / shape->ways - 1;
	while (shape->line >> cache->line_bits > 1)
		cache->line_bits++;
	cache->tag = memory;
	memset(memory, 0, wm_cache_bytes(shape));
}

/* Tags are lines + 1, so that zero is an empty place. */
static bool touch(struct wm_cache *cache, uint64_t line)
{
	uint64_t *tag = cache->tag + (line & cache->set_mask) * cache->shape.ways;
	uint64_t before = tag[0];
	uint32_t i = 0;
	if (before == line + 1)
		return false;
	tag[0] = line + 1;
	while (++i < cache->shape.ways) {
		uint64_t here = tag[i];
		tag[i] = before;
		if (here == line + 1)
			return false;
		before = here;
	}
	return true;
}

bool wm_cache_access(struct wm_cache *cache, uint64_t address, uint32_t bytes)
{
	uint64_t first = address >> cache->line_bits;
	uint64_t last = (address + bytes - 1) >> cache->line_bits;
	bool missed = touch(cache, first);
	if (last != first)
		missed |= touch(cache, last);
	cache->accesses++;
	cache->misses += missed;
	return missed;
}
