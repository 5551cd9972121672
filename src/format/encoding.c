/* Both directions side by side. */
#include "format/encoding.h"

#include <string.h>

static void put_byte(struct wm_encoder *encoder, uint8_t byte)
{
	encoder->bytes =
		wm_arena_grow(encoder->arena, encoder->bytes, encoder->used, &encoder->capacity, 1);
	encoder->bytes[encoder->used++] = byte;
}

void wm_encode_number(struct wm_encoder *encoder, uint32_t number)
{
	for (; number >= 0x80; number >>= 7)
		put_byte(encoder, (uint8_t)(number | 0x80));
	put_byte(encoder, (uint8_t)number);
}

void wm_encode_long(struct wm_encoder *encoder, uint64_t number)
{
	wm_encode_number(encoder, (uint32_t)number);
	wm_encode_number(encoder, (uint32_t)(number >> 32));
}

void wm_encode_bytes(struct wm_encoder *encoder, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_byte(encoder, bytes[i]);
}

void wm_encode_text(struct wm_encoder *encoder, const char *text)
{
	size_t length = strlen(text);
	wm_encode_number(encoder, (uint32_t)length);
	wm_encode_bytes(encoder, (const uint8_t *)text, length);
}

void wm_decode_fail(struct wm_decoder *decoder, const char *reason)
{
	if (!decoder->failed)
		decoder->failed = reason;
	decoder->next = decoder->end;
}

uint32_t wm_decode_number(struct wm_decoder *decoder)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		if (decoder->next == decoder->end) {
			wm_decode_fail(decoder, "it ends in the middle of a number");
			return 0;
		}
		uint8_t byte = *decoder->next++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (number <= UINT32_MAX)
				return (uint32_t)number;
			break;
		}
	}
	wm_decode_fail(decoder, "a number is too large");
	return 0;
}

uint64_t wm_decode_long(struct wm_decoder *decoder)
{
	uint64_t lower = wm_decode_number(decoder);
	return lower | (uint64_t)wm_decode_number(decoder) << 32;
}

uint32_t wm_decode_below(struct wm_decoder *decoder, uint32_t limit, const char *reason)
{
	uint32_t number = wm_decode_number(decoder);
	if (number >= limit) {
		wm_decode_fail(decoder, reason);
		return 0;
	}
	return number;
}

uint32_t wm_decode_count(struct wm_decoder *decoder, size_t bytes_each)
{
	uint32_t count = wm_decode_number(decoder);
	if (count > (size_t)(decoder->end - decoder->next) / bytes_each) {
		wm_decode_fail(decoder, "a list is longer than the record");
		return 0;
	}
	return count;
}

const char *wm_decode_text(struct wm_decoder *decoder)
{
	uint32_t length = wm_decode_count(decoder, 1);
	char *text = wm_arena_alloc(decoder->arena, (size_t)length + 1, 1);
	memcpy(text, decoder->next, length);
	decoder->next += length;
	if (memchr(text, 0, length))
		wm_decode_fail(decoder, "a text holds a zero byte");
	return text;
}

struct wm_decoder wm_decode_part(struct wm_decoder *decoder, uint32_t bytes)
{
	struct wm_decoder part = {
		.arena = decoder->arena, .next = decoder->next, .end = decoder->next + bytes};
	decoder->next += bytes;
	return part;
}
