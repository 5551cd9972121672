/* Finding our own object: program headers give the build-id and the path. */
#define _GNU_SOURCE
#include "runtime/file/object.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/file/failure.h"
#include "runtime/file/note.h"
#include "runtime/system.h"

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));
extern uint64_t __stop_waymark_counters[] __attribute__((weak, visibility("hidden")));

struct search {
	struct wm_own_object *object;
	int found;
};

static int holds(const struct dl_phdr_info *info, const void *address)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && (uintptr_t)address - start < segment->p_memsz)
			return 1;
	}
	return 0;
}

static void find_build_id(struct wm_own_object *object, const struct dl_phdr_info *info)
{
	struct wm_note note = wm_note_find(
		info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, "GNU", NT_GNU_BUILD_ID);
	if (!note.content || note.bytes > WM_BUILD_ID_BYTES)
		return;
	memcpy(object->build_id, note.content, note.bytes);
	object->build_id_bytes = note.bytes;
}

static void find_path(struct wm_own_object *object, const char *name)
{
	size_t room = sizeof(object->path) - 1, used = 0;
	object->is_program = !name || !name[0];
	if (object->is_program) {
		long bytes = WM_CALL_3(readlink, "/proc/self/exe", object->path, room);
		if (bytes > 0)
			return;
		name = (const char *)getauxval(AT_EXECFN); /* as it was called */
		if (!name)
			return;
	}
	if (name[0] != '/' && !wm_system_directory(object->path, room)) {
		used = strlen(object->path);
		object->path[used++] = '/';
		while (name[0] == '.' && name[1] == '/')
			name += 2;
	}
	strncpy(object->path + used, name, room - used);
}

static int visit(struct dl_phdr_info *info, size_t bytes, void *context)
{
	struct search *search = context;
	(void)bytes;
	if (!holds(info, search->object->counters))
		return 0;
	find_build_id(search->object, info);
	find_path(search->object, info->dlpi_name);
	search->found = 1;
	return 1;
}

int wm_object_find(struct wm_own_object *object)
{
	struct search search = {object, 0};
	object->host = object;
	object->counters = __start_waymark_counters;
	object->counter_bytes =
		(size_t)((char *)__stop_waymark_counters - (char *)__start_waymark_counters);
	if (!object->counters || !object->counter_bytes)
		return -1;
	dl_iterate_phdr(visit, &search);
	if (!search.found || !object->build_id_bytes)
		return wm_failure_of_object(
			"the program has no build-id; link it with waymark cc or -Wl,--build-id");
	return 0;
}
