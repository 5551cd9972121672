/* Bytes of the store: the length of the content, and behind it the content, deflated if that is
 * shorter. */
#include <string.h>
#include <zlib.h>

#include "store/parts.h"

enum { HEAD = 8, LARGEST = 1 << 30 };

struct wm_bytes wm_pressed_make(struct wm_arena *arena, const void *bytes, size_t count)
{
	uint64_t length = count;
	uLongf room = compressBound(count);
	uint8_t *pressed = wm_arena_alloc_unset(arena, HEAD + room, 1);
	memcpy(pressed, &length, HEAD);
	if (compress2(pressed + HEAD, &room, bytes, count, Z_BEST_COMPRESSION) == Z_OK &&
		room < count)
		return (struct wm_bytes){pressed, HEAD + room};
	if (count)
		memcpy(pressed + HEAD, bytes, count);
	return (struct wm_bytes){pressed, HEAD + count};
}

bool wm_pressed_open(struct wm_arena *arena, const struct wm_value *pressed, struct wm_bytes *bytes)
{
	uint64_t length;
	if (pressed->kind != WM_VALUE_BYTES || pressed->size < HEAD)
		return false;
	memcpy(&length, pressed->bytes, HEAD);
	const uint8_t *content = (const uint8_t *)pressed->bytes + HEAD;
	size_t left = pressed->size - HEAD;
	/* zlib makes nothing smaller than a thousandth. */
	if (length > LARGEST || length / 1100 > left)
		return false;
	uint8_t *copy = wm_arena_alloc(arena, (length + 7) / 8 + 1, 8);
	*bytes = (struct wm_bytes){copy, length};
	if (length == left) {
		memcpy(copy, content, length);
		return true;
	}
	uLongf room = length;
	return uncompress(copy, &room, content, left) == Z_OK && room == length;
}
