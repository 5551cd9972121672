/* Folding: the counts of dead processes go from their chunks into the totals (crash safety:
 * format/profile_file.h). */
#ifndef WM_RUNTIME_FOLD_H
#define WM_RUNTIME_FOLD_H

#include "runtime/file/file.h"

/* Does what a process that was killed while clearing a folded chunk has left to do, for the file's
 * own object and for the library that has opened it. */
void wm_fold_finish(struct wm_locked_file *file);

/* Folds what dead processes have left of the object that counts into the file. */
void wm_fold_abandoned(struct wm_locked_file *file);

#endif
