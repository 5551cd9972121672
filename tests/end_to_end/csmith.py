#!/usr/bin/env python3
"""Checks random programs: behaves as plain clang, counts equal redundant placement; paths counted
by history equal those that the runtime saw, and so do, of every second program, those counted at
their ends.

usage: csmith.py --waymark=PATH COUNT SEED

Program number k is csmith's output for seed SEED+k, so any failure can be repeated alone with
`csmith.py 1 SEED+k`. Levels, late/early, placements and the cuts of paths rotate with the seed. A
program whose plain build does not end in a few seconds, dies of a signal, or does something else at
-O0, proves nothing and is replaced by the next seed: with an endless loop that does nothing, or with
an object read as another type, C lets the optimiser do anything, and that may depend on counters
(seed 67: endless at -O0, runs off the end of main at -O2; seed 772489: two results).
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

import harness
from harness import Failure, Outcome, Variant

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
PLACEMENTS = [("edges", "optimal", None), ("blocks", "optimal", None), ("blocks", "vertex", None),
              ("edges", "optimal", "heuristic"), ("edges", "optimal", "goldberg")]
CUTS = [None, "classic"]
INCLUDE = "/usr/include/csmith"
RUN_SECONDS = 2


def generate(seed, directory):
    path = os.path.join(directory, "random.c")
    with open(path, "wb") as out:
        subprocess.run(["csmith", "--seed", str(seed), "--max-funcs", "8", "--max-block-depth", "4"],
                       stdout=out, check=True, cwd=directory)
    return path


def execute(waymark, source, level, variant, directory, seconds):
    harness.fresh(directory)
    command = harness.compiler(waymark, variant) + [level, "-w", harness.LINKER, "-I", INCLUDE, source,
                                                    "-o", "program"]
    status, _, err = harness.run(command, directory)
    if status != 0:
        raise Failure("%s: compiler ended with %s: %s" %
                      (harness.describe(variant), status, err.decode()))
    behaviour = harness.run(["./program"], directory, timeout=seconds)
    ended = behaviour[0] is not None
    return Outcome(behaviour, harness.read_profile(waymark, directory) if variant and ended else [])


class RandomProgram:
    """One program at its level: how it behaves plain, and how each variant must."""

    def __init__(self, waymark, seed, directory):
        self.waymark, self.level, self.directory = waymark, LEVELS[seed % 5], directory
        self.source = generate(seed, directory)
        self.plain = self.execute_plain(self.level)

    def execute_plain(self, level):
        return execute(self.waymark, self.source, level, None,
                       os.path.join(self.directory, "plain"), RUN_SECONDS)

    def is_defined(self):
        """Whether it ends well, and in the same way whatever the optimiser does."""
        status = self.plain.behaviour[0]
        if status is None or status < 0:
            return False
        return self.level == "-O0" or self.execute_plain("-O0").behaviour == self.plain.behaviour

    def measure(self, variant):
        outcome = execute(self.waymark, self.source, self.level, variant,
                          os.path.join(self.directory, "measured"), 20 * RUN_SECONDS)
        harness.same_behaviour(self.plain, outcome,
                               "%s %s" % (self.level, harness.describe(variant)))
        return outcome


def check_program(waymark, seed, directory):
    """True if compared, False if the plain program is not defined."""
    program = RandomProgram(waymark, seed, directory)
    if not program.is_defined():
        return False
    at = ("late", "early")[seed // 5 % 2]
    measured = Variant(at, *PLACEMENTS[seed // 10 % 5])
    paths = Variant(at, "paths", "optimal", None, CUTS[(seed + seed // 10) % 2])
    oracle = program.measure(harness.redundant(measured))
    harness.check_variant(program.measure(measured), oracle, measured)
    if paths.paths:
        oracle = program.measure(harness.redundant(paths))
    seen = program.measure(harness.redundant_paths(paths))
    harness.check_variant(seen, oracle, harness.redundant_paths(paths))
    at_ends = [paths._replace(placement="commit")] if seed // 20 % 2 else []
    for variant in [paths] + at_ends:
        outcome = program.measure(variant)
        harness.check_variant(outcome, oracle, variant)
        harness.check_paths(outcome, seen, variant)
    return True


def check(waymark, seed):
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        try:
            return check_program(waymark, seed, directory), None
        except Failure as failure:
            return True, "FAIL seed %d %s: %s" % (seed, LEVELS[seed % 5], failure)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    compared, failures, seed = 0, [], options.seed
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while compared < options.count and len(failures) < 20:
            batch = range(seed, seed + options.count - compared)
            seed = batch.stop
            for done, text in pool.map(lambda s: check(waymark, s), batch):
                compared += done
                failures += [text] if text else []
    print("\n".join(failures))
    print("%d random programs compared, %d failures, %d were not defined" %
          (compared, len(failures), seed - options.seed - compared))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
