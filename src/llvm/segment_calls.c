/* A site names a call by name, a place, or both. */
#include "llvm/segment_calls.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "llvm/bridge/inline.h"
#include "llvm/complain.h"
#include "llvm/select.h"

/* Targets of one call that get a guard, and the least share of the call that each has. */
enum { MAX_TARGETS = 2, MIN_TARGET_PERCENT = 30 };

static bool is_call(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

static LLVMValueRef callee_of(LLVMValueRef instruction)
{
	LLVMValueRef callee = is_call(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	return callee && LLVMIsAFunction(callee) && !LLVMGetIntrinsicID(callee) ? callee : NULL;
}

static bool is_through_pointer(LLVMValueRef instruction)
{
	LLVMValueRef callee = is_call(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	return callee && !LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee);
}

static const char *name_of(LLVMValueRef function)
{
	size_t bytes;
	return LLVMGetValueName2(function, &bytes);
}

static char *join_path(struct wm_arena *arena, const char *directory, size_t directory_bytes,
	const char *file, size_t file_bytes)
{
	bool absolute = file_bytes && file[0] == '/';
	size_t folder = absolute ? 0 : directory_bytes + (directory_bytes > 0);
	char *path = wm_arena_alloc(arena, folder + file_bytes + 1, 1);
	if (folder) {
		memcpy(path, directory, directory_bytes);
		path[directory_bytes] = '/';
	}
	memcpy(path + folder, file, file_bytes);
	return path;
}

/* Where an instruction is, as sites name places. */
struct place {
	struct wm_arena arena;
	const char *path;
	uint32_t line;
};

static struct place place_of(LLVMValueRef instruction)
{
	struct place place = {.path = ""};
	struct wm_location location;
	if (wm_bridge_location(instruction, &location)) {
		place.path = join_path(&place.arena, location.directory, location.directory_bytes,
			location.file, location.file_bytes);
		place.line = location.line;
	}
	return place;
}

/* The first site that names the call, or NULL; all that do are there. */
static const struct wm_segment_site *site_of(
	struct wm_segment_calls *calls, LLVMValueRef call, const char *callee)
{
	struct place place = place_of(call);
	const struct wm_segment_site *found = NULL;
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *site = &calls->sites.sites[i];
		if (!wm_segment_site_fits(site, place.path, place.line, callee))
			continue;
		calls->found[i] = true;
		found = found ? found : site;
	}
	wm_arena_reset(&place.arena);
	return found;
}

/* Why a call that is wanted cannot be crossed; NULL if it can. */
static const char *obstacle(struct wm_segment_calls *calls, LLVMValueRef call, LLVMValueRef callee,
	const struct wm_segment_site *site)
{
	bool is_named = site->file || site->callee;
	const char *obstacle = wm_inline_obstacle(call, callee, is_named);
	if (!obstacle && !wm_select_will_count(calls->module, callee, calls->options))
		obstacle = "it is not counted";
	if (!obstacle && !wm_inline_chooses(callee))
		obstacle = "there is one path through it only";
	return obstacle;
}

static void complain(struct wm_segment_calls *calls, const char *callee,
	const struct wm_segment_site *site, const char *why)
{
	wm_complain(calls->module, WM_COMPLAINT_WARNING,
		"segments: the call of '%s' in %s:%u cannot be crossed: %s", callee, site->file,
		site->line, why);
}

static void append(struct wm_segment_calls *calls, LLVMValueRef call, LLVMValueRef callee,
	const struct wm_segment_site *site, double frequency)
{
	calls->calls = wm_arena_grow(
		calls->arena, calls->calls, calls->count, &calls->capacity, sizeof *calls->calls);
	calls->calls[calls->count] = (struct wm_segment_call){call, callee,
		site->count ? (double)site->count : frequency, wm_inline_size(callee), calls->count,
		site->is_named};
	calls->count++;
}

static void add_call(
	struct wm_segment_calls *calls, LLVMValueRef call, LLVMValueRef callee, double frequency)
{
	const char *name = name_of(callee);
	const struct wm_segment_site *site = site_of(calls, call, name);
	const char *why = site ? obstacle(calls, call, callee, site) : NULL;
	if (site && !why)
		append(calls, call, callee, site, frequency);
	else if (site && site->is_named)
		complain(calls, name, site, why);
}

/* The function that a site names as target of this call, or NULL. */
static LLVMValueRef target_of(struct wm_segment_calls *calls, LLVMValueRef call,
	const struct wm_segment_site *site, const struct place *place)
{
	if (!site->file || !site->callee ||
		!wm_segment_site_fits(site, place->path, place->line, site->callee))
		return NULL;
	LLVMValueRef target = LLVMGetNamedFunction(calls->module, site->callee);
	const char *why = !target			  ? "there is no such function here"
			  : !wm_inline_fits(call, target) ? "the call has other arguments"
							  : obstacle(calls, call, target, site);
	calls->found[site - calls->sites.sites] = true;
	if (why && site->is_named)
		complain(calls, site->callee, site, why);
	return why ? NULL : target;
}

/* Sites in lists have counts; where a call has none, its user has named the target. */
static bool is_hot(const struct wm_segment_calls *calls, const struct wm_segment_site *site)
{
	uint64_t all = 0;
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *other = &calls->sites.sites[i];
		if (other->file && other->line == site->line &&
			strcmp(other->file, site->file) == 0)
			all += other->count;
	}
	return site->count * 100 >= all * MIN_TARGET_PERCENT;
}

/* A place alone says nothing of what a call through a pointer calls. */
static void complain_of_pointer(struct wm_segment_calls *calls, const struct place *place)
{
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *site = &calls->sites.sites[i];
		if (!site->is_named || site->callee || calls->found[i] ||
			!wm_segment_site_fits(site, place->path, place->line, ""))
			continue;
		calls->found[i] = true;
		wm_complain(calls->module, WM_COMPLAINT_WARNING,
			"segments: the call in %s:%u goes through a pointer: name what it calls, "
			"as in %s:%u=FUNCTION",
			site->file, site->line, site->file, site->line);
	}
}

static void add_pointer(struct wm_segment_calls *calls, struct wm_bridge *bridge, LLVMValueRef call,
	double frequency)
{
	struct place place = place_of(call);
	unsigned guarded = 0;
	complain_of_pointer(calls, &place);
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *site = &calls->sites.sites[i];
		LLVMValueRef target = target_of(calls, call, site, &place);
		if (!target || !is_hot(calls, site) || guarded == MAX_TARGETS)
			continue;
		append(calls, wm_inline_guard(call, target), target, site, frequency);
		guarded++;
	}
	if (guarded)
		wm_bridge_forget(bridge);
	wm_arena_reset(&place.arena);
}

/* Sites in the file of this function are looked for here. */
static void note_file(struct wm_segment_calls *calls, LLVMValueRef function)
{
	struct wm_location location;
	struct wm_arena scratch = {0};
	if (!wm_bridge_function_location(function, &location))
		return;
	const char *path = join_path(&scratch, location.directory, location.directory_bytes,
		location.file, location.file_bytes);
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *site = &calls->sites.sites[i];
		if (site->file)
			calls->here[i] |= wm_segment_site_fits(
				&(struct wm_segment_site){.file = site->file}, path, 0, "");
	}
	wm_arena_reset(&scratch);
}

/* A call and how often it is expected to run. Guards change blocks, so calls are listed first. */
struct listed {
	LLVMValueRef call;
	double frequency;
};

static size_t list(struct wm_arena *arena, struct wm_bridge *bridge, LLVMValueRef function,
	struct listed **listed)
{
	size_t count = 0, capacity = 0;
	*listed = NULL;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		double frequency = wm_bridge_block_frequency(bridge, block);
		for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
			i = LLVMGetNextInstruction(i)) {
			if (!callee_of(i) && !is_through_pointer(i))
				continue;
			*listed = wm_arena_grow(arena, *listed, count, &capacity, sizeof **listed);
			(*listed)[count++] = (struct listed){i, frequency};
		}
	}
	return count;
}

void wm_segment_calls_add(
	struct wm_segment_calls *calls, struct wm_bridge *bridge, LLVMValueRef function)
{
	struct wm_arena scratch = {0};
	struct listed *listed;
	size_t count = list(&scratch, bridge, function, &listed);
	note_file(calls, function);
	for (size_t i = 0; i < count; i++) {
		LLVMValueRef callee = callee_of(listed[i].call);
		if (callee)
			add_call(calls, listed[i].call, callee, listed[i].frequency);
		else
			add_pointer(calls, bridge, listed[i].call, listed[i].frequency);
	}
	wm_arena_reset(&scratch);
}

bool wm_segment_calls_wants(struct wm_segment_calls *calls, LLVMValueRef call, LLVMValueRef *callee)
{
	*callee = callee_of(call);
	const struct wm_segment_site *site =
		*callee ? site_of(calls, call, name_of(*callee)) : NULL;
	return site && !obstacle(calls, call, *callee, site);
}

void wm_segment_calls_warn(struct wm_segment_calls *calls)
{
	size_t listed = 0, missing = 0;
	const struct wm_segment_site *first = NULL;
	for (size_t i = 0; i < calls->sites.count; i++) {
		const struct wm_segment_site *site = &calls->sites.sites[i];
		bool is_missing = calls->here[i] && !calls->found[i];
		if (is_missing && site->is_named)
			wm_complain(calls->module, WM_COMPLAINT_WARNING,
				"segments: in %s:%u there is no call%s%s%s", site->file, site->line,
				site->callee ? " of '" : "", site->callee ? site->callee : "",
				site->callee ? "'" : "");
		listed += calls->here[i] && !site->is_named;
		missing += is_missing && !site->is_named;
		first = is_missing && !site->is_named && !first ? site : first;
	}
	if (missing)
		wm_complain(calls->module, WM_COMPLAINT_WARNING,
			"segments: %zu of %zu calls in the list are not there, such as that of "
			"'%s' in %s:%u: the list is of another build, or the code has changed",
			missing, listed, first->callee, first->file, first->line);
}
