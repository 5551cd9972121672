/* The counts of one object, from all of its chunks; format/profile_file.h says what stands in them.
 *
 * The file may be written to while it is read. Two things can go wrong. A chunk may be folded into
 * the totals between reading the one and the other. A fold changes `commit`. A second fold may
 * change it back, but it changes the checksum of the current totals. So the sum is good if both are
 * the same before and after, and is made again if not. And a table may change hands: its header
 * says so before and after. If the process that was taking it over died, it says so for ever. */
#include "profile/reader.h"

#include <stdbool.h>
#include <string.h>

#include "format/table_cell.h"

enum { ATTEMPTS = 100, BUFFER_COUNTERS = 8192, BUFFER_CELLS = 2048 };

/* What every fold changes. */
struct state {
	uint64_t commit;
	struct wm_chunk_header totals; /* head of the current ones */
};

/* A running fingerprint of counters. */
struct digest {
	uint64_t hash;
	uint64_t bits; /* all counters or'ed */
};

static uint64_t totals_offset(const struct wm_reader *reader, uint64_t commit)
{
	return reader->totals_offset + WM_COMMIT_TOTALS(commit) * reader->chunk_bytes;
}

static int read_state(struct wm_reader *reader, struct state *state)
{
	int status =
		wm_reader_read(reader, &state->commit, sizeof state->commit, reader->commit_offset);
	if (status == 0)
		status = wm_reader_count_units(reader);
	if (status < 0)
		return status;
	uint32_t folded = WM_COMMIT_FOLDED(state->commit);
	if (state->commit >> 32 || folded >= reader->unit_count || folded == 1)
		return wm_reader_damaged(
			reader, "the header is damaged: it names a chunk that is not there");
	return wm_reader_read(
		reader, &state->totals, sizeof state->totals, totals_offset(reader, state->commit));
}

/* Adds the counters of the chunk that starts there. */
static int add_counters(struct wm_reader *reader, uint64_t chunk, struct digest *digest)
{
	uint64_t buffer[BUFFER_COUNTERS];
	struct wm_file *file = reader->file;
	uint64_t offset = chunk + WM_CHUNK_HEADER_BYTES;
	for (uint64_t first = 0; first < file->counter_count; first += BUFFER_COUNTERS) {
		uint64_t left = file->counter_count - first;
		size_t count = left < BUFFER_COUNTERS ? (size_t)left : BUFFER_COUNTERS;
		int status =
			wm_reader_read(reader, buffer, count * sizeof *buffer, offset + first * 8);
		if (status < 0)
			return status;
		digest->hash = wm_file_hash_words(digest->hash, buffer, count);
		for (size_t i = 0; i < count; i++) {
			file->counter[first + i] += buffer[i];
			digest->bits |= buffer[i];
		}
	}
	return 0;
}

static int add_totals(struct wm_reader *reader, const struct state *state)
{
	const struct wm_chunk_header *totals = &state->totals;
	struct wm_file *file = reader->file;
	struct digest digest = {.hash = wm_file_totals_hash(totals)};
	int status = add_counters(reader, totals_offset(reader, state->commit), &digest);
	if (status < 0)
		return status;
	bool written = totals->kind || totals->runs || totals->cut_short || totals->status ||
		       totals->checksum;
	if (written && (totals->kind != WM_CHUNK_TOTALS || totals->state != WM_CHUNK_UNOWNED ||
			       totals->span != 1))
		return wm_reader_damaged(reader, "the totals are damaged: they are no totals");
	if (written ? digest.hash != totals->checksum : digest.bits != 0)
		return wm_reader_damaged(
			reader, "the totals are damaged: their checksum does not match");
	file->runs += totals->runs;
	file->cut_short += totals->cut_short;
	file->status |= totals->status;
	return 0;
}

static void reserve_owner(struct wm_file *file)
{
	if (file->owner_count < file->owner_capacity)
		return;
	uint32_t capacity = file->owner_capacity ? 2 * file->owner_capacity : 16;
	struct wm_file_owner *owners = wm_arena_alloc(file->arena, capacity, sizeof *owners);
	if (file->owner_count)
		memcpy(owners, file->owners, file->owner_count * sizeof *owners);
	file->owners = owners;
	file->owner_capacity = capacity;
}

/* The owner's entry; chunks of one process often follow each other. */
static struct wm_file_owner *enter_owner(struct wm_file *file, const struct wm_owner *owner)
{
	for (uint32_t i = file->owner_count; i-- > 0;)
		if (wm_owner_equal(&file->owners[i].owner, owner))
			return &file->owners[i];
	reserve_owner(file);
	struct wm_file_owner *entry = &file->owners[file->owner_count++];
	*entry = (struct wm_file_owner){.owner = *owner, .gone = wm_owner_is_gone(owner)};
	return entry;
}

static void enter_thread(struct wm_file *file, const struct wm_chunk_header *chunk)
{
	struct wm_owner owner = wm_owner_of_chunk(chunk);
	struct wm_file_owner *entry = enter_owner(file, &owner);
	bool left = entry->gone || chunk->state == WM_CHUNK_RELEASED;
	entry->chunk_count++;
	entry->thread_count += chunk->thread != 0;
	entry->ended_count += chunk->thread != 0 && chunk->ended;
	entry->running += !chunk->ended && !left;
	file->running += !chunk->ended && !left;
	file->cut_short += !chunk->ended && left;
	file->runs += chunk->runs;
	file->status |= chunk->status;
}

/* A chunk that a process has released is no longer its own: it may be folded at any time. */
static bool is_wanted(const struct wm_reader *reader, const struct wm_chunk_header *chunk)
{
	return !reader->only ||
	       (chunk->state == WM_CHUNK_ACTIVE && wm_owner_has_chunk(reader->only, chunk));
}

static int check_cell(struct wm_reader *reader, const struct wm_table_cell *cell)
{
	uint64_t distance = cell->place - WM_CHUNK_HEADER_BYTES;
	if (cell->place < WM_CHUNK_HEADER_BYTES || distance % sizeof(uint64_t) != 0 ||
		distance / sizeof(uint64_t) >= reader->file->counter_count)
		return wm_reader_damaged(
			reader, "a table is damaged: it names a counter that is not there");
	return 0;
}

/* A cell that holds only its place so far has counted nothing. */
static int add_cell(struct wm_reader *reader, const struct wm_table_cell *cell)
{
	int status = check_cell(reader, cell);
	uint64_t count = cell->count + (reader->only ? 0 : cell->earlier);
	if (status == 0 && count != 0)
		wm_entries_add(&reader->entries,
			(struct wm_file_entry){
				.counter = (cell->place - WM_CHUNK_HEADER_BYTES) / sizeof(uint64_t),
				.key = cell->key,
				.count = count});
	return status;
}

/* Reads the cells of a table; `wanted` or not, they must make sense. */
static int add_cells(struct wm_reader *reader, uint64_t offset, uint64_t cells, bool wanted)
{
	struct wm_table_cell buffer[BUFFER_CELLS];
	for (uint64_t first = 0; first < cells; first += BUFFER_CELLS) {
		uint64_t left = cells - first;
		size_t count = left < BUFFER_CELLS ? (size_t)left : BUFFER_CELLS;
		int status = wm_reader_read(
			reader, buffer, count * sizeof *buffer, offset + first * sizeof *buffer);
		for (size_t i = 0; i < count && status == 0; i++)
			if (buffer[i].place != 0)
				status = wanted ? add_cell(reader, &buffer[i])
						: check_cell(reader, &buffer[i]);
		if (status < 0)
			return status;
	}
	return 0;
}

static int add_table(struct wm_reader *reader, uint32_t number, const struct wm_chunk_header *table)
{
	struct wm_chunk_header after;
	uint64_t offset = wm_reader_offset(reader, number);
	int status = add_cells(reader, offset + WM_CHUNK_HEADER_BYTES,
		wm_table_cells(reader->unit_bytes, table->span), is_wanted(reader, table));
	if (status == 0)
		status = wm_reader_read(reader, &after, sizeof after, offset);
	if (status == 0 && (table->handovers % 2 != 0 || memcmp(table, &after, sizeof after) != 0))
		reader->unsettled = true;
	return status;
}

static int add_thread(
	struct wm_reader *reader, uint32_t number, const struct wm_chunk_header *chunk)
{
	struct digest unused = {0};
	if (!is_wanted(reader, chunk))
		return 0;
	enter_thread(reader->file, chunk);
	return add_counters(reader, wm_reader_offset(reader, number), &unused);
}

static bool is_of_library(const struct wm_chunk_header *chunk)
{
	return chunk->kind == WM_CHUNK_LIBRARY_COUNTERS || chunk->kind == WM_CHUNK_LIBRARY_TABLE;
}

/* Whether the chunk counts for the object that is read. */
static bool is_own(const struct wm_reader *reader, const struct wm_chunk_header *chunk)
{
	return (is_of_library(chunk) ? chunk->library : 0) == reader->library;
}

/* Chunks that were found in an earlier attempt are not forgotten: a file never loses one. */
static void note(struct wm_reader *reader, uint32_t number, uint32_t **list, uint32_t *count,
	uint32_t *capacity)
{
	if (*count && (*list)[*count - 1] >= number)
		return;
	if (*count == *capacity) {
		*capacity = *capacity ? 2 * *capacity : 8;
		uint32_t *more = wm_arena_alloc(reader->arena, *capacity, sizeof *more);
		if (*count)
			memcpy(more, *list, *count * sizeof *more);
		*list = more;
	}
	(*list)[(*count)++] = number;
}

/* A library's chunk stands before those of its threads. */
static void note_library(struct wm_reader *reader, uint32_t number)
{
	note(reader, number, &reader->libraries, &reader->library_count, &reader->library_capacity);
}

static void note_packed(struct wm_reader *reader, uint32_t number)
{
	note(reader, number, &reader->packed, &reader->packed_count, &reader->packed_capacity);
}

static bool has_library(const struct wm_reader *reader, const struct wm_chunk_header *chunk)
{
	for (uint32_t i = 0; i < reader->library_count; i++)
		if (reader->libraries[i] == chunk->library)
			return true;
	return false;
}

/* The units that counters of the object take. */
static uint64_t counters_span(const struct wm_reader *reader)
{
	return wm_file_span(reader->unit_bytes, reader->chunk_bytes);
}

/* What is wrong with the head of a chunk behind the totals; NULL if nothing is. Of a head of an
 * unknown kind only the size is checked. */
static const char *find_damage(
	const struct wm_reader *reader, const struct wm_chunk_header *chunk, uint64_t units_left)
{
	bool is_owned = chunk->state == WM_CHUNK_ACTIVE || chunk->state == WM_CHUNK_RELEASED;
	bool is_counting = chunk->kind >= WM_CHUNK_COUNTERS &&
			   chunk->kind <= WM_CHUNK_LIBRARY_TABLE && chunk->kind != WM_CHUNK_LIBRARY;
	bool is_counters =
		chunk->kind == WM_CHUNK_COUNTERS || chunk->kind == WM_CHUNK_LIBRARY_COUNTERS;
	if (wm_chunk_span(chunk) > units_left)
		return "a chunk is damaged: it is larger than the file";
	if (chunk->kind != WM_CHUNK_FREE && chunk->span == 0)
		return "a chunk is damaged: it takes no space";
	if (chunk->kind == WM_CHUNK_TOTALS)
		return "a chunk is damaged: it holds totals, whose place is in front";
	if (is_of_library(chunk) && !has_library(reader, chunk))
		return "a chunk is damaged: the library that it belongs to is not there";
	if (is_counters && is_own(reader, chunk) && chunk->span != counters_span(reader))
		return "a chunk is damaged: its size is not that of the counters in it";
	if (is_counting && !is_owned)
		return "a chunk is damaged: its state is out of range";
	return NULL;
}

/* Adds the chunk that starts there, and says which one comes next. */
static int add_chunk(struct wm_reader *reader, uint32_t folded, uint32_t *index)
{
	struct wm_chunk_header chunk;
	uint32_t number = *index;
	int status = wm_reader_read(reader, &chunk, sizeof chunk, wm_reader_offset(reader, number));
	if (status < 0)
		return status;
	const char *damage = find_damage(reader, &chunk, reader->unit_count - number);
	if (damage)
		return wm_reader_damaged(reader, damage);
	*index += (uint32_t)wm_chunk_span(&chunk);
	switch (chunk.kind) {
	case WM_CHUNK_FREE:
		return 0;
	case WM_CHUNK_LIBRARY:
		note_library(reader, number);
		return 0;
	case WM_CHUNK_KEPT:
	case WM_CHUNK_TEXT:
		note_packed(reader, number);
		return 0;
	case WM_CHUNK_COUNTERS:
	case WM_CHUNK_LIBRARY_COUNTERS:
		return number == folded || !is_own(reader, &chunk)
			       ? 0
			       : add_thread(reader, number, &chunk);
	case WM_CHUNK_TABLE:
	case WM_CHUNK_LIBRARY_TABLE:
		return is_own(reader, &chunk) ? add_table(reader, number, &chunk) : 0;
	default:
		reader->file->unknown_kinds[chunk.kind] = true;
		return 0;
	}
}

static void clear_sum(struct wm_reader *reader)
{
	struct wm_file *file = reader->file;
	memset(file->counter, 0, file->counter_count * sizeof *file->counter);
	file->runs = file->cut_short = file->running = 0;
	file->status = file->owner_count = 0;
	memset(file->unknown_kinds, 0, sizeof file->unknown_kinds);
	reader->entries.count = 0;
	reader->unsettled = false;
}

static int add_chunks(struct wm_reader *reader, const struct state *state)
{
	clear_sum(reader);
	int status = reader->only ? 0 : add_totals(reader, state);
	uint32_t folded = WM_COMMIT_FOLDED(state->commit);
	for (uint32_t i = WM_FILE_TOTALS_UNITS; i < reader->unit_count && status == 0;)
		status = add_chunk(reader, folded, &i);
	return status;
}

/* What looks damaged may only have been read while it changed. */
static int sum_up(struct wm_reader *reader)
{
	struct state before, after;
	int status = read_state(reader, &before);
	for (int attempt = 0; status == 0 && attempt < ATTEMPTS; attempt++) {
		int outcome = add_chunks(reader, &before);
		status = read_state(reader, &after);
		if (status < 0)
			return status;
		if (memcmp(&before, &after, sizeof before) == 0 &&
			(!reader->unsettled || attempt == ATTEMPTS - 1))
			return outcome;
		before = after;
	}
	if (status < 0)
		return status;
	return wm_error_set(reader->error, WM_ERROR_SYSTEM,
		"%s: changes faster than it can be read; try again when fewer programs run",
		reader->path);
}

int wm_reader_sum(struct wm_reader *reader)
{
	int status = sum_up(reader);
	if (status == 0) {
		wm_entries_settle(&reader->entries);
		wm_entries_give(&reader->entries, reader->file);
	}
	wm_entries_free(&reader->entries);
	return status;
}
