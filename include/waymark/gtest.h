/* GoogleTest: each test is a label, SUITE.TEST. Include this in one source of the test program. */
#ifndef WAYMARK_GTEST_H
#define WAYMARK_GTEST_H

#include <string>

#include <gtest/gtest.h>

#include "waymark.h"

namespace waymark {

class Listener : public testing::EmptyTestEventListener {
	void OnTestStart(const testing::TestInfo &test) override
	{
		waymark_label((std::string(test.test_suite_name()) + "." + test.name()).c_str());
	}

	void OnTestEnd(const testing::TestInfo &test) override
	{
		waymark_outcome(test.result()->Failed());
		waymark_label(nullptr);
	}
};

static const bool is_listening =
	(testing::UnitTest::GetInstance()->listeners().Append(new Listener), true);

} // namespace waymark

#endif
