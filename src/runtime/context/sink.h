/* What code counts into where nothing can be had: its counts are lost, and the profile says so. */
#ifndef WM_RUNTIME_CONTEXT_SINK_H
#define WM_RUNTIME_CONTEXT_SINK_H

#include "format/context_layout.h"

void wm_sink_note_loss(void);

struct wm_context_record *wm_sink_record(void);

/* An entry of the function, which is called as one that is not counted; NULL: of none. */
struct wm_context_entry *wm_sink_entry(const void *function);

/* What an entry without others and a link without entries have. */
extern struct wm_context_entry wm_no_entry;

#endif
