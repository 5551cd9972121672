/* Pieces are looked up when a position leaves the one at hand. */
#include "trace/streams.h"

#include <string.h>

void wm_trace_bits_find(struct wm_trace_bits *bits, uint64_t position)
{
	bits->number = position / WM_TRACE_PIECE_BITS;
	bits->bytes = wm_trace_piece_bytes(bits->pieces, bits->number, &bits->unpacked);
	bits->has_piece = true;
}

/* The last bit of the piece that is set, from 1; 0: none is. */
static uint32_t last_one(const uint8_t *bytes)
{
	for (uint32_t k = WM_TRACE_PIECE_BYTES; k-- > 0;)
		for (uint32_t bit = bytes[k] ? 8 : 0; bit-- > 0;)
			if (bytes[k] >> bit & 1)
				return k * 8u + bit + 1;
	return 0;
}

uint64_t wm_trace_bits_last_one(struct wm_trace_bits *bits)
{
	const struct wm_trace_pieces *pieces = bits->pieces;
	uint32_t last = 0;
	for (uint32_t i = pieces->count; i-- > 0;) {
		const uint8_t *bytes = wm_trace_piece_unpack(&pieces->piece[i], &bits->unpacked);
		if (bytes && (last = last_one(bytes)))
			return pieces->piece[i].number * WM_TRACE_PIECE_BITS + last - 1;
	}
	return 0;
}

uint32_t wm_trace_unit_at(struct wm_trace_units *units, uint64_t unit)
{
	uint64_t byte = 2 * unit, number = byte / WM_TRACE_PIECE_BYTES;
	uint16_t value = 0;
	if (unit >= units->limit)
		return WM_TRACE_NOTHING;
	if (number != units->number) {
		units->number = number;
		units->bytes = wm_trace_piece_bytes(units->pieces, number, &units->unpacked);
	}
	if (units->bytes)
		memcpy(&value, units->bytes + byte % WM_TRACE_PIECE_BYTES, sizeof value);
	return value;
}

uint32_t wm_trace_unit_word(struct wm_trace_units *units, uint64_t unit)
{
	return wm_trace_unit_at(units, unit) | wm_trace_unit_at(units, unit + 1) << 16;
}

uint64_t wm_trace_unit_long(struct wm_trace_units *units, uint64_t unit)
{
	return wm_trace_unit_word(units, unit) | (uint64_t)wm_trace_unit_word(units, unit + 2)
							 << 32;
}

bool wm_trace_units_skip_region(struct wm_trace_units *units)
{
	const uint64_t region = (uint64_t)WM_TRACE_REGION_PIECES * WM_TRACE_PIECE_BYTES / 2;
	uint64_t next = (units->next / region + 1) * region;
	if (next >= units->limit)
		return false;
	units->next = next;
	return true;
}
