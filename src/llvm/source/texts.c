/* Source records are read back from the globals that planting made of them. */
#include "llvm/source/texts.h"

#include <stdlib.h>
#include <string.h>

#include "llvm/source/plant.h"

static int by_key(const void *left, const void *right)
{
	const struct wm_text_graph *const *a = left, *const *b = right;
	return ((*a)->source.key > (*b)->source.key) - ((*a)->source.key < (*b)->source.key);
}

static int by_name(const void *left, const void *right)
{
	const struct wm_text_graph *const *a = left, *const *b = right;
	return strcmp((*a)->source.name, (*b)->source.name);
}

static void list_successors(struct wm_arena *arena, struct wm_text_graph *graph)
{
	const struct wm_source *source = &graph->source;
	uint32_t blocks = source->block_count;
	uint32_t *next = wm_arena_alloc(arena, (size_t)blocks + 2, sizeof *next);
	graph->successor = wm_arena_alloc(arena, source->edge_count, sizeof(uint32_t));
	for (uint32_t i = 0; i < source->edge_count; i++)
		next[source->edge_source[i] + 1]++;
	graph->returns_twice = next[blocks + 1] > 0;
	for (uint32_t b = 0; b < blocks; b++)
		next[b + 1] += next[b];
	graph->first = wm_arena_alloc(arena, (size_t)blocks + 1, sizeof(uint32_t));
	memcpy(graph->first, next, ((size_t)blocks + 1) * sizeof *next);
	for (uint32_t i = 0; i < source->edge_count; i++)
		if (source->edge_source[i] < blocks)
			graph->successor[next[source->edge_source[i]]++] = source->edge_target[i];
}

static struct wm_text_graph *read_record(struct wm_arena *arena, LLVMValueRef global)
{
	struct wm_error error;
	size_t bytes;
	LLVMValueRef body = LLVMGetAggregateElement(LLVMGetInitializer(global), 3);
	if (!body || !LLVMIsAConstantDataSequential(body))
		return NULL;
	const char *data = LLVMGetAsString(body, &bytes);
	struct wm_text_graph *graph = wm_arena_alloc(arena, 1, sizeof *graph);
	if (wm_source_decode(arena, (const uint8_t *)data, bytes, &graph->source, &error))
		return NULL;
	list_successors(arena, graph);
	return graph;
}

/* Whether nothing in the block is sure to be seen in the code. */
static bool can_be_passed(
	const struct wm_texts *texts, const struct wm_text_graph *graph, uint32_t block)
{
	const struct wm_source *source = &graph->source;
	if (source->lasting[block])
		return false;
	for (uint32_t i = 0; i < source->call_count; i++) {
		if (source->calls[i].block != block)
			continue;
		const char *name = source->calls[i].callee;
		const struct wm_text_graph *callee = wm_texts_with_name(texts, name, strlen(name));
		if (callee && !callee->may_vanish)
			return false;
	}
	return true;
}

static bool can_be_passed_through(
	struct wm_arena *scratch, const struct wm_texts *texts, const struct wm_text_graph *graph)
{
	uint32_t blocks = graph->source.block_count, depth = 0;
	bool *seen = wm_arena_alloc(scratch, (size_t)blocks + 1, sizeof *seen);
	uint32_t *stack = wm_arena_alloc(scratch, (size_t)blocks + 1, sizeof *stack);
	stack[depth++] = 0;
	seen[0] = true;
	while (depth) {
		uint32_t block = stack[--depth];
		if (block == blocks)
			return true;
		if (!can_be_passed(texts, graph, block))
			continue;
		for (uint32_t i = graph->first[block]; i < graph->first[block + 1]; i++) {
			uint32_t next = graph->successor[i];
			if (!seen[next])
				stack[depth++] = next;
			seen[next] = true;
		}
	}
	return false;
}

/* None may, until one is found that can be passed through without those that may not. */
static void find_vanishing(struct wm_texts *texts)
{
	struct wm_arena scratch = {0};
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < texts->count; i++) {
			struct wm_text_graph *graph = texts->by_key[i];
			if (graph->may_vanish || !can_be_passed_through(&scratch, texts, graph))
				continue;
			graph->may_vanish = changed = true;
		}
		wm_arena_reset(&scratch);
	}
}

static bool is_record(LLVMValueRef global)
{
	size_t bytes, prefix = sizeof WM_PLANT_RECORD - 1;
	const char *name = LLVMGetValueName2(global, &bytes);
	return bytes > prefix && !memcmp(name, WM_PLANT_RECORD, prefix) &&
	       LLVMGetInitializer(global);
}

void wm_texts_read(struct wm_arena *arena, LLVMModuleRef module, struct wm_texts *texts)
{
	size_t count = 0;
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		count += is_record(g);
	*texts = (struct wm_texts){.by_key = wm_arena_alloc(arena, count, sizeof *texts->by_key),
		.by_name = wm_arena_alloc(arena, count, sizeof *texts->by_name)};
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
		struct wm_text_graph *graph = is_record(g) ? read_record(arena, g) : NULL;
		if (graph)
			texts->by_key[texts->count] = texts->by_name[texts->count] = graph,
			texts->count++;
	}
	if (!texts->count)
		return;
	qsort(texts->by_key, texts->count, sizeof *texts->by_key, by_key);
	qsort(texts->by_name, texts->count, sizeof *texts->by_name, by_name);
	find_vanishing(texts);
}

const struct wm_text_graph *wm_texts_with_key(const struct wm_texts *texts, uint64_t key)
{
	struct wm_text_graph wanted = {.source.key = key}, *address = &wanted;
	struct wm_text_graph **found = texts->count ? bsearch(&address, texts->by_key, texts->count,
							      sizeof *texts->by_key, by_key)
						    : NULL;
	return found ? *found : NULL;
}

static int compare_name(const struct wm_text_graph *graph, const char *name, size_t bytes)
{
	int order = strncmp(graph->source.name, name, bytes);
	return order ? order : graph->source.name[bytes] != 0;
}

const struct wm_text_graph *wm_texts_with_name(
	const struct wm_texts *texts, const char *name, size_t bytes)
{
	size_t low = 0, high = texts->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_name(texts->by_name[middle], name, bytes) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == texts->count || compare_name(texts->by_name[low], name, bytes))
		return NULL;
	bool several =
		low + 1 < texts->count && !compare_name(texts->by_name[low + 1], name, bytes);
	return several ? NULL : texts->by_name[low];
}
