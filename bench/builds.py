"""Binaries of programs in their variants, kept in the cache under a hash of all that makes them.

A build is taken from the cache if compiler, options and recipe are the same; so a new waymark
rebuilds our modes and not the peers. A second build also depends on the profile of its trainer.

Where code lies in the processor's lines of 64 bytes is luck, up to some percent of the time. So a
build can be made in several layouts, which differ only in that all code lies 16 bytes further.
"""
import hashlib
import os
import resource
import shutil
import subprocess
import tempfile
import time

import measure
from programs import Failure, sources

SECONDS_KEPT = 24 * 3600
MAX_LAYOUTS = 4  # with the next one code would lie as in the first again


class Builds:
    def __init__(self, tools, variants):
        self.tools = tools
        self.variants = {variant.name: variant for variant in variants}

    def key(self, program, variant):
        parts = [program.recipe(), variant.options, self.tools.identity(variant),
                 self.tools.compiler(variant, program.language)]
        if variant.trainer:
            parts.append(self.key(program, self.variants[variant.trainer]))
            parts.append(repr(program.command(1)))
            parts += [hashlib.sha256(data).hexdigest() for data in program.inputs(1).values()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def launcher(self):
        return measure.launcher()

    def folder(self, program, variant, layout=0):
        return os.path.join(sources.cache(), "bench", "builds", program.name,
                            variant.name + "-" + self.key(program, variant) +
                            ("+%d" % layout if layout else ""))

    def cached(self, program, variant, layout=0):
        return os.path.exists(os.path.join(self.folder(program, variant, layout), program.name))

    def binary(self, program, variant, layout=0):
        """The path of the binary, built if it is not in the cache."""
        variant = self.variants[variant.same_as or variant.name]
        folder = self.folder(program, variant, layout)
        binary = os.path.join(folder, program.name)
        if not self.cached(program, variant, layout):
            self.forget_old(os.path.dirname(folder), variant.name)
            self.build(program, variant, folder, layout)
        os.utime(folder)
        return binary

    def forget_old(self, siblings, name):
        for entry in os.listdir(siblings) if os.path.isdir(siblings) else []:
            path = os.path.join(siblings, entry)
            age = time.time() - os.stat(path).st_mtime
            if entry.rsplit("-", 1)[0] == name and age > SECONDS_KEPT:
                shutil.rmtree(path, ignore_errors=True)

    def build(self, program, variant, folder, layout):
        """Builds in a folder of its own that takes its name at the end: others may do the same."""
        siblings, name = os.path.split(folder)
        os.makedirs(siblings, exist_ok=True)
        unfinished = tempfile.mkdtemp(prefix=name + ".", dir=siblings)
        program.compile(self.compiler(program, variant, unfinished),
                        os.path.join(unfinished, program.name), shift(layout, unfinished))
        try:
            os.rename(unfinished, folder)
        except OSError:
            shutil.rmtree(unfinished)

    def compiler(self, program, variant, folder):
        words = self.tools.compiler(variant, program.language)
        if not variant.trainer:
            return words
        profile = os.path.join(folder, "trained.wmk")
        if not os.path.exists(profile):
            self.train(program, self.variants[variant.trainer], profile)
        return words.format(profile=profile)

    def train(self, program, trainer, profile):
        binary = self.binary(program, trainer)
        with tempfile.TemporaryDirectory() as where:
            program.write_inputs(1, where)
            done = subprocess.run([binary] + program.command(1), cwd=where,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  env=dict(os.environ, WAYMARK_FILE=profile))
        if done.returncode != 0 or not os.path.exists(profile):
            raise Failure("%s ended with %d and left no profile to train %s with" % (
                binary, done.returncode, program.name))

    def compile_seconds(self, program, variant):
        """CPU time of one build that is thrown away."""
        with tempfile.TemporaryDirectory() as where:
            compiler = self.compiler(program, variant, where)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            program.compile(compiler, os.path.join(where, program.name))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shift(layout, folder):
    """A source that, linked first, makes all code lie further, as the layout says; "" for none."""
    if not layout:
        return ""
    path = os.path.join(folder, "shift.s")
    with open(path, "w") as file:
        file.write(".text\n.skip %d\n.section .note.GNU-stack, \"\", @progbits\n" % (16 * layout))
    return path
