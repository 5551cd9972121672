/* A Valgrind tool: the hardware path profiler behind any program.
 *
 * Valgrind's licence (GPL, version 2 or later) holds for the executable that this is linked into. The
 * sources are Waymark's. `waymark hpp` starts it and says everything: the tool itself prints nothing.
 */
#include <pub_tool_basics.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_tooliface.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>
#include "valgrind/tool.h"

/* Of Valgrind's core, which tools are linked with: a descriptor that programs do not see. */
extern Int VG_(safe_fd)(Int old);

struct wm_tool_options wm_tool = {.children = True, .status = -1, .stream = -1};

/* One basic block is one translation, whatever the user says. */
static void keep_blocks_apart(void)
{
	VG_(clo_vex_control).guest_chase = False;
	VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

/* Numbers with commas between them. */
static Bool take_numbers(const HChar *text, uint32_t *numbers, UInt count)
{
	for (UInt i = 0; i < count; i++) {
		HChar *end;
		Long number = VG_(strtoll10)(text, &end);
		if (end == text || *end != (i + 1 < count ? ',' : 0))
			return False;
		numbers[i] = (uint32_t)number;
		text = end + 1;
	}
	return True;
}

/* depth, spill, counter bits, queues, limit, entries, ways, index, policy */
static Bool take_profiler(const HChar *text)
{
	uint32_t number[9];
	struct wm_profiler_options *options = &wm_tool.profiler;
	if (!take_numbers(text, number, 9))
		return False;
	options->depth = number[0];
	options->spill = number[1];
	options->counter_bits = (uint8_t)number[2];
	options->queues = number[3];
	options->limit = number[4];
	options->table = (struct wm_hot_shape){
		number[5], number[6], (uint8_t)number[7], (uint8_t)number[8], 0, false};
	return wm_hot_shape_check(&options->table) == NULL;
}

/* Three caches of bytes, ways and line; width, cycles, power, predictor. */
static Bool take_machine(const HChar *text)
{
	uint32_t n[18];
	if (!take_numbers(text, n, 18))
		return False;
	wm_tool.modelled = True;
	wm_tool.machine = (struct wm_machine_shape){.l1i = {n[0], n[1], n[2]},
		.l1d = {n[3], n[4], n[5]},
		.l2 = {n[6], n[7], n[8]},
		.width = n[9],
		.l2_cycles = n[10],
		.memory_cycles = n[11],
		.misprediction_cycles = n[12],
		.power = {n[13], n[14], n[15], n[16]},
		.small_predictor = n[17]};
	return wm_machine_check(&wm_tool.machine) == NULL;
}

/* Behind --wm-machine: caches of which only misses are counted. */
static Bool take_other_l2(const HChar *text)
{
	uint32_t n[3 * WM_HPP_OTHERS];
	if (!take_numbers(text, n, 3 * WM_HPP_OTHERS))
		return False;
	for (UInt i = 0; i < WM_HPP_OTHERS; i++)
		wm_tool.machine.other[i] =
			(struct wm_cache_shape){n[3 * i], n[3 * i + 1], n[3 * i + 2]};
	wm_tool.machine.others = WM_HPP_OTHERS;
	return wm_machine_check(&wm_tool.machine) == NULL;
}

static Bool take_option(const HChar *argument)
{
	const HChar *text;
	if (VG_STR_CLO(argument, "--wm-control", text))
		return wm_control_decode(VG_(strtoull16)(text, NULL), &wm_tool.profiler.control) ==
		       NULL;
	if (VG_STR_CLO(argument, "--wm-profiler", text))
		return take_profiler(text);
	if (VG_STR_CLO(argument, "--wm-other-l2", text))
		return take_other_l2(text);
	if (VG_STR_CLO(argument, "--wm-machine", text))
		return take_machine(text);
	if (VG_STR_CLO(argument, "--wm-file", wm_tool.file)) {
	} else if (VG_BOOL_CLO(argument, "--wm-children", wm_tool.children)) {
	} else if (VG_INT_CLO(argument, "--wm-status", wm_tool.status)) {
	} else if (VG_INT_CLO(argument, "--wm-stream", wm_tool.stream)) {
	} else {
		return False;
	}
	return True;
}

static void print_usage(void)
{
	VG_(printf)("    `waymark hpp` starts this tool and sets its options\n");
}

static void print_debug_usage(void)
{
}

static Int hide(Int descriptor)
{
	struct vg_stat info;
	if (descriptor < 0 || VG_(fstat)(descriptor, &info) != 0)
		return -1;
	return VG_(safe_fd)(descriptor);
}

/* What was exec'ed has the options of what was before, but not its descriptors. */
static void after_options(void)
{
	keep_blocks_apart();
	wm_tool.status = hide(wm_tool.status);
	wm_tool.stream = hide(wm_tool.stream);
	HChar program[4096];
	VG_(client_fname)(program, sizeof program, False);
	wm_text_add(program);
	wm_drain_start();
	wm_write_start();
}

static void start_code(ThreadId thread, ULong blocks)
{
	(void)blocks;
	wm_drain_thread(thread);
}

static void deliver(ThreadId thread, Int signal, Bool other_stack)
{
	(void)signal;
	(void)other_stack;
	wm_drain_signal(thread);
}

static void return_from(ThreadId thread, Int signal)
{
	(void)signal;
	wm_drain_sigreturn(thread);
}

static void before_fork(ThreadId thread)
{
	wm_drain_thread(thread);
	wm_drain();
}

static void in_child(ThreadId thread)
{
	(void)thread;
	if (!wm_tool.children)
		wm_tool.file = NULL;
	wm_drain_forked();
	wm_write_forked();
}

/* A program that is replaced has no end: what is known of it by then is written. */
static void before_call(ThreadId thread, UInt number, UWord *arguments, UInt count)
{
	(void)arguments;
	(void)count;
	if (number != __NR_execve && number != 322 /* execveat */)
		return;
	wm_drain_thread(thread);
	wm_drain();
	wm_write();
}

static void after_call(ThreadId thread, UInt number, UWord *arguments, UInt count, SysRes result)
{
	(void)thread;
	(void)number;
	(void)arguments;
	(void)count;
	(void)result;
}

static void at_end(Int status)
{
	(void)status;
	wm_drain_finish();
	wm_write();
}

static void before_options(void)
{
	VG_(details_name)("waymark-hpp");
	VG_(details_version)(NULL);
	VG_(details_description)("the hardware path profiler");
	VG_(details_copyright_author)("Waymark; Valgrind's licence holds for this executable");
	VG_(details_bug_reports_to)("the maintainers of Waymark");
	VG_(details_avg_translation_sizeB)(300);
	VG_(basic_tool_funcs)(after_options, wm_instrument, at_end);
	VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
	VG_(needs_syscall_wrapper)(before_call, after_call);
	VG_(track_start_client_code)(start_code);
	VG_(track_pre_thread_ll_exit)(wm_drain_thread_exit);
	VG_(track_pre_deliver_signal)(deliver);
	VG_(track_post_deliver_signal)(return_from);
	VG_(atfork)(before_fork, NULL, in_child);
	wm_tool.profiler = wm_profiler_defaults;
	wm_tool.machine = wm_machine_thesis;
	keep_blocks_apart();
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
