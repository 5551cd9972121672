/* The file is written under another name and then renamed. If it cannot be, nothing is left of it, and
 * whoever started the tool is told why. */
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>
#include "valgrind/tool.h"

enum { NAME_BYTES = 4096 };

static HChar name[NAME_BYTES], temporary[NAME_BYTES + 16];

struct out {
	Int file;
	uint64_t hash;
	uint64_t bytes;
	uint64_t held; /* a word that is not complete */
	uint32_t held_bytes;
	Bool failed;
	UWord reason;
};

static void say(const HChar *kind, const HChar *what, UWord reason)
{
	HChar line[NAME_BYTES + 64];
	if (wm_tool.status < 0)
		return;
	VG_(snprintf)(line, sizeof line, "%s %lu %d %s\n", kind, reason, VG_(getpid)(), what);
	VG_(write)(wm_tool.status, line, (Int)VG_(strlen)(line));
}

static Bool exists(const HChar *path)
{
	struct vg_stat info;
	return !sr_isError(VG_(stat)(path, &info));
}

static void make_name(UInt number)
{
	HChar program[512];
	UInt used = 0;
	VG_(client_fname)(program, sizeof program, True);
	for (const HChar *next = wm_tool.file; *next && used < NAME_BYTES - 600; next++) {
		if (next[0] != '%' || !next[1]) {
			name[used++] = *next;
			continue;
		}
		next++;
		if (*next == 'p')
			used += VG_(sprintf)(name + used, "%d", VG_(getpid)());
		else if (*next == 'b')
			used += VG_(sprintf)(name + used, "%s", VG_(basename)(program));
		else
			name[used++] = *next;
	}
	name[used] = 0;
	if (number)
		VG_(sprintf)(name + used - (used > 4 ? 4 : 0), "-%u.wmh", number + 1);
}

/* A program that this process was before may have the name already. */
void wm_write_start(void)
{
	UInt number = 0;
	if (!wm_tool.file)
		return;
	make_name(0);
	while (VG_(strchr)(wm_tool.file, '%') && exists(name) && number < 1000)
		make_name(++number);
	VG_(sprintf)(temporary, "%s.part", name);
}

void wm_write_forked(void)
{
	wm_write_start();
}

static void put(struct out *out, const void *data, uint64_t bytes)
{
	const HChar *next = data;
	out->bytes += bytes;
	for (uint64_t i = 0; i < bytes; i++) {
		out->held |= (uint64_t)(UChar)next[i] << 8 * out->held_bytes;
		if (++out->held_bytes < 8)
			continue;
		out->hash = wm_hpp_checksum(out->hash, &out->held, 1);
		out->held = out->held_bytes = 0;
	}
	while (bytes && !out->failed) {
		Int wrote = VG_(write)(out->file, next, bytes > 1 << 24 ? 1 << 24 : (Int)bytes);
		out->failed = wrote <= 0;
		out->reason = wrote < 0 ? (UWord)-wrote : VKI_ENOSPC;
		if (wrote > 0) {
			next += wrote;
			bytes -= (uint64_t)wrote;
		}
	}
}

static void pad(struct out *out)
{
	static const HChar zeros[8];
	if (out->bytes % 8)
		put(out, zeros, 8 - out->bytes % 8);
}

static const void *records_of(enum wm_hpp_section section, uint64_t *count)
{
	const struct wm_profiler *profiler = &wm_profiler_state;
	switch (section) {
	case WM_HPP_OBJECTS:
		*count = wm_object_count;
		return wm_objects;
	case WM_HPP_CODE:
		*count = wm_code_bytes;
		return wm_code;
	case WM_HPP_PATHS:
		*count = profiler->exact.paths;
		return profiler->exact.path;
	case WM_HPP_CELLS:
		*count = profiler->options.table.entries;
		return profiler->table.cell;
	case WM_HPP_SKETCH:
		*count = profiler->sketch.cell ? profiler->sketch.shape.entries : 0;
		return profiler->sketch.cell;
	case WM_HPP_TEXT:
		*count = wm_text_bytes;
		return wm_texts;
	default:
		*count = wm_block_count;
		return NULL;
	}
}

static void lay_out(struct wm_hpp_head *head)
{
	uint64_t offset = sizeof *head, count;
	for (int i = 0; i < WM_HPP_SECTIONS; i++) {
		records_of((enum wm_hpp_section)i, &count);
		head->section[i].offset = offset;
		head->section[i].count = count;
		offset += count * wm_hpp_record_bytes((enum wm_hpp_section)i);
		offset = (offset + 7) & ~7ULL;
	}
	head->file_bytes = offset;
}

static void put_sections(struct out *out)
{
	for (int i = 0; i < WM_HPP_SECTIONS; i++) {
		uint64_t count;
		const void *records = records_of((enum wm_hpp_section)i, &count);
		if (i == WM_HPP_BLOCKS)
			for (uint64_t k = 0; k < count; k++)
				put(out, &wm_blocks[k].info, sizeof wm_blocks[k].info);
		else
			put(out, records, count * wm_hpp_record_bytes((enum wm_hpp_section)i));
		pad(out);
	}
}

static void fill_head(struct wm_hpp_head *head)
{
	const struct wm_machine *machine = &wm_machine_state;
	const struct wm_cache *caches[] = {&machine->l1i, &machine->l1d, &machine->l2};
	VG_(memset)(head, 0, sizeof *head);
	VG_(memcpy)(head->magic, WM_HPP_MAGIC, sizeof head->magic);
	head->version = WM_HPP_VERSION;
	head->head_bytes = sizeof *head;
	head->process = (uint64_t)VG_(getpid)();
	head->machine = wm_tool.machine;
	head->flags = wm_tool.modelled ? WM_HPP_MODELLED : 0;
	wm_hpp_head_fill(head, &wm_profiler_state);
	for (int i = 0; i < 3; i++) {
		head->accesses[i] = caches[i]->accesses;
		head->cache_misses[i] = caches[i]->misses;
	}
	head->mispredictions = machine->predictor.mispredictions;
	lay_out(head);
}

/* The checksum is known at the end: the head is written twice. */
static void put_file(struct out *out)
{
	struct wm_hpp_head head;
	fill_head(&head);
	put(out, &head, sizeof head);
	put_sections(out);
	head.checksum = out->hash;
	VG_(lseek)(out->file, 0, VKI_SEEK_SET);
	put(out, &head, sizeof head);
}

void wm_write(void)
{
	struct out out = {.hash = WM_HPP_CHECKSUM_START};
	if (!wm_tool.file)
		return;
	SysRes opened = VG_(open)(
		temporary, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, VKI_S_IRUSR | VKI_S_IWUSR);
	if (sr_isError(opened)) {
		say("error", name, sr_Err(opened));
		return;
	}
	out.file = (Int)sr_Res(opened);
	put_file(&out);
	VG_(close)(out.file);
	if (out.failed || VG_(rename)(temporary, name) < 0) {
		VG_(unlink)(temporary);
		say("error", name, out.reason);
		return;
	}
	say("file", name, 0);
}
