/* Counts follow from counters by sums, so those of one chunk of counters can be derived alone, and
 * those of all chunks add up to the whole. Counters by key belong to a process: functions that have
 * any are left out. */
#include "profile/threads.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/reader.h"
#include "profile/solve.h"

struct splitter {
	struct wm_arena *arena;
	const struct wm_profile *profile;
	struct wm_reader reader;
	uint64_t *counter; /* of one chunk; room for those of any object */
	bool **keyed;	   /* by object and function */
	struct wm_threads threads;
	size_t capacity;
};

/* Each object of the profile; one that was chosen has itself only. */
static const struct wm_profile *part_of(const struct wm_profile *profile, uint32_t index)
{
	return profile->part_count ? &profile->parts[index] : profile;
}

static uint32_t count_parts(const struct wm_profile *profile)
{
	return profile->part_count ? profile->part_count : 1;
}

static void find_keyed(struct splitter *splitter)
{
	uint32_t count = count_parts(splitter->profile);
	splitter->keyed = wm_arena_alloc(splitter->arena, count, sizeof *splitter->keyed);
	for (uint32_t p = 0; p < count; p++) {
		const struct wm_profile *part = part_of(splitter->profile, p);
		bool *keyed = wm_arena_alloc(splitter->arena, part->function_count, sizeof *keyed);
		for (uint32_t i = 0; i < part->function_count; i++) {
			const struct wm_object_function *source = &part->object.functions[i];
			uint64_t end = source->first_counter + source->function.counter_count;
			uint64_t at = wm_file_first_entry(&part->file, source->first_counter);
			keyed[i] =
				at < part->file.entry_count && part->file.entries[at].counter < end;
			if (keyed[i])
				splitter->threads.by_key += part->functions[i].instructions;
		}
		splitter->keyed[p] = keyed;
	}
}

static bool is_counted(const uint64_t *counter, const struct wm_object_function *source)
{
	for (uint32_t i = 0; i < source->function.counter_count; i++)
		if (counter[source->first_counter + i] != 0)
			return true;
	return false;
}

static struct wm_thread *find_thread(struct splitter *splitter, const struct wm_chunk_header *chunk)
{
	struct wm_threads *threads = &splitter->threads;
	for (size_t i = threads->count; i-- > 0;)
		if (threads->threads[i].thread == chunk->thread &&
			threads->threads[i].process == chunk->process)
			return &threads->threads[i];
	threads->threads = wm_arena_grow(splitter->arena, threads->threads, threads->count,
		&splitter->capacity, sizeof *threads->threads);
	struct wm_thread *thread = &threads->threads[threads->count++];
	*thread = (struct wm_thread){
		.process = chunk->process, .thread = chunk->thread, .ended = chunk->ended};
	return thread;
}

/* Adds what the counters say of the object's functions. */
static int add_counts(struct splitter *splitter, uint32_t index, struct wm_thread *thread)
{
	const struct wm_profile *part = part_of(splitter->profile, index);
	struct wm_arena scratch = {0};
	struct wm_file alone = part->file;
	int status = 0;
	alone.counter = splitter->counter;
	alone.entry_count = 0;
	for (uint32_t i = 0; i < part->function_count && status == 0; i++) {
		const struct wm_object_function *source = &part->object.functions[i];
		struct wm_profile_function result = {.function = &source->function};
		if (splitter->keyed[index][i] || !is_counted(splitter->counter, source))
			continue;
		status = wm_solve_function(&scratch, &scratch, &alone, source->first_counter,
			&result, splitter->reader.error);
		if (status == 0)
			wm_profile_sum_function(&result);
		thread->instructions += result.instructions;
		if ((int64_t)result.instructions > (int64_t)thread->hottest_instructions) {
			thread->hottest_instructions = result.instructions;
			thread->hottest = &part->functions[i];
		}
		wm_arena_reset(&scratch);
	}
	return status;
}

/* The object that the chunk counts for; WM_NONE as an index if it is not in the profile. */
static uint32_t find_part(const struct splitter *splitter, const struct wm_chunk_header *chunk)
{
	uint64_t library = chunk->kind == WM_CHUNK_LIBRARY_COUNTERS ? chunk->library : 0;
	uint32_t count = count_parts(splitter->profile), i = 0;
	while (i < count && part_of(splitter->profile, i)->file.number != library)
		i++;
	return i;
}

static int add_chunk(
	struct splitter *splitter, uint64_t number, const struct wm_chunk_header *chunk)
{
	uint32_t index = find_part(splitter, chunk);
	if (index == count_parts(splitter->profile) || chunk->thread == 0)
		return 0;
	size_t bytes = part_of(splitter->profile, index)->file.counter_count * sizeof(uint64_t);
	int status = wm_reader_read(&splitter->reader, splitter->counter, bytes,
		wm_reader_offset(&splitter->reader, number) + WM_CHUNK_HEADER_BYTES);
	if (status < 0)
		return status;
	struct wm_thread *thread = find_thread(splitter, chunk);
	if (chunk->handovers > thread->before)
		thread->before = chunk->handovers;
	thread->ended |= chunk->ended;
	return add_counts(splitter, index, thread);
}

/* Whether the chunk is in its object's totals already. */
static int is_folded(struct splitter *splitter, uint64_t number,
	const struct wm_chunk_header *chunk, bool *folded)
{
	struct wm_reader *reader = &splitter->reader;
	uint64_t commit, offset = reader->commit_offset;
	if (chunk->kind == WM_CHUNK_LIBRARY_COUNTERS)
		offset = wm_reader_offset(reader, chunk->library) + WM_CHUNK_HEADER_BYTES +
			 offsetof(struct wm_library_header, commit);
	int status = wm_reader_read(reader, &commit, sizeof commit, offset);
	*folded = status == 0 && WM_COMMIT_FOLDED(commit) == number;
	return status;
}

static int add_chunks(struct splitter *splitter)
{
	struct wm_reader *reader = &splitter->reader;
	int status = wm_reader_count_units(reader);
	for (uint64_t number = WM_FILE_TOTALS_UNITS; status == 0 && number < reader->unit_count;) {
		struct wm_chunk_header chunk;
		bool folded = false;
		status = wm_reader_read(
			reader, &chunk, sizeof chunk, wm_reader_offset(reader, number));
		bool counts =
			chunk.kind == WM_CHUNK_COUNTERS || chunk.kind == WM_CHUNK_LIBRARY_COUNTERS;
		if (status == 0 && counts)
			status = is_folded(splitter, number, &chunk, &folded);
		if (status == 0 && counts && !folded)
			status = add_chunk(splitter, number, &chunk);
		number += wm_chunk_span(&chunk);
	}
	return status;
}

static int compare_threads(const void *left, const void *right)
{
	const struct wm_thread *a = left, *b = right;
	if (a->instructions != b->instructions)
		return a->instructions > b->instructions ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static void finish(struct splitter *splitter)
{
	struct wm_threads *threads = &splitter->threads;
	uint64_t sum = threads->by_key;
	for (size_t i = 0; i < threads->count; i++)
		sum += threads->threads[i].instructions;
	threads->rest = (int64_t)(splitter->profile->instructions - sum);
	if (threads->count > 0)
		qsort(threads->threads, threads->count, sizeof *threads->threads, compare_threads);
}

int wm_threads_read(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_threads *threads, struct wm_error *error)
{
	struct wm_file identity = {.arena = arena};
	struct splitter splitter = {.arena = arena,
		.profile = profile,
		.reader = {.arena = arena,
			.path = profile->file.path,
			.file = &identity,
			.error = error}};
	uint64_t most = 0;
	for (uint32_t i = 0; i < count_parts(profile); i++)
		if (part_of(profile, i)->file.counter_count > most)
			most = part_of(profile, i)->file.counter_count;
	splitter.counter = wm_arena_alloc(arena, most, sizeof *splitter.counter);
	find_keyed(&splitter);
	int status = wm_reader_open(&splitter.reader);
	if (status < 0)
		return status;
	status = wm_reader_identify(&splitter.reader);
	if (status == 0 && profile->file.number == 0 &&
		!wm_build_id_equal(&identity.build_id, &profile->file.build_id))
		status = wm_error_set(error, WM_ERROR_MISMATCH,
			"%s: was replaced while it was read", profile->file.path);
	if (status == 0)
		status = add_chunks(&splitter);
	close(splitter.reader.descriptor);
	finish(&splitter);
	*threads = splitter.threads;
	return status;
}
