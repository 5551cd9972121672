/* What a reader of branches tells: a retired branch, and what else changes the path stacks. */
#ifndef WM_STREAM_STREAM_H
#define WM_STREAM_STREAM_H

#include "hpp/branch.h"

struct wm_stream_branch {
	struct wm_branch branch;
	bool has_events; /* the source says how many events of the selected kind there were */
	bool has_misprediction; /* the source says whether it was predicted */
	bool mispredicted;
	bool has_cycle;
	uint64_t cycle; /* when it retired, if the source says so */
};

/* All get `context`. A member that is NULL is not told. */
struct wm_stream_sink {
	void *context;
	/* NULL, or what is wrong; only before the first branch. */
	const char *(*option)(void *context, const char *key, const char *value);
	void (*begin)(void *context, uint64_t address);
	void (*branch)(void *context, const struct wm_stream_branch *branch);
	void (*thread)(void *context, uint64_t number);
	void (*signal)(void *context, uint64_t address);
	void (*sigreturn)(void *context);
	void (*end_thread)(void *context);
	/* Instructions that no branch followed. */
	void (*rest)(void *context, const struct wm_branch *rest);
	void (*window)(void *context);
	/* Before all else: these are short pieces of a run, and only paths that one of them holds
	 * as a whole count. */
	void (*fragments)(void *context);
	/* Branches were lost: what was begun is incomplete. */
	void (*gap)(void *context);
};

#endif
