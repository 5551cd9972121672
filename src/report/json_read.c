/* By descent, one function for each kind of value. */
#include "report/json_read.h"

#include <string.h>

enum { DEEPEST = 32 };

struct reader {
	struct wm_arena *arena;
	const char *start;
	const char *next;
	const char *end;
	unsigned depth;
	const char *expected; /* what was missing first; or NULL */
};

static bool fail(struct reader *reader, const char *expected)
{
	if (!reader->expected)
		reader->expected = expected;
	return false;
}

static void skip_blanks(struct reader *reader)
{
	while (reader->next < reader->end && strchr(" \t\r\n", *reader->next) && *reader->next)
		reader->next++;
}

static char peek(struct reader *reader)
{
	skip_blanks(reader);
	return reader->next < reader->end ? *reader->next : '\0';
}

static bool take(struct reader *reader, char character)
{
	if (peek(reader) != character || reader->next >= reader->end)
		return false;
	reader->next++;
	return true;
}

static int hexadecimal(char digit)
{
	static const char digits[] = "0123456789abcdef";
	char lower = digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
	const char *found = lower ? strchr(digits, lower) : NULL;
	return found ? (int)(found - digits) : -1;
}

/* Four digits; -1 if they are none. */
static long unit(struct reader *reader)
{
	long value = 0;
	for (int i = 0; i < 4; i++) {
		int digit = reader->next < reader->end ? hexadecimal(*reader->next) : -1;
		if (digit < 0)
			return -1;
		value = value * 16 + digit;
		reader->next++;
	}
	return value;
}

static char *put_character(char *to, long code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code >= 0x10000) {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
	} else if (code >= 0x800) {
		*to++ = (char)(0xe0 | code >> 12);
	}
	*to++ = (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* Behind \u; half a pair and zero become the mark of what cannot be read. */
static char *get_unicode(struct reader *reader, char *to)
{
	enum { UNREADABLE = 0xfffd };
	long code = unit(reader);
	if (code < 0) {
		fail(reader, "four hexadecimal digits");
		return to;
	}
	if (code >= 0xd800 && code < 0xdc00 && reader->end - reader->next >= 6 &&
		reader->next[0] == '\\' && reader->next[1] == 'u') {
		reader->next += 2;
		long low = unit(reader);
		bool pair = low >= 0xdc00 && low < 0xe000;
		code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : UNREADABLE;
	}
	bool lone = code == 0 || (code >= 0xd800 && code < 0xe000);
	return put_character(to, lone ? UNREADABLE : code);
}

static char *get_escape(struct reader *reader, char *to)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	char letter = reader->next < reader->end ? *reader->next++ : '\0';
	const char *found = letter ? strchr(letters, letter) : NULL;
	if (letter == 'u')
		return get_unicode(reader, to);
	if (!found) {
		fail(reader, "an escape sequence");
		return to;
	}
	*to++ = meanings[found - letters];
	return to;
}

/* Behind the first quote. No escape sequence is shorter than what it stands for. */
static const char *get_text(struct reader *reader)
{
	const char *quote = reader->next;
	while (quote < reader->end && *quote != '"')
		quote += *quote == '\\' ? 2 : 1;
	if (quote >= reader->end) {
		fail(reader, "the end of a text");
		return "";
	}
	char *text = wm_arena_alloc(reader->arena, (size_t)(quote - reader->next) + 1, 1),
	     *to = text;
	while (reader->next < quote && !reader->expected) {
		char character = *reader->next++;
		if (character == '\\')
			to = get_escape(reader, to);
		else if ((unsigned char)character < 0x20)
			fail(reader, "a text without control characters");
		else
			*to++ = character;
	}
	if (!reader->expected)
		reader->next = quote + 1;
	*to = '\0';
	return text;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

static void get_number(struct reader *reader, struct wm_json_value *value)
{
	const char *start = reader->next;
	bool whole = true;
	while (reader->next < reader->end &&
		(is_digit(*reader->next) || (*reader->next && strchr("+-.eE", *reader->next)))) {
		char digit = *reader->next++;
		whole = whole && is_digit(digit) &&
			!__builtin_mul_overflow(value->number, 10, &value->number) &&
			!__builtin_add_overflow(
				value->number, (uint64_t)(digit - '0'), &value->number);
	}
	if (reader->next == start)
		fail(reader, "a value");
	value->type = whole ? WM_JSON_WHOLE : WM_JSON_OTHER;
	value->number = whole ? value->number : 0;
}

static bool get_word(struct reader *reader, struct wm_json_value *value)
{
	static const struct {
		const char *word;
		enum wm_json_type type;
	} words[] = {{"null", WM_JSON_NULL}, {"true", WM_JSON_TRUE}, {"false", WM_JSON_FALSE}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t bytes = strlen(words[i].word);
		if ((size_t)(reader->end - reader->next) < bytes ||
			memcmp(reader->next, words[i].word, bytes) != 0)
			continue;
		reader->next += bytes;
		value->type = words[i].type;
		return true;
	}
	return false;
}

static const struct wm_json_value *get_value(struct reader *reader);

/* Behind the bracket that opens it. */
static void get_elements(struct reader *reader, struct wm_json_value *value, char end)
{
	const struct wm_json_value **next = &value->first;
	if (reader->depth++ == DEEPEST)
		fail(reader, "fewer brackets inside each other");
	if (take(reader, end)) {
		reader->depth--;
		return;
	}
	do {
		const char *key = NULL;
		if (end == '}') {
			key = take(reader, '"') ? get_text(reader) : NULL;
			if (!key || !take(reader, ':'))
				fail(reader, "\"KEY\":");
		}
		struct wm_json_value *element = (struct wm_json_value *)get_value(reader);
		element->key = key;
		*next = element;
		next = &element->next;
	} while (!reader->expected && take(reader, ','));
	if (!reader->expected && !take(reader, end))
		fail(reader, end == '}' ? "',' or '}'" : "',' or ']'");
	reader->depth--;
}

static const struct wm_json_value *get_value(struct reader *reader)
{
	struct wm_json_value *value = wm_arena_alloc(reader->arena, 1, sizeof *value);
	if (reader->expected)
		return value;
	if (take(reader, '{')) {
		value->type = WM_JSON_OBJECT;
		get_elements(reader, value, '}');
	} else if (take(reader, '[')) {
		value->type = WM_JSON_ARRAY;
		get_elements(reader, value, ']');
	} else if (take(reader, '"')) {
		value->type = WM_JSON_TEXT;
		value->text = get_text(reader);
	} else if (!get_word(reader, value)) {
		get_number(reader, value);
	}
	return value;
}

int wm_json_read(struct wm_arena *arena, const char *text, size_t bytes,
	const struct wm_json_value **value, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .start = text, .next = text, .end = text + bytes};
	*value = get_value(&reader);
	skip_blanks(&reader);
	if (!reader.expected && reader.next < reader.end)
		reader.expected = "the end of the file";
	if (!reader.expected)
		return 0;
	size_t line = 1;
	for (const char *at = text; at < reader.next && at < reader.end; at++)
		line += *at == '\n';
	return wm_error_set(error, WM_ERROR_INPUT, "line %zu: expected %s", line, reader.expected);
}

const struct wm_json_value *wm_json_member(const struct wm_json_value *object, const char *key)
{
	if (!object || object->type != WM_JSON_OBJECT)
		return NULL;
	const struct wm_json_value *member = object->first;
	while (member && strcmp(member->key, key) != 0)
		member = member->next;
	return member;
}

const char *wm_json_member_text(
	const struct wm_json_value *object, const char *key, const char *otherwise)
{
	const struct wm_json_value *member = wm_json_member(object, key);
	return member && member->type == WM_JSON_TEXT ? member->text : otherwise;
}

uint64_t wm_json_member_number(
	const struct wm_json_value *object, const char *key, uint64_t otherwise)
{
	const struct wm_json_value *member = wm_json_member(object, key);
	return member && member->type == WM_JSON_WHOLE ? member->number : otherwise;
}

bool wm_json_member_flag(const struct wm_json_value *object, const char *key)
{
	const struct wm_json_value *member = wm_json_member(object, key);
	return member && member->type == WM_JSON_TRUE;
}

const struct wm_json_value *wm_json_member_items(
	const struct wm_json_value *object, const char *key)
{
	const struct wm_json_value *member = wm_json_member(object, key);
	return member && member->type == WM_JSON_ARRAY ? member->first : NULL;
}
