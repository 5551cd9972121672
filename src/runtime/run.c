/* Claiming tables of the file.
 *
 * A new one is appended: its head is complete before the chunk becomes a part of the file, so that
 * a process that is killed in between leaves nothing behind.
 *
 * A run that changes hands keeps its keys, and so spares the next process to enter them again; what
 * was counted becomes `earlier`, cell by cell in one 16-byte store, so that no moment exists in
 * which a sum is wrong, and a process is known to have counted nothing yet.
 */
#define _GNU_SOURCE
#include "runtime/run.h"

#include "runtime/chunk.h"
#include "runtime/cell.h"
#include "runtime/system.h"

/* The largest table of at least so many cells that nobody counts into; 0 for none. */
static uint64_t find_abandoned(const struct wm_file *file, uint64_t cells, uint64_t *span)
{
	struct wm_chunk_header chunk;
	uint64_t found = 0;
	*span = wm_table_span(file->unit_bytes, cells) - 1;
	for (uint64_t number = WM_FILE_TOTALS_UNITS; number < file->unit_count;
		number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk) ||
			wm_chunk_next(number, &chunk) > file->unit_count)
			break;
		if (chunk.kind != WM_CHUNK_TABLE || chunk.span <= *span ||
			!wm_chunk_is_abandoned(&chunk))
			continue;
		found = number;
		*span = chunk.span;
	}
	return found;
}

static int map_run(const struct wm_file *file, uint64_t number, uint64_t span, struct wm_run *run)
{
	*run = (struct wm_run){.number = number, .bytes = span * file->unit_bytes};
	run->header = wm_system_map(
		NULL, run->bytes, MAP_SHARED, file->descriptor, wm_file_offset(file, number));
	if (!run->header)
		return -1;
	wm_system_expect_random(run->header, run->bytes);
	return 0;
}

static void sign(struct wm_chunk_header *header, const struct wm_chunk_header *owner)
{
	header->process = owner->process;
	header->process_start = owner->process_start;
	header->pid_namespace = owner->pid_namespace;
	__atomic_store_n(&header->state, WM_CHUNK_ACTIVE, __ATOMIC_RELEASE);
}

static void change_hands(struct wm_run *run)
{
	struct wm_chunk_header *header = run->header;
	struct wm_table_cell *cell = wm_run_cells(run);
	struct wm_table_part part = wm_table_part(header, wm_run_cell_count(run));
	__atomic_store_n(&header->state, WM_CHUNK_RELEASED, __ATOMIC_RELEASE);
	__atomic_store_n(&header->handovers, header->handovers | 1, __ATOMIC_RELEASE);
	for (uint64_t i = 0; i < part.first + part.count; i++)
		if (cell[i].count)
			wm_cell_close(&cell[i]);
	__atomic_store_n(&header->handovers, header->handovers + 1, __ATOMIC_RELEASE);
}

/* The size of the file when it was last searched in vain. Many threads that start at once need not
 * all do the same: it is searched again when it is twice as large. */
static uint64_t searched;

void wm_run_search_again(void)
{
	searched = 0;
}

static int adopt(const struct wm_file *file, uint64_t cells, const struct wm_chunk_header *owner,
	struct wm_run *run)
{
	uint64_t span;
	if (file->unit_count < 2 * searched)
		return -1;
	uint64_t number = find_abandoned(file, cells, &span);
	if (!number)
		searched = file->unit_count;
	if (!number || map_run(file, number, span, run))
		return -1;
	change_hands(run);
	sign(run->header, owner);
	return 0;
}

/* The head of an empty table, of which so many cells are used first. */
static void start_table(
	struct wm_run *run, uint64_t span, uint64_t cells, const struct wm_chunk_header *owner)
{
	int has_parts = 2 * cells <= wm_run_cell_count(run);
	*run->header = (struct wm_chunk_header){.kind = WM_CHUNK_TABLE,
		.ended = 1,
		.part_log2 = has_parts ? (uint8_t)__builtin_ctzll(cells) : 0,
		.span = (uint32_t)span};
	sign(run->header, owner);
}

static int append(struct wm_file *file, uint64_t cells, const struct wm_chunk_header *owner,
	struct wm_run *run)
{
	uint64_t span = wm_table_span(file->unit_bytes, cells);
	if (wm_file_reserve(file, span) || map_run(file, file->unit_count, span, run))
		return -1;
	start_table(run, span, cells, owner);
	if (!wm_file_append(file, span))
		return 0;
	wm_system_unmap(run->header, run->bytes);
	return -1;
}

int wm_run_claim(const struct wm_object *object, const char *name, uint64_t cells,
	const struct wm_chunk_header *owner, struct wm_run *run)
{
	struct wm_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	int status = adopt(&file, cells, owner, run);
	if (status)
		status = append(&file, cells, owner, run);
	wm_file_close(&file);
	return status;
}

/* Shared, so that a second mapping of it can be made. */
int wm_run_in_memory(const struct wm_object *object, uint64_t cells,
	const struct wm_chunk_header *owner, struct wm_run *run)
{
	uint64_t unit_bytes = wm_file_unit_bytes(object->counter_bytes);
	uint64_t span = wm_table_span(unit_bytes, cells);
	*run = (struct wm_run){.bytes = span * unit_bytes};
	run->header = wm_system_map(NULL, run->bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!run->header)
		return -1;
	start_table(run, span, cells, owner);
	return 0;
}

/* Writes the run behind the last chunk; what is written there becomes a part of the file. */
static int write_new(struct wm_file *file, struct wm_run *run)
{
	const struct wm_chunk_header *header = wm_run_header(run);
	if (wm_file_reserve(file, header->span) ||
		wm_file_write(file, header, run->bytes, wm_file_offset(file, file->unit_count)))
		return -1;
	run->saved = file->unit_count;
	return wm_file_append(file, header->span);
}

int wm_run_save(const struct wm_object *object, const char *name, struct wm_run *run)
{
	struct wm_file file;
	struct wm_chunk_header *header = wm_run_header(run);
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	int status = wm_chunk_is_own(&file, run->saved, header)
			     ? wm_file_write(
				       &file, header, run->bytes, wm_file_offset(&file, run->saved))
			     : write_new(&file, run);
	wm_file_close(&file);
	return status;
}

int wm_run_pause(struct wm_run *run)
{
	void *kept = wm_system_remap(run->header, 0, run->bytes, NULL);
	if (!kept)
		return -1;
	if (!wm_system_map(run->header, run->bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
		wm_system_unmap(kept, run->bytes);
		return -1;
	}
	run->kept = kept;
	return 0;
}

int wm_run_resume(struct wm_run *run)
{
	if (!run->kept)
		return 0;
	if (!wm_system_remap(run->kept, run->bytes, run->bytes, run->header))
		return -1;
	run->kept = NULL;
	return 0;
}

static void release_run(struct wm_run *run)
{
	if (run->number)
		__atomic_store_n(&wm_run_header(run)->state, WM_CHUNK_RELEASED, __ATOMIC_RELEASE);
}

/* The run is let go of only when nothing counts into it any more. */
int wm_run_park(struct wm_run *run, int release)
{
	if (!run->kept && wm_run_pause(run))
		return -1;
	if (release)
		release_run(run);
	wm_system_unmap(run->kept, run->bytes);
	run->kept = NULL;
	run->number = run->saved = 0;
	run->parked = 1;
	return 0;
}

void wm_run_drop(struct wm_run *run, int release)
{
	if (release)
		release_run(run);
	wm_system_unmap(run->header, run->bytes);
	if (run->kept)
		wm_system_unmap(run->kept, run->bytes);
	*run = (struct wm_run){0};
}
