/* A hash table with open addressing that is at most half full. */
#include "core/base/intern.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

static uint64_t hash_of(const void *bytes, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
	hash *= 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 32);
}

/* The slot of the key, or the empty one where it belongs. */
static uint32_t *find_slot(const struct wm_intern *intern, const struct wm_intern_key *key)
{
	uint32_t mask = intern->slot_count - 1, slot = (uint32_t)key->hash & mask;
	for (; intern->slot[slot]; slot = (slot + 1) & mask) {
		const struct wm_intern_key *known = &intern->keys[intern->slot[slot] - 1];
		if (known->hash == key->hash && known->count == key->count &&
			!memcmp(known->bytes, key->bytes, key->count))
			break;
	}
	return &intern->slot[slot];
}

static void grow(struct wm_intern *intern)
{
	intern->slot_count = intern->slot_count ? intern->slot_count * 2 : FIRST_SLOTS;
	intern->slot = wm_arena_alloc(intern->arena, intern->slot_count, sizeof *intern->slot);
	for (uint32_t i = 0; i < intern->count; i++)
		*find_slot(intern, &intern->keys[i]) = i + 1;
}

uint32_t wm_intern(struct wm_intern *intern, const void *bytes, size_t count)
{
	if (intern->count >= intern->slot_count / 2)
		grow(intern);
	struct wm_intern_key key = {bytes, count, hash_of(bytes, count)};
	uint32_t *slot = find_slot(intern, &key);
	if (*slot)
		return *slot - 1;
	intern->keys = wm_arena_grow(intern->arena, intern->keys, intern->count, &intern->capacity,
		sizeof *intern->keys);
	void *copy = wm_arena_alloc_unset(intern->arena, count + 1, 1);
	if (count)
		memcpy(copy, bytes, count);
	((char *)copy)[count] = '\0';
	key.bytes = copy;
	intern->keys[intern->count] = key;
	*slot = ++intern->count;
	return intern->count - 1;
}

uint32_t wm_intern_text(struct wm_intern *intern, const char *text)
{
	return wm_intern(intern, text, strlen(text));
}
