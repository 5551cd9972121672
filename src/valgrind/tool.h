/* The tool's parts. Valgrind runs one thread at a time, so nothing here is shared.
 *
 * Each basic block begins with a few instructions that store its number in a buffer; where caches
 * are modelled, addresses of data follow it. The sequence of numbers is the stream of retired
 * branches: where the next block starts is where this one's branch went. When the buffer is full,
 * or something else than a branch happens, it is drained into the model.
 */
#ifndef WM_VALGRIND_TOOL_H
#define WM_VALGRIND_TOOL_H

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "format/hpp_file.h"

/* One thing that a block does to the caches, in order. */
struct wm_block_access {
	uint8_t kind; /* enum wm_access */
	uint8_t bytes;
	uint16_t where; /* offset of the code, or the slot of the address */
};

enum wm_access { WM_ACCESS_FETCH, WM_ACCESS_LOAD, WM_ACCESS_STORE };

struct wm_block {
	struct wm_hpp_block info;
	uint64_t after; /* address behind it */
	uint64_t at;	/* of its last instruction */
	uint32_t first_access, accesses;
	uint16_t slots; /* words behind its number in the buffer */
	bool has_stack; /* the last is the stack pointer */
};

/* Options; main.c reads them. */
struct wm_tool_options {
	struct wm_profiler_options profiler;
	struct wm_machine_shape machine;
	Bool modelled;
	const HChar *file; /* where to, with %p for the process and %b for the program; or NULL */
	Bool children;	   /* those of the program have files, too */
	Int status;	   /* descriptor for what became of it, or -1 */
	Int stream;	   /* descriptor for all branches, or -1 */
};

extern struct wm_tool_options wm_tool;

/* blocks.c: what is known of the code. */
extern struct wm_block *wm_blocks;
extern uint32_t wm_block_count;
extern struct wm_block_access *wm_accesses;
extern uint8_t *wm_code;
extern uint32_t wm_code_bytes;

/* A new block, or the same as before: same place, same bytes. */
uint32_t wm_block_number(const struct wm_block *block, const uint8_t *code,
	const struct wm_block_access *accesses, uint32_t count);

/* instrument.c */
IRSB *wm_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
	const VexGuestExtents *extents, const VexArchInfo *arch, IRType word, IRType host_word);

/* drain.c: the buffer, and what it says. */
enum { WM_BUFFER_WORDS = 1 << 16, WM_MAX_SLOTS = 2048 };
extern uint64_t wm_buffer[WM_BUFFER_WORDS + WM_MAX_SLOTS + 8];
extern uint64_t *wm_cursor;
extern struct wm_profiler wm_profiler_state;
extern struct wm_machine wm_machine_state;

void wm_drain_start(void);
void wm_drain(void);
void wm_drain_thread(ThreadId thread);
void wm_drain_thread_exit(ThreadId thread);
void wm_drain_signal(ThreadId thread);
void wm_drain_sigreturn(ThreadId thread);
void wm_drain_finish(void);
void wm_drain_forked(void);

/* known_paths.c: loops that run along a path as they did before. Follows such a path that begins in
 * the block: makes *block the one behind it, and returns what stands behind that in the buffer; or
 * NULL. */
const uint64_t *wm_known_path_follow(uint32_t *block, const uint64_t *next, const uint64_t *end);

/* A path that began in the block `head` and ended where the last of these begins. */
void wm_known_path_learn(uint32_t head, const uint64_t *blocks, uint64_t count);

void wm_known_paths_forget(void);

/* objects.c: files whose code ran. */
void wm_objects_note(Addr address);
extern struct wm_hpp_object *wm_objects;
extern uint32_t wm_object_count;

/* Adds a text to those of the file; returns where it is. */
uint32_t wm_text_add(const HChar *text);
extern HChar *wm_texts;
extern uint32_t wm_text_bytes;

/* write.c: the .wmh file. */
void wm_write_start(void);
void wm_write(void);
void wm_write_forked(void);

/* Like realloc, for the model; zero bytes free. */
void *wm_tool_resize(void *old, size_t old_bytes, size_t bytes);

/* Room for one more element. */
void *wm_tool_grow(void *array, uint32_t count, uint32_t *capacity, size_t size);

#endif
