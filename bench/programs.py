"""The programs of the benchmark: how each is built with a given compiler, and what it is run on.

Sources are Debian packages (tests/real/sources.py) kept in the cache; nothing is copied into the
repository. Builds land in the cache too, one directory per variant and program.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "real"))

import sources
import workloads

CLANG = os.environ.get("WAYMARK_CLANG", "clang-19")
SQLITE_FLAGS = "-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION"


class Program:
    """`build` is a shell line with $CC, run in `tree`; `command(scale)` is what to run, by scale
    1 (small, for callgrind) or more; `inputs(scale)` are the files and the standard input."""

    def __init__(self, name, tree, build, binary, command, inputs):
        self.name, self.tree, self.build, self.binary = name, tree, build, binary
        self.command, self.inputs = command, inputs


def amalgamation():
    """sqlite3.c and shell.c, made once by sqlite's own build system."""
    tree = os.path.join(sources.cache(), "sqlite3-amalgamation")
    if not os.path.exists(os.path.join(tree, "shell.c")):
        sources.copy("sqlite3", tree)
        shell("CC=%s ./configure --disable-tcl --disable-readline >/dev/null && "
              "make sqlite3.c shell.c >/dev/null" % CLANG, tree, {})
    return tree


def text_file(path, size):
    with open(path, "wb") as out:
        out.write(workloads.text(size))


def sql_file(path, rows):
    with open(path, "wb") as out:
        out.write(workloads.sql(rows))


PROGRAMS = [
    Program("bzip2", lambda: sources.source("bzip2"),
            'make -s bzip2 CC="$CC" CFLAGS="-O2 -D_FILE_OFFSET_BITS=64"', "bzip2",
            lambda scale: ["-9", "-k", "-c", "text"],
            lambda scale, where: text_file(os.path.join(where, "text"), 400000 * scale)),
    Program("lua", lambda: sources.source("lua5.4"),
            workloads.LUA_STEADY + ' && make -s -C src generic CC="$CC -std=gnu99"',
            "src/lua", lambda scale: [workloads.LUA_SCRIPT, str(1200 * scale)],
            lambda scale, where: None),
    Program("sqlite3", amalgamation,
            "$CC -O2 %s shell.c sqlite3.c -lm -o sqlite3" % SQLITE_FLAGS, "sqlite3",
            lambda scale: ["-batch", ":memory:", ".read script.sql"],
            lambda scale, where: sql_file(os.path.join(where, "script.sql"), 1500 * scale)),
    Program("matrix", lambda: HERE, "$CC -O2 $SOURCE/matrix.c -o matrix", "matrix",
            lambda scale: [str(min(512, 200 + 60 * scale))], lambda scale, where: None),
]


def shell(command, directory, environment):
    done = subprocess.run(["sh", "-c", command], cwd=directory, env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit("bench: %s failed in %s:\n%s" %
                 (command, directory, done.stdout.decode(errors="replace")[-3000:]))


def build(program, variant, compiler):
    """Builds anew; returns the absolute path of the binary."""
    tree = os.path.join(sources.cache(), "bench", variant, program.name)
    source = program.tree()
    subprocess.run(["rm", "-rf", tree], check=True)
    os.makedirs(os.path.dirname(tree), exist_ok=True)
    if source == HERE:
        os.makedirs(tree)
    else:
        subprocess.run(["cp", "-a", source, tree], check=True)
    shell(program.build, tree, {"CC": compiler, "SOURCE": source})
    return os.path.join(tree, program.binary)


def named(names):
    """The programs with these names, all if none is named."""
    unknown = set(names) - {program.name for program in PROGRAMS}
    if unknown:
        sys.exit("bench: no program %s; there are %s" %
                 (", ".join(sorted(unknown)), ", ".join(p.name for p in PROGRAMS)))
    return [program for program in PROGRAMS if not names or program.name in names]
