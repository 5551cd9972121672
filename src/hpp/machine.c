#include "hpp/machine.h"

#include <string.h>

const struct wm_machine_shape wm_machine_thesis = {
	.l1i = {32 << 10, 1, 32},
	.l1d = {32 << 10, 1, 32},
	.l2 = {512 << 10, 4, 64},
	.width = 4,
	.l2_cycles = 10,
	.memory_cycles = 100,
	.misprediction_cycles = 3,
	.power = {1, 1, 7, 60},
};

const struct wm_machine_shape wm_machine_modern = {
	.l1i = {32 << 10, 8, 64},
	.l1d = {32 << 10, 8, 64},
	.l2 = {2 << 20, 16, 64},
	.width = 6,
	.l2_cycles = 14,
	.memory_cycles = 200,
	.misprediction_cycles = 15,
	.power = {1, 1, 2, 8},
};

const char *wm_machine_check(const struct wm_machine_shape *shape)
{
	const char *wrong = wm_cache_shape_check(&shape->l1i);
	if (!wrong)
		wrong = wm_cache_shape_check(&shape->l1d);
	if (!wrong)
		wrong = wm_cache_shape_check(&shape->l2);
	for (uint32_t i = 0; !wrong && i < shape->others; i++)
		wrong = wm_cache_shape_check(&shape->other[i]);
	if (!wrong && (shape->width == 0 || shape->width > 16))
		wrong = "a machine retires 1 to 16 instructions a cycle";
	return wrong;
}

size_t wm_machine_bytes(const struct wm_machine_shape *shape)
{
	size_t bytes = wm_cache_bytes(&shape->l1i) + wm_cache_bytes(&shape->l1d) +
		       wm_cache_bytes(&shape->l2);
	for (uint32_t i = 0; i < shape->others; i++)
		bytes += wm_cache_bytes(&shape->other[i]);
	return bytes;
}

void wm_machine_init(struct wm_machine *machine, const struct wm_machine_shape *shape, void *memory)
{
	char *next = memory;
	memset(machine, 0, sizeof *machine);
	machine->shape = *shape;
	wm_cache_init(&machine->l1i, &shape->l1i, next);
	wm_cache_init(&machine->l1d, &shape->l1d, next += wm_cache_bytes(&shape->l1i));
	wm_cache_init(&machine->l2, &shape->l2, next += wm_cache_bytes(&shape->l1d));
	next += wm_cache_bytes(&shape->l2);
	for (uint32_t i = 0; i < shape->others; i++) {
		wm_cache_init(&machine->other[i], &shape->other[i], next);
		next += wm_cache_bytes(&shape->other[i]);
	}
	wm_predictor_init(&machine->predictor, shape->small_predictor);
}

/* The second level is asked only when the first misses. */
static void miss(struct wm_machine *machine, uint64_t at, uint32_t bytes, uint32_t *events)
{
	machine->penalties += machine->shape.l2_cycles;
	for (uint32_t i = 0; i < machine->shape.others; i++)
		events[WM_HPP_OTHER_L2 + i] += wm_cache_access(&machine->other[i], at, bytes);
	if (!wm_cache_access(&machine->l2, at, bytes))
		return;
	events[WM_HPP_EVENT_L2]++;
	machine->penalties += machine->shape.memory_cycles - machine->shape.l2_cycles;
}

void wm_machine_fetch(struct wm_machine *machine, uint64_t at, uint32_t bytes, uint32_t *events)
{
	if (!wm_cache_access(&machine->l1i, at, bytes))
		return;
	events[WM_HPP_EVENT_L1I]++;
	miss(machine, at, bytes, events);
}

void wm_machine_data(struct wm_machine *machine, uint64_t at, uint32_t bytes, bool store, uint32_t *events)
{
	events[store ? WM_HPP_EVENT_STORES : WM_HPP_EVENT_LOADS]++;
	if (!wm_cache_access(&machine->l1d, at, bytes))
		return;
	events[WM_HPP_EVENT_L1D]++;
	miss(machine, at, bytes, events);
}

uint32_t wm_power_of_cycle(uint32_t cost, uint32_t accesses)
{
	return accesses == 1 ? 2 * cost : accesses * cost;
}

uint32_t wm_power_of_cache(const struct wm_cache_shape *shape)
{
	const uint64_t unit = (8 * 32 + 33 + 2) * 256;
	uint64_t sets = shape->bytes / shape->line / shape->ways, tag = 48;
	for (uint64_t size = shape->bytes / shape->ways; size > 1; size >>= 1)
		tag--;
	sets = sets > 256 ? 256 : sets;
	uint64_t cost = shape->ways * (8 * shape->line + tag + 2) * sets;
	return cost < unit ? 1 : (uint32_t)((cost + unit / 2) / unit);
}

/* n accesses, as evenly over the cycles as they go. */
static uint32_t apportion(uint32_t cost, uint32_t accesses, uint32_t cycles)
{
	uint32_t each = accesses / cycles, more = accesses % cycles;
	return more * wm_power_of_cycle(cost, each + 1) +
	       (each ? (cycles - more) * wm_power_of_cycle(cost, each) : 0);
}

static void add_power(const struct wm_machine *machine, uint32_t instructions, uint32_t *events)
{
	const struct wm_power *cost = &machine->shape.power;
	uint32_t data = events[WM_HPP_EVENT_LOADS] + events[WM_HPP_EVENT_STORES];
	uint32_t missed = events[WM_HPP_EVENT_L1I] + events[WM_HPP_EVENT_L1D];
	uint32_t below = missed * cost->l2 + events[WM_HPP_EVENT_L2] * cost->memory;
	uint32_t cycles = (instructions + machine->shape.width - 1) / machine->shape.width;
	events[WM_HPP_EVENT_POWER] = instructions * cost->icache + data * cost->dcache + below;
	cycles += cycles == 0;
	events[WM_HPP_EVENT_POWER_CYCLE] = apportion(cost->icache, instructions, cycles) +
				       apportion(cost->dcache, data, cycles) + 2 * below;
}

void wm_machine_block(struct wm_machine *machine, uint32_t instructions, uint32_t *events)
{
	uint64_t before = machine->cycles;
	machine->instructions += instructions;
	machine->cycles = machine->instructions / machine->shape.width + machine->penalties;
	events[WM_HPP_EVENT_INSTRUCTIONS] = instructions;
	events[WM_HPP_EVENT_CYCLES] = (uint32_t)(machine->cycles - before);
	add_power(machine, instructions, events);
}

void wm_machine_branch(struct wm_machine *machine, const struct wm_branch *branch, uint32_t *events)
{
	events[WM_HPP_EVENT_BRANCHES] = 1;
	events[WM_HPP_EVENT_CALLS] = branch->kind <= WM_BRANCH_CALL_INDIRECT;
	if (wm_predictor_branch(&machine->predictor, branch)) {
		events[WM_HPP_EVENT_MISPREDICTIONS]++;
		machine->penalties += machine->shape.misprediction_cycles;
	}
	wm_machine_block(machine, branch->instructions, events);
}
