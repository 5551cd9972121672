/* Simulated caches: each thread has its own, which are empty when it starts. Code comes here with
 * an access that does not find its line where the last one used is (format/sim_state.h). */
#define _GNU_SOURCE
#include <stddef.h>

#include "format/sim_state.h"
#include "hpp/cache.h"
#include "runtime/keep_registers.h"
#include "runtime/meters/sim.h"
#include "runtime/store.h"
#include "runtime/system.h"

enum { LEVELS = sizeof((struct wm_sim_state *)0)->misses / sizeof(uint64_t) };

/* Code has the first as constants. */
extern const struct wm_cache_shape __waymark_sim_shapes[LEVELS]
	__attribute__((visibility("hidden")));

/* Code's own: what it looks at while there are no caches, and the word of the thread. Program and
 * libraries have one. */
extern const uint64_t __waymark_sim_empty[] __attribute__((visibility("hidden")));
extern __thread struct wm_sim_state __waymark_sim;

struct caches {
	size_t bytes;
	int is_over; /* the thread ends */
	struct wm_cache level[LEVELS];
	uint64_t tags[];
};

static struct caches over = {.is_over = 1};

static struct caches *make(void)
{
	size_t bytes = sizeof(struct caches);
	for (int i = 0; i < LEVELS; i++)
		bytes += wm_cache_bytes(&__waymark_sim_shapes[i]);
	struct caches *caches = wm_system_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!caches)
		return &over;
	uint64_t *tags = caches->tags;
	caches->bytes = bytes;
	for (int i = 0; i < LEVELS; i++) {
		wm_cache_init(&caches->level[i], &__waymark_sim_shapes[i], tags);
		tags += wm_cache_bytes(&__waymark_sim_shapes[i]) / sizeof *tags;
	}
	__waymark_sim.tags = caches->level[0].tag;
	return caches;
}

static void look_up(struct caches *caches, uint64_t address, uint32_t bytes)
{
	for (int i = 0; i < LEVELS && wm_cache_access(&caches->level[i], address, bytes); i++)
		__waymark_sim.misses[i]++;
}

/* What copies or sets more than a line does so line by line. */
__attribute__((used)) uint64_t wm_sim_access(uint64_t address, uint64_t bytes)
{
	WM_STORE_KEEP("wm_meters_store_entry");
	uint64_t line = __waymark_sim_shapes[0].line;
	if (!__waymark_sim.caches)
		__waymark_sim.caches = make();
	struct caches *caches = __waymark_sim.caches;
	if (caches->is_over)
		return 0;
	while (bytes > line) {
		uint64_t here = line - (address & (line - 1));
		look_up(caches, address, (uint32_t)here);
		address += here;
		bytes -= here;
	}
	if (bytes)
		look_up(caches, address, (uint32_t)bytes);
	return 0;
}

void wm_sim_leave(void)
{
	struct caches *caches = __waymark_sim.caches;
	__waymark_sim.tags = __waymark_sim_empty;
	__waymark_sim.caches = &over;
	if (caches && !caches->is_over)
		wm_system_unmap(caches, caches->bytes);
}

WM_KEEPING_REGISTERS("__waymark_sim_access", "wm_sim_access");
