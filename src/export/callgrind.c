/* Callgrind's format: costs by line, and calls with what they cost inclusively.
 *
 * The instructions of a block stand at its first line; the entries of a function stand at the line
 * where it starts. Calls by context have the cost of the contexts that they lead to. Recursion
 * leads to a context above, whose cost it is part of already: its calls cost nothing more here. So
 * own costs and calls of a function add up to all of its contexts. Without contexts, calls are
 * those that name their function, and only their numbers are known. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "core/contexts/costs.h"
#include "export/format.h"
#include "core/base/intern.h"
#include "names/text_name.h"
#include "profile/call_counts.h"

struct call {
	uint32_t caller; /* function */
	uint32_t site;
	uint32_t callee; /* function, or WM_NONE */
	uint64_t count;
	uint64_t cost[WM_METRIC_COUNT];
};

struct line {
	const char *file;
	uint32_t line;
	uint64_t cost[WM_METRIC_COUNT];
};

struct writer {
	struct wm_arena arena;
	FILE *out;
	const struct wm_export_data *data;
	const struct wm_export_request *request;
	const struct wm_export_part *part;
	struct wm_intern objects, files, functions, linker_names;
	uint32_t name_count;   /* of linker names of the part's functions */
	uint32_t *function_of; /* by linker name: function + 1, or 0 if it is ambiguous */
	size_t call_count, call_capacity;
	struct call *calls;
	const char *file; /* that lines are in now */
	uint64_t left_out;
};

/* The first use of a name defines its number. */
static void put_name(
	struct writer *writer, const char *key, struct wm_intern *names, const char *name)
{
	uint32_t known = names->count, number = wm_intern_text(names, name[0] ? name : "???");
	fprintf(writer->out, "%s=(%u)", key, number + 1);
	if (number == known) {
		putc(' ', writer->out);
		for (const char *next = names->keys[number].bytes; *next; next++)
			putc((unsigned char)*next < ' ' ? '?' : *next, writer->out);
	}
	putc('\n', writer->out);
}

static void put_costs(struct writer *writer, uint32_t line, const uint64_t *cost)
{
	fprintf(writer->out, "%u", line);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->request->only[metric])
			fprintf(writer->out, " %" PRIu64, cost[metric]);
	putc('\n', writer->out);
}

static void go_to_file(struct writer *writer, const char *file)
{
	if (strcmp(writer->file, file))
		put_name(writer, "fi", &writer->files, file);
	writer->file = file;
}

static const char *file_of(const struct wm_function *function, uint32_t scope)
{
	return scope < function->scope_count ? function->scopes[scope].file : "";
}

static uint32_t start_of(const struct wm_function *function)
{
	return function->scope_count ? function->scopes[0].line : 0;
}

static struct line place_of(const struct wm_function *function, const struct wm_block *block)
{
	for (uint32_t i = 0; i < block->position_count; i++) {
		const struct wm_position *position =
			&function->positions[block->first_position + i];
		if (position->line)
			return (struct line){
				file_of(function, position->scope), position->line, {0}};
	}
	return (struct line){file_of(function, 0), start_of(function), {0}};
}

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void put_lines(struct writer *writer, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	struct wm_arena scratch = {0};
	struct line *lines = wm_arena_alloc(&scratch, function->block_count + 1, sizeof *lines);
	lines[0] = (struct line){file_of(function, 0), start_of(function), {source->calls, 0}};
	for (uint32_t i = 0; i < function->block_count; i++) {
		lines[i + 1] = place_of(function, &function->blocks[i]);
		lines[i + 1].cost[WM_METRIC_INSTRUCTIONS] =
			source->block[i] * function->blocks[i].instructions;
	}
	qsort(lines, function->block_count + 1, sizeof *lines, compare_lines);
	for (uint32_t i = 0; i <= function->block_count; i++) {
		struct line *next = &lines[i + 1];
		if (i < function->block_count && !compare_lines(&lines[i], next)) {
			for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
				next->cost[metric] += lines[i].cost[metric];
			continue;
		}
		go_to_file(writer, lines[i].file);
		put_costs(writer, lines[i].line, lines[i].cost);
	}
	wm_arena_reset(&scratch);
}

static const struct wm_function *function_at(const struct writer *writer, uint32_t number)
{
	return writer->part->profile->functions[number].function;
}

static void put_callee(struct writer *writer, const struct call *call)
{
	const struct wm_call_site *site = &function_at(writer, call->caller)->calls[call->site];
	if (call->callee != WM_NONE) {
		const struct wm_function *callee = function_at(writer, call->callee);
		put_name(writer, "cfi", &writer->files, file_of(callee, 0));
		put_name(writer, "cfn", &writer->functions,
			wm_text_name(&writer->arena, callee->name));
		return;
	}
	put_name(writer, "cob", &writer->objects, "");
	put_name(writer, "cfi", &writer->files, "");
	put_name(writer, "cfn", &writer->functions,
		site->callee[0] ? wm_text_name(&writer->arena, site->callee) : "(by a pointer)");
}

static void put_call(struct writer *writer, const struct call *call)
{
	const struct wm_function *caller = function_at(writer, call->caller);
	const struct wm_call_site *site = &caller->calls[call->site];
	go_to_file(writer, file_of(caller, site->line ? site->scope : 0));
	put_callee(writer, call);
	fprintf(writer->out, "calls=%" PRIu64 " %u\n", call->count,
		call->callee == WM_NONE ? 0 : start_of(function_at(writer, call->callee)));
	put_costs(writer, site->line ? site->line : start_of(caller), call->cost);
}

static void add_call(struct writer *writer, const struct call *call)
{
	writer->calls = wm_arena_grow(&writer->arena, writer->calls, writer->call_count,
		&writer->call_capacity, sizeof *writer->calls);
	writer->calls[writer->call_count++] = *call;
}

static void add_links(struct writer *writer)
{
	const struct wm_contexts *tree = &writer->part->contexts.tree;
	const uint64_t *sums[WM_METRIC_COUNT] = {NULL};
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->part->own[metric])
			sums[metric] =
				wm_context_costs(&writer->arena, tree, writer->part->own[metric]);
	for (uint32_t i = 0; i < tree->link_count; i++) {
		const struct wm_context_link *link = &tree->links[i];
		if (link->source == WM_CONTEXT_OUTSIDE)
			continue;
		struct call call = {tree->records[link->source].function, link->site,
			tree->records[link->target].function, link->count, {0}};
		bool counts = !wm_contexts_link_is_recursion(tree, i);
		for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
			call.cost[metric] = counts && sums[metric] ? sums[metric][link->target] : 0;
		add_call(writer, &call);
	}
}

/* The function that a call by this name enters, if only one of the part has the name. */
static uint32_t find_callee(struct writer *writer, const char *name)
{
	uint32_t number = wm_intern_text(&writer->linker_names, name);
	return number < writer->name_count ? writer->function_of[number] - 1 : WM_NONE;
}

static void find_names(struct writer *writer)
{
	const struct wm_profile *profile = writer->part->profile;
	writer->linker_names = (struct wm_intern){.arena = &writer->arena};
	writer->function_of =
		wm_arena_alloc(&writer->arena, profile->function_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < profile->function_count; i++) {
		uint32_t known = writer->linker_names.count;
		uint32_t number =
			wm_intern_text(&writer->linker_names, profile->functions[i].function->name);
		writer->function_of[number] = number == known ? i + 1 : 0;
	}
	writer->name_count = writer->linker_names.count;
}

/* Calls by name. With contexts, those of functions of the part are known from these. */
static void add_named_calls(struct writer *writer, uint32_t caller)
{
	struct wm_arena scratch = {0};
	const struct wm_profile_function *source = &writer->part->profile->functions[caller];
	const struct wm_interval *counts = wm_call_counts(&scratch, writer->part->profile, source);
	for (uint32_t i = 0; i < source->function->call_count; i++) {
		const char *name = source->function->calls[i].callee;
		const struct call call = {
			caller, i, find_callee(writer, name), (uint64_t)counts[i].high, {0}};
		if (writer->part->contexts.counted && (!name[0] || call.callee != WM_NONE))
			continue;
		if (!wm_interval_is_exact(counts[i]))
			writer->left_out += source->block[source->function->calls[i].block] > 0;
		else if (call.count)
			add_call(writer, &call);
	}
	wm_arena_reset(&scratch);
}

static int compare_calls(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

/* One call for all contexts of its caller. */
static void join_calls(struct writer *writer)
{
	size_t kept = 0;
	if (writer->call_count)
		qsort(writer->calls, writer->call_count, sizeof *writer->calls, compare_calls);
	for (size_t i = 0; i < writer->call_count; i++) {
		struct call *call = &writer->calls[i];
		if (kept && !compare_calls(&writer->calls[kept - 1], call)) {
			writer->calls[kept - 1].count += call->count;
			for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
				writer->calls[kept - 1].cost[metric] += call->cost[metric];
		} else {
			writer->calls[kept++] = *call;
		}
	}
	writer->call_count = kept;
}

static void find_calls(struct writer *writer)
{
	writer->call_count = 0;
	find_names(writer);
	if (writer->part->contexts.counted)
		add_links(writer);
	for (uint32_t i = 0; i < writer->part->profile->function_count; i++)
		add_named_calls(writer, i);
	join_calls(writer);
}

static void put_part(struct writer *writer, const struct wm_export_part *part)
{
	size_t call = 0;
	writer->part = part;
	find_calls(writer);
	put_name(writer, "\nob", &writer->objects, part->profile->object.path);
	for (uint32_t i = 0; i < part->profile->function_count; i++) {
		const struct wm_profile_function *source = &part->profile->functions[i];
		writer->file = file_of(source->function, 0);
		put_name(writer, "\nfl", &writer->files, writer->file);
		put_name(writer, "fn", &writer->functions,
			wm_text_name(&writer->arena, source->function->name));
		put_lines(writer, source);
		for (; call < writer->call_count && writer->calls[call].caller == i; call++)
			if (writer->calls[call].count)
				put_call(writer, &writer->calls[call]);
	}
}

static void put_head(struct writer *writer)
{
	static const char *const names[] = {
		[WM_METRIC_CALLS] = "Entries", [WM_METRIC_INSTRUCTIONS] = "Instructions"};
	fprintf(writer->out,
		"# callgrind format\nversion: 1\ncreator: waymark %s\ncmd: %s\n"
		"desc: Instructions are those of the compiler's intermediate form.\n",
		writer->request->version, writer->data->parts[0].name);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->request->only[metric] &&
			!(writer->data->has_contexts && writer->data->known[metric]))
			fprintf(writer->out, "desc: %s are not known inclusively.\n",
				names[metric]);
	fputs("positions: line\n", writer->out);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->request->only[metric])
			fprintf(writer->out, "event: %s : %s\n", names[metric],
				wm_metric_texts[metric].about);
	fputs("events:", writer->out);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->request->only[metric])
			fprintf(writer->out, " %s", names[metric]);
	putc('\n', writer->out);
}

static void put_totals(struct writer *writer)
{
	uint64_t totals[WM_METRIC_COUNT] = {0};
	const struct wm_profile *profile = writer->data->profile;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		totals[WM_METRIC_CALLS] += profile->functions[i].calls;
		totals[WM_METRIC_INSTRUCTIONS] += profile->functions[i].instructions;
	}
	fputs("\ntotals:", writer->out);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (writer->request->only[metric])
			fprintf(writer->out, " %" PRIu64, totals[metric]);
	putc('\n', writer->out);
	if (writer->left_out)
		fprintf(writer->out,
			"# left out: %" PRIu64 " calls of which only bounds are known\n",
			writer->left_out);
}

void wm_export_callgrind(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	struct writer writer = {.out = out, .data = data, .request = request};
	writer.objects.arena = writer.files.arena = writer.functions.arena = &writer.arena;
	put_head(&writer);
	for (uint32_t i = 0; i < data->part_count; i++)
		put_part(&writer, &data->parts[i]);
	put_totals(&writer);
	wm_arena_reset(&writer.arena);
}
