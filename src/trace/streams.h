/* The two streams of a thread as they are read: bits, and units of calls. */
#ifndef WM_TRACE_STREAMS_H
#define WM_TRACE_STREAMS_H

#include "trace/file.h"

struct wm_trace_bits {
	const struct wm_trace_pieces *pieces;
	struct wm_trace_unpacked unpacked;
	uint64_t number; /* of the piece at hand */
	const uint8_t *bytes;
	bool has_piece;
};

struct wm_trace_units {
	const struct wm_trace_pieces *pieces;
	struct wm_trace_unpacked unpacked;
	uint64_t next; /* units read so far */
	uint64_t limit;
	uint64_t number; /* of the piece at hand; UINT64_MAX: none */
	const uint8_t *bytes;
};

/* Makes the piece that holds the position the piece at hand. */
void wm_trace_bits_find(struct wm_trace_bits *bits, uint64_t position);

/* The position of the last bit that is set, or 0. */
uint64_t wm_trace_bits_last_one(struct wm_trace_bits *bits);

static inline uint32_t wm_trace_bits_code(
	struct wm_trace_bits *bits, uint64_t position, uint32_t count)
{
	uint32_t code = 0;
	for (uint32_t i = 0; i < count; i++, position++) {
		uint64_t within = position % WM_TRACE_PIECE_BITS;
		if (!bits->has_piece || bits->number != position / WM_TRACE_PIECE_BITS)
			wm_trace_bits_find(bits, position);
		if (bits->bytes)
			code |= (uint32_t)(bits->bytes[within / 8] >> within % 8 & 1) << i;
	}
	return code;
}

/* A unit, or two or four of them as one number. Behind the limit units are WM_TRACE_NOTHING. */
uint32_t wm_trace_unit_at(struct wm_trace_units *units, uint64_t unit);
uint32_t wm_trace_unit_word(struct wm_trace_units *units, uint64_t unit);
uint64_t wm_trace_unit_long(struct wm_trace_units *units, uint64_t unit);

/* Goes on to the next region of addresses; false if there is none. What is left of a region is
 * zero. Elsewhere zero is a unit that was not written when the process was killed: nothing
 * follows. */
bool wm_trace_units_skip_region(struct wm_trace_units *units);

#endif
