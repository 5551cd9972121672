/* The calls of a function: first the names of those called, each once, then the calls in the order
 * of blocks. */
#include "format/call_sites.h"

#include <stdlib.h>
#include <string.h>

#include "format/description.h"

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of the callees in order, the empty one of pointers included; returns how many. */
static uint32_t collect_names(
	struct wm_arena *arena, const struct wm_function *function, const char ***result)
{
	const char **names = wm_arena_alloc(arena, function->call_count, sizeof *names);
	uint32_t count = 0;
	for (uint32_t i = 0; i < function->call_count; i++)
		names[i] = function->calls[i].callee;
	qsort(names, function->call_count, sizeof *names, by_name);
	for (uint32_t i = 0; i < function->call_count; i++)
		if (!count || strcmp(names[count - 1], names[i]))
			names[count++] = names[i];
	*result = names;
	return count;
}

bool wm_call_sites_encode(struct wm_encoder *encoder, const struct wm_function *function)
{
	const char **names;
	uint32_t block = 0;
	if (!function->call_count)
		return false;
	uint32_t count = collect_names(encoder->arena, function, &names);
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++)
		wm_encode_text(encoder, names[i]);
	wm_encode_number(encoder, function->call_count);
	for (uint32_t i = 0; i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		const char **name = bsearch(&call->callee, names, count, sizeof *names, by_name);
		wm_encode_number(encoder, call->block - block);
		wm_encode_number(encoder, call->flags);
		wm_encode_number(encoder, (uint32_t)(name - names));
		wm_encode_number(encoder, call->scope);
		wm_encode_number(encoder, call->line);
		block = call->block;
	}
	return true;
}

static void get_call(struct wm_decoder *decoder, const struct wm_function *function,
	const char *const *names, uint32_t name_count, struct wm_call_site *call)
{
	call->block += wm_decode_below(
		decoder, function->block_count - call->block, "a call stands in no block");
	call->flags = wm_decode_below(decoder, WM_CALL_FLAG_LIMIT, "a call has unknown flags");
	uint32_t name = wm_decode_below(decoder, name_count, "a call names no callee");
	call->callee = decoder->failed ? "" : names[name];
	call->scope = wm_decode_below(decoder, function->scope_count, "a position names no scope");
	call->line = wm_decode_number(decoder);
}

void wm_call_sites_decode(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t name_count = wm_decode_count(decoder, 1);
	const char **names = wm_arena_alloc(decoder->arena, name_count, sizeof *names);
	for (uint32_t i = 0; i < name_count; i++)
		names[i] = wm_decode_text(decoder);
	uint32_t count = function->call_count = wm_decode_count(decoder, 5);
	struct wm_call_site *calls = wm_arena_alloc(decoder->arena, count, sizeof *calls);
	for (uint32_t i = 0; i < count; i++) {
		calls[i].block = i ? calls[i - 1].block : 0;
		get_call(decoder, function, names, name_count, &calls[i]);
	}
	function->calls = calls;
}
