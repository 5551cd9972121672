#!/usr/bin/env python3
"""What `waymark count` prints and keeps. What the program does is worked out here from its text: its
variables are volatile and its functions are not inlined, so that the code does what the text says.

usage: count_command.py --waymark=PATH [unittest arguments]
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import harness

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static volatile int first, second;
__attribute__((noinline)) void copy(int times)
{
	for (int i = 0; i < times; i++)
		first = second;
}
__attribute__((noinline)) void *take(size_t bytes)
{
	return malloc(bytes);
}
static inline int read_both(void)
{
	return first + second;
}
int main(int argc, char **argv)
{
	copy((int)strtol(argv[1], NULL, 10));
	for (int i = 0; i < 7; i++)
		free(take((size_t)i + 1));
	void *(*volatile by_pointer)(size_t) = take;
	free(by_pointer(1));
	if (argc > 2)
		exit((int)strtol(argv[2], NULL, 10));
	return read_both() < 0;
}
"""
LINES = {"copy": 7, "read_both": 15}
MODES = [["--profile=edges"], ["--profile=blocks"], [], ["--paths=classic"],
         ["--profile=edges", "--at=early"], ["--profile=edges+context"]]
# Where `here` lies differs from run to run, and how often `hash` goes around its loop with it.
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
CLOCK = """#include <time.h>
static volatile int sink;
int main(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	for (long i = now.tv_nsec / 1000 % 1000; i >= 0; i--)
		sink++;
	return 0;
}
"""


class Count(cases.Case):
    def build(self, *words, text=PROGRAM):
        self.write("program.c", text)
        self.succeed("cc", "-g", "-O1", "-fno-builtin-malloc", *words, "program.c", "-o", "program")

    def document(self, *words):
        return json.loads(self.succeed("count", "--json", *words))

    def function(self, document, name):
        found = next(f for f in document["functions"] if f["name"] == name)
        return dict(zip(document["kinds"], found["counts"]), entered=found["entered"])

    def test_counts_are_those_of_the_text(self):
        for words in MODES:
            with self.subTest(words=words):
                self.build(*words)
                events = "--events=instructions,loads,stores,branches,calls,calls:take,calls:free,blocks"
                document = self.document(events, "--", "./program", "40")
                copy = self.function(document, "copy")
                early = "--at=early" in words  # variables are in memory, and the loop tests at its head
                if not early:
                    self.assertEqual((copy["loads"], copy["stores"], copy["calls"]), (40, 40, 0))
                    self.assertEqual(self.function(document, "main")["loads"], 4)  # argv[1], the pointer, two
                self.assertIn(copy["branches"], (40, 41))
                main = self.function(document, "main")
                truth = (1 + 1 + 7 + 7 + 1 + 1 + early, 7, 8)  # early, read_both is not inlined
                counted = main["calls"], main["calls:take"], main["calls:free"]
                if "--profile=blocks" in words:  # then exit is not told from a return
                    for count, true in zip(counted, truth):
                        low, high = count if isinstance(count, list) else (count, count)
                        self.assertTrue(low <= true <= high, (count, true))
                else:
                    self.assertEqual(counted, truth)
                take = self.function(document, "take")
                self.assertEqual((take["entered"], take["calls"], take["calls:take"]), (8, 8, 0))
                for k, kind in enumerate(document["kinds"]):
                    counts = [f["counts"][k] for f in document["functions"]]
                    lows = [count[0] if isinstance(count, list) else count for count in counts]
                    total = document["totals"][k]
                    self.assertEqual(total[0] if isinstance(total, list) else total, sum(lows), kind)

    def test_instructions_are_those_of_reports(self):
        self.build()
        self.execute("./program", "5")
        report = json.loads(self.succeed("report", "--json", "program"))
        counts = {f["name"]: f["counts"][0] for f in self.document("program")["functions"]}
        self.assertEqual(counts, {f["name"]: f["instructions"] for f in report["functions"]})

    def table(self, by, *words):
        """Rows by the cell in front of the last, and the totals of the first kind."""
        out = self.succeed("count", "--by=" + by, "--top=1000", *words)
        totals, rows = out.split("\n\n")
        cells = [line.split() for line in rows.splitlines()[2:]]
        return {row[2]: int(row[1].replace(",", "")) for row in cells}, int(totals.splitlines()[1].split()[0])

    def test_lines(self):
        """An inlined function's line counts where its text is; what has no line is a row, too."""
        self.build("--profile=edges")
        self.execute("./program", "40")
        lines, total = self.table("line", "--events=loads", "program")
        self.assertEqual(lines["program.c:%d" % LINES["copy"]], 40)
        self.assertEqual(lines["program.c:%d" % LINES["read_both"]], 2)
        self.assertEqual(sum(lines.values()), total)
        for kind in ("instructions", "blocks", "calls", "stores", "branches"):
            lines, total = self.table("line", "--events=" + kind, "program")
            self.assertEqual(sum(lines.values()), total, kind)
            files, total_again = self.table("file", "--events=" + kind, "program")
            self.assertEqual((files, total_again), ({"program.c": total}, total))

    def test_paths(self):
        """Executions of a path times what one does are what its function does."""
        self.build()
        document = self.document("--", "./program", "40")
        for function in document["functions"]:
            self.assertTrue(function["paths_known"])
            for k in range(5):  # all but calls
                self.assertEqual(function["counts"][k],
                                 sum(p["count"] * p["each"][k] for p in function["paths"]))
        copy = next(f for f in document["functions"] if f["name"] == "copy")
        self.assertTrue(any("i < times → yes" in p["decisions"] for p in copy["paths"]), copy)

    def test_command(self):
        """Its output and status are its own, counts go to standard error, and no file is left."""
        self.build("--profile=edges")
        self.execute("./program", "1")
        before = self.files()
        status, out, err = self.call("count", "--", "./program", "3", "9")
        self.assertEqual((status, out), (9, ""))
        self.assertRegex(err, r"\Aprogram: 1 run, build-id [0-9a-f]+\n +[0-9,]+  instructions\n")
        status, out, err = self.call("count", "--", "sh", "-c", "./program 3; kill -TERM $$")
        self.assertEqual((status, out), (128 + 15, ""))
        self.assertEqual(self.files(), before)
        self.assertEqual([name for name in os.listdir("/tmp") if name.startswith("waymark-") and
                          os.path.isfile("/tmp/%s/%s" % (name, os.path.basename(self.path("x"))))], [])

    def test_kills_and_threads_cost_the_same(self):
        self.build("--profile=edges")
        counts = {self.succeed("count", "--json", "--", "./program", "40") for _ in range(25)}
        self.assertEqual(len(counts), 1)

    def test_repeat(self):
        self.build("--profile=edges")
        status, _, err = self.call("count", "--repeat=5", "--by=program", "--", "./program", "3", "4")
        self.assertEqual(status, 4)
        self.assertIn("\n5 runs: all counts were the same each time\n", err)

    def test_addresses_vary(self):
        """Twelve runs of the same number of ones each are unlikely enough."""
        self.build("--profile=edges", "-fPIE", "-pie", text=ADDRESSES)
        status, _, err = self.call("count", "--repeat=12", "--save=base.json", "--", "./program")
        if "all counts were the same" in err and open("/proc/sys/kernel/randomize_va_space").read() == "0\n":
            self.skipTest("this host does not move addresses")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"\n12 runs: 1 function varied; [^\n]*\n  hash: \S+ to \S+ instructions")
        self.assertIn("With fixed addresses (setarch -R) no count varies", err)
        document = json.loads(self.read("base.json"))
        self.assertEqual({f["name"]: f["varies"] for f in document["functions"]},
                         {"hash": True, "main": False})

    def test_clocks_vary(self):
        self.build("--profile=edges", text=CLOCK)
        _, _, err = self.call("count", "--repeat=8", "--", "./program")
        self.assertRegex(err, r"\n8 runs: 1 function varied; [^\n]*\n  main: [^\n]*; calls clock_gettime\n")
        self.assertIn("Also with fixed addresses: the calls named above", err)

    def test_save_takes_the_place_of_a_file(self):
        self.build()
        self.write("base.json", "old")
        os.chmod(self.path("base.json"), 0o640)
        self.call("count", "--save=base.json", "--", "./program", "3")
        self.assertEqual(json.loads(self.read("base.json"))["schema"], "counts")
        self.assertEqual(os.stat(self.path("base.json")).st_mode & 0o777, 0o640)
        self.assertEqual([name for name in self.files() if name.startswith("base.json.")], [])

    def test_several_programs(self):
        self.build()
        self.write("other.c", "int main(void) { return 0; }")
        self.succeed("cc", "-O1", "other.c", "-o", "other")
        both = ("--", "sh", "-c", "./program 2; ./other")
        _, _, err = self.call("count", "--by=program", *both)
        self.assertRegex(err, r"(?s)other: 1 run.*\n\n?program: 1 run|program: 1 run.*\n\n?other: 1 run")
        status, out, err = self.call("count", "--json", *both)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"\Awaymark: count: several programs ran \((other, program|program, other)\): "
                              r"name one with --program=NAME\n\Z")
        self.assertEqual(self.document("--program=other", *both)["program"], self.path("other"))

    def test_refusals(self):
        self.build_hello()
        self.assert_one_line_refusal(["count", "--events=lods", "hello"], "'lods'", "did you mean loads?")
        self.assert_one_line_refusal(["count", "--events=zzz", "hello"], "'zzz'", "there are instructions")
        self.assert_one_line_refusal(["count", "--events=", "hello"], "''", "there are instructions")
        self.assert_one_line_refusal(["count", "--by=lines", "hello"], "--by='lines'", "use line")
        self.assert_one_line_refusal(["count", "--repeat=3", "hello"], "--repeat", "behind --")
        self.assert_one_line_refusal(["count", "--repeat=0", "--", "./hello"], "--repeat")
        self.assert_one_line_refusal(["count", "hello", "--", "./hello"], "'hello'", "too many")
        self.assert_one_line_refusal(["count", "--"], "name a command")
        self.assert_one_line_refusal(["count", "--", "true"], "'true' ran no program built with waymark cc")
        self.assert_one_line_refusal(["count", "--save=no/such/folder", "hello"], "no/such/folder")
        status, out, err = self.call("count", "--", "./not-there")
        self.assertEqual((status, out), (127, ""))
        self.assertRegex(err, r"\Awaymark: cannot run './not-there': No such file[^\n]*\n")


if __name__ == "__main__":
    cases.main("__main__")
