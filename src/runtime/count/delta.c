/* The delta is the base of the gs register in a program, and a thread-local variable in a library
 * and in a program's position-independent code; so in a program it is set in both.
 */
#define _GNU_SOURCE
#include "runtime/count/delta.h"

#include <asm/hwcap2.h>
#include <asm/prctl.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "runtime/state.h"
#include "runtime/system.h"

__thread int64_t __waymark_delta;

/* Defined where code of a program is linked in, which counts through the gs register. */
extern const char *const __waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC
	__attribute__((weak));

int wm_delta_is_in_segment(void)
{
	return wm_state.object.is_program &&
	       &__waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC != NULL;
}

/* The instructions for it take any base. The system call refuses a negative one, which counters
 * mapped below the program need, and a sandbox may refuse the call. */
static int has_gs_instructions(void)
{
	return (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}

static int set_gs(int64_t base)
{
	if (!has_gs_instructions())
		return WM_CALL_2(arch_prctl, ARCH_SET_GS, base) ? -1 : 0;
	__asm__ volatile("wrgsbase %0" : : "r"(base));
	return 0;
}

static int64_t get_gs(void)
{
	int64_t base = 0;
	if (has_gs_instructions())
		__asm__ volatile("rdgsbase %0" : "=r"(base));
	else
		WM_CALL_2(arch_prctl, ARCH_GET_GS, &base);
	return base;
}

int wm_delta_set(int64_t delta)
{
	__waymark_delta = delta;
	return wm_delta_is_in_segment() ? set_gs(delta) : 0;
}

void wm_delta_set_inherited(int64_t delta)
{
	if (wm_delta_is_in_segment())
		set_gs(delta);
}

int64_t wm_delta_get(void)
{
	return wm_delta_is_in_segment() ? get_gs() : __waymark_delta;
}
