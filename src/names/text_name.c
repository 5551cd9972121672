/* Demangling, and what is left of a demangled name when all that distinguishes overloads and
 * instances is taken away. */
#include "names/text_name.h"

#include <fnmatch.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

const char *wm_text_name(struct wm_arena *arena, const char *name)
{
	char *demangled = cplus_demangle(name, DMGL_AUTO | DMGL_ANSI | DMGL_PARAMS | DMGL_RET_DROP);
	if (!demangled)
		return name;
	const char *copy = wm_arena_copy_text(arena, demangled);
	free(demangled);
	return copy;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* Bytes at the text whose brackets are part of a name, or 0. */
static size_t operator_bytes(const char *text)
{
	static const char word[] = "operator";
	if (!starts_with(text, word))
		return 0;
	const char *symbol = text + sizeof word - 1;
	size_t bytes = starts_with(symbol, "()") ? 2 : strspn(symbol, "<>=-!+*/%&|^~[],");
	/* Behind another symbol than its own, < begins template arguments. */
	bool is_own = symbol[0] == '<' && bytes <= 2;
	if (bytes > 1 && !is_own && symbol[bytes - 1] == '<')
		bytes--;
	return sizeof word - 1 + bytes;
}

/* Takes out what stands in round brackets and, if asked, in angle brackets. */
static char *without_brackets(struct wm_arena *arena, const char *shown, bool keeps_templates)
{
	static const char anonymous[] = "(anonymous namespace)::";
	char *copy = wm_arena_copy_text(arena, shown), *next = copy;
	for (int depth = 0; *shown && !starts_with(shown, " [clone");) {
		size_t whole = depth == 0 ? operator_bytes(shown) : 0;
		memcpy(next, shown, whole);
		next += whole;
		shown += whole;
		if (starts_with(shown, anonymous)) {
			shown += sizeof anonymous - 1;
			continue;
		}
		bool opens = *shown == '(' || (*shown == '<' && !keeps_templates);
		bool closes = *shown == ')' || (*shown == '>' && !keeps_templates);
		depth += opens;
		if (depth == 0 && !closes)
			*next++ = *shown;
		depth -= closes && depth > 0;
		shown += *shown != '\0';
	}
	*next = '\0';
	return copy;
}

static void drop_end(char *name, const char *end)
{
	size_t length = strlen(name), bytes = strlen(end);
	if (length > bytes && strcmp(name + length - bytes, end) == 0)
		name[length - bytes] = '\0';
}

static const char *plain_name(struct wm_arena *arena, const char *name, bool keeps_templates)
{
	const char *shown = wm_text_name(arena, name);
	if (shown == name)
		return name;
	char *plain = without_brackets(arena, shown, keeps_templates);
	drop_end(plain, " &&");
	drop_end(plain, " &");
	drop_end(plain, " volatile");
	drop_end(plain, " const");
	drop_end(plain, " ");
	return plain;
}

const char *wm_text_short_name(struct wm_arena *arena, const char *name)
{
	return plain_name(arena, name, false);
}

const char *wm_text_instance_name(struct wm_arena *arena, const char *name)
{
	return plain_name(arena, name, true);
}

static bool is_last_part(const char *word, const char *name)
{
	size_t length = strlen(name), bytes = strlen(word);
	return bytes > 0 && length > bytes + 2 && strcmp(name + length - bytes, word) == 0 &&
	       starts_with(name + length - bytes - 2, "::");
}

enum wm_text_name_fit wm_text_name_fit(const char *word, const char *name)
{
	struct wm_arena arena = {0};
	const char *shown = wm_text_name(&arena, name);
	enum wm_text_name_fit fit = WM_TEXT_NAME_NONE;
	if (strcmp(word, name) == 0 || strcmp(word, shown) == 0)
		fit = WM_TEXT_NAME_WHOLE;
	else if (shown != name) {
		const char *plain = plain_name(&arena, name, true);
		const char *brief = plain_name(&arena, name, false);
		if (strcmp(word, plain) == 0 || strcmp(word, brief) == 0)
			fit = WM_TEXT_NAME_WHOLE;
		else if (is_last_part(word, plain) || is_last_part(word, brief))
			fit = WM_TEXT_NAME_PART;
	}
	wm_arena_reset(&arena);
	return fit;
}

bool wm_text_name_matches(const char *glob, const char *name)
{
	struct wm_arena arena = {0};
	bool matches = fnmatch(glob, name, 0) == 0 ||
		       fnmatch(glob, wm_text_short_name(&arena, name), 0) == 0;
	wm_arena_reset(&arena);
	return matches;
}
