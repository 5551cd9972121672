#!/usr/bin/env python3
"""Programs that users of other tools reported wrong counts of, written from what the reports describe.

usage: reports.py --waymark=PATH [--only=GLOB]  checks Waymark's counts, and the table in docs/exactness.md
       reports.py --waymark=PATH --table        writes that table

The programs are in tests/truth/reports, a file or a folder each. A line that ends in a comment with a number
is executed that often, which follows from what the program does; `reported` marks those that the table
shows. Keys at the top of a program:
  report:      where it was reported
  about:       the words of the table
  flags:       for the compiler
  chance:      why wrong counts of other tools differ from run to run: they are tried until one is wrong
  continuous:  llvm-cov's counters are kept in the file while the program runs

Waymark is tried at -O2, late and early. An exact count must be the right one, and a bound must hold it. Early
all must be exact, but for lines `between calls`: of a block that control left in one of several calls it is
not known how much of it ran. Of text that control cannot reach there is no code, hence no count; no count is right
where the right one is 0. gcov (of gcc) and llvm-cov are tried at -O0.
"""
import argparse
import collections
import fnmatch
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import harness
import oracle
from harness import Failure

PROGRAMS = os.path.join(HERE, "reports")
DOCUMENT = os.path.join(HERE, "..", "..", "docs", "exactness.md")
BEGIN, END = "<!-- reports: begin -->\n", "<!-- reports: end -->\n"

MAX_RUNS = 40

# What a tool says of a line. The most is None where there is no limit.
Said = collections.namedtuple("Said", "least most")


class Program:
    def __init__(self, name):
        path = os.path.join(PROGRAMS, name)
        self.name = name
        self.sources = sorted(glob.glob(os.path.join(path, "*"))) if os.path.isdir(path) else [path]
        self.keys, self.truth, self.text, self.reported, self.between = {}, {}, {}, [], []
        for source in self.sources:
            self.read(source)

    def read(self, source):
        for number, text in enumerate(open(source), 1):
            key = re.match(r"// (\w+): (.+)$", text)
            if key:
                self.keys[key.group(1)] = key.group(2)
            truth = re.search(r"// (\d+)(, between calls)?(, reported)?$", text)
            if truth:
                line = os.path.basename(source), number
                self.truth[line] = int(truth.group(1))
                self.text[line] = text[:truth.start()].strip()
                self.between += [line] if truth.group(2) else []
                self.reported += [line] if truth.group(3) else []

    def is_cxx(self):
        return any(source.endswith(".cpp") for source in self.sources)

    def build(self, compilers, directory):
        """Compiles what is no header and no library to `program`. `compilers`: command words for C and C++."""
        compiler = compilers[1 if self.is_cxx() else 0] + self.keys.get("flags", "").split() + ["-g", "-w"]
        units = [source for source in self.sources if not source.endswith(".h")]
        libraries = [source for source in units if os.path.basename(source).startswith("library.")]
        for source in libraries:
            must(compiler + ["-fPIC", "-shared", source, "-o", "library.so"], directory)
        must(compiler + [source for source in units if source not in libraries] +
             (["./library.so"] if libraries else []) + ["-o", "program"], directory)
        return ["program"] + (["library.so"] if libraries else [])


def must(command, directory, environment=None):
    status, out, err = harness.run(command, directory, environment)
    if status != 0:
        raise Failure("%s ended with %s: %s" % (" ".join(command), status, err.decode()[-500:]))
    return out.decode()


def run(program, compilers, directory, environment=None):
    harness.fresh(directory)
    objects = program.build(compilers, directory)
    must(["./program"], directory, environment)
    return objects


def by_waymark(waymark, program, at, directory):
    words = ["--at=early"] if at == "early" else []
    run(program, [[waymark, language] + words + ["-O2"] for language in ("cc", "c++")], directory)
    said = {}
    for profile in glob.glob(os.path.join(directory, "*.wmk")):
        for file in json.loads(must([waymark, "annotate", "--json", "--file=" + profile], directory))["files"]:
            for line in file["lines"]:
                key = os.path.basename(file["file"]), line["line"]
                most = line.get("max") if line.get("bound") else line["count"]
                old = said.get(key, Said(0, 0))
                said[key] = Said(old.least + line["count"],
                                 None if most is None or old.most is None else old.most + most)
    return said


def by_gcov(program, directory):
    run(program, [[word, "-O0", "--coverage"] for word in ("gcc", "g++")], directory)
    counts = collections.Counter()
    for data in glob.glob(os.path.join(directory, "*.gcda")):
        for file in json.loads(must(["gcov", "--json-format", "--stdout", data], directory))["files"]:
            for line in file["lines"]:
                counts[os.path.basename(file["file"]), line["line_number"]] += line["count"]
    return {line: Said(count, count) for line, count in counts.items()}


def by_llvm_cov(program, directory):
    continuous = "continuous" in program.keys
    words = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]
    words += ["-mllvm", "-runtime-counter-relocation"] if continuous else []
    objects = run(program, [[word] + words for word in (harness.CLANG, harness.CLANGXX)], directory,
                  {"LLVM_PROFILE_FILE": "%m_%p" + ("%c" if continuous else "") + ".raw"})
    raw = glob.glob(os.path.join(directory, "*.raw"))
    must(["llvm-profdata-19", "merge", "-o", "data"] + raw, directory)
    others = [word for name in objects[1:] for word in ("-object", name)]
    # The library first, as in the report of inline functions.
    listing = must(["llvm-cov-19", "export", "-format=lcov", "-instr-profile=data"] +
                   [objects[-1]] + (["-object", objects[0]] if others else []), directory)
    return {line: Said(count, count) for line, count in oracle.read_lcov(listing).items()}


def failure_of(truth, said, exact):
    """What is wrong with what Waymark says, or None."""
    if said is None:
        return None if truth == 0 else "nothing is said"
    if said.least == said.most:
        return None if said.least == truth else "%d" % said.least
    if exact or truth < said.least or (said.most is not None and truth > said.most):
        return "%s..%s" % said
    return None


def check_waymark(program, said, at):
    return ["FAIL %s, %s: line %d of %s was executed %d times, Waymark: %s" % (
                program.name, at, line[1], line[0], truth, failure)
            for line, truth in program.truth.items()
            for failure in [failure_of(truth, said.get(line), at == "early" and line not in program.between)]
            if failure]


def is_wrong(program, said):
    return any(line in said and said[line] != Said(truth, truth) for line, truth in program.truth.items())


def by_other(tool, program, directory):
    """What another tool says. Where that is left to chance it is tried until something is wrong."""
    for _ in range(MAX_RUNS if "chance" in program.keys else 1):
        said = tool(program, directory)
        if is_wrong(program, said):
            break
    return said


def cell(program, line, said, varies):
    truth = program.truth[line]
    if varies:
        return "**varies**"
    if line not in said:
        return "-"
    least, most = said[line]
    if least != most:
        return "at least %d" % least if most is None else "%d to %d" % (least, most)
    return "%d" % truth if least == truth else "**%d**" % least


def rows_of(program, answers):
    """One row for each line that was reported."""
    rows = []
    for number, line in enumerate(program.reported):
        cells = [cell(program, line, said, "chance" in program.keys and name in OTHERS and is_wrong(program, said))
                 for name, said in answers.items()]
        title = "%s: %s" % (program.keys["report"], program.keys["about"]) if number == 0 else ""
        rows.append("| %s | `%s` | %d | %s |" % (title, program.text[line], program.truth[line], " | ".join(cells)))
    return rows


OTHERS = {"gcov": by_gcov, "llvm-cov": by_llvm_cov}


def try_program(waymark, program):
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        answers = {name: by_other(tool, program, os.path.join(directory, name)) for name, tool in OTHERS.items()}
        for at in ("late", "early"):
            answers[at] = by_waymark(waymark, program, at, os.path.join(directory, at))
    failures = [text for at in ("late", "early") for text in check_waymark(program, answers[at], at)]
    return rows_of(program, answers), failures


def version(command):
    return re.search(r"(\d+\.\d+)\.\d+", must([command, "--version"], HERE)).group(1)


def head():
    return ["| report | line | right | gcov %s | llvm-cov %s | `waymark cc -O2` | with `--at=early` |" %
            (version("gcov"), version("llvm-cov-19")), "| --- | --- " + "| ---: " * 5 + "|"]


def split_document():
    with open(DOCUMENT) as file:
        before, rest = file.read().split(BEGIN)
    table, after = rest.split(END)
    return before + BEGIN, table, END + after


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--only", default="*")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    waymark, rows, failures = os.path.abspath(options.waymark), [], []
    names = [name for name in sorted(os.listdir(PROGRAMS)) if fnmatch.fnmatch(name, options.only)]
    for name in names:
        more_rows, more_failures = try_program(waymark, Program(name))
        rows, failures = rows + more_rows, failures + more_failures
    table = "\n".join(head() + rows) + "\n"
    before, written, after = split_document()
    if options.table:
        with open(DOCUMENT, "w") as file:
            file.write(before + table + after)
    elif options.only == "*" and table != written:
        failures.append("FAIL the table in docs/exactness.md is not this one:\n" + table)
    print("\n".join(failures + ["%d programs, %d failures" % (len(names), len(failures))]))
    sys.exit(1 if failures or not names else 0)


if __name__ == "__main__":
    main()
