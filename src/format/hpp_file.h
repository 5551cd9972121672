/* `.wmh`: what `waymark hpp` keeps of a run: all paths with their counts, the hot path table, the
 * code that ran.
 *
 * Little endian; a head, then sections in any order, each an array of fixed records at a multiple of
 * eight bytes. The Valgrind tool writes the file under another name and renames it: it is there as a
 * whole or not at all. The checksum is FNV-1a over all words with the field itself zero.
 */
#ifndef WM_FORMAT_HPP_FILE_H
#define WM_FORMAT_HPP_FILE_H

#include "hpp/amd64.h"
#include "hpp/machine.h"
#include "hpp/profiler.h"

#define WM_HPP_MAGIC "WMHPP\r\n"

enum { WM_HPP_VERSION = 1 };

enum wm_hpp_section {
	WM_HPP_OBJECTS,
	WM_HPP_BLOCKS,
	WM_HPP_CODE, /* the bytes of the blocks */
	WM_HPP_PATHS,
	WM_HPP_CELLS,  /* of the hot path table */
	WM_HPP_SKETCH, /* cells of the table for paths beyond the limit */
	WM_HPP_TEXT,   /* texts, each ended by a zero */
	WM_HPP_SECTIONS
};

enum {
	WM_HPP_MODELLED = 1,   /* caches, predictor, cycles and power were */
	WM_HPP_NO_MEMORY = 2,  /* profiling stopped before the end */
	WM_HPP_QUEUES = 4,
	WM_HPP_WHOLE_RUN = 8 /* not only between --from and --to */
};

struct wm_hpp_head {
	char magic[8];
	uint32_t version;
	uint32_t head_bytes;
	uint64_t file_bytes;
	uint64_t checksum;
	uint64_t control;
	uint64_t flags;
	uint32_t depth;
	uint32_t counter_bits;
	uint32_t spill;
	uint32_t threads;
	struct wm_hot_shape table;
	struct wm_machine_shape machine;
	uint64_t process;
	uint64_t instructions, branches, kind[8], cycles, service, beyond_limit, switches;
	struct wm_path_stack_figures stack;
	uint64_t hits, misses, evictions, turned_away;
	uint64_t stall[WM_QUEUE_SPEEDS][WM_QUEUE_SIZES]; /* in twelfths of a cycle */
	uint64_t accesses[3], cache_misses[3], mispredictions;
	struct {
		uint64_t offset, count;
	} section[WM_HPP_SECTIONS];
};

struct wm_hpp_object {
	uint64_t start, end; /* of its text in memory */
	uint64_t bias;	     /* address in memory - address in the file */
	uint32_t name;	     /* among the texts */
	uint32_t id_bytes;
	uint8_t id[24]; /* build-id */
};

/* Straight code up to a branch. */
struct wm_hpp_block {
	uint64_t start;
	uint64_t target; /* of a direct branch */
	uint32_t code;	 /* its first byte */
	uint16_t bytes;
	uint16_t last; /* offset of its last instruction */
	uint16_t instructions;
	uint8_t kind; /* as wm_classify says */
	uint8_t unused[5];
};

static inline uint64_t wm_hpp_checksum(uint64_t hash, const uint64_t *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#define WM_HPP_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Bytes of a record of the section. */
static inline uint32_t wm_hpp_record_bytes(enum wm_hpp_section section)
{
	switch (section) {
	case WM_HPP_OBJECTS:
		return sizeof(struct wm_hpp_object);
	case WM_HPP_BLOCKS:
		return sizeof(struct wm_hpp_block);
	case WM_HPP_PATHS:
		return sizeof(struct wm_exact_path);
	case WM_HPP_CELLS:
	case WM_HPP_SKETCH:
		return sizeof(struct wm_hot_cell);
	default:
		return 1;
	}
}

/* What a profiler knows, in the head. */
static inline void wm_hpp_head_fill(struct wm_hpp_head *head, const struct wm_profiler *profiler)
{
	const struct wm_profiler_options *options = &profiler->options;
	head->control = wm_control_encode(&options->control);
	head->depth = options->depth;
	head->counter_bits = options->counter_bits;
	head->spill = options->spill;
	head->threads = profiler->threads;
	head->table = options->table;
	head->flags |= (profiler->failed ? WM_HPP_NO_MEMORY : 0) |
		       (options->queues ? WM_HPP_QUEUES : 0);
	head->instructions = profiler->instructions;
	head->branches = profiler->branches;
	for (int kind = 0; kind < WM_BRANCH_KINDS; kind++)
		head->kind[kind] = profiler->kind[kind];
	head->cycles = profiler->cycles;
	head->service = profiler->service;
	head->beyond_limit = profiler->beyond_limit;
	head->switches = profiler->switches;
	head->stack = wm_profiler_figures(profiler);
	head->hits = profiler->table.hits;
	head->misses = profiler->table.misses;
	head->evictions = profiler->table.evictions;
	head->turned_away = profiler->table.turned_away;
	for (int i = 0; i < WM_QUEUE_SPEEDS * WM_QUEUE_SIZES; i++)
		head->stall[i / WM_QUEUE_SIZES][i % WM_QUEUE_SIZES] =
			profiler->queue[i / WM_QUEUE_SIZES][i % WM_QUEUE_SIZES].stall;
}

#endif
