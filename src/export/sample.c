/* A sample profile in LLVM's text form, by pseudo probes: clang reads it with
 * -fprofile-sample-use=FILE -fpseudo-probe-for-profiling, and llvm-profdata merges it.
 *
 * A *node* is a function in a chain of calls that were inlined; its counts are sums over all copies
 * of that chain in the code. A function is written as `name:total:entries`, with a line `number:
 * count` for each probe, in which a call through a pointer has `name:count` of the functions that
 * it reached, if calls were counted by context; and the functions inlined in it, indented, by the
 * number of the call. At its end stands the checksum of its graph: clang takes no counts where its
 * own is another. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "export/call_targets.h"
#include "export/format.h"
#include "core/base/intern.h"

/* The number of the probe in the first block. */
enum { ENTRY = 1 };

struct node_key {
	uint32_t parent; /* WM_NONE: not inlined */
	uint32_t call;
	uint32_t name;
	uint32_t checksum;
};

struct node {
	struct node_key key;
	const struct wm_pseudo_function *function;
	uint64_t entries;
	uint64_t total; /* with what is inlined in it */
};

struct body_key {
	uint32_t node;
	uint32_t number;
};

struct body {
	struct body_key key;
	uint64_t count;
	bool may_be_lost;
};

/* A function that a call through a pointer reached. */
struct target_key {
	uint32_t body;
	uint32_t name;
};

struct target {
	struct target_key key;
	const char *name;
	uint64_t count;
};

struct profile {
	struct wm_arena *arena;
	struct wm_intern names, checksums, node_keys, body_keys, target_keys;
	size_t node_capacity, body_capacity, target_capacity;
	struct target *targets;
	struct node *nodes; /* parents first */
	struct body *bodies;
	const struct node **order; /* of output: those of one parent together */
	const struct body **body_order;
};

/* The program, or a library. */
struct part {
	const struct wm_profile *profile;
	struct wm_call_targets targets;
};

static uint32_t node_of(struct profile *profile, uint32_t parent, uint32_t call,
	const struct wm_pseudo_function *function)
{
	const struct node_key key = {parent, call, wm_intern_text(&profile->names, function->name),
		wm_intern(&profile->checksums, &function->checksum, sizeof function->checksum)};
	uint32_t count = profile->node_keys.count;
	uint32_t node = wm_intern(&profile->node_keys, &key, sizeof key);
	if (node == count) {
		profile->nodes = wm_arena_grow(profile->arena, profile->nodes, count,
			&profile->node_capacity, sizeof *profile->nodes);
		profile->nodes[node] = (struct node){.key = key, .function = function};
	}
	return node;
}

/* Returns the body. */
static uint32_t add_to_body(struct profile *profile, uint32_t node,
	const struct wm_pseudo_probe *probe, uint64_t executions)
{
	const struct body_key key = {node, probe->number};
	uint32_t count = profile->body_keys.count;
	uint32_t body = wm_intern(&profile->body_keys, &key, sizeof key);
	if (body == count) {
		profile->bodies = wm_arena_grow(profile->arena, profile->bodies, count,
			&profile->body_capacity, sizeof *profile->bodies);
		profile->bodies[body] = (struct body){.key = key};
	}
	profile->bodies[body].count += executions;
	profile->bodies[body].may_be_lost |= probe->may_be_lost;
	profile->nodes[node].total += executions;
	if (probe->number == ENTRY)
		profile->nodes[node].entries += executions;
	return body;
}

static void add_target(struct profile *profile, uint32_t body, const char *name, uint64_t count)
{
	const struct target_key key = {body, wm_intern_text(&profile->names, name)};
	uint32_t known = profile->target_keys.count;
	uint32_t target = wm_intern(&profile->target_keys, &key, sizeof key);
	if (target == known) {
		profile->targets = wm_arena_grow(profile->arena, profile->targets, known,
			&profile->target_capacity, sizeof *profile->targets);
		profile->targets[target] = (struct target){.key = key, .name = name};
	}
	profile->targets[target].count += count;
}

/* As clang calls it: without what tells copies apart. */
static const char *name_of(const struct wm_function *function)
{
	const struct wm_pseudo_section *section = function->pseudo_probes;
	return section ? section->functions[section->frames[0].function].name : function->name;
}

static void add_targets(struct profile *profile, uint32_t body, const struct part *part,
	uint32_t function, uint32_t call)
{
	size_t count;
	const struct wm_call_target *target =
		wm_call_targets_of(&part->targets, function, call, &count);
	for (size_t i = 0; i < count; i++)
		add_target(profile, body,
			name_of(part->profile->functions[target[i].callee].function),
			target[i].count);
}

static void add_function(struct profile *profile, const struct part *part, uint32_t number)
{
	const struct wm_profile_function *function = &part->profile->functions[number];
	const struct wm_pseudo_section *section = function->function->pseudo_probes;
	if (!section)
		return;
	uint32_t *nodes = wm_arena_alloc(profile->arena, section->frame_count, sizeof *nodes);
	for (uint32_t i = 0; i < section->frame_count; i++) {
		const struct wm_pseudo_frame *frame = &section->frames[i];
		nodes[i] = node_of(profile, frame->call ? nodes[frame->parent] : WM_NONE,
			frame->call, &section->functions[frame->function]);
	}
	for (uint32_t i = 0; i < section->probe_count; i++) {
		const struct wm_pseudo_probe *probe = &section->probes[i];
		uint32_t body = add_to_body(profile, nodes[probe->frame], probe,
			function->block[probe->block] * probe->factor);
		if (probe->call != WM_NONE)
			add_targets(profile, body, part, number, probe->call);
	}
}

/* Most frequent first. */
static int by_body_and_count(const void *left, const void *right)
{
	const struct target *a = left, *b = right;
	if (a->key.body != b->key.body)
		return a->key.body < b->key.body ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_number(const void *left, const void *right)
{
	const struct body *a = *(const struct body *const *)left;
	const struct body *b = *(const struct body *const *)right;
	if (a->key.node != b->key.node)
		return a->key.node < b->key.node ? -1 : 1;
	return (a->key.number > b->key.number) - (a->key.number < b->key.number);
}

/* Functions by name, inlined ones by call and name; of several graphs of one function in one place
 * the one that ran most comes first. */
static int by_place(const void *left, const void *right)
{
	const struct node *a = *(const struct node *const *)left;
	const struct node *b = *(const struct node *const *)right;
	if (a->key.parent != b->key.parent)
		return a->key.parent < b->key.parent ? -1 : 1;
	if (a->key.call != b->key.call)
		return a->key.call < b->key.call ? -1 : 1;
	if (a->key.name != b->key.name)
		return strcmp(a->function->name, b->function->name);
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->key.checksum > b->key.checksum) - (a->key.checksum < b->key.checksum);
}

static void sort(struct profile *profile)
{
	uint32_t nodes = profile->node_keys.count, bodies = profile->body_keys.count;
	for (uint32_t i = nodes; i-- > 0;)
		if (profile->nodes[i].key.parent != WM_NONE)
			profile->nodes[profile->nodes[i].key.parent].total +=
				profile->nodes[i].total;
	profile->order = wm_arena_alloc(profile->arena, nodes, sizeof *profile->order);
	for (uint32_t i = 0; i < nodes; i++)
		profile->order[i] = &profile->nodes[i];
	if (nodes)
		qsort(profile->order, nodes, sizeof *profile->order, by_place);
	profile->body_order = wm_arena_alloc(profile->arena, bodies, sizeof *profile->body_order);
	for (uint32_t i = 0; i < bodies; i++)
		profile->body_order[i] = &profile->bodies[i];
	if (bodies)
		qsort(profile->body_order, bodies, sizeof *profile->body_order, by_number);
	if (profile->target_keys.count)
		qsort(profile->targets, profile->target_keys.count, sizeof *profile->targets,
			by_body_and_count);
}

static uint32_t first_child(const struct profile *profile, uint32_t parent)
{
	uint32_t low = 0, high = profile->node_keys.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (profile->order[middle]->key.parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t first_body(const struct profile *profile, uint32_t node)
{
	uint32_t low = 0, high = profile->body_keys.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (profile->body_order[middle]->key.node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_same_place(const struct node *a, const struct node *b)
{
	return a->key.call == b->key.call && a->key.name == b->key.name;
}

static void write_children(const struct profile *profile, uint32_t parent, int depth, FILE *out);

static uint32_t first_target(const struct profile *profile, uint32_t body)
{
	uint32_t low = 0, high = profile->target_keys.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (profile->targets[middle].key.body < body)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void write_probe(
	const struct profile *profile, const struct body *body, int depth, FILE *out)
{
	uint32_t number = (uint32_t)(body - profile->bodies);
	fprintf(out, "%*s%" PRIu32 ": %" PRIu64, depth, "", body->key.number, body->count);
	for (uint32_t i = first_target(profile, number);
		i < profile->target_keys.count && profile->targets[i].key.body == number; i++)
		fprintf(out, " %s:%" PRIu64, profile->targets[i].name, profile->targets[i].count);
	fputc('\n', out);
}

/* A probe that counted nothing, and may have run unseen, is left out: clang takes its count from
 * those around it. */
static void write_body(const struct profile *profile, uint32_t node, int depth, FILE *out)
{
	for (uint32_t i = first_body(profile, node); i < profile->body_keys.count; i++) {
		const struct body *body = profile->body_order[i];
		if (body->key.node != node)
			return;
		if (body->count || !body->may_be_lost)
			write_probe(profile, body, depth, out);
	}
}

static void write_node(const struct profile *profile, const struct node *node, int depth, FILE *out)
{
	uint32_t number = (uint32_t)(node - profile->nodes);
	if (depth)
		fprintf(out, "%*s%" PRIu32 ": %s:%" PRIu64 "\n", depth, "", node->key.call,
			node->function->name, node->total);
	else
		fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", node->function->name, node->total,
			node->entries);
	write_body(profile, number, depth + 1, out);
	write_children(profile, number, depth + 1, out);
	fprintf(out, "%*s!CFGChecksum: %" PRIu64 "\n", depth + 1, "", node->function->checksum);
}

/* What never ran says nothing: it is left out. */
static void write_children(const struct profile *profile, uint32_t parent, int depth, FILE *out)
{
	const struct node *before = NULL;
	for (uint32_t i = first_child(profile, parent);
		i < profile->node_keys.count && profile->order[i]->key.parent == parent; i++) {
		const struct node *node = profile->order[i];
		if (node->total && (!before || !is_same_place(before, node)))
			write_node(profile, node, depth, out);
		before = node;
	}
}

bool wm_export_sample_is_possible(const struct wm_export_data *data)
{
	for (uint32_t i = 0; i < data->profile->function_count; i++)
		if (data->profile->functions[i].function->pseudo_probes)
			return true;
	return false;
}

void wm_export_sample(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct profile profile = {.arena = &arena,
		.names.arena = &arena,
		.checksums.arena = &arena,
		.node_keys.arena = &arena,
		.body_keys.arena = &arena};
	(void)request;
	profile.target_keys.arena = &arena;
	for (uint32_t p = 0; p < data->part_count; p++) {
		struct part part = {.profile = data->parts[p].profile,
			.targets = wm_call_targets_make(&arena, &data->parts[p].contexts.tree)};
		for (uint32_t i = 0; i < part.profile->function_count; i++)
			add_function(&profile, &part, i);
	}
	sort(&profile);
	write_children(&profile, WM_NONE, 0, out);
	wm_arena_reset(&arena);
}
