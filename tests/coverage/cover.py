#!/usr/bin/env python3
"""What runs covered, and coverage as other tools read it.

Expected numbers are reckoned by hand from the programs' text, or come from gcov and lcov.

usage: cover.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
import harness

# Lines with code, in all, are 2 3 4 5 6 7 9 of shared.h and 4 5 6 of first.c, 4 5 of second.c.
SHARED = """static inline __attribute__((unused)) int never(int x) { return x; }
static int look(int a, int b)
{	int sum = 1;
	if (a)
		sum++;
	if (b)
		sum += 2;
	return sum;
}
"""
FIRST = """#include "shared.h"
int main(int argc, char **argv)
{
	if (argc == 9)
		return 1;
	return look(argv[1][0] == 'T', argv[1][1] == 'T') == 9;
}
"""
SECOND = """#include "shared.h"
int main(int argc, char **argv)
{
	return look(argv[1][0] == 'T', argv[1][1] == 'T') == argc + 9;
}
"""
REAL = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int depth, errors;
static int value(const char **at);
static void skip(const char **at)
{
	while (**at == ' ' || **at == '\\t')
		++*at;
}
static int number(const char **at)
{
	int result = 0;
	while (**at >= '0' && **at <= '9') {
		result = 10 * result + (**at - '0');
		++*at;
	}
	return result;
}
static int factor(const char **at)
{
	skip(at);
	switch (**at) {
	case '(':
		++*at;
		depth++;
		int inner = value(at);
		if (**at == ')')
			++*at;
		else
			errors++;
		depth--;
		return inner;
	case '-':
		++*at;
		return -factor(at);
	case '\\0':
		errors++;
		return 0;
	default:
		return number(at);
	}
}
static int value(const char **at)
{
	int left = factor(at);
	for (;;) {
		skip(at);
		char sign = **at;
		if (sign != '+' && sign != '*')
			return left;
		++*at;
		int right = factor(at);
		left = sign == '+' ? left + right : left * right;
	}
}
int unused_but_there(int x)
{
	if (x > 3)
		return x;
	return depth;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *at = argv[i];
		int result = value(&at);
		if (errors > 0) {
			fprintf(stderr, "error\\n");
			exit(3);
		}
		printf("%d\\n", result);
	}
	return 0;
}
"""
INPUTS = {"sum": ["1+2*3", " 4 "], "nest": ["(1+(2))"], "minus": ["-5+7"], "wrong": ["(1", "2"]}


def totals(document):
    return {key: (value["covered"], value["of"]) for key, value in document["totals"].items()}


class Base(cases.Case):
    def build(self, name, text, *options):
        self.write(name + ".c", text)
        self.succeed("cc", "-g", *(options or ["-O2", "--at=early"]), name + ".c", "-o", name)

    def run_on(self, profile, program, *words):
        os.makedirs(os.path.dirname(self.path(profile)) or self.directory, exist_ok=True)
        return self.execute("./" + program, *map(str, words), environment={"WAYMARK_FILE": profile})

    def cover(self, *words):
        return json.loads(self.succeed("cover", "--json", *words))


class Cover(Base):
    def build_shared(self):
        self.write("shared.h", SHARED)
        self.build("first", FIRST)
        self.build("second", SECOND)

    def test_two_programs_of_one_tree(self):
        """A line, function or outcome in both is one, and what either ran is covered."""
        self.build_shared()
        self.run_on("t/one.wmk", "first", "TF")
        self.run_on("t/two.wmk", "second", "FF")
        one, both = self.cover("t/one.wmk"), self.cover("t")
        # Of look 3-8 but 7; of main 4 and 6 but not 5.
        self.assertEqual(totals(one)["functions"], (2, 2))
        self.assertEqual(totals(one)["outcomes"], (3, 6))
        self.assertEqual(totals(both)["functions"], (3, 3))
        # Lines 4 and 6 of shared.h both ways but for b; main of second has no branch.
        self.assertEqual(totals(both)["outcomes"], (4, 6))
        files = {os.path.basename(file["file"]): file for file in both["files"]}
        self.assertEqual(set(files), {"shared.h", "first.c", "second.c"})
        self.assertEqual(files["shared.h"]["lines_not_run"], [7])
        self.assertEqual(files["first.c"]["lines_not_run"], [5])
        self.assertEqual(files["second.c"]["lines_not_run"], [])
        shared_lines = files["shared.h"]["lines"]
        self.assertEqual(shared_lines["of"] - shared_lines["covered"], 1)
        self.run_on("t/three.wmk", "second", "TT")
        whole = {os.path.basename(file["file"]): file["lines_not_run"] for file in self.cover("t")["files"]}
        self.assertEqual(whole, {"shared.h": [], "first.c": [5], "second.c": []})
        text = self.succeed("cover", "t")
        self.assertIn("first and 1 other program: 3 runs in 3 profiles", text)

    def test_a_header_by_two_names(self):
        """A header that sources name by different folders is one file."""
        for folder in ("a", "b"):
            os.mkdir(self.path(folder))
        self.write("shared.h", SHARED)
        self.write("a/first.c", FIRST.replace('"shared.h"', '"../shared.h"'))
        self.write("b/second.c", SECOND.replace('"shared.h"', '"../b/.././/shared.h"'))
        for name in ("a/first", "b/second"):
            self.succeed("cc", "-O2", "-g", "--at=early", name + ".c", "-o", os.path.basename(name))
        self.run_on("t/one.wmk", "first", "TF")
        self.run_on("t/two.wmk", "second", "FT")
        document = self.cover("t")
        self.assertEqual({os.path.relpath(file["file"], self.directory) for file in document["files"]},
                         {"shared.h", "a/first.c", "b/second.c"})
        self.assertEqual(totals(document)["functions"], (3, 3))
        self.assertEqual({os.path.basename(file["file"]): file["lines_not_run"] for file in document["files"]},
                         {"shared.h": [], "first.c": [5], "second.c": []})
        # Both branches of the header went both ways, that of first.c one.
        self.assertEqual(totals(document)["outcomes"], (5, 6))

    def test_pairs_and_paths(self):
        """Of three branches in a row, [F F F] and [T T F] ran: of 12 pairs 6, of 8 paths 2."""
        self.build("three", "volatile int sum;\n__attribute__((noinline)) void look(int bits)\n{\n"
                   "\tif (bits & 1)\n\t\tsum++;\n\tif (bits & 2)\n\t\tsum += 2;\n\tif (bits & 4)\n\t\tsum += 3;\n}\n"
                   "int main(int argc, char **argv)\n{\n\tlook(argc == 1 ? 0 : 3);\n\treturn 0;\n}\n", "-O0")
        self.run_on("three.wmk", "three")
        self.run_on("three.wmk", "three", "more")
        (look,) = [f for f in self.cover("three.wmk")["functions"] if f["function"] == "look"]
        self.assertEqual((look["outcomes"]["covered"], look["outcomes"]["of"]), (5, 6))
        self.assertEqual((look["pairs"]["covered"], look["pairs"]["of"]), (6, 12))
        self.assertEqual((look["paths"], look["possible_paths"]), (2, 8))

    def test_loops_end_pairs(self):
        """What comes in the next iteration is no pair with what was in this one."""
        self.build("loop", "volatile int sum;\n__attribute__((noinline)) void look(int n)\n{\n"
                   "\tdo {\n\t\tif (n & 1)\n\t\t\tsum++;\n\t} while (--n > 0);\n}\n"
                   "int main(int argc, char **argv)\n{\n\tlook(argc);\n\treturn 0;\n}\n", "-O0")
        self.run_on("loop.wmk", "loop", "more")
        (look,) = [f for f in self.cover("loop.wmk")["functions"] if f["function"] == "look"]
        # The branch, then the loop's: even and on, odd and out.
        self.assertEqual((look["pairs"]["covered"], look["pairs"]["of"]), (2, 4))

    def test_tests_by_themselves(self):
        self.build_shared()
        for name, word in (("a", "FF"), ("b", "TF"), ("c", "TF")):
            self.run_on("t/%s.wmk" % name, "first", word)
        tests = {test["test"]: test for test in self.cover("--by-test", "t")["tests"]}
        self.assertEqual(set(tests), {"a", "b", "c"})
        self.assertEqual({name: test["outcomes"] for name, test in tests.items()}, {"a": 3, "b": 3, "c": 3})
        self.assertGreater(tests["a"]["own_paths"], 0)
        self.assertEqual((tests["b"]["own_paths"], tests["c"]["own_paths"]), (0, 0))
        self.assertEqual(tests["b"]["lines"], tests["a"]["lines"] + 1)
        self.assertRegex(self.succeed("cover", "--by-test", "t"), r"(?m)^ +\d+ +2 +3 +\d+ +0  b$")

    def test_never_run_as_source(self):
        self.build_shared()
        self.run_on("first.wmk", "first", "TF")
        text = self.succeed("cover", "--not-run", "first.wmk")
        self.assertEqual([line for line in text.splitlines() if re.match(r" +\d+:", line)],
                         ["      5:\t\treturn 1;", "      7:\t\tsum += 2;"])

    def test_limits(self):
        self.build_shared()
        self.run_on("first.wmk", "first", "TF")
        status, _, err = self.call("cover", "--limit=functions:100,outcomes:50", "first.wmk")
        self.assertEqual((status, err), (0, ""))
        status, _, err = self.call("cover", "--limit=functions:100,outcomes:50.1,lines:99", "first.wmk")
        self.assertEqual(status, 3)
        self.assertRegex(err, r"\Awaymark: cover: covered are [\d.]+% of lines, not 99%, 50\.0% of outcomes, not 50\.1%\n\Z")
        for limit in ("lines", "lines:", "lines:x", "line:9", "lines:101", "lines:1e1", ":9"):
            self.assert_one_line_refusal(["cover", "--limit=" + limit, "first.wmk"], "is no limit such as lines:90")
        self.succeed("cc", "--profile=edges", "-g", "first.c", "-o", "edges")
        self.run_on("edges.wmk", "edges", "TF")
        self.assertFalse(self.cover("edges.wmk")["paths_known"])
        status, _, err = self.call("cover", "--limit=pairs:9", "edges.wmk")
        self.assertEqual((status, err.count("\n")), (1, 1))
        self.assertIn("paths were not counted in all programs", err)

    def test_lines_of_a_change(self):
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        self.build_shared()
        self.execute("git", "init", "-q", ".")
        self.execute("git", "add", "shared.h", "first.c")
        self.execute(*git, "commit", "-qm", "one")
        self.write("first.c", FIRST.replace("\tif (argc == 9)", "\tif (argc == 8)\n\t\treturn 2;\n\tif (argc == 9)"))
        self.execute(*git, "commit", "-qam", "two")
        self.build("first", self.read("first.c").decode())
        self.run_on("first.wmk", "first", "TF")
        document = self.cover("--diff=HEAD~1", "first.wmk")
        (file,) = document["files"]
        self.assertEqual((os.path.basename(file["file"]), file["lines_not_run"]), ("first.c", [5]))
        # Lines 4 and 5 are new; the condition of 4 went one way.
        self.assertEqual((totals(document)["lines"], totals(document)["outcomes"]), ((1, 2), (1, 2)))
        self.assertEqual(totals(self.cover("--diff=HEAD", "first.wmk"))["lines"], (0, 0))
        status, _, err = self.call("cover", "--diff=HEAD~1", "--limit=lines:60", "first.wmk")
        self.assertEqual((status, err), (3, "waymark: cover: covered are 50.0% of lines, not 60%\n"))
        self.assert_one_line_refusal(["cover", "--diff=nothing..here", "first.wmk"],
                                     "git knows no range of commits 'nothing..here'")
        self.assert_one_line_refusal(["cover", "--diff=--output=x", "first.wmk"], "is no range of commits")
        os.mkdir(self.path("other"))
        self.execute("git", "init", "-q", "other")
        self.execute(*git, "-C", "other", "commit", "-q", "--allow-empty", "-m", "other")
        status, out, err = harness.run([self.waymark, "cover", "--diff=HEAD", "../first.wmk"], self.path("other"))
        self.assertEqual((status, out, err.count(b"\n")), (1, b"", 1))
        self.assertIn(b"no source of %s is in the repository %s" % (self.path("first").encode(), self.path("other").encode()),
                      err)
        os.rename(self.path(".git"), self.path("gone"))
        self.assert_one_line_refusal(["cover", "--diff=HEAD", "first.wmk"], "no git repository")

    def test_killed_tests(self):
        """What a test ran before it was killed is covered."""
        self.build("slow", "#include <unistd.h>\nint main(int argc, char **argv)\n{\n\tif (argc > 1) {\n"
                   "\t\twrite(1, \"x\", 1);\n\t\tpause();\n\t\treturn 1;\n\t}\n\treturn 0;\n}\n", "-O0", "-w")
        for number in range(5):
            process = subprocess.Popen([self.path("slow"), "wait"], stdout=subprocess.PIPE, cwd=self.directory,
                                       env=dict(os.environ, WAYMARK_FILE=self.path("killed.wmk")))
            self.assertEqual(process.stdout.read(1), b"x")
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()
        document = self.cover("killed.wmk")
        self.assertEqual((document["runs"], document["cut_short"]), (5, 5))
        self.assertEqual(document["files"][0]["lines_not_run"], [7, 9, 10])
        self.assertIn("5 threads were killed: what they covered until then counts", self.succeed("cover", "killed.wmk"))

    def test_chance_of_new_paths(self):
        """Nine equal runs and one other: it is said from ten profiles on."""
        self.build_shared()
        for number in range(9):
            self.run_on("t/%d.wmk" % number, "first", "TF")
        self.assertIsNone(self.cover("t")["chance_of_a_new_path"])
        self.run_on("t/9.wmk", "first", "FF")
        document = self.cover("t")
        once, both = document["paths_in_one_sample"], document["covered_paths"]
        # Where the two inputs differ they have a path each; no path is in two profiles.
        same, all_samples = both - 2 * once, 0
        all_samples = 10 * same + 9 * once + once
        self.assertGreater(once, 0)
        self.assertAlmostEqual(document["chance_of_a_new_path"], once / all_samples)
        self.assertIn("takes a path that none took with a chance of about", self.succeed("cover", "t"))

    def test_bad_input(self):
        self.build_shared()
        self.run_on("first.wmk", "first", "TF")
        self.succeed("paths", "--save=set.wmp", "first.wmk")
        self.assert_one_line_refusal(["cover", "set.wmp"], "'set.wmp' is a set of paths")
        self.assert_one_line_refusal(["cover", "none.wmk"], "none.wmk")
        self.succeed("cc", "-O1", "first.c", "-o", "bare")
        self.run_on("bare.wmk", "bare", "TF")
        self.assert_one_line_refusal(["cover", "bare.wmk"], "no lines are known: build with -g")
        for words in (["--to=lcov", "bare.wmk"], ["--to=lcov", "none.wmk"], ["--to=cobertura", "set.wmp"],
                      ["--to=sarif", "first.wmk"]):
            self.assert_one_line_refusal(["export", *words, "-o", "out"])
        self.assert_one_line_refusal(["export", "--to=lcov", "--by=calls", "first.wmk"], "lcov has no --by")
        self.assert_one_line_refusal(["export", "--to=lcov", "--tested=x", "first.wmk"], "lcov has no --tested")


class Exports(Base):
    """Each format, read by its own readers where they are here."""

    def run_real(self, options=("-O2", "--at=early")):
        self.build("calc", REAL, *options)
        for name, words in INPUTS.items():
            self.run_on("t/%s.wmk" % name, "calc", *words)

    def lcov(self, *words):
        self.assertTrue(shutil.which("lcov"), "lcov is not installed: scripts/install-packages")
        done = subprocess.run(["lcov", *words], cwd=self.directory, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rates(self, text):
        return {kind: (int(covered), int(of)) for kind, covered, of in
                re.findall(r"(lines|functions|branches)\.*: [\d.]+% \((\d+) of (\d+)", text)}

    def by_gcov(self):
        """The same runs of a build of gcc, through gcov and lcov."""
        os.mkdir(self.path("gcc"))
        shutil.copy(self.path("calc.c"), self.path("gcc/calc.c"))
        subprocess.run(["gcc", "--coverage", "-O0", "-o", "calc", "calc.c"], cwd=self.path("gcc"), check=True)
        for words in INPUTS.values():
            subprocess.run(["./calc", *words], cwd=self.path("gcc"), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        self.lcov("-q", "-c", "-d", "gcc", "-o", "gcc.info")
        return self.read("gcc.info").decode()

    def labels_and_ends(self):
        """gcc says of these that they have code, or clang does: labels of a switch, and braces."""
        return {number for number, line in enumerate(REAL.splitlines(), 1)
                if re.fullmatch(r"\s*(case .*:|default:|})", line)}

    def lines_of(self, info):
        return {int(line) for line, count in re.findall(r"(?m)^DA:(\d+),(\d+)", info) if int(count)}, \
            {int(line) for line, count in re.findall(r"(?m)^DA:(\d+),(\d+)", info) if not int(count)}

    def test_lcov_and_genhtml(self):
        """lcov's numbers are those of waymark cover, and lines and functions those of gcov."""
        self.run_real()
        expected = totals(self.cover("t"))
        self.succeed("export", "--to=lcov", "-o", "our.info", "t")
        info = self.read("our.info").decode()
        self.assertEqual(set(re.findall(r"(?m)^TN:(.*)$", info)), set(INPUTS))
        summary = self.rates(self.lcov("--summary", "our.info", "--rc", "lcov_branch_coverage=1"))
        self.assertEqual(summary, {"lines": expected["lines"], "functions": expected["functions"],
                                   "branches": expected["outcomes"]})
        done = subprocess.run(["genhtml", "-q", "--branch-coverage", "--show-details", "-o", "html", "our.info"],
                              cwd=self.directory, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (page,) = [os.path.join(folder, name) for folder, _, names in os.walk(self.path("html"))
                   for name in names if name == "calc.c.gcov.html"]
        with open(page) as file:
            page = file.read()
        for covered, of in (expected["lines"], expected["functions"], expected["outcomes"]):
            self.assertRegex(page, r'headerCovTableEntry">%d<.*\n.*headerCovTableEntry">%d<|'
                             r'headerCovTableEntry">%d<.*\n.*headerCovTableEntry">%d<' % (covered, of, of, covered))
        gcov = self.by_gcov()
        ours = [set.union(*parts) for parts in zip(*(self.lines_of(section) for section in info.split("end_of_record")))]
        ran, never = self.lines_of(gcov)
        self.assertEqual((ours[0] ^ ran) - self.labels_and_ends(), set())
        self.assertEqual(((ours[1] - ours[0]) ^ never) - self.labels_and_ends(), set())
        self.assertEqual(expected["functions"], self.rates(self.lcov("--summary", "gcc.info"))["functions"])

    def test_late_builds_claim_nothing_false(self):
        """At -O2, after the optimiser: fewer lines are known, and each as gcov has it."""
        self.run_real(["-O2"])
        self.succeed("export", "--to=lcov", "-o", "our.info", "t")
        sections = [self.lines_of(section) for section in self.read("our.info").decode().split("end_of_record")]
        ran, never = self.lines_of(self.by_gcov())
        self.assertEqual(set().union(*(section[0] for section in sections)) - ran - self.labels_and_ends(), set())
        document = self.cover("t")
        self.assertEqual(set(document["files"][0]["lines_not_run"]) - never - self.labels_and_ends(), set())
        self.assertLessEqual(document["totals"]["lines"]["of"], len(ran | never | self.labels_and_ends()))
        unknown = [document["totals"][kind]["unknown"] for kind in ("functions", "lines", "outcomes")]
        self.assertEqual("more cannot be told" in self.succeed("cover", "t"), sum(unknown) > 0)

    def test_cobertura(self):
        self.run_real()
        expected = self.cover("t")
        self.succeed("export", "--to=cobertura", "-o", "c.xml", "t")
        root = xml.etree.ElementTree.parse(self.path("c.xml")).getroot()
        self.assertEqual((int(root.get("lines-covered")), int(root.get("lines-valid"))), totals(expected)["lines"])
        self.assertEqual((int(root.get("branches-covered")), int(root.get("branches-valid"))), totals(expected)["outcomes"])
        (source,), (found,) = root.findall("sources/source"), root.findall("packages/package/classes/class")
        self.assertEqual(source.text + found.get("filename"), self.path("calc.c"))
        lines = {int(line.get("number")): int(line.get("hits")) for line in found.findall("lines/line")}
        self.assertEqual([line for line, hits in sorted(lines.items()) if hits == 0], expected["files"][0]["lines_not_run"])
        self.assertEqual(len(lines), expected["totals"]["lines"]["of"])
        branches = [re.fullmatch(r"\d+% \((\d+)/(\d+)\)", line.get("condition-coverage")).groups()
                    for line in found.findall("lines/line") if line.get("branch") == "true"]
        self.assertEqual((sum(int(pair[0]) for pair in branches), sum(int(pair[1]) for pair in branches)),
                         totals(expected)["outcomes"])
        methods = {method.get("name"): method.find("lines/line").get("hits") for method in found.findall("methods/method")}
        self.assertEqual(methods["unused_but_there"], "0")
        self.assertEqual(methods["main"], "4")
        # As the document type says: this order of elements, and these attributes.
        self.assertEqual([child.tag for child in root], ["sources", "packages"])
        self.assertEqual([child.tag for child in found], ["methods", "lines"])
        for element in root.iter():
            wanted = {"coverage": {"line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered",
                                   "branches-valid", "complexity", "version", "timestamp"},
                      "package": {"name", "line-rate", "branch-rate", "complexity"},
                      "class": {"name", "filename", "line-rate", "branch-rate", "complexity"},
                      "method": {"name", "signature", "line-rate", "branch-rate", "complexity"}}.get(element.tag)
            if wanted:
                self.assertEqual(set(element.keys()), wanted)

    def test_llvm_cov(self):
        """The members of what llvm-cov itself exports for the same program, and our totals."""
        self.run_real()
        expected = totals(self.cover("t"))
        ours = json.loads(self.succeed("export", "--to=llvm-cov", "t"))
        subprocess.run([harness.CLANG, "-fprofile-instr-generate", "-fcoverage-mapping", "calc.c", "-o", "mapped"],
                       cwd=self.directory, check=True)
        subprocess.run(["./mapped", "1"], cwd=self.directory, stdout=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, LLVM_PROFILE_FILE="raw"))
        folder = os.path.dirname(os.path.realpath(shutil.which(harness.CLANG)))
        subprocess.run([os.path.join(folder, "llvm-profdata"), "merge", "raw", "-o", "data"], cwd=self.directory, check=True)
        theirs = json.loads(subprocess.run([os.path.join(folder, "llvm-cov"), "export", "-instr-profile=data", "mapped"],
                                           cwd=self.directory, check=True, capture_output=True).stdout)
        self.assertEqual((ours["type"], ours["version"]), (theirs["type"], theirs["version"]))

        def shape(value):
            if isinstance(value, dict):
                return {key: shape(part) for key, part in value.items() if not key.startswith("mcdc")}
            return [shape(value[0])] if isinstance(value, list) and value else type(value) not in (list,) and "value"
        mine, its = ours["data"][0], theirs["data"][0]
        self.assertEqual(shape(mine["files"][0]), shape(its["files"][0]))
        self.assertEqual(shape(mine["totals"]), shape(its["totals"]))
        self.assertEqual(set(shape(mine["functions"][0])), set(shape(its["functions"][0])))
        for key, name in (("lines", "lines"), ("functions", "functions"), ("branches", "outcomes")):
            self.assertEqual((mine["totals"][key]["covered"], mine["totals"][key]["count"]), expected[name])
        self.assertEqual(mine["totals"]["functions"]["count"], its["totals"]["functions"]["count"])
        lines = {}
        for line, column, count, counted, starts, gap in mine["files"][0]["segments"]:
            self.assertEqual((column, gap), (1, False))
            if counted:
                lines[line] = count
        self.assertEqual(len([count for count in lines.values() if count]), expected["lines"][0])

    def test_sarif(self):
        self.run_real(["-O0"])
        self.run_on("field.wmk", "calc", "(1+-2)", "2*3*(1)", "-")
        residual = json.loads(self.succeed("residual", "--json", "--tested=t", "field.wmk"))
        document = json.loads(self.succeed("export", "--to=sarif", "--tested=t", "field.wmk"))
        self.assertEqual((document["version"], len(document["runs"])), ("2.1.0", 1))
        run = document["runs"][0]
        rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        self.assertEqual([(result["ruleId"], result["partialFingerprints"]["path/v1"]) for result in run["results"]],
                         [(path["kind"], "%s:%d" % (path["function"], path["id"])) for path in residual["untested"]])
        self.assertGreater(len(run["results"]), 0)
        for result in run["results"]:
            self.assertIn(result["ruleId"], rules)
            self.assertIn(result["level"], ("note", "warning"))
            self.assertTrue(result["message"]["text"])
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], self.path("calc.c"))
            self.assertGreater(place["region"]["startLine"], 0)


if __name__ == "__main__":
    cases.main(__name__)
