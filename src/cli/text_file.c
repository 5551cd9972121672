#include "cli/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"

struct wm_text_file wm_text_file_read(const char *command, const char *path)
{
	struct wm_text_file text = {NULL, 0};
	size_t capacity = 0, got = 1;
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
	if (!in)
		wm_fatal("%s: cannot read '%s': %s", command, path, strerror(errno));
	while (got > 0) {
		if (text.count == capacity) {
			capacity = capacity ? 2 * capacity : 1 << 16;
			text.bytes = realloc(text.bytes, capacity);
			if (!text.bytes)
				wm_fatal("%s: '%s' does not fit into memory", command, path);
		}
		got = fread(text.bytes + text.count, 1, capacity - text.count, in);
		text.count += got;
	}
	if (ferror(in))
		wm_fatal("%s: cannot read '%s': %s", command, path, strerror(errno));
	if (in != stdin)
		fclose(in);
	return text;
}
