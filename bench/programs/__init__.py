"""The programs of the benchmark, one file each in this folder, found by name.

A file says where the source comes from, the one line that compiles it, and what to run, small
(scale 1, for callgrind) or large. Real programs are Debian source packages (tests/real/sources.py);
they are fetched, prepared once (configured, generated files made) and kept in the cache outside the
repository. All variants then compile from that same tree, so that they differ in the compiler
alone.
"""
import hashlib
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "real"))

import sources
import workloads

CLANG = os.environ.get("WAYMARK_CLANG", "clang-19")


class Failure(Exception):
    """Something that the user should read: one line, or one line and what a command printed."""


class Program:
    """`sources` are the files and flags between `$CC -O2` and `-o`, as the shell reads them in the
    program's tree; `libraries` follow. `package` is a Debian source package, None for a kernel of
    ours. `prepare` is a shell line that makes the tree ready, run once with plain clang.
    `command(scale)` are the words after the binary's name; `inputs(scale)` gives name -> bytes of
    the files that it reads; `product` names a file that it writes, besides what it prints."""

    def __init__(self, package, sources, command, inputs=lambda scale: {}, prepare="", libraries="",
                 language="c", product=None):
        self.name = None
        self.package, self.sources, self.command, self.inputs = package, sources, command, inputs
        self.prepare, self.libraries, self.language = prepare, libraries, language
        self.product = product

    def recipe(self):
        """All that decides what a build gives, but for the compiler."""
        return "\0".join([str(self.package), self.prepare, self.sources, self.libraries])

    def tree(self):
        """Where the sources are, ready to compile."""
        if not self.package:
            return os.path.join(HERE, "kernels")
        made_by = hashlib.sha256((self.package + "\0" + self.prepare).encode()).hexdigest()[:12]
        tree = os.path.join(sources.cache(), "bench", "trees", self.name + "-" + made_by)
        if not os.path.isdir(tree):
            unfinished = "%s.%d" % (tree, os.getpid())
            sources.copy(self.package, unfinished)
            shell(self.prepare or ":", unfinished, {"CC": CLANG})
            os.rename(unfinished, tree)
        return tree

    def compile(self, compiler, output, first="", sources=None):
        """Compiles and links with the compiler named by these words; `first` is one more source.
        `sources` are those of the program in another order."""
        shell("$CC -O2 -w %s %s -o %s %s" % (first, sources or self.sources, output, self.libraries),
              self.tree(), {"CC": compiler})

    def write_inputs(self, scale, where):
        for name, data in self.inputs(scale).items():
            with open(os.path.join(where, name), "wb") as out:
                out.write(data)


def shell(command, directory, environment):
    done = subprocess.run(["sh", "-c", command], cwd=directory, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, WAYMARK_CACHE="", **environment), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Failure("'%s' failed in %s with CC='%s':\n%s" % (
            command, directory, environment["CC"], done.stdout.decode(errors="replace")[-3000:]))


def load(name):
    program = importlib.import_module("programs." + name).PROGRAM
    program.name = name
    return program


def names():
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def named(wanted):
    """The programs with these names, all if none is named."""
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        raise Failure("there is no program %s; there are %s" % (
            ", ".join(unknown), ", ".join(names())))
    return [load(name) for name in names() if not wanted or name in wanted]


def available(wanted):
    """The same, fetched and prepared; and a line for each whose source cannot be fetched."""
    usable, missing = [], []
    for program in named(wanted):
        try:
            program.tree()
            usable.append(program)
        except sources.Unavailable as reason:
            missing.append("program %s: %s" % (program.name, reason))
    if not usable:
        raise Failure("no program is left to measure: " + "; ".join(missing))
    return usable, missing
