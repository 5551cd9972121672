"""Binaries of programs in their variants, kept in the cache under a hash of all that makes them.

A build is taken from the cache if compiler, options and recipe are the same; so a new waymark
rebuilds our modes and not the peers. A second build also depends on the profile of its trainer.
"""
import hashlib
import os
import resource
import shutil
import subprocess
import tempfile
import time

from programs import Failure, sources

SECONDS_KEPT = 24 * 3600


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

    def folder(self, program, variant):
        return os.path.join(sources.cache(), "bench", "builds", program.name,
                            variant.name + "-" + self.key(program, variant))

    def cached(self, program, variant):
        return os.path.exists(os.path.join(self.folder(program, variant), program.name))

    def binary(self, program, variant):
        """The path of the binary, built if it is not in the cache."""
        variant = self.variants[variant.same_as or variant.name]
        folder = self.folder(program, variant)
        binary = os.path.join(folder, program.name)
        if not self.cached(program, variant):
            self.forget_old(os.path.dirname(folder), variant.name)
            self.build(program, variant, folder)
        os.utime(folder)
        return binary

    def forget_old(self, siblings, name):
        for entry in os.listdir(siblings) if os.path.isdir(siblings) else []:
            path = os.path.join(siblings, entry)
            age = time.time() - os.stat(path).st_mtime
            if entry.rsplit("-", 1)[0] == name and age > SECONDS_KEPT:
                shutil.rmtree(path, ignore_errors=True)

    def build(self, program, variant, folder):
        """Builds in a folder of its own that takes its name at the end: others may do the same."""
        siblings, name = os.path.split(folder)
        os.makedirs(siblings, exist_ok=True)
        unfinished = tempfile.mkdtemp(prefix=name + ".", dir=siblings)
        program.compile(self.compiler(program, variant, unfinished),
                        os.path.join(unfinished, program.name))
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
