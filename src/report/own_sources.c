/* The common folder shrinks with each source. */
#include "report/own_sources.h"

#include <string.h>

static const char *const system_folders[] = {
	"/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/share/"};

static bool is_below(const char *file, const char *folder)
{
	return strncmp(file, folder, strlen(folder)) == 0;
}

/* Headers, and what has no ending, as headers of the C++ library. */
static bool is_header(const char *file)
{
	static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".inc",
		".inl", ".ipp", ".tcc", ".tpp", ".def"};
	const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
	bool header = !dot;
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		header |= strcmp(dot, endings[i]) == 0;
	return header;
}

static void shrink(char *root, const char *file)
{
	size_t same = 0;
	while (root[same] && root[same] == file[same])
		same++;
	while (same > 0 && root[same - 1] != '/')
		same--;
	root[same] = '\0';
}

static char *folder_of(struct wm_arena *arena, const char *file)
{
	char *folder = wm_arena_copy_text(arena, file);
	char *slash = strrchr(folder, '/');
	slash ? (slash[1] = '\0') : (folder[0] = '\0');
	return folder;
}

const char *wm_own_sources_root(struct wm_arena *arena, const struct wm_profile *profile)
{
	char *root = NULL;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const char *file = profile->functions[i].function->scopes[0].file;
		if (!file[0] || is_header(file))
			continue;
		if (root)
			shrink(root, file);
		else
			root = folder_of(arena, file);
	}
	return root ? root : "";
}

bool wm_own_sources_have(const char *root, const char *file)
{
	if (!is_below(file, root))
		return false;
	for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
		if (is_below(file, system_folders[i]) && !is_below(root, system_folders[i]))
			return root[0] == '\0';
	return true;
}
