/* A prior: its functions are looked up, and what was read is written again and gives the same.
 *
 * Most of what is tried has the wrong size or checksum, so it is also read with both put right.
 */
#include <string.h>

#include "format/prior.h"
#include "format/profile_file.h"
#include "fuzz.h"

enum { MAX_COUNTS = 1 << 16 };

static const char *const names[] = {"f", "g", "main"};

static struct wm_prior_function *look_up(
	struct wm_arena *arena, const struct wm_prior *prior, uint32_t *count)
{
	struct wm_prior_function *found = NULL;
	size_t capacity = 0;
	*count = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct wm_prior_record record;
		uint32_t number = wm_prior_first(prior, names[i]);
		while (wm_prior_next(arena, prior, names[i], &number, &record)) {
			WM_FUZZ_REQUIRE(strcmp(record.function.name, names[i]) == 0);
			if (record.function.block_count > MAX_COUNTS ||
				record.function.edge_count > MAX_COUNTS ||
				!wm_prior_counts(arena, &record))
				continue;
			found = wm_arena_grow(arena, found, *count, &capacity, sizeof *found);
			found[(*count)++] = record.function;
		}
	}
	return found;
}

static void require_same(
	const struct wm_prior_function *functions, const struct wm_prior_function *again)
{
	WM_FUZZ_REQUIRE(strcmp(functions->name, again->name) == 0);
	WM_FUZZ_REQUIRE(functions->path_count == again->path_count);
	WM_FUZZ_REQUIRE(!functions->block == !again->block);
	if (functions->block)
		WM_FUZZ_REQUIRE(memcmp(functions->block, again->block,
					functions->block_count * sizeof *functions->block) == 0);
}

static void require_round_trip(struct wm_arena *arena, const struct wm_prior *prior)
{
	uint32_t count, count_again;
	size_t bytes;
	struct wm_prior again;
	struct wm_error error;
	const struct wm_prior_function *functions = look_up(arena, prior, &count);
	const struct wm_prior_content content = {prior->failure, prior->without_hot,
		prior->share_count, prior->shares, count, functions};
	const uint8_t *file = wm_prior_encode(arena, prior->key, &content, &bytes);
	WM_FUZZ_REQUIRE(wm_prior_read(arena, file, bytes, &again, &error) == 0);
	WM_FUZZ_REQUIRE(again.key == prior->key && again.share_count == prior->share_count);
	const struct wm_prior_function *same = look_up(arena, &again, &count_again);
	WM_FUZZ_REQUIRE(count_again == count);
	for (uint32_t i = 0; i < count; i++)
		require_same(&functions[i], &same[i]);
}

static int try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_prior prior;
	struct wm_error error;
	int status = wm_prior_read(&arena, data, bytes, &prior, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0)
		require_round_trip(&arena, &prior);
	wm_arena_reset(&arena);
	return status;
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_prior_head head;
	int status = try(data, bytes);
	if (status && bytes >= sizeof head) {
		size_t whole = bytes & ~(size_t)7;
		uint64_t *words = wm_arena_alloc(&arena, whole, 1);
		memcpy(words, data, whole);
		memcpy(&head, words, sizeof head);
		size_t before = offsetof(struct wm_prior_head, function_count);
		memcpy(head.magic, WM_PRIOR_MAGIC, sizeof head.magic);
		head.bytes = whole;
		head.checksum =
			wm_file_hash_words(WM_HASH_START, words + before / 8, (whole - before) / 8);
		memcpy(words, &head, sizeof head);
		try((const uint8_t *)words, whole);
	}
	wm_arena_reset(&arena);
	return status;
}
