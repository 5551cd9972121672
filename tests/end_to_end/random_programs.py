"""What the tests with random programs share: each program, at one level, behaves in all ways to count it as
plain clang does, its counts equal redundant placement, and its paths those that the runtime saw.

Program number k is the generator's output for seed SEED+k, so any failure can be repeated alone with
`SCRIPT 1 SEED+k`. A program that proves nothing is one whose plain build does not end in a few seconds, dies
of a signal, or does something else than its reference, a build at -O0. It is replaced by that of another
seed, SEED+k+1000000, which is tried at the same level in the same modes.
"""
import argparse
import collections
import concurrent.futures
import os
import sys
import tempfile

import harness
from harness import Failure, Outcome, modes

RUN_SECONDS = 2
REPLACEMENT = 1000000
MAX_REPLACEMENTS = 50


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
        command = harness.compiler(self.waymark, variant) + [level, *harness.QUIET, harness.LINKER]
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


def compare(program, wanted):
    """All that the row asks for, of a program that is defined; returns the comparison."""
    comparison = harness.Comparison(program.measure)
    for name in wanted.modes:
        comparison.check(harness.named(wanted.at, name))
    return comparison


def attempt(check, waymark, seed, wanted):
    """What check says of the seed's program; and the text of a failure, or None."""
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        try:
            return check(waymark, seed, wanted, directory), None
        except Failure as failure:
            return collections.Counter(), "FAIL seed %d %s: %s" % (seed, wanted.level, failure)


def attempt_until_defined(check, waymark, first, wanted):
    """Also returns how many programs were not defined."""
    for undefined in range(MAX_REPLACEMENTS):
        result, text = attempt(check, waymark, first + undefined * REPLACEMENT, wanted)
        if result is not None:
            return undefined, result, text
    return MAX_REPLACEMENTS, collections.Counter(), "FAIL seed %d: no replacement is defined" % first


def main(check, row_of):
    """check(waymark, seed, wanted, directory) returns a Counter of what to report, or None if the program is
    not defined; row_of(seed) says at which level and in which modes it is tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    waymark = os.path.abspath(options.waymark)
    seeds = range(options.seed, options.seed + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda seed: attempt_until_defined(
            check, waymark, seed, row_of(seed % REPLACEMENT)), seeds))
    failures = [text for _, _, text in results if text]
    totals = sum((result for _, result, _ in results), collections.Counter())
    print("\n".join(failures))
    print(", ".join(["%d random programs compared" % len(results), "%d failures" % len(failures),
                     "%d were not defined" % sum(undefined for undefined, _, _ in results)] +
                    ["%d %s" % (totals[what], what) for what in totals]))
    sys.exit(1 if failures else 0)
