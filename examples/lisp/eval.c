/* The evaluator. A step either returns the value or puts the tail expression into its frame and
 * returns NULL, so that tail calls run in constant stack.
 */
#include "lisp.h"

#include <string.h>

static struct value *head_of(struct value *list)
{
	if (list->kind != KIND_PAIR)
		fail("a form is too short", list);
	return list->pair.head;
}

static struct value *tail_of(struct value *list)
{
	if (list->kind != KIND_PAIR)
		fail("a form is too short", list);
	return list->pair.tail;
}

static struct value *find_binding(struct value *symbol, struct value *environment)
{
	for (; environment->kind == KIND_PAIR; environment = environment->pair.tail)
		if (environment->pair.head->pair.head == symbol)
			return environment->pair.head;
	return NULL;
}

static struct value *look_up(struct value *symbol, struct value *environment)
{
	struct value *binding = find_binding(symbol, environment);
	if (binding)
		return binding->pair.tail;
	if (!symbol->symbol.global)
		fail("an unbound symbol", symbol);
	return symbol->symbol.global;
}

static struct value *bind(struct value *symbol, struct value *value, struct value *environment)
{
	return make_pair(make_pair(symbol, value), environment);
}

static struct value *bind_all(
	struct value *symbols, struct value *values, struct value *environment)
{
	for (; symbols->kind == KIND_PAIR; symbols = symbols->pair.tail) {
		environment = bind(symbols->pair.head, head_of(values), environment);
		values = values->pair.tail;
	}
	if (values->kind != KIND_NIL)
		fail("too many arguments", values);
	return environment;
}

static struct value *step_sequence(struct frame *frame, struct value *body)
{
	for (; tail_of(body)->kind == KIND_PAIR; body = body->pair.tail)
		eval(body->pair.head, frame->environment);
	frame->expression = body->pair.head;
	return NULL;
}

static struct value *step_if(struct frame *frame, struct value *rest)
{
	struct value *branches = tail_of(rest);
	if (eval(head_of(rest), frame->environment)->kind == KIND_NIL)
		branches = tail_of(branches);
	if (branches->kind == KIND_NIL)
		return &nil;
	frame->expression = branches->pair.head;
	return NULL;
}

static struct value *step_cond(struct frame *frame, struct value *clauses)
{
	for (; clauses->kind == KIND_PAIR; clauses = clauses->pair.tail) {
		struct value *clause = clauses->pair.head;
		if (eval(head_of(clause), frame->environment)->kind != KIND_NIL)
			return step_sequence(frame, tail_of(clause));
	}
	return &nil;
}

static struct value *step_logic(struct frame *frame, struct value *rest, bool stop_at_nil)
{
	for (; tail_of(rest)->kind == KIND_PAIR; rest = rest->pair.tail) {
		struct value *value = eval(rest->pair.head, frame->environment);
		if ((value->kind == KIND_NIL) == stop_at_nil)
			return value;
	}
	frame->expression = rest->pair.head;
	return NULL;
}

static struct value *step_let(struct frame *frame, struct value *rest)
{
	for (struct value *pair = head_of(rest); pair->kind == KIND_PAIR; pair = pair->pair.tail) {
		struct value *symbol = head_of(pair->pair.head);
		struct value *value = eval(head_of(tail_of(pair->pair.head)), frame->environment);
		frame->environment = bind(symbol, value, frame->environment);
	}
	return step_sequence(frame, tail_of(rest));
}

static struct value *step_define(struct frame *frame, struct value *rest)
{
	struct value *target = head_of(rest);
	if (target->kind == KIND_PAIR) {
		struct value *symbol = target->pair.head;
		symbol->symbol.global =
			make_closure(target->pair.tail, tail_of(rest), frame->environment);
		return symbol;
	}
	if (target->kind != KIND_SYMBOL)
		fail("define needs a symbol", target);
	target->symbol.global = eval(head_of(tail_of(rest)), frame->environment);
	return target;
}

static struct value *step_set(struct frame *frame, struct value *rest)
{
	struct value *value = eval(head_of(tail_of(rest)), frame->environment);
	struct value *binding = find_binding(head_of(rest), frame->environment);
	if (binding)
		binding->pair.tail = value;
	else
		head_of(rest)->symbol.global = value;
	return value;
}

static void evaluate_arguments(struct frame *frame)
{
	struct value **end = &frame->arguments;
	*end = &nil;
	struct value *rest = frame->expression->pair.tail;
	for (; rest->kind == KIND_PAIR; rest = rest->pair.tail) {
		struct value *value = eval(rest->pair.head, frame->environment);
		*end = make_pair(value, &nil);
		end = &(*end)->pair.tail;
	}
}

static struct value *step_call(struct frame *frame)
{
	frame->function = eval(frame->expression->pair.head, frame->environment);
	evaluate_arguments(frame);
	heap_collect_if_due();
	struct value *function = frame->function;
	switch (function->kind) {
	case KIND_PRIMITIVE:
		return function->primitive.apply(frame->arguments);
	case KIND_CLOSURE:
		frame->environment = bind_all(function->closure.parameters, frame->arguments,
			function->closure.environment);
		return step_sequence(frame, function->closure.body);
	default:
		fail("a call of something that is no function", function);
	}
}

static struct value *step_pair(struct frame *frame)
{
	struct value *head = frame->expression->pair.head;
	struct value *rest = frame->expression->pair.tail;
	switch (head->kind == KIND_SYMBOL ? head->symbol.form : FORM_CALL) {
	case FORM_QUOTE:
		return head_of(rest);
	case FORM_IF:
		return step_if(frame, rest);
	case FORM_COND:
		return step_cond(frame, rest);
	case FORM_AND:
		return step_logic(frame, rest, true);
	case FORM_OR:
		return step_logic(frame, rest, false);
	case FORM_BEGIN:
		return step_sequence(frame, rest);
	case FORM_LET:
		return step_let(frame, rest);
	case FORM_LAMBDA:
		return make_closure(head_of(rest), tail_of(rest), frame->environment);
	case FORM_DEFINE:
		return step_define(frame, rest);
	case FORM_SET:
		return step_set(frame, rest);
	case FORM_CALL:
		break;
	}
	return step_call(frame);
}

struct value *eval(struct value *expression, struct value *environment)
{
	if (expression->kind == KIND_SYMBOL)
		return look_up(expression, environment);
	if (expression->kind != KIND_PAIR)
		return expression;

	struct frame frame = {expression, environment, NULL, NULL, heap_frames};
	struct value *value = NULL;
	heap_frames = &frame;
	while (!value) {
		if (frame.expression->kind == KIND_PAIR)
			value = step_pair(&frame);
		else
			value = eval(frame.expression, frame.environment);
	}
	heap_frames = frame.parent;
	return value;
}

void install_forms(void)
{
	static const struct {
		const char *name;
		enum form form;
	} forms[] = {{"quote", FORM_QUOTE}, {"if", FORM_IF}, {"cond", FORM_COND}, {"and", FORM_AND},
		{"or", FORM_OR}, {"begin", FORM_BEGIN}, {"let", FORM_LET}, {"lambda", FORM_LAMBDA},
		{"define", FORM_DEFINE}, {"set!", FORM_SET}};
	for (size_t index = 0; index < sizeof forms / sizeof *forms; index++)
		intern(forms[index].name, strlen(forms[index].name))->symbol.form =
			forms[index].form;
	intern("t", 1)->symbol.global = intern("t", 1);
}
