/* Writing and reading of priors. Writer and reader of a part stand side by side. */
#include "format/prior.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/profile_file.h"

/* The profile ---------------------------------------------------------------------------------- */

static void put_hot_function(
	struct wm_encoder *encoder, const struct wm_prior_hot_function *function)
{
	wm_encode_text(encoder, function->name);
	wm_encode_number(encoder, function->cfg_hash);
	wm_encode_number(encoder, function->id_count);
	for (uint32_t i = 0; i < function->id_count; i++)
		wm_encode_long(encoder, function->ids[i]);
}

static struct wm_prior_hot_function get_hot_function(struct wm_decoder *decoder)
{
	struct wm_prior_hot_function function;
	function.name = wm_decode_text(decoder);
	function.cfg_hash = wm_decode_number(decoder);
	function.id_count = wm_decode_count(decoder, 2);
	uint64_t *ids = wm_arena_alloc(decoder->arena, function.id_count, sizeof *ids);
	for (uint32_t i = 0; i < function.id_count; i++)
		ids[i] = wm_decode_long(decoder);
	function.ids = ids;
	return function;
}

static uint64_t bits_of(double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof bits);
	return bits;
}

static void put_share(struct wm_encoder *encoder, const struct wm_prior_share *share)
{
	wm_encode_long(encoder, bits_of(share->percent));
	wm_encode_number(encoder, share->function_count);
	for (uint32_t i = 0; i < share->function_count; i++)
		put_hot_function(encoder, &share->functions[i]);
}

static struct wm_prior_share get_share(struct wm_decoder *decoder)
{
	struct wm_prior_share share;
	uint64_t bits = wm_decode_long(decoder);
	memcpy(&share.percent, &bits, sizeof bits);
	share.function_count = wm_decode_count(decoder, 3);
	struct wm_prior_hot_function *functions =
		wm_arena_alloc(decoder->arena, share.function_count, sizeof *functions);
	for (uint32_t i = 0; i < share.function_count; i++)
		functions[i] = get_hot_function(decoder);
	share.functions = functions;
	return share;
}

static void put_profile(struct wm_encoder *encoder, const struct wm_prior_content *content)
{
	wm_encode_text(encoder, content->failure ? content->failure : "");
	wm_encode_text(encoder, content->without_hot ? content->without_hot : "");
	wm_encode_number(encoder, content->share_count);
	for (uint32_t i = 0; i < content->share_count; i++)
		put_share(encoder, &content->shares[i]);
}

static const char *get_reason(struct wm_decoder *decoder)
{
	const char *reason = wm_decode_text(decoder);
	return reason[0] ? reason : NULL;
}

static void get_profile(struct wm_decoder *decoder, struct wm_prior *prior)
{
	prior->failure = get_reason(decoder);
	prior->without_hot = get_reason(decoder);
	prior->share_count = wm_decode_count(decoder, 3);
	struct wm_prior_share *shares =
		wm_arena_alloc(decoder->arena, prior->share_count, sizeof *shares);
	for (uint32_t i = 0; i < prior->share_count; i++)
		shares[i] = get_share(decoder);
	prior->shares = shares;
}

/* Functions ------------------------------------------------------------------------------------ */

static bool is_zero(const uint64_t *counts, uint32_t count)
{
	for (uint32_t i = 0; counts && i < count; i++)
		if (counts[i])
			return false;
	return true;
}

static uint32_t flags_of(const struct wm_prior_function *function)
{
	bool idle = is_zero(function->block, function->block_count) &&
		    is_zero(function->edge, function->edge_count);
	return (function->flags & WM_PRIOR_PEELED) | (function->block ? WM_PRIOR_BLOCKS : 0) |
	       (function->edge ? WM_PRIOR_EDGES : 0) | (function->paths ? WM_PRIOR_PATHS : 0) |
	       (idle ? WM_PRIOR_IDLE : 0);
}

static void put_counts(struct wm_encoder *encoder, const uint64_t *counts, uint32_t count)
{
	for (uint32_t i = 0; counts && i < count; i++)
		wm_encode_long(encoder, counts[i]);
}

static void put_function(struct wm_encoder *encoder, const struct wm_prior_function *function)
{
	uint32_t flags = flags_of(function);
	wm_encode_text(encoder, function->name);
	wm_encode_text(encoder, function->file);
	wm_encode_number(encoder, flags);
	wm_encode_number(encoder, function->block_count);
	wm_encode_number(encoder, function->edge_count);
	wm_encode_long(encoder, function->graph);
	wm_encode_number(encoder, function->cfg_hash);
	if (!(flags & WM_PRIOR_IDLE)) {
		put_counts(encoder, function->block, function->block_count);
		put_counts(encoder, function->edge, function->edge_count);
	}
	if (!function->paths)
		return;
	wm_encode_number(encoder, function->path_count);
	for (uint32_t i = 0; i < function->path_count; i++) {
		wm_encode_long(encoder, function->paths[i].id);
		wm_encode_long(encoder, function->paths[i].count);
	}
}

static void get_function(struct wm_decoder *decoder, struct wm_prior_function *function)
{
	*function = (struct wm_prior_function){.name = wm_decode_text(decoder)};
	function->file = wm_decode_text(decoder);
	function->flags = wm_decode_number(decoder);
	function->block_count = wm_decode_number(decoder);
	function->edge_count = wm_decode_number(decoder);
	function->graph = wm_decode_long(decoder);
	function->cfg_hash = wm_decode_number(decoder);
}

static const uint64_t *get_counts(
	struct wm_decoder *decoder, const struct wm_prior_function *function, uint32_t count)
{
	uint64_t *counts = wm_arena_alloc(decoder->arena, count, sizeof *counts);
	for (uint32_t i = 0; !(function->flags & WM_PRIOR_IDLE) && i < count; i++)
		counts[i] = wm_decode_long(decoder);
	return counts;
}

bool wm_prior_counts(struct wm_arena *arena, struct wm_prior_record *record)
{
	struct wm_prior_function *function = &record->function;
	struct wm_decoder *decoder = &record->rest;
	decoder->arena = arena;
	if (function->flags & WM_PRIOR_BLOCKS)
		function->block = get_counts(decoder, function, function->block_count);
	if (function->flags & WM_PRIOR_EDGES)
		function->edge = get_counts(decoder, function, function->edge_count);
	if (function->flags & WM_PRIOR_PATHS) {
		function->path_count = wm_decode_count(decoder, 4);
		struct wm_prior_path *paths =
			wm_arena_alloc(arena, function->path_count, sizeof *paths);
		for (uint32_t i = 0; i < function->path_count; i++) {
			paths[i].id = wm_decode_long(decoder);
			paths[i].count = wm_decode_long(decoder);
		}
		function->paths = paths;
	}
	return !decoder->failed;
}

uint64_t wm_prior_graph_hash(const struct wm_function *function)
{
	uint64_t hash = WM_HASH_START;
	for (uint32_t e = 0; e < function->edge_count; e++) {
		const uint64_t words[] = {function->edge_source[e], function->edge_target[e],
			function->edge_flags[e] & WM_EDGE_ABANDONED};
		hash = wm_file_hash_words(hash, words, 3);
	}
	return hash;
}

/* The file ------------------------------------------------------------------------------------- */

static const uint8_t magic[] = WM_PRIOR_MAGIC;

static uint64_t hash_of(const char *name)
{
	return wm_description_hash((const uint8_t *)name, strlen(name));
}

static int compare_entries(const void *left, const void *right)
{
	const struct wm_prior_entry *a = left, *b = right;
	if (a->name_hash != b->name_hash)
		return a->name_hash < b->name_hash ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Of everything behind the field. */
static uint64_t checksum_of(const uint8_t *bytes, size_t size)
{
	uint64_t hash = WM_HASH_START;
	for (size_t i = offsetof(struct wm_prior_head, function_count); i < size; i += 8) {
		uint64_t word;
		memcpy(&word, bytes + i, sizeof word);
		hash = wm_file_hash_words(hash, &word, 1);
	}
	return hash;
}

static void put_functions(struct wm_encoder *encoder, const struct wm_prior_content *content,
	size_t records_start, struct wm_prior_entry *index)
{
	for (uint32_t i = 0; i < content->function_count; i++) {
		size_t start = encoder->used;
		put_function(encoder, &content->functions[i]);
		index[i] = (struct wm_prior_entry){hash_of(content->functions[i].name),
			(uint32_t)(records_start + start), (uint32_t)(encoder->used - start)};
	}
	if (content->function_count)
		qsort(index, content->function_count, sizeof *index, compare_entries);
}

const uint8_t *wm_prior_encode(
	struct wm_arena *arena, uint64_t key, const struct wm_prior_content *content, size_t *bytes)
{
	struct wm_encoder body = {.arena = arena};
	struct wm_prior_head head = {.key = key, .function_count = content->function_count};
	size_t index_bytes = content->function_count * sizeof(struct wm_prior_entry);
	struct wm_prior_entry *index =
		wm_arena_alloc(arena, content->function_count, sizeof *index);
	put_profile(&body, content);
	put_functions(&body, content, sizeof head + index_bytes, index);
	head.bytes = (sizeof head + index_bytes + body.used + 7) & ~(size_t)7;
	memcpy(head.magic, magic, sizeof head.magic);
	uint8_t *file = wm_arena_alloc(arena, head.bytes, 1);
	if (index_bytes)
		memcpy(file + sizeof head, index, index_bytes);
	memcpy(file + sizeof head + index_bytes, body.bytes, body.used);
	memcpy(file, &head, sizeof head);
	head.checksum = checksum_of(file, head.bytes);
	memcpy(file, &head, sizeof head);
	*bytes = head.bytes;
	return file;
}

static const char *fault_of(const struct wm_prior_head *head, const uint8_t *bytes, size_t size)
{
	if (memcmp(head->magic, magic, sizeof head->magic))
		return "it is of another version, or something else";
	if (head->bytes != size || size % 8)
		return "it is truncated";
	if (head->checksum != checksum_of(bytes, size))
		return "its checksum does not match";
	if (head->function_count > (size - sizeof *head) / sizeof(struct wm_prior_entry))
		return "its index is longer than the file";
	return NULL;
}

int wm_prior_read(struct wm_arena *arena, const uint8_t *bytes, size_t size, struct wm_prior *prior,
	struct wm_error *error)
{
	struct wm_prior_head head;
	if (size < sizeof head)
		return wm_error_set(error, WM_ERROR_INPUT, "it is too short");
	memcpy(&head, bytes, sizeof head);
	const char *fault = fault_of(&head, bytes, size);
	if (fault)
		return wm_error_set(error, WM_ERROR_INPUT, "%s", fault);
	struct wm_decoder decoder = {.arena = arena,
		.next = bytes + sizeof head + head.function_count * sizeof(struct wm_prior_entry),
		.end = bytes + size};
	*prior = (struct wm_prior){.bytes = bytes,
		.size = size,
		.key = head.key,
		.function_count = (uint32_t)head.function_count};
	get_profile(&decoder, prior);
	return decoder.failed ? wm_error_set(error, WM_ERROR_INPUT, "%s", decoder.failed) : 0;
}

static int read_all(int descriptor, struct wm_arena *arena, const uint8_t **bytes, size_t *size)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0)
		return -1;
	uint8_t *buffer = wm_arena_alloc_unset(arena, (size_t)status.st_size, 1);
	*size = 0;
	while (*size < (size_t)status.st_size) {
		ssize_t got = read(descriptor, buffer + *size, (size_t)status.st_size - *size);
		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		*size += got > 0 ? (size_t)got : 0;
	}
	*bytes = buffer;
	return 0;
}

int wm_prior_load(
	struct wm_arena *arena, const char *path, struct wm_prior *prior, struct wm_error *error)
{
	const uint8_t *bytes = NULL;
	size_t size = 0;
	struct wm_error reason;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	int status = descriptor < 0 ? -1 : read_all(descriptor, arena, &bytes, &size);
	int refusal = errno;
	if (descriptor >= 0)
		close(descriptor);
	if (status)
		return wm_error_set(
			error, WM_ERROR_SYSTEM, "cannot read '%s': %s", path, strerror(refusal));
	if (!wm_prior_read(arena, bytes, size, prior, &reason))
		return 0;
	return wm_error_set(
		error, WM_ERROR_INPUT, "%s: this prior cannot be used: %.400s", path, reason.text);
}

static struct wm_prior_entry entry_of(const struct wm_prior *prior, uint32_t number)
{
	struct wm_prior_entry entry;
	memcpy(&entry, prior->bytes + sizeof(struct wm_prior_head) + number * sizeof entry,
		sizeof entry);
	return entry;
}

uint32_t wm_prior_first(const struct wm_prior *prior, const char *name)
{
	uint32_t low = 0, high = prior->function_count;
	uint64_t hash = hash_of(name);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (entry_of(prior, middle).name_hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool wm_prior_next(struct wm_arena *arena, const struct wm_prior *prior, const char *name,
	uint32_t *number, struct wm_prior_record *record)
{
	uint64_t hash = hash_of(name);
	while (*number < prior->function_count) {
		struct wm_prior_entry entry = entry_of(prior, *number);
		if (entry.name_hash != hash || entry.offset > prior->size ||
			entry.bytes > prior->size - entry.offset)
			return false;
		++*number;
		record->rest = (struct wm_decoder){.arena = arena,
			.next = prior->bytes + entry.offset,
			.end = prior->bytes + entry.offset + entry.bytes};
		get_function(&record->rest, &record->function);
		if (record->rest.failed)
			return false;
		if (!strcmp(record->function.name, name))
			return true;
	}
	return false;
}
