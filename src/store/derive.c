/* From the counters of runs to the paths that they took.
 *
 * Each run of a batch is joined with its objects, but only functions that counted something are
 * solved; and what one function counted is solved once, since runs of tests are much alike. The
 * batch is then added to the tables in one transaction: what several hosts derive is summed there
 * by the database. A run that another process has derived meanwhile sends the batch back. */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>
#include <string.h>

#include "core/base/md5.h"
#include "profile/kept.h"
#include "profile/solve.h"
#include "store/parts.h"

enum { BATCH = 512, MEMO_LIMIT = 1 << 20, START_ITEMS = 1 << 12 };

const char *const wm_store_part_names[WM_STORE_PARTS] = {[WM_PART_PATH] = "path",
	[WM_PART_EARLY] = "early",
	[WM_PART_BLOCK] = "block",
	[WM_PART_OTHERS] = "others"};

/* A place that ran, and how often. */
struct place {
	enum wm_store_part part;
	uint64_t id;
	int64_t count;
};

/* What a function did where it counted this. */
struct known {
	struct wm_md5 counted;
	size_t count;
	struct place *places;
	struct known *next;
};

struct subject {
	struct subject *next;
	int64_t id;
	struct wm_object object;
	int64_t *functions; /* by place: its id */
	uint32_t *order;    /* functions by their first counter */
	struct wm_file file;
	struct known **memo; /* MEMO of them */
};

enum { MEMO = 1 << 14, KINDS = 2 };

static const char *const kind_names[KINDS] = {"test", "field"};

/* What the batch adds to one place of one function. */
struct sum {
	int64_t function;
	enum wm_store_part part;
	uint64_t id;
	int64_t counts[KINDS], runs[KINDS], first[KINDS], last[KINDS];
	struct wm_run_ranges added;
};

struct deriver {
	struct wm_store *store;
	struct wm_arena arena; /* of subjects and the memo */
	struct wm_arena batch;
	size_t known; /* places in the memo */
	struct subject *subjects;
	size_t sum_count, sum_room;
	struct sum *sums;
	uint32_t *slots; /* of a hash table: index into sums plus 1 */
	size_t slot_count;
	const struct wm_store_run *run; /* at hand */
	struct wm_error *error;
};

static int take_member(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct subject *subject = context;
	(void)error;
	if (row[0].number >= 0 && row[0].number < subject->object.function_count)
		subject->functions[row[0].number] = row[1].number;
	return 0;
}

int wm_store_object_read(struct wm_arena *arena, struct wm_store *store, int64_t id,
	struct wm_object *object, struct wm_error *error)
{
	struct wm_stored_object *stored;
	struct wm_error reason;
	size_t count;
	int status = wm_store_objects(arena, store, id, true, &stored, &count, error);
	if (status < 0)
		return status;
	if (count != 1)
		return wm_store_damaged(store, "a run is of no program", error);
	if (wm_kept_read(arena, &stored->record, stored->path, object, &reason) < 0)
		return wm_store_damaged(store, reason.text, error);
	return 0;
}

static int compare_first(const void *left, const void *right, void *context)
{
	const struct wm_object_function *functions = context;
	uint64_t a = functions[*(const uint32_t *)left].first_counter;
	uint64_t b = functions[*(const uint32_t *)right].first_counter;
	return (a > b) - (a < b);
}

static void sort_functions(struct wm_arena *arena, struct subject *subject)
{
	uint32_t count = subject->object.function_count;
	subject->order = wm_arena_alloc(arena, count, sizeof *subject->order);
	for (uint32_t i = 0; i < count; i++)
		subject->order[i] = i;
	if (count)
		qsort_r(subject->order, count, sizeof *subject->order, compare_first,
			subject->object.functions);
}

static int open_subject(struct deriver *deriver, int64_t id, struct subject **result)
{
	struct subject *subject = deriver->subjects;
	while (subject && subject->id != id)
		subject = subject->next;
	*result = subject;
	if (subject)
		return 0;
	struct wm_arena *arena = &deriver->arena;
	subject = wm_arena_alloc(arena, 1, sizeof *subject);
	subject->id = id;
	int status = wm_store_object_read(
		arena, deriver->store, id, &subject->object, deriver->error);
	if (status < 0)
		return status;
	subject->functions =
		wm_arena_alloc(arena, subject->object.function_count, sizeof(int64_t));
	const struct wm_value value = wm_value_number(id);
	status = wm_database_query(deriver->store->database,
		"SELECT place, function FROM member WHERE object = $1", &value, 1, take_member,
		subject, deriver->error);
	sort_functions(arena, subject);
	subject->memo = wm_arena_alloc(arena, MEMO, sizeof *subject->memo);
	subject->file = (struct wm_file){.path = wm_store_place(deriver->store),
		.arena = arena,
		.counter_count = subject->object.counter_count,
		.counter = wm_arena_alloc(
			arena, subject->object.counter_count, sizeof(uint64_t))};
	subject->next = deriver->subjects;
	deriver->subjects = subject;
	*result = subject;
	return status;
}

static uint64_t hash_of(int64_t function, enum wm_store_part part, uint64_t id)
{
	uint64_t hash = (uint64_t)function * 0x9e3779b97f4a7c15u + id;
	hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u + part;
	return hash ^ hash >> 32;
}

static void make_room(struct deriver *deriver)
{
	if (2 * deriver->sum_count < deriver->slot_count)
		return;
	size_t slots = deriver->slot_count ? 2 * deriver->slot_count : 2 * START_ITEMS;
	deriver->slots = wm_arena_alloc(&deriver->batch, slots, sizeof *deriver->slots);
	deriver->slot_count = slots;
	for (size_t i = 0; i < deriver->sum_count; i++) {
		const struct sum *sum = &deriver->sums[i];
		size_t slot = hash_of(sum->function, sum->part, sum->id) & (slots - 1);
		while (deriver->slots[slot])
			slot = (slot + 1) & (slots - 1);
		deriver->slots[slot] = (uint32_t)i + 1;
	}
}

static struct sum *find_sum(
	struct deriver *deriver, int64_t function, enum wm_store_part part, uint64_t id)
{
	make_room(deriver);
	size_t slot = hash_of(function, part, id) & (deriver->slot_count - 1);
	for (; deriver->slots[slot]; slot = (slot + 1) & (deriver->slot_count - 1)) {
		struct sum *sum = &deriver->sums[deriver->slots[slot] - 1];
		if (sum->function == function && sum->part == part && sum->id == id)
			return sum;
	}
	deriver->sums = wm_arena_grow(&deriver->batch, deriver->sums, deriver->sum_count,
		&deriver->sum_room, sizeof *deriver->sums);
	deriver->slots[slot] = (uint32_t)deriver->sum_count + 1;
	struct sum *sum = &deriver->sums[deriver->sum_count++];
	*sum = (struct sum){.function = function, .part = part, .id = id};
	return sum;
}

/* A place is taken in a run if its count is above zero: labels and forks also count below. */
static void add_place(struct deriver *deriver, int64_t function, const struct place *place)
{
	const struct wm_store_run *run = deriver->run;
	struct sum *sum = find_sum(deriver, function, place->part, place->id);
	int kind = strcmp(run->kind, kind_names[1]) == 0;
	sum->counts[kind] += place->count;
	if (place->count <= 0)
		return;
	size_t before = sum->added.count ? (size_t)sum->added.ranges[sum->added.count - 1].last : 0;
	wm_run_ranges_append(&deriver->batch, &sum->added, run->id);
	if (before == (size_t)run->id)
		return; /* another function of this name and code */
	if (!sum->runs[kind] || run->started < sum->first[kind])
		sum->first[kind] = run->started;
	if (!sum->runs[kind] || run->started > sum->last[kind])
		sum->last[kind] = run->started;
	sum->runs[kind]++;
}

static struct known *keep(struct deriver *deriver, const struct wm_profile_function *result)
{
	struct known *known = wm_arena_alloc(&deriver->arena, 1, sizeof *known);
	uint32_t blocks = result->paths || !result->block ? 0 : result->function->block_count;
	known->places = wm_arena_alloc(
		&deriver->arena, result->path_count + blocks + 1, sizeof *known->places);
	for (uint32_t i = 0; i < result->path_count; i++)
		known->places[known->count++] = (struct place){
			result->paths[i].partial ? WM_PART_EARLY : WM_PART_PATH,
			result->paths[i].id, (int64_t)result->paths[i].count};
	for (uint32_t i = 0; i < blocks; i++)
		if (result->block[i])
			known->places[known->count++] =
				(struct place){WM_PART_BLOCK, i, (int64_t)result->block[i]};
	if (result->others)
		known->places[known->count++] =
			(struct place){WM_PART_OTHERS, 0, (int64_t)result->others};
	deriver->known += known->count + 1;
	return known;
}

/* What the function counted, as bytes; equal bytes are equal counts. */
static struct wm_md5 fingerprint(struct wm_arena *scratch, const struct subject *subject,
	uint32_t place, const struct wm_file_entry *entries, size_t entry_count)
{
	const struct wm_object_function *function = &subject->object.functions[place];
	size_t counters = function->function.counter_count;
	uint64_t *words = wm_arena_alloc(
		scratch, 1 + counters + 3 * entry_count, sizeof *words);
	words[0] = place;
	memcpy(words + 1, subject->file.counter + function->first_counter,
		counters * sizeof *words);
	memcpy(words + 1 + counters, entries, entry_count * sizeof *entries);
	return wm_md5(words, (1 + counters + 3 * entry_count) * sizeof *words);
}

static int solve(struct deriver *deriver, struct subject *subject, uint32_t place,
	struct known **known)
{
	struct wm_arena arena = {0}, scratch = {0};
	struct wm_error reason;
	const struct wm_object_function *function = &subject->object.functions[place];
	struct wm_profile_function result = {.function = &function->function};
	int status = wm_solve_function(
		&arena, &scratch, &subject->file, function->first_counter, &result, &reason);
	if (status == 0)
		*known = keep(deriver, &result);
	else
		wm_store_damaged(deriver->store, reason.text, deriver->error);
	wm_arena_reset(&arena);
	wm_arena_reset(&scratch);
	return status;
}

static int derive_function(struct deriver *deriver, struct subject *subject, uint32_t place,
	const struct wm_file_entry *entries, size_t entry_count)
{
	struct wm_arena scratch = {0};
	const struct wm_md5 counted =
		fingerprint(&scratch, subject, place, entries, entry_count);
	wm_arena_reset(&scratch);
	uint32_t slot;
	memcpy(&slot, counted.byte, sizeof slot);
	struct known **first = &subject->memo[slot % MEMO], *known = *first;
	while (known && !wm_md5_equal(&known->counted, &counted))
		known = known->next;
	if (!known) {
		int status = solve(deriver, subject, place, &known);
		if (status < 0)
			return status;
		known->counted = counted;
		known->next = *first;
		*first = known;
	}
	for (size_t i = 0; i < known->count; i++)
		add_place(deriver, subject->functions[place], &known->places[i]);
	return 0;
}

/* The functions that counted something: counters and entries are both in rising order. */
static int derive_functions(
	struct deriver *deriver, struct subject *subject, const struct wm_sparse *sparse)
{
	size_t counter = 0, entry = 0;
	int status = 0;
	for (uint32_t i = 0; i < subject->object.function_count && status == 0; i++) {
		uint32_t place = subject->order[i];
		const struct wm_object_function *function = &subject->object.functions[place];
		uint64_t end = function->first_counter + function->function.counter_count;
		size_t first_counter = counter, first_entry = entry;
		while (counter < sparse->counter_count && sparse->counters[counter] < end)
			counter++;
		while (entry < sparse->entry_count && sparse->entries[entry].counter < end)
			entry++;
		if (counter > first_counter || entry > first_entry)
			status = derive_function(deriver, subject, place,
				subject->file.entries + first_entry, entry - first_entry);
	}
	return status;
}

static int derive_raw(struct deriver *deriver, const struct wm_value *row)
{
	struct wm_arena scratch = {0};
	struct wm_bytes record;
	struct wm_sparse sparse;
	struct subject *subject;
	int status = open_subject(deriver, row[1].number, &subject);
	if (status < 0)
		return status;
	const char *reason = "counters of a run are no record";
	if (wm_pressed_open(&scratch, &row[3], &record))
		reason = wm_sparse_decode(&scratch, record.data, record.count, &sparse);
	if (!reason && sparse.length != subject->file.counter_count)
		reason = "a run has other counters than its program";
	if (reason) {
		wm_arena_reset(&scratch);
		return wm_store_damaged(deriver->store, reason, deriver->error);
	}
	struct wm_file *file = &subject->file;
	file->entries = wm_arena_alloc(&scratch, sparse.entry_count, sizeof *file->entries);
	file->entry_count = sparse.entry_count;
	for (uint64_t i = 0; i < sparse.entry_count; i++)
		file->entries[i] = (struct wm_file_entry){sparse.entries[i].counter,
			sparse.entries[i].key, sparse.entries[i].count};
	for (uint64_t i = 0; i < sparse.counter_count; i++)
		file->counter[sparse.counters[i]] = sparse.values[i];
	status = derive_functions(deriver, subject, &sparse);
	for (uint64_t i = 0; i < sparse.counter_count; i++)
		file->counter[sparse.counters[i]] = 0;
	wm_arena_reset(&scratch);
	return status;
}

static int take_raw(void *context, const struct wm_value *row, struct wm_error *error)
{
	(void)error;
	return derive_raw(context, row);
}

static int take_old(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct wm_value *old = context;
	(void)error;
	void *copy = malloc(row[0].size + 1);
	if (copy)
		memcpy(copy, row[0].bytes, row[0].size);
	free((void *)old->bytes);
	*old = wm_value_bytes(copy, copy ? row[0].size : 0);
	return 0;
}

/* Adds the runs of the batch to those that have taken the place. */
static int put_taken(struct deriver *deriver, const struct sum *sum, struct wm_arena *scratch)
{
	struct wm_run_ranges ranges = {0};
	struct wm_value old = {.kind = WM_VALUE_NONE};
	struct wm_value values[] = {wm_value_number(sum->function),
		wm_value_text(wm_store_part_names[sum->part]), wm_value_number((int64_t)sum->id),
		wm_value_bytes(NULL, 0)};
	int status = wm_database_query(deriver->store->database,
		"SELECT runs FROM taken WHERE function = $1 AND part = $2 AND path = $3", values, 3,
		take_old, &old, deriver->error);
	if (status == 0 && old.bytes &&
		!wm_run_ranges_decode(scratch, old.bytes, old.size, &ranges))
		status = wm_store_damaged(
			deriver->store, "a set of runs makes no sense", deriver->error);
	free((void *)old.bytes);
	for (size_t i = 0; i < sum->added.count; i++)
		for (int64_t id = sum->added.ranges[i].first; id <= sum->added.ranges[i].last; id++)
			wm_run_ranges_add(scratch, &ranges, id);
	const struct wm_bytes bytes = wm_run_ranges_encode(scratch, &ranges);
	values[3] = wm_value_bytes(bytes.data, bytes.count);
	return status < 0 ? status
			  : wm_database_run(deriver->store->database,
				    "INSERT INTO taken(function, part, path, runs)"
				    " VALUES($1, $2, $3, $4) ON CONFLICT(function, part, path)"
				    " DO UPDATE SET runs = excluded.runs",
				    values, 4, NULL, deriver->error);
}

static int put_total(struct deriver *deriver, const struct sum *sum, int kind)
{
	const struct wm_value values[] = {wm_value_number(sum->function),
		wm_value_text(wm_store_part_names[sum->part]), wm_value_number((int64_t)sum->id),
		wm_value_text(kind_names[kind]), wm_value_number(sum->counts[kind]),
		wm_value_number(sum->runs[kind]), wm_value_number(sum->first[kind]),
		wm_value_number(sum->last[kind])};
	if (!sum->runs[kind] && !sum->counts[kind])
		return 0;
	return wm_database_run(deriver->store->database,
		"INSERT INTO total(function, part, path, kind, count, runs, first, last)"
		" VALUES($1, $2, $3, $4, $5, $6, $7, $8)"
		" ON CONFLICT(function, part, path, kind) DO UPDATE SET"
		" count = total.count + excluded.count, runs = total.runs + excluded.runs,"
		" first = CASE WHEN excluded.runs > 0 AND"
		" (total.runs = 0 OR excluded.first < total.first)"
		" THEN excluded.first ELSE total.first END,"
		" last = CASE WHEN excluded.last > total.last"
		" THEN excluded.last ELSE total.last END",
		values, 8, NULL, deriver->error);
}

static int put_sums(struct deriver *deriver)
{
	struct wm_arena scratch = {0};
	int status = 0;
	for (size_t i = 0; i < deriver->sum_count && status == 0; i++) {
		const struct sum *sum = &deriver->sums[i];
		for (int kind = 0; kind < KINDS && status == 0; kind++)
			status = put_total(deriver, sum, kind);
		if (status == 0 && sum->added.count)
			status = put_taken(deriver, sum, &scratch);
		if (i % 256 == 0)
			wm_arena_reset(&scratch);
	}
	wm_arena_reset(&scratch);
	return status;
}

/* Marks the runs; *ours is false if one of them is gone or was derived meanwhile. */
static int claim(
	struct deriver *deriver, const struct wm_store_run *runs, size_t count, bool *ours)
{
	int status = 0;
	for (size_t i = 0; i < count && status == 0; i++) {
		uint64_t changed;
		const struct wm_value value = wm_value_number(runs[i].id);
		status = wm_database_run(deriver->store->database,
			"UPDATE run SET derived = 1 WHERE id = $1 AND derived = 0", &value, 1,
			&changed, deriver->error);
		*ours &= changed == 1;
	}
	return status;
}

enum { TRY_AGAIN = -100 };

static int put_batch(struct deriver *deriver, const struct wm_store_run *runs, size_t count)
{
	bool ours = true;
	int status = wm_database_begin(deriver->store->database, true, deriver->error);
	if (status < 0)
		return status;
	status = claim(deriver, runs, count, &ours);
	if (status == 0)
		status = ours ? put_sums(deriver) : TRY_AGAIN;
	return wm_database_end(deriver->store->database, status, deriver->error);
}

static int derive_batch(struct deriver *deriver, const struct wm_store_run *runs, size_t count)
{
	int status = 0;
	for (size_t i = 0; i < count && status == 0; i++) {
		const struct wm_value value = wm_value_number(runs[i].id);
		deriver->run = &runs[i];
		status = wm_database_query(deriver->store->database,
			"SELECT run, object, executions, counters FROM raw WHERE run = $1", &value,
			1, take_raw, deriver, deriver->error);
	}
	return status < 0 ? status : put_batch(deriver, runs, count);
}

struct waiting {
	struct wm_arena *arena;
	size_t count;
	struct wm_store_run *runs;
};

static int take_waiting(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct waiting *waiting = context;
	(void)error;
	bool is_field = row[1].kind == WM_VALUE_TEXT && strcmp(row[1].bytes, kind_names[1]) == 0;
	if (waiting->count < BATCH)
		waiting->runs[waiting->count++] = (struct wm_store_run){.id = row[0].number,
			.kind = kind_names[is_field],
			.started = row[2].number};
	return 0;
}

/* Objects and what is known of their functions are dropped when they take too much. */
static void forget(struct deriver *deriver, bool all)
{
	wm_arena_reset(&deriver->batch);
	deriver->sums = NULL;
	deriver->slots = NULL;
	deriver->sum_count = deriver->sum_room = deriver->slot_count = 0;
	if (!all && deriver->known < MEMO_LIMIT)
		return;
	wm_arena_reset(&deriver->arena);
	deriver->subjects = NULL;
	deriver->known = 0;
}

static int next_batch(struct deriver *deriver, size_t *count)
{
	struct waiting waiting = {.arena = &deriver->batch,
		.runs = wm_arena_alloc(&deriver->batch, BATCH, sizeof(struct wm_store_run))};
	int status = wm_database_query(deriver->store->database,
		"SELECT id, kind, started FROM run WHERE derived = 0 ORDER BY id LIMIT 512", NULL,
		0, take_waiting, &waiting, deriver->error);
	*count = waiting.count;
	if (status == 0 && waiting.count)
		status = derive_batch(deriver, waiting.runs, waiting.count);
	forget(deriver, false);
	return status;
}

int wm_store_derive(struct wm_store *store, const struct wm_store_progress *progress,
	struct wm_error *error)
{
	struct deriver deriver = {.store = store, .error = error};
	int64_t total;
	size_t done = 0, count = 1;
	int status = wm_database_number(store->database,
		"SELECT count(*) FROM run WHERE derived = 0", NULL, 0, &total, error);
	while (status == 0 && total > 0 && count > 0) {
		status = next_batch(&deriver, &count);
		if (status == TRY_AGAIN) {
			status = 0;
			continue;
		}
		done += count;
		if (progress && count && status == 0)
			progress->tell(progress->context, done, (size_t)total);
	}
	forget(&deriver, true);
	return status;
}
