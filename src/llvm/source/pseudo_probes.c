/* Frames are found by the chain of calls above each probe. */
#include "llvm/source/pseudo_probes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "llvm/bridge/marks.h"
#include "llvm/bridge/pseudo_probes.h"
#include "llvm/subject/call_sites.h"

static const char metadata_name[] = "llvm.pseudo_probe_desc";

struct wm_pseudo_entry {
	uint64_t guid;
	struct wm_pseudo_function function;
	uint32_t number; /* in the section at hand, or WM_NONE */
};

struct finder {
	struct wm_arena *arena;
	struct wm_bridge *bridge;
	const struct wm_pseudo_functions *functions;
	struct wm_pseudo_section *section;
	size_t function_capacity, frame_capacity, probe_capacity;
	const void **inlined_at; /* by frame */
	size_t inlined_at_capacity;
};

static int by_guid(const void *left, const void *right)
{
	const struct wm_pseudo_entry *a = left, *b = right;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

/* GUID, checksum and name. */
static bool read_entry(struct wm_arena *arena, LLVMValueRef operand, struct wm_pseudo_entry *entry)
{
	LLVMValueRef parts[3];
	unsigned bytes;
	if (LLVMGetMDNodeNumOperands(operand) != 3)
		return false;
	LLVMGetMDNodeOperands(operand, parts);
	const char *name = LLVMGetMDString(parts[2], &bytes);
	if (!name || !LLVMIsAConstantInt(parts[0]) || !LLVMIsAConstantInt(parts[1]))
		return false;
	entry->guid = LLVMConstIntGetZExtValue(parts[0]);
	entry->function.checksum = LLVMConstIntGetZExtValue(parts[1]);
	char *copy = wm_arena_alloc(arena, bytes + 1, 1);
	memcpy(copy, name, bytes);
	entry->function.name = copy;
	entry->number = WM_NONE;
	return true;
}

void wm_pseudo_functions_read(
	struct wm_arena *arena, LLVMModuleRef module, struct wm_pseudo_functions *functions)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(module, metadata_name);
	LLVMValueRef *operands = wm_arena_alloc(arena, count, sizeof *operands);
	*functions = (struct wm_pseudo_functions){
		.entries = wm_arena_alloc(arena, count, sizeof *functions->entries)};
	if (!count)
		return;
	LLVMGetNamedMetadataOperands(module, metadata_name, operands);
	for (unsigned i = 0; i < count; i++)
		functions->count +=
			read_entry(arena, operands[i], &functions->entries[functions->count]);
	qsort(functions->entries, functions->count, sizeof *functions->entries, by_guid);
}

/* The number of the function in the section, which is added if it is new; WM_NONE if the module
 * does not know it. */
static uint32_t function_with(struct finder *finder, uint64_t guid)
{
	struct wm_pseudo_section *section = finder->section;
	struct wm_pseudo_entry key = {.guid = guid}, *found;
	found = bsearch(
		&key, finder->functions->entries, finder->functions->count, sizeof key, by_guid);
	if (!found || found->number != WM_NONE)
		return found ? found->number : WM_NONE;
	section->functions = wm_arena_grow(finder->arena, section->functions,
		section->function_count, &finder->function_capacity, sizeof *section->functions);
	section->functions[section->function_count] = found->function;
	return found->number = section->function_count++;
}

static uint32_t add_frame(
	struct finder *finder, struct wm_pseudo_frame frame, const void *inlined_at)
{
	struct wm_pseudo_section *section = finder->section;
	finder->inlined_at = wm_arena_grow(finder->arena, finder->inlined_at, section->frame_count,
		&finder->inlined_at_capacity, sizeof *finder->inlined_at);
	finder->inlined_at[section->frame_count] = inlined_at;
	section->frames = wm_arena_grow(finder->arena, section->frames, section->frame_count,
		&finder->frame_capacity, sizeof *section->frames);
	section->frames[section->frame_count] = frame;
	return section->frame_count++;
}

/* The frame of that function's code, or WM_NONE. What was inlined by one call is one frame. */
static uint32_t frame_of(struct finder *finder, uint64_t guid, const void *inlined_at)
{
	const struct wm_pseudo_section *section = finder->section;
	struct wm_pseudo_frame frame = {.function = function_with(finder, guid)};
	struct wm_pseudo_mark call;
	if (frame.function == WM_NONE)
		return WM_NONE;
	for (uint32_t i = section->frame_count; i-- > 0;)
		if (section->frames[i].function == frame.function &&
			finder->inlined_at[i] == inlined_at)
			return i;
	if (inlined_at) {
		if (!wm_pseudo_mark_of_call(inlined_at, &call))
			return WM_NONE;
		frame.parent = frame_of(finder, call.function, call.inlined_at);
		frame.call = call.number;
		if (frame.parent == WM_NONE)
			return WM_NONE;
	}
	return add_frame(finder, frame, inlined_at);
}

static bool may_be_lost(const struct finder *finder, const struct wm_pseudo_mark *mark)
{
	const struct wm_mark_instance instance = {NULL, mark->inlined_at};
	return mark->kind != WM_PSEUDO_BLOCK ||
	       wm_marks_may_be_lost(finder->bridge, instance, mark->function, mark->number);
}

static void add_probe(
	struct finder *finder, uint32_t block, const struct wm_pseudo_mark *mark, uint32_t call)
{
	struct wm_pseudo_section *section = finder->section;
	uint32_t frame = frame_of(finder, mark->function, mark->inlined_at);
	if (frame == WM_NONE)
		return;
	section->probes = wm_arena_grow(finder->arena, section->probes, section->probe_count,
		&finder->probe_capacity, sizeof *section->probes);
	section->probes[section->probe_count++] = (struct wm_pseudo_probe){block, frame,
		mark->number, mark->kind, mark->factor, may_be_lost(finder, mark),
		mark->kind == WM_PSEUDO_POINTER_CALL ? call : WM_NONE};
}

/* The calls of the code, visited in order. */
struct calls {
	const struct wm_capture *capture;
	uint32_t next;	    /* of the capture */
	uint32_t described; /* those before it that the description lists */
};

/* Which of the description's calls the instruction is, or WM_NONE. */
static uint32_t described_call(struct calls *calls, LLVMValueRef instruction)
{
	const struct wm_capture *capture = calls->capture;
	if (calls->next == capture->call_count ||
		capture->calls[calls->next].instruction != instruction)
		return WM_NONE;
	return wm_call_sites_has(&capture->calls[calls->next++]) ? calls->described++ : WM_NONE;
}

static void forget_numbers(const struct wm_pseudo_functions *functions)
{
	for (size_t i = 0; i < functions->count; i++)
		functions->entries[i].number = WM_NONE;
}

const struct wm_pseudo_section *wm_pseudo_section_find(struct wm_arena *arena,
	struct wm_bridge *bridge, const struct wm_pseudo_functions *functions,
	const struct wm_capture *capture)
{
	struct finder finder = {.arena = arena,
		.bridge = bridge,
		.functions = functions,
		.section = wm_arena_alloc(arena, 1, sizeof *finder.section)};
	if (!functions->count)
		return NULL;
	forget_numbers(functions);
	struct calls calls = {.capture = capture};
	for (uint32_t i = 0; i < capture->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[i]); at;
			at = LLVMGetNextInstruction(at)) {
			struct wm_pseudo_mark mark;
			uint32_t call = described_call(&calls, at);
			if (wm_pseudo_mark_read(at, &mark))
				add_probe(&finder, i, &mark, call);
		}
	return finder.section->probe_count ? finder.section : NULL;
}
