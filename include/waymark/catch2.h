/* Catch2, version 2 or 3: each test case is a label. Include this in one source of the test program,
 * behind Catch2's own header. */
#ifndef WAYMARK_CATCH2_H
#define WAYMARK_CATCH2_H

#include "waymark.h"

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR < 3
namespace waymark {
using ListenerBase = Catch::TestEventListenerBase;
}
#else
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
namespace waymark {
using ListenerBase = Catch::EventListenerBase;
}
#endif

namespace waymark {

struct Listener : ListenerBase {
	using ListenerBase::ListenerBase;

	void testCaseStarting(Catch::TestCaseInfo const &test) override
	{
		waymark_label(test.name.c_str());
	}

	void testCaseEnded(Catch::TestCaseStats const &test) override
	{
		waymark_outcome(!test.totals.assertions.allOk());
		waymark_label(nullptr);
	}
};

CATCH_REGISTER_LISTENER(Listener)

} // namespace waymark

#endif
