"""What the tests with random programs share: each program, at one level, behaves in all ways to count it as
plain clang does, its counts equal redundant placement, and its paths those that the runtime saw.

Program number k is the generator's output for seed SEED+k, so any failure can be repeated alone with
`SCRIPT 1 SEED+k`. A program that proves nothing is replaced by the next seed: one whose plain build does not
end in a few seconds, dies of a signal, or does something else than its reference, a build at -O0.
"""
import argparse
import collections
import concurrent.futures
import os
import sys
import tempfile

import harness
from harness import Failure, Outcome, Variant

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
PLACEMENTS = [("edges", "optimal", None), ("blocks", "optimal", None), ("blocks", "vertex", None),
              ("edges", "optimal", "heuristic"), ("edges", "optimal", "goldberg")]
CUTS = [None, "classic"]
RUN_SECONDS = 2
MOST_FAILURES = 20

# How one program is tried. paths: pairs of a cut and whether paths are counted at their ends, too.
Trial = collections.namedtuple("Trial", "level at placements paths")


class RandomProgram:
    """One program at its level: how it behaves plain, and how each variant must.

    flags are given to every build, reference_flags besides to the one at -O0 that says what is right.
    Each of the functions must be counted, or the compiler must warn that it is not."""

    def __init__(self, waymark, source, level, flags=(), reference_flags=(), functions=()):
        self.waymark, self.source, self.level, self.flags = waymark, source, level, list(flags)
        self.reference_flags, self.functions = list(reference_flags), set(functions)
        self.directory = os.path.dirname(source)
        self.plain = self.execute(level, None, RUN_SECONDS)

    def execute(self, level, variant, seconds, flags=()):
        directory = harness.fresh(os.path.join(self.directory, "measured" if variant else "plain"))
        command = harness.compiler(self.waymark, variant) + [level, "-w", harness.LINKER]
        status, _, err = harness.run(command + self.flags + list(flags) + [self.source, "-o", "program"],
                                     directory)
        if status != 0:
            raise Failure("%s: compiler ended with %s: %s" %
                          (harness.describe(variant), status, err.decode()))
        behaviour = harness.run(["./program"], directory, timeout=seconds)
        ended = behaviour[0] is not None
        return Outcome(behaviour, harness.read_profile(self.waymark, directory) if variant and ended else [],
                       harness.left_alone(err.decode()))

    def is_defined(self):
        """Whether it ends well, and in the same way whatever the optimiser does."""
        status = self.plain.behaviour[0]
        if status is None or status < 0:
            return False
        if self.level == "-O0" and not self.reference_flags:
            return True
        reference = self.execute("-O0", None, RUN_SECONDS, self.reference_flags)
        return reference.behaviour == self.plain.behaviour

    def measure(self, variant):
        outcome = self.execute(self.level, variant, 20 * RUN_SECONDS)
        harness.same_behaviour(self.plain, outcome, harness.describe(variant))
        counted, left = {function["name"] for function in outcome.functions}, outcome.left_alone
        lines = ["function %s: counted, and warned of" % name for name in sorted(counted & left)]
        lines += ["function %s: neither counted nor warned of" % name
                  for name in sorted(self.functions - counted - left)]
        harness.raise_if_any(lines, variant)
        return outcome


def compare(program, trial):
    """All that the trial asks for, of a program that is defined; returns the number of profiles compared and
    what the oracle's build did."""
    measured = [Variant(trial.at, *placement) for placement in trial.placements]
    oracle = program.measure(harness.redundant(measured[0]))
    for variant in measured:
        harness.check_variant(program.measure(variant), oracle, variant)
    compared = len(measured)
    for cuts, at_ends in trial.paths:
        compared += compare_paths(program, oracle, Variant(trial.at, "paths", "optimal", None, cuts), at_ends)
    return compared, oracle


def compare_paths(program, oracle, paths, at_ends):
    if paths.paths:
        oracle = program.measure(harness.redundant(paths))
    seen = program.measure(harness.redundant_paths(paths))
    harness.check_variant(seen, oracle, harness.redundant_paths(paths))
    variants = [paths] + ([paths._replace(placement="commit")] if at_ends else [])
    for variant in variants:
        outcome = program.measure(variant)
        harness.check_variant(outcome, oracle, variant)
        harness.check_paths(outcome, seen, variant)
    return 1 + len(variants)


def attempt(check, waymark, seed, trial):
    """What check says of the seed's program; and the text of a failure, or None."""
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        try:
            return check(waymark, seed, trial, directory), None
        except Failure as failure:
            return collections.Counter(), "FAIL seed %d %s: %s" % (seed, trial.level, failure)


def main(check, trial_of):
    """check(waymark, seed, trial, directory) returns a Counter of what to report, or None if the program is
    not defined; trial_of(seed) says how it is tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    compared, failures, seed, totals = 0, [], options.seed, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while compared < options.count and len(failures) < MOST_FAILURES:
            batch = range(seed, seed + options.count - compared)
            seed = batch.stop
            for result, text in pool.map(lambda s: attempt(check, waymark, s, trial_of(s)), batch):
                compared += result is not None
                totals.update(result or {})
                failures += [text] if text else []
    print("\n".join(failures))
    print(", ".join(["%d random programs compared" % compared, "%d failures" % len(failures),
                     "%d were not defined" % (seed - options.seed - compared)] +
                    ["%d %s" % (totals[what], what) for what in totals]))
    sys.exit(1 if failures else 0)
