/* Steering Waymark's counters from inside the program that they count.
 *
 * All functions act on all threads of the program and of the instrumented libraries that it has
 * loaded, whichever of them calls; in a program that is not instrumented, on the library that
 * calls. They may be called from a signal handler. Without Waymark they do nothing and cost
 * nothing, so they can stay in the source.
 */
#ifndef WAYMARK_H
#define WAYMARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __WAYMARK__

#pragma GCC visibility push(hidden)

/* Makes sure that the file holds all counts up to now. It always does while the counters are a
 * mapping of the file; the call matters where they had to be kept in memory. Returns 0, or -1 if
 * nothing can be written. */
int waymark_dump(void);

/* Starts all counts of this process from zero again. Threads may count meanwhile: no increment
 * after this call is lost. Returns 0, or -1 if there is no room for it. */
int waymark_reset(void);

/* From here on the counts go to another file, named by a pattern as in WAYMARK_FILE. Those up to
 * now stay in the old one. Returns 0, or -1 if the file cannot be used: then nothing changes. */
int waymark_set_file(const char *pattern);

/* From here on the counts belong to this label, such as the name of a test; NULL: to none, as in the
 * beginning. They go to a file beside the one of the run, whose name ends in +LABEL.wmk; `waymark
 * run` makes runs of them. What was counted for the label before is added to. Returns 0, or -1 if
 * the file cannot be used: then nothing changes. */
int waymark_label(const char *label);

/* Notes for `waymark run` how the label's test ended, and how much processor time it took. Returns
 * 0, or -1 if that cannot be written. */
int waymark_outcome(int failed);

/* What runs between the two is not counted. Both return 0, or -1 if it cannot be done. */
int waymark_pause(void);
int waymark_resume(void);

/* In builds with --trace-last: threads tell nothing from their next call or return on; and go on
 * doing so. Both return 0, or -1 where nothing is traced like that. */
int waymark_trace_stop(void);
int waymark_trace_start(void);

/* In builds with --profile=trace: tells this number, which `waymark trace` shows where the calling
 * thread did so. Returns 0, or -1 if it is not traced. */
int waymark_trace_note(uint64_t number);

/* Writes the counts of this process as a .wmk file into memory, for targets without a file system.
 * Returns the size of that file, which grows while more is counted; writes nothing if the buffer is
 * smaller. */
size_t waymark_write(void *buffer, size_t bytes);

/* In builds with --profile=events: how many events of a kind the calling thread has had; 0 is the
 * first kind of --events. Exact at every call, also in callbacks and behind jumps and exceptions; a
 * forked child goes on from its parent's number. In a handler of a signal it may be off by
 * waymark_events_bound(kind), which is UINT64_MAX unless the object is built with --events-fresh.
 * Events are those of the object that asks. */
uint64_t waymark_events(unsigned kind);

/* The same of all threads, ended ones included. Of other threads it is what they had at their last
 * increment, which may be off likewise. */
uint64_t waymark_events_all(unsigned kind);

uint64_t waymark_events_bound(unsigned kind);

/* In builds with --events-stop: calls the function when the calling thread has had that many more
 * events of the kind: at the first increment at or behind the last of them, with the number of the
 * thread's events at that place, which is the same in every run. Returns 0, or -1 where nothing
 * can be called. */
int waymark_after(
	unsigned kind, uint64_t events, void (*callback)(unsigned kind, uint64_t events));

/* Becomes no call: waymark cc takes it out. */
void __waymark_event(const char *name, uint64_t number) __attribute__((nothrow));

/* Counts so many events of a kind of the program's own, which --events=mark:NAME sums and `waymark
 * count --events=mark:NAME` shows. The name is a literal. */
#define WAYMARK_EVENT(name, number) __waymark_event("" name, (uint64_t)(number))

struct __waymark_region {
	int kind; /* which running sum is that of the region; -1: none */
	int more;
	uint64_t before;
};

/* Becomes no call. */
int __waymark_region_kind(const char *name) __attribute__((nothrow));
void __waymark_region_end(struct __waymark_region *region) __attribute__((nothrow));

/* waymark_region("name") { ... } sums the events of the first kind of --events that the calling
 * thread has in the statement, as the kind region:name. It is left by its end, by break, return,
 * goto or an exception; what longjmp leaves is not summed. */
#define waymark_region(name)                                                                       \
	for (struct __waymark_region __waymark_region_of_it                                        \
			__attribute__((cleanup(__waymark_region_end))) = {                         \
				__waymark_region_kind("region:" name), 1, waymark_events(0)};      \
		__waymark_region_of_it.more; __waymark_region_of_it.more = 0)

#pragma GCC visibility pop

#else

#define WAYMARK_EVENT(name, number) ((void)("" name), (void)(number))
#define waymark_region(name)                                                                       \
	for (const char *__waymark_region_of_it = "" name; __waymark_region_of_it;                 \
		__waymark_region_of_it = (const char *)0)

static inline int waymark_after(
	unsigned kind, uint64_t events, void (*callback)(unsigned kind, uint64_t events))
{
	(void)kind;
	(void)events;
	(void)callback;
	return -1;
}

static inline uint64_t waymark_events(unsigned kind)
{
	(void)kind;
	return 0;
}

static inline uint64_t waymark_events_all(unsigned kind)
{
	(void)kind;
	return 0;
}

static inline uint64_t waymark_events_bound(unsigned kind)
{
	(void)kind;
	return 0;
}

static inline int waymark_trace_stop(void)
{
	return 0;
}

static inline int waymark_trace_start(void)
{
	return 0;
}

static inline int waymark_trace_note(uint64_t number)
{
	(void)number;
	return 0;
}

static inline int waymark_dump(void)
{
	return 0;
}

static inline int waymark_reset(void)
{
	return 0;
}

static inline int waymark_set_file(const char *pattern)
{
	(void)pattern;
	return 0;
}

static inline int waymark_label(const char *label)
{
	(void)label;
	return 0;
}

static inline int waymark_outcome(int failed)
{
	(void)failed;
	return 0;
}

static inline int waymark_pause(void)
{
	return 0;
}

static inline int waymark_resume(void)
{
	return 0;
}

static inline size_t waymark_write(void *buffer, size_t bytes)
{
	(void)buffer;
	(void)bytes;
	return 0;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
