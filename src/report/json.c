/* JSON as text. Bytes that are not UTF-8 (paths and names may hold anything) become U+FFFD.
 *
 * The outer levels get a line per element, everything deeper stays on its line, so that both people
 * and line-based tools can read a file of many megabytes. */
#include "report/json.h"

#include <inttypes.h>
#include <stddef.h>

#include "report/utf8.h"

enum { LEVELS_WITH_LINES = 2 };

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (const char *next = text; *next;) {
		size_t length = wm_utf8_length(next);
		if (length == 0)
			fputs("\xef\xbf\xbd", out);
		else if (*next == '"' || *next == '\\')
			fprintf(out, "\\%c", *next);
		else if ((unsigned char)*next < 0x20)
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
