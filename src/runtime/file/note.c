#include "runtime/file/note.h"

#include <stdint.h>
#include <string.h>

static size_t padded(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static int find_in(struct wm_note *wanted, const uint8_t *note, const uint8_t *end)
{
	const size_t name_bytes = strlen(wanted->name) + 1;
	while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *head = (const void *)note;
		const uint8_t *name = note + sizeof(*head);
		const uint8_t *content = name + padded(head->n_namesz);
		if (head->n_type == wanted->type && head->n_namesz == name_bytes &&
			!memcmp(name, wanted->name, name_bytes)) {
			wanted->content = content;
			wanted->bytes = head->n_descsz;
			return 1;
		}
		note = content + padded(head->n_descsz);
	}
	return 0;
}

struct wm_note wm_note_find(
	const ElfW(Phdr) * segments, size_t count, uintptr_t base, const char *name, uint32_t type)
{
	struct wm_note wanted = {.name = name, .type = type};
	for (size_t i = 0; i < count; i++) {
		const uint8_t *start = (const uint8_t *)base + segments[i].p_vaddr;
		if (segments[i].p_type == PT_NOTE &&
			find_in(&wanted, start, start + segments[i].p_memsz))
			break;
	}
	return wanted;
}
