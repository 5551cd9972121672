/* Counters of loops in registers, which are added to memory where the loop is left.
 *
 * In memory a count takes three places of the processor's pipeline and makes the next one wait for
 * its store; in a register it takes one. A register costs its flush at the exit, and maybe another
 * value's place.
 */
#include "core/cost.h"
#include "llvm/lowerer.h"

enum { MOST_LOOP_EXITS = 16 };

/* A loop of so many instructions runs no longer than a store and a load of the same word. Loops
 * that can be left at several places mostly are left after a turn or two, so these must be shorter.
 */
static const size_t short_with_one_exit = 13, short_with_several = 8;

/* So often a loop must turn before a register pays for its flush: what LLVM expects of a short one;
 * what was measured; what LLVM expects of a longer one. It expects 32 turns of loops that are left
 * at one place, 16 if it is at two places, and so on, whatever they do; one that looks for
 * something in a list will rather find it soon, so a longer loop must count its turns, in whatever
 * steps, and have one exit that matters. */
static const double turns_of_short = 8, turns_measured = 16, turns_expected = 30;

/* In functions of more blocks values have no registers already. */
static const uint32_t most_blocks = 200;

/* Loops around others, or with calls, have time for a store, and values that need registers more.
 */
bool wm_lowerer_is_tight(const struct wm_lowering *job, wm_loop_ref loop)
{
	struct wm_loop_facts facts = wm_bridge_loop_facts(job->bridge, loop);
	return facts.innermost && !facts.has_calls;
}

static bool is_short(const struct wm_loop_facts *facts)
{
	return facts->instructions <=
	       (facts->left_at_one_place ? short_with_one_exit : short_with_several);
}

static bool loop_pays(const struct wm_lowering *job, wm_loop_ref loop)
{
	struct wm_loop_facts facts = wm_bridge_loop_facts(job->bridge, loop);
	double turns_per_entry = facts.entries > 0 ? facts.turns / facts.entries : 0;
	if (!facts.closed || !wm_lowerer_is_tight(job, loop) || turns_per_entry < turns_of_short)
		return false;
	if (is_short(&facts))
		return true;
	if (job->capture->block_count > most_blocks)
		return false;
	return (job->measured && turns_per_entry >= turns_measured) ||
	       (turns_per_entry >= turns_expected && wm_bridge_loop_is_stepped(job->bridge, loop));
}

/* Whether a count that runs so often belongs in a register of the loop around it. */
static bool pays_in_register(const struct wm_lowering *job, wm_loop_ref loop, double weight)
{
	return loop && job->optimise &&
	       weight * 2 >= wm_bridge_loop_facts(job->bridge, loop).turns && loop_pays(job, loop);
}

double wm_lower_cost_in_loop(const struct wm_lowering *lowering, wm_loop_ref loop, double weight)
{
	if (!pays_in_register(lowering, loop, weight))
		return weight * wm_prices.increment;
	return weight * wm_prices.in_register +
	       wm_bridge_loop_facts(lowering->bridge, loop).entries * wm_prices.flush;
}

static LLVMValueRef new_slot(struct wm_lowerer *lowerer, LLVMBasicBlockRef preheader)
{
	LLVMValueRef slot = wm_lowerer_slot(lowerer, lowerer->i64);
	LLVMPositionBuilderBefore(lowerer->builder, LLVMGetBasicBlockTerminator(preheader));
	LLVMBuildStore(lowerer->builder, LLVMConstInt(lowerer->i64, 0, false), slot);
	return slot;
}

/* Adds what the register holds to the counter, at one of the loop's exits. */
static void flush(struct wm_lowerer *lowerer, LLVMValueRef slot, LLVMBasicBlockRef exit,
	struct wm_step increment)
{
	increment.before = wm_capture_block_start(exit);
	LLVMPositionBuilderBefore(lowerer->builder, increment.before);
	increment.amount = LLVMBuildLoad2(lowerer->builder, lowerer->i64, slot, "");
	wm_lowerer_add(lowerer, increment);
}

/* Moves one increment into a register of its loop; returns the register's slot or NULL. */
static LLVMValueRef keep_in_register(struct wm_lowerer *lowerer, uint32_t index)
{
	struct wm_bridge *bridge = lowerer->job->bridge;
	struct wm_step increment = lowerer->pending[index];
	LLVMBasicBlockRef exits[MOST_LOOP_EXITS], preheader;
	if (increment.kind != WM_STEP_COUNT || increment.in_context)
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(bridge, LLVMGetInstructionParent(increment.before));
	if (!pays_in_register(lowerer->job, loop, increment.weight))
		return NULL;
	size_t exit_count = wm_bridge_loop_exits(bridge, loop, exits, MOST_LOOP_EXITS);
	if (!exit_count || !(preheader = wm_bridge_make_preheader(bridge, loop)))
		return NULL;
	LLVMValueRef slot = new_slot(lowerer, preheader);
	LLVMPositionBuilderBefore(lowerer->builder, increment.before);
	wm_lowerer_add_to_memory(lowerer, slot, wm_lowerer_amount(lowerer, &increment));
	lowerer->pending[index].before = NULL;
	increment.weight = wm_bridge_loop_facts(bridge, loop).entries / exit_count;
	for (size_t i = 0; i < exit_count; i++)
		flush(lowerer, slot, exits[i], increment);
	return slot;
}

void wm_lowerer_keep_in_registers(struct wm_lowerer *lowerer)
{
	uint32_t count = lowerer->pending_count;
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef slot = keep_in_register(lowerer, i);
		if (slot)
			lowerer->slots[lowerer->slot_count++] = slot;
	}
}
