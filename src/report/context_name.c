/* A name is made from its end, because each record knows the one above it. */
#include "report/context_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

const char *wm_context_name_outside(uint32_t site)
{
	static const char *const words[] = {[WM_CONTEXT_SITE_OUTSIDE] = "",
		[WM_CONTEXT_SITE_SIGNAL] = "signal",
		[WM_CONTEXT_SITE_FOLDED] = "elsewhere",
		[WM_CONTEXT_SITE_UNKNOWN] = "unknown"};
	return words[site];
}

/* Whether calls of the function can come from other sites of the caller by its name as well. */
static bool needs_site(const struct wm_function *caller, uint32_t site, const char *callee)
{
	uint32_t same = 0;
	if (strcmp(caller->calls[site].callee, callee) != 0)
		return true;
	for (uint32_t i = 0; i < caller->call_count; i++)
		same += strcmp(caller->calls[i].callee, callee) == 0;
	return same > 1;
}

static const struct wm_profile_function *function_of(const struct wm_tree *tree, uint32_t record)
{
	return &tree->profile->functions[tree->contexts.records[record].function];
}

static const char *name_of(const struct wm_tree *tree, uint32_t record)
{
	return tree->names[tree->contexts.records[record].function];
}

/* A text that is filled from its end, or only measured. */
struct text {
	char *start; /* NULL: measured */
	size_t length;
};

static void put(struct text *text, const char *word)
{
	size_t length = strlen(word);
	text->length += length;
	if (text->start)
		memcpy(text->start -= length, word, length);
}

/* What stands between the caller's name and the record's own. */
static void put_call(struct text *text, const struct wm_tree *tree, uint32_t record)
{
	const struct wm_context_record *records = tree->contexts.records;
	char site[16];
	uint32_t parent = records[record].parent;
	put(text, "/");
	if (tree->by_function ||
		!needs_site(function_of(tree, parent)->function, records[record].site,
			function_of(tree, record)->function->name))
		return;
	snprintf(site, sizeof site, ":%" PRIu32, records[record].site);
	put(text, site);
}

static void put_chain(struct text *text, const struct wm_tree *tree, uint32_t record)
{
	const struct wm_context_record *records = tree->contexts.records;
	put(text, name_of(tree, record));
	for (; records[record].parent != WM_CONTEXT_OUTSIDE; record = records[record].parent) {
		put_call(text, tree, record);
		put(text, name_of(tree, records[record].parent));
	}
	const char *word = wm_context_name_outside(records[record].site);
	if (!word[0])
		return;
	put(text, "]/");
	put(text, word);
	put(text, "[");
}

char *wm_context_name(struct wm_arena *arena, const struct wm_tree *tree, uint32_t record)
{
	struct text text = {0};
	put_chain(&text, tree, record);
	char *name = wm_arena_alloc(arena, text.length + 1, 1);
	text.start = name + text.length;
	put_chain(&text, tree, record);
	return name;
}

/* FNV-1a. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

char *wm_context_short_name(
	struct wm_arena *arena, const struct wm_tree *tree, uint32_t record, const char *name)
{
	enum { LETTERS = 13, BITS = 5 };
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
	const char *function = name_of(tree, record);
	size_t length = strlen(function);
	char *text = wm_arena_alloc(arena, length + 1 + LETTERS + 1, 1);
	uint64_t hash = hash_of(name);
	memcpy(text, function, length);
	text[length] = '@';
	for (size_t i = 1; i <= LETTERS; i++, hash >>= BITS)
		text[length + i] = digits[hash % (1 << BITS)];
	return text;
}

/* The end of the step that starts there: a slash, but not that of an operator's name. */
static const char *end_of_step(const char *text)
{
	static const char word[] = "operator";
	const char *at = strchr(text, '/');
	while (at && (size_t)(at - text) >= strlen(word) &&
		strncmp(at - strlen(word), word, strlen(word)) == 0)
		at = strchr(at + 1, '/');
	return at ? at : text + strlen(text);
}

/* Takes `:12` off the end. Eight digits are the hash that tells functions of one name apart. */
static void take_site(struct wm_context_step *step)
{
	enum { HASH_DIGITS = 8 };
	char *colon = strrchr(step->function, ':'), *end;
	if (!colon || colon == step->function || colon[-1] == ':' || colon[1] < '0' ||
		colon[1] > '9')
		return;
	unsigned long site = strtoul(colon + 1, &end, 10);
	if (*end || end - colon - 1 >= HASH_DIGITS)
		return;
	*colon = '\0';
	step->has_site = true;
	step->site = (uint32_t)site;
}

bool wm_context_name_parse(
	struct wm_arena *arena, const char *text, size_t *count, struct wm_context_step **steps)
{
	size_t capacity = 0;
	*count = 0;
	*steps = NULL;
	for (;; text++) {
		const char *end = end_of_step(text);
		if (end == text)
			return false;
		*steps = wm_arena_grow(arena, *steps, *count, &capacity, sizeof **steps);
		struct wm_context_step *step = &(*steps)[(*count)++];
		*step = (struct wm_context_step){
			.function = wm_arena_alloc(arena, (size_t)(end - text) + 1, 1)};
		memcpy(step->function, text, (size_t)(end - text));
		take_site(step);
		text = end;
		if (!*text)
			return true;
	}
}
