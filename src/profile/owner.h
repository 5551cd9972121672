/* Owners of chunks in a .wmk file: processes, told apart by number, start time and namespace. */
#ifndef WM_PROFILE_OWNER_H
#define WM_PROFILE_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "format/profile_file.h"

struct wm_owner {
	uint32_t process;	/* in its own process-id namespace */
	uint64_t start;		/* clock ticks since boot; 0: unknown */
	uint64_t pid_namespace; /* inode; 0: unknown */
};

/* The owner that a chunk names. */
struct wm_owner wm_owner_of_chunk(const struct wm_chunk_header *chunk);

/* The running process with this id here. WM_ERROR_INPUT if there is none, WM_ERROR_SYSTEM if it
 * belongs to another user. */
int wm_owner_of_process(pid_t process, struct wm_owner *owner, struct wm_error *error);

bool wm_owner_equal(const struct wm_owner *left, const struct wm_owner *right);

/* Whether the chunk may belong to the process; fields that it leaves unknown do not matter. */
bool wm_owner_has_chunk(const struct wm_owner *owner, const struct wm_chunk_header *chunk);

/* True only if the process is certainly gone: one in another namespace may live. */
bool wm_owner_is_gone(const struct wm_owner *owner);

#endif
