#!/usr/bin/env python3
"""Real programs from Debian source packages, built by their own build systems with only CC replaced.

usage: run.py --waymark=PATH [--all] PROGRAM...

Each program is built plain, as oracle and in the modes of the table REAL of tests/modes.py (with --all,
REAL_ALL), and run on the same input. What it prints and writes must be identical, and every count of
every function must equal the oracle's. Some uses end in an error, deep inside the program. Paths cut in
the same places must be the same ones, however they were counted: by history, at their ends or (last,
because it is slow) by the runtime, block by block. A source that cannot be fetched is a failure.
"""
import argparse
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import harness
import modes
import sources
import workloads
from harness import Failure, Outcome


class Real:
    """How to build and use one program. Commands are shell lines; $T is the source tree."""

    def __init__(self, package, build, use, inputs):
        self.package, self.build, self.use, self.inputs = package, build, use, inputs


PROGRAMS = {
    "bzip2": Real("bzip2", ['make bzip2 bzip2recover CC="$CC"'],
                  ["$T/bzip2 -k -9 text", "$T/bzip2 -k -1 -c binary > binary.bz2",
                   "$T/bzip2 -dc text.bz2 | cmp - text", "$T/bzip2 -t text.bz2 binary.bz2",
                   "$T/bzip2 -ds < binary.bz2 | cmp - binary", "$T/bzip2 -t text",
                   "head -c 3000 text.bz2 > cut.bz2; $T/bzip2 -dc cut.bz2",
                   "$T/bzip2 --no-such-option"],
                  lambda: {"text": workloads.text(200000), "binary": bytes(
                      (i * i >> 3) & 255 for i in range(60000))}),
    "zlib": Real("zlib", ["CC=\"$CC\" ./configure --static", 'make CC="$CC" minigzip example'],
                 ["$T/example", "$T/minigzip -9 < text > text.gz", "$T/minigzip -d < text.gz | cmp - text",
                  "$T/minigzip -h < text > huffman.gz", "$T/minigzip -1 < text > fast.gz",
                  "head -c 3000 text.gz | $T/minigzip -d > cut"],
                 lambda: {"text": workloads.text(300000)}),
    "lua5.4": Real("lua5.4", [workloads.LUA_STEADY, 'make -C src generic CC="$CC -std=gnu99"'],
                   ["$T/src/lua workload.lua 60", "$T/src/luac -s -o compiled workload.lua",
                    "$T/src/lua workload_errors.lua", "$T/src/lua -e 'os.exit(3)'",
                    "$T/src/lua -e 'error({})'", "$T/src/lua no-such-file",
                    "$T/src/luac no-such-file"],
                   lambda: {"workload.lua": open(workloads.LUA_SCRIPT, "rb").read(),
                            "workload_errors.lua":
                                open(workloads.LUA_ERRORS_SCRIPT, "rb").read()}),
    "sqlite3": Real("sqlite3", ['CC="$CC" ./configure --disable-tcl --disable-readline '
                                '--disable-shared --disable-dynamic-extensions',
                                'make sqlite3'],
                    ["$T/sqlite3 :memory: < script.sql",
                     "$T/sqlite3 :memory: 'SELECT * FROM absent'",
                     "$T/sqlite3 -bail :memory: .nonsense '.exit 3'",
                     "$T/sqlite3 --no-such-option"],
                    lambda: {"script.sql": workloads.sql(300)}),
    "lzip": Real("lzip", ['./configure CXX="$CXX"', "make"],
                 ["$T/lzip -k -9 text", "$T/lzip -0 -c text > fast.lz",
                  "$T/lzip -dc text.lz | cmp - text", "$T/lzip -tvv fast.lz", "$T/lzip -l text.lz",
                  "$T/lzip -t text", "head -c 3000 text.lz > cut.lz; $T/lzip -t cut.lz",
                  "$T/lzip --no-such-option"],
                 lambda: {"text": workloads.text(150000)}),
}


def shell(command, directory, tree, waymark, variant):
    environment = {"T": tree, "CC": " ".join(harness.compiler(waymark, variant, "cc")),
                   "CXX": " ".join(harness.compiler(waymark, variant, "c++"))}
    return harness.run(["sh", "-c", command], directory, environment, timeout=1200)


def build(waymark, real, variant, directory):
    tree = sources.copy(real.package, os.path.join(directory, "tree"))
    for command in real.build:
        status, out, err = shell(command, tree, tree, waymark, variant)
        if status != 0:
            raise Failure("%s: %s ended with %s:\n%s" % (
                harness.describe(variant), command, status, (out + err).decode()[-2000:]))
    return tree


def use(waymark, commands, inputs, tree, variant, directory):
    """Runs the commands; behaviour includes every file that they leave behind."""
    harness.fresh(directory)
    for name, data in inputs.items():
        with open(os.path.join(directory, name), "wb") as out:
            out.write(data)
    behaviour = []
    for command in commands:
        status, out, err = shell(command, directory, tree, waymark, variant)
        behaviour += [command.encode(), b"%d" % (-999 if status is None else status), out,
                      err.replace(tree.encode(), b"$T")]
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".wmk"):
            behaviour.append(open(os.path.join(directory, name), "rb").read())
    return behaviour, harness.read_profile(waymark, directory) if variant else []


def same(plain, measured, variant):
    for expected, got in zip(plain, measured):
        if expected != got:
            raise Failure("%s: behaves differently from plain: %r, expected %r" %
                          (harness.describe(variant), got[-400:], expected[-400:]))
    if len(plain) != len(measured):
        raise Failure("%s: leaves other files behind than plain" % harness.describe(variant))


class Bench:
    """One program: how it behaves plain, its oracles, and the first profile of each way to cut paths."""

    def __init__(self, waymark, real, directory):
        self.waymark, self.real, self.directory = waymark, real, directory
        self.inputs, self.oracles, self.paths = real.inputs(), {}, {}
        self.plain, _ = self.measure(None)

    def measure(self, variant):
        tree = build(self.waymark, self.real, variant, self.directory)
        return use(self.waymark, self.real.use, self.inputs, tree, variant,
                   os.path.join(self.directory, "work"))

    def profile(self, variant):
        behaviour, functions = self.measure(variant)
        same(self.plain, behaviour, variant)
        return Outcome(None, functions)

    def oracle(self, variant):
        if variant not in self.oracles:
            self.oracles[variant] = self.profile(variant)
        return self.oracles[variant]

    def check(self, variant):
        """Returns what was measured, once it is as all others say."""
        oracle = self.oracle(harness.oracle_of(variant))
        outcome = self.profile(variant)
        harness.check_variant(outcome, oracle, variant, left_early=True)
        if variant.mode.counts == "paths":
            first = self.paths.setdefault((variant.at, variant.mode.is_classic), outcome)
            harness.check_paths(outcome, first, variant)
        return outcome


def check(waymark, name, variants, directory):
    """Raises Failure; returns how many counts were compared and how many calls were left early."""
    bench, compared, left = Bench(waymark, PROGRAMS[name], directory), 0, 0
    for variant in variants:
        for function in bench.check(variant).functions:
            compared += sum(len(function[kind]) for kind in ("blocks", "edges", "paths"))
            left += sum(place["count"] for place in function["left_early"])
    return compared, left


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("program", nargs="+", choices=sorted(PROGRAMS))
    options = parser.parse_args()
    table = modes.REAL_ALL if options.all else modes.REAL
    variants = [harness.named(at, name) for at, name in table]
    failed = False
    for name in options.program:
        with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
            try:
                compared, left = check(os.path.abspath(options.waymark), name, variants, directory)
                print("%s: behaves as plain, %d counts equal to redundant, %d calls left early" %
                      (name, compared, left))
            except (Failure, sources.Unavailable) as failure:
                print("FAIL %s: %s" % (name, failure))
                failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
