#!/usr/bin/env python3
"""Checks the random programs of csmith: behaves as plain clang, and all counts equal those of the oracles.

usage: csmith.py --waymark=PATH COUNT SEED

Level, late or early, and modes are those of the seed's row of RANDOM in tests/modes.py. A program whose plain
build does something else at -O0 proves nothing. With an endless loop that does nothing, or with an object
read as another type, C lets the optimiser do anything, and that may depend on counters (seed 67: endless at
-O0, runs off the end of main at -O2; seed 772489: two results).
"""
import collections
import os
import subprocess

import random_programs
from random_programs import RandomProgram, modes

INCLUDE = "/usr/include/csmith"


def generate(seed, directory):
    path = os.path.join(directory, "random.c")
    with open(path, "wb") as out:
        subprocess.run(["csmith", "--seed", str(seed), "--max-funcs", "8", "--max-block-depth", "4"],
                       stdout=out, check=True, cwd=directory)
    return path


def row_of(seed):
    return modes.RANDOM[seed % len(modes.RANDOM)]


def check(waymark, seed, wanted, directory):
    program = RandomProgram(waymark, generate(seed, directory), wanted.level, ["-I", INCLUDE])
    if not program.is_defined():
        return None
    random_programs.compare(program, wanted)
    return collections.Counter()


if __name__ == "__main__":
    random_programs.main(check, row_of)
