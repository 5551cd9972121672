#include "study/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hpp_words.h"

static const uint8_t row_ball_larus[WM_TYPES] = {0xa, 0x6, 0x1, 0xd, 0xd};
static const uint8_t row_whole[WM_TYPES] = {0xe, 0xe, 0x1, 0xd, 0xd};

struct wm_hpp_settings wm_hpp_settings_default(void)
{
	return (struct wm_hpp_settings){
		.profiler = wm_profiler_defaults, .machine = wm_machine_thesis};
}

/* A number up to max, with K, M or G behind it; false for all else. */
static bool number_of(const char *text, uint64_t max, uint64_t *number)
{
	char *end;
	uint64_t unit = 1;
	errno = 0;
	if (*text < '0' || *text > '9')
		return false;
	*number = strtoull(text, &end, 10);
	if (*end == 'K' || *end == 'k')
		unit = 1000;
	else if (*end == 'M')
		unit = 1000000;
	else if (*end == 'G')
		unit = 1000000000;
	if (errno || end[unit != 1] || *number > max / unit)
		return false;
	*number *= unit;
	return true;
}

static int refuse(struct wm_error *error, const char *option, const char *text, const char *use)
{
	return wm_error_set(
		error, WM_ERROR_INPUT, "%s='%s' is unknown: use %s", option, text, use);
}

int wm_hpp_set_paths(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	struct wm_control *control = &settings->profiler.control;
	bool loops = strncmp(text, "loops:", 6) == 0, calls = strncmp(text, "calls:", 6) == 0;
	uint64_t maximum = 0;
	memcpy(control->row, row_ball_larus, sizeof row_ball_larus);
	control->extension = control->maximum = 0;
	if (strcmp(text, "ball-larus") == 0)
		return 0;
	if (strcmp(text, "whole") == 0) {
		memcpy(control->row, row_whole, sizeof row_whole);
		return 0;
	}
	if (!(loops || calls) || !number_of(text + 6, WM_MAX_EXTENSION, &maximum) || !maximum)
		return refuse(error, "--paths", text,
			"ball-larus, whole, loops:N or calls:N with N from 1 to 63");
	control->extension = loops ? WM_EXTEND_LOOPS : WM_EXTEND_CALLS;
	control->maximum = (uint8_t)maximum;
	return 0;
}

int wm_hpp_set_control(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	char *end;
	errno = 0;
	uint64_t word = strtoull(text, &end, 16);
	if (*end || errno || !*text || *text == '-')
		return refuse(error, "--ppcr", text, "a hexadecimal number of 64 bits");
	const char *wrong = wm_control_decode(word, &settings->profiler.control);
	if (wrong)
		return wm_error_set(error, WM_ERROR_INPUT, "--ppcr=%s: %s", text, wrong);
	settings->modelled |= wm_hpp_event_is_modelled(settings->profiler.control.event);
	return 0;
}

bool wm_hpp_event_is_modelled(unsigned event)
{
	return event >= WM_HPP_EVENT_LOADS && event <= WM_HPP_EVENT_POWER_CYCLE;
}

int wm_hpp_set_event(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	for (unsigned i = 0; i < WM_HPP_EVENTS; i++) {
		if (strcmp(text, wm_hpp_event_names[i]) != 0)
			continue;
		settings->profiler.control.event = (uint8_t)i;
		settings->modelled |= wm_hpp_event_is_modelled(i);
		return 0;
	}
	return refuse(error, "--event", text,
		"frequency, instructions, branches, loads, stores, l1i, l1d, l2, mispredictions, "
		"cycles, power, power-cycle or calls");
}

static bool find_word(const char *text, size_t length, const char *const *words, unsigned count,
	uint8_t *found)
{
	for (unsigned i = 0; i < count; i++) {
		if (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)
			continue;
		*found = (uint8_t)i;
		return true;
	}
	return false;
}

int wm_hpp_set_table(struct wm_hot_shape *shape, const char *text, struct wm_error *error)
{
	static const char use[] = "thesis, best or ENTRIESxWAYS[:fold|xor|address|scaled[:lfu|lru|"
				  "space-saving|admit]]";
	struct wm_hot_shape chosen = {512, 4, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false};
	char *end;
	if (strcmp(text, "best") == 0)
		chosen.policy = WM_POLICY_ADMIT;
	if (strcmp(text, "best") == 0 || strcmp(text, "thesis") == 0) {
		*shape = chosen;
		return 0;
	}
	chosen.entries = (uint32_t)strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != 'x' || end[1] < '0' || end[1] > '9')
		return refuse(error, "--table", text, use);
	chosen.ways = (uint32_t)strtoul(end + 1, &end, 10);
	for (int word = 0; word < 2 && *end == ':'; word++) {
		const char *next = end + 1;
		size_t length = strcspn(next, ":");
		bool good = word == 0 ? find_word(next, length, wm_hot_index_names, WM_HOT_INDEXES,
						&chosen.index)
				      : find_word(next, length, wm_hot_policy_names, WM_HOT_POLICIES,
						&chosen.policy);
		if (!good)
			return refuse(error, "--table", text, use);
		end = (char *)next + length;
	}
	if (*end)
		return refuse(error, "--table", text, use);
	const char *wrong = wm_hot_shape_check(&chosen);
	if (wrong)
		return wm_error_set(error, WM_ERROR_INPUT, "--table='%s': %s", text, wrong);
	*shape = chosen;
	return 0;
}

int wm_hpp_set_model(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	settings->modelled = true;
	if (strcmp(text, "thesis") == 0)
		settings->machine = wm_machine_thesis;
	else if (strcmp(text, "modern") == 0)
		settings->machine = wm_machine_modern;
	else
		return refuse(error, "--model", text, "thesis or modern");
	return 0;
}

int wm_hpp_set_backward(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	settings->profiler.control.static_backward = strcmp(text, "static") == 0;
	if (!settings->profiler.control.static_backward && strcmp(text, "taken") != 0)
		return refuse(error, "--backward", text, "taken or static");
	return 0;
}

int wm_hpp_set_overflow(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	settings->profiler.spill = strcmp(text, "spill") == 0;
	if (!settings->profiler.spill && strcmp(text, "drop") != 0)
		return refuse(error, "--overflow", text, "drop or spill");
	return 0;
}

int wm_hpp_set_stack(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	uint64_t depth;
	if (!number_of(text, 1 << 20, &depth) || depth < 2)
		return refuse(error, "--stack", text, "a number of entries from 2 to 1048576");
	settings->profiler.depth = (uint32_t)depth;
	return 0;
}

int wm_hpp_set_length(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	uint64_t length;
	if (!number_of(text, WM_MAX_PATH_LENGTH, &length) || !length)
		return refuse(error, "--length", text, "a number of branches from 1 to 32");
	settings->profiler.control.length = (uint8_t)length;
	return 0;
}

int wm_hpp_set_counter(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	uint64_t bits;
	if (!number_of(text, 32, &bits))
		return refuse(error, "--counter-bits", text, "1 to 32, or 0 for no limit");
	settings->profiler.counter_bits = (uint8_t)bits;
	return 0;
}

int wm_hpp_set_power(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	struct wm_power *power = &settings->machine.power;
	uint32_t *const field[] = {&power->icache, &power->dcache, &power->l2, &power->memory};
	static const char *const name[] = {"icache", "dcache", "l2", "memory"};
	for (const char *next = text; *next;) {
		size_t length = strcspn(next, ",:");
		unsigned i = 0;
		char *end;
		while (i < 4 && (strlen(name[i]) != length || strncmp(name[i], next, length)))
			i++;
		if (i == 4 || next[length] != ':' || next[length + 1] < '0' || next[length + 1] > '9')
			return refuse(error, "--power", text, "icache:N,dcache:N,l2:N,memory:N");
		*field[i] = (uint32_t)strtoul(next + length + 1, &end, 10);
		if (*field[i] > 100000 || (*end && *end != ','))
			return refuse(error, "--power", text, "icache:N,dcache:N,l2:N,memory:N");
		next = end + (*end == ',');
	}
	settings->modelled = true;
	return 0;
}

int wm_hpp_set_window(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	if (!number_of(text, UINT64_C(1) << 50, &settings->window) || !settings->window)
		return refuse(error, "--window", text, "a number of instructions, such as 100M");
	return 0;
}

int wm_hpp_set_limit(struct wm_hpp_settings *settings, const char *text, struct wm_error *error)
{
	uint64_t limit;
	if (!number_of(text, 1 << 28, &limit) || !limit)
		return refuse(error, "--limit", text, "a number of paths, such as 16M");
	settings->profiler.limit = (uint32_t)limit;
	return 0;
}

static int set_extension(struct wm_hpp_settings *settings, const char *value)
{
	static const char *const words[] = {"none", "loops", "calls"};
	return find_word(value, strlen(value), words, 3, &settings->profiler.control.extension) ? 0
												 : -1;
}

/* Where paths end, whether or not they are extended. */
static int set_rows(struct wm_control *control, const char *value)
{
	static const char *const words[] = {"ball-larus", "whole"};
	uint8_t found;
	if (!find_word(value, strlen(value), words, 2, &found))
		return -1;
	memcpy(control->row, found ? row_whole : row_ball_larus, sizeof control->row);
	return 0;
}

static int set_small(const char *value, uint64_t max, uint64_t *number)
{
	return number_of(value, max, number) ? 0 : -1;
}

/* The size of the table in a text: entries and ways come one by one. */
static int set_number(struct wm_hpp_settings *settings, const char *key, const char *value)
{
	struct wm_profiler_options *options = &settings->profiler;
	uint64_t number;
	if (set_small(value, 1 << 20, &number))
		return -1;
	if (strcmp(key, "maximum") == 0 && number <= WM_MAX_EXTENSION)
		options->control.maximum = (uint8_t)number;
	else if (strcmp(key, "depth") == 0 && number)
		options->depth = (uint32_t)number;
	else if (strcmp(key, "entries") == 0)
		options->table.entries = (uint32_t)number;
	else if (strcmp(key, "ways") == 0)
		options->table.ways = (uint32_t)number;
	else
		return -1;
	return 0;
}

const char *wm_hpp_set_by_text(struct wm_hpp_settings *settings, const char *key, const char *value)
{
	static const struct {
		const char *key;
		int (*set)(struct wm_hpp_settings *, const char *, struct wm_error *);
	} rows[] = {{"limit", wm_hpp_set_length}, {"length", wm_hpp_set_length},
		{"overflow", wm_hpp_set_overflow}, {"backward", wm_hpp_set_backward},
		{"event-bits", wm_hpp_set_counter}, {"event", wm_hpp_set_event},
		{"paths", wm_hpp_set_paths}, {"stack", wm_hpp_set_stack}};
	struct wm_error error;
	int status = -1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(key, rows[i].key) == 0)
			status = rows[i].set(settings, value, &error);
	if (strcmp(key, "table") == 0)
		status = wm_hpp_set_table(&settings->profiler.table, value, &error);
	else if (strcmp(key, "map") == 0)
		status = set_rows(&settings->profiler.control, value);
	else if (strcmp(key, "extend") == 0)
		status = set_extension(settings, value);
	else if (strcmp(key, "returns") == 0) {
		settings->profiler.as_published = strcmp(value, "no") == 0;
		status = 0;
	} else if (status)
		status = set_number(settings, key, value);
	return status ? "is no option of a .branches text, or has no such value" : NULL;
}
