/* File-name patterns, after the habits of LLVM's own profile runtime. */
#define _GNU_SOURCE
#include "runtime/file/name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "runtime/file/failure.h"
#include "runtime/system.h"
#include "runtime/text.h"

extern const char __waymark_file_name[] __attribute__((visibility("hidden")));

struct text {
	char *bytes; /* PATH_MAX of them */
	size_t used;
	int overflow;
};

static void put_char(struct text *text, char c)
{
	if (text->used + 1 < PATH_MAX)
		text->bytes[text->used++] = c;
	else
		text->overflow = 1;
	text->bytes[text->used] = 0;
}

static void put(struct text *text, const char *more)
{
	while (*more)
		put_char(text, *more++);
}

static void put_decimal(struct text *text, uint32_t number)
{
	char digits[16];
	*wm_text_decimal(digits, number) = 0;
	put(text, digits);
}

static void put_build_id(struct text *text, const struct wm_own_object *object)
{
	static const char digits[] = "0123456789abcdef";
	for (uint32_t i = 0; i < object->build_id_bytes; i++) {
		put_char(text, digits[object->build_id[i] >> 4]);
		put_char(text, digits[object->build_id[i] & 15]);
	}
}

static int check_length(const struct text *text)
{
	if (!text->overflow)
		return 0;
	wm_failure_about(NULL);
	return wm_failure_of_call("cannot write a profile", -ENAMETOOLONG);
}

static void put_escaped(struct text *text, const char *more)
{
	for (; *more; more++) {
		if (*more == '%')
			put_char(text, '%');
		put_char(text, *more);
	}
}

static int put_directory(struct text *text)
{
	static char directory[PATH_MAX];
	if (wm_system_directory(directory, sizeof(directory))) {
		wm_failure_about(NULL);
		return wm_failure_of_call("cannot find the working directory", -ENOENT);
	}
	put_escaped(text, directory);
	put_char(text, '/');
	return 0;
}

int wm_name_absolute(const char *chosen, char pattern[PATH_MAX])
{
	struct text text = {pattern, 0, 0};
	if (chosen[0] != '/' && put_directory(&text))
		return -1;
	put(&text, chosen);
	return check_length(&text);
}

int wm_name_pattern(const struct wm_own_object *object, char pattern[PATH_MAX])
{
	struct text text = {pattern, 0, 0};
	const char *chosen = secure_getenv("WAYMARK_FILE");
	if (!chosen || !chosen[0])
		chosen = __waymark_file_name;
	if (chosen[0])
		return wm_name_absolute(chosen, pattern);
	if (put_directory(&text))
		return -1;
	const char *slash = strrchr(object->path, '/');
	put_escaped(&text, slash ? slash + 1 : object->path);
	put(&text, "-%b.wmk");
	return check_length(&text);
}

/* FNV-1a. */
static uint64_t hash_text(const char *label)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (; *label; label++)
		hash = (hash ^ (unsigned char)*label) * 0x100000001b3u;
	return hash;
}

static int is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

void wm_name_label(const char *label, char name[WM_NAME_LABEL_BYTES])
{
	static const char digits[] = "0123456789abcdef";
	enum { LONGEST = WM_NAME_LABEL_BYTES - 24 };
	size_t used = 0;
	for (const char *c = label; *c && used < LONGEST; c++) {
		unsigned char byte = (unsigned char)*c;
		if (is_plain(*c)) {
			name[used++] = *c;
			continue;
		}
		name[used++] = '=';
		name[used++] = digits[byte >> 4];
		name[used++] = digits[byte & 15];
	}
	if (used >= LONGEST) {
		uint64_t hash = hash_text(label);
		name[used++] = '~';
		for (int shift = 60; shift >= 0; shift -= 4)
			name[used++] = digits[hash >> shift & 15];
	}
	name[used] = 0;
}

/* That of `waymark run`, or of whatever set it. */
static void put_label(struct text *text)
{
	static char name[WM_NAME_LABEL_BYTES];
	const char *label = secure_getenv("WAYMARK_LABEL");
	wm_name_label(label ? label : "", name);
	put(text, name);
}

static void put_host(struct text *text)
{
	struct utsname system;
	if (!WM_CALL_1(uname, &system))
		put(text, system.nodename);
}

int wm_name_expand(const struct wm_own_object *object, const char *pattern, char name[PATH_MAX])
{
	struct text text = {name, 0, 0};
	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			put_char(&text, *pattern);
			continue;
		}
		switch (*++pattern) {
		case 'p':
			put_decimal(&text, (uint32_t)wm_system_process());
			break;
		case 'h':
			put_host(&text);
			break;
		case 'b':
		case 'm':
			put_build_id(&text, object);
			break;
		case 'l':
			put_label(&text);
			break;
		case '%':
			put_char(&text, '%');
			break;
		default: /* not one of ours: stays as it is */
			put_char(&text, '%');
			pattern--;
		}
	}
	return check_length(&text);
}

int wm_name_alternative(const struct wm_own_object *object, const char *name, char other[PATH_MAX])
{
	struct text text = {other, 0, 0};
	put(&text, name);
	if (text.used > 4 && !strcmp(other + text.used - 4, ".wmk"))
		text.used -= 4;
	put_char(&text, '-');
	put_build_id(&text, object);
	put(&text, ".wmk");
	return check_length(&text);
}
