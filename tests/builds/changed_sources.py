#!/usr/bin/env python3
"""A source that is no longer what the program was built from gets one line; counts are shown all the same.

usage: changed_sources.py --waymark=PATH [unittest arguments]
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases
import harness

LINKERS = ("bfd", "lld", "gold")
HEADER = "static int twice(int x)\n{\n\treturn 2 * x;\n}\n"
PROGRAM = """#include <stdio.h>
#include "twice.h"
__attribute__((noinline)) int look(int x)
{
	if (x % 3 == 0) {
		__asm__ volatile("");
		return twice(x);
	}
	return x;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 9; i++)
		sum += look(i);
	printf("%d\\n", sum);
	return 0;
}
"""
LATER = 2**32


class Sources(cases.Case):
    def build(self, *words, compile_words=("-g",)):
        os.makedirs(self.path("src"), exist_ok=True)
        self.write("src/program.c", PROGRAM)
        self.write("src/twice.h", HEADER)
        self.succeed("cc", harness.LINKER, "-O1", *compile_words, "src/program.c", "-o", "program", *words)
        self.assertEqual(self.execute("./program"), (0, "45\n", ""))

    def touch(self, name):
        os.utime(self.path(name), (LATER, LATER))

    def said(self, name, what):
        word = {"changed": "has changed since %s was built", "newer": "is newer than %s"}[what]
        return "%s %s: its lines may not fit" % (os.path.join(self.directory, "src", name),
                                                 word % self.path("program"))

    def commands(self):
        """Those that show text or tell of lines, each with what shows that it did its work."""
        names = re.findall(r"A path's name is (\S+)ID", self.call("paths", "look")[1])
        return {("annotate",): r"(?m)^ +9: +5:",
                ("report",): r"Functions", ("report", "--lines"): "Hottest lines",
                ("report", "--paths"): "Hot paths", ("report", "--blocks"): "Hottest blocks",
                ("paths", "look"): "possible paths ran",
                ("path", names[0] + "0"): "ran"}

    def assert_warnings(self, expected, *commands):
        """Each command warns once of each of these files, does its work, and ends well."""
        for words, work in self.commands().items():
            if commands and words[0] not in commands:
                continue
            with self.subTest(words=words):
                status, out, err = self.call(*words)
                self.assertEqual(status, 0)
                self.assertRegex(out, work)
                lines = ["waymark: warning: %s: %s" % (words[0], line) for line in expected]
                self.assertEqual(sorted(err.splitlines()), sorted(lines))

    def test_nothing_is_said_of_the_text_that_was_compiled(self):
        self.build()
        self.assert_warnings([])
        self.touch("src/program.c")
        self.touch("src/twice.h")
        self.assert_warnings([])

    def test_a_changed_file_whatever_its_time(self):
        self.build()
        self.write("src/program.c", "\n" + PROGRAM)
        os.utime(self.path("src/program.c"), (1, 1))
        self.assert_warnings([self.said("program.c", "changed")])

    def test_a_changed_header(self):
        self.build()
        self.write("src/twice.h", HEADER + "// more\n")
        self.assert_warnings([self.said("twice.h", "changed")], "annotate")

    def test_a_line_for_each_file(self):
        self.build()
        self.write("src/twice.h", HEADER + "// more\n")
        self.write("src/program.c", PROGRAM + "// more\n")
        self.assert_warnings([self.said(name, "changed") for name in ("twice.h", "program.c")], "annotate")

    def test_a_file_that_was_changed_back(self):
        self.build()
        self.write("src/program.c", "")
        self.write("src/program.c", PROGRAM)
        self.touch("src/program.c")
        self.assert_warnings([])

    def test_units_that_saw_two_texts(self):
        self.build()
        self.write("src/other.c", '#include "twice.h"\nint other(int x) { return twice(x); }\n')
        self.succeed("cc", "-g", "-O1", "-c", "src/program.c", "-o", "program.o")
        self.write("src/twice.h", "// more\n" + HEADER)
        self.succeed("cc", "-g", "-O1", "-c", "src/other.c", "-o", "other.o")
        os.remove(self.path("program"))
        for name in os.listdir(self.directory):
            if name.endswith(".wmk"):
                os.remove(self.path(name))
        self.succeed("cc", harness.LINKER, "program.o", "other.o", "-o", "program")
        self.execute("./program")
        self.assert_warnings([self.said("twice.h", "changed")], "annotate")

    def test_every_form_of_debug_information(self):
        for words in (["-gdwarf-5"], ["-g", "-gdwarf64"], ["-g", "-gz"], ["-g", "-gsplit-dwarf"], ["-g1"]):
            with self.subTest(words=words):
                self.build(compile_words=words)
                self.touch("src/program.c")
                self.assert_warnings([], "annotate")
                self.write("src/program.c", "\n" + PROGRAM)
                os.utime(self.path("src/program.c"), (1, 1))
                self.assert_warnings([self.said("program.c", "changed")], "annotate")

    def test_every_linker(self):
        for linker in LINKERS:
            with self.subTest(linker=linker):
                self.build("-fuse-ld=" + linker)
                self.write("src/program.c", "\n" + PROGRAM)
                self.assert_warnings([self.said("program.c", "changed")], "annotate")

    def test_without_checksums_time_decides(self):
        for words in (["-gdwarf-4"], ["-g"]):
            with self.subTest(words=words):
                self.build(compile_words=words)
                if words == ["-g"]:
                    self.execute("objcopy", "--strip-debug", "program")
                self.assert_warnings([])
                self.touch("src/program.c")
                self.assert_warnings([self.said("program.c", "newer")])

    def test_damaged_line_tables(self):
        """They are as good as none."""
        self.build()
        self.execute("objcopy", "--dump-section", ".debug_line=lines", "program")
        lines = self.read("lines")
        for damage in (b"", lines[:50], b"\xff" * len(lines), lines[:30] + b"\xff" * (len(lines) - 30)):
            with self.subTest(bytes=len(damage)):
                self.write("lines", damage)
                self.execute("objcopy", "--update-section", ".debug_line=lines", "program")
                self.write("src/program.c", "\n" + PROGRAM)
                os.utime(self.path("src/program.c"), (1, 1))
                self.assert_warnings([])

    def test_the_new_side_of_a_comparison(self):
        self.build()
        (old,) = [name for name in os.listdir(self.directory) if name.endswith(".wmk")]
        os.rename(self.path(old), self.path("old.wmk"))
        os.rename(self.path("program"), self.path("old"))
        self.write("src/program.c", PROGRAM.replace("i < 9", "i < 12"))
        self.succeed("cc", harness.LINKER, "-O1", "-g", "src/program.c", "-o", "program")
        self.execute("./program")
        (new,) = [name for name in os.listdir(self.directory) if name.endswith(".wmk") and name != "old.wmk"]
        words = "diff", "--old-binary=old", "old.wmk", new
        self.assertIn("moved", self.succeed(*words))
        self.write("src/program.c", "")
        status, out, err = self.call(*words)
        self.assertEqual((status, err), (0, "waymark: warning: diff: %s\n" % self.said("program.c", "changed")))
        self.assertIn("moved", out)


if __name__ == "__main__":
    cases.main("__main__")
