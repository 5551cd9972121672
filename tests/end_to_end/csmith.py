#!/usr/bin/env python3
"""Checks random programs: behaves as plain clang, counts equal redundant placement; paths counted
by history equal those that the runtime saw, and so do, of every second program, those counted at
their ends.

usage: csmith.py --waymark=PATH COUNT SEED

The programs are csmith's; levels, late/early, placements and the cuts of paths rotate with the seed. A
program whose plain build does something else at -O0 proves nothing: with an endless loop that does nothing,
or with an object read as another type, C lets the optimiser do anything, and that may depend on counters
(seed 67: endless at -O0, runs off the end of main at -O2; seed 772489: two results).
"""
import collections
import os
import subprocess

import random_programs
from random_programs import CUTS, LEVELS, PLACEMENTS, RandomProgram, Trial

INCLUDE = "/usr/include/csmith"


def generate(seed, directory):
    path = os.path.join(directory, "random.c")
    with open(path, "wb") as out:
        subprocess.run(["csmith", "--seed", str(seed), "--max-funcs", "8", "--max-block-depth", "4"],
                       stdout=out, check=True, cwd=directory)
    return path


def trial_of(seed):
    return Trial(LEVELS[seed % 5], ("late", "early")[seed // 5 % 2], [PLACEMENTS[seed // 10 % 5]],
                 [(CUTS[(seed + seed // 10) % 2], seed // 20 % 2)])


def check(waymark, seed, trial, directory):
    program = RandomProgram(waymark, generate(seed, directory), trial.level, ["-I", INCLUDE])
    if not program.is_defined():
        return None
    random_programs.compare(program, trial)
    return collections.Counter()


if __name__ == "__main__":
    random_programs.main(check, trial_of)
