#!/usr/bin/env python3
"""Builds that know an earlier profile or the paths that matter: --use, --prefer, --select.

usage: knowledge.py --waymark=PATH [--all] [--only=GLOB] [--keep=DIR] [programs] [bzip2] [lines]

programs: a third of the programs of tests/programs (all of them with --all), each in the modes of its row
          of KNOWLEDGE in tests/modes.py. Its full path profile is the oracle. --use must change no count, whatever is used for what; --prefer must count every path
          of the functions that hold a hot one, and no other function; --select must count the chosen
          paths, some of which never ran, and the sum of all others.
bzip2:    the same for a real program of several files.
lines:    a source that changed, and what is said of names, files and constraints that do not match.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import os
import random
import re
import shutil
import sys
import tempfile
import zlib

import compare
import harness
import modes
from harness import Failure
from modes import BY_NAME

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "real"))

import sources
import workloads

HOT = 90  # percent: what --prefer=FILE.wmk stands for
MAX_SELECTED = 6


class Subject:
    """A program that can be built with any options; each build and run has a directory.

    base: the mode of the full path profile, whose options all builds have
    """

    def __init__(self, waymark, directory, base):
        self.waymark, self.directory, self.base = waymark, directory, base
        self.flags = [word for word in base.options.split() if not word.startswith("--profile=")]

    def place(self, name):
        return os.path.join(self.directory, name)

    def profile(self, name, options):
        """Builds, runs, and returns behaviour and functions; the profile stays in the directory."""
        place = harness.fresh(self.place(name))
        self.build(place, options)
        behaviour = self.run(place)
        if not glob.glob(os.path.join(place, "*.wmk")):
            return behaviour, []
        return behaviour, harness.read_profile(self.waymark, place)

    def file(self, name):
        return glob.glob(os.path.join(self.place(name), "*.wmk"))[0]


class Small(Subject):
    def __init__(self, waymark, directory, base, program, level):
        super().__init__(waymark, directory, base)
        self.program, self.level = program, level
        self.ignored = program.incomparable(base)

    def build(self, place, options):
        language = "c++" if self.program.name.endswith(".cpp") else "cc"
        words = self.program.keys.get("flags", "").split()
        source = os.path.join(self.program.source, self.program.name)
        status, _, err = harness.run([self.waymark, language, self.level, "-w", "-g", harness.LINKER] +
                                     self.flags + words + options + [source, "-o", "program"], place)
        if status != 0 or err:
            raise Failure("%s: build ended with %s: %s" % (" ".join(options), status, err.decode()))

    def run(self, place):
        return harness.run(["./program"], place, stdin=self.program.keys.get("stdin", "").encode())


class Bzip2(Subject):
    ignored = ()

    def build(self, place, options):
        # Always in one place: profiles name the source files.
        tree = sources.copy("bzip2", self.place("tree"))
        compiler = " ".join(compare.shell_words([word]) for word in [self.waymark, "cc"] + self.flags + options)
        status, out, err = harness.run(["make", "bzip2", "CC=" + compiler], tree, timeout=600)
        if status != 0 or b"waymark" in err:
            raise Failure("%s: make ended with %s:\n%s" %
                          (" ".join(options), status, (out + err).decode()[-2000:]))
        shutil.move(os.path.join(tree, "bzip2"), place)

    def run(self, place):
        with open(os.path.join(place, "text"), "wb") as out:
            out.write(workloads.text(60000))
        return harness.run("./bzip2 -9 < text > text.bz2 && ./bzip2 -dc text.bz2 | cmp - text"
                           " && md5sum < text.bz2; ./bzip2 --no-such-option 2> /dev/null",
                           place, shell=True)


def fail_if(lines, what):
    if lines:
        raise Failure("%s:\n    %s" % (what, "\n    ".join(lines[:12])))


def same_behaviour(expected, got, what):
    if expected[:2] != got[:2]:
        raise Failure("%s: the program behaves differently: %r, expected %r" %
                      (what, got[:2], expected[:2]))


def complete(function):
    """id -> count of the paths that were not left early."""
    return {path["id"]: path["count"] for path in function["paths"] if not path["partial"]}


def unique(functions, ignored=()):
    """name -> function, of those that are the only ones of their name."""
    names = collections.Counter(function["name"] for function in functions)
    return {f["name"]: f for f in functions if names[f["name"]] == 1 and f["name"] not in ignored}


def options_of(mode, earlier="", paths=""):
    return [word.format(profile=earlier, paths=paths) for word in mode.options.split()]


def earlier_profile(subject, mode):
    """A profile of this mode; the full one, which is there, is one of paths."""
    if mode.counts == "paths":
        return subject.file("full")
    subject.profile("earlier", options_of(mode))
    return subject.file("earlier")


def check_use(subject, functions, behaviour, mode, earlier):
    """Neither the kind of the earlier profile nor what it says changes a count."""
    what = "%s of %s" % (mode.name, earlier.name)
    got, measured = subject.profile("use", options_of(mode, earlier_profile(subject, earlier)))
    same_behaviour(behaviour, got, what)
    fail_if(harness.compare_profiles(measured, functions, mode.counts != "blocks", subject.ignored), what)
    if mode.counts == "paths":
        fail_if(harness.compare_paths(measured, functions, subject.ignored), what)


def hot_functions(functions):
    """Names of the functions that hold one of the hottest paths, by the definition of hot:90%."""
    rows = []
    for function in functions:
        cost = {block["id"]: block["instructions"] for block in function["blocks"]}
        rows += [(path["count"] * sum(cost[block] for block in path["blocks"]), function["name"])
                 for path in function["paths"] if path["count"] > 0]
    rows.sort(key=lambda row: -row[0])
    whole, covered, names = sum(row[0] for row in rows), 0, set()
    for instructions, name in rows:
        if covered * 100 >= HOT * whole or not instructions:
            break
        covered += instructions
        names.add(name)
    return names


def check_prefer(subject, functions, behaviour, mode):
    expected, hot, what = unique(functions, subject.ignored), hot_functions(functions), mode.name
    got, measured = subject.profile("prefer", options_of(mode, subject.file("full")))
    same_behaviour(behaviour, got, what)
    names = {function["name"] for function in measured}
    if names != hot:
        raise Failure("%s: instrumented %s, but %s hold hot paths" %
                      (what, sorted(names), sorted(hot)))
    for function in measured:
        wanted = expected.get(function["name"])
        if not wanted:
            continue
        if function["placement"] == "preferred" and complete(function) != complete(wanted):
            fail_if(["%s: %s, expected %s" % (function["name"], complete(function),
                                              complete(wanted))], what)
        elif function["placement"] != "preferred":
            fail_if(harness.compare_paths([function], [wanted]), what)


def choose_paths(functions, generator):
    """name of a function -> ids of some of its paths, most of which ran."""
    chosen = collections.defaultdict(set)
    ran = [(name, path) for name, function in sorted(functions.items())
           for path in complete(function)]
    for name, path in generator.sample(ran, min(len(ran), generator.randint(1, MAX_SELECTED))):
        chosen[name].add(path)
    name = generator.choice(sorted(functions))
    chosen[name].add(generator.randrange(functions[name]["possible_paths"]))
    return chosen


def check_selected(function, ids, full):
    """One function against its full profile. Paths that cannot be told apart by sums, and those of
    functions with computed gotos, are counted in full."""
    everything = complete(full)
    wanted = {path: everything[path] for path in ids if path in everything}
    got = complete(function)
    if function["placement"] != "selected":
        return [] if got == everything else ["%s: counted in full, but not right" % function["name"]]
    lines = ["%s: path %d ran %d times, expected %d" %
             (function["name"], path, got.get(path, 0), wanted.get(path, 0))
             for path in sorted(set(got) | set(wanted)) if got.get(path) != wanted.get(path)]
    others = sum(everything.values()) - sum(wanted.values())
    if function["others"] != others:
        lines.append("%s: others ran %d times, expected %d" %
                     (function["name"], function["others"], others))
    return lines


def check_select(subject, functions, behaviour, mode, rounds):
    known, count = unique(functions, subject.ignored), 0
    known = {name: function for name, function in known.items() if function["paths_known"]}
    for number in range(rounds):
        generator = random.Random("%s %d" % (os.path.basename(subject.directory), number))
        chosen = choose_paths(known, generator)
        names = ["%s:%s:%d" % (name, known[name]["cfg_hash"], path)
                 for name in sorted(chosen) for path in sorted(chosen[name])]
        got, measured = subject.profile("select%d" % number, options_of(mode, paths=",".join(names)))
        same_behaviour(behaviour, got, "select")
        lines = []
        for function in measured:
            if function["name"] not in chosen:
                lines.append("%s: instrumented without a selected path" % function["name"])
            else:
                lines += check_selected(function, chosen[function["name"]],
                                        known[function["name"]])
                count += function["placement"] == "selected"
        fail_if(lines, "--select=" + ",".join(names))
    return count


def check_subject(subject, rows, rounds):
    """Returns how many functions were counted selectively."""
    behaviour, functions = subject.profile("full", ["--profile=paths"])
    if not any(function["paths"] for function in functions):
        raise Failure("the full profile knows no path")
    for _, earlier, *using, preferring in rows:
        for mode in using:
            check_use(subject, functions, behaviour, BY_NAME[mode], BY_NAME[earlier])
        check_prefer(subject, functions, behaviour, BY_NAME[preferring])
    return check_select(subject, functions, behaviour, BY_NAME["select"], rounds)


def is_of_the_third(program):
    """Whether a program is tried without --all, too."""
    return zlib.crc32(("knowledge of " + program.name).encode()) % 3 == 0


def list_tasks(everything):
    """Programs of one file whose build is plain and says nothing, each with its Try."""
    found = [program for program in compare.find_programs()
             if program.name.endswith((".c", ".cpp")) and "build" not in program.keys
             and not program.left_alone["late"] and (everything or is_of_the_third(program))]
    wanted = [(program, modes.row_of(program.name, modes.KNOWLEDGE)) for program in found]
    return [(program, row if row.level in program.levels else row._replace(level=program.levels[0]))
            for program, row in wanted]


def check_program(waymark, program, row, keep):
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(keep or temporary, program.name)
        try:
            subject = Small(waymark, directory, BY_NAME[row.modes[0]], program, row.level)
            return check_subject(subject, [row.modes], 2), None
        except Failure as failure:
            return 0, "FAIL %s %s %s: %s" % (program.name, row.level, row.modes[0], failure)


def test_programs(options):
    tasks = [task for task in list_tasks(options.all)
             if fnmatch.fnmatch(task[0].name, options.only)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(
            lambda task: check_program(options.waymark, *task, options.keep), tasks))
    count = sum(count for count, _ in results)
    print("%d programs, %d functions with selected paths" % (len(tasks), count))
    failures = [text for _, text in results if text]
    if not failures and tasks and not count:
        failures.append("FAIL: no function was counted selectively")
    return failures


def test_bzip2(options):
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        directory = os.path.join(options.keep or temporary, "bzip2")
        try:
            subject = Bzip2(options.waymark, directory, BY_NAME[modes.KNOWLEDGE_BZIP2[0][0]])
            count = check_subject(subject, modes.KNOWLEDGE_BZIP2, 1)
            return [] if count else ["FAIL bzip2: no function was counted selectively"]
        except (Failure, sources.Unavailable) as failure:
            return ["FAIL bzip2: %s" % failure]


# What is said -------------------------------------------------------------------------------------

FIRST = """
#include <stdio.h>
#define THERE(n) __asm__ volatile("# there " #n)
__attribute__((noinline)) void both(int x)
{
	if (x & 1)
		THERE(1);
	else
		THERE(2);
	if (x & 2)
		THERE(3);
}
__attribute__((noinline)) void other(int x)
{
	if (x > 7)
		THERE(4);
	THERE(5);
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		both(i);
	other(3);
	return 0;
}
"""
CHANGED = FIRST.replace("\tTHERE(5);", "\tif (x < 3)\n\t\tTHERE(6);\n\tTHERE(5);")


class Lines:
    """Builds of two versions of a program, and what the compiler says of them."""

    def __init__(self, waymark, directory):
        self.waymark, self.directory = waymark, harness.fresh(directory)
        for name, text in (("first.c", FIRST), ("changed.c", CHANGED),
                           ("foreign.c", "int main(void) { return 0; }")):
            with open(os.path.join(directory, name), "w") as out:
                out.write(text)
        self.functions, self.file = self.profile("first.c", ["--profile=paths"])
        self.edges_file = self.profile("first.c", ["--profile=edges"], "edges")[1]
        self.foreign_file = self.profile("foreign.c", ["--profile=paths"])[1]

    def cc(self, source, options, output):
        return harness.run([self.waymark, "cc", "-O2", "-g"] + options + [source, "-o", output],
                           self.directory)

    def profile(self, source, options, output=None):
        output = output or source[:-2]
        status, _, err = self.cc(source, options, output)
        if status != 0 or err:
            raise Failure("%s: %s" % (" ".join(options), err.decode()))
        harness.run(["./" + output], self.directory)
        file = glob.glob(os.path.join(self.directory, output + "-*.wmk"))[0]
        status, out, _ = harness.run([self.waymark, "report", "--json", file], self.directory)
        return {f["name"]: f for f in harness.json.loads(out)["functions"]}, file

    def name(self, function, path):
        return "%s:%s:%d" % (function, self.functions[function]["cfg_hash"], path)

    def expect(self, source, options, pattern, strict=None):
        """One line; with --strict the same makes the build fail, and nothing is written, unless
        `strict` says that it stays a warning."""
        self.expect_once(source, options, pattern, 0)
        self.expect_once(source, options + ["--strict"], strict or pattern, 0 if strict else 1)

    def expect_once(self, source, options, pattern, wanted):
        output = os.path.join(self.directory, "out")
        if os.path.exists(output):
            os.remove(output)
        status, _, err = self.cc(source, options, "out")
        text = "\n".join(harness.complaints(err.decode()))
        said = text.replace(" [-Wbackend-plugin]", "")
        if status != wanted or "\n" in text or not re.search(pattern, said):
            raise Failure("%s: exit %s, expected %d, and one line like '%s': %s" %
                          (" ".join(options), status, wanted, pattern, text))
        if os.path.exists(output) != (wanted == 0):
            raise Failure("%s: output is %sthere" %
                          (" ".join(options), "" if wanted else "not "))
        left = [name for name in os.listdir(self.directory) if name.endswith(".tmp")]
        if left:
            raise Failure("%s: left %s behind" % (" ".join(options), left))


def check_files(lines):
    lines.expect("first.c", ["--profile=edges", "--use=none.wmk"], r"--use: cannot read .*none\.wmk': No such")
    lines.expect("first.c", ["--profile=edges", "--use=first.c"], r"--use: .*first\.c: not a \.wmk file")
    shutil.move(os.path.join(lines.directory, "foreign"), os.path.join(lines.directory, "moved"))
    lines.expect("foreign.c", ["--use=" + lines.foreign_file],
                 r"--use: .*foreign': No such file.*name a copy of the program with --binary=PATH")
    lines.expect("first.c", ["--use=" + lines.foreign_file, "--binary=moved"],
                 r"--use=.*foreign-.*\.wmk: 0 of 3 functions match")
    lines.expect("first.c", ["--use=" + lines.file, "--binary=moved"],
                 r"--use: .* is of build-id .*, but .*moved is of build-id")
    lines.expect("first.c", ["--prefer=none.wmk"],
                 r"--prefer: cannot read .*none\.wmk': No such [a-z ]*(; all paths are counted)?$")
    lines.expect("first.c", ["--select=hot:90%", "--use=none.wmk"],
                 r"--use: cannot read .*none\.wmk': No such [a-z ]*(; all paths are counted)?$")
    lines.expect("first.c", ["--prefer=hot:90%", "--use=" + lines.edges_file],
                 r"--prefer: .*no paths were counted.*build with --profile=paths")


def check_names(lines):
    good, both = lines.name("both", 0), lines.functions["both"]
    for option in ("--select=", "--prefer="):
        lines.expect("first.c", [option + "none:12345678:0," + good],
                     r"paths: 1 of 2 matched; not matched: none:12345678:0 \(no such function\); "
                     r"correct the list, or leave it out$")
        lines.expect("first.c", [option + "both:00000000:0"],
                     r"paths: 0 of 1 matched.*of another build: the function's blocks or edges differ")
        lines.expect("first.c", [option + lines.name("both", both["possible_paths"])],
                     r"paths: 0 of 1 matched.*no path of this number")
        lines.expect("first.c", [option + "first.c:7&&first.c:9"],
                     r"paths: 0 of 1 matched.*no path runs through all of these lines")
        lines.expect("first.c", [option + "first.c:9999"], r"paths: 0 of 1 .*no code at such a line")
        nothing = (r"paths: 0 of 1 matched; not matched: function:z\* \(no such function\): "
                   r"%s; correct the list, or leave it out$")
        lines.expect_once("first.c", [option + "function:z*"],
                          nothing % "the program counts nothing", 0)
        lines.expect_once("first.c", [option + "function:z*", "--strict"],
                          nothing % "nothing would be counted", 1)
        lines.expect_once("first.c", ["-c", option + "both:00000000:0"],
                          r"another build.*: nothing of this file is counted; correct the list", 0)
    for options, pattern in ((["--select=hot:90%"], r"name the profile .* with --use=FILE\.wmk"),
                             (["--select=both"], r"'both' is no set of paths"),
                             (["--prefer="], r"no path is named"),
                             (["--prefer=" + good, "--prefer-by=x"], r"use hash or intervals"),
                             (["--select=" + good, "--prefer=" + good], r"exclude each other"),
                             (["--select=" + good, "--profile=edges"], r"needs --profile=paths"),
                             (["--prefer=" + good, "--placement=redundant"], r"needs --profile=paths")):
        lines.expect_once("first.c", options, pattern, 2)


def check_many_selected(lines):
    """Only so many paths of one function can be told from its others: who selects more must know."""
    tests = "".join("\tif (x & %d)\n\t\tTHERE(%d);\n" % (1 << bit % 30, bit) for bit in range(60))
    text = FIRST.replace("void both(int x)", "void many(int x)\n{\n%s}\n%s void both(int x)" %
                         (tests, "__attribute__((noinline))"))
    with open(os.path.join(lines.directory, "many.c"), "w") as out:
        out.write(text.replace("both(i);", "both(i), many(i);"))
    functions, _ = lines.profile("many.c", [])
    names = lambda count: ",".join("many:%s:%d" % (functions["many"]["cfg_hash"], path)
                                   for path in range(count))
    possible = functions["many"]["possible_paths"]
    if possible <= 257:
        raise Failure("sixty branches make %d paths" % possible)
    some, _ = lines.profile("many.c", ["--select=" + names(256), "--strict"], "some")
    if some["many"]["placement"] != "selected":
        raise Failure("256 paths are counted as %s" % some["many"]["placement"])
    lines.expect("many.c", ["--select=" + names(257)],
                 r"--select: 257 paths of function 'many' are selected, more than 256"
                 r"(: all paths are counted there)?; select fewer of them, or .* with --only=GLOB$")
    lines.expect("many.c", ["--select=function:m*"],
                 r"--select: %d paths of function 'many' are selected, more than 256" % possible)


def check_changed(lines):
    """Functions that changed are planned anew; counts are as without the earlier profile."""
    plain, _ = lines.profile("changed.c", ["--profile=paths"])
    used, _ = lines.profile("changed.c", ["--profile=paths", "--use=" + lines.file], "used")
    for name in plain:
        for key in ("blocks", "edges", "paths"):
            if plain[name][key] != used[name][key]:
                raise Failure("%s: %s differ with --use of an earlier source" % (name, key))
    lines.expect_once("changed.c", ["--profile=paths", "--use=" + lines.file, "--strict"],
                      r"--use=.*: 2 of 3 functions match; the others are planned without it", 0)


SELDOM = """
__attribute__((noinline)) void seldom(int x)
{
	if (x % 10)
		__asm__ volatile("# often");
	else
		__asm__ volatile("# seldom");
}
int main(void)
{
	for (int i = 0; i < 1000; i++)
		seldom(i);
	return 0;
}
"""


def check_branch_weights(lines):
    """The code generator learns what was measured: nine of ten calls go one way."""
    with open(os.path.join(lines.directory, "seldom.c"), "w") as out:
        out.write(SELDOM)
    _, file = lines.profile("seldom.c", ["--profile=paths"])
    lines.cc("seldom.c", ["--use=" + file, "-S", "-emit-llvm"], "seldom.ll")
    with open(os.path.join(lines.directory, "seldom.ll")) as text:
        code = text.read()
    body = re.search(r"define [^\n]* @seldom\(.*?\n}", code, re.S).group(0)
    weights = [re.search(r"^!%s = !{!\"branch_weights\", i32 (\d+), i32 (\d+)}" % number, code, re.M)
               for number in re.findall(r"br i1 .*!prof !(\d+)", body)]
    shares = [int(w.group(1)) / (int(w.group(1)) + int(w.group(2))) for w in weights if w]
    if len(shares) != 1 or min(abs(shares[0] - 0.1), abs(shares[0] - 0.9)) > 0.001:
        raise Failure("the branch of seldom has the shares %s" % shares)


def check_several_files(lines):
    """What one file does not hold may be in another: no reason to complain."""
    status, _, err = harness.run([lines.waymark, "cc", "-c", "-O2", "--strict",
                                  "--select=elsewhere:12345678:0", "first.c"], lines.directory)
    if status != 0 or err:
        raise Failure("a function of another file is missed: %s" % err.decode())


NAMESAKES = {"hot.c": """
void rest(int);
static __attribute__((noinline)) int work(int x)
{
	if (x & 1)
		__asm__ volatile("# odd");
	return x ^ 5;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += work(i);
	rest(sum);
	return 0;
}
""", "cold.c": """
static __attribute__((noinline)) void work(void) { __asm__ volatile("# work"); }
void rest(int x)
{
	if (x)
		work();
}
"""}


def check_namesakes(lines):
    """A function of one file that has the name of a hot one in another is no reason, either."""
    for name, text in NAMESAKES.items():
        with open(os.path.join(lines.directory, name), "w") as out:
            out.write(text)
    compiler = [lines.waymark, "cc", "-O2"]
    harness.run(compiler + ["hot.c", "cold.c", "-o", "namesakes"], lines.directory)
    harness.run(["./namesakes"], lines.directory)
    file = glob.glob(os.path.join(lines.directory, "namesakes-*.wmk"))[0]
    for name in NAMESAKES:
        status, _, err = harness.run(compiler + ["-c", "--strict", "--prefer=" + file, name],
                                     lines.directory)
        if status != 0 or err:
            raise Failure("%s: %s" % (name, err.decode()))


def test_lines(options):
    failures = []
    with tempfile.TemporaryDirectory(prefix="waymark-") as temporary:
        lines = Lines(options.waymark, os.path.join(options.keep or temporary, "lines"))
        for check in (check_names, check_many_selected, check_changed, check_branch_weights,
                      check_several_files, check_namesakes, check_files):
            try:
                check(lines)
            except Failure as failure:
                failures.append("FAIL %s: %s" % (check.__name__, failure))
    return failures


TESTS = {"programs": test_programs, "bzip2": test_bzip2, "lines": test_lines}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True, type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--keep")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    failures = [line for name in options.tests or TESTS for line in TESTS[name](options)]
    print("\n".join(failures + ["%d failures" % len(failures)]))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
