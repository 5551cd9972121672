/* JSON as text. Bytes that are not UTF-8 (paths and names may hold anything) become U+FFFD.
 *
 * The outer levels get a line per element, everything deeper stays on its line, so that both people
 * and line-based tools can read a file of many megabytes. */
#include "report/json.h"

#include <inttypes.h>
#include <stddef.h>

enum { LEVELS_WITH_LINES = 2 };

/* Length of the UTF-8 sequence that this byte starts, or 0 if it starts none. */
static size_t announced_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Length of the sequence at the text, or 0 if it is not UTF-8 (cut short, overlong, a surrogate).
 */
static size_t sequence_length(const unsigned char *text)
{
	size_t length = announced_length(text[0]);
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	bool refused = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
		       (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
	return refused ? 0 : length;
}

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (const unsigned char *next = (const unsigned char *)text; *next;) {
		size_t length = sequence_length(next);
		if (length == 0)
			fputs("\xef\xbf\xbd", out);
		else if (*next == '"' || *next == '\\')
			fprintf(out, "\\%c", *next);
		else if (*next < 0x20)
			fprintf(out, "\\u%04x", *next);
		else
			fwrite(next, 1, length, out);
		next += length ? length : 1;
	}
	fputc('"', out);
}

static void begin_value(struct wm_json *json, const char *key)
{
	if (json->follows)
		fputc(',', json->out);
	if (json->depth > 0 && json->depth <= LEVELS_WITH_LINES)
		fputc('\n', json->out);
	if (key) {
		put_text(json->out, key);
		fputc(':', json->out);
	}
	json->follows = true;
}

static void begin_group(struct wm_json *json, const char *key, char bracket)
{
	begin_value(json, key);
	fputc(bracket, json->out);
	json->depth++;
	json->follows = false;
}

static void end_group(struct wm_json *json, char bracket)
{
	fputc(bracket, json->out);
	if (--json->depth == 0)
		fputc('\n', json->out);
	json->follows = json->depth > 0;
}

void wm_json_begin_document(struct wm_json *json, const char *kind)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "schema", kind);
	wm_json_number(json, "version", WM_JSON_VERSION);
}

void wm_json_begin_object(struct wm_json *json, const char *key)
{
	begin_group(json, key, '{');
}

void wm_json_end_object(struct wm_json *json)
{
	end_group(json, '}');
}

void wm_json_begin_array(struct wm_json *json, const char *key)
{
	begin_group(json, key, '[');
}

void wm_json_end_array(struct wm_json *json)
{
	end_group(json, ']');
}

void wm_json_text(struct wm_json *json, const char *key, const char *text)
{
	begin_value(json, key);
	put_text(json->out, text);
}

void wm_json_number(struct wm_json *json, const char *key, uint64_t number)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRIu64, number);
}

void wm_json_real(struct wm_json *json, const char *key, double number)
{
	begin_value(json, key);
	fprintf(json->out, "%.12g", number);
}

void wm_json_signed(struct wm_json *json, const char *key, int64_t number)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRId64, number);
}

void wm_json_null(struct wm_json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}

void wm_json_flag(struct wm_json *json, const char *key, bool flag)
{
	begin_value(json, key);
	fputs(flag ? "true" : "false", json->out);
}
