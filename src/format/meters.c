/* Words of meters. */
#include "format/meters.h"

#include <ctype.h>
#include <string.h>

const char *const wm_meter_words[] = {"tsc", "user:", "perf:", "sim:", NULL};

static bool is_identifier(const char *name)
{
	if (!isalpha((unsigned char)name[0]) && name[0] != '_')
		return false;
	while (isalnum((unsigned char)*name) || *name == '_' || *name == '.' || *name == '$')
		name++;
	return !*name;
}

static int parse_one(
	struct wm_arena *arena, const char *word, struct wm_meter *meter, struct wm_error *error)
{
	size_t i = 0;
	*meter = (struct wm_meter){.word = word, .name = ""};
	while (wm_meter_words[i] &&
		strncmp(word, wm_meter_words[i], strlen(wm_meter_words[i])) != 0)
		i++;
	if (!wm_meter_words[i] || (i == WM_METER_TSC && word[strlen(wm_meter_words[i])]))
		return wm_error_set(error, WM_ERROR_INPUT,
			"metric '%s' is unknown: use tsc, user:NAME, perf:EVENT or sim:CACHE",
			word);
	meter->kind = (enum wm_meter_kind)i;
	meter->name = word + strlen(wm_meter_words[i]);
	if (meter->kind == WM_METER_USER && !is_identifier(meter->name))
		return wm_error_set(error, WM_ERROR_INPUT,
			"metric '%s': '%s' is no name of a variable; give one such as "
			"user:bytes_read",
			word, meter->name);
	if (meter->kind == WM_METER_PERF)
		return wm_perf_event_parse(arena, meter->name, &meter->event, error);
	if (meter->kind == WM_METER_SIM && strcmp(meter->name, "l1d") && strcmp(meter->name, "l2"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"metric '%s' is unknown: use sim:l1d or sim:l2", word);
	meter->level = meter->kind == WM_METER_SIM && meter->name[1] == '2';
	return 0;
}

bool wm_meters_have(const struct wm_meters *meters, enum wm_meter_kind kind)
{
	for (uint32_t i = 0; i < meters->count; i++)
		if (meters->meters[i].kind == kind)
			return true;
	return false;
}

int wm_meters_parse(
	struct wm_arena *arena, const char *text, struct wm_meters *meters, struct wm_error *error)
{
	char *rest = wm_arena_copy_text(arena, text);
	int status = 0;
	*meters = (struct wm_meters){0};
	for (const char *word; !status && (word = strsep(&rest, ","));) {
		if (meters->count == WM_MAX_METERS)
			return wm_error_set(error, WM_ERROR_INPUT,
				"'%s': a build has up to %d metrics", text, WM_MAX_METERS);
		for (uint32_t i = 0; i < meters->count; i++)
			if (!strcmp(meters->meters[i].word, word))
				return wm_error_set(
					error, WM_ERROR_INPUT, "metric '%s' is given twice", word);
		status = parse_one(arena, word, &meters->meters[meters->count++], error);
	}
	return status;
}
