#include "stream/fall_through.h"

#include "hpp/amd64.h"

enum { MAX_RANGE = 4096 };

static void tell(struct wm_straight *place, struct wm_stream_branch *told,
	const struct wm_stream_instruction *instruction, uint64_t to, bool taken,
	const struct wm_stream_sink *sink)
{
	struct wm_branch *branch = &told->branch;
	branch->at = place->at;
	branch->after = place->at + instruction->bytes;
	branch->to = to;
	branch->target = instruction->kind == WM_BRANCH_CONDITIONAL ? instruction->target : to;
	branch->instructions = place->instructions;
	branch->kind = instruction->kind;
	branch->taken = taken;
	place->instructions = 0;
	sink->branch(sink->context, told);
}

/* Goes behind an instruction that control fell through. False if it is one that nothing falls
 * through. */
static bool pass(struct wm_straight *place, const struct wm_stream_instruction *instruction,
	const struct wm_stream_sink *sink)
{
	struct wm_stream_branch none = {.has_misprediction = false};
	uint64_t after = place->at + instruction->bytes;
	if (instruction->kind == WM_BRANCH_CONDITIONAL)
		tell(place, &none, instruction, after, false, sink);
	else if (instruction->kind < WM_BRANCH_NONE)
		return false;
	place->at = after;
	return true;
}

bool wm_straight_to(struct wm_straight *place, uint64_t address, const struct wm_stream_code *code,
	const struct wm_stream_sink *sink)
{
	if (address < place->at || address - place->at > MAX_RANGE)
		return false;
	while (place->at < address) {
		struct wm_stream_instruction instruction = code->at(code->context, place->at);
		if (!instruction.bytes)
			return false;
		place->instructions++;
		if (!pass(place, &instruction, sink))
			return false;
	}
	return place->at == address;
}

bool wm_straight_on(struct wm_straight *place, uint64_t from, uint64_t to,
	struct wm_stream_branch *told, const struct wm_stream_code *code,
	const struct wm_stream_sink *sink)
{
	struct wm_stream_instruction instruction;
	if (!wm_straight_to(place, from, code, sink))
		return false;
	instruction = code->at(code->context, from);
	if (!instruction.bytes)
		return false;
	place->instructions++;
	if (instruction.kind < WM_BRANCH_NONE)
		tell(place, told, &instruction, to, true, sink);
	place->at = to;
	return true;
}
