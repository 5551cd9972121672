/* The .wmk file: the counters of a program and of the instrumented libraries that it loads, or of a
 * library in a program that is not instrumented. Kept by the build-id of that object, the file's.
 *
 * One header page, then units of equal size. A chunk takes one unit or several and starts with a
 * head, which says what kind of data it holds; a reader skips a chunk of a kind that it does not
 * know. Units 0 and 1 are two generations of the totals. Each chunk of counters belongs to one
 * thread of a running (or dead) process, which counts straight into it through a shared mapping, so
 * nothing needs to happen when a thread or a process ends, however it ends. A later run folds the
 * chunks of dead processes into the totals: it writes totals + chunk into the totals generation
 * that is not current and then publishes both facts, "this generation is current" and "that chunk
 * is folded", with the one 8-byte store of `commit`. A crash at any moment leaves either the old
 * state or the new one.
 *
 * Profile = current totals + every chunk of counters that `commit` does not name as folded, each
 * counter modulo 2^64: a reset is a chunk that holds what was counted so far, negated. Tables hold
 * counts by key (format/table_cell.h); these are not folded but handed on to the next process that
 * needs one.
 *
 * A library that counts into the file of its program has a chunk that is to it what header and
 * totals are to the program, and its own kinds of counters and tables.
 *
 * Waymark reads every version from 4 on for ever. A new kind needs no new version.
 * The runtime and the reader share this header and nothing else. All integers are little-endian.
 */
#ifndef WM_FORMAT_PROFILE_FILE_H
#define WM_FORMAT_PROFILE_FILE_H

#include <stdint.h>

#define WM_FILE_MAGIC "WAYMARK1"
#define WM_FILE_VERSION 4u
#define WM_FILE_HEADER_BYTES 4096u
#define WM_FILE_TOTALS_UNITS 2u /* units 0 and 1, one for each generation */
#define WM_BUILD_ID_BYTES 32u
#define WM_OBJECT_PATH_BYTES 3072u

struct wm_file_header {
	char magic[8];		/* WM_FILE_MAGIC, written last when a file is made */
	uint32_t version;	/* WM_FILE_VERSION */
	uint32_t header_bytes;	/* WM_FILE_HEADER_BYTES: offset of unit 0 */
	uint64_t counter_bytes; /* size of the object's counters: a multiple of 8 */
	uint64_t unit_bytes;	/* size of a unit: a multiple of 4096 */
	uint32_t build_id_bytes;
	uint32_t reserved;
	uint8_t build_id[WM_BUILD_ID_BYTES];
	char object_path[WM_OBJECT_PATH_BYTES]; /* absolute path of the object, NUL-terminated */
	uint64_t identity_checksum;		/* wm_file_identity_checksum: all fields above */
	uint64_t commit;			/* see WM_COMMIT_* below */
	uint64_t unit_count; /* units of all chunks; a shorter file is truncated */
	uint64_t lock_count; /* how often a process has locked the file: waiting processes see by it
				that the lock moves from one process to the next */
};

/* commit: bit 0 the current totals (unit 0 or 1), bits 1 to 31 the chunk folded last (0: none). */
#define WM_COMMIT_TOTALS(commit) ((uint32_t)((commit) & 1u))
#define WM_COMMIT_FOLDED(commit) ((uint32_t)(((commit) >> 1) & 0x7fffffffu))
#define WM_COMMIT_MAKE(totals, folded) ((uint64_t)(totals) | ((uint64_t)(folded) << 1))

/* What a chunk holds. Other kinds are those of a later Waymark; an earlier one does not change such
 * a chunk.
 */
enum wm_chunk_kind {
	WM_CHUNK_FREE = 0,	       /* nothing: any process may take the chunk */
	WM_CHUNK_TOTALS = 1,	       /* the counters of folded chunks; only in units 0 and 1 */
	WM_CHUNK_COUNTERS = 2,	       /* the counters of one thread; takes one unit */
	WM_CHUNK_TABLE = 3,	       /* counts by key: format/table_cell.h */
	WM_CHUNK_LIBRARY = 4,	       /* a library: struct wm_library_header, and its totals */
	WM_CHUNK_LIBRARY_COUNTERS = 5, /* the counters of one thread of a library */
	WM_CHUNK_LIBRARY_TABLE = 6,    /* a library's counts by key */
	WM_CHUNK_KEPT = 7,	       /* what readers need of an object: struct wm_packed_header */
	WM_CHUNK_TEXT = 8,	       /* a source file: struct wm_packed_header */
	WM_CHUNK_KIND_LIMIT = 256
};

/* Whether a process may be counting into a chunk of counters, or into a table. */
enum wm_chunk_state {
	WM_CHUNK_UNOWNED = 0, /* in totals and free chunks only */
	WM_CHUNK_ACTIVE = 1,  /* its process may be counting into it */
	WM_CHUNK_RELEASED = 2 /* its process lives, perhaps, but has let go of it */
};

/* Bits of wm_chunk_header.status. */
enum wm_chunk_status {
	/* Threads counted in memory, because they could get no chunk of the file; what they counted
	 * is here only if the process ended orderly. */
	WM_STATUS_THREADS_IN_MEMORY = 1,
	/* Counts by key were lost, because there was no memory for a larger table. */
	WM_STATUS_COUNTS_LOST = 2,
	/* A process made a child that goes on with its calls (fork): some come back in both. */
	WM_STATUS_FORKED = 4
};

/* Starts every chunk; its counters or cells follow at WM_CHUNK_HEADER_BYTES. `kind` and `span` are
 * the same in every kind; a field that a kind does not have is 0 in it. Totals that were never
 * written are all zero, their kind too. */
struct wm_chunk_header {
	uint8_t kind;	   /* enum wm_chunk_kind: written last when a process takes the chunk */
	uint8_t state;	   /* enum wm_chunk_state */
	uint8_t ended;	   /* counters: 1 if the thread ended as intended; else it was cut short, or
			      still runs; tables: 1 */
	uint8_t part_log2; /* tables: see wm_table_part */
	uint32_t span;	   /* units that the chunk takes; a free chunk's 0 means 1 */
	uint32_t process;  /* counters, tables: owner */
	uint32_t thread;   /* counters: the kernel's id of the thread that counts, or counted
			      last, here; 0: none */
	uint64_t process_start; /* when the owner started, in clock ticks since boot; 0: unknown */
	uint64_t pid_namespace; /* inode of the owner's process-id namespace; 0: unknown */
	uint64_t runs;		/* totals: runs folded; counters: 1 for a run's first thread */
	uint64_t cut_short;	/* totals: folded chunks whose thread was cut short */
	uint32_t status;	/* enum wm_chunk_status; totals: of all folded chunks together */
	uint32_t handovers;	/* tables: odd while the table changes hands, then the next even
				   number; counters: threads that counted here before `thread` */
	union {
		uint64_t checksum; /* totals: wm_file_totals_hash and so on */
		uint64_t library;  /* a library's counters, tables: the number of its chunk */
	};
};

/* How many units the chunk takes, whatever its kind. */
static inline uint64_t wm_chunk_span(const struct wm_chunk_header *chunk)
{
	return chunk->span ? chunk->span : 1;
}

#define WM_CHUNK_HEADER_BYTES 64u

/* The size of a unit, in which the head and all counters of an object have room. */
static inline uint64_t wm_file_unit_bytes(uint64_t counter_bytes)
{
	return (WM_CHUNK_HEADER_BYTES + counter_bytes + 4095u) & ~(uint64_t)4095u;
}

/* Behind the head of a library's chunk. Its two totals follow at WM_LIBRARY_TOTALS; both are as
 * long as a unit of a file of its own would be. */
struct wm_library_header {
	uint64_t counter_bytes; /* size of the library's counters: a multiple of 8 */
	uint32_t build_id_bytes;
	uint32_t reserved;
	uint8_t build_id[WM_BUILD_ID_BYTES];
	char object_path[WM_OBJECT_PATH_BYTES]; /* as that of the file */
	uint64_t identity_checksum;		/* wm_library_identity_checksum: all fields above */
	uint64_t commit;			/* as that of the file: WM_COMMIT_* */
};

#define WM_LIBRARY_TOTALS 4096u

/* Behind the head of a chunk that was packed; the content follows. No program makes or changes such
 * a chunk. */
struct wm_packed_header {
	uint64_t bytes;	   /* of the content */
	uint64_t checksum; /* FNV-1a of the content */
};

#define WM_PACKED_CONTENT (WM_CHUNK_HEADER_BYTES + 16u)

/* The size of a library's chunk. */
static inline uint64_t wm_library_bytes(uint64_t counter_bytes)
{
	return WM_LIBRARY_TOTALS + WM_FILE_TOTALS_UNITS * wm_file_unit_bytes(counter_bytes);
}

/* How many units of a file that many bytes take. */
static inline uint64_t wm_file_span(uint64_t unit_bytes, uint64_t bytes)
{
	return (bytes + unit_bytes - 1) / unit_bytes;
}

#define WM_HASH_START 0xcbf29ce484222325u
#define WM_HASH_PRIME 0x100000001b3u

/* FNV-1a. */
static inline uint64_t wm_file_hash_bytes(const void *bytes, const void *end)
{
	uint64_t hash = WM_HASH_START;
	for (const uint8_t *byte = bytes; byte < (const uint8_t *)end; byte++)
		hash = (hash ^ *byte) * WM_HASH_PRIME;
	return hash;
}

/* Over everything in the header before the checksum. */
static inline uint64_t wm_file_identity_checksum(const struct wm_file_header *header)
{
	return wm_file_hash_bytes(header, &header->identity_checksum);
}

static inline uint64_t wm_library_identity_checksum(const struct wm_library_header *library)
{
	return wm_file_hash_bytes(library, &library->identity_checksum);
}

/* Fills in magic, version, sizes and the identity checksum; the caller has set build-id and path.
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

/* FNV-1a by words of 8 bytes; continues the hash of the words before. */
static inline uint64_t wm_file_hash_words(uint64_t hash, const uint64_t *word, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		hash = (hash ^ word[i]) * WM_HASH_PRIME;
	return hash;
}

/* The checksum of totals starts with these fields and continues over the counters. */
static inline uint64_t wm_file_totals_hash(const struct wm_chunk_header *totals)
{
	const uint64_t words[] = {totals->runs, totals->cut_short, totals->status};
	return wm_file_hash_words(WM_HASH_START, words, 3);
}

#endif
