#include "stream/branch_text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 16, MAX_WORD = 64 };

struct word {
	const char *text;
	size_t length;
};

struct reader {
	const char *name;
	const struct wm_stream_sink *sink;
	struct wm_error *error;
	uint64_t line;
	bool started; /* a branch was told: options come too late */
	size_t words;
	struct word word[MAX_WORDS];
};

static int complain(struct reader *reader, const char *what, const struct word *word)
{
	if (!word)
		return wm_error_set(reader->error, WM_ERROR_INPUT, "%s:%llu: %s", reader->name,
			(unsigned long long)reader->line, what);
	return wm_error_set(reader->error, WM_ERROR_INPUT, "%s:%llu: '%.*s' %s", reader->name,
		(unsigned long long)reader->line, (int)(word->length > 40 ? 40 : word->length),
		word->text, what);
}

static bool is(const struct word *word, const char *text)
{
	return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

static bool parse_hex(struct word word, uint64_t *number)
{
	uint64_t sum = 0;
	if (word.length > 2 && word.text[0] == '0' && (word.text[1] | 32) == 'x') {
		word.text += 2;
		word.length -= 2;
	}
	if (word.length == 0 || word.length > 16)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		unsigned char letter = (unsigned char)word.text[i] | 32;
		unsigned digit = letter >= 'a' ? letter - 'a' + 10u : (unsigned)word.text[i] - '0';
		if (digit > 15)
			return false;
		sum = sum << 4 | digit;
	}
	*number = sum;
	return true;
}

static bool parse_decimal(struct word word, uint64_t max, uint64_t *number)
{
	uint64_t sum = 0;
	if (word.length == 0 || word.length > 19)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		unsigned digit = (unsigned)(unsigned char)word.text[i] - '0';
		if (digit > 9)
			return false;
		sum = 10 * sum + digit;
	}
	*number = sum;
	return sum <= max;
}

static bool parse_kind(const struct word *word, struct wm_branch *branch)
{
	static const struct {
		const char *name;
		uint8_t kind;
		bool taken;
	} kinds[] = {{"jcc-", WM_BRANCH_CONDITIONAL, false}, {"jcc+", WM_BRANCH_CONDITIONAL, true},
		{"call", WM_BRANCH_CALL, true}, {"ret", WM_BRANCH_RETURN, true},
		{"jmp", WM_BRANCH_JUMP, true}, {"icall", WM_BRANCH_CALL_INDIRECT, true},
		{"ijmp", WM_BRANCH_JUMP_INDIRECT, true}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!is(word, kinds[i].name))
			continue;
		branch->kind = kinds[i].kind;
		branch->taken = kinds[i].taken;
		return true;
	}
	return false;
}

/* Splits KEY=VALUE. */
static bool split(const struct word *word, struct word *key, struct word *value)
{
	const char *equals = memchr(word->text, '=', word->length);
	if (!equals)
		return false;
	*key = (struct word){word->text, (size_t)(equals - word->text)};
	*value = (struct word){equals + 1, word->length - key->length - 1};
	return true;
}

static int take_detail(
	struct reader *reader, const struct word *word, struct wm_stream_branch *told)
{
	struct word key, value;
	uint64_t number = 0;
	bool good;
	if (!split(word, &key, &value))
		return complain(reader, "is not KEY=VALUE", word);
	if (is(&key, "after"))
		good = parse_hex(value, &told->branch.after);
	else if (is(&key, "target"))
		good = parse_hex(value, &told->branch.target);
	else if (is(&key, "sp"))
		good = parse_hex(value, &told->branch.stack);
	else if (is(&key, "cycle"))
		good = told->has_cycle = parse_decimal(value, UINT64_MAX, &told->cycle);
	else if (is(&key, "n"))
		good = parse_decimal(value, UINT32_MAX, &number);
	else if (is(&key, "e"))
		good = told->has_events = parse_decimal(value, UINT32_MAX, &number);
	else
		return complain(reader, "is unknown: use after, target, sp, cycle, n or e", &key);
	if (!good)
		return complain(reader, "is no number, or too large", &value);
	if (is(&key, "n"))
		told->branch.instructions = (uint32_t)number;
	else if (is(&key, "e"))
		told->branch.events = (uint32_t)number;
	return 0;
}

static int take_branch(struct reader *reader, struct wm_stream_branch *told)
{
	struct wm_branch *branch = &told->branch;
	if (reader->words < 3)
		return complain(reader, "a branch needs two addresses: KIND AT TO", NULL);
	for (int i = 1; i < 3; i++)
		if (!parse_hex(reader->word[i], i == 1 ? &branch->at : &branch->to))
			return complain(reader, "is no hexadecimal address", &reader->word[i]);
	branch->after = branch->at + 4;
	branch->target = branch->to;
	for (size_t i = 3; i < reader->words; i++) {
		int status = take_detail(reader, &reader->word[i], told);
		if (status)
			return status;
	}
	reader->started = true;
	reader->sink->branch(reader->sink->context, told);
	return 0;
}

static int take_options(struct reader *reader)
{
	for (size_t i = 1; i < reader->words; i++) {
		struct word key, value;
		char key_text[MAX_WORD], value_text[MAX_WORD];
		const char *wrong;
		if (reader->started)
			return complain(reader, "options stand before the first branch", NULL);
		if (!split(&reader->word[i], &key, &value) || reader->word[i].length >= MAX_WORD)
			return complain(reader, "is not KEY=VALUE", &reader->word[i]);
		snprintf(key_text, sizeof key_text, "%.*s", (int)key.length, key.text);
		snprintf(value_text, sizeof value_text, "%.*s", (int)value.length, value.text);
		wrong = reader->sink->option
				? reader->sink->option(reader->sink->context, key_text, value_text)
				: NULL;
		if (wrong)
			return complain(reader, wrong, &reader->word[i]);
	}
	return 0;
}

static int take_begin(struct reader *reader)
{
	uint64_t address;
	if (reader->words != 2 || !parse_hex(reader->word[1], &address))
		return complain(reader, "begin needs one hexadecimal address", NULL);
	reader->started = true;
	reader->sink->begin(reader->sink->context, address);
	return 0;
}

static int take_thread(struct reader *reader)
{
	uint64_t number;
	if (reader->words != 2 || !parse_decimal(reader->word[1], UINT32_MAX, &number))
		return complain(reader, "thread needs a number", NULL);
	if (reader->sink->thread)
		reader->sink->thread(reader->sink->context, number);
	return 0;
}

static int take_signal(struct reader *reader)
{
	uint64_t address = 0;
	if (reader->words > 2 || (reader->words == 2 && !parse_hex(reader->word[1], &address)))
		return complain(reader, "signal takes one hexadecimal address, or none", NULL);
	if (reader->sink->signal)
		reader->sink->signal(reader->sink->context, address);
	return 0;
}

static int take_line(struct reader *reader)
{
	struct wm_stream_branch told = {.has_events = false};
	const struct word *first = &reader->word[0];
	const struct wm_stream_sink *sink = reader->sink;
	if (parse_kind(first, &told.branch))
		return take_branch(reader, &told);
	if (is(first, "begin"))
		return take_begin(reader);
	if (is(first, "thread"))
		return take_thread(reader);
	if (is(first, "option"))
		return take_options(reader);
	if (is(first, "signal"))
		return take_signal(reader);
	if (is(first, "sigreturn") || is(first, "window")) {
		void (*tell)(void *) = is(first, "window") ? sink->window : sink->sigreturn;
		if (tell)
			tell(sink->context);
		return 0;
	}
	return complain(reader,
		"is unknown: use begin, call, icall, ret, jmp, ijmp, jcc+, jcc-, thread, signal, "
		"sigreturn, window or option",
		first);
}

/* Splits a line into words. Negative if it has too many. */
static int split_line(struct reader *reader, const char *next, const char *end)
{
	reader->words = 0;
	while (next < end) {
		while (next < end && (*next == ' ' || *next == '\t' || *next == '\r'))
			next++;
		if (next == end || *next == '#')
			break;
		if (reader->words == MAX_WORDS)
			return complain(reader, "the line has too many words", NULL);
		struct word *word = &reader->word[reader->words++];
		word->text = next;
		while (next < end && *next != ' ' && *next != '\t' && *next != '\r' && *next != '#')
			next++;
		word->length = (size_t)(next - word->text);
	}
	return 0;
}

int wm_branch_text_read(const char *name, const char *text, size_t bytes,
	const struct wm_stream_sink *sink, struct wm_error *error)
{
	struct reader reader = {.name = name, .sink = sink, .error = error};
	const char *next = text, *end = text + bytes;
	while (next < end) {
		const char *feed = memchr(next, '\n', (size_t)(end - next));
		const char *line_end = feed ? feed : end;
		reader.line++;
		int status = split_line(&reader, next, line_end);
		if (status == 0 && reader.words)
			status = take_line(&reader);
		if (status)
			return status;
		next = line_end + 1;
	}
	return 0;
}
