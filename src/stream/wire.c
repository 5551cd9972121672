#include "stream/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format/hpp_wire.h"

static void tell_branch(const struct wm_stream_sink *sink, const struct wm_hpp_wire *wire)
{
	const struct wm_stream_branch told = {.branch = {.at = wire->at,
						      .after = wire->after,
						      .to = wire->to,
						      .target = wire->target,
						      .stack = wire->stack,
						      .instructions = wire->instructions,
						      .kind = wire->kind,
						      .taken = wire->taken != 0,
						      .counts = wire->counts}};
	if (wire->kind < WM_BRANCH_KINDS)
		sink->branch(sink->context, &told);
	else if (sink->rest)
		sink->rest(sink->context, &told.branch);
}

static bool tell(const struct wm_stream_sink *sink, const struct wm_hpp_wire *wire)
{
	if (wire->kind < WM_BRANCH_KINDS || wire->kind == WM_WIRE_REST)
		tell_branch(sink, wire);
	else if (wire->kind == WM_WIRE_BEGIN && sink->begin)
		sink->begin(sink->context, wire->at);
	else if (wire->kind == WM_WIRE_THREAD && sink->thread)
		sink->thread(sink->context, wire->at);
	else if (wire->kind == WM_WIRE_SIGNAL && sink->signal)
		sink->signal(sink->context, wire->at);
	else if (wire->kind == WM_WIRE_SIGRETURN && sink->sigreturn)
		sink->sigreturn(sink->context);
	else if (wire->kind == WM_WIRE_END_THREAD && sink->end_thread)
		sink->end_thread(sink->context);
	return wire->kind < WM_BRANCH_KINDS ||
	       (wire->kind >= WM_WIRE_BEGIN && wire->kind <= WM_WIRE_REST);
}

int wm_wire_read(int descriptor, const struct wm_stream_sink *sink, struct wm_error *error)
{
	static struct wm_hpp_wire wire[2048];
	char *bytes = (char *)wire;
	size_t held = 0;
	for (;;) {
		ssize_t got = read(descriptor, bytes + held, sizeof wire - held);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wm_error_set(error, WM_ERROR_SYSTEM, "cannot read the branches: %s",
				strerror(errno));
		if (got == 0)
			return 0; /* an incomplete record is that of a process that was killed */
		held += (size_t)got;
		size_t count = held / sizeof *wire;
		for (size_t i = 0; i < count; i++)
			if (!tell(sink, &wire[i]))
				return wm_error_set(
					error, WM_ERROR_INPUT, "the stream of branches is damaged");
		held -= count * sizeof *wire;
		memmove(bytes, wire + count, held);
	}
}
