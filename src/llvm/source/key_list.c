#include "llvm/source/key_list.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Comdat.h>

#include "format/description.h"
#include "format/source.h"
#include "llvm/bridge/bridge.h"
#include "llvm/bridge/marks.h"

static LLVMValueRef record_value(
	LLVMContextRef context, uint32_t magic, uint64_t key, const void *body, size_t bytes)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
	LLVMValueRef fields[] = {
		LLVMConstInt(i32, magic, false),
		LLVMConstInt(i32, sizeof(struct wm_source_head) + bytes, false),
		LLVMConstInt(LLVMInt64TypeInContext(context), key, false),
		LLVMConstStringInContext2(context, body, bytes, true),
	};
	return LLVMConstStructInContext(context, fields, 4, false);
}

LLVMValueRef wm_key_list_record(LLVMModuleRef module, const char *prefix, uint32_t magic,
	uint64_t key, const void *body, size_t bytes)
{
	char name[64];
	snprintf(name, sizeof name, "%s.%016llx", prefix, (unsigned long long)key);
	if (LLVMGetNamedGlobal(module, name))
		return NULL;
	LLVMValueRef value = record_value(LLVMGetModuleContext(module), magic, key, body, bytes);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
	LLVMSetInitializer(global, value);
	LLVMSetGlobalConstant(global, true);
	LLVMSetSection(global, WM_SOURCE_SECTION);
	LLVMSetAlignment(global, 8);
	LLVMSetLinkage(global, LLVMLinkOnceODRLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
	LLVMSetComdat(global, LLVMGetOrInsertComdat(module, name));
	return global;
}

void wm_key_list_add(struct wm_key_list *list, const uint64_t *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		list->keys = wm_arena_grow(
			&list->arena, list->keys, list->count, &list->capacity, sizeof *list->keys);
		list->keys[list->count++] = keys[i];
	}
}

void wm_key_list_add_code(struct wm_key_list *list, LLVMValueRef function)
{
	struct wm_mark mark;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
			at = LLVMGetNextInstruction(at))
			if (wm_marks_read_probe(at, &mark))
				wm_key_list_add(list, &mark.key, 1);
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

void wm_key_list_write(struct wm_key_list *list, LLVMModuleRef module, uint32_t magic)
{
	size_t kept = 0;
	if (list->count)
		qsort(list->keys, list->count, sizeof *list->keys, compare_keys);
	for (size_t i = 0; i < list->count; i++)
		if (i == 0 || list->keys[i] != list->keys[i - 1])
			list->keys[kept++] = list->keys[i];
	size_t bytes = kept * sizeof *list->keys;
	const char *prefix = magic == WM_PURE_MAGIC ? "__waymark_pure" : "__waymark_uncounted";
	LLVMValueRef global =
		kept ? wm_key_list_record(module, prefix, magic,
			       wm_description_hash((const uint8_t *)list->keys, bytes), list->keys,
			       bytes)
		     : NULL;
	if (global)
		wm_bridge_retain(module, &global, 1);
	wm_arena_reset(&list->arena);
	*list = (struct wm_key_list){0};
}
