/* A prior: what an earlier profile tells the plug-in, in one small file.
 *
 * `waymark cc` makes it from the profile and its program, once for all compilations that need it;
 * the plug-in only looks its functions up. Behind the head stands an index of fixed size, sorted by
 * the hashes of the functions' names. Then follows what concerns the whole profile, then a record
 * for each function: LEB128 numbers, as in descriptions. A failure is also something to tell: the
 * plug-in says it where it compiles.
 *
 * These files are a cache. No version is promised: a file of another one is made again.
 */
#ifndef WM_FORMAT_PRIOR_H
#define WM_FORMAT_PRIOR_H

#include "format/description.h"
#include "format/encoding.h"

#define WM_PRIOR_MAGIC "WMPRIOR1" /* the last character is the version */

struct wm_prior_head {
	uint8_t magic[8];
	uint64_t bytes;	   /* of the whole file, a multiple of 8 */
	uint64_t key;	   /* stands for all that the file was made from */
	uint64_t checksum; /* FNV-1a by words of 8 bytes over all that follows */
	uint64_t function_count;
};

struct wm_prior_entry {
	uint64_t name_hash; /* wm_description_hash of the name */
	uint32_t offset;    /* of the record, from the start of the file */
	uint32_t bytes;
};

enum wm_prior_flag {
	WM_PRIOR_PEELED = 1, /* WM_DESCRIPTION_PEELED */
	WM_PRIOR_BLOCKS = 2, /* counts of blocks, edges, paths are known */
	WM_PRIOR_EDGES = 4,
	WM_PRIOR_PATHS = 8,
	WM_PRIOR_IDLE = 16 /* all counts of blocks and edges are zero, and not written */
};

/* A path that ran to its end. */
struct wm_prior_path {
	uint64_t id;
	uint64_t count;
};

struct wm_prior_function {
	const char *name;
	const char *file; /* where it starts: that of scope 0 */
	uint32_t flags;	  /* enum wm_prior_flag */
	uint32_t block_count;
	uint32_t edge_count;
	uint64_t graph;	       /* wm_prior_graph_hash */
	uint32_t cfg_hash;     /* of blocks, edges and cuts, as in names of paths */
	const uint64_t *block; /* by block; NULL if not known */
	const uint64_t *edge;  /* by edge; NULL if not known */
	uint32_t path_count;
	const struct wm_prior_path *paths; /* rising by id; NULL if not known */
};

/* The hottest paths of one function. */
struct wm_prior_hot_function {
	const char *name;
	uint32_t cfg_hash;
	uint32_t id_count;
	uint64_t *ids;
};

/* The paths that hot:PERCENT% stands for. */
struct wm_prior_share {
	double percent;
	uint32_t function_count;
	const struct wm_prior_hot_function *functions;
};

/* What a profile tells, to be written. */
struct wm_prior_content {
	const char *failure;	 /* why nothing is known, or NULL */
	const char *without_hot; /* why no path is hot, or NULL */
	uint32_t share_count;
	const struct wm_prior_share *shares;
	uint32_t function_count;
	const struct wm_prior_function *functions;
};

/* The file's content in the arena; its functions stand there in the order of the content where they
 * share a name. */
const uint8_t *wm_prior_encode(struct wm_arena *arena, uint64_t key,
	const struct wm_prior_content *content, size_t *bytes);

/* A file that is read. Its bytes stay where they are. */
struct wm_prior {
	const uint8_t *bytes;
	size_t size;
	uint64_t key;
	const char *failure;
	const char *without_hot;
	uint32_t share_count;
	const struct wm_prior_share *shares;
	uint32_t function_count;
};

/* Checks the bytes, and decodes all but the functions into the arena. WM_ERROR_INPUT: they are
 * truncated, damaged, of another version or something else. */
int wm_prior_read(struct wm_arena *arena, const uint8_t *bytes, size_t size, struct wm_prior *prior,
	struct wm_error *error);

/* The same for a file, whose bytes come into the arena. WM_ERROR_SYSTEM: it cannot be read. */
int wm_prior_load(
	struct wm_arena *arena, const char *path, struct wm_prior *prior, struct wm_error *error);

/* A record that is read: first the function without its counts. */
struct wm_prior_record {
	struct wm_prior_function function;
	struct wm_decoder rest;
};

/* Where functions of this name start, if there are any. */
uint32_t wm_prior_first(const struct wm_prior *prior, const char *name);

/* Finds the next function of this name, from *number on, and moves *number behind it. False if
 * there is none, or its record is damaged. */
bool wm_prior_next(struct wm_arena *arena, const struct wm_prior *prior, const char *name,
	uint32_t *number, struct wm_prior_record *record);

/* Decodes the counts. Ask where the function's numbers of blocks and edges are known to be right:
 * so much memory is taken. False if the record is damaged. */
bool wm_prior_counts(struct wm_arena *arena, struct wm_prior_record *record);

/* Stands for the edges of the function, wherever its paths are cut. */
uint64_t wm_prior_graph_hash(const struct wm_function *function);

#endif
