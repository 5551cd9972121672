/* Records: what an instrumented module carries beside its code. */
#ifndef WM_LLVM_RECORD_H
#define WM_LLVM_RECORD_H

#include <llvm-c/Core.h>

#include "format/description.h"

/* The thread-local difference between a thread's counters and the static ones. */
LLVMValueRef wm_record_delta(LLVMModuleRef module);

/* The runtime's function that returns the delta of a thread that has none yet, and the one that
 * counts a key in a table. */
LLVMValueRef wm_record_attach(LLVMModuleRef module);
LLVMValueRef wm_record_count(LLVMModuleRef module);

/* The runtime's function that is told of a sentinel. */
LLVMValueRef wm_record_departure(LLVMModuleRef module);

/* The sentinels of the function with these counters, a byte for each, and for the runtime what they
 * belong to (format/sentinel.h). */
LLVMValueRef wm_record_armed(struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef counters,
	const bool *armed, uint32_t count);

/* A function of the runtime, declared in the module when it is first asked for. */
LLVMValueRef wm_record_runtime_function(LLVMModuleRef module, const char *name, LLVMTypeRef type);

/* The default profile name for the program this module will be part of. */
void wm_record_file_name(LLVMModuleRef module, const char *name);

/* A limit that the runtime asks for: a number that the linker takes from one of the modules. */
void wm_record_limit(LLVMModuleRef module, const char *name, uint64_t limit);

/* Address space of x86-64 code whose addresses are relative to the gs register. */
enum { WM_SEGMENT_SPACE = 256 };

/* The words in which all functions of the object sum events. */
LLVMValueRef wm_record_events(LLVMModuleRef module, unsigned space);

/* For the runtime: the words of the kinds. */
void wm_record_event_words(LLVMModuleRef module, const char *words);

/* Raises the module's numbers, by kind of event, of how far a running sum may be off. */
void wm_record_event_bounds(LLVMModuleRef module, const uint64_t *bound);

/* Makes the function's counters in the given address space, and its description; returns the
 * counters, sets the hash, and stores the description for wm_bridge_keep. The linker keeps or drops
 * both with the code that uses the counters. */
LLVMValueRef wm_record_function(struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef function,
	struct wm_function *described, unsigned space, LLVMValueRef *description);

#endif
