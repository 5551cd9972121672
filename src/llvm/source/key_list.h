/* Lists of keys of source records that say something about all of them (format/source.h). */
#ifndef WM_LLVM_SOURCE_KEY_LIST_H
#define WM_LLVM_SOURCE_KEY_LIST_H

#include <stdint.h>

#include <llvm-c/Core.h>

#include "core/base/arena.h"

struct wm_key_list {
	struct wm_arena arena;
	size_t count, capacity;
	uint64_t *keys;
};

void wm_key_list_add(struct wm_key_list *list, const uint64_t *keys, size_t count);

/* The keys of all texts that probes in the function name. */
void wm_key_list_add_code(struct wm_key_list *list, LLVMValueRef function);

/* Writes the list into the module, with each key once, and ends it. Writes nothing for no keys. */
void wm_key_list_write(struct wm_key_list *list, LLVMModuleRef module, uint32_t magic);

/* A global that holds a record with this magic number. Equal ones of several units become one. */
LLVMValueRef wm_key_list_record(LLVMModuleRef module, const char *prefix, uint32_t magic,
	uint64_t key, const void *body, size_t bytes);

#endif
