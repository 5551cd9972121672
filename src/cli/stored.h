/* What a store says of its runs, for the commands that ask which run did what. An error ends the
 * tool with one line. */
#ifndef WM_CLI_STORED_H
#define WM_CLI_STORED_H

#include <stdbool.h>

#include "core/paths/paths.h"
#include "store/store.h"

/* The runs with one label. */
struct wm_stored_label {
	const char *name;
	size_t runs;
	double seconds;	     /* of processors, a run in the mean */
	const char *outcome; /* of the last run */
	int64_t last;	     /* when that started */
};

struct wm_stored {
	struct wm_arena arena;
	struct wm_store *store;
	size_t run_count;
	struct wm_store_run *runs;
	struct wm_store_items items;
	size_t label_count;
	struct wm_stored_label *labels; /* by name */
	size_t *label_of;		/* by run */
	size_t words;			/* of 64 labels */
	uint64_t **labels_of;		/* by item: a bit for each label; NULL: not asked for yet */
	size_t opened_count;
	struct wm_stored_program **opened;
};

/* An object of the store, decoded when it is asked for first. */
struct wm_stored_program {
	int64_t id;
	struct wm_object object;
};

/* Reads the store; with progress on a terminal. */
void wm_stored_open(struct wm_stored *stored, const char *option, const char *kind);

void wm_stored_close(struct wm_stored *stored);

/* The labels of the item's runs. */
const uint64_t *wm_stored_labels(struct wm_stored *stored, size_t item);

/* Whether a run with this outcome failed. */
bool wm_stored_failed(const char *outcome);

/* The description of a function of the items. */
const struct wm_function *wm_stored_function(struct wm_stored *stored, size_t function);

/* Blocks that items of one function run through. */
struct wm_stored_blocks {
	const struct wm_function *function;
	struct wm_paths paths;
	bool has_paths;
};

/* Gets the function ready. */
struct wm_stored_blocks wm_stored_blocks(
	struct wm_arena *arena, struct wm_stored *stored, size_t function);

/* The blocks of the item, and how many; 0 if they are not known. */
const uint32_t *wm_stored_item_blocks(struct wm_arena *arena,
	const struct wm_stored_blocks *blocks, const struct wm_store_item *item, uint32_t *count);

#endif
