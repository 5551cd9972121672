/* Positions: which source lines each block comes from, inlined code included. */
#ifndef WM_LLVM_POSITIONS_H
#define WM_LLVM_POSITIONS_H

#include "format/description.h"
#include "llvm/subject/capture.h"

/* Fills scopes, positions and blocks of the description from the unchanged code of the capture.
 * Returns the position of each of its calls; line 0: unknown. */
struct wm_position *wm_positions_describe(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_function *function);

/* The path of the file that holds the location. */
const char *wm_positions_path(struct wm_arena *arena, const struct wm_location *location);

/* Whether the instruction is one of those that a block executes: it is not only there for the
 * compiler. */
bool wm_positions_is_code(LLVMValueRef instruction);

/* Adds what the instruction executes. */
void wm_positions_add_work(struct wm_work *work, LLVMValueRef instruction);

#endif
