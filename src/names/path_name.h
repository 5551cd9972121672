/* Names of paths: FUNCTION#ID, such as parse#17, and FUNCTION:HASH:ID, such as parse:1f2e3d4c:17.
 *
 * The short one is what people read and type; it is of the build at hand. The long one means the
 * same path in every build in which the function has the same shape: HASH stands for its blocks,
 * edges and cuts, and for nothing else. Several IDs joined by `+` name paths that a report shows as
 * one, because they only run one after another.
 */
#ifndef WM_NAMES_PATH_NAME_H
#define WM_NAMES_PATH_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/paths/paths.h"
#include "format/description.h"

struct wm_path_name {
	const char *function; /* in one of the forms of text_name.h, or three dots and its end */
	uint32_t hash;	      /* wm_path_cfg_hash of the function */
	size_t id_count;      /* at least 1 */
	uint64_t *ids;
	bool any_shape; /* FUNCTION#ID: there is no hash */
};

/* Hash of the shape of the function: its blocks, its edges in order, which of them are cut and
 * which abandoned. Source positions, instructions and counters make no difference. */
uint32_t wm_path_cfg_hash(const struct wm_function *function);

/* What ids are numbers of: the paths of the function as its description cuts them. WM_ERROR_INPUT
 * if there are more than 2^63. */
int wm_path_numbering(struct wm_arena *arena, const struct wm_function *function,
	struct wm_paths *paths, struct wm_error *error);

/* Whether the name is of the function, whatever its shape: names it as a whole (text_name.h). A
 * name that a report had no room for starts with three dots; then the rest must be the end of the
 * function's, as the linker knows it or in a form of the source's. */
bool wm_path_name_is_of(const struct wm_path_name *name, const struct wm_function *function);

/* Whether the name may mean the function's paths: also its shape is the one that the name asks for.
 */
bool wm_path_name_fits(const struct wm_path_name *name, const struct wm_function *function);

/* The name as text, in the arena. */
char *wm_path_name_text(struct wm_arena *arena, const struct wm_path_name *name);

/* Reads a name; false if the text is none. */
bool wm_path_name_parse(struct wm_arena *arena, const char *text, struct wm_path_name *name);

#endif
