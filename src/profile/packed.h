/* What is packed into a .wmk file beside its counts, so that it can be read where neither binary
 * nor sources are: kept objects and texts. Pieces are bytes here; what is damaged is left out.
 */
#ifndef WM_PROFILE_PACKED_H
#define WM_PROFILE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "format/profile_file.h"
#include "profile/line_table.h"

struct wm_packed_piece {
	enum wm_chunk_kind kind; /* WM_CHUNK_KEPT or WM_CHUNK_TEXT */
	struct wm_bytes content; /* a record (profile/kept.h), or a text as below */
};

struct wm_packed {
	size_t count;
	size_t capacity;
	struct wm_packed_piece *pieces;
	bool damaged; /* a piece was left out */
};

/* A source file. */
struct wm_packed_text {
	const char *path; /* as the objects name it */
	uint64_t modified;
	struct wm_bytes text;
};

/* Adds a copy of the piece, unless there is one of the same object, or of the same text. False if
 * it makes no sense. */
bool wm_packed_add(
	struct wm_arena *arena, struct wm_packed *packed, const struct wm_packed_piece *piece);

/* The piece for a text, in the arena. */
struct wm_packed_piece wm_packed_text_make(
	struct wm_arena *arena, const struct wm_packed_text *text);

/* Finds the next text of that path, from piece *next on, which starts as 0. Objects may have been
 * built from different ones. */
bool wm_packed_next_text(const struct wm_packed *packed, const char *path, size_t *next,
	struct wm_packed_text *text);

/* The record of the object with that build-id; no bytes if there is none. */
struct wm_bytes wm_packed_record(
	const struct wm_packed *packed, const uint8_t *build_id, uint32_t build_id_bytes);

#endif
