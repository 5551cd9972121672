/* Left out on purpose: what allocates, because programs bring allocators of their own; what reads
 * or writes streams, which may call functions of the program; and what takes a function. */
#include "llvm/emit/silent_calls.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "llvm/subject/subject.h"

/* Sorted. */
static const char *const names[] = {"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
	"__errno_location", "__stack_chk_fail", "abs", "acos", "acosf", "acosh", "asin", "asinf",
	"asinh", "atan", "atan2", "atan2f", "atanf", "atanh", "atof", "atoi", "atol", "atoll",
	"bcmp", "cbrt", "ceil", "ceilf", "copysign", "cos", "cosf", "cosh", "erf", "erfc", "exp",
	"exp2", "expf", "expm1", "fabs", "fabsf", "ffs", "floor", "floorf", "fma", "fmax", "fmaxf",
	"fmin", "fminf", "fmod", "fmodf", "frexp", "hypot", "ilogb", "isalnum", "isalpha",
	"isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
	"isupper", "isxdigit", "labs", "ldexp", "lgamma", "llabs", "llround", "log", "log10",
	"log1p", "log2", "logb", "logf", "lrint", "lround", "memchr", "memcmp", "memcpy", "memmove",
	"mempcpy", "memrchr", "memset", "modf", "nearbyint", "pow", "powf", "rawmemchr",
	"remainder", "rint", "round", "roundf", "scalbn", "sin", "sinf", "sinh", "sqrt", "sqrtf",
	"stpcpy", "stpncpy", "strcasecmp", "strcat", "strchr", "strchrnul", "strcmp", "strcpy",
	"strcspn", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strnlen", "strpbrk",
	"strrchr", "strspn", "strstr", "strtod", "strtok", "strtol", "strtoll", "strtoul",
	"strtoull", "tan", "tanf", "tanh", "tgamma", "tolower", "toupper", "trunc", "truncf"};

static int compare(const void *name, const void *element)
{
	return strcmp(name, *(const char *const *)element);
}

bool wm_call_is_silent(LLVMValueRef caller, LLVMValueRef function)
{
	static const char attribute[] = "no-builtins";
	size_t bytes;
	if (!LLVMIsDeclaration(function) ||
		LLVMGetStringAttributeAtIndex(
			caller, LLVMAttributeFunctionIndex, attribute, sizeof attribute - 1))
		return false;
	const char *name = LLVMGetValueName2(function, &bytes);
	return bsearch(name, names, sizeof names / sizeof *names, sizeof *names, compare) != NULL;
}
