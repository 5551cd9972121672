"""The variants of a program that the benchmark compares, as data: plain, our modes, and peers.

A variant is a compiler and options. Its cost is a ratio to what it is `over`: plain clang, or plain
gcc for gcc's own counters. Variants with a `trainer` are second builds: {profile} in their options
is the profile of a run of the trainer's binary on the small input. Our modes are rows of
tests/modes.py.
"""
import functools
import hashlib
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))

import figures
import measure
import modes
from programs import CLANG, Failure


class Variant:
    def __init__(self, name, kind, tool, options="", over="plain", trainer=None, same_as=None):
        self.name, self.kind, self.tool, self.options = name, kind, tool, options
        self.over, self.trainer, self.same_as = over, trainer, same_as


CTX_PROF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ctx_prof_cc")
PLAIN = Variant("plain", "plain", "clang", over=None)
AGAIN = Variant(figures.AGAIN, "plain", "clang", same_as="plain")
GCC = Variant("gcc", "plain", "gcc", over=None)
EARLY = ["edges", "paths"]  # modes that are also measured with counts of the text
MODES = ([Variant(mode.name, "mode", "waymark", mode.options, trainer=mode.earlier)
          for mode in modes.modes_of("bench")] +
         [Variant(name + "-early", "mode", "waymark", modes.BY_NAME[name].options + " --at=early")
          for name in EARLY])
PEERS = [
    Variant("profile-generate", "peer", "clang", "-fprofile-generate"),
    Variant("coverage-mapping", "peer", "clang", "-fprofile-instr-generate -fcoverage-mapping"),
    Variant("sancov", "peer", "clang", "-fsanitize-coverage=inline-8bit-counters"),
    Variant("gcc-coverage", "peer", "gcc", "--coverage", over="gcc"),
    # Those that tell who called whom. XRay leaves small functions out unless it is told not to.
    Variant("pg", "peer", "clang", "-pg"),
    Variant("xray-profiling", "peer", "clang",
            "-fxray-instrument -fxray-modes=xray-profiling -fxray-instruction-threshold=1"),
    Variant("ctx-prof", "peer", "ctx-prof"),
]
ALL = [PLAIN, AGAIN, GCC] + MODES + PEERS
DEFAULT_MODES = ["edges", "paths", "paths-classic"]
DEFAULT_PEERS = ["profile-generate"]


class Tools:
    """The compilers, and what identifies each for the cache of builds."""

    def __init__(self, waymark):
        self.waymark = os.path.abspath(waymark)
        if not os.path.isfile(self.waymark) or not os.access(self.waymark, os.X_OK):
            raise Failure("%s is not there; build it with make, or name another waymark" % waymark)

    def compiler(self, variant, language):
        """The words that stand for CC, or CXX, with the options."""
        cxx = language == "c++"
        words = {"clang": CLANG + (" --driver-mode=g++" if cxx else ""),
                 "gcc": "g++" if cxx else "gcc",
                 "ctx-prof": CTX_PROF + (" --driver-mode=g++" if cxx else ""),
                 "waymark": self.waymark + (" c++" if cxx else " cc")}[variant.tool]
        return (words + " " + variant.options).strip()

    @functools.lru_cache(maxsize=None)
    def identity(self, variant):
        if variant.tool != "waymark":
            return first_line(["gcc" if variant.tool == "gcc" else CLANG, "--version"])
        library = os.path.join(os.path.dirname(self.waymark), "..", "lib", "waymark")
        digest = hashlib.sha256()
        for path in [self.waymark] + sorted(os.path.join(library, n) for n in os.listdir(library)):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()


def first_line(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode().split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        raise Failure("%s cannot be run; scripts/install-packages installs it" % command[0])


def try_empty(tools, variant):
    """Builds an empty program as a variant: what the compiler says against it (None if nothing),
    and the bytes of code in it."""
    with tempfile.TemporaryDirectory() as where:
        source, binary, profile = (os.path.join(where, n) for n in ("a.c", "a", "a.wmk"))
        with open(source, "w") as out:
            out.write("int main(void) { return 0; }\n")
        steps = [(tools.compiler(variant, "c").format(profile=profile), binary)]
        if variant.trainer:
            trainer = next(mode for mode in MODES if mode.name == variant.trainer)
            steps.insert(0, (tools.compiler(trainer, "c"), binary + ".trainer"))
        for compiler, output in steps:
            reason = complaint(compiler.split() + ["-O2", source, "-o", output], where, profile)
            reason = reason or complaint([output], where, profile)
            if reason:
                return reason, 0
        return None, measure.text_bytes(binary)


def complaint(command, where, profile):
    """The first line of what a command says when it fails, None when it does not."""
    try:
        done = subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env=measure.environment(where, WAYMARK_FILE=profile))
    except OSError as error:
        return "%s: %s" % (command[0], error.strerror)
    text = done.stderr.decode(errors="replace").strip().replace(where + "/", "")
    return None if done.returncode == 0 else text.split("\n")[0] or "%s ended with %d" % (
        command[0], done.returncode)


def select(known, wanted, default, what):
    """The variants with these names, in the order of the tables; "all" and "none" are names too."""
    wanted = default if wanted is None else wanted
    if wanted == ["all"]:
        return known
    unknown = [name for name in wanted if name not in [v.name for v in known] + ["none"]]
    if unknown:
        raise Failure("there is no %s %s; there are %s, all and none" % (
            what, ", ".join(unknown), ", ".join(variant.name for variant in known)))
    return [variant for variant in known if variant.name in wanted]


def with_bases(chosen):
    """Plain twice, for the noise, and whatever else the chosen ones are compared with."""
    gcc = [GCC] if any(variant.over == "gcc" for variant in chosen) else []
    return [PLAIN, AGAIN] + chosen[:] + gcc
