/* Interval propagation. Each block has two laws, one for what enters it and one for what leaves it:
 * the sum of the parts is the block's count. A part cannot be more than the count less the least
 * of the others, nor less than the count less the most of them. A block is looked at again when
 * something around it got a tighter bound.
 *
 * Every bound that is found on the way is right, so the search may stop at any time; in loops of
 * unknown counts it could go on for a long one.
 */
#include "profile/source_flow.h"

#include <string.h>

enum { MAX_VISITS = 32 };

struct flow {
	const struct wm_source *record;
	struct wm_source_count *count;
	struct wm_interval *edge; /* by edge */
	uint32_t *in_start, *in;  /* edges that enter a block: in[in_start[b]], ... */
	uint32_t *out_start, *out;
	uint32_t *queue; /* a ring: each block is in it once at most */
	uint32_t head, waiting;
	bool *is_waiting;
	uint8_t *visits; /* by block */
	bool contradiction;
};

/* A sum of intervals from which one part can be taken away again. */
struct sum {
	struct wm_interval known; /* of the bounds that there are */
	uint32_t no_low, no_high; /* how many parts have none */
};

static void add_part(struct sum *sum, struct wm_interval part)
{
	sum->no_low += part.low == WM_NO_LOW;
	sum->no_high += part.high == WM_NO_HIGH;
	sum->known = wm_interval_add(
		sum->known, (struct wm_interval){part.low == WM_NO_LOW ? 0 : part.low,
				    part.high == WM_NO_HIGH ? 0 : part.high});
}

/* Of all parts but this one. */
static struct wm_interval without(const struct sum *sum, struct wm_interval part)
{
	struct wm_interval rest = sum->known;
	bool lacks_low = part.low == WM_NO_LOW, lacks_high = part.high == WM_NO_HIGH;
	if (sum->no_low > lacks_low ||
		(!lacks_low && (rest.low == WM_NO_LOW ||
				       __builtin_sub_overflow(rest.low, part.low, &rest.low))))
		rest.low = WM_NO_LOW;
	if (sum->no_high > lacks_high ||
		(!lacks_high && (rest.high == WM_NO_HIGH ||
					__builtin_sub_overflow(rest.high, part.high, &rest.high))))
		rest.high = WM_NO_HIGH;
	return rest;
}

static void wait_for(struct flow *flow, uint32_t block)
{
	uint32_t blocks = flow->record->block_count;
	if (block >= blocks || flow->is_waiting[block] || flow->visits[block] == MAX_VISITS)
		return;
	flow->is_waiting[block] = true;
	flow->queue[(flow->head + flow->waiting++) % blocks] = block;
}

/* Whether the interval got tighter. */
static bool tighten(struct flow *flow, struct wm_interval *interval, struct wm_interval bounds)
{
	struct wm_interval met = wm_interval_meet(*interval, bounds);
	if (met.low == interval->low && met.high == interval->high)
		return false;
	*interval = met;
	flow->contradiction |= wm_interval_is_empty(met);
	return true;
}

static struct wm_interval *part_of(struct flow *flow, const uint32_t *edges, uint32_t count,
	uint32_t i, struct wm_interval *last)
{
	return i < count ? &flow->edge[edges[i]] : last;
}

/* One law of the block: these edges, and `last` if it is given, add up to its count. */
static void apply(struct flow *flow, uint32_t block, const uint32_t *edges, uint32_t count,
	struct wm_interval *last)
{
	struct sum sum = {{0, 0}, 0, 0};
	struct wm_interval *whole = &flow->count->block[block];
	uint32_t parts = count + (last != NULL);
	for (uint32_t i = 0; i < parts; i++)
		add_part(&sum, *part_of(flow, edges, count, i, last));
	if (tighten(flow, whole, without(&sum, (struct wm_interval){0, 0})))
		wait_for(flow, block);
	for (uint32_t i = 0; i < parts && !flow->contradiction; i++) {
		struct wm_interval *part = part_of(flow, edges, count, i, last);
		struct wm_interval rest = without(&sum, *part);
		if (!tighten(flow, part, wm_interval_subtract(*whole, rest)))
			continue;
		wait_for(flow, block);
		if (i < count) {
			wait_for(flow, flow->record->edge_source[edges[i]]);
			wait_for(flow, flow->record->edge_target[edges[i]]);
		}
	}
}

static void visit(struct flow *flow, uint32_t block)
{
	const uint32_t *in = flow->in_start + block, *out = flow->out_start + block;
	apply(flow, block, flow->in + in[0], in[1] - in[0],
		block == 0 ? &flow->count->entries : NULL);
	apply(flow, block, flow->out + out[0], out[1] - out[0], &flow->count->left[block]);
}

static void run(struct flow *flow)
{
	uint32_t blocks = flow->record->block_count;
	for (uint32_t b = 0; b < blocks; b++)
		wait_for(flow, b);
	while (flow->waiting > 0 && !flow->contradiction) {
		uint32_t block = flow->queue[flow->head];
		flow->head = (flow->head + 1) % blocks;
		flow->waiting--;
		flow->is_waiting[block] = false;
		flow->visits[block]++;
		visit(flow, block);
	}
}

/* Lists the edges at each vertex. */
static void list_edges(struct wm_arena *scratch, const struct wm_source *record,
	const uint32_t *vertex, uint32_t **start, uint32_t **list)
{
	uint32_t vertices = record->block_count + 1;
	*start = wm_arena_alloc(scratch, (size_t)vertices + 2, sizeof **start);
	*list = wm_arena_alloc(scratch, record->edge_count, sizeof **list);
	uint32_t *next = *start + 1;
	for (uint32_t i = 0; i < record->edge_count; i++)
		next[vertex[i] + 1]++;
	for (uint32_t v = 0; v < vertices; v++)
		next[v + 1] += next[v];
	for (uint32_t i = 0; i < record->edge_count; i++)
		(*list)[next[vertex[i]]++] = i;
}

static void forget(const struct wm_source *record, struct wm_source_count *count)
{
	static const struct wm_interval anything = {WM_NO_LOW, WM_NO_HIGH};
	for (uint32_t b = 0; b < record->block_count; b++) {
		count->block[b] = wm_interval_from(0);
		count->left[b] = record->may_be_left[b] ? anything : wm_interval_of(0);
	}
	count->entries = wm_interval_from(0);
	count->known = false;
}

void wm_source_flow_tighten(const struct wm_source *record, struct wm_source_count *count)
{
	struct wm_arena scratch = {0};
	uint32_t blocks = record->block_count;
	struct flow flow = {.record = record,
		.count = count,
		.edge = wm_arena_alloc(&scratch, record->edge_count, sizeof *flow.edge),
		.queue = wm_arena_alloc(&scratch, blocks, sizeof *flow.queue),
		.is_waiting = wm_arena_alloc(&scratch, blocks, sizeof *flow.is_waiting),
		.visits = wm_arena_alloc(&scratch, blocks, sizeof *flow.visits)};
	for (uint32_t i = 0; i < record->edge_count; i++)
		flow.edge[i] = wm_interval_from(0);
	count->entries = wm_interval_from(0);
	list_edges(&scratch, record, record->edge_target, &flow.in_start, &flow.in);
	list_edges(&scratch, record, record->edge_source, &flow.out_start, &flow.out);
	run(&flow);
	if (flow.contradiction)
		forget(record, count);
	wm_arena_reset(&scratch);
}
