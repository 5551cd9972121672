/* Regions and branches of the text: clang's coverage mapping, with blocks for clang's counters. */
#include <string.h>

#include "llvm/bridge/bridge.h"
#include "llvm/source/places.h"
#include "llvm/subject/positions.h"

static struct wm_source_place place_of(struct wm_text *text,
	const struct wm_coverage_function *mapping, uint32_t file, uint32_t line, uint32_t column)
{
	return (struct wm_source_place){wm_text_file(text, mapping->files[file]), line, column};
}

/* Counters that no code increments stand in text that is never reached. */
static bool add_blocks(const struct wm_text *text, const uint32_t *counters, uint32_t count,
	uint32_t **blocks, uint32_t *block_count)
{
	uint32_t total = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (counters[i] >= text->counter_count)
			continue;
		if (text->counters[counters[i]].by_steps)
			return false;
		total += text->counters[counters[i]].block_count;
	}
	*block_count = 0;
	*blocks = wm_arena_alloc(text->arena, total, sizeof **blocks);
	for (uint32_t i = 0; i < count; i++) {
		if (counters[i] >= text->counter_count)
			continue;
		const struct wm_text_counter *counter = &text->counters[counters[i]];
		for (uint32_t k = 0; k < counter->block_count; k++)
			(*blocks)[(*block_count)++] = counter->blocks[k];
	}
	return true;
}

static bool make_term(
	const struct wm_text *text, const struct wm_coverage_term *from, struct wm_source_term *to)
{
	return from->known &&
	       add_blocks(text, from->plus, from->plus_count, &to->plus, &to->plus_count) &&
	       add_blocks(text, from->minus, from->minus_count, &to->minus, &to->minus_count);
}

static bool is_shown(const struct wm_coverage_region *region)
{
	return region->kind != WM_COVERAGE_BRANCH && !region->is_also_code;
}

static enum wm_source_region_kind kind_of(const struct wm_coverage_region *region)
{
	return region->kind == WM_COVERAGE_GAP	     ? WM_SOURCE_GAP
	       : region->kind == WM_COVERAGE_SKIPPED ? WM_SOURCE_SKIPPED
						     : WM_SOURCE_CODE;
}

static void add_regions(struct wm_text *text, const struct wm_coverage_function *mapping)
{
	struct wm_source *source = &text->source;
	source->regions =
		wm_arena_alloc(text->arena, mapping->region_count, sizeof *source->regions);
	for (uint32_t i = 0; i < mapping->region_count; i++) {
		const struct wm_coverage_region *from = &mapping->regions[i];
		if (!is_shown(from))
			continue;
		struct wm_source_region *to = &source->regions[source->region_count++];
		to->kind = kind_of(from);
		to->first = place_of(text, mapping, from->file, from->line, from->column);
		to->last = place_of(text, mapping, from->file, from->last_line, from->last_column);
		if (to->kind != WM_SOURCE_SKIPPED && !make_term(text, &from->term, &to->term)) {
			to->kind = WM_SOURCE_UNKNOWN;
			to->term = (struct wm_source_term){0};
		}
	}
}

/* An arm of a decision, as blocks: the one that decides and the one that is gone to. */
struct arm {
	uint32_t block;
	uint32_t target;
};

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef only = NULL;
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
		use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsATerminatorInst(user))
			return NULL;
		LLVMBasicBlockRef predecessor = LLVMGetInstructionParent(user);
		if (only && only != predecessor)
			return NULL;
		only = predecessor;
	}
	return only;
}

static bool chooses(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	return (LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
		       LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1)) ||
	       LLVMIsASwitchInst(end);
}

/* The arm of which the block is the text: nothing else leads there. */
static bool arm_of_block(const struct wm_text *text, uint32_t block, struct arm *arm)
{
	LLVMBasicBlockRef target = text->blocks[block], before = only_predecessor(target);
	while (before && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(before)) == 1 &&
		before != text->blocks[block]) {
		target = before;
		before = only_predecessor(target);
	}
	if (!before || !chooses(before))
		return false;
	*arm = (struct arm){wm_text_number_of(text, before), wm_text_number_of(text, target)};
	return true;
}

/* A sum that is the count of one block. */
static bool only_block(
	const struct wm_text *text, const struct wm_coverage_term *term, uint32_t *block)
{
	struct wm_source_term blocks = {0};
	if (!make_term(text, term, &blocks) || blocks.plus_count != 1 || blocks.minus_count)
		return false;
	*block = blocks.plus[0];
	return true;
}

/* The condition behind a body (do ... while): the only one that goes back to a block of the sum. */
static bool arm_that_goes_back(
	const struct wm_text *text, const struct wm_coverage_term *term, struct arm *arm)
{
	struct wm_source_term blocks = {0};
	uint32_t found = 0;
	if (!make_term(text, term, &blocks))
		return false;
	for (uint32_t i = 0; i < blocks.plus_count; i++) {
		LLVMBasicBlockRef target = text->blocks[blocks.plus[i]];
		for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(target)); use;
			use = LLVMGetNextUse(use)) {
			LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
			if (!LLVMIsABranchInst(LLVMGetUser(use)) || !chooses(from) ||
				wm_text_number_of(text, from) < blocks.plus[i])
				continue;
			*arm = (struct arm){wm_text_number_of(text, from), blocks.plus[i]};
			found++;
		}
	}
	return found == 1;
}

static uint32_t other_successor(const struct wm_text *text, const struct arm *arm)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(text->blocks[arm->block]);
	uint32_t first = wm_text_number_of(text, LLVMGetSuccessor(end, 0));
	return first != arm->target ? first : wm_text_number_of(text, LLVMGetSuccessor(end, 1));
}

static struct wm_source_branch *branch_at(struct wm_source_branch **by_block, struct wm_text *text,
	uint32_t block, uint32_t arm_count)
{
	struct wm_source_branch *branch = by_block[block];
	if (branch)
		return branch;
	branch = by_block[block] = wm_arena_alloc(text->arena, 1, sizeof *branch);
	branch->block = block;
	branch->arms = wm_arena_alloc(text->arena, arm_count, sizeof *branch->arms);
	return branch;
}

/* The place of a switch is that of its jump. */
static void place_switch(struct wm_text *text, struct wm_source_branch *branch, LLVMValueRef end)
{
	struct wm_location at;
	if (branch->condition.line || !wm_bridge_location(end, &at))
		return;
	branch->condition = (struct wm_source_place){
		wm_text_file(text, wm_positions_path(text->arena, &at)), at.line, at.column};
}

static enum wm_place_use use_of(
	const struct wm_places *places, const struct wm_coverage_region *region)
{
	return places->uses[region - places->mapping->regions];
}

/* A switch whose place says nothing has no arms. A label whose place says nothing has none. */
static void add_case(const struct wm_places *places, const struct wm_coverage_region *region,
	const struct arm *arm, struct wm_source_branch **by_block)
{
	struct wm_text *text = places->text;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(text->blocks[arm->block]);
	unsigned capacity = LLVMGetNumSuccessors(end) + 1;
	struct wm_source_branch *branch = branch_at(by_block, text, arm->block, capacity);
	bool is_default = wm_text_number_of(text, LLVMGetSwitchDefaultDest(end)) == arm->target;
	place_switch(text, branch, end);
	if (branch->arm_count + 1 >= capacity || wm_places_is_shared(places, &branch->condition))
		return;
	struct wm_source_arm *added = &branch->arms[branch->arm_count++];
	*added = (struct wm_source_arm){arm->target, WM_SOURCE_CASE, {0}};
	if (use_of(places, region) != WM_PLACE_OWN)
		return;
	added->outcome = is_default ? WM_SOURCE_DEFAULT : WM_SOURCE_CASE;
	added->place = wm_places_outermost(text, places->mapping, region);
}

/* A condition whose place says nothing has no arms. */
static void add_condition(const struct wm_places *places, const struct wm_coverage_region *region,
	const struct arm *arm, bool is_yes, struct wm_source_branch **by_block)
{
	if (by_block[arm->block])
		return;
	struct wm_source_branch *branch = branch_at(by_block, places->text, arm->block, 2);
	uint32_t other = other_successor(places->text, arm);
	if (use_of(places, region) == WM_PLACE_SHARED)
		return;
	branch->condition = wm_places_outermost(places->text, places->mapping, region);
	branch->arm_count = 2;
	branch->arms[0] = (struct wm_source_arm){is_yes ? arm->target : other, WM_SOURCE_YES, {0}};
	branch->arms[1] = (struct wm_source_arm){is_yes ? other : arm->target, WM_SOURCE_NO, {0}};
}

/* A switch in the body has a region, too: for the case that no label fits. */
static bool stands_at_jump(const struct wm_places *places, const struct wm_coverage_region *region,
	const struct arm *arm)
{
	struct wm_location at;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(places->text->blocks[arm->block]);
	return wm_bridge_location(end, &at) &&
	       wm_places_outermost(places->text, places->mapping, region).line >= at.line;
}

static void add_branch(const struct wm_places *places, const struct wm_coverage_region *region,
	struct wm_source_branch **by_block)
{
	struct wm_text *text = places->text;
	uint32_t block;
	struct arm arm;
	bool is_yes = only_block(text, &region->term, &block) && arm_of_block(text, block, &arm);
	bool is_no =
		!is_yes && only_block(text, &region->no, &block) && arm_of_block(text, block, &arm);
	bool goes_back = !is_yes && !is_no && arm_that_goes_back(text, &region->term, &arm) &&
			 stands_at_jump(places, region, &arm);
	if (!is_yes && !is_no && !goes_back)
		return;
	if (!LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(text->blocks[arm.block])))
		add_condition(places, region, &arm, !is_no, by_block);
	else if (is_yes)
		add_case(places, region, &arm, by_block);
}

/* A switch without a default label goes behind itself then. */
static void add_default(struct wm_text *text, struct wm_source_branch *branch)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(text->blocks[branch->block]);
	if (!LLVMIsASwitchInst(end))
		return;
	for (uint32_t i = 0; i < branch->arm_count; i++)
		if (branch->arms[i].outcome == WM_SOURCE_DEFAULT)
			return;
	branch->arms[branch->arm_count++] = (struct wm_source_arm){
		wm_text_number_of(text, LLVMGetSwitchDefaultDest(end)), WM_SOURCE_DEFAULT, {0}};
}

static void add_branches(struct wm_text *text, const struct wm_coverage_function *mapping)
{
	struct wm_source *source = &text->source;
	struct wm_source_branch **by_block =
		wm_arena_alloc(text->arena, source->block_count, sizeof *by_block);
	struct wm_places places = wm_places_make(text, mapping);
	for (uint32_t i = 0; i < mapping->region_count; i++)
		if (mapping->regions[i].kind == WM_COVERAGE_BRANCH)
			add_branch(&places, &mapping->regions[i], by_block);
	source->branches =
		wm_arena_alloc(text->arena, source->block_count, sizeof *source->branches);
	for (uint32_t i = 0; i < source->block_count; i++) {
		if (!by_block[i] || by_block[i]->arm_count == 0)
			continue;
		add_default(text, by_block[i]);
		source->branches[source->branch_count++] = *by_block[i];
	}
}

static bool is_handler(const struct wm_text *text, uint32_t block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(text->blocks[block]);
	while (at && !wm_text_begins_handler(at))
		at = LLVMGetNextInstruction(at);
	return at != NULL;
}

/* A handler's line is where its first region begins: its code may have nothing else on it. */
static void add_handlers(struct wm_text *text, const struct wm_coverage_function *mapping)
{
	bool *named = wm_arena_alloc(text->arena, text->source.block_count, sizeof *named);
	for (uint32_t i = 0; i < mapping->region_count; i++) {
		const struct wm_coverage_region *region = &mapping->regions[i];
		uint32_t block;
		if (region->kind != WM_COVERAGE_CODE || !only_block(text, &region->term, &block) ||
			named[block] || !is_handler(text, block))
			continue;
		named[block] = true;
		struct wm_source_place place = wm_places_outermost(text, mapping, region);
		wm_text_add_line(text, block,
			(struct wm_source_line){place.file, place.line, WM_SOURCE_BEFORE_CALLS});
	}
}

void wm_text_add_mapping(struct wm_text *text, const struct wm_coverage_function *mapping)
{
	add_regions(text, mapping);
	add_branches(text, mapping);
	add_handlers(text, mapping);
}
