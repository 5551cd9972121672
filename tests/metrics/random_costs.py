#!/usr/bin/env python3
"""Costs of paths in random programs that add known amounts to a variable: each path has what its blocks added.

usage: random_costs.py --waymark=PATH COUNT SEED

Each piece of straight code adds an amount of its own to `cost`, and the same to a tally of its function. Without
optimisation the line of a block says what it added, so the cost of a path is its count times the sum along its blocks.
Optimised, the cost of all paths and groups of a function is its tally.
"""
import argparse
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import harness
import modes


class Program:
    """Functions that call those before them; `amount` is by line."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["#include <stdio.h>", "volatile unsigned long cost, tally[99];",
                      "static volatile unsigned seed = %d;" % self.random.randrange(1, 1000),
                      "static unsigned draw(void) { return seed = seed * 1103515245u + 12345u; }"]
        self.amount = {}
        self.count = self.random.randint(3, 6)
        for self.function in range(self.count):
            self.calls_left = 3
            self.lines.append("__attribute__((noinline)) void f%d(int n) {" % self.function)
            self.block(3)
            self.lines.append("}")
        self.lines += ["int main(void) {", "for (int i = 0; i < 60; i++)", "f%d(i);" % (self.count - 1),
                       "for (int i = 0; i < %d; i++)" % self.count, 'printf("%lu ", tally[i]);',
                       'printf("%lu\\n", cost);', "}"]

    def add(self):
        amount = self.random.randrange(1, 1 << 16)
        self.lines.append("cost += %d; tally[%d] += %d;" % (amount, self.function, amount))
        self.amount[len(self.lines)] = amount

    def block(self, depth):
        self.add()
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.choice(["if", "else", "loop", "tight", "switch", "call"] if depth else ["call"])
            getattr(self, "put_" + kind)(depth - 1)
            self.add()

    def put_if(self, depth):
        self.lines.append("if (draw() >> 16 & %d) {" % self.random.choice([1, 2, 3]))
        self.block(depth)
        self.lines.append("}")

    def put_else(self, depth):
        self.put_if(depth)
        self.lines.append("else {")
        self.block(depth)
        self.lines.append("}")

    def put_loop(self, depth):
        self.lines.append("for (int i%d = 0; i%d < %d; i%d++) {" % (depth, depth, self.random.randint(0, 4), depth))
        self.block(depth)
        self.lines.append("}")

    def put_tight(self, depth):
        self.lines.append("for (int i%d = 0; i%d < (n & 15); i%d++) {" % (depth, depth, depth))
        self.add()
        self.lines.append("if (i%d & 1) {" % depth)
        self.add()
        self.lines.append("}")
        self.lines.append("}")

    def put_switch(self, depth):
        self.lines.append("switch (draw() >> 16 & 3) {")
        for case in range(3):
            self.lines.append("case %d:" % case)
            self.block(depth)
            if self.random.random() < 0.7:
                self.lines.append("break;")
        self.lines.append("}")

    def put_call(self, _):
        """In a block of its own, so that each block adds once."""
        call = ";"
        if self.function and self.calls_left:
            self.calls_left -= 1
            call = "f%d(n);" % self.random.randrange(self.function)
        self.lines += ["if (n >= 0) {", call, "}"]


def signed(value):
    return value if value < 1 << 63 else value - (1 << 64)


def costs(function):
    """What its paths and groups have of the first metric, and their sum."""
    paths = [path["cost"][0] for path in function["paths"] if "cost" in path]
    groups = [group["cost"][0] for group in function["groups"]]
    return sum(paths) + sum(groups)


def check_paths(program, function):
    """Each path but those of groups, and those behind the exit of a group in the same path."""
    # A block of a jump alone has the line of what comes before it or behind it.
    line = {block["id"]: block["line"] if block["instructions"] > 4 else 0 for block in function["blocks"]}
    grouped = {block for path in function["paths"] if "group" in path for block in path["blocks"]}
    checked = 0
    for path in function["paths"]:
        if "group" in path or "cost" not in path:
            continue
        blocks = [block for block in path["blocks"] if block not in grouped]
        wanted = path["count"] * sum(program.amount.get(line[block], 0) for block in blocks)
        if path["cost"][0] != wanted:
            raise harness.Failure("%s: path %s ran %d times and cost %d, not %d" % (
                function["name"], path["blocks"], path["count"], path["cost"][0], wanted))
        checked += 1
    return checked


def build(waymark, directory, *words):
    """The functions of a run, and what it printed."""
    for name in "p", "p.wmk":
        if os.path.exists(os.path.join(directory, name)):
            os.remove(os.path.join(directory, name))
    command = [waymark, "cc", "--file=p.wmk"] + list(words) + harness.QUIET + ["p.c", "-o", "p"]
    status, _, err = harness.run(command, directory)
    if status != 0:
        raise harness.Failure(err.decode())
    _, out, _ = harness.run([os.path.join(directory, "p")], directory)
    return harness.read_profile(waymark, directory), [int(word) for word in out.split()]


def check_counts(waymark, directory):
    """Metrics change no count: the oracle tells the runtime of each block."""
    for name in (mode.name for mode in modes.modes_of("metrics")):
        mode = modes.BY_NAME[name]
        measured, _ = build(waymark, directory, "-O2", *mode.options.split())
        expected, _ = build(waymark, directory, "-O2", *modes.BY_NAME[mode.path_oracle].options.split())
        wrong = harness.compare_paths(measured, expected)
        if wrong:
            raise harness.Failure("%s: %s" % (name, wrong[0]))


def check(waymark, seed, directory):
    program, checked = Program(seed), 0
    with open(os.path.join(directory, "p.c"), "w") as out:
        out.write("\n".join(program.lines) + "\n")
    for words in (["-O0", "-g"], ["-O2", "-g"], ["-O2", "-fPIC", "--base=memory"]):
        functions, tally = build(waymark, directory, "--profile=paths+metric:user:cost,tsc", *words)
        for function in functions:
            name = function["name"]
            if name[0] != "f":
                continue
            if costs(function) != tally[int(name[1:])]:
                raise harness.Failure("%s: %s cost %d, not %d" % (words, name, costs(function), tally[int(name[1:])]))
            if "-O0" in words:
                checked += check_paths(program, function)
        if sum(costs(function) for function in functions) != tally[-1]:
            raise harness.Failure("%s: all paths together do not cost %d" % (words, tally[-1]))
    check_counts(waymark, directory)
    return checked


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    failures = checked = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as directory:
            try:
                checked += check(os.path.abspath(options.waymark), seed, directory)
            except harness.Failure as failure:
                failures += 1
                print("seed %d: %s" % (seed, failure))
    print("%d programs, the costs of %d paths compared with their blocks, %d failures" % (
        options.count, checked, failures))
    return failures > 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
