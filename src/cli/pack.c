/* waymark pack: one file that needs no other.
 *
 * What readers need of the program and of its libraries goes into the profile, and the sources too
 * if asked for. Only texts that were compiled are packed: others would be shown beside counts that
 * are not theirs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "profile/binary.h"
#include "report/source.h"
#include "report/text.h"

struct pack {
	struct wm_arena arena;
	const char *binary;
	const char *output;
	bool sources;
	struct wm_file file;
	struct wm_sources texts;
	size_t missing; /* sources that cannot be read */
	const char *first_missing;
};

static void add(struct pack *pack, const struct wm_packed_piece *piece)
{
	wm_packed_add(&pack->arena, &pack->file.packed, piece);
}

static void pack_source(struct pack *pack, const struct wm_object *object, const char *path)
{
	if (!path[0])
		return;
	size_t known = pack->texts.count;
	const struct wm_source_text *text = wm_sources_get(&pack->texts, path, NULL);
	if (pack->texts.count == known)
		return;
	if (text->state == WM_SOURCE_TEXT_MISSING) {
		if (pack->missing++ == 0)
			pack->first_missing = text->path;
		return;
	}
	if (text->state != WM_SOURCE_TEXT_FITS) {
		wm_warn("pack: %s is left out: it %s %s was built", path,
			text->state == WM_SOURCE_TEXT_CHANGED ? "has changed since"
							      : "was written after",
			object->path);
		return;
	}
	const struct wm_packed_text packed = {path, (uint64_t)text->modified, text->content};
	const struct wm_packed_piece piece = wm_packed_text_make(&pack->arena, &packed);
	add(pack, &piece);
}

static void pack_sources(struct pack *pack, const struct wm_object *object)
{
	pack->texts = wm_sources_of(object);
	for (uint32_t i = 0; i < object->function_count; i++) {
		const struct wm_function *function = &object->functions[i].function;
		for (uint32_t k = 0; k < function->scope_count; k++)
			pack_source(pack, object, function->scopes[k].file);
	}
	for (uint32_t i = 0; i < object->sources.count; i++) {
		const struct wm_source *source = &object->sources.records[i];
		for (uint32_t k = 0; k < source->file_count; k++)
			pack_source(pack, object, source->files[k]);
	}
	wm_sources_free(&pack->texts);
}

static int pack_object(
	struct pack *pack, const struct wm_file *file, const char *binary, struct wm_error *error)
{
	struct wm_object object;
	struct wm_packed_piece piece = {.kind = WM_CHUNK_KEPT};
	int status = wm_binary_read(&pack->arena, file, binary, &object, error);
	if (status == 0)
		status = wm_binary_record(&pack->arena, &object, &piece.content, error);
	if (status < 0)
		return status;
	add(pack, &piece);
	if (pack->sources)
		pack_sources(pack, &object);
	return 0;
}

static void pack_objects(struct pack *pack)
{
	struct wm_error error;
	int status = pack_object(pack, &pack->file, pack->binary, &error);
	if (status == WM_ERROR_MISMATCH)
		wm_binary_ask(&error, "--binary");
	if (status < 0)
		wm_fatal("%s", error.text);
	for (uint32_t i = 0; i < pack->file.library_count; i++)
		if (pack_object(pack, &pack->file.libraries[i], NULL, &error) < 0)
			wm_warn("pack: a library is left out: %s", error.text);
	if (pack->missing > 0)
		wm_warn("pack: %zu source file%s cannot be read, such as %s", pack->missing,
			pack->missing == 1 ? "" : "s", pack->first_missing);
}

/* NAME-packed.wmk beside NAME.wmk. */
static const char *default_output(struct wm_arena *arena, const char *path)
{
	static const char ending[] = ".wmk";
	size_t length = strlen(path), bytes = length + sizeof "-packed.wmk";
	if (length > strlen(ending) && strcmp(path + length - strlen(ending), ending) == 0)
		length -= strlen(ending);
	char *output = wm_arena_alloc(arena, bytes, 1);
	snprintf(output, bytes, "%.*s-packed%s", (int)length, path, ending);
	return output;
}

static bool is_same_file(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* A file may be packed in its place; then it is read under its lock. The profile of another build
 * would be lost. */
static void open_output(struct pack *pack, const char *path, struct wm_output *output)
{
	wm_output_open(&pack->arena, pack->output, output);
	if (output->descriptor < 0)
		return;
	if (is_same_file(path, output->path))
		pack->file = output->old;
	else if (!wm_build_id_equal(&output->old.build_id, &pack->file.build_id))
		wm_fatal("pack: %s holds the profile of another build; delete it, or name another "
			 "file with -o",
			output->path);
}

static void warn_of_unknown(struct pack *pack)
{
	const char *kinds = wm_file_unknown_kinds(&pack->arena, &pack->file);
	if (kinds)
		wm_warn("%s: holds data of %s, which this waymark does not know: it is left out",
			pack->file.path, kinds);
}

/* The counts are not newer than they were: readers that take the newest file go on to find the one
 * that programs count into. */
static void keep_time(const char *from, const char *to)
{
	struct stat status;
	if (stat(from, &status) == 0)
		utimensat(AT_FDCWD, to, (struct timespec[]){status.st_mtim, status.st_mtim}, 0);
}

int wm_command_pack(int argc, char **argv)
{
	struct pack pack = {.output = NULL};
	struct wm_output output;
	struct wm_found_files found;
	const struct wm_option options[] = {{"-o", &pack.output, NULL},
		{"--binary", &pack.binary, NULL}, {"--sources", NULL, &pack.sources}};
	int words = wm_options_parse("pack", argc, argv, options, sizeof options / sizeof *options);
	wm_find_files(&pack.arena, argv + 1, (size_t)words, &found);
	if (found.count > 1 && !found.first_only)
		wm_fatal_usage("pack: name one profile; `waymark merge` adds several up");
	const char *path = found.files[0].path;
	if (!pack.binary)
		pack.binary = found.files[0].binary;
	if (!pack.output)
		pack.output = default_output(&pack.arena, path);
	wm_load_file(&pack.arena, path, &pack.file);
	open_output(&pack, path, &output);
	warn_of_unknown(&pack);
	pack_objects(&pack);
	bool in_place = is_same_file(path, output.path);
	wm_output_write(&output, &pack.file);
	if (!in_place)
		keep_time(path, output.path);
	printf("wrote %s\n", wm_text_clean(&pack.arena, output.path));
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	wm_arena_reset(&pack.arena);
	return 0;
}
