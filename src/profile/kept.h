/* What readers need of an object, as a record that is kept when the object is gone: its parts and
 * the checksums of its sources, without the code. A file of the cache, or a chunk of a .wmk file.
 */
#ifndef WM_PROFILE_KEPT_H
#define WM_PROFILE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "profile/object.h"

#define WM_KEPT_MAGIC "WMKEPT01" /* ends with the version */

/* Starts the record. Behind it stand descriptions, source records and checksums, each padded with
 * zero bytes to a multiple of 8. */
struct wm_kept_head {
	char magic[8];
	uint64_t bytes;	   /* of the record: a multiple of 8 */
	uint64_t checksum; /* FNV-1a by words of 8 bytes over all that follows */
	uint64_t modified; /* when the object was last written, in seconds */
	uint64_t counter_bytes;
	uint64_t distance; /* from the descriptions to the counters */
	uint64_t description_bytes;
	uint64_t source_bytes; /* of source records; 0: there are none */
	uint64_t checksum_bytes;
	uint32_t build_id_bytes;
	uint32_t reserved;
	uint8_t build_id[WM_BUILD_ID_BYTES];
};

/* The record of the ELF file at the path, in the arena. Errors as wm_object_read. */
int wm_kept_make(struct wm_arena *arena, const char *path, struct wm_build_id *build_id,
	struct wm_bytes *record, struct wm_error *error);

/* Whether it is a record of the object with that build-id; its contents may be damaged. */
bool wm_kept_is_of(const struct wm_bytes *record, const uint8_t *build_id, uint32_t build_id_bytes);

/* Whether both are records of one object. */
bool wm_kept_same_object(const struct wm_bytes *left, const struct wm_bytes *right);

/* Reads a record, which is untrusted, as the object that was at the path. It may lie in the record,
 * which must be aligned as words are. The text of the error says only what is wrong. */
int wm_kept_read(struct wm_arena *arena, const struct wm_bytes *record, const char *path,
	struct wm_object *object, struct wm_error *error);

#endif
