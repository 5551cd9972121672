/* A small Lisp: numbers, symbols, pairs, closures, and a garbage collector.
 *
 * Every value is a cell of the heap. The evaluator keeps what it works on in frames; a collection
 * happens only at calls, where the frames and the symbols reach everything that is alive.
 */
#ifndef LISP_H
#define LISP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum kind {
	KIND_FREE,
	KIND_NIL,
	KIND_NUMBER,
	KIND_SYMBOL,
	KIND_PAIR,
	KIND_PRIMITIVE,
	KIND_CLOSURE
};

enum form {
	FORM_CALL,
	FORM_QUOTE,
	FORM_IF,
	FORM_COND,
	FORM_AND,
	FORM_OR,
	FORM_BEGIN,
	FORM_LET,
	FORM_LAMBDA,
	FORM_DEFINE,
	FORM_SET
};

struct value {
	enum kind kind;
	bool marked;
	union {
		long number;
		struct {
			char *name;
			struct value *global; /* NULL: unbound */
			struct value *next;   /* in the same bucket of the symbol table */
			enum form form;
		} symbol;
		struct {
			struct value *head;
			struct value *tail;
		} pair;
		struct {
			const char *name;
			struct value *(*apply)(struct value *arguments);
		} primitive;
		struct {
			struct value *parameters;
			struct value *body;
			struct value *environment;
		} closure;
		struct value *next_free;
	};
};

/* What one activation of eval works on: the roots of the collector. */
struct frame {
	struct value *expression;
	struct value *environment; /* list of (symbol . value) */
	struct value *function;
	struct value *arguments;
	struct frame *parent;
};

struct heap_statistics {
	long allocated;
	long collections;
	long freed;
};

/* heap.c */
extern struct value nil;
extern struct frame *heap_frames;
extern struct heap_statistics heap_statistics;
struct value *make_number(long number);
struct value *make_pair(struct value *head, struct value *tail);
struct value *make_closure(struct value *parameters, struct value *body, struct value *environment);
struct value *make_primitive(const char *name, struct value *(*apply)(struct value *arguments));
struct value *intern(const char *name, size_t length);
void heap_collect_if_due(void);
void heap_free_all(void);

/* text.c */
struct reader {
	const char *at;
	int line;
};
struct value *read_value(struct reader *reader); /* NULL at the end of the text */
void print_value(FILE *stream, const struct value *value);

/* eval.c */
void install_forms(void);
struct value *eval(struct value *expression, struct value *environment);

/* primitives.c */
void install_primitives(void);

/* main.c */
_Noreturn void fail(const char *what, const struct value *where);

#endif
