/* The object (program or shared library) that this copy of the runtime is linked into. */
#ifndef WM_RUNTIME_OBJECT_H
#define WM_RUNTIME_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "format/profile_file.h"

struct wm_own_object {
	uint8_t build_id[WM_BUILD_ID_BYTES];
	uint32_t build_id_bytes; /* 0: the object has none */
	char path[WM_OBJECT_PATH_BYTES];
	int is_program;	    /* not a shared library */
	uint64_t *counters; /* the static ones, where counting starts */
	size_t counter_bytes;
	const struct wm_own_object *host; /* whose file holds the counts: the program, where it is
					     instrumented, else the object itself */
};

/* Fills in the object; returns 0, or -1 if it holds no counters or cannot be identified. */
int wm_object_find(struct wm_own_object *object);

/* Whether the counts go to the file of another object. */
static inline int wm_object_is_guest(const struct wm_own_object *object)
{
	return object->host != object;
}

/* The size of a unit of the file. */
static inline uint64_t wm_object_unit_bytes(const struct wm_own_object *object)
{
	return wm_file_unit_bytes(object->host->counter_bytes);
}

/* The bytes in which the object's counters have room, with a head before them. */
static inline uint64_t wm_object_chunk_bytes(const struct wm_own_object *object)
{
	return wm_file_unit_bytes(object->counter_bytes);
}

#endif
