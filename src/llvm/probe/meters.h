/* Code that reads meters and gives what was read to paths.
 *
 * A thread has a word for each meter: what its paths have claimed so far. A frame has a register:
 * the reading at its entry less what was claimed then. Where a path ends, its own part is the
 * reading, less that register, less what is claimed now, which is then claimed too. What callees
 * claimed is so left out. Each stretch between two readings is claimed once: what a frame that was
 * left early had not claimed goes to the path that goes on. */
#ifndef WM_LLVM_METERS_H
#define WM_LLVM_METERS_H

#include "llvm/probe/lowerer.h"

/* Makes the registers. */
void wm_meters_open(struct wm_lowerer *lowerer);

/* Writes what a step of the kind WM_STEP_ENTER_METERS or WM_STEP_READ_METERS does; `base` as for a
 * counter. */
void wm_meters_enter(struct wm_lowerer *lowerer, const struct wm_step *step);
void wm_meters_read(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef base);

#endif
