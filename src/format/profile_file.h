/* The .wmk file: counters of one instrumented object (program or shared library), kept by build-id.
 *
 * One header page, then chunks of equal unit_bytes. Chunks 0 and 1 are two generations of the totals;
 * every further chunk belongs to one thread of a running (or dead) process, which counts straight
 * into it through a shared mapping, so nothing needs to happen when a thread or a process ends,
 * however it ends. A later run folds the chunks of dead processes into the totals: it writes totals
 * + chunk into the totals generation that is not current and then publishes both facts, "this
 * generation is current" and "that chunk is folded", with the one 8-byte store of `commit`. A crash
 * at any moment leaves either the old state or the new one.
 *
 * Profile = current totals + every chunk in use that `commit` does not name as folded, each counter
 * modulo 2^64: a reset is a chunk that holds what was counted so far, negated. Runs of chunks may
 * be tables of counts by key (format/table_cell.h); these are not folded but handed on to the next
 * process that needs one.
 * The runtime and the reader share this header and nothing else. All integers are little-endian.
 */
#ifndef WM_FORMAT_PROFILE_FILE_H
#define WM_FORMAT_PROFILE_FILE_H

#include <stdint.h>

#define WM_FILE_MAGIC "WAYMARK1"
#define WM_FILE_VERSION 3u
#define WM_FILE_HEADER_BYTES 4096u
#define WM_FILE_TOTALS_UNITS 2u
#define WM_BUILD_ID_BYTES 32u
#define WM_OBJECT_PATH_BYTES 3072u

struct wm_file_header {
	char magic[8];		/* WM_FILE_MAGIC, written last when a file is made */
	uint32_t version;	/* WM_FILE_VERSION */
	uint32_t header_bytes;	/* WM_FILE_HEADER_BYTES: offset of chunk 0 */
	uint64_t counter_bytes; /* size of the object's counters: a multiple of 8 */
	uint64_t unit_bytes;	/* distance of chunks: a multiple of 4096 */
	uint32_t build_id_bytes;
	uint32_t reserved;
	uint8_t build_id[WM_BUILD_ID_BYTES];
	char object_path[WM_OBJECT_PATH_BYTES]; /* absolute path of the object, NUL-terminated */
	uint64_t identity_checksum;		/* wm_file_identity_checksum: all fields above */
	uint64_t commit;			/* see WM_COMMIT_* below */
	uint64_t unit_count; /* chunks that the file has held; a shorter file is truncated */
	uint64_t turns; /* how often a process had the lock: those that wait see it go round */
};

/* commit: bit 0 the current totals chunk (0 or 1), bits 1 to 31 the chunk folded last (0: none). */
#define WM_COMMIT_TOTALS(commit) ((uint32_t)((commit) & 1u))
#define WM_COMMIT_FOLDED(commit) ((uint32_t)(((commit) >> 1) & 0x7fffffffu))
#define WM_COMMIT_MAKE(totals, folded) ((uint64_t)(totals) | ((uint64_t)(folded) << 1))

enum wm_chunk_state {
	WM_CHUNK_FREE = 0,
	WM_CHUNK_ACTIVE = 1,  /* its process may be counting into it */
	WM_CHUNK_RELEASED = 2 /* its process lives, perhaps, but has let go of it */
};

/* Bits of wm_chunk_header.status. */
enum wm_chunk_status {
	/* Threads counted in memory, because they could get no chunk of the file; what they counted
	 * is here only if the process ended orderly. */
	WM_STATUS_THREADS_IN_MEMORY = 1,
	/* Counts by key were lost, because there was no memory for a larger table. */
	WM_STATUS_COUNTS_LOST = 2
};

/* Starts every chunk, and every run of chunks that is a table; its counters or cells follow at
 * WM_CHUNK_HEADER_BYTES. */
struct wm_chunk_header {
	uint32_t state;		/* enum wm_chunk_state; totals chunks are never active */
	uint32_t process;	/* owner */
	uint64_t process_start; /* start time of the owner in clock ticks since boot; 0: unknown */
	uint64_t runs;		/* totals: runs folded so far; a run's first thread: 1; others: 0 */
	uint64_t pid_namespace; /* inode of the owner's process-id namespace; 0: unknown */
	uint32_t thread;	/* kernel's id of the thread that counts or counted here; 0: none */
	uint32_t ended;		/* 1: that thread ended where it meant to; else it was cut short */
	union {
		uint64_t cut_short; /* totals: folded chunks whose thread was cut short */
		uint64_t part;	    /* tables: see wm_table_part */
	};
	uint32_t status;   /* enum wm_chunk_status; totals: of all folded chunks together */
	uint32_t span;	   /* tables: chunks that it takes, this one included; others: 0 */
	uint64_t checksum; /* totals: wm_file_totals_hash and so on; thread chunks: 0; tables:
			      odd while it changes hands, then the next even number */
};

#define WM_CHUNK_HEADER_BYTES 64u

/* Stride for an object with so many bytes of counters. */
static inline uint64_t wm_file_unit_bytes(uint64_t counter_bytes)
{
	return (WM_CHUNK_HEADER_BYTES + counter_bytes + 4095u) & ~(uint64_t)4095u;
}

#define WM_HASH_START 0xcbf29ce484222325u
#define WM_HASH_PRIME 0x100000001b3u

/* FNV-1a over everything in the header before the checksum. */
static inline uint64_t wm_file_identity_checksum(const struct wm_file_header *header)
{
	const uint8_t *byte = (const uint8_t *)header;
	const uint8_t *end = (const uint8_t *)&header->identity_checksum;
	uint64_t hash = WM_HASH_START;
	while (byte < end)
		hash = (hash ^ *byte++) * WM_HASH_PRIME;
	return hash;
}

/* Fills in what says who and how large, the checksum last; build-id and path are in their places.
 */
static inline void wm_file_header_complete(struct wm_file_header *header, uint64_t counter_bytes)
{
	static const char magic[] = WM_FILE_MAGIC;
	for (uint32_t i = 0; i < sizeof(header->magic); i++)
		header->magic[i] = magic[i];
	header->version = WM_FILE_VERSION;
	header->header_bytes = WM_FILE_HEADER_BYTES;
	header->counter_bytes = counter_bytes;
	header->unit_bytes = wm_file_unit_bytes(counter_bytes);
	header->identity_checksum = wm_file_identity_checksum(header);
	header->unit_count = WM_FILE_TOTALS_UNITS;
}

/* FNV-1a by words of 8 bytes; goes on from the hash of the words before. */
static inline uint64_t wm_file_hash_words(uint64_t hash, const uint64_t *word, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		hash = (hash ^ word[i]) * WM_HASH_PRIME;
	return hash;
}

/* The start of a totals chunk's checksum, which goes on over its counters. Totals that were never
 * written are all zero, their checksum too. */
static inline uint64_t wm_file_totals_hash(const struct wm_chunk_header *totals)
{
	const uint64_t words[] = {totals->runs, totals->cut_short, totals->status};
	return wm_file_hash_words(WM_HASH_START, words, 3);
}

#endif
