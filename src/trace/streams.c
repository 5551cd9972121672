/* Pieces are looked up when a position leaves the one at hand. */
#include "trace/streams.h"

#include <string.h>

void wm_trace_bits_find(struct wm_trace_bits *bits, uint64_t position)
{
	bits->number = position / WM_TRACE_PIECE_BITS;
	bits->bytes = wm_trace_piece_bytes(bits->pieces, bits->number);
	bits->has_piece = true;
}

uint64_t wm_trace_bits_last_one(const struct wm_trace_pieces *pieces)
{
	for (uint32_t i = pieces->count; i-- > 0;)
		for (uint32_t k = WM_TRACE_PIECE_BYTES; k-- > 0;)
			if (pieces->piece[i].bytes[k]) {
				uint32_t bit = 7;
				while (!(pieces->piece[i].bytes[k] >> bit & 1))
					bit--;
				return pieces->piece[i].number * WM_TRACE_PIECE_BITS + k * 8u + bit;
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
		units->bytes = wm_trace_piece_bytes(units->pieces, number);
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
