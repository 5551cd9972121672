/* The built-in functions: arithmetic, comparison, lists, output. */
#include "lisp.h"

#include <string.h>

static struct value *argument(struct value *arguments, int position)
{
	for (; arguments->kind == KIND_PAIR; arguments = arguments->pair.tail)
		if (position-- == 0)
			return arguments->pair.head;
	fail("too few arguments", arguments);
}

static long number(struct value *arguments, int position)
{
	struct value *value = argument(arguments, position);
	if (value->kind != KIND_NUMBER)
		fail("a number is needed", value);
	return value->number;
}

static struct value *pair(struct value *arguments)
{
	struct value *value = argument(arguments, 0);
	if (value->kind != KIND_PAIR)
		fail("a pair is needed", value);
	return value;
}

static long divisor(struct value *arguments)
{
	long value = number(arguments, 1);
	if (value == 0)
		fail("division by zero", arguments);
	return value;
}

static struct value *truth(bool condition)
{
	return condition ? intern("t", 1) : &nil;
}

static struct value *add(struct value *arguments)
{
	long sum = 0;
	for (; arguments->kind == KIND_PAIR; arguments = arguments->pair.tail)
		sum += number(arguments, 0);
	return make_number(sum);
}

static struct value *multiply(struct value *arguments)
{
	long product = 1;
	for (; arguments->kind == KIND_PAIR; arguments = arguments->pair.tail)
		product *= number(arguments, 0);
	return make_number(product);
}

static struct value *subtract(struct value *arguments)
{
	return make_number(number(arguments, 0) - number(arguments, 1));
}

static struct value *quotient(struct value *arguments)
{
	return make_number(number(arguments, 0) / divisor(arguments));
}

static struct value *remainder_of(struct value *arguments)
{
	return make_number(number(arguments, 0) % divisor(arguments));
}

static struct value *is_less(struct value *arguments)
{
	return truth(number(arguments, 0) < number(arguments, 1));
}

static struct value *is_equal(struct value *arguments)
{
	return truth(number(arguments, 0) == number(arguments, 1));
}

static struct value *is_same(struct value *arguments)
{
	return truth(argument(arguments, 0) == argument(arguments, 1));
}

static struct value *is_nil(struct value *arguments)
{
	return truth(argument(arguments, 0)->kind == KIND_NIL);
}

static struct value *is_pair(struct value *arguments)
{
	return truth(argument(arguments, 0)->kind == KIND_PAIR);
}

static struct value *is_number(struct value *arguments)
{
	return truth(argument(arguments, 0)->kind == KIND_NUMBER);
}

static struct value *cons(struct value *arguments)
{
	return make_pair(argument(arguments, 0), argument(arguments, 1));
}

static struct value *car(struct value *arguments)
{
	return pair(arguments)->pair.head;
}

static struct value *cdr(struct value *arguments)
{
	return pair(arguments)->pair.tail;
}

static struct value *list(struct value *arguments)
{
	return arguments;
}

static struct value *print(struct value *arguments)
{
	for (; arguments->kind == KIND_PAIR; arguments = arguments->pair.tail) {
		print_value(stdout, arguments->pair.head);
		putchar(arguments->pair.tail->kind == KIND_PAIR ? ' ' : '\n');
	}
	return &nil;
}

void install_primitives(void)
{
	static const struct {
		const char *name;
		struct value *(*apply)(struct value *arguments);
	} table[] = {{"+", add}, {"*", multiply}, {"-", subtract}, {"quotient", quotient},
		{"remainder", remainder_of}, {"<", is_less}, {"=", is_equal}, {"eq?", is_same},
		{"null?", is_nil}, {"pair?", is_pair}, {"number?", is_number}, {"cons", cons},
		{"car", car}, {"cdr", cdr}, {"list", list}, {"print", print}};
	for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
		struct value *symbol = intern(table[index].name, strlen(table[index].name));
		symbol->symbol.global = make_primitive(table[index].name, table[index].apply);
	}
}
