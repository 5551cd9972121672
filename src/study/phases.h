/* Phases of a run: windows whose instructions go along the same paths.
 *
 * A window is a vector of instructions by path, one of instructions by block beside it. A window joins
 * the nearest earlier phase if their vectors differ by less than 0.5 (Manhattan distance of shares, 0 to
 * 2); else it begins a phase. Windows are joined in pairs when there are more than 400, so that a run of
 * any length has 200 to 400. What paths see and blocks do not, are changes of the routes through the
 * same blocks.
 */
#ifndef WM_STUDY_PHASES_H
#define WM_STUDY_PHASES_H

#include <stdio.h>

#include "study/live.h"

struct wm_vector_item {
	uint32_t number;
	uint64_t instructions;
};

/* The windows of one kind of thing. */
struct wm_windows {
	uint64_t *now; /* instructions of the current window, by number */
	uint32_t capacity;
	uint32_t *touched;
	uint32_t touched_count, touched_capacity;
	struct {
		struct wm_vector_item *item;
		uint32_t items;
	} *window;
	uint32_t windows, window_capacity;
	uint32_t numbers; /* largest + 1 */
	uint32_t *phase;  /* of each window, after wm_phases_finish */
	uint32_t phases;
};

struct wm_phases {
	struct wm_hpp_live live;
	struct wm_stream_sink inner;
	struct wm_windows by_path, by_block;
	uint64_t *block_key; /* address of the branch at the block's end; a hash table */
	uint32_t *block_number, block_slots, blocks;
	uint64_t width, in_window; /* instructions */
	bool fixed;		   /* the user chose the width */
};

void wm_phases_init(struct wm_phases *phases, const struct wm_hpp_settings *settings);
struct wm_stream_sink wm_phases_sink(struct wm_phases *phases);
const char *wm_phases_finish(struct wm_phases *phases);
void wm_phases_free(struct wm_phases *phases);

/* The distance of two windows' vectors: 0 to 2. */
double wm_windows_distance(const struct wm_windows *windows, uint32_t left, uint32_t right);

/* Windows at whose start paths change their phase and blocks do not. */
uint32_t wm_phases_seen_by_paths_only(const struct wm_phases *phases);

/* The vectors in the format of SimPoint: T:id:count :id:count ... */
void wm_windows_write_simpoint(const struct wm_windows *windows, FILE *out);

#endif
