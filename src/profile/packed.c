/* Few pieces: they are looked through. Texts start with a head of words, so that they and records
 * stay aligned. */
#include "profile/packed.h"

#include <string.h>

#include "profile/kept.h"

/* Starts a text; its path with an end mark and zero bytes up to a multiple of 8 follows, then the
 * text. */
struct text_head {
	uint64_t modified;
	uint64_t path_bytes; /* as they stand in the piece */
};

static bool read_text(const struct wm_bytes *content, struct wm_packed_text *text)
{
	struct text_head head;
	if (content->count < sizeof head)
		return false;
	memcpy(&head, content->data, sizeof head);
	const uint8_t *path = content->data + sizeof head;
	if (head.path_bytes > content->count - sizeof head || head.path_bytes % 8 != 0 ||
		!memchr(path, 0, head.path_bytes))
		return false;
	*text = (struct wm_packed_text){.path = (const char *)path,
		.modified = head.modified,
		.text = {path + head.path_bytes, content->count - sizeof head - head.path_bytes}};
	return true;
}

static bool same_text(const struct wm_bytes *left, const struct wm_bytes *right)
{
	struct wm_packed_text a, b;
	return read_text(left, &a) && read_text(right, &b) && strcmp(a.path, b.path) == 0 &&
	       a.text.count == b.text.count && memcmp(a.text.data, b.text.data, a.text.count) == 0;
}

static bool same_piece(const struct wm_packed_piece *left, const struct wm_packed_piece *right)
{
	if (left->kind != right->kind)
		return false;
	return left->kind == WM_CHUNK_KEPT ? wm_kept_same_object(&left->content, &right->content)
					   : same_text(&left->content, &right->content);
}

bool wm_packed_add(
	struct wm_arena *arena, struct wm_packed *packed, const struct wm_packed_piece *piece)
{
	if (!same_piece(piece, piece))
		return false;
	for (size_t i = 0; i < packed->count; i++)
		if (same_piece(&packed->pieces[i], piece))
			return true;
	uint8_t *copy = wm_arena_alloc_unset(arena, piece->content.count, 1);
	if (piece->content.count)
		memcpy(copy, piece->content.data, piece->content.count);
	packed->pieces = wm_arena_grow(
		arena, packed->pieces, packed->count, &packed->capacity, sizeof *packed->pieces);
	packed->pieces[packed->count++] =
		(struct wm_packed_piece){piece->kind, {copy, piece->content.count}};
	return true;
}

struct wm_packed_piece wm_packed_text_make(
	struct wm_arena *arena, const struct wm_packed_text *text)
{
	const struct text_head head = {text->modified, (strlen(text->path) + 8) & ~(size_t)7};
	size_t count = sizeof head + head.path_bytes + text->text.count;
	uint8_t *bytes = wm_arena_alloc(arena, count, 1);
	memcpy(bytes, &head, sizeof head);
	memcpy(bytes + sizeof head, text->path, strlen(text->path));
	if (text->text.count)
		memcpy(bytes + sizeof head + head.path_bytes, text->text.data, text->text.count);
	return (struct wm_packed_piece){WM_CHUNK_TEXT, {bytes, count}};
}

bool wm_packed_next_text(
	const struct wm_packed *packed, const char *path, size_t *next, struct wm_packed_text *text)
{
	while (*next < packed->count) {
		const struct wm_packed_piece *piece = &packed->pieces[(*next)++];
		if (piece->kind == WM_CHUNK_TEXT && read_text(&piece->content, text) &&
			strcmp(text->path, path) == 0)
			return true;
	}
	return false;
}

struct wm_bytes wm_packed_record(
	const struct wm_packed *packed, const uint8_t *build_id, uint32_t build_id_bytes)
{
	for (size_t i = 0; i < packed->count; i++) {
		const struct wm_packed_piece *piece = &packed->pieces[i];
		if (piece->kind == WM_CHUNK_KEPT &&
			wm_kept_is_of(&piece->content, build_id, build_id_bytes))
			return piece->content;
	}
	return (struct wm_bytes){.data = NULL};
}
