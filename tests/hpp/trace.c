/* What the model does with streams: each state of the path stack, what was emitted, the table.
 *
 * usage: hpp_trace [--states] FILE; `%%` lines separate streams. For each stream: its states if asked
 * for, the paths emitted, the stack's figures, the table's cells.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hpp_words.h"
#include "stream/branch_text.h"
#include "study/live.h"

struct trace {
	struct wm_hpp_live live;
	bool states;
	char emitted[1 << 16];
	size_t used;
	char step[4096]; /* emitted by this branch */
};

static const char *entry_text(const struct wm_path_entry *entry)
{
	static char text[256];
	char outcomes[WM_OUTCOMES_TEXT];
	size_t used;
	wm_hpp_outcomes_text((uint64_t)entry->length << 32 | entry->outcomes, outcomes);
	used = (size_t)sprintf(text, "%" PRIx64 ":%u:%s", entry->start, entry->length, outcomes);
	if (entry->events)
		used += (size_t)sprintf(text + used, " e%" PRIu64, entry->events);
	if (entry->extension)
		sprintf(text + used, " x%u", entry->extension);
	return text;
}

static wm_path_sink inner;

static void take_path(void *context, const struct wm_path_entry *entry, enum wm_path_ending ending)
{
	struct wm_profiler *profiler = context;
	struct trace *trace = profiler->context;
	const char *text = entry_text(entry);
	inner(context, entry, ending);
	sprintf(trace->step + strlen(trace->step), "  ! %s %s", text, wm_ending_names[ending]);
	trace->used += (size_t)sprintf(
		trace->emitted + trace->used, "  %-28s %s\n", text, wm_ending_names[ending]);
}

static void hook(struct trace *trace)
{
	struct wm_profiler *profiler = &trace->live.profiler;
	profiler->context = trace;
	for (uint32_t i = 0; i < profiler->threads; i++) {
		struct wm_path_stack *stack = &profiler->thread[i].stack;
		if (stack->sink == take_path)
			continue;
		inner = stack->sink;
		stack->sink = take_path;
	}
}

static void print_state(struct trace *trace, int width, const char *what)
{
	struct wm_path_stack *stack = &trace->live.profiler.current->stack;
	if (!trace->states)
		return;
	printf("%-*s |", width, what);
	for (uint32_t i = stack->entries; i > 0; i--)
		printf("%s%s", i == stack->entries ? " " : "  ",
			entry_text(wm_path_stack_entry(stack, i - 1)));
	printf("\n");
}

static struct wm_stream_sink model;

static void begin(void *context, uint64_t address)
{
	struct trace *trace = context;
	char text[64];
	model.begin(&trace->live, address);
	hook(trace);
	sprintf(text, "begin %" PRIx64, address);
	print_state(trace, 34, text);
}

static void branch(void *context, const struct wm_stream_branch *told)
{
	static const char *const names[] = {"call", "icall", "ret", "jmp", "ijmp", "jcc"};
	struct trace *trace = context;
	const struct wm_branch *b = &told->branch;
	char text[8192], name[16];
	trace->step[0] = '\0';
	model.branch(&trace->live, told);
	sprintf(name, "%s%s", names[b->kind],
		b->kind != WM_BRANCH_CONDITIONAL ? "" : b->taken ? "+" : "-");
	sprintf(text, "%-5s %" PRIx64 " -> %" PRIx64 "%s", name, b->at, b->to, trace->step);
	print_state(trace, 58, text);
}

static const char *option(void *context, const char *key, const char *value)
{
	struct trace *trace = context;
	return model.option(&trace->live, key, value);
}

static void print_result(struct trace *trace)
{
	struct wm_path_stack_figures figures = wm_profiler_figures(&trace->live.profiler);
	const struct wm_hot_table *table = &trace->live.profiler.table;
	printf("emitted:\n%s", trace->emitted);
	printf("dropped %" PRIu64 " underflows %" PRIu64 " saturated %" PRIu64 " repairs %" PRIu64 "\n",
		figures.dropped, figures.underflows, figures.saturated, figures.repairs);
	printf("table %" PRIu64 " hits", table->hits);
	for (uint32_t i = 0; i < table->shape.entries; i++)
		if (table->cell[i].used)
			printf(" %u:%" PRIx64 ":%" PRIx64 "=%u-%u", i, table->cell[i].start,
				table->cell[i].rest, table->cell[i].weight, table->cell[i].error);
	printf("\n");
}

static void run(const char *text, size_t bytes, bool states)
{
	static struct trace trace;
	struct wm_error error;
	struct wm_hpp_settings settings = wm_hpp_settings_default();
	struct wm_stream_sink sink = {
		.context = &trace, .option = option, .begin = begin, .branch = branch};
	trace = (struct trace){.states = states};
	wm_hpp_live_init(&trace.live, &settings);
	model = wm_hpp_live_sink(&trace.live);
	if (wm_branch_text_read("stream", text, bytes, &sink, &error)) {
		printf("error: %s\n", error.text);
		exit(1);
	}
	const char *wrong = wm_hpp_live_finish(&trace.live);
	if (wrong) {
		printf("error: %s\n", wrong);
		exit(1);
	}
	print_result(&trace);
	wm_hpp_live_free(&trace.live);
}

int main(int argc, char **argv)
{
	bool states = argc > 1 && strcmp(argv[1], "--states") == 0;
	size_t capacity = 64 << 20, count;
	char *text = malloc(capacity);
	FILE *file = argc > 1 ? fopen(argv[argc - 1], "rb") : NULL;
	if (!file || !text)
		return 2;
	count = fread(text, 1, capacity - 1, file);
	text[count] = '\0';
	fclose(file);
	for (char *next = text; next;) {
		char *end = strstr(next, "\n%%\n");
		run(next, end ? (size_t)(end - next) : strlen(next), states);
		next = end ? end + 4 : NULL;
		if (next)
			printf("%%%%\n");
	}
	free(text);
	return 0;
}
