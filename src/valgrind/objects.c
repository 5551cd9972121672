/* Objects are noted when their code is first translated, so that plug-ins are known after they have
 * been unloaded. */
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>
#include "valgrind/tool.h"

#include <elf.h>

struct wm_hpp_object *wm_objects;
uint32_t wm_object_count;
HChar *wm_texts;
uint32_t wm_text_bytes;

static uint32_t object_capacity, text_capacity;
static uint64_t unknown_page; /* no object is there */

uint32_t wm_text_add(const HChar *text)
{
	uint32_t bytes = (uint32_t)VG_(strlen)(text) + 1, at = wm_text_bytes;
	while (wm_text_bytes + bytes > text_capacity) {
		text_capacity = text_capacity ? 2 * text_capacity : 4096;
		wm_texts = VG_(realloc)("waymark", wm_texts, text_capacity);
	}
	VG_(memcpy)(wm_texts + at, text, bytes);
	wm_text_bytes += bytes;
	return at;
}

static void find_in_notes(const uint8_t *notes, uint64_t bytes, struct wm_hpp_object *object)
{
	for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
		Elf64_Nhdr head;
		VG_(memcpy)(&head, notes + at, sizeof head);
		uint64_t name = at + sizeof head, id = name + ((head.n_namesz + 3ULL) & ~3ULL);
		uint64_t next = id + ((head.n_descsz + 3ULL) & ~3ULL);
		if (next > bytes)
			return;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
			head.n_descsz <= sizeof object->id) {
			object->id_bytes = head.n_descsz;
			VG_(memcpy)(object->id, notes + id, head.n_descsz);
			return;
		}
		at = next;
	}
}

/* The build-id, out of the file's first pages, where linkers put it. */
static void read_build_id(const HChar *name, struct wm_hpp_object *object)
{
	enum { FIRST = 1 << 14 };
	static uint8_t page[FIRST];
	Elf64_Ehdr head;
	Int file = VG_(fd_open)(name, VKI_O_RDONLY, 0);
	if (file < 0)
		return;
	Int got = VG_(read)(file, page, FIRST);
	VG_(close)(file);
	if (got < (Int)sizeof head || VG_(memcmp)(page, ELFMAG, SELFMAG) != 0)
		return;
	VG_(memcpy)(&head, page, sizeof head);
	for (unsigned i = 0; i < head.e_phnum && !object->id_bytes; i++) {
		Elf64_Phdr part;
		uint64_t at = head.e_phoff + i * sizeof part;
		if (at + sizeof part > (uint64_t)got)
			return;
		VG_(memcpy)(&part, page + at, sizeof part);
		if (part.p_type == PT_NOTE && part.p_offset < (uint64_t)got &&
			part.p_filesz <= (uint64_t)got - part.p_offset)
			find_in_notes(page + part.p_offset, part.p_filesz, object);
	}
}

static bool is_noted(uint64_t address)
{
	for (uint32_t i = wm_object_count; i > 0; i--)
		if (address >= wm_objects[i - 1].start && address < wm_objects[i - 1].end)
			return true;
	return false;
}

void wm_objects_note(Addr address)
{
	const DebugInfo *info;
	struct wm_hpp_object *object;
	if (address >> 12 == unknown_page || is_noted(address))
		return;
	info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), address);
	if (!info) {
		unknown_page = address >> 12;
		return;
	}
	wm_objects = wm_tool_grow(wm_objects, wm_object_count, &object_capacity, sizeof *wm_objects);
	object = &wm_objects[wm_object_count++];
	VG_(memset)(object, 0, sizeof *object);
	uint64_t start = VG_(DebugInfo_get_text_avma)(info);
	uint64_t end = start + VG_(DebugInfo_get_text_size)(info);
	uint64_t plt = VG_(DebugInfo_get_plt_avma)(info);
	/* The table of jumps is no part of the text, but code; so may be what lies around both. */
	if (plt && plt < start)
		start = plt;
	object->start = start < address ? start : address & ~0xfffULL;
	object->end = end > address ? end : (address | 0xfff) + 1;
	object->bias = (uint64_t)VG_(DebugInfo_get_text_bias)(info);
	object->name = wm_text_add(VG_(DebugInfo_get_filename)(info));
	read_build_id(VG_(DebugInfo_get_filename)(info), object);
}
