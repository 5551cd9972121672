/* From text to values and back. */
#include "lisp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void skip_blanks(struct reader *reader)
{
	for (;; reader->at++) {
		if (*reader->at == ';')
			reader->at += strcspn(reader->at, "\n");
		if (*reader->at == '\n')
			reader->line++;
		if (!isspace((unsigned char)*reader->at))
			return;
	}
}

static _Noreturn void fail_reading(const struct reader *reader, const char *what)
{
	fprintf(stderr, "line %d: ", reader->line);
	fail(what, &nil);
}

static struct value *require_value(struct reader *reader)
{
	struct value *value = read_value(reader);
	if (!value)
		fail_reading(reader, "the text ends inside a list");
	return value;
}

static struct value *read_list(struct reader *reader)
{
	struct value *first = &nil;
	struct value **end = &first;
	for (skip_blanks(reader); *reader->at != ')'; skip_blanks(reader)) {
		*end = make_pair(require_value(reader), &nil);
		end = &(*end)->pair.tail;
	}
	reader->at++;
	return first;
}

static struct value *read_atom(struct reader *reader)
{
	const char *start = reader->at;
	size_t length = strcspn(start, " \t\r\n();'");
	reader->at += length;
	char *end;
	long number = strtol(start, &end, 10);
	if (end == reader->at)
		return make_number(number);
	return length == 3 && memcmp(start, "nil", 3) == 0 ? &nil : intern(start, length);
}

struct value *read_value(struct reader *reader)
{
	skip_blanks(reader);
	switch (*reader->at) {
	case '\0':
		return NULL;
	case '(':
		reader->at++;
		return read_list(reader);
	case ')':
		fail_reading(reader, "a closing parenthesis without an opening one");
	case '\'':
		reader->at++;
		return make_pair(intern("quote", 5), make_pair(require_value(reader), &nil));
	default:
		return read_atom(reader);
	}
}

static void print_list(FILE *stream, const struct value *value)
{
	fputc('(', stream);
	for (const char *blank = ""; value->kind == KIND_PAIR; value = value->pair.tail) {
		fputs(blank, stream);
		print_value(stream, value->pair.head);
		blank = " ";
	}
	if (value->kind != KIND_NIL) {
		fputs(" . ", stream);
		print_value(stream, value);
	}
	fputc(')', stream);
}

void print_value(FILE *stream, const struct value *value)
{
	switch (value->kind) {
	case KIND_FREE:
		fputs("<freed>", stream);
		break;
	case KIND_NIL:
		fputs("nil", stream);
		break;
	case KIND_NUMBER:
		fprintf(stream, "%ld", value->number);
		break;
	case KIND_SYMBOL:
		fputs(value->symbol.name, stream);
		break;
	case KIND_PAIR:
		print_list(stream, value);
		break;
	case KIND_PRIMITIVE:
		fprintf(stream, "<primitive %s>", value->primitive.name);
		break;
	case KIND_CLOSURE:
		fputs("<closure>", stream);
		break;
	}
}
