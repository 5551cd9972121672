#include "hpp/commit_queue.h"

struct wm_latencies wm_latencies_of(uint32_t ways)
{
	struct wm_latencies latencies = {1, 1, 1, 1, 1, 0};
	while (ways >> latencies.miss > 1)
		latencies.miss++;
	latencies.miss += latencies.miss == 0;
	return latencies;
}

uint32_t wm_service(const struct wm_latencies *latencies, const struct wm_path_work *work,
	uint32_t presented, uint32_t misses)
{
	return work->pushes * latencies->push + work->pops * latencies->pop +
	       work->updates * latencies->update +
	       work->update_counts * latencies->update_count +
	       (presented - misses) * latencies->hit + misses * latencies->miss;
}

uint64_t wm_commit_queue_add(struct wm_commit_queue *queue, uint64_t retire, uint64_t service)
{
	uint64_t arrive = retire + queue->stall, bound = queue->free, extra = 0;
	if (queue->slots)
		bound = queue->branches < queue->slots
				? 0
				: queue->begin[(queue->branches - queue->slots) % WM_MAX_QUEUE];
	if (bound > arrive)
		extra = bound - arrive;
	queue->stall += extra;
	arrive += extra;
	if (queue->free > arrive)
		arrive = queue->free;
	queue->begin[queue->branches++ % WM_MAX_QUEUE] = arrive;
	queue->free = arrive + service;
	return extra;
}
