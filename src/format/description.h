/* The description of one instrumented function, as it travels in the binary.
 *
 * The plug-in writes one record per function into section WM_DESCRIPTION_SECTION; the function's
 * counters stand in section WM_COUNTERS_SECTION. A record starts with a fixed head, which the
 * linker fills in where it needs addresses. The body is a byte string of LEB128 numbers: name,
 * flags and number of counters, then sections up to its end. A section is a tag, a length, and that
 * many bytes; each mode of a build has a section of its own. Records are padded with zero bytes to
 * 8; readers skip zero words between them. */
#ifndef WM_FORMAT_DESCRIPTION_H
#define WM_FORMAT_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/counters/plan.h"
#include "format/call_sites.h"
#include "format/measure.h"
#include "format/pseudo_probes.h"

#define WM_DESCRIPTION_SECTION "waymark_descriptions"
#define WM_COUNTERS_SECTION "waymark_counters"
#define WM_DESCRIPTION_MAGIC 0x33444d57u /* "WMD3" */

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

/* What code executes each time that it runs. */
struct wm_work {
	uint32_t instructions; /* as of a block */
	uint32_t branches;     /* that choose: conditional ones, switches, indirect ones */
	uint32_t loads;	       /* those that also store included */
	uint32_t stores;       /* those that also load included */
};

enum wm_description_flag {
	WM_DESCRIPTION_EARLY = 1,     /* instrumented before optimisation (--at=early) */
	WM_DESCRIPTION_CHOSEN = 4,    /* the build counts some functions only (--only, --skip,
					 --prefer, --select); those without a description may be there
				       */
	WM_DESCRIPTION_RESIDUAL = 16, /* paths that tests took may be counted as others only */
	WM_DESCRIPTION_PEELED = 8 /* the code of loops was copied for their first iteration, where
				     that was worth it */
};

enum wm_edge_flag {
	WM_EDGE_UNCOUNTABLE = 1, /* no probe fits on this edge */
	WM_EDGE_ABANDONED = 2,	 /* to EXIT inside a call that did not come back; after a fork the
				    count also holds, negatively, the returns in the child */
	WM_EDGE_CUT = 4,	 /* a path ends with this edge, and the next starts behind it */
	WM_EDGE_SOFT = 8,	 /* a path goes on; routes are numbered from 0 again behind it */
	WM_EDGE_NO_RETURN = 16,	 /* to EXIT behind a call that never comes back, such as exit */
	WM_EDGE_RETURN = 32	 /* to EXIT by a return to the caller */
};

/* A counter of its own for a key that was known when the function was compiled. */
struct wm_known_key {
	uint32_t table;	  /* the counter that names the table in which the key is also counted */
	uint32_t counter; /* of the section */
	uint64_t key;
};

/* What each section of a mode starts with. Counters are numbered within their section. */
struct wm_section {
	struct wm_measure measure;
	uint32_t first_counter; /* among those of the function */
	uint32_t counter_count; /* of 8 bytes each */
};

/* A mark of WAYMARK_EVENT: each execution of the block is that many events of the name. */
struct wm_block_mark {
	uint32_t block;
	const char *name;
	uint32_t amount;
};

/* Marks whose numbers the code computes: their sum is in a counter of the function. */
struct wm_mark_sum {
	const char *name;
	uint32_t counter; /* among those of the function */
};

/* Edges or blocks: probe number k counts in counter number k. */
struct wm_counters_section {
	struct wm_section head;
	uint32_t probe_count;
	struct wm_probe *probes;
};

/* Paths by history counters (core/paths/path_plan.h). */
struct wm_paths_section {
	struct wm_section head;
	uint32_t max_array; /* a probe by history has a counter for each history, unless these are
			       more: then one, whose address names its table in the file */
	uint32_t probe_count;
	struct wm_probe *probes; /* in the order of their counters */
	uint32_t key_count;
	struct wm_known_key *keys;
};

/* Paths whose cost is one sum: those of a short loop without calls, which is read only where it is
 * left. */
struct wm_meter_group {
	uint32_t block; /* where the loop starts */
	uint32_t edge_count;
	uint32_t *edges; /* the paths of the group end with these */
};

/* What was read where the paths of the section `paths` end. Each meter has a word for each counter
 * of that section, then one for each group. */
struct wm_meters_section {
	struct wm_section head;
	uint32_t meter_count;
	const char **meters; /* their words */
	uint32_t group_count;
	struct wm_meter_group *groups;
};

/* The words of one meter. */
static inline uint32_t wm_meters_stride(const struct wm_meters_section *section)
{
	return section->head.counter_count / section->meter_count;
}

/* Paths by sums of increments: selected or preferred ones have a counter each. */
struct wm_sums_section {
	struct wm_section head;
	uint32_t lower_bits; /* preferred: bits of a key of the table below the path's number */
	uint32_t key_count;
	struct wm_known_key *keys; /* here a key is the number of a path */
};

/* Sentinels where tested paths are left (core/chosen/sentinels.h). Each counter names a table: of
 * the times at which its departure was first met, in seconds since 1970, with the number of
 * processes. */
struct wm_sentinels_section {
	struct wm_section head;
	uint64_t armed; /* hash of which sentinels are armed */
	uint32_t fresh_count;
	uint32_t *fresh; /* edges, besides cut ones, behind which routes are numbered from 0 */
	uint32_t probe_count;
	struct wm_probe *probes; /* in the order of their counters */
};

/* The oracle for paths: its one counter names the table of all sequences of blocks. */
struct wm_oracle_section {
	struct wm_section head;
};

/* Running sums of events: the counters are those of the object, which all its functions share; the
 * first is that of the first kind. */
struct wm_events_section {
	struct wm_section head;
	uint32_t kind_count;
	const char **kinds; /* their words */
	uint64_t *hashes;   /* of the weights of each kind; 0 for most */
};

/* What calls did in all, with everything that they called. Each call of the function has 2 +
 * kind_count counters: how often it was made, how often it came back, and by kind the events of its
 * thread in between. Of calls whose return the function does not see only the first counts. A
 * section of its own record, since running sums have the counters of the object. */
struct wm_inclusive_section {
	struct wm_section head;
	uint32_t kind_count;
	const char **kinds;  /* their words */
	const uint8_t *seen; /* by call: whether its return is seen */
};

/* What a trace tells of a call. */
enum wm_call_class {
	WM_CALL_SILENT,	     /* nothing happens in it that a trace tells */
	WM_CALL_OPEN,	     /* whatever was called may call back; its return is told */
	WM_CALL_KNOWN,	     /* neither its entry nor its return is told */
	WM_CALL_AGAIN,	     /* as open, but it may return again */
	WM_CALL_TAIL_OPEN,   /* the frame ends before the call */
	WM_CALL_TAIL_KNOWN,  /* likewise; the callee's entry is not told */
	WM_CALL_INVOKE,	     /* as open, and exceptions land in a block of the function */
	WM_CALL_LINKED,	     /* known, if the object has a function with an inner entry that has the
				callee's name; else open */
	WM_CALL_TAIL_LINKED, /* likewise, in tail position */
	WM_CALL_CLASS_LIMIT
};

/* Of the code of an edge: it is that of the target, which is written wherever control comes to it.
 */
#define WM_TRACE_AT_TARGET 0x1000000u

/* The order of execution (format/trace_graph.h); its one counter stands for the function. */
struct wm_trace_section {
	struct wm_section head;
	bool is_inner;	     /* other files may enter it without being told */
	uint8_t *call_class; /* by call of the function: enum wm_call_class */
	uint32_t *pad;	     /* by call: where exceptions land, of an invoke; otherwise 0 */
	uint64_t *callee;    /* by call: the hash of the callee, of a known one; 0: the function
				itself */
	uint32_t *code;	     /* by edge: what is written where control takes it */
};

/* What a place in the code says about the text that it was made from. */
enum wm_witness_kind {
	WM_WITNESS_RAN,	     /* the block of text ran once for each execution of the place */
	WM_WITNESS_MAY,	     /* once or not at all */
	WM_WITNESS_REPEATED, /* any number of times, or not at all; for the vertex behind the last
				block: each block of the text, and left or not */
	WM_WITNESS_AT_LEAST, /* once or more often */
	WM_WITNESS_LEFT,     /* control ended inside the block for each execution of the place */
	WM_WITNESS_MAY_LEFT  /* it may have ended there */
};

struct wm_witness {
	uint32_t place; /* a block, or block_count plus the number of an edge */
	enum wm_witness_kind kind;
	uint32_t source; /* into keys */
	uint32_t block;	 /* of that source record */
};

/* A decision of the text that a place in the code stands for. One in a block was made if control
 * left the block, but not inside a call. */
struct wm_stated_decision {
	uint32_t place;	 /* as of a witness */
	uint32_t source; /* into keys */
	uint32_t block;	 /* of that record, with a branch */
	uint32_t target; /* the block of the arm taken */
};

/* Which text the code was made from (format/source.h). Without it the function's text is not
 * known; a function may hold code of others that were inlined. */
struct wm_source_section {
	uint32_t key_count;
	uint64_t *keys; /* of source records; the first is the function's own */
	uint32_t witness_count;
	struct wm_witness *witnesses; /* in the order of their places */
	uint32_t outcome_count;
	struct wm_stated_decision *outcomes; /* in the order of their places; those of one place in
						the order in which they were decided */
};

/* Tags of sections. A reader skips the sections that it does not know and names them. */
enum wm_section_tag {
	WM_SECTION_GRAPH = 1,
	WM_SECTION_COPIES = 2,
	WM_SECTION_SOURCE = 3,
	WM_SECTION_CALLS = 4,
	WM_SECTION_CONTEXTS = 5,
	WM_SECTION_CODE = 6,
	WM_SECTION_WORK = 7,
	WM_SECTION_MARKS = 8,
	WM_SECTION_MARK_SUMS = 9,
	WM_SECTION_PSEUDO_PROBES = 12,
	WM_SECTION_POINTER_CALLS = 13,
	WM_SECTION_COUNTERS = 16,
	WM_SECTION_PATHS = 17,
	WM_SECTION_SUMS = 18,
	WM_SECTION_ORACLE = 19,
	WM_SECTION_EVENTS = 20,
	WM_SECTION_TRACE = 21,
	WM_SECTION_METERS = 22,
	WM_SECTION_SENTINELS = 23,
	WM_SECTION_INCLUSIVE = 24
};

struct wm_function {
	const char *name;	/* as the linker knows it */
	uint64_t hash;		/* of the whole body: CFG, plan, positions */
	uint32_t flags;		/* enum wm_description_flag */
	uint32_t counter_count; /* of all its sections, unknown ones included */

	/* The graph. */
	uint32_t block_count; /* vertex v < block_count is block v; vertex block_count is EXIT */
	struct wm_block *blocks;
	uint32_t position_count;
	struct wm_position *positions;
	uint32_t scope_count;
	struct wm_scope *scopes;
	uint32_t edge_count;
	uint32_t *edge_source; /* vertices; EXIT is block_count */
	uint32_t *edge_target;
	uint8_t *edge_flags; /* enum wm_edge_flag, or-ed */
	uint32_t *original;  /* by block: the one that it is a copy of, or itself; NULL without
				WM_DESCRIPTION_PEELED */

	uint64_t code;		    /* hash of what its instructions do; 0: not known */
	const struct wm_work *work; /* by position: of the block's code there; NULL: not known */
	const struct wm_work *work_elsewhere; /* by block: of its code at none of its positions;
						 together they are all of it */

	uint32_t mark_count;
	const struct wm_block_mark *marks; /* in the order of blocks */
	uint32_t mark_sum_count;
	const struct wm_mark_sum *mark_sums;

	const struct wm_source_section *source;	       /* NULL: not known */
	const struct wm_pseudo_section *pseudo_probes; /* NULL: the build has none */

	uint32_t call_count;
	const struct wm_call_site *calls; /* in the order of blocks and of the code */
	bool has_contexts;
	uint32_t context_counter; /* the counter whose table counts calls by context */

	/* What was counted: a section each, NULL where it was not. */
	const struct wm_counters_section *counters;
	const struct wm_paths_section *paths;
	const struct wm_sums_section *sums;
	const struct wm_oracle_section *oracle;
	const struct wm_events_section *events;
	const struct wm_trace_section *trace;
	const struct wm_meters_section *meters; /* with paths only */
	const struct wm_sentinels_section *sentinels;
	const struct wm_inclusive_section *inclusive;
	uint32_t unknown_tag; /* of the first section that this reader does not know, or 0 */
};

/* The head of the function's section with the tag of a mode; NULL if it has none. */
const struct wm_section *wm_function_section(
	const struct wm_function *function, enum wm_section_tag tag);

/* The head of its first section of a mode: what was counted; NULL if it has none. */
const struct wm_section *wm_function_measured(const struct wm_function *function);

static inline bool wm_function_has_paths(const struct wm_function *function)
{
	return function->paths || function->sums || function->oracle;
}

/* The graph: block 0 is the entry, EXIT comes behind the last block. */
struct wm_cfg *wm_function_graph(struct wm_arena *arena, const struct wm_function *function);

/* By edge, closing edge included: whether it has the flag. For the closing edge it is `closing`. */
bool *wm_function_edges_with(struct wm_arena *arena, const struct wm_function *function,
	enum wm_edge_flag flag, bool closing);

/* Encodes the body into a byte string in the arena. */
const uint8_t *wm_description_encode(
	struct wm_arena *arena, const struct wm_function *function, size_t *bytes);

/* Decodes the body of a record (what follows the head). Input is untrusted: every count is checked
 * against the bytes left, every index against its table. Sets function->hash. */
int wm_description_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_function *function, struct wm_error *error);

/* FNV-1a of a body, the value that stands in the head. */
uint64_t wm_description_hash(const uint8_t *body, size_t bytes);

#endif
