"""A program, trained on its small input and built again by what the training told, for bench/payoff.

Each build is made in several layouts, which differ in where the code lies: the order in which its files are linked,
and what stands before them. Order alone moves the time of single programs by several percent.
"""
import glob
import os
import random
import re
import shlex
import subprocess
import tempfile

import builds
import measure
from programs import CLANG, Failure

PSEUDO = "-fpseudo-probe-for-profiling"
PLAIN, BOLTED = "plain", "bolt"
VARIANTS = [PLAIN, "profile-generate", "edges", "edges+context", "profile-use", "sample", "sample+targets", "optimize", BOLTED]
MAX_LAYOUTS = 8
BOLT = os.path.realpath("/usr/bin/llvm-bolt-19")  # it looks for its library beside itself
REORDER = ["-reorder-blocks=ext-tsp", "-reorder-functions=hfsort", "-split-functions", "-split-all-cold"]


def in_order(sources, tree, layout):
    """The same words, files in another order; the first layout has that of the recipe, the second the reverse."""
    words = [found for word in shlex.split(sources)
             for found in (sorted(os.path.relpath(path, tree) for path in glob.glob(os.path.join(tree, word))) or [word])]
    files = [word for word in words if re.search(r"\.(c|cc|cpp)$", word)]
    moved = list(files)
    if layout == 1:
        moved.reverse()
    elif layout:
        random.Random(layout).shuffle(moved)
    following = iter(moved)
    return " ".join(shlex.quote(next(following) if word in files else word) for word in words)


def must(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Failure("%s: %s" % (" ".join(words), done.stdout.decode(errors="replace")[-1000:]))


class Subject:
    """One program in a folder of its own: its builds, and the profiles that they are made from."""

    def __init__(self, program, waymark, layouts, where):
        self.program, self.waymark, self.layouts, self.where = program, waymark, layouts, where
        os.makedirs(where)

    def path(self, name):
        return os.path.join(self.where, name)

    def compilers(self):
        cxx = self.program.language == "c++"
        clang = CLANG + (" --driver-mode=g++" if cxx else "")
        mine = "%s %s -g" % (self.waymark, "c++" if cxx else "cc")
        return {PLAIN: clang,
                "profile-generate": clang + " -fprofile-generate",
                "edges": "%s --profile=edges %s" % (mine, PSEUDO),
                "edges+context": "%s --profile=edges+context %s" % (mine, PSEUDO),
                "profile-use": "%s -Wno-everything -fprofile-use=%s" % (clang, self.path("data")),
                "sample": "%s -Wno-everything %s -fprofile-sample-use=%s" % (clang, PSEUDO, self.path("sample")),
                "sample+targets": "%s -Wno-everything %s -fprofile-sample-use=%s" % (clang, PSEUDO, self.path("targets")),
                "optimize": "%s %s --optimize=%s" % (mine, PSEUDO, self.path("counts.wmk")),
                BOLTED: clang + " -Wl,--emit-relocs"}

    def binary(self, name, layout=0):
        return self.path("%s+%d" % (name, layout))

    def build(self, name, layout=0):
        output = self.binary(name, layout)
        text = in_order(self.program.sources, self.program.tree(), layout)
        self.program.compile(self.compilers()[name], output, builds.shift(layout % builds.MAX_LAYOUTS, self.where), text)
        if name == BOLTED:
            self.reorder(output)
        return output

    def make_small(self, name, layout):
        """Without what no run needs; strip(1) breaks what BOLT writes."""
        if name != BOLTED:
            must(["strip", "--strip-debug", self.binary(name, layout)])

    def bolt(self, words):
        """BOLT, without the functions that it says it cannot move."""
        skipped = []
        for _ in range(4):
            done = subprocess.run([BOLT] + words + (["--skip-funcs=" + ",".join(skipped)] if skipped else []),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode == 0:
                return
            said = done.stdout.decode(errors="replace")
            skipped += re.findall(r"in function (\S+)\. Consider adding this function to --skip-funcs", said)
        raise Failure("BOLT fails on %s: %s" % (self.program.name, said[-500:]))

    def reorder(self, binary):
        """BOLT, trained by its own counters on the small input; those of Waymark are not of this binary's addresses."""
        counts, counting, done = self.path("fdata"), self.path("counting"), self.path("reordered")
        self.bolt([binary, "-instrument", "--instrumentation-file=" + counts, "-o", counting])
        self.run(counting, 1)
        self.bolt([binary, "-data=" + counts, "-o", done] + REORDER)
        os.replace(done, binary)
        os.remove(counting)

    def run(self, binary, scale, environment=None, before=()):
        """A hash of what it prints and writes, and what it says on standard error."""
        with tempfile.TemporaryDirectory() as where:
            place = measure.Place(self.program, scale, where)
            with open(place.printed, "wb") as printed:
                done = subprocess.run([*before, binary] + place.command, cwd=place.folder, stdin=subprocess.DEVNULL,
                                      stdout=printed, stderr=subprocess.PIPE, env=dict(os.environ, **(environment or {})))
            if done.returncode != 0:
                raise Failure("%s ended with %d:\n%s" % (binary, done.returncode, done.stderr.decode()[-500:]))
            return place.output(), done.stderr.decode(errors="replace")

    def count(self, trainer, counts, sample):
        self.run(self.build(trainer), 1, {"WAYMARK_FILE": self.path(counts)})
        must([self.waymark, "export", "--to=sample", "-o", self.path(sample), self.path(counts)])

    def train(self, names):
        if "profile-use" in names:
            self.run(self.build("profile-generate"), 1, {"LLVM_PROFILE_FILE": self.path("raw")})
            must(["llvm-profdata-19", "merge", "-o", self.path("data"), self.path("raw")])
        if "sample" in names or "optimize" in names:
            self.count("edges", "counts.wmk", "sample")
        if "sample+targets" in names:
            self.count("edges+context", "contexts.wmk", "targets")

    def build_all(self, names):
        """The folder then holds binaries and nothing else."""
        self.train(names)
        for name in names:
            for layout in range(self.layouts):
                self.build(name, layout)
        for name in os.listdir(self.where):
            if not re.search(r"\+\d+$", name):
                os.remove(self.path(name))
        for name in names:
            for layout in range(self.layouts):
                self.make_small(name, layout)

    def run_quietly(self, binary, before=()):
        """Its profiles go where nobody looks for them."""
        with tempfile.TemporaryDirectory() as where:
            profiles = {"WAYMARK_FILE": os.path.join(where, "wmk"), "LLVM_PROFILE_FILE": os.path.join(where, "raw")}
            return self.run(binary, 1, profiles, before)

    def check_outputs(self, names):
        truth = self.run_quietly(self.binary(PLAIN))[0]
        for name in names:
            for layout in range(self.layouts):
                if self.run_quietly(self.binary(name, layout))[0] != truth:
                    raise Failure("%s prints something else when built with %s" % (self.program.name, name))

    def instructions(self, name):
        """None for what BOLT writes: callgrind cannot read it."""
        if name == BOLTED:
            return None
        said = self.run_quietly(self.binary(name), ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])[1]
        return int(re.search(r"Collected : (\d+)", said).group(1))
