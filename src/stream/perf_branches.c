#include "stream/perf_branches.h"

#include <string.h>

#include "stream/fall_through.h"

enum { FIRST_LINES = 200, MAX_STACK = 1024 };

struct word {
	const char *text;
	size_t length;
};

struct thread {
	uint64_t number;
	struct wm_straight place;
};

struct reader {
	struct wm_arena *arena;
	const char *name;
	const struct wm_stream_code *code;
	const struct wm_stream_sink *sink;
	struct wm_perf_branches *found;
	struct wm_error *error;
	uint64_t line;
	struct thread *threads;
	size_t thread_count, thread_capacity;
};

/* What a line of a trace says beside its addresses. */
enum { STARTS = 1, ENDS = 2, INTERRUPTED = 4, SYSTEM_CALL = 8 };

static int complain(struct reader *reader, const char *what)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT, "%s:%llu: %s", reader->name,
		(unsigned long long)reader->line, what);
}

static bool is(struct word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static struct word next_word(const char **next, const char *end)
{
	while (*next < end && (**next == ' ' || **next == '\t' || **next == '\r'))
		++*next;
	struct word word = {*next, 0};
	while (*next < end && **next != ' ' && **next != '\t' && **next != '\r')
		++*next;
	word.length = (size_t)(*next - word.text);
	return word;
}

static const char *find(const char *text, const char *end, const char *wanted)
{
	size_t length = strlen(wanted);
	for (; text + length <= end; text++)
		if (memcmp(text, wanted, length) == 0)
			return text;
	return NULL;
}

/* Digits from the start of the text, behind 0x or not; moves it behind them. False if there are
 * none. */
static bool take_number(const char **text, const char *end, unsigned base, uint64_t *number)
{
	const char *first;
	if (base == 16 && end - *text > 2 && (*text)[0] == '0' && (*text)[1] == 'x')
		*text += 2;
	*number = 0;
	for (first = *text; *text < end && *text - first < (base == 16 ? 16 : 19); ++*text) {
		unsigned char letter = (unsigned char)**text | 32;
		unsigned digit = letter >= 'a' ? letter - 'a' + 10u : (unsigned)**text - '0';
		if (digit >= base)
			break;
		*number = *number * base + digit;
	}
	return *text > first;
}

static bool is_number(struct word word, unsigned base, uint64_t *number)
{
	const char *text = word.text, *end = word.text + word.length;
	return take_number(&text, end, base, number) && text == end;
}

/* PROCESS/THREAD, or THREAD alone. */
static bool is_thread(struct word word, uint64_t *number)
{
	const char *slash = memchr(word.text, '/', word.length);
	struct word process = {word.text, slash ? (size_t)(slash - word.text) : word.length};
	if (!is_number(process, 10, number))
		return false;
	return !slash ||
	       is_number((struct word){slash + 1, word.length - process.length - 1}, 10, number);
}

static struct thread *thread_of(struct reader *reader, const char *line, const char *end)
{
	uint64_t number = 0;
	size_t i = 0;
	while (line < end && !is_thread(next_word(&line, end), &number))
		number = 0;
	while (i < reader->thread_count && reader->threads[i].number != number)
		i++;
	if (i == reader->thread_count) {
		reader->threads = wm_arena_grow(reader->arena, reader->threads,
			reader->thread_count, &reader->thread_capacity, sizeof *reader->threads);
		reader->threads[reader->thread_count++] = (struct thread){.number = number};
	}
	if (reader->sink->thread)
		reader->sink->thread(reader->sink->context, number);
	return &reader->threads[i];
}

static void stop(struct reader *reader, struct thread *thread)
{
	if (thread->place.known && reader->sink->gap)
		reader->sink->gap(reader->sink->context);
	thread->place = (struct wm_straight){.known = false};
}

static void begin(struct reader *reader, struct thread *thread, uint64_t at)
{
	thread->place = (struct wm_straight){.known = true, .at = at};
	reader->sink->begin(reader->sink->context, at);
}

/* The branch was taken. Where code and branches do not fit, all begins again behind it. */
static void take(struct reader *reader, struct thread *thread, uint64_t from, uint64_t to,
	struct wm_stream_branch *told)
{
	reader->found->taken++;
	if (thread->place.known &&
		wm_straight_on(&thread->place, from, to, told, reader->code, reader->sink))
		return;
	reader->found->breaks += thread->place.known;
	stop(reader, thread);
	begin(reader, thread, to);
}

/* Tracing pauses in the kernel. */
static void pause(struct reader *reader, struct thread *thread, uint64_t from, unsigned flags)
{
	struct wm_straight *place = &thread->place;
	struct wm_stream_instruction call;
	if (!place->known)
		return;
	if (flags & (INTERRUPTED | SYSTEM_CALL) &&
		wm_straight_to(place, from, reader->code, reader->sink)) {
		if (flags & INTERRUPTED)
			return;
		call = reader->code->at(reader->code->context, from);
		place->at += call.bytes;
		place->instructions++;
		return;
	}
	stop(reader, thread);
}

static unsigned flag_of(struct word word)
{
	static const struct {
		const char *text;
		unsigned flag;
	} flags[] = {{"strt", STARTS}, {"start", STARTS}, {"end", ENDS}, {"async", INTERRUPTED},
		{"int", INTERRUPTED}, {"syscall", SYSTEM_CALL}, {"hw", INTERRUPTED}};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (is(word, flags[i].text))
			return flags[i].flag;
	return 0;
}

static bool is_flag(struct word word)
{
	static const char *const flags[] = {"call", "return", "jcc", "jmp", "int", "iret",
		"syscall", "sysret", "async", "hw", "tx", "abrt", "tr", "strt", "start", "end",
		"vmentry", "vmexit", "x"};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (is(word, flags[i]))
			return true;
	return false;
}

/* `FLAGS FROM [SYMBOL (FILE)]`: the address stands behind the last of the flags. Without flags it
 * is the last word. */
static bool read_left(const char *line, const char *end, uint64_t *from, unsigned *flags)
{
	struct word address = {NULL, 0};
	bool expected = false, flagged = false;
	*flags = 0;
	while (line < end) {
		struct word word = next_word(&line, end);
		if (word.length && is_flag(word)) {
			*flags |= flag_of(word);
			expected = flagged = true;
		} else if (word.length && (expected || !flagged)) {
			address = word;
			expected = false;
		}
	}
	return address.length && is_number(address, 16, from);
}

static int read_trace_line(
	struct reader *reader, const char *line, const char *arrow, const char *end)
{
	const char *right = arrow + 2;
	uint64_t from, to;
	unsigned flags;
	struct thread *thread;
	struct wm_stream_branch told = {.has_misprediction = false};
	if (!read_left(line, arrow, &from, &flags))
		return complain(reader, "no address before '=>'; use perf script --itrace=b "
					"-F pid,tid,ip,addr,flags");
	if (!is_number(next_word(&right, end), 16, &to))
		return complain(reader, "no address behind '=>'");
	thread = thread_of(reader, line, arrow);
	if (flags & STARTS) {
		if (thread->place.known && thread->place.at == to)
			return 0;
		stop(reader, thread);
		begin(reader, thread, to);
	} else if (flags & ENDS) {
		pause(reader, thread, from, flags);
	} else {
		take(reader, thread, from, to, &told);
	}
	return 0;
}

struct stacked {
	uint64_t from, to;
	char prediction;
};

/* FROM/TO/M or P, perhaps with symbols; false if the word is something else. */
static bool read_stacked(struct word word, struct stacked *branch)
{
	const char *text = word.text, *end = word.text + word.length;
	if (word.length < 6 || word.text[0] != '0' || word.text[1] != 'x')
		return false;
	if (!take_number(&text, end, 16, &branch->from) || text == end || *text++ != '/')
		return false;
	if (!take_number(&text, end, 16, &branch->to) || text == end || *text++ != '/')
		return false;
	branch->prediction = text < end ? *text : '-';
	return true;
}

/* The newest stands first. */
static void read_stack_line(struct reader *reader, const char *line, const char *end)
{
	static struct stacked stack[MAX_STACK];
	size_t count = 0;
	const char *next = line;
	while (next < end && count < MAX_STACK)
		count += read_stacked(next_word(&next, end), &stack[count]);
	if (count == 0)
		return;
	if (reader->found->samples++ == 0 && reader->sink->fragments)
		reader->sink->fragments(reader->sink->context);
	struct thread *thread = thread_of(reader, line, end);
	while (count-- > 0) {
		struct wm_stream_branch told = {
			.has_misprediction =
				stack[count].prediction == 'M' || stack[count].prediction == 'P',
			.mispredicted = stack[count].prediction == 'M'};
		take(reader, thread, stack[count].from, stack[count].to, &told);
	}
	stop(reader, thread);
}

/* `[START(BYTES) @ OFFSET ...]: RIGHTS FILE` */
static int read_mapping(struct reader *reader, const char *line, const char *end)
{
	const char *next = memchr(line, '[', (size_t)(end - line)), *close;
	uint64_t start, bytes, offset;
	if (!next || !(close = find(next, end, "]: ")))
		return complain(reader, "a mapping without [START(BYTES) @ OFFSET]");
	next++;
	if (!take_number(&next, close, 16, &start) || next == close || *next++ != '(' ||
		!take_number(&next, close, 16, &bytes) || !(next = find(next, close, "@ ")))
		return complain(reader, "a mapping without [START(BYTES) @ OFFSET]");
	next += 2;
	if (!take_number(&next, close, 16, &offset))
		return complain(reader, "a mapping without [START(BYTES) @ OFFSET]");
	next = close + 3;
	struct word rights = next_word(&next, end);
	while (next < end && *next == ' ')
		next++;
	if (memchr(rights.text, 'x', rights.length) && bytes && next < end)
		reader->code->map(
			reader->code->context, start, bytes, offset, next, (size_t)(end - next));
	return 0;
}

static void lose(struct reader *reader)
{
	reader->found->lost++;
	for (size_t i = 0; i < reader->thread_count; i++) {
		if (!reader->threads[i].place.known)
			continue;
		if (reader->sink->thread)
			reader->sink->thread(reader->sink->context, reader->threads[i].number);
		stop(reader, &reader->threads[i]);
	}
}

static bool says_lost(const char *line, const char *end)
{
	return find(line, end, "PERF_RECORD_LOST") || find(line, end, "instruction trace error") ||
	       find(line, end, "PERF_RECORD_AUXTRACE_ERROR") ||
	       (find(line, end, "PERF_RECORD_AUX ") && find(line, end, "[T"));
}

static int read_line(struct reader *reader, const char *line, const char *end)
{
	const char *arrow;
	if (says_lost(line, end)) {
		lose(reader);
		return 0;
	}
	if (find(line, end, "PERF_RECORD_MMAP"))
		return read_mapping(reader, line, end);
	if (line == end || *line == '#' || find(line, end, "PERF_RECORD_"))
		return 0;
	arrow = find(line, end, "=>");
	if (arrow)
		return read_trace_line(reader, line, arrow, end);
	read_stack_line(reader, line, end);
	return 0;
}

static const char *end_of_line(const char *line, const char *end)
{
	const char *feed = memchr(line, '\n', (size_t)(end - line));
	return feed ? feed : end;
}

bool wm_perf_branches_known(const char *text, size_t bytes)
{
	const char *end = text + bytes;
	struct stacked branch;
	for (int i = 0; i < FIRST_LINES && text < end; i++) {
		const char *stop_at = end_of_line(text, end), *next = text;
		if (find(text, stop_at, "PERF_RECORD_") ||
			(*text != '#' && find(text, stop_at, " => ")))
			return true;
		while (next < stop_at)
			if (read_stacked(next_word(&next, stop_at), &branch))
				return true;
		text = stop_at + 1;
	}
	return false;
}

int wm_perf_branches_read(struct wm_arena *arena, const char *name, const char *text, size_t bytes,
	const struct wm_stream_code *code, const struct wm_stream_sink *sink,
	struct wm_perf_branches *found, struct wm_error *error)
{
	const char *end = text + bytes;
	struct reader reader = {.arena = arena,
		.name = name,
		.code = code,
		.sink = sink,
		.found = found,
		.error = error};
	*found = (struct wm_perf_branches){.taken = 0};
	for (const char *line = text; line < end; line = end_of_line(line, end) + 1) {
		reader.line++;
		int status = read_line(&reader, line, end_of_line(line, end));
		if (status)
			return status;
	}
	if (found->taken == 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: no branches in it; use perf script --show-mmap-events with --itrace=b "
			"-F pid,tid,ip,addr,flags, or with -F pid,tid,brstack",
			name);
	return 0;
}
