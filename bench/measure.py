"""Runs binaries and measures them: CPU time, memory and profile of a pinned run; instructions; text
size.

Each run starts without a profile, in a folder that holds the inputs; what it prints and the file
that it writes, if any, make its output, which must be the same for all variants of a program.
"""
import hashlib
import os
import re
import shutil
import signal
import subprocess

from programs import CLANG, HERE, Failure, sources


def launcher():
    """The small program that pins, starts and measures another (launch.c)."""
    source = os.path.join(HERE, "launch.c")
    with open(source, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    binary = os.path.join(sources.cache(), "bench", "launch-" + digest)
    if not os.path.exists(binary):
        os.makedirs(os.path.dirname(binary), exist_ok=True)
        unfinished = "%s.%d" % (binary, os.getpid())
        subprocess.run([CLANG, "-O2", source, "-o", unfinished], check=True)
        os.rename(unfinished, binary)
    return binary


def ignore_profiling_signals():
    """gprof's last one may come when nobody handles it any more, as it does under Valgrind."""
    signal.signal(signal.SIGPROF, signal.SIG_IGN)


def environment(profiles, **more):
    """What makes all variants write into this folder, and XRay count from the start."""
    names = {name: os.path.join(profiles, file) for name, file in (
        ("WAYMARK_FILE", "counts.wmk"), ("LLVM_PROFILE_FILE", "counts.profraw"), ("GMON_OUT_PREFIX", "gmon"))}
    xray = "patch_premain=true xray_mode=xray-profiling xray_logfile_base=%s/" % profiles
    return dict(os.environ, GCOV_PREFIX=profiles, XRAY_OPTIONS=xray, **dict(names, **more))


class Place:
    """A folder to run one program in, at one scale."""

    def __init__(self, program, scale, where):
        self.program, self.scale, self.command = program, scale, program.command(scale)
        self.folder = os.path.join(where, "work")
        self.profiles = os.path.join(where, "profiles")
        self.printed, self.report = os.path.join(where, "printed"), os.path.join(where, "report")
        os.makedirs(self.folder)
        program.write_inputs(scale, self.folder)

    def execute(self, words):
        """Runs without an earlier profile; returns the finished process."""
        shutil.rmtree(self.profiles, ignore_errors=True)
        os.makedirs(self.profiles)
        with open(self.printed, "wb") as printed:
            return subprocess.run(words, cwd=self.folder, env=environment(self.profiles), stdout=printed,
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  preexec_fn=ignore_profiling_signals)

    def output(self):
        """A hash of what the last run printed and wrote."""
        digest = hashlib.sha256()
        product = self.program.product
        for path in [self.printed] + ([os.path.join(self.folder, product)] if product else []):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()

    def profile_bytes(self):
        return sum(os.path.getsize(os.path.join(folder, name))
                   for folder, _, names in os.walk(self.profiles) for name in names)


def run_once(place, binary, launch, core):
    """One pinned run: user and system seconds, peak KiB, bytes of profile."""
    done = place.execute([launch, str(core), place.report, binary] + place.command)
    if done.returncode != 0:
        raise Failure("%s could not run %s" % (launch, binary))
    with open(place.report) as file:
        status, user, system, memory = (int(word) for word in file.read().split())
    if status != 0:
        raise Failure("%s ended with %d:\n%s" % (binary, status, done.stderr.decode()[-1000:]))
    return {"user": user / 1e6, "system": system / 1e6, "memory": memory,
            "profile": place.profile_bytes()}


def instructions(place, binary):
    """All that one run executes in the program and its libraries, by callgrind."""
    done = place.execute(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary]
                         + place.command)
    collected = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        raise Failure("callgrind failed on %s:\n%s" % (binary, done.stderr.decode()[-2000:]))
    return int(collected.group(1))


def text_bytes(binary):
    """Executable code: the sections that hold instructions."""
    table = subprocess.run(["readelf", "-SW", binary], stdout=subprocess.PIPE, check=True).stdout
    sizes = re.findall(r"\] \S+ +PROGBITS +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) \w+ +AX", table.decode())
    return sum(int(size, 16) for size in sizes)
