#!/usr/bin/env python3
"""`waymark report --time`: samples as `perf script` prints them, made here from the symbols of the program (nm)
and its lines (llvm-symbolizer), so that each share is known beforehand.

usage: time_report.py --waymark=PATH [unittest arguments]
"""
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import json_schemas

PROGRAM = """#include <stdio.h>
__attribute__((noinline)) long heavy(long n)
{
	volatile long sum = 0;
	for (long i = 0; i < n; i++)
		sum += i * i;
	return sum;
}
__attribute__((noinline)) long light(long n)
{
	return n % 3 ? n + 1 : n;
}
long other(long n);
int main(void)
{
	long sum = 0;
	for (long i = 0; i < 50; i++)
		sum += heavy(i) + light(i) + other(i);
	printf("%ld\\n", sum);
	return 0;
}
"""
# A static function of the same name in each file.
OTHER = "__attribute__((noinline)) static long same(long n) { volatile long k = n; return k + %d; }\n" \
        "long %s(long n) { return same(n)%s; }\n"
PERIOD = 250000
BASE = 0x55d0c3a40000  # where the kernel put the program


class TimeReport(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("program.c", PROGRAM)
        self.write("other.c", "long third(long n);\n" + OTHER % (7, "other", " + third(n)"))
        self.write("third.c", OTHER % (9, "third", ""))
        self.succeed("cc", "-g", "-O1", "program.c", "other.c", "third.c", "-o", "program")
        self.assertEqual(self.execute("./program")[0], 0)
        self.symbols = {}
        for line in subprocess.check_output(["nm", "-S", self.path("program")], text=True).splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in "tTwW":
                self.symbols.setdefault(words[3], []).append((int(words[0], 16), int(words[1], 16)))

    def frame(self, symbol, offset=0, which=0, file=None, base=BASE):
        """As perf prints an instruction of the program."""
        start, size = self.symbols[symbol][which]
        assert offset < size
        return "%16x %s+0x%x (%s)" % (base + start + offset, symbol, offset, file or self.path("program"))

    @staticmethod
    def sample(frame, event="task-clock", period=PERIOD, command="program", event_time=itertools.count(1)):
        return "%16s 28643 [001] %5d.%06d: %10d %s: %s\n" % (command, 7770, next(event_time), period, event, frame)

    LIBC = "    7f773b92369e __memset_avx2+0x7e (/usr/lib/x86_64-linux-gnu/libc.so.6)"
    KERNEL = "ffffffff8152d212 do_syscall_64+0x2 ([kernel.kallsyms])"

    def report(self, text, *words):
        self.write("samples.txt", text)
        document = json.loads(self.succeed("report", "--json", "--time=samples.txt", *words))
        json_schemas.read_schema("report").validate(document)
        functions = {function["name"]: function["time"]["samples"] for function in document["functions"]}
        return document, functions

    def mixture(self, form):
        """60 in heavy, 25 in light, 10 in libc, 5 in the kernel."""
        frames = [self.frame("heavy", k % self.symbols["heavy"][0][1]) for k in range(60)] + \
                 [self.frame("light")] * 25 + [self.LIBC] * 10 + [self.KERNEL] * 5
        return "".join(form(frame) for frame in frames)

    def assert_mixture(self, document, functions):
        self.assertEqual((functions["heavy"], functions["light"], functions["main"]), (60, 25, 0))
        time = document["time"]
        self.assertEqual(time["samples"], 100)
        self.assertEqual({row["object"]: row["samples"] for row in time["outside"]},
                         {"libc.so.6": 10, "[kernel.kallsyms]": 5})
        heavy = next(f for f in document["functions"] if f["name"] == "heavy")["time"]
        self.assertAlmostEqual(heavy["share"], 0.6, 6)
        self.assertAlmostEqual(heavy["error"], 1.96 * math.sqrt(0.6 * 0.4 / 100), 5)
        main = next(f for f in document["functions"] if f["name"] == "main")["time"]
        self.assertAlmostEqual(main["error"], 3 / 100, 6)
        self.assertEqual((time["unplaced"]["samples"], time["not_counted"]["samples"]), (0, 0))

    def test_forms(self):
        chain = "\n\t       fd7f0 __libc_start_main+0x10 (/usr/lib/libc.so.6)\n" \
                "\t               0 [unknown] ([unknown])\n\n"
        without_offset = lambda frame: re.sub(r"\+0x[0-9a-f]+ ", " ", frame)
        forms = {
            "default": self.sample,
            "ip,sym,symoff,dso,event,period": lambda f: "%10d task-clock: %s\n" % (PERIOD, f),
            "ip,sym,dso,event,period": lambda f: "%10d task-clock: %s\n" % (PERIOD, without_offset(f)),
            "ip,sym,dso": lambda f: without_offset(f.rjust(60)) + "\n",
            "chains": lambda f: self.sample("").rstrip("\n") + "\n\t" + f + chain,
            "chains of ip,sym,dso": lambda f: "\t" + without_offset(f) + chain,
            "inlined": lambda f: self.sample("").rstrip("\n") + "\n\t" + f.split()[0] +
            " tiny (inlined)\n\t" + f + chain,
            "pid,tid": lambda f: self.sample(f).replace(" 28643 ", " 28643/28650 "),
            "name with blanks": lambda f: self.sample(f, command="my program: 7"),
        }
        for name, form in forms.items():
            with self.subTest(name=name):
                document, functions = self.report(self.mixture(form))
                self.assert_mixture(document, functions)

    def test_addresses_without_symbols(self):
        """Of a program that is loaded where its file says."""
        self.succeed("cc", "-g", "-O1", "-no-pie", "program.c", "other.c", "third.c", "-o", "fixed")
        self.assertEqual(self.execute("./fixed")[0], 0)
        self.write("samples.txt", self.sample("%x [unknown] (%s)" % (self.address_in("fixed") + 1, self.path("fixed"))) * 3)
        document = json.loads(self.succeed("report", "--json", "--time=samples.txt", "fixed"))
        self.assertEqual([f["time"]["samples"] for f in document["functions"] if f["name"] == "heavy"], [3])

    def test_demangled_names(self):
        """As perf has them: with parameters or without, or as the linker's."""
        self.write("state.cpp", "namespace farm { struct State { __attribute__((noinline)) long node(long n) const; };\n"
                   "long State::node(long n) const { volatile long k = n; return k; } }\n"
                   "int main() { farm::State state; return (int)state.node(0); }\n")
        self.succeed("c++", "-g", "-O1", "state.cpp", "-o", "state")
        self.assertEqual(self.execute("./state")[0], 0)
        name = "_ZNK4farm5State4nodeEl"
        start, = (int(line.split()[0], 16) for line in subprocess.check_output(
            ["nm", self.path("state")], text=True).splitlines() if line.endswith(" " + name))
        self.write("samples.txt", "".join(
            self.sample("%x %s+0x1 (%s)" % (BASE + start + 1, form, self.path("state")))
            for form in (name, "farm::State::node", "farm::State::node(long) const")))
        document = json.loads(self.succeed("report", "--json", "--time=samples.txt", "state"))
        self.assertEqual({f["name"]: f["time"]["samples"] for f in document["functions"]}, {name: 3, "main": 0})

    def test_lines(self):
        """Each line of a function has the samples of its instructions, as llvm-symbolizer has them."""
        start, size = self.symbols["heavy"][0]
        expected = {}
        for offset in range(size):
            place = subprocess.check_output(
                ["llvm-symbolizer-19", "-e", self.path("program"), "-s", "-i", "0x%x" % (start + offset)],
                text=True).splitlines()[1]
            file, line = place.split(":")[:2]
            if line != "0":
                expected[file, int(line)] = expected.get((file, int(line)), 0) + 1
        document, _ = self.report("".join(self.sample(self.frame("heavy", k)) for k in range(size)))
        self.assertGreater(len(expected), 2)
        self.assertEqual({(row["file"], row["line"]): row["samples"] for row in document["time"]["lines"]}, expected)
        self.assertEqual(document["time"]["without_line"]["samples"], size - sum(expected.values()))

    def test_periods_are_weights(self):
        document, _ = self.report(self.sample(self.frame("heavy"), period=3000) +
                                  self.sample(self.frame("light"), period=1000) * 5)
        shares = {f["name"]: f["time"]["share"] for f in document["functions"]}
        self.assertAlmostEqual(shares["heavy"], 3 / 8, 6)
        self.assertAlmostEqual(shares["light"], 5 / 8, 6)

    def test_functions_of_one_name(self):
        """By the place in a page, or by nothing: then to neither."""
        (first, _), (second, _) = self.symbols["same"]
        document, _ = self.report(self.sample(self.frame("same", 1, 0)) * 2 + self.sample(self.frame("same", 1, 1)) * 3)
        told = {os.path.basename(f["file"]): f["time"]["samples"]
                for f in document["functions"] if f["name"] == "same"}
        self.assertNotEqual(first % 4096, second % 4096)
        place = subprocess.check_output(["llvm-symbolizer-19", "-e", self.path("program"), "-s", hex(first)], text=True)
        self.assertEqual(told, {"other.c": 2, "third.c": 3} if "other.c" in place else {"other.c": 3, "third.c": 2})
        self.assertEqual(document["time"]["unplaced"]["samples"], 0)

    def test_other_events_and_programs(self):
        document, functions = self.report(
            self.sample(self.KERNEL, "page-faults") * 4 + self.sample(self.frame("heavy"), "task-clock:u") * 2 +
            self.sample(self.KERNEL, "task-clock:u", command="swapper") * 3)
        self.assertEqual(functions["heavy"], 2)
        time = document["time"]
        self.assertEqual((time["event"], time["samples"], time["samples_of_other_events"],
                          time["samples_of_other_programs"]), ("task-clock:u", 2, 4, 3))

    def test_code_that_was_not_counted(self):
        self.succeed("cc", "-g", "-O1", "--only=light", "program.c", "other.c", "third.c", "-o", "some")
        self.assertEqual(self.execute("./some")[0], 0)
        self.symbols["heavy"] = [(self.address_in("some"), 99)]
        self.write("samples.txt", self.sample(self.frame("heavy", file=self.path("some"))) * 2)
        document = json.loads(self.succeed("report", "--json", "--time=samples.txt", "some"))
        self.assertEqual(document["time"]["not_counted"]["samples"], 2)

    def test_listing(self):
        self.write("samples.txt", self.mixture(self.sample))
        text = self.succeed("report", "--time=samples.txt")
        self.assertRegex(text, r"\n  heavy +60\.0% +±9\.6% +[0-9.]+% +[0-9.]+ +50 +300,000 ns\n")
        self.assertRegex(text, r"\n  main +0\.0% +±3\.0% ")
        self.assertRegex(text, r"\n +10\.0% +±5\.9% +libc\.so\.6\n +5\.0% +±4\.3% +\[kernel\.kallsyms\]\n")
        self.assertRegex(text, r"\n +25\.0% +±8\.5% +program\.c:\d+ +light\n")
        self.assertIn("100 samples of task-clock", text)
        self.assertIn("no blocks and no paths", text)
        self.assertEqual(self.execute("./program")[0], 0)  # a second run
        text = self.succeed("report", "--time=samples.txt")
        self.assertNotIn(" ns\n", text)
        self.assertIn("calls are of 2 runs", text)

    def test_refusals(self):
        good = self.sample(self.frame("heavy"))
        for text, fragments in (
                (b"PERFILE2" + bytes(96), ("file of perf record", "perf script -i samples.txt")),
                (b"\x7fELF\x00\x01", ("binary",)),
                ("", ("holds no sample",)),
                ("# nothing\n\n", ("holds no sample",)),
                ("int main(void) {\n", ("samples.txt:1", "'int main(void) {'", "perf script")),
                (good + "what is this\n", ("samples.txt:2", "perf script")),
                (self.sample(self.frame("heavy", file="/bin/other")), ("none of its 1 samples", "another program")),
                (self.sample("55d0c3a40123 gone+0x3 (%s)" % self.path("program")), ("another build",)),
                (good.replace("+0x0", "+0xfffff"), ("another build",))):
            with self.subTest(text=text):
                self.write("samples.txt", text)
                self.assert_one_line_refusal(["report", "--time=samples.txt"], *fragments)
        self.write("samples.txt", good)
        self.assert_one_line_refusal(["report", "--time=absent.txt"], "cannot read 'absent.txt'")
        self.assert_one_line_refusal(["report", "--time=samples.txt", "--paths"], "choose one of")
        self.assert_one_line_refusal(["report", "--time=samples.txt", "--select=hot:90%"], "--time")

    def test_program_that_was_built_again(self):
        """What was kept of it has counts and lines, but no symbols."""
        keep = {"environment": {"WAYMARK_CACHE": self.path("cache")}}
        self.succeed("cc", "-g", "-O2", "program.c", "other.c", "third.c", "-o", "again", **keep)
        self.assertEqual(self.execute("./again", **keep)[0], 0)
        self.write("samples.txt", self.sample("55d0c3a40123 heavy+0x3 (%s)" % self.path("again")))
        os.rename(self.path("again"), self.path("copy"))
        shutil.copy(self.path("program"), self.path("again"))
        profile, = [name for name in os.listdir(self.directory) if name.startswith("again-")]
        self.succeed("report", profile, **keep)
        self.assert_one_line_refusal(["report", "--time=samples.txt", profile],
                                     "another build than the one that was counted", "--binary", **keep)
        self.write("samples.txt", self.sample("%x heavy+0x0 (%s)" % (self.address_in("copy"), self.path("again"))))
        self.succeed("report", "--time=samples.txt", "--binary=copy", profile, **keep)

    def address_in(self, name):
        return next(int(line.split()[0], 16) for line in subprocess.check_output(
            ["nm", self.path(name)], text=True).splitlines() if line.endswith(" heavy"))


if __name__ == "__main__":
    cases.main("__main__")
