/* What the text of a function says, before the optimiser: a source record.
 *
 * The plug-in writes one record per function with debug information, at the start of clang's
 * pipeline, into section WM_SOURCE_SECTION. Its graph is that of the text: one block for each
 * straight piece, EXIT behind the last. Code that is counted says which of these blocks it is a
 * copy of (struct wm_source_section in format/description.h), so counts of code become counts of
 * text. A record's key is the hash of its body: equal text from several units is one record.
 */
#ifndef WM_FORMAT_SOURCE_H
#define WM_FORMAT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

#define WM_SOURCE_SECTION "waymark_sources"
#define WM_SOURCE_MAGIC 0x31534d57u /* "WMS1" */

/* Code with that text that is not counted (left out by the user, or left alone): the body is a list
 * of keys, 8 bytes each. Counts of these records are lower bounds. */
#define WM_UNCOUNTED_MAGIC 0x31554d57u /* "WMU1" */

/* Functions that only compute, so that the optimiser may have deleted or shared calls of them, and
 * that are called by their names only, from text with records: the body is such a list, too. Where
 * they ran as often as they were called, no call was deleted. Functions that only compute, but may
 * be called in another way, belong to the uncounted. */
#define WM_PURE_MAGIC 0x31504d57u /* "WMP1" */

/* Records stand one after another, padded with zero bytes to 8; zero words between them mean
 * nothing. */
struct wm_source_head {
	uint32_t magic; /* WM_SOURCE_MAGIC, WM_UNCOUNTED_MAGIC or WM_PURE_MAGIC */
	uint32_t bytes; /* of the whole record, head included, padding excluded */
	uint64_t key;	/* of the body */
};

struct wm_source_place {
	uint32_t file; /* into files */
	uint32_t line;
	uint32_t column; /* 0: unknown */
};

/* Where in a block a line stands: control may end inside the calls of a block. */
enum wm_source_part {
	WM_SOURCE_BEFORE_CALLS, /* before the return of the first call that may not come back */
	WM_SOURCE_AMONG_CALLS,
	WM_SOURCE_BEHIND_CALLS /* behind the last one */
};

struct wm_source_line {
	uint32_t file;
	uint32_t line;
	enum wm_source_part part;
};

struct wm_source_block {
	uint32_t first_line; /* into lines */
	uint32_t line_count;
};

/* A count as a sum over blocks: those of `plus`, less those of `minus`. */
struct wm_source_term {
	uint32_t plus_count;
	uint32_t *plus; /* blocks; a block may stand there several times */
	uint32_t minus_count;
	uint32_t *minus;
};

/* A piece of text that runs as often as the term says, save pieces inside it, which have counts of
 * their own. As in clang's coverage mapping. */
enum wm_source_region_kind {
	WM_SOURCE_CODE,
	WM_SOURCE_GAP,	   /* between statements: counts for lines that have nothing else */
	WM_SOURCE_SKIPPED, /* left out by the preprocessor */
	WM_SOURCE_UNKNOWN  /* code, but no sum of blocks says how often it runs */
};

struct wm_source_region {
	enum wm_source_region_kind kind;
	struct wm_source_place first;
	struct wm_source_place last; /* in the same file; the column is that behind the text */
	struct wm_source_term term;
};

/* What an arm of a branch means in the text. */
enum wm_source_outcome {
	WM_SOURCE_NO,
	WM_SOURCE_YES,
	WM_SOURCE_CASE,	  /* a label of a switch; its place is that of the label */
	WM_SOURCE_DEFAULT /* of a switch, or behind it if it has none */
};

struct wm_source_arm {
	uint32_t target; /* block */
	enum wm_source_outcome outcome;
	struct wm_source_place place; /* of the label; line 0: none */
};

/* A block that ends with a decision, and the place of its condition. */
struct wm_source_branch {
	uint32_t block;
	struct wm_source_place condition;
	uint32_t arm_count; /* two: no and yes in any order; or the labels of a switch */
	struct wm_source_arm *arms;
};

/* A call in a block; indirect ones have the empty name. */
struct wm_source_call {
	uint32_t block;
	const char *callee; /* as the linker knows it */
};

struct wm_source {
	uint64_t key;
	const char *name; /* as the linker knows it */
	const char *text; /* as the debug information has it */
	uint32_t line;	  /* where the function starts, in files[0] */
	uint32_t file_count;
	const char **files;
	uint32_t block_count; /* vertex v < block_count is block v; vertex block_count is EXIT */
	struct wm_source_block *blocks;
	uint32_t line_count;
	struct wm_source_line *lines;
	uint32_t edge_count;
	uint32_t *edge_source; /* each edge once: parallel ones are one. From EXIT: control comes
				  back to a call that returns twice, such as setjmp */
	uint32_t *edge_target;
	bool *may_be_left; /* by block: control may end inside a call */
	bool *lasting; /* by block: it has a call that no optimiser takes out of the code; NULL: no
			  block has */
	uint32_t region_count;
	struct wm_source_region *regions;
	uint32_t branch_count;
	struct wm_source_branch *branches; /* in the order of their blocks, each block once */
	uint32_t call_count;
	struct wm_source_call *calls; /* in the order of their blocks */
};

/* Encodes the body into a byte string in the arena. */
const uint8_t *wm_source_encode(
	struct wm_arena *arena, const struct wm_source *source, size_t *bytes);

/* Decodes the body of a record. Input is untrusted. Sets source->key to the hash of the body. */
int wm_source_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_source *source, struct wm_error *error);

/* The branch of a block, or NULL. */
const struct wm_source_branch *wm_source_branch_of(const struct wm_source *source, uint32_t block);

#endif
