/* .wmp files: a reader that trusts nothing, and the writer beside it. */
#include "format/path_set_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FIRST_LINE "waymark paths 1"

enum { FIELDS = 5, SHAPE_DIGITS = 8, CODE_DIGITS = 16, MAX_FILE_BYTES = 1 << 30, MAX_IDS = 1 << 26 };

struct reader {
	struct wm_arena *arena;
	const char *path;
	size_t line;  /* from 1 */
	uint64_t ids; /* so far */
	struct wm_error *error;
};

static int refuse(const struct reader *reader, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT, "%.300s:%zu: %s", reader->path,
		reader->line, reason);
}

int wm_saved_function_compare(
	const struct wm_saved_function *left, const struct wm_saved_function *right)
{
	int order = strcmp(left->name, right->name);
	if (order == 0)
		order = strcmp(left->file, right->file);
	if (order == 0)
		order = (left->shape > right->shape) - (left->shape < right->shape);
	if (order == 0)
		order = (left->code > right->code) - (left->code < right->code);
	return order;
}

size_t wm_saved_file_likeness(const char *left, const char *right)
{
	size_t l = strlen(left), r = strlen(right), parts = 0;
	while (l > 0 && r > 0 && left[l - 1] == right[r - 1]) {
		parts += left[l - 1] == '/';
		l--;
		r--;
	}
	bool left_part = l == 0 || left[l - 1] == '/', right_part = r == 0 || right[r - 1] == '/';
	bool whole = left_part && right_part && (l == 0 || r == 0 || left[l] != '/');
	return parts + (whole ? 1 : 0);
}

/* Takes the backslashes out, in place. */
static bool read_name(char *text)
{
	char *to = text;
	for (; *text; text++) {
		static const char written[] = "nt\\", meant[] = "\n\t\\";
		const char *at = *text == '\\' && text[1] ? strchr(written, text[1]) : NULL;
		if (*text == '\\' && !at)
			return false;
		*to++ = at ? meant[at - written] : *text;
		text += at != NULL;
	}
	*to = '\0';
	return true;
}

static bool read_hash(const char *text, size_t digits, uint64_t *hash)
{
	*hash = 0;
	if (strlen(text) != digits || strspn(text, "0123456789abcdef") != digits)
		return false;
	for (; *text; text++)
		*hash = *hash << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
	return true;
}

static bool read_id(const char **text, uint64_t *id)
{
	*id = 0;
	if (**text < '0' || **text > '9')
		return false;
	for (; **text >= '0' && **text <= '9'; ++*text) {
		uint64_t digit = (uint64_t)(**text - '0');
		if (*id > (INT64_MAX - digit) / 10)
			return false;
		*id = *id * 10 + digit;
	}
	return true;
}

/* One range; false if it is none. */
static bool read_range(const char **text, struct wm_saved_range *range)
{
	*range = (struct wm_saved_range){0};
	if (!read_id(text, &range->first))
		return false;
	range->last = range->first;
	if (**text == '-') {
		++*text;
		if (!read_id(text, &range->last) || range->last <= range->first)
			return false;
	}
	range->partial = **text == 'p';
	*text += range->partial;
	return **text == ',' || **text == '\0';
}

static int read_ranges(
	struct reader *reader, const char *text, struct wm_saved_function *function)
{
	size_t capacity = 0;
	do {
		struct wm_saved_range range;
		if (!read_range(&text, &range))
			return refuse(reader, "ids of paths are numbers and ranges of them with "
					      "commas, such as 0,3,17-25,31p");
		size_t count = function->range_count;
		if (count > 0 && function->ranges[count - 1].last >= range.first)
			return refuse(reader, "ids of paths do not rise");
		if (range.last - range.first >= MAX_IDS - reader->ids)
			return refuse(reader, "the set has more than 67 million paths");
		reader->ids += range.last - range.first + 1;
		function->ranges = wm_arena_grow(
			reader->arena, function->ranges, count, &capacity, sizeof range);
		function->ranges[function->range_count++] = range;
	} while (*text++ == ',');
	return 0;
}

static int read_function(
	struct reader *reader, char *line, struct wm_saved_function *function)
{
	char *field[FIELDS] = {line};
	uint64_t shape = 0;
	for (size_t i = 1; i < FIELDS; i++) {
		field[i] = strchr(field[i - 1], '\t');
		if (!field[i])
			return refuse(reader, "a function has five fields with tabs between them: "
					      "name, file, shape, code and ids of paths");
		*field[i]++ = '\0';
	}
	*function = (struct wm_saved_function){.name = field[0], .file = field[1]};
	if (!field[0][0] || !read_name(field[0]) || !read_name(field[1]))
		return refuse(reader, "this is no name of a function and its file");
	if (!read_hash(field[2], SHAPE_DIGITS, &shape))
		return refuse(reader, "the shape is not 8 hexadecimal digits");
	if (!read_hash(field[3], CODE_DIGITS, &function->code))
		return refuse(reader, "the code is not 16 hexadecimal digits");
	function->shape = (uint32_t)shape;
	return read_ranges(reader, field[4], function);
}

static int read_line(
	struct reader *reader, char *line, struct wm_saved_paths *saved, size_t *capacity)
{
	if (reader->line == 1 && strcmp(line, FIRST_LINE) != 0)
		return refuse(reader, strncmp(line, "waymark paths ", 14) == 0
					      ? "this set of paths is of another version of "
						"Waymark; write it again with waymark paths --save"
					      : "this is no set of paths, which starts with "
						"'" FIRST_LINE "'");
	if (reader->line == 1 || line[0] == '#' || line[0] == '\0')
		return 0;
	size_t count = saved->count;
	saved->functions = wm_arena_grow(
		reader->arena, saved->functions, count, capacity, sizeof *saved->functions);
	int status = read_function(reader, line, &saved->functions[count]);
	if (status < 0)
		return status;
	saved->count++;
	if (count > 0 &&
		wm_saved_function_compare(
			&saved->functions[count - 1], &saved->functions[count]) >= 0)
		return refuse(reader, "the functions are not sorted; sort them by name, or write "
				      "the set again");
	return 0;
}

int wm_saved_paths_parse(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_saved_paths *saved, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .path = path, .line = 1, .error = error};
	size_t capacity = 0;
	char *copy = wm_arena_alloc_unset(arena, bytes + 1, 1);
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	*saved = (struct wm_saved_paths){0};
	for (char *line = copy, *end = copy + bytes;; reader.line++) {
		char *next = memchr(line, '\n', (size_t)(end - line));
		size_t length = (size_t)((next ? next : end) - line);
		if (memchr(line, '\0', length))
			return refuse(&reader, "there is a zero byte: this is no text");
		line[length] = '\0';
		int status = read_line(&reader, line, saved, &capacity);
		if (status < 0 || !next)
			return status;
		line = next + 1;
	}
}

static int read_whole(struct wm_arena *arena, FILE *file, const char *path, char **text,
	size_t *bytes, struct wm_error *error)
{
	size_t capacity = 1 << 16;
	*text = wm_arena_alloc_unset(arena, capacity, 1);
	for (*bytes = 0; !feof(file) && !ferror(file);) {
		if (*bytes == capacity) {
			char *larger = wm_arena_alloc_unset(arena, 2 * capacity, 1);
			memcpy(larger, *text, *bytes);
			*text = larger;
			capacity *= 2;
		}
		*bytes += fread(*text + *bytes, 1, capacity - *bytes, file);
		if (*bytes >= MAX_FILE_BYTES)
			return wm_error_set(error, WM_ERROR_INPUT,
				"%.300s: larger than 1 GiB: no set of paths", path);
	}
	if (ferror(file))
		return wm_error_set(error, WM_ERROR_SYSTEM, "cannot read '%.300s': %s", path,
			strerror(errno));
	return 0;
}

int wm_saved_paths_read(struct wm_arena *arena, const char *path, struct wm_saved_paths *saved,
	struct wm_error *error)
{
	struct wm_arena scratch = {0};
	char *text = NULL;
	size_t bytes = 0;
	FILE *file = fopen(path, "re");
	if (!file)
		return wm_error_set(error, WM_ERROR_SYSTEM, "cannot read '%.300s': %s", path,
			strerror(errno));
	int status = read_whole(&scratch, file, path, &text, &bytes, error);
	fclose(file);
	if (status == 0)
		status = wm_saved_paths_parse(arena, path, text, bytes, saved, error);
	wm_arena_reset(&scratch);
	return status;
}

static void put_name(const char *name, FILE *out)
{
	for (; *name; name++) {
		if (*name == '\n')
			fputs("\\n", out);
		else if (*name == '\t')
			fputs("\\t", out);
		else if (*name == '\\')
			fputs("\\\\", out);
		else
			fputc(*name, out);
	}
}

void wm_saved_paths_write(const struct wm_saved_paths *saved, const char *about, FILE *out)
{
	fputs(FIRST_LINE "\n# ", out);
	put_name(about, out);
	fputc('\n', out);
	for (size_t i = 0; i < saved->count; i++) {
		const struct wm_saved_function *function = &saved->functions[i];
		put_name(function->name, out);
		fputc('\t', out);
		put_name(function->file, out);
		fprintf(out, "\t%08" PRIx32 "\t%016" PRIx64 "\t", function->shape, function->code);
		for (size_t k = 0; k < function->range_count; k++) {
			const struct wm_saved_range *range = &function->ranges[k];
			fprintf(out, "%s%" PRIu64, k > 0 ? "," : "", range->first);
			if (range->last > range->first)
				fprintf(out, "-%" PRIu64, range->last);
			if (range->partial)
				fputc('p', out);
		}
		fputc('\n', out);
	}
}

const struct wm_saved_function *wm_saved_paths_named(
	const struct wm_saved_paths *saved, const char *name, size_t *count)
{
	size_t low = 0, high = saved->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(saved->functions[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < saved->count; ++*count)
		if (strcmp(saved->functions[low + *count].name, name) != 0)
			break;
	return saved->functions + low;
}
