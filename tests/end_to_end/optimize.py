#!/usr/bin/env python3
"""`waymark cc --optimize`: what an earlier run did is told to LLVM, and nothing is counted.

usage: optimize.py --waymark=PATH [unittest arguments]

The numbers of the program below are reckoned by hand, and read from LLVM's text of its optimised code.
"""
import os
import re

import cases

PROGRAM = """#include <stdio.h>
static volatile int done;
__attribute__((noinline)) void seldom(int x)
{
	if (x % 10 == 3)
		done += x;
	else
		done ^= x;
}
__attribute__((noinline)) void never(int x)
{
	if (x > 3)
		done = 4;
	done++;
}
__attribute__((noinline)) void other(int x)
{
	if (x > CHANGED)
		done *= 3;
EXTRA
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 200; i++)
		seldom(i);
	for (int i = 0; i < 7; i++)
		other(i);
	if (argc > 5)
		never(argc);
	return argv == 0;
}
"""


def program(extra=""):
    return PROGRAM.replace("EXTRA", extra).replace("CHANGED", "2")


class Optimize(cases.Case):
    def collect(self, *words):
        self.write("program.c", program())
        self.succeed("cc", "-O2", "-g", "--file=p.wmk", *words, "program.c", "-o", "program")
        self.assertEqual(self.execute("./program"), (0, "", ""))

    def optimise(self, *words, name="program.c"):
        """What was said, and LLVM's text."""
        status, out, err = self.call("cc", "-O2", "-g", "--optimize=p.wmk", *words, "-S", "-emit-llvm", name, "-o", "out.ll")
        self.assertEqual((status, out), (0, ""), err)
        return err, self.read("out.ll").decode()

    def entries(self, text):
        """By function: how often it was entered, as LLVM was told."""
        counts = dict(re.findall(r'^(!\d+) = !\{!"function_entry_count", i64 (\d+)\}', text, re.M))
        return {name: int(counts[number]) for name, number in
                re.findall(r"^define [^\n]*@(\w+)\([^\n]* !prof (!\d+)", text, re.M)}

    def weights(self, text, function):
        profs = dict(re.findall(r'^(!\d+) = !\{!"branch_weights", (.*)\}', text, re.M))
        body = re.search(r"^define [^\n]*@%s\(.*?^\}" % function, text, re.M | re.S).group(0)
        return [sorted(int(x) for x in re.findall(r"i32 (\d+)", profs[prof]))
                for prof in re.findall(r"br i1 .*!prof (!\d+)", body)]

    def test_llvm_is_told_entries_and_branches(self):
        for mode in ("edges", "paths"):
            self.collect("--profile=" + mode)
            said, text = self.optimise()
            os.remove(self.path("p.wmk"))
            self.assertEqual(said, "")
            self.assertEqual(self.entries(text), {"seldom": 200, "never": 0, "other": 7, "main": 1})
            (low, high), = self.weights(text, "seldom")
            self.assertAlmostEqual(low / high, 20 / 180, delta=0.001)
            (low, high), = self.weights(text, "other")
            self.assertAlmostEqual(low / high, 3 / 4, delta=0.001)

    def test_nothing_is_counted(self):
        self.collect()
        self.succeed("cc", "-O2", "-g", "--optimize=p.wmk", "program.c", "-o", "fast")
        before = self.files()
        self.assertEqual(self.execute("./fast"), (0, "", ""))
        self.assertEqual(self.files(), before)
        self.assertNotIn(b"__waymark", self.read("fast"))

    def test_changed_functions_are_told_of(self):
        self.collect()
        self.write("program.c", program("\tif (x > 4)\n\t\tdone -= 5;"))
        said, text = self.optimise()
        self.assertEqual(said.count("warning:"), 1, said)
        self.assertIn("3 of 4 functions match", said)
        self.assertEqual(self.entries(text), {"seldom": 200, "never": 0, "main": 1})

    def test_another_program(self):
        self.collect()
        self.write("hello.c", "int work(int x) { return x + 1; }\n")
        said, _ = self.optimise(name="hello.c")
        self.assertEqual(said.count("warning:"), 1, said)
        self.assertIn("0 of 1 functions match", said)

    def test_no_profile(self):
        self.write("program.c", program())
        status, _, err = self.call("cc", "-O2", "--optimize=absent.wmk", "-c", "program.c", "-o", "out.o")
        self.assertEqual(status, 0)
        self.assertEqual(err.count("warning:"), 1, err)
        self.assertIn("absent.wmk", err)

    def test_options_that_do_not_go_together(self):
        self.write("program.c", program())
        for word in ("--use=p.wmk", "--select=main#0", "--at=early"):
            self.assert_one_line_refusal(["cc", "--optimize=p.wmk", word, "-c", "program.c"], word.split("=")[0])


if __name__ == "__main__":
    cases.main(__name__)
