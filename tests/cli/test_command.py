#!/usr/bin/env python3
"""What `waymark test` says of budgets. What the program does is worked out here from its text: its
variables are volatile and its functions are not inlined, so that the code does what the text says.

usage: test_command.py --waymark=PATH [unittest arguments]
"""
import os
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

PROGRAM = """#include <stdlib.h>
static volatile int first, second;
__attribute__((noinline)) void copy(int times)
{
	for (int i = 0; i < times; i++)
		first = second;
}
__attribute__((noinline)) void *take(size_t bytes)
{
	if (bytes % 2 == 0)
		second++;
	return malloc(bytes);
}
__attribute__((noinline)) void leave(void)
{
	first++;
}
int main(int argc, char **argv)
{
	copy((int)strtol(argv[1], NULL, 10));
	for (int i = 0; i < 8; i++)
		free(take((size_t)i + 1));
	if (argc > 2)
		exit((int)strtol(argv[2], NULL, 10));
	leave();
	return 0;
}
"""
LINE = {text: number for number, text in enumerate(PROGRAM.splitlines(), 1)}
LOOP, ODD = LINE["		first = second;"], LINE["	if (bytes % 2 == 0)"]
# What is changed, into what, and what the first lines must name: a function, and text of the source
# that the path at fault runs through.
CHANGES = [
    ("i < times;", "i < times + times / 100;", "copy", "i < times + times / 100"),
    ("		second++;", "		for (int k = 0; k < 3; k++)\n			second++;", "take", "k < 3"),
    ("bytes % 2 == 0", "bytes % 4 != 3", "take", "bytes % 4 != 3"),
    ("	return malloc(bytes);", "	if (second > 2)\n		first = second + first;\n	return malloc(bytes);",
     "take", "second > 2"),
    ("i < 8;", "i < 9;", "main", "i < 9"),
]
ADDRESSES = """#include <stdint.h>
__attribute__((noinline)) int hash(const void *place)
{
	int rounds = 0;
	for (uintptr_t left = (uintptr_t)place >> 12; left; left /= 2)
		if (left & 1)
			__asm__ volatile("nop; nop" : "+r"(rounds));
	return rounds;
}
int main(void)
{
	int here;
	return hash(&here) < 0;
}
"""


class Test(cases.Case):
    def build(self, *words, text=PROGRAM):
        self.write("program.c", text)
        self.succeed("cc", "-g", "-O1", "-fno-builtin-malloc", *words, "program.c", "-o", "program")

    def judge(self, *words, times="400", status=None):
        """The status, and the lines said of each budget."""
        got, out, err = self.call("test", "budgets.txt", *words, "--", "./program", times)
        self.assertEqual(out, "")
        if status is not None:
            self.assertEqual(got, status, err)
        return got, err

    def update(self, times="400"):
        status, _, err = self.call("test", "--update", "budgets.txt", "--", "./program", times)
        self.assertEqual(status, 0, err)
        return err

    def test_limits(self):
        """Each budget is kept at the true number, and broken one beside it."""
        budgets = [  # with {} for the number that is true, and in which directions it may be missed
            ("program.c:copy loads <= {}", 400, "up"),
            ("copy loads >= {}", 400, "down"),
            ("loads in copy == {}", 400, "both"),
            ("stores in program == {}", 400 + 4 + 1, "both"),
            ("program.c:%d loads <= {}" % LOOP, 400, "up"),
            ("file program.c stores == {}", 405, "both"),
            ("calls:malloc in take <= {} per call", 1, "up"),
            ("calls:free in main == {}", 8, "both"),
            ("main calls == {}", 1 + 1 + 8 + 8 + 1, "both"),
            ("calls:exit in main == {}", 0, "both")]
        self.build()
        for form, true, misses in budgets:
            self.write("budgets.txt", form.format(true) + "\n")
            self.judge(status=0)
            for wrong in (true - 1, true + 1):
                if wrong >= 0:
                    self.write("budgets.txt", form.format(wrong) + "\n")
                    broken = misses == "both" or (misses == "up") == (wrong < true)
                    _, err = self.judge(status=int(broken))
                    self.assertEqual("FAILED budgets.txt:1: " in err, broken, err)

    def test_all_builds(self):
        for words in (["--profile=edges"], ["--paths=classic"], ["--profile=edges+context"]):
            self.build(*words)
            self.write("budgets.txt", "copy loads == 400\nprogram stores == 405\n")
            self.judge(status=0)

    def test_changes_are_named(self):
        """The first three lines below a broken budget name what was changed."""
        for old, new, function, text in CHANGES:
            self.assertIn(old, PROGRAM)
            for budget in ("program instructions <= base.json", function + " instructions <= base.json"):
                with self.subTest(change=new, budget=budget):
                    self.build()
                    self.write("budgets.txt", budget + "\n")
                    self.update()
                    self.judge(status=0)
                    self.build(text=PROGRAM.replace(old, new))
                    _, err = self.judge(status=1)
                    lines = err.splitlines()
                    self.assertRegex(lines[0], r"\AFAILED budgets.txt:1: ")
                    self.assertRegex(lines[1], r"\A  %s \(program.c:\d+\): changed code, " % function)
                    self.assertIn(text, "\n".join(lines[1:4]))

    def test_a_caller_that_was_changed_is_named(self):
        """The function of the budget is the same, and only runs more often."""
        self.build()
        self.write("budgets.txt", "take instructions <= base.json\n")
        self.update()
        self.build(text=PROGRAM.replace("i < 8;", "i < 9;"))
        _, err = self.judge(status=1)
        self.assertRegex(err, r"\n  take \([^\n]*same code, [^\n]*called 9 times instead of 8\n")
        self.assertRegex(err, r"\n  code that was changed:\n  main \([^\n]*changed code")

    def test_one_percent_is_enough_and_noise_is_none(self):
        self.build("--profile=edges")
        self.write("budgets.txt", "copy instructions within 0.9% of base.json\nprogram loads <= base.json\n")
        self.update("1000")
        for _ in range(20):
            self.judge(times="1000", status=0)
        self.judge(times="1008", status=1)  # the second budget only
        _, err = self.judge(times="1010", status=1)
        self.assertIn("2 of 2 budgets broken", err)
        _, err = self.judge(times="990", status=1)  # less is also another count
        self.assertIn("1 of 2 budgets broken", err)

    def test_input(self):
        """The code is the same, and the command does the same each time."""
        self.build()
        self.write("budgets.txt", "program instructions <= base.json\n")
        self.update()
        _, err = self.judge(times="500", status=1)
        lines = err.splitlines()
        self.assertRegex(lines[1], r"\A  copy \(program.c:3\): same code, \+[0-9]+ instructions; called 1 time as before\Z")
        self.assertRegex(lines[2], r"\A    path moved, ran 499 times instead of 399 \(.*i < times → yes")
        self.assertIn("  the code of all that moved is that of base.json: the input or addresses did it\n", err)
        self.assertIn("The command did the same in 4 runs", err)

    def test_addresses(self):
        self.build("-fPIE", "-pie", text=ADDRESSES)
        with open("/proc/sys/kernel/randomize_va_space") as file:
            if file.read() == "0\n":
                self.skipTest("this host does not move addresses")
        self.write("budgets.txt", "base base.json\nhash instructions == 7\n")
        self.execute("./program")
        self.succeed("count", "--save=base.json", "program")
        for _ in range(8):  # runs can agree by chance
            status, _, err = self.call("test", "budgets.txt", "--", "./program")
            self.assertEqual(status, 1)
            if "the places of memory make the difference" in err:
                break
        self.assertIn("the places of memory make the difference", err)

    def test_update(self):
        """Broken numbers are replaced where they stand, and nothing else changes."""
        self.build()
        before = "# ours\nbase base.json\n  copy loads <= 1_0 # few\ncalls:malloc in take <= 3 per call\n" \
                 "\"take\" calls == 7 # many\nmain loads >= 9_999\ncalls in take <= 0 per call"
        self.write("budgets.txt", before)
        self.assertIn("4 limits changed in budgets.txt; 1 base written", self.update("12345"))
        loads = re.search(rb"main loads >= (\d+)\n", self.read("budgets.txt")).group(1).decode()
        after = before.replace("1_0", "12_345").replace("== 7", "== 8").replace("9_999", loads)
        after = after.replace("<= 0 per", "<= 1 per")
        self.assertEqual(self.read("budgets.txt").decode(), after)
        self.judge(times="12345", status=0)

    def test_update_of_nothing(self):
        self.build()
        self.write("budgets.txt", "cpy loads <= 3\n")
        status, _, err = self.call("test", "--update", "budgets.txt", "--", "./program", "4")
        self.assertEqual(status, 1)
        self.assertRegex(err, r"FAILED budgets.txt:1: cpy loads <= 3: the program has no function 'cpy'; the nearest is copy;")
        self.assertEqual(self.read("budgets.txt"), b"cpy loads <= 3\n")
        self.write("budgets.txt", "copy loads <= 3\n")
        status, _, err = self.call("test", "--update", "budgets.txt", "--", "./program", "4", "9")
        self.assertEqual((status, err), (1, "waymark: test: the command ended with status 9: nothing is updated\n"))
        self.assertEqual(self.read("budgets.txt"), b"copy loads <= 3\n")

    def test_forms(self):
        """JUnit's XML and GitHub's annotations hold what people see."""
        self.build()
        self.write("budgets.txt", "copy loads <= 400\nbase base.json\ncopy loads <= 399\ngone loads <= 1\n")
        self.call("test", "--update", "budgets.txt", "--", "./program", "400")
        self.write("budgets.txt", "copy loads <= 400\nbase base.json\ncopy loads <= 399\ngone loads <= 1\n")
        _, err = self.judge("--junit=out.xml", "--github", status=1)
        suite = xml.etree.ElementTree.fromstring(self.read("out.xml"))[0]
        self.assertEqual((suite.get("name"), suite.get("tests"), suite.get("failures")), ("budgets.txt", "3", "2"))
        self.assertEqual([(c.get("name"), len(c)) for c in suite],
                         [("copy loads <= 400", 0), ("copy loads <= 399", 1), ("gone loads <= 1", 1)])
        self.assertEqual(suite[1][0].get("message"), "400 loads, 0.251% more than is allowed")
        annotations = [line for line in err.splitlines() if line.startswith("::")]
        self.assertEqual(len(annotations), 2)
        self.assertTrue(annotations[0].startswith(
            "::error file=program.c,line=3,title=copy loads <= 399::400 loads, 0.251%25 more than is allowed%0A"),
            annotations[0])
        self.assertTrue(annotations[1].startswith("::error file=budgets.txt,line=4,title=gone loads <= 1::"))

    def test_failing_command(self):
        self.build()
        self.write("budgets.txt", "copy loads <= 400\n")
        status, _, err = self.call("test", "budgets.txt", "--junit=out.xml", "--", "./program", "4", "9")
        self.assertEqual(status, 1)
        self.assertIn("FAILED the command ended with status 9\n", err)
        self.assertEqual(xml.etree.ElementTree.fromstring(self.read("out.xml"))[0].get("failures"), "1")

    def test_another_build(self):
        """Functions are compared by name; what could not be matched is counted."""
        self.build()
        self.write("budgets.txt", "program instructions <= base.json\nleave stores <= 9\n")
        self.update()
        self.build(text=PROGRAM.replace("leave", "left").replace("i < 8;", "i < 9;"))
        _, err = self.judge(status=1)
        self.assertIn("base.json is of another build: 1 of its functions are gone, 1 are new\n", err)
        self.assertIn("FAILED budgets.txt:2: leave stores <= 9: the program has no function 'leave'", err)

    def test_profiles(self):
        """Without a command: a profile, results on standard output."""
        self.build()
        self.execute("./program", "40")
        self.write("budgets.txt", "copy loads == 40\n")
        self.assertEqual(self.succeed("test", "budgets.txt", "program").splitlines()[-1], "1 budget kept")

    def test_refusals(self):
        self.build()
        self.execute("./program", "40")
        for text, *fragments in (
                ("copy lods <= 3", "budgets.txt:2:", "did you mean loads?"),
                ("copy loads < 3", "budgets.txt:2:", "'<=', '>=', '==' or 'within' was expected, not '<'"),
                ("copy loads <= 3_", "a number such as 1_204_331 was expected, not '3_'"),
                ("copy loads <= 3 per turn", "'call' was expected, not 'turn'"),
                ("copy loads <= 3 4", "the end of the line was expected, not '4'"),
                ("program loads <= 3 per call", "'per call' is for functions"),
                ("program loads within 1 of b.json", "a share such as 1% or 0.5% was expected, not '1'"),
                ("copy", "a kind of event, such as instructions was expected"),
                ('"copy loads <= 1', "no closing"),
                ("program loads <=", "a number such as 1_204_331 was expected, not 'the end of the line'")):
            self.write("budgets.txt", "# first\n" + text + "\n")
            self.assert_one_line_refusal(["test", "budgets.txt", "program"], *fragments)
        self.write("budgets.txt", "program loads <= base.json\n")
        status, out, _ = self.call("test", "budgets.txt", "program")
        self.assertEqual(status, 1)
        self.assertIn("there is no base.json: --update makes it", out)
        self.write("base.json", "{}")
        self.assert_one_line_refusal(["test", "budgets.txt", "program"], "'base.json' is no base")
        self.write("base.json", "{")
        self.assert_one_line_refusal(["test", "budgets.txt", "program"], "'base.json' is not JSON")
        self.write("budgets.txt", "")
        self.assert_one_line_refusal(["test", "budgets.txt", "program"], "holds no budget")
        self.assert_one_line_refusal(["test", "absent.txt", "program"], "no file 'absent.txt'")
        self.assert_one_line_refusal(["test"], "name a file with budgets")
        self.assert_one_line_refusal(["test", "budgets.txt", "program", "--", "./program"], "'program'", "too many")


if __name__ == "__main__":
    cases.main("__main__")
