/* Stores: where this object's counts are kept. Slots are the store of every program; tables are
 * that of code that counts by key. Each store implements the same life cycle, and the runtime,
 * waymark.h and fork go through all stores that are linked in.
 *
 * A store is linked in only if instrumented code calls it. Each other than slots is an object of
 * its own in the archive (CMakeLists.txt), with an entry in the section of stores (store.c).
 */
#ifndef WM_RUNTIME_STORE_H
#define WM_RUNTIME_STORE_H

#include <stdint.h>

struct wm_slot;

/* All functions but needs_saving are called under the state's lock. Those that return an int return
 * 0, or -1 if something could not be done; then the rest is done all the same. */
struct wm_store {
	/* The runtime has started and has its first slot. Takes over what was counted before. */
	void (*start)(void);

	/* Whether some counts are not in the file yet. */
	int (*needs_saving)(void);

	/* Writes counts in memory to the file. */
	int (*save)(void);

	/* Takes off what was counted so far, by adding its opposite: no increment is lost. */
	int (*reset)(void);

	/* Lets threads count into memory that nobody reads, and back. */
	int (*pause)(void);
	int (*resume)(void);

	/* The file has another name now. What was counted stays in the old one, and is let go of;
	 * threads go on in the new one. */
	int (*move)(void);

	/* What was counted so far is the parent's. The child has one thread. */
	void (*start_in_child)(void);

	/* The library is unloaded: lets go of all but what other living threads count into. */
	void (*release)(void);

	/* The chunk that holds the sum of all counts, for waymark_write: how many units it takes,
	 * or 0 for none; and that chunk, written into that many zeroed units. More may be counted
	 * between the two calls. `library` is the number of the library's chunk in the image, 0 in
	 * a program. */
	uint64_t (*image_units)(void);
	int (*write_image)(void *to, uint64_t units, uint64_t library);

	/* The rest may be NULL. A fork is about to be made, not under the lock; it was made, in the
	 * parent. The slot of a dead thread goes to a new one, which has not started. */
	void (*before_fork)(void);
	void (*after_fork)(void);
	void (*renew)(struct wm_slot *slot);

	/* Likewise, not under the lock: the calling thread ends. */
	void (*leave)(void);

	/* Traces: whether all threads are to tell nothing; a number that the calling thread tells.
	 * Both return 0, or -1 where that is not possible. The second is not under the lock. */
	int (*set_quiet)(int quiet);
	int (*note)(uint64_t number);
};

/* Puts a store into the list. */
#define WM_STORE_ENTRY __attribute__((used, section("waymark_stores")))

/* For a function that counts: while the linker keeps the function, it keeps the store's entry.
 * Generates no code. */
#define WM_STORE_KEEP(entry) __asm__ volatile(".reloc .,R_X86_64_NONE," entry)

/* Each calls the function of that name of all stores that are linked in. */
void wm_stores_start(void);
int wm_stores_need_saving(void);
int wm_stores_save(void);
int wm_stores_reset(void);
int wm_stores_pause(void);
int wm_stores_resume(void);
int wm_stores_move(void);
void wm_stores_start_in_child(void);
void wm_stores_release(void);
void wm_stores_before_fork(void);
void wm_stores_after_fork(void);
void wm_stores_renew(struct wm_slot *slot);
void wm_stores_leave(void);

/* -1 if no store can. */
int wm_stores_set_quiet(int quiet);
int wm_stores_note(uint64_t number);

/* The units of the whole image; and that image, as it was measured last. */
uint64_t wm_stores_image_units(void);
int wm_stores_write_image(char *to, uint64_t library);

#endif
