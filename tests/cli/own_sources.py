#!/usr/bin/env python3
"""C++ as people see it: short names, and no sources of libraries whose code was inlined.

usage: own_sources.py --waymark=PATH [unittest arguments]
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

HEADER = """#pragma once
#include <vector>
template <class T> struct Heap {
	std::vector<T> items;
	T biggest() const
	{
		T found = items.front();
		for (const T &item : items)
			if (item > found)
				found = item;
		return found;
	}
};
"""
PROGRAM = """#include <string>
#include "inner/heap.h"
namespace farm {
struct State {
	Heap<int> heap;
	__attribute__((noinline)) int GetNode(int argument, const std::string &name) const;
};
int State::GetNode(int argument, const std::string &name) const
{
	std::string copy = name;
	for (int i = 0; i < argument; i++)
		copy.push_back('x');
	return heap.biggest() + (int)copy.size();
}
}
int main(int argc, char **)
{
	farm::State state;
	for (int i = 0; i < 40; i++)
		state.heap.items.push_back(i * 7 % 11 + argc);
	return state.GetNode(20, "name") != 35;
}
"""


class OwnSources(cases.Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("src/inner"))
        self.write("src/inner/heap.h", HEADER)
        self.write("src/program.cpp", PROGRAM)
        self.succeed("c++", "-g", "-O2", "src/program.cpp", "-o", "program")
        self.assertEqual(self.execute("./program"), (0, "", ""))

    def sources(self, *words):
        return re.findall(r"(?m)^ +-: +0:Source:(.*)$", self.succeed("annotate", *words))

    def test_annotate_leaves_out_libraries(self):
        own = [self.path("src/inner/heap.h"), self.path("src/program.cpp")]
        self.assertEqual(sorted(self.sources()), own)
        everything = self.sources("--inlined")
        self.assertLess(set(own), set(everything))
        self.assertTrue(any(name.startswith("/usr/") for name in everything))
        foreign = next(name for name in everything if name not in own)
        self.assertEqual(self.sources(foreign), [foreign])

    def test_headers_alone_are_shown_when_there_is_nothing_else(self):
        """A program in a system folder would be its own; here only the header has code."""
        self.write("src/only.cpp", '#include "inner/heap.h"\nHeap<int> *made;\n'
                   'int main() { Heap<int> h; h.items.push_back(1); return h.biggest() != 1; }\n')
        self.succeed("c++", "-g", "-O1", "src/only.cpp", "-o", "only")
        self.execute("./only")
        self.assertIn(self.path("src/only.cpp"), self.sources("./only"))

    def test_names_are_short(self):
        report = self.succeed("report")
        self.assertIn("farm::State::GetNode  program.cpp:8", report)
        self.assertNotIn("basic_string<", report)
        names = re.findall(r"farm::State::GetNode#[0-9+]+", report)
        self.assertGreater(len(names), 0)
        for name in names:
            self.assertTrue(self.succeed("path", name).startswith(name + " ran "))
        self.assertIn("farm::State::GetNode#ID", self.succeed("paths", "GetNode"))

    def test_path_leaves_out_libraries(self):
        self.assertIn("\n" + self.path("src/program.cpp") + "\n", self.succeed("path", "GetNode"))
        text = "".join(self.succeed("path", "GetNode#%d" % number) for number in range(4))
        self.assertRegex(text, r" \[\d+ library branch(es)?\]\n")
        self.assertNotIn("in basic_string", text)
        unfolded = "".join(self.succeed("path", "--inlined", "GetNode#%d" % number) for number in range(4))
        self.assertIn("in basic_string", unfolded)
        self.assertNotIn("library branch", unfolded)


if __name__ == "__main__":
    cases.main("__main__")
