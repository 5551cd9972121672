/* Numbers and texts as bytes: LEB128 numbers, and texts with their length before them.
 *
 * A reader that has met an error keeps returning zero; `failed` says what was wrong first. Input is
 * untrusted: a count is checked against the bytes that are left before memory is taken for it.
 */
#ifndef WM_FORMAT_ENCODING_H
#define WM_FORMAT_ENCODING_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct wm_encoder {
	struct wm_arena *arena;
	uint8_t *bytes;
	size_t used;
	size_t capacity;
};

void wm_encode_number(struct wm_encoder *encoder, uint32_t number);

/* 64 bits as two numbers, the lower half first. */
void wm_encode_long(struct wm_encoder *encoder, uint64_t number);

void wm_encode_text(struct wm_encoder *encoder, const char *text);
void wm_encode_bytes(struct wm_encoder *encoder, const uint8_t *bytes, size_t count);

struct wm_decoder {
	struct wm_arena *arena;
	const uint8_t *next;
	const uint8_t *end;
	const char *failed; /* what was wrong first, or NULL */
};

/* Notes the reason, if it is the first, and lets nothing more be read. */
void wm_decode_fail(struct wm_decoder *decoder, const char *reason);

uint32_t wm_decode_number(struct wm_decoder *decoder);
uint64_t wm_decode_long(struct wm_decoder *decoder);

/* A number below the limit; otherwise the reader fails for this reason. */
uint32_t wm_decode_below(struct wm_decoder *decoder, uint32_t limit, const char *reason);

/* A count of things that take at least `bytes_each` bytes each. */
uint32_t wm_decode_count(struct wm_decoder *decoder, size_t bytes_each);

/* A text without zero bytes, in the arena. */
const char *wm_decode_text(struct wm_decoder *decoder);

/* That many of the next bytes, as a reader of their own. */
struct wm_decoder wm_decode_part(struct wm_decoder *decoder, uint32_t bytes);

#endif
