/* A profiler that is fed by a stream, with the models that need no data addresses. */
#ifndef WM_STUDY_LIVE_H
#define WM_STUDY_LIVE_H

#include "stream/stream.h"
#include "study/settings.h"

struct wm_hpp_live {
	struct wm_hpp_settings settings;
	struct wm_profiler profiler;
	struct wm_machine machine; /* without caches: streams have no data addresses */
	void *machine_memory;
	bool ready; /* the first branch has come: settings hold */
	const char *wrong; /* why the settings do not go together; nothing was profiled */
	wm_profiler_consumer consumer; /* told of each path, or NULL */
	void *consumer_context;
	uint64_t last_cycle, gaps;
};

void wm_hpp_live_init(struct wm_hpp_live *live, const struct wm_hpp_settings *settings);

/* What a reader tells goes to the profiler. */
struct wm_stream_sink wm_hpp_live_sink(struct wm_hpp_live *live);

/* The stream is over. NULL, or why there is no profile. */
const char *wm_hpp_live_finish(struct wm_hpp_live *live);

void wm_hpp_live_free(struct wm_hpp_live *live);

/* realloc with the profiler's manners. */
void *wm_hpp_resize(void *old, size_t old_bytes, size_t bytes);

#endif
