/* Text of perf's branches over code in which each address holds some instruction: every path told
 * adds up. */
#include "hpp/amd64.h"
#include "stream/perf_branches.h"

#include "fuzz.h"
#include "study/live.h"

static void ignore(void *context, uint64_t start, uint64_t bytes, uint64_t offset, const char *name,
	size_t length)
{
	uint64_t *sum = context;
	for (size_t i = 0; i < length; i++)
		*sum += (unsigned char)name[i];
	*sum += start ^ bytes ^ offset;
}

static struct wm_stream_instruction at(void *context, uint64_t address)
{
	(void)context;
	return (struct wm_stream_instruction){
		(uint8_t)(address % 5), (uint8_t)(address / 5 % WM_CODE_KINDS), address ^ 64};
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_hpp_settings settings = wm_hpp_settings_default();
	uint64_t sum = 0, count = 0;
	const struct wm_stream_code code = {&sum, ignore, at};
	struct wm_arena arena = {0};
	struct wm_perf_branches found;
	struct wm_hpp_live live;
	struct wm_error error;
	wm_hpp_live_init(&live, &settings);
	struct wm_stream_sink sink = wm_hpp_live_sink(&live);
	wm_perf_branches_known((const char *)data, bytes);
	int status = wm_perf_branches_read(
		&arena, "text", (const char *)data, bytes, &code, &sink, &found, &error);
	wm_fuzz_require_text(status, error.text);
	if (wm_hpp_live_finish(&live) == NULL) {
		const struct wm_exact_table *exact = &live.profiler.exact;
		for (uint32_t i = 0; i < exact->paths; i++)
			count += exact->path[i].count;
		WM_FUZZ_REQUIRE(count <= wm_profiler_figures(&live.profiler).emitted);
	}
	wm_hpp_live_free(&live);
	wm_arena_reset(&arena);
	return status;
}
