/* A text of branches, through the whole profiler: what comes out adds up to what went in. */
#include "stream/branch_text.h"

#include "fuzz.h"
#include "study/live.h"

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_hpp_settings settings = wm_hpp_settings_default();
	struct wm_hpp_live live;
	struct wm_error error;
	uint64_t count = 0;
	wm_hpp_live_init(&live, &settings);
	struct wm_stream_sink sink = wm_hpp_live_sink(&live);
	int status = wm_branch_text_read("text", (const char *)data, bytes, &sink, &error);
	wm_fuzz_require_text(status, error.text);
	if (wm_hpp_live_finish(&live) == NULL) {
		const struct wm_exact_table *exact = &live.profiler.exact;
		for (uint32_t i = 0; i < exact->paths; i++)
			count += exact->path[i].count;
		WM_FUZZ_REQUIRE(count == wm_profiler_figures(&live.profiler).emitted);
	}
	wm_hpp_live_free(&live);
	return status;
}
