/* Messages of Protocol Buffers, written field by field. */
#ifndef WM_EXPORT_PROTOBUF_H
#define WM_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

/* A struct with the arena set and the rest zero is an empty message. */
struct wm_message {
	struct wm_arena *arena;
	uint8_t *bytes;
	size_t used, capacity;
};

/* A number without its field, as in packed lists. */
void wm_message_varint(struct wm_message *message, uint64_t number);

/* Zero is what a field without a value means, so it is left out. */
void wm_message_number(struct wm_message *message, uint32_t field, uint64_t number);

void wm_message_bytes(struct wm_message *message, uint32_t field, const void *bytes, size_t count);

/* A message, or a packed list, inside another; the inner one becomes empty. */
void wm_message_inner(struct wm_message *message, uint32_t field, struct wm_message *inner);

#endif
