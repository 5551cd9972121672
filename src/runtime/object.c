/* Finding ourselves: program headers give the build-id, the path and the image that the C library
 * copies into every new thread's thread-local storage. */
#define _GNU_SOURCE
#include "runtime/object.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));
extern uint64_t __stop_waymark_counters[] __attribute__((weak, visibility("hidden")));

struct search {
	struct wm_object *object;
	const int64_t *delta;
	int found;
};

static const ElfW(Phdr) * segment_of(const struct dl_phdr_info *info, ElfW(Word) type)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == type)
			return &info->dlpi_phdr[i];
	return NULL;
}

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

static size_t padded(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static void take_build_id(struct wm_object *object, const uint8_t *note, const uint8_t *end)
{
	while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *head = (const void *)note;
		const uint8_t *name = note + sizeof(*head);
		const uint8_t *content = name + padded(head->n_namesz);
		if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
			!memcmp(name, "GNU", 4) && head->n_descsz <= WM_BUILD_ID_BYTES) {
			memcpy(object->build_id, content, head->n_descsz);
			object->build_id_bytes = head->n_descsz;
			return;
		}
		note = content + padded(head->n_descsz);
	}
}

static void find_build_id(struct wm_object *object, const struct dl_phdr_info *info)
{
	for (unsigned i = 0; i < info->dlpi_phnum && !object->build_id_bytes; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uint8_t *start = (const uint8_t *)info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_NOTE)
			take_build_id(object, start, start + segment->p_memsz);
	}
}

static void find_path(struct wm_object *object, const char *name)
{
	size_t room = sizeof(object->path) - 1, used = 0;
	object->is_program = !name || !name[0];
	if (object->is_program) {
		ssize_t bytes = readlink("/proc/self/exe", object->path, room);
		if (bytes > 0)
			return;
		name = (const char *)getauxval(AT_EXECFN); /* as it was called */
		if (!name)
			return;
	}
	if (name[0] != '/' && getcwd(object->path, room)) {
		used = strlen(object->path);
		object->path[used++] = '/';
	}
	strncpy(object->path + used, name, room - used);
}

static void find_thread_start(
	struct wm_object *object, const struct dl_phdr_info *info, const int64_t *delta)
{
	const ElfW(Phdr) *image = segment_of(info, PT_TLS);
	if (!image || !info->dlpi_tls_data)
		return;
	size_t offset = (size_t)((const char *)delta - (const char *)info->dlpi_tls_data);
	if (offset + sizeof(*delta) <= image->p_filesz)
		object->thread_start = (void *)(info->dlpi_addr + image->p_vaddr + offset);
}

static int visit(struct dl_phdr_info *info, size_t bytes, void *context)
{
	struct search *search = context;
	(void)bytes;
	if (!holds(info, search->object->counters))
		return 0;
	find_build_id(search->object, info);
	find_path(search->object, info->dlpi_name);
	find_thread_start(search->object, info, search->delta);
	search->found = 1;
	return 1;
}

int wm_object_find(struct wm_object *object, const int64_t *delta)
{
	struct search search = {object, delta, 0};
	object->counters = __start_waymark_counters;
	object->counter_bytes =
		(size_t)((char *)__stop_waymark_counters - (char *)__start_waymark_counters);
	if (!object->counters || !object->counter_bytes)
		return -1;
	dl_iterate_phdr(visit, &search);
	return search.found && object->build_id_bytes ? 0 : -1;
}

/* The image may lie in memory that the loader has made read-only: it is opened for this one store
 * and closed again if RELRO covers it. */
struct protection {
	uintptr_t address;
	int closed;
};

static int find_protection(struct dl_phdr_info *info, size_t bytes, void *context)
{
	struct protection *protection = context;
	(void)bytes;
	if (!holds(info, (void *)protection->address))
		return 0;
	const ElfW(Phdr) *relro = segment_of(info, PT_GNU_RELRO);
	if (relro)
		protection->closed =
			protection->address - (info->dlpi_addr + relro->p_vaddr) < relro->p_memsz;
	return 1;
}

void wm_object_set_thread_start(const struct wm_object *object, int64_t delta)
{
	uintptr_t address = (uintptr_t)object->thread_start;
	struct protection protection = {address, 0};
	if (!address)
		return;
	dl_iterate_phdr(find_protection, &protection);
	uintptr_t page = address & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
	size_t bytes = address + sizeof(delta) - page;
	if (mprotect((void *)page, bytes, PROT_READ | PROT_WRITE))
		return;
	*object->thread_start = (uint64_t)delta;
	if (protection.closed)
		mprotect((void *)page, bytes, PROT_READ);
}
