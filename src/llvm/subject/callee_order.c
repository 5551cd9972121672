/* A depth-first search along direct calls, in the order of the module: a function comes when all
 * that it calls have come, but for those that are on the way to it. */
#include "llvm/subject/callee_order.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

struct search {
	LLVMValueRef *functions;  /* in the order of the module */
	LLVMValueRef *by_address; /* the same, sorted */
	bool *seen;		  /* like these */
	LLVMValueRef *next;	  /* of the functions on the way: the instruction that comes next */
	LLVMValueRef *way;
	LLVMValueRef *order;
	uint32_t count, depth, used;
};

static int compare_addresses(const void *left, const void *right)
{
	const LLVMValueRef *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

/* Whether the function has not been seen before. */
static bool see(struct search *search, LLVMValueRef function)
{
	LLVMValueRef *found = bsearch(
		&function, search->by_address, search->count, sizeof function, compare_addresses);
	if (!found || search->seen[found - search->by_address])
		return false;
	return search->seen[found - search->by_address] = true;
}

/* The first instruction from the block on, or NULL. */
static LLVMValueRef first_from(LLVMBasicBlockRef block)
{
	while (block && !LLVMGetFirstInstruction(block))
		block = LLVMGetNextBasicBlock(block);
	return block ? LLVMGetFirstInstruction(block) : NULL;
}

static LLVMValueRef behind(LLVMValueRef instruction)
{
	LLVMValueRef next = LLVMGetNextInstruction(instruction);
	return next ? next
		    : first_from(LLVMGetNextBasicBlock(LLVMGetInstructionParent(instruction)));
}

static void go_into(struct search *search, LLVMValueRef function)
{
	search->next[search->depth] = first_from(LLVMGetFirstBasicBlock(function));
	search->way[search->depth++] = function;
}

static LLVMValueRef callee_of(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
		return NULL;
	return LLVMIsAFunction(LLVMGetCalledValue(instruction));
}

static void search_from(struct search *search, LLVMValueRef root)
{
	if (!see(search, root))
		return;
	go_into(search, root);
	while (search->depth) {
		LLVMValueRef *at = &search->next[search->depth - 1];
		if (!*at) {
			search->order[search->used++] = search->way[--search->depth];
			continue;
		}
		LLVMValueRef callee = callee_of(*at);
		*at = behind(*at);
		if (callee && see(search, callee))
			go_into(search, callee);
	}
}

LLVMValueRef *wm_callee_order(
	struct wm_arena *arena, LLVMModuleRef module, bool callees_first, uint32_t *count)
{
	struct search search = {0};
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		search.count++;
	*count = search.count;
	search.functions = wm_arena_alloc(arena, search.count, sizeof(LLVMValueRef));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		search.functions[search.used++] = f;
	if (!callees_first || !search.count)
		return search.functions;
	search.by_address = wm_arena_alloc(arena, search.count, sizeof(LLVMValueRef));
	search.seen = wm_arena_alloc(arena, search.count, sizeof *search.seen);
	search.next = wm_arena_alloc(arena, search.count, sizeof(LLVMValueRef));
	search.way = wm_arena_alloc(arena, search.count, sizeof(LLVMValueRef));
	search.order = wm_arena_alloc(arena, search.count, sizeof(LLVMValueRef));
	search.used = 0;
	for (uint32_t i = 0; i < search.count; i++)
		search.by_address[i] = search.functions[i];
	qsort(search.by_address, search.count, sizeof(LLVMValueRef), compare_addresses);
	for (uint32_t i = 0; i < search.count; i++)
		search_from(&search, search.functions[i]);
	return search.order;
}
