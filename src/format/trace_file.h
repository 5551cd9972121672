/* The .wmt file: what one object of one process executed, in the order of execution.
 *
 * A header page, then pieces of 64 KiB in groups: a page of entries, one for each piece of the
 * group, then the pieces. A piece belongs to a stream, the trace of one thread. Each stream has a
 * control page, *bits* and *calls*. A piece is zeroed space of the file before its entry says what
 * it is, and is written through a shared mapping, so a kill loses nothing. Bits that are all zero
 * have no piece.
 *
 * Bits: at each branch the code of the successor, of as many bits as tell the successors apart. The
 * likely successor has code 0, and zeros are not written. The position of a branch's bits is the
 * number of bits before it, which the code keeps as a running sum (core/counters/events.h).
 *
 * Calls: units of 16 bits. What the reader knows from the code is not told. */
#ifndef WM_FORMAT_TRACE_FILE_H
#define WM_FORMAT_TRACE_FILE_H

#include <stdint.h>

#include "format/profile_file.h"

#define WM_TRACE_MAGIC "WMTRACE1"
#define WM_TRACE_STREAM_MAGIC 0x5354524d41525457u

enum {
	WM_TRACE_PAGE_BYTES = 4096,
	WM_TRACE_PIECE_BYTES = 65536,
	WM_TRACE_GROUP_PIECES = 256, /* as many entries as a page holds */
	WM_TRACE_PIECE_BITS = WM_TRACE_PIECE_BYTES * 8,
	WM_TRACE_REGION_PIECES = 16384, /* of calls: behind so many, units start with a piece */
	WM_TRACE_MIN_RING = 4,
	WM_TRACE_MAX_RING = 320 /* pieces of each kind */
};

/* How far the running sum may be from the true one, anywhere in any function; and by how much a
 * handler of signals moves the sum when it starts and when it ends, so that its bits and those of
 * the code that it interrupted do not meet. */
enum { WM_TRACE_MAX_DISTANCE = 4096, WM_TRACE_GAP = 16384 };

enum wm_trace_piece_kind {
	WM_TRACE_FREE = 0,
	WM_TRACE_CONTROL = 1, /* a page: struct wm_trace_stream */
	WM_TRACE_CALLS = 2,
	WM_TRACE_BITS = 3,
	WM_TRACE_OVERWRITTEN = 4 /* of a ring: its next content is not there yet */
};

enum wm_trace_status {
	WM_TRACE_FULL = 1 /* no room, or the limit was reached: the streams end early */
};

struct wm_trace_header {
	char magic[8];
	uint32_t process;
	uint32_t status;   /* enum wm_trace_status */
	uint64_t counters; /* address of the object's counters in the process */
	uint64_t counter_count;
	uint64_t ring; /* streams keep that many last pieces of each kind; 0: all */
	uint32_t build_id_bytes;
	uint32_t reserved;
	uint8_t build_id[WM_BUILD_ID_BYTES];
	char path[WM_OBJECT_PATH_BYTES];
};

struct wm_trace_entry {
	uint32_t stream; /* numbered from 1 */
	uint32_t kind;
	uint64_t number; /* of the piece in its stream and kind, from 0 */
};

/* The control page. The first words are those that code works with. */
struct wm_trace_stream {
	uint64_t position; /* the running sum: bits so far */
	uint64_t bits_end; /* a write at or behind this position asks the runtime first */
	uint64_t bits;	   /* address at which the bit at position 0 would stand */
	uint64_t cursor;   /* address of the next unit of calls */
	uint64_t calls_end;
	uint64_t magic;
	uint32_t number;
	uint32_t thread;
	uint64_t calls; /* address at which the stream's first unit would stand */

	/* In a child of fork: where its parent's stream was. */
	uint32_t parent_process;
	uint32_t parent_stream;
	uint64_t parent_position;
	uint64_t parent_calls; /* in bytes */

	/* Of a ring: where the first unit of each piece of the calls starts, by its number modulo
	 * the ring's size. */
	uint16_t first_unit[WM_TRACE_MAX_RING];
	uint64_t lost[2]; /* calls and bits: pieces with smaller numbers are overwritten */

	/* Only for the runtime: regions of addresses, and what of them is mapped. */
	uint64_t bits_region, bits_first, bits_mapped;
	uint64_t calls_region, calls_mapped;
	uint64_t stopped; /* nothing is kept any more; this is the running sum then, plus 1 */
	uint32_t ring_piece[2][WM_TRACE_MAX_RING]; /* calls and bits: where they are in the file */
	uint64_t quiet_cursor;			   /* where units go on */
	uint32_t is_quiet;			   /* nothing is told at present */
	uint32_t wants_quiet; /* is to be so from the next unit on; others may set it */
};

/* Units of the calls. The lowest three bits say what a unit is. */
enum wm_trace_unit {
	WM_TRACE_NOTHING = 0,
	WM_TRACE_ENTRY = 1,  /* with the next unit: the low 32 bits of the address of the function's
				counters. A function is entered */
	WM_TRACE_RETURN = 2, /* the rest is the mark of a call, which came back */
	WM_TRACE_AGAIN = 3,  /* likewise, of a call that may come back again; the next two units:
				which frame */
	WM_TRACE_LANDING = 4,	 /* the next unit: a block; the next two: whose, as of ENTRY. An
				    exception landed there */
	WM_TRACE_SIGNAL = 5,	 /* the next four units: the running sum. A handler starts */
	WM_TRACE_SIGNAL_END = 6, /* likewise; it ends */
	WM_TRACE_RESTART = 7,	 /* the next unit: a block; the next two: whose; the next four: the
				    running sum. Control is at the block's end. In rings only */
	WM_TRACE_NOTE = 7 | 1 << 3,    /* the next four units: a number that the program told */
	WM_TRACE_STOPPED = 7 | 2 << 3, /* nothing: it stands where the program stopped the trace */
	WM_TRACE_STARTED = 7 | 3 << 3, /* what came since then was not told. Both in rings only */
	WM_TRACE_RESTART_AT_START = 0x8000, /* of a block: control is at its start, and the bits are
					       its own, as the target of a computed jump */
	WM_TRACE_MASK = 7,
	WM_TRACE_MARK_SHIFT = 3
};

/* Units that follow the first. In a ring, what is told of entries and returns stands for itself,
 * since what came before is overwritten: behind an entry comes the lower half of the running sum (2
 * units); behind a return whose it is (2 units), and that. */
static inline unsigned wm_trace_more_units(unsigned unit, uint64_t ring)
{
	static const unsigned char more[] = {0, 1, 0, 2, 3, 4, 4, 7};
	static const unsigned char more_in_ring[] = {0, 3, 4, 2, 3, 4, 4, 7};
	if (unit == WM_TRACE_NOTE)
		return 4;
	if (unit == WM_TRACE_STOPPED || unit == WM_TRACE_STARTED)
		return 0;
	return (ring ? more_in_ring : more)[unit & WM_TRACE_MASK];
}

/* What tells a call of a function from others, as far as 13 bits can. `name` is as the linker knows
 * the function; the call's number is that of its description. */
static inline uint16_t wm_trace_mark(const char *name, uint32_t call)
{
	uint32_t hash = 0x811c9dc5u ^ call * 0x9e3779b9u;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x01000193u;
	return (uint16_t)((hash ^ hash >> 15) & 0x1fffu);
}

static inline uint64_t wm_trace_group_bytes(void)
{
	return WM_TRACE_PAGE_BYTES + (uint64_t)WM_TRACE_GROUP_PIECES * WM_TRACE_PIECE_BYTES;
}

static inline uint64_t wm_trace_entry_offset(uint64_t piece)
{
	return WM_TRACE_PAGE_BYTES + piece / WM_TRACE_GROUP_PIECES * wm_trace_group_bytes() +
	       piece % WM_TRACE_GROUP_PIECES * sizeof(struct wm_trace_entry);
}

static inline uint64_t wm_trace_piece_offset(uint64_t piece)
{
	return 2 * WM_TRACE_PAGE_BYTES + piece / WM_TRACE_GROUP_PIECES * wm_trace_group_bytes() +
	       piece % WM_TRACE_GROUP_PIECES * (uint64_t)WM_TRACE_PIECE_BYTES;
}

#endif
