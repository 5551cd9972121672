/* The list of the run's objects, in the program's copy of the runtime. A library takes itself off
 * before it is unloaded. */
#define _GNU_SOURCE
#include "runtime/run.h"

#include <string.h>
#include <sys/auxv.h>

#include "runtime/count/slots.h"
#include "runtime/file/failure.h"
#include "runtime/file/name.h"
#include "runtime/file/note.h"
#include "runtime/state.h"
#include "runtime/store.h"
#include "runtime/system.h"

static int is_counting(void)
{
	return wm_state.started && wm_state.first;
}

static int locked(int (*function)(void))
{
	uint64_t before;
	wm_state_lock(&before);
	int status = is_counting() ? function() : 0;
	wm_state_unlock(&before);
	return status;
}

static int save(void)
{
	return locked(wm_stores_save);
}

static int reset(void)
{
	return locked(wm_stores_reset);
}

static int pause_counting(void)
{
	return locked(wm_stores_pause);
}

static int resume(void)
{
	return locked(wm_stores_resume);
}

static int set_file(const char *pattern)
{
	uint64_t before;
	wm_state_lock(&before);
	wm_run_find(); /* a start must not find another name later */
	if (is_counting())
		wm_stores_save();
	memcpy(wm_state.pattern, pattern, strlen(pattern) + 1);
	int status = is_counting() ? wm_stores_move() : 0;
	wm_state_unlock(&before);
	return status;
}

/* The totals have their place even where nothing was counted yet. */
static uint64_t image_units(void)
{
	uint64_t before;
	wm_state_lock(&before);
	uint64_t units = is_counting() ? wm_stores_image_units() : WM_FILE_TOTALS_UNITS;
	wm_state_unlock(&before);
	return units;
}

static int write_image(char *to, uint64_t number)
{
	uint64_t before;
	wm_state_lock(&before);
	uint64_t library = wm_object_is_guest(&wm_state.object) ? number : 0;
	int status = is_counting() ? wm_stores_write_image(to, library) : 0;
	wm_state_unlock(&before);
	return status;
}

static const struct wm_own_object *find_object(char *pattern)
{
	uint64_t before;
	wm_state_lock(&before);
	int is_there = !wm_run_find() || wm_state.object.build_id_bytes;
	memcpy(pattern, wm_state.pattern, PATH_MAX);
	wm_state_unlock(&before);
	return is_there ? &wm_state.object : NULL;
}

static int is_in_file(void)
{
	uint64_t before;
	wm_state_lock(&before);
	int status = wm_slots_are_in_file();
	wm_state_unlock(&before);
	return status;
}

static int set_quiet(int quiet)
{
	uint64_t before;
	wm_state_lock(&before);
	int status = is_counting() ? wm_stores_set_quiet(quiet) : -1;
	wm_state_unlock(&before);
	return status;
}

static struct wm_member own = {.save = save,
	.reset = reset,
	.pause = pause_counting,
	.resume = resume,
	.set_file = set_file,
	.image_units = image_units,
	.write_image = write_image,
	.set_quiet = set_quiet};

__attribute__((used)) static struct wm_run wm_run_own = {
	.first = &own, .object = find_object, .is_in_file = is_in_file};

/* The note: where the run is, from there on. */
__asm__(".pushsection .note.waymark,\"a\",@note\n"
	"	.balign 4\n"
	"	.long 8, 8, 2\n"
	"	.asciz \"Waymark\"\n"
	"	.quad wm_run_own - .\n"
	".popsection\n");

_Static_assert(sizeof(WM_RUN_NOTE_NAME) == 8 && WM_RUN_NOTE_TYPE == 2, "the note has these");

static struct wm_run *current = &wm_run_own;

struct wm_run *wm_run_current(void)
{
	return current;
}

/* The list of objects that the loader shows is that of the caller's namespace, in which the program
 * need not be. */
static struct wm_run *run_of_program(void)
{
	const ElfW(Phdr) *segments = (const void *)getauxval(AT_PHDR);
	size_t count = segments ? getauxval(AT_PHNUM) : 0;
	int64_t distance;
	for (size_t i = 0; i < count; i++) {
		if (segments[i].p_type != PT_PHDR)
			continue;
		struct wm_note note =
			wm_note_find(segments, count, (uintptr_t)segments - segments[i].p_vaddr,
				WM_RUN_NOTE_NAME, WM_RUN_NOTE_TYPE);
		if (!note.content || note.bytes != sizeof(distance))
			return NULL;
		memcpy(&distance, note.content, sizeof(distance));
		return (struct wm_run *)((uintptr_t)note.content + (uintptr_t)distance);
	}
	return NULL;
}

static int find_file(void)
{
	struct wm_own_object *object = &wm_state.object;
	if (wm_object_find(object))
		return -1;
	struct wm_run *run = object->is_program ? NULL : run_of_program();
	const struct wm_own_object *host = run ? run->object(wm_state.pattern) : NULL;
	if (!host && !wm_name_pattern(object, wm_state.pattern))
		return 0;
	if (!host)
		wm_state.pattern[0] = 0;
	if (!host || !wm_state.pattern[0])
		return -1;
	object->host = host;
	current = run;
	return 0;
}

int wm_run_find(void)
{
	static int is_tried, status;
	if (!is_tried)
		status = find_file();
	is_tried = 1;
	return status;
}

void wm_run_lock(uint64_t *before)
{
	const uint64_t all = ~(uint64_t)0;
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, &all, before, sizeof(all));
	while (__atomic_exchange_n(&current->lock, 1, __ATOMIC_ACQUIRE))
		WM_CALL_0(sched_yield);
}

void wm_run_unlock(const uint64_t *before)
{
	__atomic_store_n(&current->lock, 0, __ATOMIC_RELEASE);
	WM_CALL_4(rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof(*before));
}

void wm_run_start_in_child(void)
{
	current->lock = 0;
}

enum joining { APART, JOINED, LEFT };

static enum joining joining;

/* The file may have got another name since this object found it. */
static void join(void)
{
	static char pattern[PATH_MAX];
	own.next = current->first->next;
	current->first->next = &own;
	current->object(pattern);
	if (strcmp(pattern, wm_state.pattern))
		set_file(pattern);
	if (current->paused)
		pause_counting();
}

void wm_run_join(void)
{
	uint64_t before;
	if (joining != APART || current == &wm_run_own || !wm_state.started)
		return;
	wm_run_lock(&before);
	if (joining == APART)
		join();
	joining = JOINED;
	wm_run_unlock(&before);
}

void wm_run_leave(void)
{
	uint64_t before;
	wm_run_lock(&before);
	for (struct wm_member *member = current->first; member->next; member = member->next) {
		if (member->next != &own)
			continue;
		member->next = own.next;
		break;
	}
	joining = LEFT;
	wm_run_unlock(&before);
}

/* Where the object that the file is of could not write it either, that one tells. */
void wm_run_tell_failure(int wrote_some)
{
	int is_guest = current != &wm_run_own;
	if (current->told || (is_guest && !current->is_in_file()))
		return;
	current->told = 1;
	wm_failure_at_end(wrote_some || is_guest);
}
