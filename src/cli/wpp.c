/* waymark wpp: the whole path of a program, as a grammar. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/load_trace.h"
#include "cli/options.h"
#include "cli/whole_file.h"
#include "trace/strings.h"

enum { MAX_LENGTH = 100, MAX_DEPTH = 25 };

struct request {
	const char *binary, *save;
	uint64_t thread, top;
	uint32_t length, depth; /* depth 0: hot sub-paths */
	double share;
	bool expand, rules;
};

static double parse_share(const char *text)
{
	char *end;
	double share = strtod(text, &end);
	if (end == text || strcmp(end, "%") != 0 || !(share > 0 && share <= 100))
		wm_fatal_usage("wpp: --min='%s' is no share: give one such as 1%%", text);
	return share / 100;
}

static uint32_t parse_small(const char *option, const char *text, uint32_t limit)
{
	size_t number = wm_options_number("wpp", option, text);
	if (number > limit)
		wm_fatal_usage("wpp: %s=%zu: give %" PRIu32 " at most", option, number, limit);
	return (uint32_t)number;
}

static bool ends_as_whole_path(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".wpp") == 0;
}

static void read_file(struct wm_arena *arena, const char *path, struct wm_whole_path *whole)
{
	struct wm_error error;
	size_t count = 0, capacity = 0;
	char *text = NULL;
	FILE *file = fopen(path, "rb");
	if (!file)
		wm_fatal("cannot read '%s': %s", path, strerror(errno));
	for (;;) {
		capacity = capacity ? 2 * capacity : 65536;
		text = realloc(text, capacity);
		if (!text)
			wm_fatal("cannot read '%s': out of memory", path);
		count += fread(text + count, 1, capacity - count, file);
		if (count < capacity)
			break;
	}
	if (ferror(file))
		wm_fatal("cannot read '%s': %s", path, strerror(errno));
	fclose(file);
	if (wm_whole_path_parse(arena, path, text, count, whole, &error))
		wm_fatal("%s", error.text);
	free(text);
}

static const struct wm_trace_thread *choose_thread(
	const struct request *request, const struct wm_trace_file *file)
{
	for (uint32_t i = 0; i < file->thread_count; i++)
		if (!request->thread || file->threads[i].control.thread == request->thread)
			return &file->threads[i];
	if (request->thread)
		wm_fatal("%s: has no thread %" PRIu64, file->path, request->thread);
	wm_fatal("%s: no traced function ran", file->path);
}

static void read_trace(struct wm_arena *arena, const struct request *request, const char *path,
	struct wm_whole_path *whole)
{
	struct wm_loaded_trace loaded;
	wm_load_trace(arena, path, request->binary, &loaded);
	const struct wm_trace_thread *thread = choose_thread(request, &loaded.file);
	struct wm_trace_walk *walk = wm_load_trace_walk(arena, &loaded, thread, request->binary);
	if (loaded.file.damage)
		wm_warn("%s: %s; what is shown may end early", path, loaded.file.damage);
	wm_whole_path_make(arena, walk, whole);
	if (wm_trace_walk_reason(walk)[0])
		wm_warn("%s: %s; what is shown ends there", path, wm_trace_walk_reason(walk));
}

static void print_string(const struct wm_whole_path *whole, const struct wm_whole_string *string)
{
	for (uint32_t i = 0; i < string->count; i++)
		printf("%s%s", i ? " " : "", whole->elements[string->elements[i]].name);
	putchar('\n');
	for (uint32_t i = 0; i < string->count; i++)
		if (whole->elements[string->elements[i]].lines[0])
			printf("%30s%s: %s\n", "", whole->elements[string->elements[i]].name,
				whole->elements[string->elements[i]].lines);
}

static void print_strings(const struct request *request, const struct wm_whole_path *whole,
	const struct wm_whole_strings *found)
{
	double all = (double)wm_whole_cost(whole);
	printf("\n%8s  %18s  %s\n", "share", "times", request->depth ? "segment" : "hot sub-path");
	for (size_t i = 0; i < found->count && i < request->top; i++) {
		const struct wm_whole_string *string = &found->strings[i];
		printf("%7.1f%%  %18" PRIu64 "  ", all ? 100 * (double)string->cost / all : 0,
			string->times);
		print_string(whole, string);
	}
	if (found->count > request->top)
		printf("  %zu more; --top=N shows N rows\n", found->count - request->top);
}

static void print_summary(const struct wm_whole_path *whole)
{
	const struct wm_grammar *grammar = &whole->grammar;
	uint64_t symbols = grammar->first_symbol[grammar->rule_count];
	printf("%" PRIu64 " elements: calls, returns, and paths of %" PRIu32 " kinds; %" PRIu64
	       " instructions\n",
		whole->length, whole->element_count - WM_ELEMENT_PATH, wm_whole_cost(whole));
	printf("grammar of %" PRIu32 " rules and %" PRIu64 " symbols: %.1f times shorter\n",
		grammar->rule_count, symbols,
		symbols ? (double)whole->length / (double)symbols : 1);
}

static bool print_element(void *context, uint32_t element)
{
	const struct wm_whole_path *whole = context;
	puts(whole->elements[element].name);
	return !ferror(stdout);
}

static void print_rules(const struct wm_whole_path *whole)
{
	const struct wm_grammar *grammar = &whole->grammar;
	for (uint32_t rule = 0; rule < grammar->rule_count; rule++) {
		printf("R%" PRIu32 " ->", rule);
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++) {
			uint32_t symbol = grammar->symbols[i];
			if (wm_grammar_is_rule(symbol))
				printf(" R%" PRIu32, symbol - WM_GRAMMAR_RULE);
			else
				printf(" %s", whole->elements[symbol].name);
		}
		putchar('\n');
	}
}

static void save(const struct request *request, const struct wm_whole_path *whole)
{
	struct wm_whole_file file;
	wm_whole_file_begin(&file, request->save);
	wm_whole_path_write(whole, file.stream);
	wm_whole_file_end(&file);
}

static void show(struct wm_arena *arena, const struct request *request, struct wm_whole_path *whole)
{
	if (request->save)
		save(request, whole);
	if (request->expand) {
		wm_grammar_expand(&whole->grammar, print_element, whole);
	} else if (request->rules) {
		print_rules(whole);
	} else {
		struct wm_whole_strings found =
			request->depth
				? wm_whole_segments(arena, whole, request->depth)
				: wm_whole_hot(arena, whole, request->length, request->share);
		print_summary(whole);
		print_strings(request, whole, &found);
	}
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the whole path: %s", strerror(errno));
}

int wm_command_wpp(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *thread = NULL, *top = "10", *length = "10", *min = "1%", *segments = NULL;
	struct request request = {.depth = 0};
	struct wm_whole_path whole;
	const struct wm_option options[] = {{"--thread", &thread, NULL}, {"--top", &top, NULL},
		{"--length", &length, NULL}, {"--min", &min, NULL}, {"--segments", &segments, NULL},
		{"--expand", NULL, &request.expand}, {"--rules", NULL, &request.rules},
		{"--output", &request.save, NULL}, {"--binary", &request.binary, NULL}};
	int words = wm_options_parse("wpp", argc, argv, options, sizeof options / sizeof *options);
	request.top = wm_options_number("wpp", "--top", top);
	request.length = parse_small("--length", length, MAX_LENGTH);
	request.share = parse_share(min);
	if (thread)
		request.thread = wm_options_number("wpp", "--thread", thread);
	if (segments)
		request.depth = parse_small("--segments", segments, MAX_DEPTH);
	if (request.expand + request.rules + (segments != NULL) > 1)
		wm_fatal_usage("wpp: give one of --segments, --expand, --rules");
	if (words == 1 && ends_as_whole_path(argv[1]))
		read_file(&arena, argv[1], &whole);
	else
		read_trace(&arena, &request, wm_load_trace_find(&arena, "wpp", argv + 1, words),
			&whole);
	show(&arena, &request, &whole);
	wm_arena_reset(&arena);
	return 0;
}
