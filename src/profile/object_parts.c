/* A record holds the distance from itself to its function's counters, so the addresses the linker
 * gave to the two sections are all that is needed to tell which counter belongs to which function;
 * where the object is loaded plays no part. The contents of the counters do not matter.
 */
#include "profile/object_parts.h"

#include <stdbool.h>
#include <string.h>

#include "format/description.h"
#include "format/source.h"

struct reader {
	struct wm_elf *file;
	struct wm_object_parts *parts;
	bool is_described;
	uint64_t descriptions_address;
	uint64_t counters_address;
	struct wm_error *error;
};

static void read_notes(struct reader *reader, Elf_Data *data)
{
	GElf_Nhdr note;
	size_t offset = 0, name, description;
	struct wm_build_id *id = &reader->parts->build_id;
	while ((offset = gelf_getnote(data, offset, &note, &name, &description)) > 0) {
		const char *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
			memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0)
			continue;
		id->bytes = note.n_descsz < WM_BUILD_ID_BYTES ? note.n_descsz : WM_BUILD_ID_BYTES;
		memcpy(id->byte, bytes + description, id->bytes);
	}
}

static int take_bytes(
	struct reader *reader, Elf_Scn *scn, const GElf_Shdr *header, struct wm_bytes *bytes)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != header->sh_size)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: the file is truncated: section %s is not all there",
			reader->file->path, wm_elf_section_name(reader->file, header));
	*bytes = (struct wm_bytes){data->d_buf, data->d_size};
	return 0;
}

static int read_section(struct reader *reader, Elf_Scn *scn, const GElf_Shdr *header)
{
	const char *name = wm_elf_section_name(reader->file, header);
	struct wm_object_parts *parts = reader->parts;
	if (strcmp(name, WM_DESCRIPTION_SECTION) == 0) {
		reader->is_described = true;
		reader->descriptions_address = header->sh_addr;
		return take_bytes(reader, scn, header, &parts->descriptions);
	}
	if (strcmp(name, WM_SOURCE_SECTION) == 0)
		return take_bytes(reader, scn, header, &parts->sources);
	if (strcmp(name, WM_COUNTERS_SECTION) == 0) {
		reader->counters_address = header->sh_addr;
		parts->counter_bytes = header->sh_size;
	}
	return 0;
}

static int read_sections(struct reader *reader)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(reader->file->elf, scn));) {
		GElf_Shdr header;
		if (!gelf_getshdr(scn, &header))
			continue;
		int status = read_section(reader, scn, &header);
		if (status < 0)
			return status;
		Elf_Data *notes = header.sh_type == SHT_NOTE ? elf_getdata(scn, NULL) : NULL;
		if (notes)
			read_notes(reader, notes);
	}
	return 0;
}

int wm_object_parts_read(struct wm_elf *file, struct wm_object_parts *parts, struct wm_error *error)
{
	*parts = (struct wm_object_parts){.path = file->path, .modified = file->modified};
	struct reader reader = {.file = file, .parts = parts, .error = error};
	int status = read_sections(&reader);
	if (status < 0)
		return status;
	parts->distance = reader.counters_address - reader.descriptions_address;
	if (!reader.is_described)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: was not built with waymark cc: it has no section %s", file->path,
			WM_DESCRIPTION_SECTION);
	if (parts->build_id.bytes == 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: has no build-id; link it with waymark cc or -Wl,--build-id",
			file->path);
	return 0;
}
