/* The description of one instrumented function, as it travels in the binary.
 *
 * The plug-in writes one record per function into section WM_DESCRIPTION_SECTION; the function's
 * counters stand in section WM_COUNTERS_SECTION. A record starts with a fixed head, which the
 * linker fills in where it needs addresses; the rest is a byte string of LEB128 numbers made and
 * read by the two functions below. Records are padded with zero bytes to 8; readers skip zero words
 * between them.
 */
#ifndef WM_FORMAT_DESCRIPTION_H
#define WM_FORMAT_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/plan.h"

#define WM_DESCRIPTION_SECTION "waymark_descriptions"
#define WM_COUNTERS_SECTION "waymark_counters"
#define WM_DESCRIPTION_MAGIC 0x32444d57u /* "WMD2" */

struct wm_description_head {
	uint32_t magic;	  /* WM_DESCRIPTION_MAGIC */
	uint32_t bytes;	  /* of the whole record, head included, padding excluded */
	int64_t counters; /* address of the counters minus address of this record */
	int64_t runtime;  /* the same for the runtime: makes every linker bring it in */
	uint64_t hash;	  /* of the body */
};

/* A place in the source where a function's code, or code inlined into it, comes from. Scope 0 is
 * the function itself; every other scope is one inlined call. */
struct wm_scope {
	const char *function; /* name of the inlined function; for scope 0 the function's own */
	const char *file;     /* path of the file that holds it; empty without debug information */
	uint32_t line;	      /* where the function starts; 0: unknown */
	uint32_t parent;      /* scope that holds the call; scope 0: 0 */
	uint32_t call_line;   /* line of the call in the parent; scope 0: 0 */
};

struct wm_position {
	uint32_t scope;
	uint32_t line;
};

struct wm_block {
	uint32_t instructions;	 /* in the compiler's intermediate form, probes excluded */
	uint32_t first_position; /* into positions */
	uint32_t position_count; /* (scope, line) pairs in code order, few of them twice */
};

enum wm_description_flag {
	WM_DESCRIPTION_EARLY = 1,  /* instrumented before optimisation (--at=early) */
	WM_DESCRIPTION_KEYS = 2,   /* some keys have counters of their own */
	WM_DESCRIPTION_CHOSEN = 4, /* the build counts some functions only (--only, --skip,
				      --prefer, --select); those without a description may be there
				    */
	WM_DESCRIPTION_PEELED = 8  /* the code of loops was copied for their first turn, where that
				      was worth it */
};

enum wm_edge_flag {
	WM_EDGE_UNCOUNTABLE = 1, /* no probe fits on this edge */
	WM_EDGE_ABANDONED = 2,	 /* to EXIT inside a call that did not come back; after a fork it
				    also holds, negatively, the returns in the child */
	WM_EDGE_CUT = 4,	 /* a path ends with this edge, and the next starts behind it */
	WM_EDGE_SOFT = 8,	 /* a path goes on, but its ways are numbered anew, in a context */
	WM_EDGE_NO_RETURN = 16	 /* to EXIT behind a call that never comes back, such as exit */
};

/* A counter of its own for a key that was known when the function was compiled. */
struct wm_known_key {
	uint32_t table;	  /* the counter that names the table in which the key is counted, too */
	uint32_t counter; /* of the function */
	uint64_t key;
};

struct wm_function {
	const char *name; /* as the linker knows it */
	uint64_t hash;	  /* of the whole body: CFG, plan, positions */
	uint32_t flags;	  /* enum wm_description_flag */
	enum wm_problem problem;
	uint32_t block_count; /* vertex v < block_count is block v; vertex block_count is EXIT */
	struct wm_block *blocks;
	uint32_t position_count;
	struct wm_position *positions;
	uint32_t scope_count;
	struct wm_scope *scopes;
	uint32_t edge_count;
	uint32_t *edge_source; /* vertices; EXIT is block_count */
	uint32_t *edge_target;
	uint8_t *edge_flags;	/* enum wm_edge_flag, or-ed */
	uint32_t counter_count; /* 8-byte counters of the function */
	uint32_t array_limit; /* a probe by history has a counter for each of so many histories; if
				 there are more, one, whose address names its table in the file.
				 With preferred paths: the lower bits of a key that are not the
				 path's number */
	uint32_t probe_count;
	struct wm_probe *probes; /* in the order of their counters */
	uint32_t key_count;	 /* 0 without WM_DESCRIPTION_KEYS */
	struct wm_known_key *keys;
	uint32_t *original; /* by block: the one that it is a copy of, or itself; NULL without
			       WM_DESCRIPTION_PEELED */
};

static inline bool wm_function_has_paths(const struct wm_function *function)
{
	return function->problem >= WM_PROBLEM_PATHS;
}

/* By edge, closing edge included: whether it has the flag; that one has what is said. */
bool *wm_function_edges_with(struct wm_arena *arena, const struct wm_function *function,
	enum wm_edge_flag flag, bool closing);

/* Encodes everything but name-independent addresses into a byte string in the arena. */
const uint8_t *wm_description_encode(
	struct wm_arena *arena, const struct wm_function *function, size_t *bytes);

/* Decodes the body of a record (what follows the head). Input is untrusted: every count is checked
 * against the bytes left, every index against its table. Sets function->hash. */
int wm_description_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_function *function, struct wm_error *error);

/* FNV-1a of a body, the value that stands in the head. */
uint64_t wm_description_hash(const uint8_t *body, size_t bytes);

#endif
