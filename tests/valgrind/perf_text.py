#!/usr/bin/env python3
"""Branches as perf prints them: an exact run, written as `perf script` would write a trace of it, and as
stacks of the last branches, is read back. No processor here records either, so the text is made by
hand from perf's documented form. The stacks' paths are compared with those of a second model."""
import collections
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hpp"))

import reference
import tool

FLAGS = {"call": "call", "icall": "call", "ret": "return", "jmp": "jmp", "ijmp": "jmp", "jcc+": "jcc"}
DEPTH = 32


class Fragments(reference.Detector):
    """Knows which entries began where no path begins."""

    def begin(self, address):
        super().begin(address)
        self.stack[-1].partial = True

    def returned(self, home, branch):
        before = len(self.stack)
        super().returned(home, branch)
        if not before:
            self.stack[-1].partial = True

    def complete(self):
        return [entry for entry, ending in self.emitted if not getattr(entry, "partial", False)]


class PerfText(tool.Case):
    def setUp(self):
        super().setUp()
        self.program = self.build("tours", "-O1", "-static")
        _, self.plain = self.profile(self.program)
        ran = self.run_words([self.waymark, "hpp", "--export=branches", "--to-file=run.branches", self.program])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.branches = [line.split() for line in self.read("run.branches").decode().splitlines()]

    def mappings(self):
        """What perf says of the program's code, as the kernel maps it."""
        table = subprocess.run(["readelf", "-lW", self.program], capture_output=True, text=True, check=True).stdout
        for offset, start, size in re.findall(
                r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E", table):
            yield ("tours  7842     0.000000: PERF_RECORD_MMAP2 7842/7842: [0x%x(0x%x) @ 0x%x fe:01 1 0]: r-xp %s" %
                   (int(start, 16), int(size, 16), int(offset, 16), self.program))

    def write(self, name, lines):
        with open(self.path(name), "w") as file:
            file.write("".join(line + "\n" for line in lines))

    def told(self, name, *options):
        ran = self.run_words([self.waymark, "hpp", "--json", "--top=1000000", "--read=" + name, *options])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout), ran.stderr.decode()

    def trace(self):
        """With symbols and files beside the addresses, a pause in the kernel, and an interrupt."""
        yield from self.mappings()
        for number, (kind, *words) in enumerate(self.branches):
            if kind == "begin":
                yield "tours  7842/7842  [001] 1.000001: branches:u:   tr strt   0 [unknown] ([unknown]) => %s _start+0x0 (%s)" % (
                    words[0], self.program)
            elif kind in FLAGS:
                yield "tours  7842/7842  [001] 1.%06d: branches:u:   %-21s %16s f+0x5 (%s) => %16s g+0x0 (%s)" % (
                    number, FLAGS[kind], words[0], self.program, words[1], self.program)
            if kind in FLAGS and number % 100 == 0:
                yield "tours  7842/7842  [001] 1.%06d: branches:u:   tr end  async  %s f+0x5 (%s) => 0 [unknown] ([unknown])" % (
                    number, words[1], self.program)
                yield "tours  7842/7842  [001] 1.%06d: branches:u:   tr strt  0 [unknown] ([unknown]) => %s g+0x0 (%s)" % (
                    number, words[1], self.program)

    def test_a_trace_is_the_run(self):
        self.write("trace.txt", self.trace())
        told, said = self.told("trace.txt")
        self.assertEqual(said, "")
        key = lambda path: (path["start"], path["outcomes"])
        self.assertEqual({key(path): path["count"] for path in self.plain["hot_paths"]},
                         {key(path): path["count"] for path in told["hot_paths"]})
        self.assertEqual(self.plain["stack"], told["stack"])

    def test_places_have_lines(self):
        self.write("trace.txt", self.trace())
        ran = self.run_words([self.waymark, "hpp", "--top=1000", "--read=trace.txt"])
        self.assertRegex(ran.stdout.decode(), r" depth(\+0x\w+)?  ")

    def test_what_was_lost_breaks_the_stream(self):
        lines = list(self.trace())
        middle = len(lines) // 2
        lines[middle:middle + 40] = ["tours  7842  1.5: PERF_RECORD_LOST lost 40"]
        self.write("lost.txt", lines)
        told, said = self.told("lost.txt")
        self.assertRegex(said, r"^waymark: warning: hpp: lost.txt: perf lost data in 1 places?;")
        self.assertLess(told["branches"], self.plain["branches"])
        self.assertGreater(told["branches"], 0.9 * self.plain["branches"])

    def windows(self):
        """Of each hundred taken branches the last DEPTH; what ran between the first of them and the last."""
        taken = [i for i, (kind, *_) in enumerate(self.branches) if kind in FLAGS]
        for end in range(100, len(taken), 100):
            first, last = taken[end - DEPTH], taken[end - 1]
            yield self.branches[first:last + 1]

    def test_stacks_of_the_last_branches(self):
        expected, lines, mispredicted = collections.Counter(), list(self.mappings()), 0
        for window in self.windows():
            model = Fragments()
            model.begin(int(window[0][2], 16))
            for kind, at, to, *rest in window[1:]:
                more = dict(word.split("=") for word in rest)
                branch = reference.Branch(kind.rstrip("+-"), int(at, 16), int(to, 16), kind != "jcc-")
                branch.after = int(more["after"], 16) if "after" in more else branch.at + 4
                model.step(branch)
            expected.update(entry.key() for entry in model.complete())
            stack = ["0x%s/0x%s/P/-/-/%d/%s/-" % (at, to, 3, "COND") for kind, at, to, *_ in window if kind in FLAGS]
            lines.append("tours  7842/7842   401136  " + "  ".join(reversed(stack)))
        self.assertGreater(len(expected), 20)
        self.write("stacks.txt", lines)
        told, said = self.told("stacks.txt", "--stack=64")
        self.assertIn("%d samples of the last branches" % (len(lines) - len(list(self.mappings()))), said)
        found = {(int(path["start"], 16), len(path["outcomes"].replace("-", "")),
                  sum(int(bit) << i for i, bit in enumerate(path["outcomes"].replace("-", "")))): path["count"]
                 for path in told["hot_paths"]}
        self.assertEqual(found, dict(expected))

    def test_mispredictions_are_those_that_were_recorded(self):
        window = next(self.windows())
        stack = ["0x%s/0x%s/%s/-/-/1" % (at, to, "M" if i % 4 == 0 else "P")
                 for i, (kind, at, to, *_) in enumerate(word for word in window if word[0] in FLAGS)]
        self.write("one.txt", list(self.mappings()) + ["tours 7842 " + " ".join(reversed(stack))])
        told, _ = self.told("one.txt", "--event=mispredictions")
        self.assertGreater(sum(path["weight"] for path in told["hot_paths"]), 0)

    def wrong(self, lines):
        self.write("wrong.txt", lines)
        ran = self.run_words([self.waymark, "hpp", "--read=wrong.txt"])
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)
        return ran.stderr.decode()

    def test_wrong_texts(self):
        branch = "tours 1/1 branches: call 401000 => 401010"
        self.assertIn("it names no files; use perf script --show-mmap-events", self.wrong([branch]))
        self.assertIn("wrong.txt:1: no address before '=>'", self.wrong(["tours 1/1 call main => 401010"]))
        self.assertIn("wrong.txt:1: no address behind '=>'", self.wrong(["tours 1/1 call 401000 => main"]))
        self.assertIn("wrong.txt:1: a mapping without", self.wrong(["PERF_RECORD_MMAP2 1/1: 401000 r-xp /bin/true"]))
        self.assertIn("wrong.txt: no branches in it", self.wrong(list(self.mappings())))
        gone = [line.replace(self.program, "/gone") for line in self.mappings()]
        self.assertIn("none of the files that it names holds the code that ran", self.wrong(gone + [branch] * 3))


if __name__ == "__main__":
    tool.cases.main("__main__")
