/* Deltas of functions and paths between two snapshots, in the order in which they explain most. */
#include "report/snapshot_change.h"

#include <stdlib.h>
#include <string.h>

#include "report/place.h"
#include "report/text.h"

struct comparer {
	struct wm_arena *arena;
	const struct wm_snapshot *before;
	struct wm_snapshot *after;
	size_t old_kind;
	size_t new_kind;
	struct wm_sources *sources;
	struct wm_snapshot_change *change;
};

static int64_t known(struct wm_interval count)
{
	return count.low == WM_NO_LOW ? 0 : count.low;
}

static uint64_t size_of(int64_t delta)
{
	return delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int compare_functions(const void *left, const void *right)
{
	const struct wm_snapshot_function *a = *(const struct wm_snapshot_function *const *)left;
	const struct wm_snapshot_function *b = *(const struct wm_snapshot_function *const *)right;
	int order = strcmp(a->name, b->name);
	if (order == 0)
		order = strcmp(base_name(a->file), base_name(b->file));
	return order ? order : (a > b) - (a < b);
}

struct sorted {
	size_t count;
	struct wm_snapshot_function **list;
};

static struct sorted sort(struct wm_arena *arena, const struct wm_snapshot *snapshot,
	bool (*wanted)(const struct wm_snapshot_function *function, const void *context),
	const void *context)
{
	struct sorted sorted = {
		.list = wm_arena_alloc(arena, snapshot->function_count, sizeof *sorted.list)};
	for (size_t i = 0; i < snapshot->function_count; i++)
		if (!wanted || wanted(&snapshot->functions[i], context))
			sorted.list[sorted.count++] = &snapshot->functions[i];
	if (sorted.count > 0)
		qsort(sorted.list, sorted.count, sizeof *sorted.list, compare_functions);
	return sorted;
}

/* A path of either side, keyed by what makes it the same path. */
struct keyed {
	uint64_t id;
	const char *decisions; /* NULL: the id is the key */
	bool new;
	const struct wm_snapshot_path *path;
};

static int compare_keys(const struct keyed *a, const struct keyed *b)
{
	if (a->decisions)
		return strcmp(a->decisions, b->decisions);
	return (a->id > b->id) - (a->id < b->id);
}

static int compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = compare_keys(a, b);
	return order ? order : (a->path > b->path) - (a->path < b->path);
}

static int compare_paths(const void *left, const void *right)
{
	const struct wm_path_change_of *a = left, *b = right;
	uint64_t a_size = size_of(a->delta), b_size = size_of(b->delta);
	if (a_size != b_size)
		return a_size > b_size ? -1 : 1;
	return strcmp(a->source, b->source);
}

static size_t add_keyed(struct keyed *keyed, size_t count,
	const struct wm_snapshot_function *function, bool by_decisions, bool new)
{
	for (size_t i = 0; i < function->path_count; i++) {
		const struct wm_snapshot_path *path = &function->paths[i];
		keyed[count++] =
			(struct keyed){path->id, by_decisions ? path->decisions : NULL, new, path};
	}
	return count;
}

/* One path from all of one key: several can have the same decisions. */
static struct wm_path_change_of join(
	const struct comparer *comparer, const struct keyed *keyed, size_t count)
{
	struct wm_path_change_of change = {.source = ""};
	uint64_t before = 0, after = 0;
	for (size_t i = 0; i < count; i++) {
		const struct wm_snapshot_path *path = keyed[i].path;
		uint64_t each = path->each[keyed[i].new ? comparer->new_kind : comparer->old_kind];
		*(keyed[i].new ? &change.after : &change.before) += path->count;
		*(keyed[i].new ? &change.each_after : &change.each_before) = each;
		*(keyed[i].new ? &after : &before) += each * path->count;
		if (keyed[i].new || !change.decisions)
			change.decisions = path->decisions;
		if (keyed[i].new || !change.source[0])
			change.source = path->source ? path->source : path->decisions;
	}
	change.delta = (int64_t)(after - before);
	return change;
}

/* Whether all decisions of one path are among those of the other, in the same order: then the other
 * went the same route through code with more decisions. */
static bool is_part(const char *part, const char *whole)
{
	static const char between[] = ", ";
	while (*part) {
		size_t bytes = strstr(part, between) ? (size_t)(strstr(part, between) - part)
						     : strlen(part);
		bool same = false;
		if (!*whole)
			return false;
		const char *end = strstr(whole, between);
		size_t other = end ? (size_t)(end - whole) : strlen(whole);
		same = bytes == other && memcmp(part, whole, bytes) == 0;
		whole = end ? end + sizeof between - 1 : whole + other;
		if (same)
			part += part[bytes] ? bytes + sizeof between - 1 : bytes;
	}
	return true;
}

static uint64_t apart(uint64_t left, uint64_t right)
{
	return left > right ? left - right : right - left;
}

/* Of the paths that appeared, the one that took the place of one that is gone; NULL if none did. */
static struct wm_path_change_of *successor(
	const struct wm_function_change_of *function, const struct wm_path_change_of *gone)
{
	struct wm_path_change_of *best = NULL;
	for (size_t i = 0; i < function->path_count; i++) {
		struct wm_path_change_of *new = &function->paths[i];
		if (new->before > 0 || new->after == 0 || !gone->decisions[0] ||
			!(is_part(gone->decisions, new->decisions) ||
				is_part(new->decisions, gone->decisions)))
			continue;
		if (!best || apart(new->after, gone->before) < apart(best->after, gone->before))
			best = new;
	}
	return best;
}

/* Code that was changed has other decisions on the same routes: what is gone and what took its
 * place are one path that moved. */
static void pair_paths(struct wm_function_change_of *function)
{
	size_t kept = 0;
	for (size_t i = 0; i < function->path_count; i++) {
		struct wm_path_change_of *gone = &function->paths[i];
		struct wm_path_change_of *new = gone->after == 0 ? successor(function, gone) : NULL;
		if (!new)
			continue;
		new->before = gone->before;
		new->each_before = gone->each_before;
		new->delta += gone->delta;
		*gone = (struct wm_path_change_of){.source = ""};
	}
	for (size_t i = 0; i < function->path_count; i++) {
		const struct wm_path_change_of *path = &function->paths[i];
		if (path->before != path->after || path->delta != 0)
			function->paths[kept++] = *path;
	}
	function->path_count = kept;
}

/* Sorted by key, those that moved. A path whose executions do the same and as often has not. */
static void add_paths(struct comparer *comparer, struct wm_function_change_of *function)
{
	const struct wm_snapshot_function *before = function->before, *after = function->after;
	size_t room = (before ? before->path_count : 0) + (after ? after->path_count : 0);
	bool by_decisions = !before || !after || before->shape != after->shape;
	struct keyed *keyed = wm_arena_alloc(comparer->arena, room, sizeof *keyed);
	size_t count = before ? add_keyed(keyed, 0, before, by_decisions, false) : 0;
	count = after ? add_keyed(keyed, count, after, by_decisions, true) : count;
	if (count > 0)
		qsort(keyed, count, sizeof *keyed, compare_keyed);
	function->paths = wm_arena_alloc(comparer->arena, room, sizeof *function->paths);
	for (size_t i = 0, same; i < count; i += same) {
		for (same = 1; i + same < count && compare_keys(&keyed[i], &keyed[i + same]) == 0;)
			same++;
		struct wm_path_change_of change = join(comparer, &keyed[i], same);
		if (change.before != change.after || change.delta != 0)
			function->paths[function->path_count++] = change;
	}
	if (function->path_count > 0)
		qsort(function->paths, function->path_count, sizeof *function->paths,
			compare_paths);
	if (by_decisions)
		pair_paths(function);
	if (function->path_count > 0)
		qsort(function->paths, function->path_count, sizeof *function->paths,
			compare_paths);
}

static enum wm_code_change code_change(
	const struct wm_snapshot_function *before, const struct wm_snapshot_function *after)
{
	if (!before || !after)
		return before ? WM_CODE_GONE : WM_CODE_NEW;
	if (before->shape != after->shape)
		return WM_CODE_CHANGED;
	if (!before->code || !after->code)
		return WM_CODE_UNKNOWN;
	return before->code == after->code ? WM_CODE_SAME : WM_CODE_CHANGED;
}

static bool ran(const struct wm_snapshot_function *function, size_t kind)
{
	return function && (function->entered > 0 || known(function->counts[kind]) != 0);
}

static void add(struct comparer *comparer, const struct wm_snapshot_function *before,
	struct wm_snapshot_function *after)
{
	struct wm_snapshot_change *change = comparer->change;
	struct wm_function_change_of function = {.before = before, .after = after};
	change->only_before += !after;
	change->only_after += !before;
	if (!ran(before, comparer->old_kind) && !ran(after, comparer->new_kind))
		return;
	function.code = code_change(before, after);
	function.delta = (after ? known(after->counts[comparer->new_kind]) : 0) -
			 (before ? known(before->counts[comparer->old_kind]) : 0);
	change->delta += function.delta;
	bool other_code = function.code != WM_CODE_SAME && function.code != WM_CODE_UNKNOWN;
	bool other_calls = (before ? before->entered : 0) != (after ? after->entered : 0);
	if (function.delta == 0 && !other_code && !other_calls)
		return;
	if (after && after->live)
		wm_snapshot_add_paths(comparer->arena, comparer->after, after, comparer->sources);
	function.has_paths = (!before || before->has_paths) && (!after || after->has_paths);
	if (function.has_paths)
		add_paths(comparer, &function);
	if (function.delta == 0 && !other_calls && function.path_count == 0)
		return;
	change->same_code &= !other_code;
	change->functions[change->count++] = function;
}

/* Whether the functions are one, given how many have each name: of a single name files do not
 * matter. */
static void merge(struct comparer *comparer, struct sorted old, struct sorted new)
{
	for (size_t i = 0, k = 0; i < old.count || k < new.count;) {
		int order = i == old.count   ? 1
			    : k == new.count ? -1
					     : strcmp(old.list[i]->name, new.list[k]->name);
		bool next_old = i + 1 < old.count && order <= 0 &&
				strcmp(old.list[i]->name, old.list[i + 1]->name) == 0;
		bool next_new = k + 1 < new.count &&order >= 0 &&
				strcmp(new.list[k]->name, new.list[k + 1]->name) == 0;
		if (order == 0 && (next_old || next_new)) {
			int files =
				strcmp(base_name(old.list[i]->file), base_name(new.list[k]->file));
			order = files;
		}
		add(comparer, order <= 0 ? old.list[i] : NULL, order >= 0 ? new.list[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
}

/* Code that was changed, then what moved most in the direction of the whole. */
static int compare_changes(const void *left, const void *right)
{
	const struct wm_function_change_of *a = left, *b = right;
	bool a_changed = a->code != WM_CODE_SAME && a->code != WM_CODE_UNKNOWN;
	bool b_changed = b->code != WM_CODE_SAME && b->code != WM_CODE_UNKNOWN;
	if (a_changed != b_changed)
		return a_changed ? -1 : 1;
	uint64_t a_size = size_of(a->delta), b_size = size_of(b->delta);
	if (a_size != b_size)
		return a_size > b_size ? -1 : 1;
	return strcmp(
		(a->after ? a->after : a->before)->name, (b->after ? b->after : b->before)->name);
}

void wm_snapshot_change_make(struct wm_arena *arena, const struct wm_snapshot *before,
	struct wm_snapshot *after, const char *kind, struct wm_sources *sources,
	bool (*wanted)(const struct wm_snapshot_function *function, const void *context),
	const void *context, struct wm_snapshot_change *change)
{
	*change = (struct wm_snapshot_change){.same_code = true,
		.functions = wm_arena_alloc(arena, before->function_count + after->function_count,
			sizeof *change->functions)};
	struct comparer comparer = {.arena = arena,
		.before = before,
		.after = after,
		.old_kind = wm_snapshot_kind(before, kind),
		.new_kind = wm_snapshot_kind(after, kind),
		.sources = sources,
		.change = change};
	merge(&comparer, sort(arena, before, wanted, context), sort(arena, after, wanted, context));
	if (change->count > 0)
		qsort(change->functions, change->count, sizeof *change->functions, compare_changes);
}

static const char *signed_text(struct wm_arena *arena, int64_t delta)
{
	char *text = wm_arena_alloc(arena, 40, 1);
	sprintf(text, "%s%s", delta < 0 ? "-" : "+", wm_text_count(size_of(delta)).text);
	return text;
}

static void print_calls(uint64_t before, uint64_t after, FILE *out)
{
	if (before == after)
		fprintf(out, "called %s time%s as before", wm_text_count(after).text,
			after == 1 ? "" : "s");
	else
		fprintf(out, "called %s time%s instead of %s", wm_text_count(after).text,
			after == 1 ? "" : "s", wm_text_count(before).text);
}

static void print_function(struct wm_arena *arena, const struct wm_function_change_of *change,
	const char *kind, FILE *out)
{
	static const char *const words[] = {[WM_CODE_SAME] = "same code",
		[WM_CODE_CHANGED] = "changed code",
		[WM_CODE_NEW] = "new",
		[WM_CODE_GONE] = "gone",
		[WM_CODE_UNKNOWN] = "same shape"};
	const struct wm_snapshot_function *function =
		change->after ? change->after : change->before;
	const char *place = wm_place_text(arena, (struct wm_place){function->file, function->line});
	fprintf(out, "  %s (%s): %s, %s %s; ",
		wm_text_clean(arena, wm_text_short_name(arena, function->name)),
		wm_text_clean(arena, place), words[change->code], signed_text(arena, change->delta),
		wm_text_clean(arena, kind));
	print_calls(change->before ? change->before->entered : 0,
		change->after ? change->after->entered : 0, out);
	fputc('\n', out);
}

/* Long paths are cut in the middle: their ends tell them apart. */
static const char *shortened(struct wm_arena *arena, const char *text)
{
	enum { WIDE = 400 };
	size_t bytes = strlen(text);
	if (bytes <= WIDE)
		return text;
	size_t head = WIDE / 2, tail = bytes - WIDE / 2;
	while (head > 0 && ((unsigned char)text[head] & 0xc0) == 0x80)
		head--;
	while (tail < bytes && ((unsigned char)text[tail] & 0xc0) == 0x80)
		tail++;
	char *brief = wm_arena_alloc(arena, bytes + 8, 1);
	sprintf(brief, "%.*s ... %s", (int)head, text, text + tail);
	return brief;
}

static void print_path(struct wm_arena *arena, const struct wm_path_change_of *path, FILE *out)
{
	struct wm_text after = wm_text_count(path->after);
	fputs("    ", out);
	if (path->before == 0)
		fprintf(out, "new path, ran %s time%s", after.text, path->after == 1 ? "" : "s");
	else if (path->after == 0)
		fprintf(out, "path gone, ran %s time%s before", wm_text_count(path->before).text,
			path->before == 1 ? "" : "s");
	else if (path->before == path->after)
		fprintf(out, "path costs %s instead of %s, ran %s time%s",
			wm_text_count(path->each_after).text, wm_text_count(path->each_before).text,
			after.text, path->after == 1 ? "" : "s");
	else
		fprintf(out, "path moved, ran %s time%s instead of %s", after.text,
			path->after == 1 ? "" : "s", wm_text_count(path->before).text);
	if (path->before && path->after && path->before != path->after &&
		path->each_before != path->each_after)
		fprintf(out, ", costs %s instead of %s", wm_text_count(path->each_after).text,
			wm_text_count(path->each_before).text);
	fprintf(out, " (%s): %s\n", signed_text(arena, path->delta),
		path->source[0] ? shortened(arena, wm_text_clean(arena, path->source))
				: "no source line is known");
}

void wm_snapshot_change_print(struct wm_arena *arena, const struct wm_snapshot_change *change,
	const char *kind, size_t top, FILE *out)
{
	for (size_t i = 0; i < change->count && i < top; i++) {
		const struct wm_function_change_of *function = &change->functions[i];
		print_function(arena, function, kind, out);
		for (size_t p = 0; p < function->path_count && p < top; p++)
			print_path(arena, &function->paths[p], out);
		if (function->path_count > top)
			fprintf(out, "    %s more paths moved\n",
				wm_text_count(function->path_count - top).text);
	}
	if (change->count > top)
		fprintf(out, "  %s more function%s moved\n",
			wm_text_count(change->count - top).text,
			change->count - top == 1 ? "" : "s");
}
