/* lisp FILE: runs the program in FILE and says on standard error what the heap did. */
#include "lisp.h"

#include <stdlib.h>

void fail(const char *what, const struct value *where)
{
	fprintf(stderr, "lisp: %s: ", what);
	print_value(stderr, where);
	fputc('\n', stderr);
	exit(1);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file) {
		perror(path);
		exit(1);
	}
	size_t capacity = 1024;
	size_t length = 0;
	char *text = malloc(capacity);
	while (text &&
		(length += fread(text + length, 1, capacity - length - 1, file)) == capacity - 1)
		text = realloc(text, capacity *= 2);
	if (!text || ferror(file))
		fail("the program cannot be read", &nil);
	text[length] = '\0';
	fclose(file);
	return text;
}

int main(int argument_count, char **arguments)
{
	if (argument_count != 2) {
		fprintf(stderr, "usage: lisp FILE\n");
		return 2;
	}
	char *text = read_file(arguments[1]);
	struct reader reader = {text, 1};
	install_forms();
	install_primitives();
	for (struct value *value; (value = read_value(&reader));)
		eval(value, &nil);
	fprintf(stderr, "heap: %ld cells allocated, %ld freed in %ld collections\n",
		heap_statistics.allocated, heap_statistics.freed, heap_statistics.collections);
	heap_free_all();
	free(text);
	return 0;
}
