/* Files in memory, and the checks that several targets share. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/counters/plan.h"
#include "core/counters/propagate.h"

enum { MAX_EDGES = 4096, MAX_VERTICES = 4096 };

const char *wm_fuzz_file(const uint8_t *data, size_t bytes)
{
	static int descriptor = -1;
	static char path[64];
	if (descriptor < 0) {
		descriptor = memfd_create("fuzz", MFD_CLOEXEC);
		WM_FUZZ_REQUIRE(descriptor >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
	}
	WM_FUZZ_REQUIRE(ftruncate(descriptor, 0) == 0);
	for (size_t done = 0; done < bytes;) {
		ssize_t written = pwrite(descriptor, data + done, bytes - done, (off_t)done);
		WM_FUZZ_REQUIRE(written > 0);
		done += (size_t)written;
	}
	return path;
}

void wm_fuzz_require_text(int status, const char *text)
{
	WM_FUZZ_REQUIRE(status <= 0);
	WM_FUZZ_REQUIRE(status == 0 || text[0]);
}

uint64_t wm_fuzz_counter(uint64_t index)
{
	return (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void require_flow_law(const struct wm_cfg *cfg, const struct wm_counts *counts)
{
	WM_FUZZ_REQUIRE(counts->edges_known && counts->exit_known);
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		uint64_t in = 0, out = 0;
		for (uint32_t i = cfg->in_start[v]; i < cfg->in_start[v + 1]; i++)
			in += counts->edge[cfg->in_edge[i]];
		for (uint32_t i = cfg->out_start[v]; i < cfg->out_start[v + 1]; i++)
			out += counts->edge[cfg->out_edge[i]];
		WM_FUZZ_REQUIRE(in == counts->vertex[v] && out == counts->vertex[v]);
	}
}

static void solve(struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_plan *plan)
{
	struct wm_counts counts;
	struct wm_error error;
	uint64_t *counter = wm_arena_alloc(arena, plan->probe_count, sizeof *counter);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		counter[k] = wm_fuzz_counter(k);
	WM_FUZZ_REQUIRE(wm_propagate(arena, cfg, plan->probes, plan->probe_count, counter, NULL,
				&counts, &error) == 0);
	if (plan->problem == WM_PROBLEM_EDGES)
		require_flow_law(cfg, &counts);
}

void wm_fuzz_plan(const struct wm_cfg *cfg, const double *weight)
{
	struct wm_arena arena = {0};
	if (cfg->edge_count > MAX_EDGES || cfg->vertex_count > MAX_VERTICES)
		return;
	for (int problem = 0; problem < WM_PROBLEM_COUNT; problem++) {
		struct wm_plan_request request = {.problem = problem, .weight = weight};
		struct wm_plan plan;
		struct wm_error error;
		WM_FUZZ_REQUIRE(wm_plan_make(&arena, cfg, &request, &plan, &error) == 0);
		solve(&arena, cfg, &plan);
	}
	wm_arena_reset(&arena);
}
