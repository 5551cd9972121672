#!/usr/bin/env python3
"""waymark segments: counts of a program whose decisions are computed again here, lists of calls, and bad input."""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WAYMARK = None
PROGRAM = r"""
#include <stdio.h>
static volatile int sink, other;
int leaf(int n)
{
	if (n % 5 == 0) {
		sink = sink * 3 % 1000003;
		sink = sink + 1;
		return 3;
	}
	other = n;
	return n;
}
int bar(int n)
{
	if (n % 3 == 0) {
		sink = sink * 7 % 1000003;
		sink = sink + n;
		return leaf(n) + 1;
	}
	other = n;
	return n;
}
int foo(int n)
{
	int r = 0;
	if (n & 1) {
		sink += 3;
		r = 1;
	}
	r += bar(n);
	if (n > 500) {
		other += 5;
		r++;
	}
	return r;
}
int main(int argc, char **argv)
{
	long sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += foo(i);
	printf("%ld %d\n", sum, sink);
	return argc > 9 ? argv[0][0] : 0;
}
"""


def line_of(text):
    return next(number for number, line in enumerate(PROGRAM.split("\n"), 1) if text in line)


def decision(text, outcome):
    return f"{line_of(text)} if ({text}) → {'yes' if outcome else 'no'}"


def expected(depth):
    """What each call of `foo` decides, by the rules of the program."""
    counts = collections.Counter()
    for n in range(1000):
        inside = decision("n % 3 == 0", n % 3 == 0)
        if n % 3 == 0 and depth > 1:
            inside += f", {line_of('return leaf')} leaf({decision('n % 5 == 0', n % 5 == 0)})"
        counts[f"{decision('n & 1', n & 1)}, {line_of('r += bar')} bar({inside}), {decision('n > 500', n > 500)}"] += 1
    return counts


def waymark(*words, cwd):
    return subprocess.run([WAYMARK, *words], cwd=cwd, capture_output=True, text=True, check=False)


class Segments(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        pathlib.Path(self.folder, "program.c").write_text(PROGRAM)

    def run_with(self, *options, name="program"):
        done = waymark("cc", "-O2", "-g", "-fno-inline", *options, "-o", name, "program.c", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([f"./{name}"], cwd=self.folder, stdout=subprocess.DEVNULL, check=True,
                       env={**os.environ, "WAYMARK_FILE": f"{name}.wmk"})
        return done

    def segments(self, *words):
        done = waymark("segments", "--json", *words, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["segments"]

    def test_counts_at_both_depths(self):
        for depth in (1, 2):
            self.run_with(f"--segments={depth}:function:bar,function:leaf", name=f"p{depth}")
            found = {each["segment"]: each["count"] for each in
                     self.segments(f"--depth={depth}", "foo", f"p{depth}.wmk") if each["callee"] == "bar"}
            self.assertEqual(found, dict(expected(depth)))

    def test_a_segment_shows_no_more_than_its_depth(self):
        self.run_with("--segments=2:function:bar,function:leaf")
        found = collections.Counter()
        for each in self.segments("--depth=1", "foo"):
            if each["callee"] == "bar":
                found[each["segment"]] += each["count"]
                self.assertNotIn("leaf(", each["segment"])
        self.assertEqual(found, expected(1))

    def test_a_call_by_its_place(self):
        self.run_with(f"--segments=1:program.c:{line_of('r += bar')}")
        self.assertEqual({(each["caller"], each["callee"], each["line"]) for each in self.segments()},
                         {("foo", "bar", line_of("r += bar"))})

    def test_a_list_of_calls_goes_round(self):
        self.run_with()
        self.assertEqual(self.segments(), [])
        done = waymark("segments", "--sites=executed", "-o", "calls.wms", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = pathlib.Path(self.folder, "calls.wms").read_text().splitlines()
        self.assertEqual(rows[0], "waymark segments 1")
        self.assertEqual({tuple(row.split("\t")[1:]) for row in rows[1:] if "printf" not in row},
                         {(str(line_of("sum += foo")), "foo", "1000"), (str(line_of("r += bar")), "bar", "1000"),
                          (str(line_of("return leaf")), "leaf", "334")})
        self.run_with("--segments=3:@calls.wms", name="again")
        found = self.segments("again.wmk")
        self.assertEqual({each["callee"] for each in found}, {"foo", "bar", "leaf"})
        # `foo` was inlined into `main`: what its copies did is still told of it.
        of_bar = {each["segment"]: each["count"] for each in found if each["callee"] == "bar"}
        self.assertEqual(of_bar, dict(expected(1)))

    def test_a_list_of_other_code_is_told(self):
        self.run_with()
        waymark("segments", "--sites=executed", "-o", "calls.wms", cwd=self.folder)
        path = pathlib.Path(self.folder, "program.c")
        path.write_text("\n" + path.read_text())
        done = self.run_with("--segments=1:@calls.wms")
        self.assertIn("segments: 4 of 4 calls in the list are not there", done.stderr)
        self.assertIn("the list is of another build, or the code has changed", done.stderr)

    def test_what_is_left_out_is_told_with_its_share(self):
        path = pathlib.Path(self.folder, "program.c")
        path.write_text(PROGRAM.replace("\tother = n;\n\treturn n;", "\tother = n;\n" + "\tsink ^= n;\n" * 600 + "\treturn n;"))
        done = self.run_with("--segments=2:function:*", "--segments-growth=0")
        self.assertRegex(done.stderr, r"segments: \d of \d calls are not crossed, \d+% of their executions: code would grow by "
                                      r"more than 0%; --segments-growth=PERCENT allows more")
        done = self.run_with("--segments=2:function:*", "--segments-growth=1000%")
        self.assertEqual(done.stderr, "")

    def test_calls_through_pointers(self):
        """100 of 1,200 calls are of a third function, which gets no guard."""
        pathlib.Path(self.folder, "program.c").write_text("""
#include <stdio.h>
static volatile int sink, other;
int one(int n) { if (n % 3 == 0) sink++; return n; }
int two(int n) { if (n % 5 == 0) other++; return 1; }
int three(int n) { if (n % 7 == 0) other += 2; return 2; }
int (*const table[])(int) = {one, two, three};
int apply(int which, int n)
{
	int r = 0;
	if (n & 1) {
		sink += 3;
		r = 1;
	}
	return table[which](n) + r;
}
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 1200; i++)
		sum += apply(i < 600 ? 0 : i < 1100 ? 1 : 2, i);
	printf("%ld %d\\n", sum, sink);
}
""")
        done = self.run_with("--segments=1:program.c:15")
        self.assertIn("in program.c:15 goes through a pointer: name what it calls, as in program.c:15=FUNCTION", done.stderr)
        self.run_with("--profile=edges+context", name="contexts")
        waymark("segments", "--sites=executed", "-o", "calls.wms", "contexts.wmk", cwd=self.folder)
        rows = [row.split("\t")[1:] for row in pathlib.Path(self.folder, "calls.wms").read_text().splitlines()]
        self.assertEqual([row for row in rows if row[:1] == ["15"]],
                         [["15", "one", "600"], ["15", "two", "500"], ["15", "three", "100"]])
        for sites in ("@calls.wms", "program.c:15=one,program.c:15=two"):
            self.assertEqual(self.run_with("--segments=2:" + sites, name="guarded").stderr.count("not there"), 0)
            found = collections.Counter()
            for each in self.segments("apply", "guarded.wmk"):
                found[each["callee"], "n & 1) → yes" in each["segment"], "→ yes" in each["inside"]] += each["count"]
            wanted = collections.Counter((("one", "two")[i >= 600], bool(i & 1), i % (3 if i < 600 else 5) == 0)
                                         for i in range(1100))
            self.assertEqual(found, wanted)
            pathlib.Path(self.folder, "guarded.wmk").unlink()

    def test_calls_across_files(self):
        """With -flto the code of all files is there when the linker compiles it."""
        split, leaf = PROGRAM.index("int foo("), PROGRAM.index("int leaf(")
        head = PROGRAM[:leaf]
        pathlib.Path(self.folder, "callees.c").write_text(PROGRAM[:split].replace("static volatile", "volatile"))
        pathlib.Path(self.folder, "caller.c").write_text(head.replace("static volatile", "extern volatile")
                                                         + "int bar(int n);\n" + PROGRAM[split:])
        for name in ("callees", "caller"):
            done = waymark("cc", "-O2", "-g", "-flto", "--segments=1:function:bar", "-c", name + ".c", cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = waymark("cc", "-O2", "-g", "-flto", "-fuse-ld=lld", "--segments=1:function:bar", "-o", "program", "caller.o",
                       "callees.o", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        subprocess.run(["./program"], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        found = collections.Counter()
        for each in self.segments():
            if each["callee"] == "bar":
                found["n % 3 == 0) → yes" in each["inside"]] += each["count"]
        self.assertEqual(found, {True: 334, False: 666})

    def test_text_output(self):
        self.run_with("--segments=1:function:bar")
        out = waymark("segments", "foo", cwd=self.folder).stdout
        self.assertIn(f"bar in foo, called at program.c:{line_of('r += bar')}", out)
        self.run_with(name="plain")
        self.assertIn("build with --segments=1", waymark("segments", "plain.wmk", cwd=self.folder).stdout)

    def test_calls_that_cannot_be_crossed_are_named(self):
        done = self.run_with(f"--segments=1:program.c:{line_of('printf(')}")
        self.assertIn("the call of 'printf'", done.stderr)
        self.assertIn("cannot be crossed: its code is in another file", done.stderr)
        done = self.run_with("--segments=1:program.c:1,program.c:%d=leaf" % line_of("r += bar"))
        self.assertIn("in program.c:1 there is no call [", done.stderr)
        self.assertIn(f"in program.c:{line_of('r += bar')} there is no call of 'leaf'", done.stderr)
        pathlib.Path(self.folder, "program.c").write_text(
            "#include <setjmp.h>\nvoid nothing(void);\njmp_buf b;\n"
            "int jumps(int n)\n{\n\tif (setjmp(b)) return n;\n\tnothing();\n\treturn 1;\n}\n"
            "void nothing(void) {}\nint main(void) { return jumps(0) - 1; }\n")
        done = waymark("cc", "-O1", "-g", "-fno-inline", "--segments=1:program.c:11", "-c", "program.c",
                       cwd=self.folder)
        self.assertIn("the call of 'jumps' in program.c:11 cannot be crossed: it calls setjmp", done.stderr)

    def test_bad_input_is_one_line(self):
        pathlib.Path(self.folder, "bad.wms").write_text("waymark segments 1\nprogram.c\tx\tbar\n")
        pathlib.Path(self.folder, "foreign.wms").write_text("hello\n")
        pathlib.Path(self.folder, "empty.wms").write_text("")
        for option, said in (("0", "use 1 to 8"), ("9", "use 1 to 8"), ("1:", "no calls are named"),
                             ("1:bar", "'bar' is no call"), ("1 --segments-growth=x", "is no percentage"), ("1:@none.wms", "cannot read 'none.wms'"),
                             ("1:@bad.wms", "bad.wms:2"), ("1:@foreign.wms", "of this version"),
                             ("1:@empty.wms", "is empty")):
            done = waymark("cc", *f"--segments={option}".split(), "-c", "program.c", cwd=self.folder)
            self.assertNotEqual(done.returncode, 0, option)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(said, done.stderr)
        self.run_with()
        for words, said in ((["--depth=9"], "1 to 8"), (["--sites=hot:0%", "-o", "x"], "--sites"),
                            (["--sites=executed"], "-o FILE.wms"), (["nobody"], "no function 'nobody'")):
            done = waymark("segments", *words, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(said, done.stderr)


def main():
    global WAYMARK
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    arguments, rest = parser.parse_known_args()
    WAYMARK = os.path.abspath(arguments.waymark)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
