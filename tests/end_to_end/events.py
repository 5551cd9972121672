#!/usr/bin/env python3
"""Running sums of events: questions at random places of random programs and of those of tests/programs are answered as
by the redundant build, which adds each segment's events where they arise.

usage: events.py --waymark=PATH programs|random [FIRST COUNT]

A question is the call of a function that writes the sums of its thread. Programs whose redundant build does not do the
same twice prove nothing, nor do those that interrupt themselves anywhere: in handlers sums are exact within a bound only.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import csmith
import harness
import sections

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
BUILDS = [("-O0", "late", ""), ("-O1", "late", ""), ("-O2", "late", ""), ("-O3", "late", ""), ("-Os", "late", ""),
          ("-O2", "early", ""), ("-O0", "early", ""), ("-O2", "late", "-fPIC"), ("-O1", "late", "--base=memory"),
          ("-O2", "late", "--events-fresh")]
ASK = """#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <waymark.h>
#ifdef __cplusplus
extern "C"
#endif
__attribute__((noinline, weak, visibility("hidden"))) void wm_ask_(int place)
{
	uint64_t sums[3] = {waymark_events(0), waymark_events(1), waymark_events(2)};
	char line[128];
	int bytes = snprintf(line, sizeof line, "%d: %lu %lu %lu\\n", place, sums[0], sums[1], sums[2]);
	int file = open("answers.txt", O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (file >= 0 && write(file, line, (size_t)bytes) == bytes)
		close(file);
}
"""


class Failure(Exception):
    pass


class NeedsMore(Exception):
    """The program does not consist of this file alone."""


def with_questions(text, generator, count, compiles):
    """Behind lines of functions that end a statement; those that break the program are taken back."""
    lines = text.split("\n")
    started = max((i for i, line in enumerate(lines) if line.startswith("#include")), default=0)
    inside, places = False, []
    for i in range(started + 1, len(lines)):
        if lines[i].startswith(("{", "}")) or re.match(r"^\w.*\{$", lines[i]):
            inside = lines[i].endswith("{") and not lines[i].startswith(("struct", "union", "enum", "class"))
        if inside and re.match(r"^\s+[^#/*]*;\s*$", lines[i]) and "case" not in lines[i]:
            places.append(i)
    generator.shuffle(places)
    chosen = []

    def build(places):
        return "\n".join(line + ("\nwm_ask_(%d);" % i if i in places else "") for i, line in enumerate(lines))
    for i in places:
        if len(chosen) == count:
            break
        if compiles(build(chosen + [i])):
            chosen.append(i)
    return build(chosen), len(chosen)


class Case:
    def __init__(self, waymark, directory, path, options=()):
        self.waymark, self.directory, self.options = waymark, directory, list(options)
        self.cxx = path.endswith("cpp")
        with open(path) as file:
            self.text = file.read()
        with open(self.at("ask.h"), "w") as out:
            out.write(ASK)

    def at(self, name):
        return os.path.join(self.directory, name)

    def compiles(self, text):
        name = self.at("try.cpp" if self.cxx else "try.c")
        with open(name, "w") as out:
            out.write(text)
        include = os.path.join(os.path.dirname(self.waymark), "..", "include")
        if not os.path.exists(os.path.join(include, "waymark.h")):
            include = os.path.join(os.path.dirname(__file__), "..", "..", "include")
        done = subprocess.run([harness.CLANGXX if self.cxx else harness.CLANG, "-fsyntax-only", "-w", "-I", include, "-I", PROGRAMS,
                               "-D__WAYMARK__", "-include", "ask.h"] + self.options + [name],
                              cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def ask_anywhere(self, generator, count=6):
        text, asked = with_questions(self.text, generator, count, self.compiles)
        self.name = self.at("asked.cpp" if self.cxx else "asked.c")
        with open(self.name, "w") as out:
            out.write(text)
        return asked

    def build(self, build, kinds, placement):
        level, at, more = build
        words = [self.waymark, "c++" if self.cxx else "cc", level, "--at=" + at, "--profile=events",
                 "--events=" + kinds, "--placement=" + placement, "-w", "-include", "ask.h", "-I", PROGRAMS,
                 *self.options, self.name, "-o", "program", "-pthread"] + more.split()
        status, _, err = harness.run(words, self.directory)
        if b"undefined reference" in err:
            raise NeedsMore
        if status != 0 or b"is not profiled" in err:
            raise Failure("%s: %s" % (" ".join(words), err.decode()))

    def answers(self):
        for name in os.listdir(self.directory):
            if name.endswith(".wmk") or name == "answers.txt":
                os.remove(self.at(name))
        status, out, _ = harness.run(["./program"], self.directory, timeout=60)
        try:
            with open(self.at("answers.txt")) as file:
                return status, sorted(file.read().split("\n"))
        except FileNotFoundError:
            return status, []

    def compare(self, build, kinds):
        """How many answers were compared."""
        self.build(build, kinds, "redundant")
        truth = self.answers()
        if self.answers() != truth:
            return 0
        self.build(build, kinds, "optimal")
        measured = self.answers()
        if measured != truth:
            pairs = [(a, b) for a, b in zip(truth[1], measured[1]) if a != b]
            raise Failure("%s, %s: redundant %s, optimal %s" % (build, kinds, *(pairs[0] if pairs else (truth, measured))))
        return len(truth[1]) - 1


def three_kinds(generator):
    return ",".join(generator.sample(["instructions", "loads", "calls", "steps", "blocks", "stores", "branches",
                                      "calls:wm_ask_"], 3))


def try_one(waymark, path, seed, options, builds, failures):
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        case = Case(waymark, directory, path(directory), options)
        compared = 0
        if case.ask_anywhere(generator):
            for build in builds:
                try:
                    compared += case.compare(build, three_kinds(generator))
                except NeedsMore:
                    break
                except (Failure, subprocess.TimeoutExpired) as failure:
                    failures.append("%s: %s" % (seed, failure))
                    break
        return compared


def is_fit(name):
    return name.endswith((".c", ".cpp")) and sections.of(name) != "signals" and "signal" not in name and \
        not any(word in name for word in ("asm_goto", "naked", "vectorized", "killed", "sandbox", "20000", "reads_",
                                          "cancelled", "timer", "daemon", "outlives", "thousand", "plain", "many", "pool"))


def programs(waymark, first, count):
    names = sorted(name for name in os.listdir(PROGRAMS) if is_fit(name))
    failures, compared, some = [], 0, 0
    for number, name in enumerate(names):
        if not first <= number < first + count:
            continue
        builds = [BUILDS[(number + i) % len(BUILDS)] for i in (0, 3)]
        got = try_one(waymark, lambda _: os.path.join(PROGRAMS, name), name, ["-lm"], builds, failures)
        compared += got
        some += got > 0
    return failures, compared, some


def randoms(waymark, first, count):
    failures, compared, some = [], 0, 0
    for seed in range(first, first + count):
        builds = [BUILDS[seed % len(BUILDS)]]
        got = try_one(waymark, lambda directory: csmith.generate(seed, directory), seed,
                      ["-I", csmith.INCLUDE], builds, failures)
        compared += got
        some += got > 0
    return failures, compared, some


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--waymark=")]
    waymark = os.path.abspath(next(word for word in sys.argv[1:] if word.startswith("--waymark="))[10:])
    first, count = (int(words[1]), int(words[2])) if len(words) > 2 else (0, 1000000)
    failures, compared, some = {"programs": programs, "random": randoms}[words[0]](waymark, first, count)
    for failure in failures:
        print(failure)
    print("%d answers of %d programs are those of the redundant builds" % (compared, some))
    sys.exit(1 if failures or compared < some or some == 0 else 0)


if __name__ == "__main__":
    main()
