/* Two wire types are enough: numbers (0), and bytes with their length (2). */
#include "export/protobuf.h"

enum { NUMBER = 0, BYTES = 2 };

static void put(struct wm_message *message, uint8_t byte)
{
	message->bytes =
		wm_arena_grow(message->arena, message->bytes, message->used, &message->capacity, 1);
	message->bytes[message->used++] = byte;
}

void wm_message_varint(struct wm_message *message, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put(message, (uint8_t)(number | 0x80));
	put(message, (uint8_t)number);
}

void wm_message_number(struct wm_message *message, uint32_t field, uint64_t number)
{
	if (!number)
		return;
	wm_message_varint(message, field << 3 | NUMBER);
	wm_message_varint(message, number);
}

void wm_message_bytes(struct wm_message *message, uint32_t field, const void *bytes, size_t count)
{
	wm_message_varint(message, field << 3 | BYTES);
	wm_message_varint(message, count);
	for (size_t i = 0; i < count; i++)
		put(message, ((const uint8_t *)bytes)[i]);
}

void wm_message_inner(struct wm_message *message, uint32_t field, struct wm_message *inner)
{
	wm_message_bytes(message, field, inner->bytes, inner->used);
	inner->used = 0;
}
