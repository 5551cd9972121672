/* ELF files, at a path or in memory, through elfutils. What stands in them is untrusted. */
#ifndef WM_PROFILE_ELF_FILE_H
#define WM_PROFILE_ELF_FILE_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/base/error.h"

struct wm_elf {
	const char *path;
	int descriptor;	 /* -1: in memory */
	time_t modified; /* when the file was last written; in memory: 0 */
	Elf *elf;
	size_t names; /* section of the sections' names */
};

/* Opens the file at the path. WM_ERROR_SYSTEM: it cannot be read; WM_ERROR_INPUT: it is no ELF
 * file. Whatever the result, wm_elf_close ends it. */
int wm_elf_open(struct wm_elf *file, const char *path, struct wm_error *error);

void wm_elf_close(struct wm_elf *file);

/* The section's name, or an empty text. */
const char *wm_elf_section_name(const struct wm_elf *file, const GElf_Shdr *header);

/* The contents of the first section of that name, without their compression; NULL if there is none,
 * or it is damaged. They live until wm_elf_close. */
const uint8_t *wm_elf_contents(struct wm_elf *file, const char *name, size_t *bytes);

#endif
