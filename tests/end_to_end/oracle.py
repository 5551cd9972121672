#!/usr/bin/env python3
"""Line counts at -O0 --at=early against two independent tools: gcov and llvm-cov's source coverage.

usage: oracle.py --waymark=PATH [--verbose] [NAME...]

Every line count of Waymark must equal that of at least one of them, and every difference from the
other must be of a kind below, whose condition is checked line by line:

  label      a jump that falls through a label has the place of the statement before it, which went
             elsewhere. gcov counts it there. Condition: that statement is a jump, and llvm-cov agrees.
  addition   gcov adds up how often a line is entered from other lines, so blocks of one line that
             exclude each other (entry and return of an endless loop, normal and exceptional ends of
             a scope) add up; Waymark takes the most frequent block. Condition: gcov's count is
             larger, and its own most frequent block of the line (added over functions) has
             Waymark's count.
  implicit   constructors, destructors and assignments that the compiler makes for a class stand on the
             line that names the class, or the default; both other tools leave them out. Condition:
             the line names a class or says `default`, and both have no count.
  handler    clang gives the first instruction of a handler of exceptions the line of what it compiled
             before, which is another handler, or the end of the try block. gcov believes that; Waymark counts
             a handler where its block begins. The end of all cleanups, where unwinding goes on, has the line of
             one of them; Waymark gives it none. Condition: the line has a brace, and llvm-cov agrees.
  region     llvm-cov counts regions of the text, not instructions: a line takes the count of the
             region that is open at its start or the largest that begins on it, and lines without
             code (braces, declarations, comments) have counts. Condition: gcov agrees with Waymark,
             and that includes "not executable".

The other tools write their data when the program exits in the ordinary way and lose what runs later
or in other processes; programs that do such things are listed, with the reason, in NOT_COMPARABLE.
They also lose updates between threads (356270 of 400000 seen): programs with threads are left out.
"""
import argparse
import collections
import glob
import json
import os
import re
import sys
import tempfile

import compare
import harness
from harness import Failure

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
NOT_COMPARABLE = {
    "noreturn_abort_in_main.c": "the other tools write nothing after abort",
    "noreturn_underscore_exit.c": "the other tools write nothing after _exit",
    "constructors_and_destructors.c": "the other tools miss destructors that run after theirs",
    "without_debug_information.c": "built without lines on purpose",
    "loop_counter_exceeds_32_bits.c": "takes too long at -O0",
    "longjmp_from_noreturn_callee.c": "the other tools believe that setjmp returns once",
    "longjmp_within_one_function.c": "the other tools believe that setjmp returns once",
    "ifunc_resolver.c": "Waymark leaves resolvers alone: they run before the program is relocated",
    "naked_function.c": "Waymark leaves naked functions alone: there is no frame to count in",
    "coroutine.cpp": "Waymark leaves coroutines alone when early: they are split in pieces later",
    "coroutine_left_by_exception.cpp": "Waymark leaves coroutines alone when early",
    "vfork_then_exec.c": "the other tools believe that vfork returns once",
    "sandbox_kills_who_calls_more.c": "the other tools are killed when they write at the end",
    "vfork_child_counts_and_exits.c": "the other tools believe that vfork returns once",
}

Subject = collections.namedtuple("Subject", "name sources arguments flags stdin language")


def subjects():
    """The example programs and all one-file programs whose calls come back: the other tools believe
    that all do, and derive wrong counts where one does not."""
    lisp = os.path.join(EXAMPLES, "lisp")
    found = [Subject("lisp", sorted(glob.glob(os.path.join(lisp, "*.c"))),
                     [os.path.join(lisp, "program.lisp")], [], b"", "cc")]
    tiny = sorted(glob.glob(os.path.join(EXAMPLES, "tiny", "*.c*")))
    found += [Subject(os.path.basename(path), [path], [], [], b"", language(path)) for path in tiny]
    for program in compare.find_programs():
        if is_comparable(program):
            path = os.path.join(program.source, program.name)
            found.append(Subject(program.name, [path], [], program.keys.get("flags", "").split(),
                                 program.keys.get("stdin", "").encode(), language(path)))
    return found


def is_comparable(program):
    return (program.name.endswith((".c", ".cpp")) and program.name not in NOT_COMPARABLE
            and "-O0" in program.levels and not program.left_early and not program.left_alone["early"]
            and "build" not in program.keys and "-pthread" not in program.keys.get("flags", ""))


def language(path):
    return "c++" if path.endswith(".cpp") else "cc"


def must(command, directory, environment=None, stdin=b"", statuses=(0,)):
    status, out, err = harness.run(command, directory, environment, stdin=stdin)
    if statuses and status not in statuses:
        raise Failure("%s ended with %s: %s" % (" ".join(command), status, err.decode()))
    return out


def build_and_run(compiler, subject, directory, environment=None):
    harness.fresh(directory)
    must(compiler + ["-O0", "-g", "-w"] + subject.flags + subject.sources + ["-lm", "-o", "program"],
         directory)
    must(["./program"] + subject.arguments, directory, environment, subject.stdin, statuses=())


def waymark_counts(waymark, subject, directory):
    """(source, line) -> count."""
    variant = harness.named("early", "edges")
    build_and_run(harness.compiler(waymark, variant, subject.language), subject, directory)
    profile = glob.glob(os.path.join(directory, "*.wmk"))[0]
    counts = {}
    listing = must([waymark, "annotate", "--json", "--file=" + profile], directory)
    for file in json.loads(listing)["files"]:
        for line in file["lines"]:
            counts[os.path.basename(file["file"]), line["line"]] = line["count"]
    return counts


def largest_blocks(dump):
    """(source, line) -> count of its most frequent block, added over functions, from gcov's dump."""
    totals, source, count = collections.Counter(), None, 0
    for part in re.split(r"^===== ", dump, flags=re.MULTILINE)[1:]:
        source = re.match(r".* @ (.*):\d+$", part, re.MULTILINE).group(1)
        largest = {}
        for row in part.splitlines():
            counter = re.match(r"Block : \d+ Counter : (\d+)", row)
            lines = re.match(r"\tLines : ([\d,]+)", row)
            if counter:
                count = int(counter.group(1))
            elif lines:
                for line in lines.group(1).strip(",").split(","):
                    largest[int(line)] = max(count, largest.get(int(line), 0))
        for line, value in largest.items():
            totals[source, line] += value
    return totals


def gcov_counts(subject, directory):
    """(source, line) -> count, and (source, line) -> count of the most frequent block."""
    plain = harness.compiler(None, None, subject.language)
    build_and_run(plain + ["--coverage"], subject, directory)
    counts, source = {}, None
    data = sorted(os.path.basename(path) for path in glob.glob(os.path.join(directory, "*.gcda")))
    status, out, dump = harness.run(["llvm-cov-19", "gcov", "--dump", "-t"] + data, directory)
    if status != 0:
        raise Failure("llvm-cov-19 gcov ended with %s: %s" % (status, dump.decode()))
    for row in out.decode().splitlines():
        if row.count(":") < 2:
            continue
        count, line, text = row.split(":", 2)
        if text.startswith("Source:") and line.strip() == "0":
            source = os.path.basename(text[7:])
        elif count.strip() not in ("-", ""):
            number = 0 if "#" in count or "=" in count else int(count.strip())
            key = source, int(line)
            counts[key] = counts.get(key, 0) + number
    largest = collections.Counter()
    for (source, line), count in largest_blocks(dump.decode()).items():
        largest[os.path.basename(source), line] += count
    return counts, largest


def llvm_cov_counts(subject, directory):
    plain = harness.compiler(None, None, subject.language)
    build_and_run(plain + ["-fprofile-instr-generate", "-fcoverage-mapping"], subject, directory,
                  {"LLVM_PROFILE_FILE": "%p.raw"})  # processes would write over each other's
    raw = sorted(os.path.basename(path) for path in glob.glob(os.path.join(directory, "*.raw")))
    must(["llvm-profdata-19", "merge", "-o", "data"] + raw, directory)
    listing = must(["llvm-cov-19", "export", "-format=lcov", "-instr-profile=data", "program"],
                   directory).decode()
    return read_lcov(listing)


def read_lcov(listing):
    """(source, line) -> count, from what llvm-cov exports."""
    counts, source = {}, None
    for row in listing.splitlines():
        if row.startswith("SF:"):
            source = os.path.basename(row[3:])
        found = re.match(r"DA:(\d+),(\d+)", row)
        if found:
            counts[source, int(found.group(1))] = int(found.group(2))
    return counts


def kind_of_difference(mine, gcov, largest, region, text):
    """None if all agree, the name of a documented kind, or a Failure."""
    if mine == gcov:
        return None if mine == region else "region"
    if mine is not None and gcov is not None and gcov > mine == largest:
        return "addition"
    if mine is not None and mine == region and ("}" in text or "catch" in text):
        return "handler"
    if mine is not None and mine == region and re.search(r"\b(goto|break|continue|return)\b", text):
        return "label"
    if gcov is None and region is None and re.search(r"\b(struct|class|default)\b", text):
        return "implicit"
    raise Failure("waymark %s, gcov %s (largest block %s), llvm-cov %s: %s" %
                  (mine, gcov, largest, region, text.strip()))


def check(waymark, subject, directory):
    """Counter of kinds; the text of every undocumented difference."""
    mine = waymark_counts(waymark, subject, os.path.join(directory, "waymark"))
    gcov, largest = gcov_counts(subject, os.path.join(directory, "gcov"))
    region = llvm_cov_counts(subject, os.path.join(directory, "llvm-cov"))
    kinds, wrong = collections.Counter(), []
    own = {os.path.basename(path): [""] + open(path).read().splitlines() + [""]
           for path in subject.sources}
    for key in sorted(key for key in set(mine) | set(gcov) | set(region) if key[0] in own):
        try:
            kind = kind_of_difference(mine.get(key), gcov.get(key), largest[key], region.get(key),
                                      own[key[0]][key[1]])
            kinds[kind or "equal"] += 1
        except Failure as failure:
            wrong.append("%s: line %d of %s: %s" % (subject.name, key[1], key[0], failure))
    if not any(mine.values()):
        wrong.append("%s: no line was counted" % subject.name)
    return kinds, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    total, wrong = collections.Counter(), []
    for subject in subjects():
        if options.name and subject.name not in options.name:
            continue
        with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
            try:
                kinds, texts = check(os.path.abspath(options.waymark), subject, directory)
            except Failure as failure:
                kinds, texts = {}, ["%s: %s" % (subject.name, failure)]
        if options.verbose:
            print(subject.name, dict(kinds))
        total.update(kinds)
        wrong += texts
    print("\n".join("FAIL " + text for text in wrong))
    print("lines: %s; undocumented: %d" %
          (", ".join("%d %s" % (count, kind) for kind, count in total.most_common()), len(wrong)))
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    main()
