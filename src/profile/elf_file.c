/* A compressed section says how long it will be: that is believed only as far as its bytes allow.
 */
#include "profile/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No byte of deflate stands for more. */
enum { MAX_EXPANSION = 1032 };

static int open_path(struct wm_elf *file, struct wm_error *error)
{
	struct stat status;
	file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0)
		return wm_error_set(error, WM_ERROR_SYSTEM, "cannot read '%s': %s", file->path,
			strerror(errno));
	if (!S_ISREG(status.st_mode))
		return wm_error_set(error, WM_ERROR_INPUT, "%s: not a regular file", file->path);
	file->modified = status.st_mtime;
	return 0;
}

static int check(struct wm_elf *file, struct wm_error *error)
{
	GElf_Ehdr header;
	if (elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header))
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: not an ELF file; name a program or library built with waymark cc",
			file->path);
	if (elf_getshdrstrndx(file->elf, &file->names) != 0)
		return wm_error_set(error, WM_ERROR_INPUT, "%s: cannot read the section table: %s",
			file->path, elf_errmsg(-1));
	return 0;
}

int wm_elf_open(struct wm_elf *file, const char *path, struct wm_error *error)
{
	*file = (struct wm_elf){.path = path, .descriptor = -1};
	elf_version(EV_CURRENT);
	int status = open_path(file, error);
	if (status < 0)
		return status;
	file->elf = elf_begin(file->descriptor, ELF_C_READ_MMAP, NULL);
	return check(file, error);
}

void wm_elf_close(struct wm_elf *file)
{
	elf_end(file->elf);
	if (file->descriptor >= 0)
		close(file->descriptor);
}

const char *wm_elf_section_name(const struct wm_elf *file, const GElf_Shdr *header)
{
	const char *name = elf_strptr(file->elf, file->names, header->sh_name);
	return name ? name : "";
}

static Elf_Scn *find(const struct wm_elf *file, const char *name, GElf_Shdr *header)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(file->elf, scn));)
		if (gelf_getshdr(scn, header) &&
			strcmp(wm_elf_section_name(file, header), name) == 0)
			return scn;
	return NULL;
}

static bool can_expand(Elf_Scn *scn, const GElf_Shdr *header)
{
	GElf_Chdr compression;
	return gelf_getchdr(scn, &compression) &&
	       compression.ch_size / MAX_EXPANSION <= header->sh_size &&
	       elf_compress(scn, 0, 0) >= 0;
}

const uint8_t *wm_elf_contents(struct wm_elf *file, const char *name, size_t *bytes)
{
	GElf_Shdr header;
	Elf_Scn *scn = find(file, name, &header);
	if (!scn || header.sh_type == SHT_NOBITS ||
		((header.sh_flags & SHF_COMPRESSED) && !can_expand(scn, &header)))
		return NULL;
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*bytes = data->d_size;
	return data->d_buf;
}
