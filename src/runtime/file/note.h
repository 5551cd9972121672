/* Notes in the memory of an object. */
#ifndef WM_RUNTIME_NOTE_H
#define WM_RUNTIME_NOTE_H

#include <elf.h>
#include <link.h>
#include <stddef.h>

struct wm_note {
	const char *name;
	uint32_t type;
	uint32_t bytes; /* of its content */
	const uint8_t *content;
};

/* The note of that name and type in an object with these program headers; NULL content if it has
 * none. */
struct wm_note wm_note_find(
	const ElfW(Phdr) * segments, size_t count, uintptr_t base, const char *name, uint32_t type);

#endif
