#include "format/pseudo_probes.h"

#include "core/base/none.h"
#include "format/description.h"

bool wm_pseudo_probes_encode(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_pseudo_section *section = function->pseudo_probes;
	uint32_t block = 0;
	if (!section)
		return false;
	wm_encode_number(encoder, section->function_count);
	for (uint32_t i = 0; i < section->function_count; i++) {
		wm_encode_text(encoder, section->functions[i].name);
		wm_encode_long(encoder, section->functions[i].checksum);
	}
	wm_encode_number(encoder, section->frame_count);
	for (uint32_t i = 0; i < section->frame_count; i++) {
		wm_encode_number(encoder, section->frames[i].function);
		wm_encode_number(encoder, section->frames[i].parent);
		wm_encode_number(encoder, section->frames[i].call);
	}
	wm_encode_number(encoder, section->probe_count);
	for (uint32_t i = 0; i < section->probe_count; i++) {
		const struct wm_pseudo_probe *probe = &section->probes[i];
		wm_encode_number(encoder, probe->block - block);
		wm_encode_number(encoder, probe->frame);
		wm_encode_number(encoder, probe->number);
		wm_encode_number(encoder, probe->kind << 1 | probe->may_be_lost);
		wm_encode_number(encoder, probe->factor);
		block = probe->block;
	}
	return true;
}

static void get_functions(struct wm_decoder *decoder, struct wm_pseudo_section *section)
{
	uint32_t count = section->function_count = wm_decode_count(decoder, 3);
	section->functions = wm_arena_alloc(decoder->arena, count, sizeof *section->functions);
	for (uint32_t i = 0; i < count; i++) {
		section->functions[i].name = wm_decode_text(decoder);
		section->functions[i].checksum = wm_decode_long(decoder);
	}
}

static void get_frames(struct wm_decoder *decoder, struct wm_pseudo_section *section)
{
	uint32_t count = section->frame_count = wm_decode_count(decoder, 3);
	section->frames = wm_arena_alloc(decoder->arena, count, sizeof *section->frames);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_pseudo_frame *frame = &section->frames[i];
		frame->function = wm_decode_below(decoder, section->function_count,
			"a frame of pseudo probes has no function");
		frame->parent = wm_decode_below(
			decoder, i ? i : 1, "a frame of pseudo probes has no parent");
		frame->call = wm_decode_number(decoder);
	}
}

static void get_probes(struct wm_decoder *decoder, const struct wm_function *function,
	struct wm_pseudo_section *section)
{
	uint32_t block = 0, count = section->probe_count = wm_decode_count(decoder, 5);
	section->probes = wm_arena_alloc(decoder->arena, count, sizeof *section->probes);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_pseudo_probe *probe = &section->probes[i];
		probe->block = block += wm_decode_below(decoder, function->block_count - block,
			"a pseudo probe stands in no block");
		probe->frame = wm_decode_below(
			decoder, section->frame_count, "a pseudo probe has no frame");
		probe->number = wm_decode_number(decoder);
		uint32_t kind = wm_decode_below(
			decoder, WM_PSEUDO_KIND_LIMIT << 1, "a pseudo probe is of an unknown kind");
		probe->kind = kind >> 1;
		probe->may_be_lost = kind & 1;
		probe->factor = wm_decode_number(decoder);
		probe->call = WM_NONE;
	}
}

void wm_pseudo_probes_decode(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_pseudo_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	get_functions(decoder, section);
	get_frames(decoder, section);
	get_probes(decoder, function, section);
	if (!section->frame_count)
		wm_decode_fail(decoder, "its pseudo probes have no frame");
	function->pseudo_probes = section;
}

bool wm_pointer_calls_encode(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_pseudo_section *section = function->pseudo_probes;
	bool has_calls = false;
	for (uint32_t i = 0; section && i < section->probe_count; i++)
		has_calls |= section->probes[i].kind == WM_PSEUDO_POINTER_CALL;
	for (uint32_t i = 0; has_calls && i < section->probe_count; i++)
		if (section->probes[i].kind == WM_PSEUDO_POINTER_CALL)
			wm_encode_number(encoder, section->probes[i].call + 1); /* none is 0 */
	return has_calls;
}

/* Comes behind the probes, and the calls. */
void wm_pointer_calls_decode(struct wm_decoder *decoder, struct wm_function *function)
{
	const struct wm_pseudo_section *section = function->pseudo_probes;
	if (!section) {
		wm_decode_fail(decoder, "it has calls of pseudo probes without these");
		return;
	}
	for (uint32_t i = 0; i < section->probe_count; i++)
		if (section->probes[i].kind == WM_PSEUDO_POINTER_CALL)
			section->probes[i].call =
				wm_decode_below(decoder, (uint64_t)function->call_count + 1,
					"a pseudo probe belongs to no call") -
				1;
}
