/* Mutations of .wmk files: fields change in place, since chunks stand at fixed distances; whole
 * units come and go; then most checksums are made good, so that what lies behind them is reached.
 */
#include <string.h>

#include "format/profile_file.h"
#include "mutate.h"

struct region {
	size_t start;
	size_t bytes;
};

/* The fields of the header that are worth changing, without most of the path; then a chunk's. */
static struct region choose_region(size_t bytes, unsigned *seed)
{
	static const struct region header[] = {
		{0, offsetof(struct wm_file_header, object_path) + 16},
		{offsetof(struct wm_file_header, counter_bytes), 16},
		{offsetof(struct wm_file_header, commit), 16},
	};
	size_t units = (bytes - WM_FILE_HEADER_BYTES) / 4096;
	unsigned choice = wm_mutate_random(seed) % 6;
	if (choice < 3 || units == 0)
		return header[choice % 3];
	size_t start = WM_FILE_HEADER_BYTES + wm_mutate_random(seed) % units * 4096;
	if (choice == 4 && wm_mutate_random(seed) % 2) /* another kind, state or span */
		return (struct region){start, offsetof(struct wm_chunk_header, process)};
	return (struct region){start, choice == 5 ? 256 : WM_CHUNK_HEADER_BYTES};
}

static size_t change_unit_count(uint8_t *data, size_t bytes, size_t most, unsigned *seed)
{
	if (wm_mutate_random(seed) % 2 && bytes >= 2 * 4096 + WM_FILE_HEADER_BYTES)
		return bytes - 4096;
	if (bytes + 4096 > most)
		return bytes;
	memcpy(data + bytes, data + bytes - 4096, 4096);
	return bytes + 4096;
}

static void repair_header(uint8_t *data, size_t bytes, unsigned *seed)
{
	struct wm_file_header header;
	memcpy(&header, data, sizeof header);
	memcpy(header.magic, WM_FILE_MAGIC, sizeof header.magic);
	header.version = WM_FILE_VERSION;
	header.header_bytes = WM_FILE_HEADER_BYTES;
	if (wm_mutate_random(seed) % 4)
		header.counter_bytes = header.counter_bytes % bytes & ~(uint64_t)7;
	if (wm_mutate_random(seed) % 4)
		header.unit_bytes = wm_file_unit_bytes(header.counter_bytes);
	if (wm_mutate_random(seed) % 4 && header.unit_bytes)
		header.unit_count = (bytes - WM_FILE_HEADER_BYTES) / header.unit_bytes;
	header.identity_checksum = wm_file_identity_checksum(&header);
	memcpy(data, &header, sizeof header);
}

static void repair_totals(uint8_t *data, size_t bytes, uint32_t index)
{
	struct wm_file_header header;
	struct wm_chunk_header totals;
	memcpy(&header, data, sizeof header);
	uint64_t stride = header.unit_bytes, count = header.counter_bytes / 8;
	if (count > bytes / 8 || stride > bytes || stride != wm_file_unit_bytes(count * 8))
		return;
	uint64_t start = WM_FILE_HEADER_BYTES + index * stride;
	if (start + stride > bytes)
		return;
	memcpy(&totals, data + start, sizeof totals);
	totals.checksum = wm_file_totals_hash(&totals);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t word;
		memcpy(&word, data + start + WM_CHUNK_HEADER_BYTES + i * 8, sizeof word);
		totals.checksum = wm_file_hash_words(totals.checksum, &word, 1);
	}
	memcpy(data + start, &totals, sizeof totals);
}

/* Makes the checksum of what may be a library's chunk good. */
static void repair_library(uint8_t *data, size_t bytes, unsigned *seed)
{
	struct wm_library_header library;
	size_t units = (bytes - WM_FILE_HEADER_BYTES) / 4096;
	for (size_t i = WM_FILE_TOTALS_UNITS; i < units; i++) {
		uint8_t *chunk = data + WM_FILE_HEADER_BYTES + i * 4096;
		if (chunk[0] != WM_CHUNK_LIBRARY || wm_mutate_random(seed) % 8 == 0)
			continue;
		memcpy(&library, chunk + WM_CHUNK_HEADER_BYTES, sizeof library);
		library.identity_checksum = wm_library_identity_checksum(&library);
		memcpy(chunk + WM_CHUNK_HEADER_BYTES, &library, sizeof library);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
	if (bytes < WM_FILE_HEADER_BYTES || wm_mutate_random(&seed) % 16 == 0)
		return LLVMFuzzerMutate(data, bytes, most);
	if (wm_mutate_random(&seed) % 8 == 0) {
		bytes = change_unit_count(data, bytes, most, &seed);
	} else {
		struct region region = choose_region(bytes, &seed);
		wm_mutate_in_place(data, bytes, region.start, region.bytes);
	}
	if (wm_mutate_random(&seed) % 8)
		repair_header(data, bytes, &seed);
	for (uint32_t index = 0; index < WM_FILE_TOTALS_UNITS; index++)
		if (wm_mutate_random(&seed) % 8)
			repair_totals(data, bytes, index);
	repair_library(data, bytes, &seed);
	return bytes;
}
