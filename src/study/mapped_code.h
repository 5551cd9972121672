/* Code of files that a program had mapped, by address: instructions, as far as a disassembler is
 * there. */
#ifndef WM_STUDY_MAPPED_CODE_H
#define WM_STUDY_MAPPED_CODE_H

#include "profile/hpp_profile.h"
#include "stream/perf_branches.h"

struct wm_mapped_file;

struct wm_mapped_code {
	struct wm_arena *arena;
	struct wm_mapped_file *file;
	size_t files, file_capacity;
	struct wm_mapped_instruction *known; /* by a hash of the address */
	size_t slots, used;
};

/* What the reader of branches asks. `map` is in use until wm_mapped_code_close. */
struct wm_stream_code wm_mapped_code_open(struct wm_mapped_code *map, struct wm_arena *arena);

/* Whether an instruction of some file could be decoded; otherwise why not, as a text. */
const char *wm_mapped_code_wrong(const struct wm_mapped_code *map);

/* Gives the profile its objects, so that places have names and lines. */
void wm_mapped_code_name(const struct wm_mapped_code *map, struct wm_hpp_profile *profile);

void wm_mapped_code_close(struct wm_mapped_code *map);

#endif
