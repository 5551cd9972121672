/* Memory of the same form as an area, in which every link is one without an owner. */
#include "runtime/context/sink.h"

#include "runtime/context/area.h"
#include "runtime/count/slot.h"
#include "runtime/state.h"

enum { ENTRIES = 1 << 12, LINKS = WM_AREA_MAX_CELLS, BYTES = WM_CONTEXT_DISTANCE };

_Static_assert(LINKS *WM_CONTEXT_LINK_BYTES + ENTRIES * 2 * WM_CONTEXT_LINK_BYTES <= BYTES,
	"both fit before the cells");

struct wm_context_entry wm_no_entry = {.function = &wm_no_entry}; /* nobody calls that */

static union {
	struct {
		struct wm_context_link links[LINKS];
		struct wm_context_entry entries[ENTRIES]; /* by hash of the function */
	};
	char halves[2 * BYTES];
} sink __attribute__((aligned(64)));

void wm_sink_note_loss(void)
{
	if (wm_state.first)
		wm_slot_header(wm_state.first)->status |= WM_STATUS_COUNTS_LOST;
}

struct wm_context_record *wm_sink_record(void)
{
	wm_sink_note_loss();
	if (!sink.links[0].entries)
		for (uint64_t i = 0; i < LINKS; i++)
			sink.links[i].entries = &wm_no_entry;
	return (struct wm_context_record *)sink.links;
}

struct wm_context_entry *wm_sink_entry(const void *function)
{
	uint64_t at = (uint64_t)(uintptr_t)function * WM_TABLE_FACTOR >> 40;
	wm_sink_note_loss();
	for (uint64_t left = ENTRIES; left > 1; left--) {
		struct wm_context_entry *entry = &sink.entries[at++ % ENTRIES];
		if (entry->body == function)
			return entry;
		if (entry->body)
			continue;
		*entry = (struct wm_context_entry){
			.link = {.entries = &wm_no_entry}, .body = function};
		return entry;
	}
	return &sink.entries[0];
}
