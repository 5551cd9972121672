#!/usr/bin/env python3
"""What `waymark hpp` says of a run equals what tools say that share nothing with it: exp-bbv's
instructions, lackey's conditional branches and blocks, cachegrind's misses, callgrind's calls.

usage: oracles.py --waymark=PATH [unittest arguments]
"""
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hpp"))

import reference
from tool import Case, cases

BARE = ["-O2", "-nostdlib", "-static", "-no-pie", "-fcf-protection=none", "-fno-stack-protector"]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


class Disassembly:
    """objdump's text: where blocks end, and how."""

    def __init__(self, path):
        out = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True,
                             text=True, check=True).stdout
        self.text = {int(at, 16): text for at, text in re.findall(r"^ *([0-9a-f]+):\t(.*)$", out, re.M)}
        order = sorted(self.text)
        self.after = dict(zip(order, order[1:]))

    def kind(self, at):
        text = re.sub(r"^((bnd|notrack|addr32|data16|cs|ds|lock) )+", "", self.text[at])
        if re.match(r"(repz )?ret", text):
            return "ret"
        for word in ("call", "jmp"):
            if text.startswith(word):
                return ("i" + word.replace("jmp", "jmp") if "*" in text else word)
        if re.match(r"j\w+|loop", text):
            return "jcc"
        return "stop" if text.startswith("syscall") else None

    def block(self, start):
        """The address of its last instruction, and how many it has."""
        at, count = start, 1
        while self.kind(at) is None and count < 60:
            at, count = self.after[at], count + 1
        return at, count

    def target(self, at):
        return int(re.search(r"\s([0-9a-f]+)(?: <|$)", self.text[at])[1], 16)


class Oracles(Case):
    def test_closed_form(self):
        """count(20) runs 2 fib(21) - 1 times; choose and odd as often as the loop says."""
        program = self.build("bare", "-O1", *BARE[1:])
        ran, told = self.profile(program)
        self.assert_sums(told)
        self.assertEqual(ran.returncode, self.run_words([program]).returncode)
        entered = self.entries(program, told)
        self.assertEqual(entered["count"], 2 * fibonacci(21) - 1)
        self.assertEqual(entered["choose"], 5000)
        self.assertEqual(entered["odd"], 1667)
        self.assertEqual(told["kinds"]["indirect_calls"], 1667)

    def entries(self, program, told):
        """How often a path began at a function's first instruction. None of these is the target of
        a back edge."""
        out = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
        at = {int(line.split()[0], 16): line.split()[2] for line in out.splitlines()
              if line.split()[1] in "tT"}
        entered = collections.Counter()
        for path in told["hot_paths"]:
            name = at.get(int(path["start"], 16))
            if name:
                entered[name] += path["count"]
        return entered

    def test_instructions(self):
        programs = [["/bin/true"], ["ls", "-l", "/usr"], [self.build("jumps", "-O0")]]
        for words in programs:
            with self.subTest(words=words):
                words[0] = words[0] if "/" in words[0] else "/bin/" + words[0]
                _, told = self.profile(*words)
                self.assert_sums(told)
                said = self.valgrind("exp-bbv", "--instr-count-only=yes",
                                     "--bb-out-file=/dev/null", *words)
                self.assertEqual(told["instructions"], self.number(r"Total instructions: (\d+)", said))

    def test_conditionals(self):
        """In code without repeated or locked instructions each of lackey's exits is a branch."""
        for level in ("-O0", "-O1", "-O2", "-O3"):
            with self.subTest(level=level):
                program = self.build("bare", level, *BARE[1:])
                _, told = self.profile(program)
                said = self.valgrind("lackey", program)
                self.assertEqual(told["kinds"]["conditionals"],
                                 self.number(r"conditional branches:\s+.*total:\s+([\d,]+)"
                                             if "conditional branches:" in said else
                                             r"total: +([\d,]+)", said.replace("\n", " ")))
                self.assertEqual(told["instructions"],
                                 self.number(r"guest instrs: +([\d,]+)", said))

    def test_every_path(self):
        """Each path with its count and its instructions, from lackey's blocks, objdump's text and
        the second model."""
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level=level):
                program = self.build("bare", level, *BARE[1:])
                _, told = self.profile(program, options=["--counter-bits=0", "--stack=1024"])
                self.assertEqual(told["stack"]["dropped"], 0)
                got = {(int(path["start"], 16), path["outcomes"]): (path["count"], path["instructions"])
                       for path in told["hot_paths"]}
                want = self.paths_by_lackey(program)
                self.assertGreater(len(want), 15)
                self.assertEqual(got, want)

    def paths_by_lackey(self, program):
        said = self.valgrind("lackey", "--basic-counts=no", "--trace-superblocks=yes", program)
        starts = [int(at, 16) for at in re.findall(r"^SB ([0-9a-f]+)", said, re.M)]
        code = Disassembly(program)
        detector = reference.Detector(depth=1 << 20, bits=0)
        detector.begin(starts[0])
        blocks = {start: code.block(start) for start in set(starts)}
        held = 0
        for start, to in zip(starts, starts[1:]):
            at, count = blocks[start]
            held += count
            kind = code.kind(at)
            if kind in (None, "stop"):
                continue
            taken = kind != "jcc" or to == code.target(at)
            branch = reference.Branch(kind, at, to, taken, events=held)
            branch.after, held = code.after.get(at, 0), 0
            detector.step(branch)
        detector.stack[-1].events += held + blocks[starts[-1]][1]
        detector.finish()
        sums = collections.defaultdict(lambda: (0, 0))
        for entry, _ in detector.emitted:
            key = entry.start, "".join(map(str, entry.outcomes)) or "-"
            sums[key] = sums[key][0] + 1, sums[key][1] + entry.events
        return dict(sums)

    def test_misses(self):
        """Of caches of the same shape; the modern machine's are those of the options."""
        shape = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=2097152,16,64"]
        for words in (["/bin/ls", "-l", "/usr"], [self.build("bare", *BARE)],
                      [self.build("jumps", "-O2")]):
            with self.subTest(words=words):
                _, told = self.profile(*words, options=["--model=modern"])
                said = self.valgrind("cachegrind", "--cache-sim=yes",
                                     "--cachegrind-out-file=/dev/null", *shape, *words)
                for cache, name in (("l1i", "I1"), ("l1d", "D1"), ("l2", "LL")):
                    self.assertEqual(told["caches"][cache]["misses"],
                                     self.number(name + r" +misses: +([\d,]+)", said), name)

    def test_calls(self):
        program = self.build("bare", "-O1", *BARE[1:])
        _, told = self.profile(program)
        self.valgrind("callgrind", "--callgrind-out-file=" + self.path("calls"), program)
        with open(self.path("calls")) as file:
            text = file.read()
        names = dict(re.findall(r"^c?fn=\((\d+)\) (\S+)$", text, re.M))
        calls = collections.Counter()
        for number, count in re.findall(r"^cfn=\((\d+)\)[^\n]*\ncalls=(\d+)", text, re.M):
            calls[names[number].split("'")[0]] += int(count)
        entered = self.entries(program, told)
        self.assertGreaterEqual(calls["choose"], 5000)
        for name in ("choose", "odd"):
            self.assertEqual(entered[name], calls[name], name)
        self.assertEqual(told["kinds"]["calls"] + told["kinds"]["indirect_calls"],
                         sum(calls.values()))


if __name__ == "__main__":
    cases.main("__main__")
