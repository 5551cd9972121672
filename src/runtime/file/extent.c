/* Claiming tables of the file.
 *
 * A new one is appended: its head is complete before the chunk becomes a part of the file, so that
 * a process that is killed in between leaves nothing behind.
 *
 * An extent that changes hands keeps its keys, so that the next process need not enter them again.
 * What was counted becomes `earlier`, cell by cell in one 16-byte store: no moment exists in which
 * a sum is wrong, and the next process has counted nothing yet.
 */
#define _GNU_SOURCE
#include "runtime/file/extent.h"

#include "runtime/file/chunk.h"
#include "runtime/count/cell.h"
#include "runtime/system.h"

static uint8_t table_kind(const struct wm_own_object *object)
{
	return wm_object_is_guest(object) ? WM_CHUNK_LIBRARY_TABLE : WM_CHUNK_TABLE;
}

/* Whether the object that counts into the file has counted there. */
static int is_table(const struct wm_locked_file *file, const struct wm_chunk_header *chunk)
{
	return chunk->kind == table_kind(file->object) && chunk->library == file->library;
}

static uint8_t order_of(const struct wm_chunk_header *chunk)
{
	return chunk->part_log2 >= WM_TABLE_ORDERED ? chunk->part_log2 : 0;
}

/* The largest such table that no thread counts into, or the next copy of that size; 0 for none. */
static uint64_t find_abandoned(const struct wm_locked_file *file, const struct wm_extent_wish *wish,
	uint64_t first, uint64_t *span)
{
	struct wm_chunk_header chunk;
	uint64_t found = 0, wanted = wm_table_span(file->unit_bytes, wish->cells);
	if (wish->order == WM_TABLE_ORDERED)
		wanted = 1; /* what is in them counts, not their size */
	*span = wanted - 1;
	for (uint64_t number = first; number < file->unit_count && !(found && wish->like);
		number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk) ||
			wm_chunk_next(number, &chunk) > file->unit_count)
			break;
		if (!is_table(file, &chunk) || order_of(&chunk) != wish->order ||
			chunk.span <= *span || (wish->like && chunk.span != wanted) ||
			!wm_chunk_is_abandoned(&chunk))
			continue;
		found = number;
		*span = chunk.span;
	}
	return found;
}

static int map_extent(
	const struct wm_locked_file *file, uint64_t number, uint64_t span, struct wm_extent *extent)
{
	*extent = (struct wm_extent){.number = number, .bytes = span * file->unit_bytes};
	extent->header = wm_system_map(
		NULL, extent->bytes, MAP_SHARED, file->descriptor, wm_file_offset(file, number));
	if (!extent->header)
		return -1;
	wm_system_expect_random(extent->header, extent->bytes);
	return 0;
}

static void sign(struct wm_chunk_header *header, const struct wm_chunk_header *owner)
{
	header->process = owner->process;
	header->process_start = owner->process_start;
	header->pid_namespace = owner->pid_namespace;
	__atomic_store_n(&header->state, WM_CHUNK_ACTIVE, __ATOMIC_RELEASE);
}

static void change_hands(struct wm_extent *extent)
{
	struct wm_chunk_header *header = extent->header;
	struct wm_table_cell *cell = wm_extent_cells(extent);
	struct wm_table_part part = wm_table_part(header, wm_extent_cell_count(extent));
	__atomic_store_n(&header->state, WM_CHUNK_RELEASED, __ATOMIC_RELEASE);
	__atomic_store_n(&header->handovers, header->handovers | 1, __ATOMIC_RELEASE);
	for (uint64_t i = 0; i < part.first + part.count; i++)
		if (cell[i].count)
			wm_cell_close(&cell[i]);
	__atomic_store_n(&header->handovers, header->handovers + 1, __ATOMIC_RELEASE);
}

/* The size of the file when no extent was found in it. The file is searched again only when it is
 * twice as large, so that not each of many threads that start at once searches it. */
static uint64_t searched[2];

void wm_extent_search_again(void)
{
	searched[0] = searched[1] = 0;
}

static int is_named(const struct wm_table_cell *cell)
{
	return cell->place || cell->key;
}

static int has_names_of(const struct wm_extent *extent, const struct wm_extent_wish *wish)
{
	const struct wm_table_cell *cell = wm_extent_cells(extent), *like = wish->like;
	for (uint64_t i = 0; i < wish->like_count; i++)
		if (is_named(&cell[i]) &&
			(cell[i].place != like[i].place || cell[i].key != like[i].key))
			return 0;
	return 1;
}

static void take_names(struct wm_extent *extent, const struct wm_extent_wish *wish)
{
	struct wm_table_cell *cell = wm_extent_cells(extent);
	for (uint64_t i = 0; i < wish->like_count; i++) {
		cell[i].place = wish->like[i].place;
		cell[i].key = wish->like[i].key;
	}
}

static int adopt(const struct wm_locked_file *file, const struct wm_extent_wish *wish,
	const struct wm_chunk_header *owner, struct wm_extent *extent)
{
	uint64_t span, number = WM_FILE_TOTALS_UNITS, *last = &searched[wish->order != 0];
	if (!wish->like && file->unit_count < 2 * *last)
		return -1;
	while ((number = find_abandoned(file, wish, number, &span))) {
		if (map_extent(file, number, span, extent))
			return -1;
		if (has_names_of(extent, wish))
			break;
		wm_system_unmap(extent->header, extent->bytes);
		number += span;
	}
	if (!number) {
		*last = file->unit_count;
		return -1;
	}
	change_hands(extent);
	sign(extent->header, owner);
	take_names(extent, wish);
	return 0;
}

/* Writes the head of an empty table. */
static void start_table(const struct wm_own_object *object, struct wm_extent *extent, uint64_t span,
	const struct wm_extent_wish *wish, const struct wm_chunk_header *owner)
{
	int has_parts = 2 * wish->cells <= wm_extent_cell_count(extent);
	*extent->header = (struct wm_chunk_header){.kind = table_kind(object),
		.ended = 1,
		.part_log2 = wish->order ? wish->order
			     : has_parts ? (uint8_t)__builtin_ctzll(wish->cells)
					 : 0,
		.span = (uint32_t)span};
	sign(extent->header, owner);
	take_names(extent, wish);
}

static int append(struct wm_locked_file *file, const struct wm_extent_wish *wish,
	const struct wm_chunk_header *owner, struct wm_extent *extent)
{
	uint64_t span = wm_table_span(file->unit_bytes, wish->cells);
	if (wm_file_reserve(file, span) || map_extent(file, file->unit_count, span, extent))
		return -1;
	start_table(file->object, extent, span, wish, owner);
	extent->header->library = file->library;
	if (!wm_file_append(file, span))
		return 0;
	wm_system_unmap(extent->header, extent->bytes);
	return -1;
}

int wm_extent_claim(const struct wm_own_object *object, const char *name,
	const struct wm_extent_wish *wish, const struct wm_chunk_header *owner,
	struct wm_extent *extent)
{
	struct wm_locked_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	int status = adopt(&file, wish, owner, extent);
	if (status)
		status = append(&file, wish, owner, extent);
	wm_file_close(&file);
	return status;
}

/* Shared, so that a second mapping of it can be made. */
int wm_extent_in_memory(const struct wm_own_object *object, const struct wm_extent_wish *wish,
	const struct wm_chunk_header *owner, struct wm_extent *extent)
{
	uint64_t unit_bytes = wm_object_unit_bytes(object);
	uint64_t span = wm_table_span(unit_bytes, wish->cells);
	*extent = (struct wm_extent){.bytes = span * unit_bytes};
	extent->header = wm_system_map(NULL, extent->bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!extent->header)
		return -1;
	start_table(object, extent, span, wish, owner);
	return 0;
}

/* Writes the extent behind the last chunk; what is written there becomes a part of the file. */
static int write_new(struct wm_locked_file *file, struct wm_extent *extent)
{
	const struct wm_chunk_header *header = wm_extent_header(extent);
	if (wm_file_reserve(file, header->span) ||
		wm_file_write(file, header, extent->bytes, wm_file_offset(file, file->unit_count)))
		return -1;
	extent->saved = file->unit_count;
	return wm_file_append(file, header->span);
}

int wm_extent_save(const struct wm_own_object *object, const char *name, struct wm_extent *extent)
{
	struct wm_locked_file file;
	struct wm_chunk_header *header = wm_extent_header(extent);
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	header->library = file.library;
	int status = wm_chunk_is_own(&file, extent->saved, header)
			     ? wm_file_write(&file, header, extent->bytes,
				       wm_file_offset(&file, extent->saved))
			     : write_new(&file, extent);
	wm_file_close(&file);
	return status;
}

int wm_extent_pause(struct wm_extent *extent)
{
	void *kept = wm_system_remap(extent->header, 0, extent->bytes, NULL);
	if (!kept)
		return -1;
	if (!wm_system_map(extent->header, extent->bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
		wm_system_unmap(kept, extent->bytes);
		return -1;
	}
	extent->kept = kept;
	return 0;
}

int wm_extent_resume(struct wm_extent *extent)
{
	if (!extent->kept)
		return 0;
	if (!wm_system_remap(extent->kept, extent->bytes, extent->bytes, extent->header))
		return -1;
	extent->kept = NULL;
	return 0;
}

static void release_extent(struct wm_extent *extent)
{
	if (extent->number)
		__atomic_store_n(
			&wm_extent_header(extent)->state, WM_CHUNK_RELEASED, __ATOMIC_RELEASE);
}

/* The extent is let go of only when nothing counts into it any more. */
int wm_extent_park(struct wm_extent *extent, int release)
{
	if (!extent->kept && wm_extent_pause(extent))
		return -1;
	if (release)
		release_extent(extent);
	wm_system_unmap(extent->kept, extent->bytes);
	extent->kept = NULL;
	extent->number = extent->saved = 0;
	extent->parked = 1;
	return 0;
}

void wm_extent_drop(struct wm_extent *extent, int release)
{
	if (release)
		release_extent(extent);
	wm_system_unmap(extent->header, extent->bytes);
	if (extent->kept)
		wm_system_unmap(extent->kept, extent->bytes);
	*extent = (struct wm_extent){0};
}
