/* The source records of a module, by key and by name, each with its graph. */
#ifndef WM_LLVM_SOURCE_TEXTS_H
#define WM_LLVM_SOURCE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "core/base/arena.h"
#include "format/source.h"

struct wm_text_graph {
	struct wm_source source;
	uint32_t *first;     /* by block: into successors; one more at the end */
	uint32_t *successor; /* vertices; EXIT is source.block_count */
	bool returns_twice;  /* control comes back from EXIT */
	bool may_vanish;     /* control can go through it without a call that lasts */
};

struct wm_texts {
	size_t count;
	struct wm_text_graph **by_key;
	struct wm_text_graph **by_name;
};

void wm_texts_read(struct wm_arena *arena, LLVMModuleRef module, struct wm_texts *texts);

/* NULL if there is none; with that name also if there are several. */
const struct wm_text_graph *wm_texts_with_key(const struct wm_texts *texts, uint64_t key);
const struct wm_text_graph *wm_texts_with_name(
	const struct wm_texts *texts, const char *name, size_t bytes);

#endif
