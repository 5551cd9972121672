/* Runs of chunks that are tables (format/table_cell.h), in the profile file if there is any way to.
 * All of it under the state's lock. */
#ifndef WM_RUNTIME_RUN_H
#define WM_RUNTIME_RUN_H

#include "format/table_cell.h"
#include "runtime/object.h"

struct wm_run {
	struct wm_chunk_header *header; /* mapped, with the cells behind it */
	void *kept;			/* while counting pauses: the run, mapped elsewhere */
	uint64_t bytes;
	uint64_t number; /* in the file; 0: in memory only */
	uint64_t saved;	 /* a run in memory: its number in the file once it was written there */
	int parked;	 /* memory that is mapped so that it can be touched, and never read */
};

/* Maps a run of at least so many cells, signed like `owner`: one of the file that nobody counts
 * into any more, contents and all, or a new one, of which so many are to be used first. Returns -1
 * if the file cannot be used. */
int wm_run_claim(const struct wm_object *object, const char *name, uint64_t cells,
	const struct wm_chunk_header *owner, struct wm_run *run);

/* Another file is used now, or another process: it may hold runs that nobody counts into. */
void wm_run_search_again(void);

/* Empty memory in place of a run of the file; -1 without memory. */
int wm_run_in_memory(const struct wm_object *object, uint64_t cells,
	const struct wm_chunk_header *owner, struct wm_run *run);

/* Writes a run in memory to the file. */
int wm_run_save(const struct wm_object *object, const char *name, struct wm_run *run);

/* Lets whoever still counts into the run do so without effect, and back. 0, or -1 if it cannot. */
int wm_run_pause(struct wm_run *run);
int wm_run_resume(struct wm_run *run);

/* Likewise for good. With `release`, the run in the file is there for others to take. */
int wm_run_park(struct wm_run *run, int release);

/* Unmaps the run: nobody may touch it any more. */
void wm_run_drop(struct wm_run *run, int release);

/* The run's true header, and its cells; paused or not. */
static inline struct wm_chunk_header *wm_run_header(const struct wm_run *run)
{
	return run->kept ? run->kept : run->header;
}

static inline struct wm_table_cell *wm_run_cells(const struct wm_run *run)
{
	return (struct wm_table_cell *)((char *)wm_run_header(run) + WM_CHUNK_HEADER_BYTES);
}

/* All cells of the run, in use or not. */
static inline uint64_t wm_run_cell_count(const struct wm_run *run)
{
	return wm_table_cells(run->bytes, 1);
}

#endif
