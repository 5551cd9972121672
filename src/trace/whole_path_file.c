/* The file of a whole program path: lines of text.
 *
 *	WAYMARK-WPP 1
 *	p COST NAME LINES	an element, numbered from 3; LINES may be missing
 *	r SYMBOL...		a rule; a symbol is the number of an element, or R and that of a
 *rule
 *
 * Rules come last. The first one is the whole sequence. */
#include "trace/elements.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "WAYMARK-WPP 1\n";

void wm_whole_path_write(const struct wm_whole_path *whole, FILE *out)
{
	const struct wm_grammar *grammar = &whole->grammar;
	fputs(head, out);
	for (uint32_t e = WM_ELEMENT_PATH; e < whole->element_count; e++)
		fprintf(out, "p %" PRIu64 " %s%s%s\n", whole->elements[e].cost,
			whole->elements[e].name, whole->elements[e].lines[0] ? " " : "",
			whole->elements[e].lines);
	for (uint32_t rule = 0; rule < grammar->rule_count; rule++) {
		fputc('r', out);
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			uint32_t symbol = grammar->symbols[i];
			if (wm_grammar_is_rule(symbol))
				fprintf(out, " R%" PRIu32, symbol - WM_GRAMMAR_RULE);
			else
				fprintf(out, " %" PRIu32, symbol);
		}
		fputc('\n', out);
	}
}

struct reader {
	struct wm_arena *arena;
	const char *path;
	struct wm_whole_path *whole;
	struct wm_error *error;
	uint64_t line;
	size_t element_capacity, rule_capacity, symbol_capacity;
	uint64_t symbol_count;
};

static int damaged(struct reader *reader, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT, "%s: line %" PRIu64 ": %s", reader->path,
		reader->line, reason);
}

static void add_element(struct reader *reader, struct wm_element element)
{
	struct wm_whole_path *whole = reader->whole;
	whole->elements = wm_arena_grow(reader->arena, whole->elements, whole->element_count,
		&reader->element_capacity, sizeof *whole->elements);
	whole->elements[whole->element_count++] = element;
}

static int read_element(struct reader *reader, char *text)
{
	char *end, *name, *lines;
	uint64_t cost = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != ' ' || !end[1] || end[1] == ' ')
		return damaged(reader, "an element has a cost and a name");
	name = end + 1;
	lines = strchr(name, ' ');
	if (lines)
		*lines++ = 0;
	if (reader->whole->grammar.rule_count ||
		reader->whole->element_count >= WM_GRAMMAR_RULE / 2)
		return damaged(reader, "elements come before rules");
	add_element(reader, (struct wm_element){name, cost, lines ? lines : ""});
	return 0;
}

static void start_rule(struct reader *reader)
{
	struct wm_grammar *grammar = &reader->whole->grammar;
	grammar->first_symbol = wm_arena_grow(reader->arena, grammar->first_symbol,
		grammar->rule_count, &reader->rule_capacity, sizeof *grammar->first_symbol);
	grammar->first_symbol[grammar->rule_count++] = reader->symbol_count;
}

static int read_rule(struct reader *reader, char *text)
{
	struct wm_grammar *grammar = &reader->whole->grammar;
	start_rule(reader);
	while (*text) {
		char *end;
		bool rule = *text == 'R';
		text += rule;
		unsigned long long number = strtoull(text, &end, 10);
		if (*text < '0' || *text > '9' || (*end && *end != ' ') ||
			number >= WM_GRAMMAR_RULE / 2)
			return damaged(reader, "a symbol is a number, or R and a number");
		grammar->symbols = wm_arena_grow(reader->arena, grammar->symbols,
			reader->symbol_count, &reader->symbol_capacity, sizeof *grammar->symbols);
		grammar->symbols[reader->symbol_count++] =
			(uint32_t)number + (rule ? WM_GRAMMAR_RULE : 0);
		text = *end ? end + 1 : end;
	}
	return 0;
}

static int read_line(struct reader *reader, char *line)
{
	if (line[0] == 'p' && line[1] == ' ')
		return read_element(reader, line + 2);
	if (line[0] == 'r' && (!line[1] || line[1] == ' '))
		return read_rule(reader, line[1] ? line + 2 : line + 1);
	return damaged(reader, "it starts neither with p nor with r");
}

/* Lengths of rules multiply: a short file can mean a sequence that no number can count. */
static int measure(struct reader *reader)
{
	struct wm_whole_path *whole = reader->whole;
	const struct wm_grammar *grammar = &whole->grammar;
	const uint64_t *times = wm_grammar_occurrences(reader->arena, grammar);
	for (uint32_t rule = 0; rule < grammar->rule_count; rule++)
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++)
			if (!wm_grammar_is_rule(grammar->symbols[i]) &&
				__builtin_add_overflow(whole->length, times[rule], &whole->length))
				return damaged(reader, "the sequence is too long");
	return 0;
}

int wm_whole_path_parse(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_whole_path *whole, struct wm_error *error)
{
	struct reader reader = {
		.arena = arena, .path = path, .whole = whole, .error = error, .line = 1};
	static const char *const names[] = {"(", ")", "$"};
	*whole = (struct wm_whole_path){.element_count = 0};
	if (bytes < sizeof head - 1 || memcmp(text, head, sizeof head - 1) != 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is no whole program path: it does not start with WAYMARK-WPP 1", path);
	for (int i = 0; i < WM_ELEMENT_PATH; i++)
		add_element(&reader, (struct wm_element){names[i], 0, ""});
	char *copy = wm_arena_alloc(arena, bytes + 1, 1), *state = NULL;
	memcpy(copy, text, bytes);
	if (strlen(copy) != bytes)
		return damaged(&reader, "it holds a zero byte");
	for (char *line = strtok_r(copy + sizeof head - 1, "\n", &state); line;
		line = strtok_r(NULL, "\n", &state)) {
		reader.line++;
		int status = read_line(&reader, line);
		if (status)
			return status;
	}
	if (!whole->grammar.rule_count)
		return damaged(&reader, "there is no rule");
	start_rule(&reader);
	whole->grammar.rule_count--;
	int status = wm_grammar_check(arena, &whole->grammar, whole->element_count, error);
	return status ? damaged(&reader, "its rules do not fit together") : measure(&reader);
}
