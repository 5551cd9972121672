#!/usr/bin/env python3
"""What `waymark export` writes says, read by readers of other hands, what the program did.

usage: run.py --waymark=PATH [unittest arguments]

The numbers of the programs below are reckoned by hand. Sums are also compared with those of `waymark report`.
"""
import collections
import json
import os
import re
import resource
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import harness
import readers

PROFDATA = os.environ.get("LLVM_PROFDATA", "llvm-profdata-19")
ALL = ("callgrind", "collapsed", "firefox", "pprof", "speedscope")
FLAT = ("callgrind", "collapsed", "pprof")

# `middle` is inlined into `outer`. qsort sorts two numbers with one comparison.
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
NOINLINE int leaf(int x) { return x > 2 ? x * 3 : x + 1; }
static inline __attribute__((always_inline)) int middle(int x)
{
	return leaf(x) + leaf(x + 1);
}
NOINLINE int outer(int x)
{
	int sum = middle(x);
	for (int i = 0; i < 10; i++)
		sum += leaf(i + x);
	return sum;
}
NOINLINE int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static NOINLINE int compare(const void *p, const void *q)
{
	return leaf(*(const int *)p) - leaf(*(const int *)q);
}
int main(int argc, char **argv)
{
	int sum = fib(10), pair[] = {argc, 1};
	int (*functions[])(int) = {outer, leaf};
	for (int i = 0; i < 3; i++)
		sum += outer(i);
	for (int i = 0; i < 6; i++)
		sum += functions[(i + argc) % 2](i);
	qsort(pair, 2, sizeof *pair, compare);
	printf("%d\\n", sum + pair[0]);
	return argv == 0;
}
"""
FIB_10 = 89  # LLVM makes a loop of fib(n - 2), so fib is entered at first, and once in each of F(11) - 1 sums
STACKS = readers.fold([
    (("main",), 1), (("main", "fib"), FIB_10), (("main", "leaf"), 3), (("main", "outer"), 6),
    (("main", "outer", "middle", "leaf"), 12), (("main", "outer", "leaf"), 60),
    (("main", "compare"), 1), (("main", "compare", "leaf"), 2)])
TOTAL = sum(STACKS.values())

TEMPLATES = """#include <cstdio>
#define NOINLINE __attribute__((noinline))
namespace ns {
template <class T> struct Box {
	T value;
	NOINLINE T get(int n) const { return n > 3 ? value + n : value; }
};
}
NOINLINE bool operator<(const ns::Box<long> &a, const ns::Box<long> &b) { return a.get(0) < b.get(0); }
int main()
{
	ns::Box<long> a{3}, b{4};
	bool less = a < b;
	printf("%d %ld\\n", less, a.get(4));
	return 0;
}
"""
OPERATOR = "operator<(ns::Box<long> const&, ns::Box<long> const&)"
GET = "ns::Box<long>::get(int) const"

LIBRARY = """__attribute__((noinline)) int inside(int x) { return x % 3 ? x : x + 1; }
int entry(int x) { int sum = 0; for (int i = 0; i < x; i++) sum += inside(i); return sum; }
"""
USER = """int entry(int);
__attribute__((noinline)) static int twice(int x) { return entry(x) + entry(x); }
int main(int argc, char **argv) { return twice(argc + 4) == 0 && argv; }
"""


class Exports(cases.Case):
    def build(self, text, *words, name="program.c"):
        self.write(name, text)
        if os.path.exists(self.path("p.wmk")):
            os.remove(self.path("p.wmk"))
        self.succeed("c++" if name.endswith("pp") else "cc", "-O1", "-g", *words, name, "-o", "program")
        harness.run([self.path("program")], self.directory, {"WAYMARK_FILE": "p.wmk"})

    def build_program(self, mode="edges+context"):
        self.build(PROGRAM, "--profile=" + mode)

    def export(self, to, *words):
        self.assertEqual(self.succeed("export", "--to=" + to, "-o", "out", *words, "p.wmk"), "")
        data = self.read("out")
        os.remove(self.path("out"))
        return data

    def report(self):
        return json.loads(self.succeed("report", "--json", "p.wmk"))["functions"]

    def sums_of_report(self, key):
        sums = collections.Counter()
        for function in self.report():
            sums[function["name"]] += function[key]
        return +sums

    def work_of_stacks(self):
        """In PROGRAM the work of a call is the same in all contexts of a function, by branches with one outcome."""
        entries, work = self.sums_of_report("entry_count"), self.sums_of_report("instructions")
        for name, count in entries.items():
            self.assertTrue(name == "fib" or work[name] % count == 0, name)
        return readers.fold((stack, calls * work[stack[-1]] // entries[stack[-1]]) for stack, calls in STACKS.items())

    def test_collapsed(self):
        self.build_program()
        text = self.export("collapsed", "--by=instructions").decode()
        self.assertEqual(readers.collapsed(text.replace("_[i]", "")), self.work_of_stacks())
        text = self.export("collapsed").decode()
        self.assertEqual(text, "".join(
            "%s %d\n" % (";".join(stack).replace("middle", "middle_[i]"), cost)
            for stack, cost in sorted(STACKS.items())))
        self.assertEqual(self.succeed("export", "--to=collapsed", "p.wmk"), text)
        self.assertEqual(self.succeed("export", "--to=collapsed", "--by=calls", "-o", "-", "p.wmk"), text)
        self.assertEqual(TOTAL, sum(self.sums_of_report("entry_count").values()))

    def test_speedscope(self):
        self.build_program()
        found = readers.speedscope(self.export("speedscope").decode())
        self.assertEqual(found, {"calls": STACKS, "instructions": self.work_of_stacks()})
        found = readers.speedscope(self.export("speedscope", "--by=instructions").decode())
        self.assertEqual(found, {"instructions": self.work_of_stacks()})

    def test_firefox(self):
        self.build_program()
        found = readers.Firefox(self.export("firefox").decode())
        self.assertEqual(found.stacks, {"calls": STACKS, "instructions": self.work_of_stacks()})
        source = self.path("program.c")
        self.assertEqual(found.functions, {
            ("leaf", "program", source, 4, "Function"), ("middle", "program", source, 5, "Inlined"),
            ("outer", "program", source, 9, "Function"), ("fib", "program", source, 16, "Function"),
            ("compare", "program", source, 17, "Function"), ("main", "program", source, 21, "Function")})

    def test_pprof(self):
        self.build_program()
        data = self.export("pprof")
        profile = readers.Pprof(data)
        self.assertEqual(profile.types, [("calls", "count"), ("instructions", "count")])
        self.assertEqual(profile.stacks("calls"), STACKS)
        self.assertEqual(profile.stacks("instructions"), self.work_of_stacks())
        notes = self.execute("readelf", "-n", "program")[1]
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
        self.assertEqual(list(profile.mappings.values()), [(self.path("program"), build_id)])
        # The calls of leaf in middle, where that is inlined into outer.
        self.assertIn([("middle", 7), ("outer", 11)], profile.locations.values())
        self.assertIn(("leaf", "leaf", self.path("program.c"), 4), profile.functions.values())
        self.assertEqual(data, self.export("pprof"), "not the same twice")

    def test_pprof_decodes_raw(self):
        if not shutil.which("protoc"):
            self.skipTest("protoc is not installed")
        self.build_program()
        import gzip
        ended = subprocess.run(["protoc", "--decode_raw"], input=gzip.decompress(self.export("pprof")),
                               capture_output=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn(b'6: "fib"\n', ended.stdout)

    def test_callgrind(self):
        self.build_program()
        found = readers.Callgrind(self.export("callgrind").decode())
        self.assertEqual(found.own_of("Entries"), self.sums_of_report("entry_count"))
        self.assertEqual(found.own_of("Instructions"), self.sums_of_report("instructions"))
        self.assertEqual(dict(zip(found.events, found.totals)), {
            event: sum(found.own_of(event).values()) for event in ("Entries", "Instructions")})
        self.assertEqual(found.inclusive_of("Entries"), readers.inclusive(
            readers.fold(((name for name in stack if name != "middle"), cost)
                         for stack, cost in STACKS.items())))
        self.assertEqual(found.pairs(), {
            ("main", "fib"): 1, ("fib", "fib"): FIB_10 - 1, ("main", "outer"): 6, ("main", "leaf"): 3,
            ("outer", "leaf"): 72, ("main", "compare"): 1, ("compare", "leaf"): 2,
            ("main", "qsort"): 1, ("main", "printf"): 1})
        self.assertEqual(found.inclusive_of("Instructions"), readers.inclusive(
            readers.fold(((name for name in stack if name != "middle"), cost)
                         for stack, cost in self.work_of_stacks().items())))
        work = self.sums_of_report("instructions")["leaf"] // 77
        self.assertEqual(found.calls["outer", "leaf", 7], (12, [12, 12 * work]))
        self.assertEqual(found.calls["outer", "leaf", 13], (60, [60, 60 * work]))
        self.assertEqual(found.calls["fib", "fib", 16], (FIB_10 - 1, [0, 0]))

    def annotate(self, *words):
        self.write("callgrind.out", self.export("callgrind"))
        status, out, error = harness.run(["callgrind_annotate", *words, self.path("callgrind.out")], "/")
        self.assertEqual((status, error), (0, b""))
        return re.sub(r" +\([ \d.]+%\)", "", out.decode())

    def test_callgrind_annotate(self):
        self.build_program()
        out = self.annotate("--inclusive=yes", "--tree=both")
        self.assertRegex(out, r"(?m)^%d +[\d,]+ +PROGRAM TOTALS$" % TOTAL)
        self.assertRegex(out, r"(?m)^%d +[\d,]+ +\* +\S+:main \[" % TOTAL)
        self.assertRegex(out, r"(?m)^ *78 +[\d,]+ +> +\S+:outer \(6x\)")
        out = self.annotate("--auto=yes", "--threshold=100")
        self.assertRegex(out, r"(?m)^ *77 +[\d,]+  NOINLINE int leaf\(int x\)")

    def test_names_of_templates(self):
        self.build(TEMPLATES, "--profile=edges+context", name="program.cpp")
        expected = readers.fold([(("main",), 1), (("main", OPERATOR), 1), (("main", OPERATOR, GET), 2),
                                 (("main", GET), 1)])
        self.assertEqual(readers.collapsed(self.export("collapsed").decode()), expected)
        self.assertEqual(readers.speedscope(self.export("speedscope").decode())["calls"], expected)
        profile = readers.Pprof(self.export("pprof"))
        self.assertEqual(profile.stacks("calls"), expected)
        self.assertIn((GET, "_ZNK2ns3BoxIlE3getEi"), {names[:2] for names in profile.functions.values()})
        self.assertEqual(readers.Callgrind(self.export("callgrind").decode()).pairs()[OPERATOR, GET], 2)

    def test_libraries_stand_below_their_names(self):
        self.write("library.c", LIBRARY)
        mode = "--profile=edges+context"
        self.succeed("cc", "-O1", "-g", mode, "-fPIC", "-shared", "library.c", "-o", "liblib.so")
        self.write("user.c", USER)
        self.succeed("cc", "-O1", "-g", mode, "user.c", "-L.", "-llib", "-Wl,-rpath,.", "-o", "program")
        harness.run([self.path("program")], self.directory, {"WAYMARK_FILE": "p.wmk"})
        library = {("[liblib.so]", "entry"): 2, ("[liblib.so]", "entry", "inside"): 10}
        program = {("main",): 1, ("main", "twice"): 1}
        self.assertEqual(readers.collapsed(self.export("collapsed").decode()), {**program, **library})
        self.assertEqual(readers.speedscope(self.export("speedscope").decode())["calls"],
                         {**program, **library})
        found = readers.Firefox(self.export("firefox").decode())
        self.assertEqual(found.stacks["calls"], {**program, **library})
        self.assertEqual({names[:2] for names in found.functions}, {
            ("main", "program"), ("twice", "program"), ("entry", "liblib.so"), ("inside", "liblib.so"),
            ("[liblib.so]", None)})
        profile = readers.Pprof(self.export("pprof"))
        self.assertEqual(profile.stacks("calls"), {**program, **library})
        self.assertEqual([os.path.basename(path) for path, _ in profile.mappings.values()],
                         ["program", "liblib.so"])
        found = readers.Callgrind(self.export("callgrind").decode())
        self.assertEqual(found.pairs(), {("main", "twice"): 1, ("twice", "entry"): 2, ("entry", "inside"): 10})
        self.assertEqual(readers.collapsed(self.export("collapsed", "--object=program").decode()), program)
        self.assertEqual(readers.collapsed(self.export("collapsed", "--object=liblib.so").decode()),
                         {stack[1:]: cost for stack, cost in library.items()})

    def test_without_contexts(self):
        for mode in ("edges", "paths", "blocks"):
            with self.subTest(mode=mode):
                self.build_program(mode)
                entries, work = self.sums_of_report("entry_count"), self.sums_of_report("instructions")
                self.assertEqual(sum(entries.values()), TOTAL)
                flat = {(name,): count for name, count in entries.items()}
                self.assertEqual(readers.collapsed(self.export("collapsed").decode()), flat)
                self.assertEqual(readers.collapsed(self.export("collapsed", "--by=instructions").decode()),
                                 {(name,): count for name, count in work.items()})
                profile = readers.Pprof(self.export("pprof"))
                self.assertEqual(profile.types, [("calls", "count"), ("instructions", "count")])
                self.assertEqual(profile.stacks("calls"), flat)
                self.assertEqual(sum(profile.stacks("instructions").values()), sum(work.values()))
                found = readers.Callgrind(self.export("callgrind").decode())
                self.assertEqual(found.own_of("Instructions"), work)
                self.assertEqual({pair: count for pair, count in found.pairs().items()
                                  if pair[1] not in ("qsort", "printf")},
                                 {("main", "fib"): 1, ("fib", "fib"): FIB_10 - 1, ("main", "outer"): 3,
                                  ("main", "(by a pointer)"): 6, ("outer", "leaf"): 72,
                                  ("compare", "leaf"): 2})

    def profdata(self, *words):
        found = subprocess.run([PROFDATA, *words], cwd=self.directory, capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        return found.stdout

    def shown_targets(self, *files):
        """As llvm-profdata shows them: {function: (entries, {(site, callee): count})}."""
        self.profdata("merge", "-o", "merged", *files)
        shown, functions = self.profdata("show", "--all-functions", "--counts", "--ic-targets", "merged"), {}
        for block in re.split(r"\n  (?=\S+:\n    Hash)", shown)[1:]:
            name, entries = re.match(r"(\S+):\n.*?Block counts: \[(\d+)\]", block, re.S).groups()
            functions[name] = (int(entries), {
                (int(site), callee): int(count)
                for site, callee, count in re.findall(r"\[ *(\d+), *([^, ]*), *(\d+) \]", block)})
        return functions

    def test_targets(self):
        self.build_program()
        self.write("once", self.export("targets").decode())
        expected = {"main": (1, {(0, "outer"): 3, (0, "leaf"): 3}), "fib": (FIB_10, {}), "outer": (6, {}),
                    "leaf": (77, {}), "compare": (1, {})}
        self.assertEqual(self.shown_targets("once"), expected)
        self.assertEqual(self.shown_targets("once", "once"), {
            name: (2 * entries, {site: 2 * count for site, count in sites.items()})
            for name, (entries, sites) in expected.items()})
        self.assert_one_line_refusal(["export", "--to=targets", "--by=calls", "p.wmk"], "--by", "targets")

    def test_many_targets(self):
        """Number i is called i + 1 times by one call, and once by another, twice in all; LLVM holds 255 targets."""
        count = 300
        self.build("volatile int sum;\n" + "".join(
            "void f%d(void) { sum += %d; }\n" % (i, i) for i in range(count)) +
            "void (*const table[])(void) = {%s};\n" % ", ".join("f%d" % i for i in range(count)) +
            "__attribute__((noinline)) void each(void) { for (int i = 0; i < %d; i++) table[i](); sum++; }\n" % count +
            "int main(void) { for (int i = 0; i < %d; i++) for (int k = 0; k <= i; k++) table[i]();\n"
            "each(); each(); return 0; }\n" % count, "--profile=context")
        self.write("once", self.export("targets").decode())
        shown = self.shown_targets("once")
        self.assertEqual(shown["main"], (1, {(0, "f%d" % i): i + 1 for i in range(count - 255, count)}))
        self.assertEqual((shown["each"][0], len(shown["each"][1])), (2, 255))
        self.assertEqual(shown["f7"], (8 + 2, {}))

    def test_formats_that_need_contexts(self):
        self.build_program("edges")
        for to in sorted(set(ALL) - set(FLAT)):
            self.assert_one_line_refusal(["export", "--to=" + to, "-o", "out", "p.wmk"],
                                         "p.wmk", "edges+context")
            self.assertFalse(os.path.exists(self.path("out")))

    def test_refusals(self):
        self.build_program()
        self.assert_one_line_refusal(["export", "p.wmk"], "--to=FORMAT")
        self.assert_one_line_refusal(["export", "--to=pporf", "p.wmk"], "pporf", "pprof")
        self.assert_one_line_refusal(["export", "--to=collapsed", "--by=time", "p.wmk"], "time", "calls")
        self.assert_one_line_refusal(["export", "--to=collapsed", "absent.wmk"], "absent.wmk")
        self.assert_one_line_refusal(["export", "--to=pprof", "-o", "no/out", "p.wmk"], "no/out")
        self.build_program("context")
        self.assert_one_line_refusal(["export", "--to=speedscope", "--by=instructions", "p.wmk"],
                                     "instructions", "by context")

    def test_chosen_paths(self):
        self.build(PROGRAM, "--select=function:fib")
        for to in FLAT:
            self.assert_one_line_refusal(["export", "--to=" + to, "p.wmk"], "p.wmk", "paths")

    def limited(self, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        ended = subprocess.run([self.waymark, *words], cwd=self.directory, capture_output=True,
                               preexec_fn=limit)
        return ended.returncode, ended.stdout, ended.stderr.decode()

    def test_outputs_are_whole_or_not_there(self):
        self.build_program()
        before = sorted(os.listdir(self.directory))
        for to in ALL:
            status, _, error = self.limited("export", "--to=" + to, "-o", "out", "p.wmk")
            self.assertEqual((status, error), (1, "waymark: cannot write 'out': File too large\n"))
            self.assertEqual(sorted(os.listdir(self.directory)), before)
        self.write("out", "old")
        self.assertEqual(self.limited("export", "--to=pprof", "-o", "out", "p.wmk")[0], 1)
        self.assertEqual(self.read("out"), b"old")

    def test_outputs_keep_rights_and_links(self):
        self.build_program()
        self.write("real", "old")
        os.chmod(self.path("real"), 0o640)
        os.symlink("real", self.path("out"))
        self.succeed("export", "--to=collapsed", "-o", "out", "p.wmk")
        self.assertTrue(os.path.islink(self.path("out")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("real")).st_mode), 0o640)
        self.assertEqual(readers.fold(readers.collapsed(self.read("real").decode()).items()),
                         readers.collapsed(self.succeed("export", "--to=collapsed", "p.wmk")))
        self.succeed("export", "--to=collapsed", "-o", "/dev/null", "p.wmk")
        status, _, error = self.call("export", "--to=collapsed", "-o", "/dev/full", "p.wmk")
        self.assertEqual((status, error), (1, "waymark: cannot write '/dev/full': No space left on device\n"))


if __name__ == "__main__":
    cases.main("__main__")
