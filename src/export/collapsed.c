/* Collapsed stacks: a line for each stack with a cost of its own, `main;parse;lex 30`, by names.
 *
 * A semicolon ends a frame and a line feed a line, so both become other characters in names. What
 * was inlined ends with `_[i]`, as flamegraph.pl knows it. */
#include <inttypes.h>
#include <string.h>

#include "export/format.h"
#include "export/stacks.h"

struct printer {
	const struct wm_stacks *stacks;
	const uint64_t *own;
	struct wm_stack_children children;
	char *line;
	size_t used, capacity;
	struct wm_arena arena;
	FILE *out;
};

static void add_character(struct printer *printer, char character)
{
	printer->line =
		wm_arena_grow(&printer->arena, printer->line, printer->used, &printer->capacity, 1);
	printer->line[printer->used++] = character;
}

static void add_frame(struct printer *printer, const struct wm_frame *frame)
{
	if (printer->used)
		add_character(printer, ';');
	for (const char *next = frame->name; *next; next++)
		add_character(printer, *next == ';'		    ? ':'
				       : (unsigned char)*next < ' ' ? '?'
								    : *next);
	for (const char *next = frame->inlined ? "_[i]" : ""; *next; next++)
		add_character(printer, *next);
}

static void print_children(struct printer *printer, uint32_t parent)
{
	size_t used = printer->used;
	for (uint32_t i = printer->children.start[parent]; i < printer->children.start[parent + 1];
		i++) {
		uint32_t stack = printer->children.list[i];
		add_frame(printer, &printer->stacks->frames[printer->stacks->list[stack].frame]);
		if (printer->own[stack])
			fprintf(printer->out, "%.*s %" PRIu64 "\n", (int)printer->used,
				printer->line, printer->own[stack]);
		print_children(printer, stack);
		printer->used = used;
	}
}

void wm_export_collapsed(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	const struct wm_stacks stacks = wm_stacks_make(data, false);
	struct printer printer = {
		.stacks = &stacks, .own = stacks.own[request->metric], .out = out};
	printer.children = wm_stacks_children(&printer.arena, &stacks);
	print_children(&printer, stacks.count);
	wm_arena_reset(&printer.arena);
}
