/* One `dot` lays out all functions: it reads a row of graphs and prints a row of layouts. Boxes
 * have room for the text that the page writes into them. */
#include "html/graphs.h"

#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "names/block_lines.h"
#include "report/text.h"

enum {
	MAX_FUNCTIONS = 40,
	MAX_BLOCKS = 150,     /* of one function */
	MAX_ALL_BLOCKS = 900, /* of all together: for about a second of `dot` */
	MAX_LINES = 6,	      /* of a box */
	MAX_CHARACTERS = 56,
	MIN_CHARACTERS = 12
};
static const double CHARACTER = 6.6, LINE = 14, MARGIN = 12, POINTS = 72;

extern char **environ;

struct graph {
	uint32_t function;
	uint32_t blocks;
};

static const struct wm_profile_function *ranked;

static int by_work(const void *left, const void *right)
{
	const struct graph *a = left, *b = right;
	uint64_t x = ranked[a->function].instructions, y = ranked[b->function].instructions;
	if (x != y)
		return x > y ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* The functions that get a picture, those with most work first. */
static size_t choose(
	struct wm_arena *arena, const struct wm_profile *profile, struct graph **graphs)
{
	size_t count = 0, chosen = 0;
	uint32_t blocks = 0;
	struct graph *all = wm_arena_alloc(arena, profile->function_count, sizeof *all);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		uint32_t size = profile->functions[i].function->block_count;
		if (profile->functions[i].instructions && size > 1 && size <= MAX_BLOCKS)
			all[count++] = (struct graph){i, size};
	}
	ranked = profile->functions;
	if (count > 0)
		qsort(all, count, sizeof *all, by_work);
	for (size_t i = 0; i < count && chosen < MAX_FUNCTIONS; i++) {
		if (blocks + all[i].blocks > MAX_ALL_BLOCKS)
			continue;
		blocks += all[i].blocks;
		all[chosen++] = all[i];
	}
	*graphs = all;
	return chosen;
}

static size_t smaller(size_t left, size_t right)
{
	return left < right ? left : right;
}

/* The size of a box with the lines of the block, as the page writes them. */
static void write_box(const struct wm_html_side *side, const struct wm_function *function,
	uint32_t block, FILE *out)
{
	struct wm_arena arena = {0};
	size_t count, widest = MIN_CHARACTERS;
	const struct wm_block_line *lines = wm_block_lines(&arena, function, block, &count);
	for (size_t i = 0; i < count; i++) {
		const char *text = wm_sources_line(side->sources, lines[i].file, lines[i].line);
		size_t wide = wm_text_width(text + strspn(text, " \t")) + sizeof "12345 ";
		widest = wide > widest ? wide : widest;
	}
	double width = CHARACTER * (double)smaller(widest, MAX_CHARACTERS) + MARGIN;
	double height = LINE * (double)(1 + smaller(count, MAX_LINES)) + MARGIN;
	fprintf(out, "%" PRIu32 " [width=%.3f height=%.3f]\n", block, width / POINTS,
		height / POINTS);
	wm_arena_reset(&arena);
}

static void write_graph(const struct wm_html_side *side, uint32_t number, FILE *out)
{
	const struct wm_function *function = side->profile->functions[number].function;
	fputs("digraph {\nnode [shape=box fixedsize=true label=\"\"]\nnodesep=0.35 ranksep=0.4\n",
		out);
	for (uint32_t b = 0; b < function->block_count; b++)
		write_box(side, function, b, out);
	fprintf(out, "%" PRIu32 " [width=0.6 height=0.3]\n", function->block_count);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (!(function->edge_flags[e] & WM_EDGE_ABANDONED))
			fprintf(out, "%" PRIu32 " -> %" PRIu32 "\n", function->edge_source[e],
				function->edge_target[e]);
	fputs("}\n", out);
}

/* Runs `dot` on the file. Its output, which starts at the beginning; NULL if it cannot be run. */
static FILE *lay_out(FILE *input)
{
	char *const arguments[] = {"dot", "-Tplain", NULL};
	posix_spawn_file_actions_t actions;
	pid_t process;
	int status = 1;
	FILE *output = tmpfile();
	if (!output)
		return NULL;
	fflush(input);
	rewind(input);
	lseek(fileno(input), 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
	if (posix_spawnp(&process, "dot", &actions, NULL, arguments, environ) != 0 ||
		waitpid(process, &status, 0) < 0 || status != 0) {
		fclose(output);
		output = NULL;
	}
	posix_spawn_file_actions_destroy(&actions);
	if (output)
		rewind(output);
	return output;
}

static double points(char **next)
{
	return strtod(*next, next) * POINTS;
}

static void write_points(struct wm_json *json, char **next, int count)
{
	for (int i = 0; i < count; i++)
		wm_json_signed(json, NULL, (int64_t)(points(next) + 0.5));
}

/* "node NAME X Y WIDTH HEIGHT ..." */
static void copy_node(struct wm_json *json, char *line)
{
	char *next = line + strlen("node ");
	strtoul(next, &next, 10);
	wm_json_begin_array(json, NULL);
	write_points(json, &next, 4);
	wm_json_end_array(json);
}

/* "edge TAIL HEAD N X1 Y1 ... XN YN ..." */
static void copy_edge(struct wm_json *json, char *line)
{
	char *next = line + strlen("edge ");
	wm_json_begin_array(json, NULL);
	wm_json_number(json, NULL, strtoul(next, &next, 10));
	wm_json_number(json, NULL, strtoul(next, &next, 10));
	int count = (int)strtoul(next, &next, 10);
	write_points(json, &next, 2 * count);
	wm_json_end_array(json);
}

/* Copies one layout: a line `graph`, nodes in the order in which they were given, edges, `stop`. */
static void copy_layout(struct wm_json *json, uint32_t function, FILE *layouts)
{
	char *line = NULL;
	size_t bytes = 0;
	bool has_edges = false;
	wm_json_begin_array(json, NULL);
	wm_json_number(json, NULL, function);
	while (getline(&line, &bytes, layouts) > 0 && strncmp(line, "stop", 4) != 0) {
		if (strncmp(line, "graph ", 6) == 0) {
			char *next = line + strlen("graph ");
			strtod(next, &next);
			write_points(json, &next, 2);
			wm_json_begin_array(json, NULL);
		} else if (strncmp(line, "node ", 5) == 0) {
			copy_node(json, line);
		} else if (strncmp(line, "edge ", 5) == 0) {
			if (!has_edges) {
				wm_json_end_array(json);
				wm_json_begin_array(json, NULL);
			}
			has_edges = true;
			copy_edge(json, line);
		}
	}
	wm_json_end_array(json);
	wm_json_end_array(json);
	free(line);
}

void wm_html_graphs_write(const struct wm_html_side *side, struct wm_json *json)
{
	struct wm_arena arena = {0};
	struct graph *graphs;
	size_t count = choose(&arena, side->profile, &graphs);
	FILE *input = tmpfile(), *layouts = NULL;
	for (size_t i = 0; input && i < count; i++)
		write_graph(side, graphs[i].function, input);
	if (input && count > 0)
		layouts = lay_out(input);
	wm_json_begin_array(json, "graphs");
	for (size_t i = 0; layouts && i < count; i++)
		copy_layout(json, graphs[i].function, layouts);
	wm_json_end_array(json);
	if (layouts)
		fclose(layouts);
	if (input)
		fclose(input);
	wm_arena_reset(&arena);
}
