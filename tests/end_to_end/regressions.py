#!/usr/bin/env python3
"""Regressions seeded at random places of real programs: `waymark test` breaks its budget each time, and the first three
lines below the budget name the function and, in its text, the path that was slowed down.

usage: regressions.py --waymark=PATH [--least=N] PROGRAM COUNT [SEED]

A place is a line that runs at least a hundred times, in front of which a statement fits: what is put there does a little
more work, in a loop or behind a condition. Programs are bzip2 and lua5.4.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "real")]

import harness
import sources
import workloads

# The folder of the sources, those that are not linked, options, what to run, and its input.
PROGRAMS = {
    "bzip2": (".", ["bzip2recover.c", "dlltest.c", "mk251.c", "spewG.c", "unzcrash.c", "randtable.c.orig"],
              ["-D_FILE_OFFSET_BITS=64"], ["-9", "-k", "-c", "text"], lambda: {"text": workloads.text(60000)}),
    "lua5.4": ("src", ["luac.c"], ["-std=gnu99", "-DLUA_COMPAT_5_3"], ["workload.lua", "20"],
               lambda: {"workload.lua": open(workloads.LUA_SCRIPT, "rb").read()}),
}
SLOW = ["for (int wm_i = 0; wm_i < 3 + (wm_sink & 1); wm_i++) wm_sink += 2;", "if (wm_sink >= 0) wm_sink += 2;"]


class Tree:
    def __init__(self, waymark, name, directory):
        self.waymark, self.directory = waymark, directory
        folder, left_out, self.options, self.command, inputs = PROGRAMS[name]
        tree = sources.copy(name, os.path.join(directory, "tree"))
        if name == "lua5.4":
            subprocess.run(["sh", "-c", workloads.LUA_STEADY], cwd=tree, check=True)
        self.folder = os.path.join(tree, folder)
        self.sources = sorted(path for path in glob.glob(os.path.join(self.folder, "*.c"))
                              if os.path.basename(path) not in left_out)
        for path, data in inputs().items():
            with open(os.path.join(directory, path), "wb") as out:
                out.write(data)
        for path in self.sources:
            self.compile(path)

    def call(self, *words):
        return harness.run([self.waymark, *words], self.directory, {"WAYMARK_CACHE": ""}, timeout=1200)

    def compile(self, path):
        status, _, err = self.call("cc", "-O2", "-g", "-w", *self.options, "-c", path, "-o", path[:-2] + ".o")
        if status != 0:
            raise harness.Failure(err.decode())

    def link(self):
        objects = [path[:-2] + ".o" for path in self.sources]
        status, _, err = self.call("cc", *objects, "-o", "program", "-lm")
        if status != 0:
            raise harness.Failure(err.decode())

    def test(self, *words):
        status, _, err = self.call("test", *words, "budgets.txt", "--", "./program", *self.command)
        return status, err.decode(errors="replace")


def places(tree):
    """Lines of the sources in front of which a statement fits, and which run often enough."""
    status, _, err = tree.call("count", "--by=line", "--events=blocks", "--top=100000", "--", "./program", *tree.command)
    assert status == 0
    found = []
    for row in err.decode(errors="replace").splitlines():
        match = re.match(r"\s+[\d.]+%\s+([\d,]+)\s+([\w.]+\.c):(\d+)\s", row)
        if match and int(match[1].replace(",", "")) >= 100:
            path = os.path.join(tree.folder, match[2])
            if path in tree.sources and fits(path, int(match[3])):
                found.append((path, int(match[3])))
    return sorted(found)


def fits(path, line):
    with open(path, errors="replace") as file:
        lines = file.read().split("\n")
    before, own = lines[line - 2].split("/*")[0].rstrip(), lines[line - 1].strip()
    return before.endswith((";", "{", "}")) and not before.startswith("#") and \
        re.match(r"(if \(|while \(|for \(|[a-z_]\w*( =|\(|->|\.|\[))", own) and not own.startswith(("else", "case", "default")) \
        and "\\" not in lines[line - 2] + lines[line - 1]


def slow_down(path, line, statement):
    with open(path, errors="surrogateescape") as file:
        lines = file.read().split("\n")
    lines[line - 1] = statement + " " + lines[line - 1]
    with open(path, "w", errors="surrogateescape") as out:
        out.write("static volatile int wm_sink; " + "\n".join(lines))


def try_one(tree, place, statement):
    """Whether the first lines name it; what they say. None: the place does not compile."""
    path, line = place
    shutil.copy(path, path + ".kept")
    try:
        slow_down(path, line, statement)
        tree.compile(path)
        tree.link()
        status, said = tree.test()
    except harness.Failure:
        return None, ""
    finally:
        os.replace(path + ".kept", path)
        tree.compile(path)
    lines = said[said.find("FAILED budgets.txt"):].splitlines()
    named = any("changed code" in text for text in lines[1:4]) and any("wm_" in text for text in lines[1:4])
    return status == 1 and named, "\n".join(lines[:4])


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    name, count, seed = words[0], int(words[1]), int(words[2]) if len(words) > 2 else 1
    generator, tried, good = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory(prefix="waymark-") as directory:
        tree = Tree(os.path.abspath(options["waymark"]), name, directory)
        tree.link()
        with open(os.path.join(directory, "budgets.txt"), "w") as out:
            out.write("program instructions <= base.json + 0.01%\n")
        assert tree.test("--update")[0] == 0
        assert tree.test()[0] == 0
        candidates = places(tree)
        generator.shuffle(candidates)
        while candidates and tried < count:
            place = candidates.pop()
            named, said = try_one(tree, place, SLOW[tried % 2])
            if named is None or (not named and not said.startswith("FAILED")):
                continue  # it does not compile, or costs less than the budget allows
            tried += 1
            good += named
            if not named:
                print("%s:%d is not named:\n%s" % (os.path.basename(place[0]), place[1], said))
    least = int(options.get("least", count * 9 // 10))
    print("%d of %d seeded regressions of %s are named in the first three lines" % (good, tried, name))
    sys.exit(0 if tried == count and good >= least else 1)


if __name__ == "__main__":
    main()
