/* The heap: cells in slabs, a free list, mark and sweep. */
#include "lisp.h"

#include <stdlib.h>
#include <string.h>

enum { SLAB_CELLS = 4096, BUCKETS = 256 };

struct slab {
	struct slab *next;
	struct value cells[SLAB_CELLS];
};

struct value nil = {.kind = KIND_NIL};
struct frame *heap_frames;
struct heap_statistics heap_statistics;

static struct slab *slabs;
static struct value *free_cells;
static struct value *symbols[BUCKETS];
static long allocated_since_collection;
static long live_cells;

static void give_back(struct value *cell)
{
	cell->kind = KIND_FREE;
	cell->next_free = free_cells;
	free_cells = cell;
}

static void add_slab(void)
{
	struct slab *slab = malloc(sizeof *slab);
	if (!slab)
		fail("out of memory", &nil);
	slab->next = slabs;
	slabs = slab;
	for (int index = SLAB_CELLS - 1; index >= 0; index--) {
		slab->cells[index].marked = false;
		give_back(&slab->cells[index]);
	}
}

static struct value *take_cell(enum kind kind)
{
	if (!free_cells)
		add_slab();
	struct value *cell = free_cells;
	free_cells = cell->next_free;
	cell->kind = kind;
	allocated_since_collection++;
	heap_statistics.allocated++;
	return cell;
}

struct value *make_number(long number)
{
	struct value *value = take_cell(KIND_NUMBER);
	value->number = number;
	return value;
}

struct value *make_pair(struct value *head, struct value *tail)
{
	struct value *value = take_cell(KIND_PAIR);
	value->pair.head = head;
	value->pair.tail = tail;
	return value;
}

struct value *make_closure(struct value *parameters, struct value *body, struct value *environment)
{
	struct value *value = take_cell(KIND_CLOSURE);
	value->closure.parameters = parameters;
	value->closure.body = body;
	value->closure.environment = environment;
	return value;
}

struct value *make_primitive(const char *name, struct value *(*apply)(struct value *arguments))
{
	struct value *value = take_cell(KIND_PRIMITIVE);
	value->primitive.name = name;
	value->primitive.apply = apply;
	return value;
}

static unsigned bucket_of(const char *name, size_t length)
{
	unsigned hash = 5381;
	for (size_t index = 0; index < length; index++)
		hash = hash * 33 + (unsigned char)name[index];
	return hash % BUCKETS;
}

struct value *intern(const char *name, size_t length)
{
	struct value **bucket = &symbols[bucket_of(name, length)];
	for (struct value *symbol = *bucket; symbol; symbol = symbol->symbol.next)
		if (strlen(symbol->symbol.name) == length &&
			memcmp(symbol->symbol.name, name, length) == 0)
			return symbol;
	struct value *symbol = take_cell(KIND_SYMBOL);
	symbol->symbol.name = strndup(name, length);
	if (!symbol->symbol.name)
		fail("out of memory", &nil);
	symbol->symbol.global = NULL;
	symbol->symbol.form = FORM_CALL;
	symbol->symbol.next = *bucket;
	*bucket = symbol;
	return symbol;
}

static void mark(struct value *value)
{
	while (value && !value->marked) {
		value->marked = true;
		switch (value->kind) {
		case KIND_PAIR:
			mark(value->pair.head);
			value = value->pair.tail;
			break;
		case KIND_CLOSURE:
			mark(value->closure.parameters);
			mark(value->closure.body);
			value = value->closure.environment;
			break;
		case KIND_SYMBOL:
			value = value->symbol.global;
			break;
		default:
			return;
		}
	}
}

static void mark_roots(void)
{
	for (int bucket = 0; bucket < BUCKETS; bucket++)
		for (struct value *symbol = symbols[bucket]; symbol; symbol = symbol->symbol.next)
			mark(symbol);
	for (struct frame *frame = heap_frames; frame; frame = frame->parent) {
		mark(frame->expression);
		mark(frame->environment);
		mark(frame->function);
		mark(frame->arguments);
	}
}

static void sweep(void)
{
	live_cells = 0;
	for (struct slab *slab = slabs; slab; slab = slab->next) {
		for (int index = 0; index < SLAB_CELLS; index++) {
			struct value *cell = &slab->cells[index];
			if (cell->marked) {
				cell->marked = false;
				live_cells++;
			} else if (cell->kind != KIND_FREE) {
				give_back(cell);
				heap_statistics.freed++;
			}
		}
	}
}

/* Collects when as much was allocated as had survived the last time, so that the work is amortised.
 */
void heap_collect_if_due(void)
{
	if (allocated_since_collection < SLAB_CELLS || allocated_since_collection < live_cells)
		return;
	mark_roots();
	sweep();
	nil.marked = false;
	allocated_since_collection = 0;
	heap_statistics.collections++;
}

void heap_free_all(void)
{
	for (int bucket = 0; bucket < BUCKETS; bucket++)
		for (struct value *symbol = symbols[bucket]; symbol; symbol = symbol->symbol.next)
			free(symbol->symbol.name);
	while (slabs) {
		struct slab *next = slabs->next;
		free(slabs);
		slabs = next;
	}
}
