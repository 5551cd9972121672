#!/usr/bin/env python3
"""Line counts of optimised code against those of the text, on random programs.

usage: random_lines.py --waymark=PATH [--jobs=N] [--generator=NAME] [--levels=LIST] COUNT SEED
       random_lines.py --waymark=PATH [--levels=LIST] FILE...

The truth is what --at=early says of the same run at -O0, where code and text are the same; the counts there
are compared with those of gcov and llvm-cov (oracle.py). No exact count of an optimised build may differ from
it, no bound may exclude it, and a line that was executed must have a count. At --at=early the same holds at
every level.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import csmith
import flow_programs
import harness
import oracle
from harness import Failure

LEVELS = ["-O1", "-O2", "-O3", "-Os", "-O2 -flto"]
EARLY_LEVELS = ["-O2"]
SECONDS = 5

Line = collections.namedtuple("Line", "least most")

GENERATORS = {"csmith": csmith.generate, "flow": flow_programs.generate, "flow++": flow_programs.generate_cxx}


def measure(waymark, at, level, source, directory):
    """Behaviour, and (file, line) -> what is said of it."""
    harness.fresh(directory)
    language = "c++" if source.endswith(".cpp") else "cc"
    command = [waymark, language, "--at=" + at, "-g", "-w", "-pthread", "-I", csmith.INCLUDE, *level.split()]
    status, _, err = harness.run(command + [source, "-lm", "-o", "program"], directory)
    if status != 0:
        raise Failure("%s %s: compiler ended with %s: %s" % (at, level, status, err.decode()[-1000:]))
    behaviour = harness.run(["./program"], directory, timeout=20 * SECONDS)
    lines = {}
    for profile in glob.glob(os.path.join(directory, "*.wmk")):
        status, out, err = harness.run([waymark, "annotate", "--json", "--file=" + profile], directory)
        if status != 0:
            raise Failure("%s %s: annotate ended with %s: %s" % (at, level, status, err.decode()))
        for file in json.loads(out)["files"]:
            if os.path.basename(file["file"]) != os.path.basename(source):
                continue
            for line in file["lines"]:
                most = line.get("max") if line.get("bound") else line["count"]
                lines[line["line"]] = Line(line["count"], float("inf") if most is None else most)
    return behaviour, lines


def difference(truth, said):
    """What is wrong with what is said of a line, or None."""
    if said is None:
        return "nothing" if truth.least > 0 else None
    if said.least > truth.most or said.most < truth.least:
        return "%s" % said.least if said.least == said.most else "%s..%s" % said
    return None


def is_defined(source, directory):
    """Whether the program ends, and in the same way whatever the optimiser does."""
    results = []
    harness.fresh(directory)
    compiler = harness.CLANGXX if source.endswith(".cpp") else harness.CLANG
    for level in ("-O0", "-O2"):
        status, _, err = harness.run([compiler, level, "-w", "-pthread", "-I", csmith.INCLUDE, source, "-lm",
                                      "-o", "program"], directory)
        if status != 0:
            raise Failure("compiler ended with %s: %s" % (status, err.decode()[-1000:]))
        results.append(harness.run(["./program"], directory, timeout=SECONDS))
    status = results[0][0]
    return results[0] == results[1] and status is not None and status >= 0


def check(waymark, source, levels, directory):
    """What was found, and the text of all that is wrong; None if the program proves nothing."""
    if not is_defined(source, os.path.join(directory, "plain")):
        return None
    place = os.path.join(directory, "truth")
    behaviour, truth = measure(waymark, "early", "-O0", source, place)
    text = [""] + open(source).read().splitlines() + [""]
    kinds, wrong = collections.Counter(), []
    for at, level in [("late", level) for level in levels] + [("early", level) for level in EARLY_LEVELS]:
        mine, said = measure(waymark, at, level, source, os.path.join(directory, "measured"))
        if mine != behaviour:
            wrong.append("%s %s: behaves otherwise" % (at, level))
        for line, right in sorted(truth.items()):
            if re.search(r"\b(struct|class)\b", text[line]):
                continue  # implicit members: which there are depends on the level
            what = difference(right, said.get(line))
            exact = line in said and said[line].least == said[line].most
            kinds["executed"] += right.least > 0
            kinds["exact"] += right.least > 0 and exact
            if what:
                wrong.append("%s %s: line %d was executed %s times, said: %s: %s" % (
                    at, level, line, right.least if right.least == right.most else "%s..%s" % right, what,
                    text[line].strip()))
    return kinds, wrong


def check_truth(waymark, source, directory):
    """The truth itself, against gcov and llvm-cov."""
    language = "c++" if source.endswith(".cpp") else "cc"
    subject = oracle.Subject(os.path.basename(source), [source], [], ["-I", csmith.INCLUDE], b"", language)
    return oracle.check(waymark, subject, directory)[1]


def attempt(waymark, name, make, options):
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        try:
            source = make(directory)
            result = check(waymark, source, options.levels, directory)
            if result is None:
                return name, collections.Counter(undefined=1), []
            kinds, wrong = result
            if options.oracle and not flow_programs.leaves_early(source):
                wrong += check_truth(waymark, source, os.path.join(directory, "oracle"))
            return name, kinds, wrong
        except Failure as failure:
            return name, collections.Counter(), [str(failure)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--generator", choices=sorted(GENERATORS), default="csmith")
    parser.add_argument("--levels", type=lambda text: text.split(","), default=LEVELS)
    parser.add_argument("--oracle", action="store_true", help="compare the truth with gcov's and llvm-cov's")
    parser.add_argument("--limit", type=int, default=8, help="how many lines of a program are listed")
    parser.add_argument("what", nargs="+", help="COUNT SEED, or files")
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    if options.what[0].isdigit():
        count, seed = map(int, options.what)
        make = GENERATORS[options.generator]
        tasks = [("%s %d" % (options.generator, k), lambda directory, k=k: make(k, directory))
                 for k in range(seed, seed + count)]
    else:
        tasks = [(path, lambda directory, path=path: os.path.abspath(path)) for path in options.what]
    totals, failures = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, kinds, wrong in pool.map(lambda task: attempt(waymark, *task, options), tasks):
            totals += kinds
            failures += bool(wrong)
            for text in wrong[:options.limit]:
                print("FAIL %s: %s" % (name, text), flush=True)
    print("%d programs, %d of them not defined, %d failures; %d of %d executed lines are exact" % (
        len(tasks), totals["undefined"], failures, totals["exact"], totals["executed"]))
    sys.exit(1 if failures or not totals["executed"] else 0)


if __name__ == "__main__":
    main()
