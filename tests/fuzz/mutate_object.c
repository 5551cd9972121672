/* Mutations of ELF files: mostly in place, since sections stand at fixed offsets; then the hashes
 * of most description records are made good, so that their bodies are read. */
#include <string.h>

#include "format/description.h"
#include "mutate.h"

enum { WINDOW = 64 };

static void repair_record(uint8_t *record, size_t left)
{
	struct wm_description_head head;
	memcpy(&head, record, sizeof head);
	if (head.magic != WM_DESCRIPTION_MAGIC || head.bytes < sizeof head || head.bytes > left)
		return;
	head.hash = wm_description_hash(record + sizeof head, head.bytes - sizeof head);
	memcpy(record, &head, sizeof head);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
	if (bytes == 0 || wm_mutate_random(&seed) % 8 == 0)
		bytes = LLVMFuzzerMutate(data, bytes, most);
	else
		wm_mutate_in_place(data, bytes, wm_mutate_random(&seed) % bytes, WINDOW);
	for (size_t at = 0; at + sizeof(struct wm_description_head) <= bytes; at += 8)
		if (wm_mutate_random(&seed) % 16)
			repair_record(data + at, bytes - at);
	return bytes;
}
