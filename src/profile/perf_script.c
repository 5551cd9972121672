/* A line is a comment, a sample with its place, the head of a call chain (`…  task-clock:`), a
 * frame, or empty, which ends a chain. Names hold blanks and colons; so lines are taken apart from
 * their ends, where they are plain: `(FILE)` last, `SYMBOL+0xOFFSET` before it, and before these an
 * address behind the event's colon.
 */
#include "profile/perf_script.h"

#include <string.h>

struct reader {
	struct wm_arena *arena;
	const char *name;
	struct wm_perf_samples *samples;
	struct wm_error *error;
	uint64_t line;
	struct wm_perf_sample head; /* of the chain that is being read */
	bool in_chain;		    /* behind its head */
	bool has_leaf;		    /* of this chain, or of these lines without heads */
	size_t bare;		    /* samples without heads since the last empty line */
	size_t chains;		    /* groups of such, each ended by an empty line */
	bool *inner; /* by sample: a frame without a head behind the first of its group */
	size_t inner_capacity;
};

bool wm_perf_word_equal(struct wm_perf_word left, struct wm_perf_word right)
{
	return left.length == right.length &&
	       (left.length == 0 || memcmp(left.text, right.text, left.length) == 0);
}

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t' || letter == '\r';
}

static struct wm_perf_word trim(struct wm_perf_word word)
{
	while (word.length > 0 && is_blank(word.text[0]))
		word.text++, word.length--;
	while (word.length > 0 && is_blank(word.text[word.length - 1]))
		word.length--;
	return word;
}

/* Takes the last word off. */
static struct wm_perf_word take_last(struct wm_perf_word *rest)
{
	size_t start;
	*rest = trim(*rest);
	for (start = rest->length; start > 0 && !is_blank(rest->text[start - 1]);)
		start--;
	struct wm_perf_word word = {rest->text + start, rest->length - start};
	rest->length = start;
	*rest = trim(*rest);
	return word;
}

/* Reads digits from the start of the word; returns how many, 0 if they are none or too many. */
static size_t digits(struct wm_perf_word word, unsigned base, uint64_t *number)
{
	size_t i;
	*number = 0;
	for (i = 0; i < word.length; i++) {
		unsigned char letter = (unsigned char)word.text[i];
		unsigned digit = 99;
		if (letter >= '0' && letter <= '9')
			digit = letter - '0';
		else if ((letter | 32) >= 'a' && (letter | 32) <= 'f')
			digit = (letter | 32u) - 'a' + 10u;
		if (digit >= base)
			break;
		if (*number > (UINT64_MAX - digit) / base)
			return 0;
		*number = *number * base + digit;
	}
	return i;
}

static bool is_decimal(struct wm_perf_word word, uint64_t *number)
{
	return word.length > 0 && digits(word, 10, number) == word.length;
}

/* `…+0xHEX` at the end of the word: takes it off. */
static bool take_offset(struct wm_perf_word *word, uint64_t *offset)
{
	for (size_t i = word->length; i >= 3; i--) {
		if (memcmp(word->text + i - 3, "+0x", 3) != 0)
			continue;
		struct wm_perf_word tail = {word->text + i, word->length - i};
		if (tail.length == 0 || digits(tail, 16, offset) != tail.length)
			return false;
		word->length = i - 3;
		return true;
	}
	return false;
}

/* `(FILE)` at the end, with what it holds in parentheses: takes it off. */
static bool take_object(struct wm_perf_word *rest, struct wm_perf_word *object)
{
	size_t depth = 0;
	*rest = trim(*rest);
	if (rest->length == 0 || rest->text[rest->length - 1] != ')')
		return false;
	for (size_t i = rest->length; i > 0; i--) {
		depth += rest->text[i - 1] == ')';
		depth -= rest->text[i - 1] == '(';
		if (depth > 0)
			continue;
		*object = (struct wm_perf_word){rest->text + i, rest->length - i - 1};
		rest->length = i - 1;
		return true;
	}
	return false;
}

static bool is_word(struct wm_perf_word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* The first word ends with a colon, as that of an event. */
static bool is_head(struct wm_perf_word word)
{
	size_t length = 0;
	while (length < word.length && !is_blank(word.text[length]))
		length++;
	return length > 0 && word.text[length - 1] == ':';
}

/* `ADDRESS SYMBOL (FILE)`. */
static bool parse_frame(struct wm_perf_word line, struct wm_perf_sample *sample, bool *inlined)
{
	struct wm_perf_word object = {"", 0};
	line = trim(line);
	size_t length = digits(line, 16, &sample->address);
	if (length == 0 || (length < line.length && !is_blank(line.text[length])))
		return false;
	line.text += length;
	line.length -= length;
	if (!take_object(&line, &object) || is_head(trim(line)))
		return false;
	*inlined = is_word(object, "inlined");
	sample->has_object_offset = take_offset(&object, &sample->object_offset);
	sample->object = is_word(object, "[unknown]") ? (struct wm_perf_word){"", 0} : object;
	sample->symbol = trim(line);
	sample->has_offset = take_offset(&sample->symbol, &sample->offset);
	if (is_word(sample->symbol, "[unknown]"))
		sample->symbol.length = 0;
	return true;
}

/* `7770.566464:` */
static bool is_time(struct wm_perf_word word)
{
	bool point = false;
	if (word.length < 2 || word.text[word.length - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < word.length; i++) {
		if (word.text[i] != '.' && (word.text[i] < '0' || word.text[i] > '9'))
			return false;
		point |= word.text[i] == '.';
	}
	return point;
}

/* `[003]`, `28643`, `28643/28650`: what stands between a command's name and the time. */
static bool is_thread_or_processor(struct wm_perf_word word)
{
	for (size_t i = 0; i < word.length; i++)
		if (!strchr("0123456789/[]-", word.text[i]) || word.text[i] == '\0')
			return false;
	return word.length > 0;
}

/* `COMMAND THREAD [PROCESSOR] TIME: PERIOD EVENT`, without the colon behind the event; each may be
 * missing. A number is a period if it is alone or a time stands before it: it may be a thread's
 * otherwise. */
static bool parse_head(struct wm_perf_word line, struct wm_perf_sample *sample)
{
	struct wm_perf_word rest = trim(line), before;
	uint64_t period = 0;
	*sample = (struct wm_perf_sample){.event = take_last(&rest)};
	if (sample->event.length == 0 || is_time(sample->event))
		return false;
	before = rest;
	if (is_decimal(take_last(&rest), &period)) {
		struct wm_perf_word further = rest, next = take_last(&further);
		if (next.length == 0 || is_time(next) || is_thread_or_processor(next))
			sample->period = period;
		else
			rest = before;
	} else {
		rest = before;
	}
	for (before = rest; rest.length > 0; rest = before) {
		struct wm_perf_word word = take_last(&before);
		if (!is_time(word) && !is_thread_or_processor(word))
			break;
	}
	sample->command = rest;
	return true;
}

static void keep(struct reader *reader, const struct wm_perf_sample *sample, bool inner)
{
	struct wm_perf_samples *samples = reader->samples;
	samples->list = wm_arena_grow(reader->arena, samples->list, samples->count,
		&samples->capacity, sizeof *samples->list);
	reader->inner = wm_arena_grow(reader->arena, reader->inner, samples->count,
		&reader->inner_capacity, sizeof *reader->inner);
	reader->inner[samples->count] = inner;
	samples->list[samples->count++] = *sample;
}

/* The place is the frame's, all else the head's. */
static void keep_frame(struct reader *reader, const struct wm_perf_sample *frame, bool inner)
{
	struct wm_perf_sample sample = *frame;
	sample.command = reader->head.command;
	sample.event = reader->head.event;
	sample.period = reader->head.period;
	keep(reader, &sample, inner);
}

static void end_group(struct reader *reader)
{
	if (reader->in_chain && !reader->has_leaf)
		keep(reader, &reader->head, false); /* perf could not follow it */
	reader->chains += reader->bare > 0;
	reader->bare = 0;
	reader->in_chain = reader->has_leaf = false;
	reader->head = (struct wm_perf_sample){.period = 0};
}

static void take_frame(struct reader *reader, const struct wm_perf_sample *frame, bool inlined)
{
	bool first = !reader->has_leaf;
	if (inlined)
		return; /* the function that it is in follows, at the same address */
	reader->has_leaf = true;
	if (reader->in_chain && !first)
		return;
	reader->bare += !reader->in_chain;
	keep_frame(reader, frame, !first);
}

static int refuse(const struct reader *reader, struct wm_perf_word line)
{
	int shown = line.length > 40 ? 40 : (int)line.length;
	for (int i = 0; i < shown; i++)
		if ((unsigned char)line.text[i] < ' ' && line.text[i] != '\t')
			shown = i;
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s:%llu: '%.*s' is no line of perf script: give it what `perf script` prints, or "
		"`perf script -F ip,sym,symoff,dso,event,period`",
		reader->name, (unsigned long long)reader->line, shown, line.text);
}

/* Behind which colon the place stands: the last one with an address behind it. 0: none. */
static size_t find_place(struct wm_perf_word line)
{
	for (size_t i = line.length; i > 1; i--) {
		struct wm_perf_word tail = {line.text + i, line.length - i};
		uint64_t address;
		if (line.text[i - 1] != ':' || tail.length == 0 || !is_blank(tail.text[0]))
			continue;
		tail = trim(tail);
		size_t length = digits(tail, 16, &address);
		if (length > 0 && length < tail.length && is_blank(tail.text[length]))
			return i;
	}
	return 0;
}

static bool has_word(struct wm_perf_word line, const char *word)
{
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= line.length; i++)
		if (memcmp(line.text + i, word, length) == 0)
			return true;
	return false;
}

static int take_line(struct reader *reader, struct wm_perf_word line)
{
	struct wm_perf_sample frame = {.period = 0}, head;
	bool inlined, indented = line.length > 0 && is_blank(line.text[0]);
	struct wm_perf_word words = trim(line);
	if (words.length == 0) {
		end_group(reader);
		return 0;
	}
	if (words.text[0] == '#')
		return 0;
	size_t place = find_place(words);
	struct wm_perf_word before = {words.text, place ? place - 1 : 0};
	struct wm_perf_word behind = {words.text + place, words.length - place};
	if (place && parse_head(before, &head) && parse_frame(behind, &frame, &inlined)) {
		end_group(reader);
		reader->head = head;
		keep_frame(reader, &frame, false);
		reader->head = (struct wm_perf_sample){.period = 0};
		return 0;
	}
	before = (struct wm_perf_word){words.text, words.length - 1};
	if (words.text[words.length - 1] == ':' && parse_head(before, &head)) {
		end_group(reader);
		reader->head = head;
		reader->in_chain = true;
		return 0;
	}
	if (indented && parse_frame(words, &frame, &inlined)) {
		take_frame(reader, &frame, inlined);
		return 0;
	}
	if ((indented && reader->has_leaf) || has_word(words, " PERF_RECORD_"))
		return 0; /* a frame's source line; what is no sample */
	return refuse(reader, words);
}

/* Groups of lines without heads, each ended by an empty line, are call chains. */
static void drop_callers(struct reader *reader)
{
	struct wm_perf_samples *samples = reader->samples;
	size_t kept = 0;
	for (size_t i = 0; i < samples->count && reader->chains > 1; i++)
		if (!reader->inner[i])
			samples->list[kept++] = samples->list[i];
	if (reader->chains > 1)
		samples->count = kept;
}

static int refuse_binary(const char *name, const char *text, size_t bytes, struct wm_error *error)
{
	if (bytes >= 8 && (memcmp(text, "PERFILE2", 8) == 0 || memcmp(text, "2ELIFREP", 8) == 0))
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is a file of perf record, not text: run `perf script -i %s > "
			"samples.txt` "
			"and name that",
			name, name);
	if (memchr(text, '\0', bytes))
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is binary, not what `perf script` prints", name);
	return 0;
}

int wm_perf_script_read(struct wm_arena *arena, const char *name, const char *text, size_t bytes,
	struct wm_perf_samples *samples, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .name = name, .samples = samples, .error = error};
	int status = bytes > 0 ? refuse_binary(name, text, bytes, error) : 0;
	*samples = (struct wm_perf_samples){.count = 0};
	for (size_t at = 0; at < bytes && status == 0;) {
		const char *feed = memchr(text + at, '\n', bytes - at);
		size_t end = feed ? (size_t)(feed - text) : bytes;
		reader.line++;
		status = take_line(&reader, (struct wm_perf_word){text + at, end - at});
		at = end + 1;
	}
	if (status)
		return status;
	end_group(&reader);
	drop_callers(&reader);
	if (samples->count == 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: holds no sample: nothing was recorded, or `perf script` failed", name);
	return 0;
}
