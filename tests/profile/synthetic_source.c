#include "synthetic_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/description.h"

struct wm_source synthetic_sum(void)
{
	static const char *files[] = {"/src/sum.c"};
	static struct wm_source_line lines[] = {{.line = 10}, {.line = 11}, {.line = 12},
		{.line = 13, .part = WM_SOURCE_BEFORE_CALLS},
		{.line = 13, .part = WM_SOURCE_BEHIND_CALLS}, {.line = 14}, {.line = 15},
		{.line = 17}};
	static struct wm_source_block blocks[] = {{0, 2}, {2, 1}, {3, 2}, {5, 1}, {6, 1}, {7, 1}};
	static uint32_t edge_source[] = {0, 1, 1, 2, 2, 3, 4, 5},
			edge_target[] = {1, 2, 5, 3, 4, 4, 1, 6};
	static bool may_be_left[] = {false, false, true, false, false, false};
	static uint32_t block[] = {0, 1, 2, 3};
	static struct wm_source_region regions[] = {
		{WM_SOURCE_CODE, {0, 10, 16}, {0, 18, 2}, {1, &block[0], 0, NULL}},
		{WM_SOURCE_CODE, {0, 12, 16}, {0, 12, 21}, {1, &block[1], 0, NULL}},
		{WM_SOURCE_GAP, {0, 12, 22}, {0, 12, 23}, {1, &block[2], 0, NULL}},
		{WM_SOURCE_CODE, {0, 12, 23}, {0, 16, 10}, {1, &block[2], 0, NULL}},
		{WM_SOURCE_CODE, {0, 14, 25}, {0, 14, 31}, {1, &block[3], 0, NULL}},
	};
	static struct wm_source_arm loop[] = {{2, WM_SOURCE_YES, {0}}, {5, WM_SOURCE_NO, {0}}},
				    odd[] = {{3, WM_SOURCE_YES, {0}}, {4, WM_SOURCE_NO, {0}}};
	static struct wm_source_branch branches[] = {
		{1, {0, 12, 16}, 2, loop}, {2, {0, 13, 21}, 2, odd}};
	static struct wm_source_call calls[] = {{2, "odd"}};
	return (struct wm_source){.name = "sum",
		.text = "sum",
		.line = 10,
		.file_count = 1,
		.files = files,
		.block_count = 6,
		.blocks = blocks,
		.line_count = 8,
		.lines = lines,
		.edge_count = 8,
		.edge_source = edge_source,
		.edge_target = edge_target,
		.may_be_left = may_be_left,
		.region_count = 5,
		.regions = regions,
		.branch_count = 2,
		.branches = branches,
		.call_count = 1,
		.calls = calls};
}

static void add(struct wm_arena *arena, struct synthetic_section *section, uint32_t magic,
	const void *body, size_t bytes)
{
	struct wm_source_head head = {.magic = magic,
		.bytes = (uint32_t)(sizeof head + bytes),
		.key = wm_description_hash(body, bytes)};
	size_t padded = (sizeof head + bytes + 7) & ~(size_t)7;
	uint8_t *longer = wm_arena_alloc(arena, section->count + padded, 1);
	if (section->count)
		memcpy(longer, section->bytes, section->count);
	memcpy(longer + section->count, &head, sizeof head);
	memcpy(longer + section->count + sizeof head, body, bytes);
	section->bytes = longer;
	section->count += padded;
}

void synthetic_add_source(
	struct wm_arena *arena, struct synthetic_section *section, const struct wm_source *source)
{
	size_t bytes;
	const uint8_t *body = wm_source_encode(arena, source, &bytes);
	add(arena, section, WM_SOURCE_MAGIC, body, bytes);
}

void synthetic_add_keys(struct wm_arena *arena, struct synthetic_section *section, uint32_t magic,
	const uint64_t *keys, size_t count)
{
	add(arena, section, magic, keys, count * sizeof *keys);
}

struct wm_source synthetic_straight(
	struct wm_arena *arena, const char *name, const char *const *callees, uint32_t count)
{
	static struct wm_source_block block = {0, 1};
	static struct wm_source_line line = {.line = 5};
	static uint32_t from = 0, to = 1, zero = 0;
	static bool may_be_left = true;
	static struct wm_source_region region = {
		WM_SOURCE_CODE, {0, 5, 1}, {0, 5, 9}, {1, &zero, 0, NULL}};
	char path[64];
	snprintf(path, sizeof path, "/src/%s.c", name);
	const char **file = wm_arena_alloc(arena, 1, sizeof *file);
	*file = wm_arena_copy_text(arena, path);
	struct wm_source_call *calls = wm_arena_alloc(arena, count, sizeof *calls);
	for (uint32_t i = 0; i < count; i++)
		calls[i] = (struct wm_source_call){0, callees[i]};
	return (struct wm_source){.name = name,
		.text = name,
		.line = 5,
		.file_count = 1,
		.files = file,
		.block_count = 1,
		.blocks = &block,
		.line_count = 1,
		.lines = &line,
		.edge_count = 1,
		.edge_source = &from,
		.edge_target = &to,
		.may_be_left = &may_be_left,
		.region_count = 1,
		.regions = &region,
		.call_count = count,
		.calls = calls};
}

struct wm_source_records synthetic_records(
	struct wm_arena *arena, const struct wm_source *const *sources, size_t count)
{
	struct synthetic_section section = {0};
	struct wm_source_records records;
	struct wm_error error;
	for (size_t i = 0; i < count; i++)
		synthetic_add_source(arena, &section, sources[i]);
	if (wm_source_records_read(arena, "app", section.bytes, section.count, &records, &error))
		abort();
	return records;
}
