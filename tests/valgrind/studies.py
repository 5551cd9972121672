#!/usr/bin/env python3
"""Studies and exports of `waymark hpp`: what adds up, and what readers of others make of them.

usage: studies.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import json_schemas
from tool import Case, cases


class Studies(Case):
    def study(self, *words):
        """Standard output of a study of the program `jumps`; with --json it is there, else on error."""
        ran = self.run_words([self.waymark, "hpp", *words])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran

    def test_figures(self):
        program = self.build("bare", "-O2", "-nostdlib", "-static", "-no-pie", "-fcf-protection=none",
                             "-fno-stack-protector")
        ran = self.run_words([self.waymark, "hpp", "--json", "--figures", program])
        told = json.loads(ran.stdout)
        json_schemas.read_schema("hpp-figures").validate(told)
        _, plain = self.profile(program, options=["--model=thesis"])
        for key in ("instructions", "branches", "paths", "distinct_paths", "service"):
            self.assertEqual(told[key], plain[key], key)
        row = next(row for row in told["overlaps"] if row["table"].startswith("512x4") and row["metric"] == "frequency")
        self.assertAlmostEqual(row["complete"], 100 * plain["table"]["overlap"], 6)
        lengths = [row["instructions"] for row in told["lengths"]]
        self.assertEqual(lengths, sorted(lengths))
        self.assertAlmostEqual(lengths[-1], 100)
        for row in told["queue"]:
            self.assertGreaterEqual(row["overhead"], 0)

    def test_sweeps(self):
        for sweep, key, count in (("plackett-burman", "effects", 18), ("factorial", "tables", 576)):
            ran = self.run_words([self.waymark, "hpp", "--json", "--sweep=" + sweep, "/bin/true"])
            told = json.loads(ran.stdout)
            json_schemas.read_schema("hpp-sweep").validate(told)
            self.assertEqual(len(told[key]), count)
        tables = {row["table"]: row["complete"] for row in told["tables"]}
        _, plain = self.profile("/bin/true")
        self.assertAlmostEqual(tables["512x4:fold:lfu"], 100 * plain["table"]["overlap"], 6)
        _, best = self.profile("/bin/true", options=["--table=1024x8:xor:admit"])
        self.assertAlmostEqual(tables["1024x8:xor:admit"], 100 * best["table"]["overlap"], 6)

    def test_phases_and_vectors(self):
        _, told = self.profile("/bin/true")
        shown = self.study("--phases", "--window=10000", "/bin/true").stderr.decode()
        self.assertRegex(shown, r"\A\d+ windows of 10,000 instructions")
        for kind in ("simpoint", "simpoint-blocks"):
            self.study("--export=" + kind, "--to-file=vectors", "--window=10000", "/bin/true")
            lines = self.read("vectors").decode().splitlines()
            self.assertTrue(all(re.fullmatch(r"T(:\d+:\d+ )*", line) for line in lines))
            total = sum(int(count) for line in lines for count in re.findall(r":\d+:(\d+) ", line))
            self.assertLess(abs(total - told["instructions"]), 12000)

    def test_branches_read_again(self):
        """The text of a run is the run: the same paths, but for the names of places."""
        program = self.build("jumps", "-O1", "-static")
        _, plain = self.profile(program)
        self.study("--export=branches", "--to-file=run.branches", program)
        told = json.loads(self.study("--json", "--top=1000000", "--read=run.branches").stdout)
        key = lambda path: (path["start"], path["outcomes"])
        self.assertEqual({key(path): path["count"] for path in plain["hot_paths"]},
                         {key(path): path["count"] for path in told["hot_paths"]})
        self.assertEqual(plain["stack"], told["stack"])

    def test_sequence_of_paths(self):
        _, plain = self.profile("/bin/true", options=["--paths=whole"])
        self.study("--export=paths", "--paths=whole", "--to-file=sequence", "/bin/true")
        self.assertEqual(len(self.read("sequence").splitlines()), plain["paths"])

    def test_callgrind_and_collapsed(self):
        program = self.build("jumps", "-O1")
        _, plain = self.profile(program, options=["--overflow=spill"])
        self.study("--read=run.wmh", "--export=callgrind", "--to-file=costs")
        shown = self.run_words(["callgrind_annotate", self.path("costs")]).stdout.decode()
        self.assertEqual(self.number(r"([\d,]+) \(100\.0%\) +PROGRAM TOTALS", shown), plain["instructions"])
        text = self.read("costs").decode()
        self.assertEqual(sum(int(count) for count in re.findall(r"^\d+ (\d+)$", text, re.M)), plain["instructions"])
        # Lines of depth(): as callgrind itself counts them.
        self.valgrind("callgrind", "--compress-strings=no", "--compress-pos=no",
                      "--separate-recs=1", "--callgrind-out-file=" + self.path("theirs"), program)
        ours = self.lines_of("costs", "depth")
        self.assertGreater(len(ours), 1)
        self.assertEqual(ours, self.lines_of("theirs", "depth"))
        out = self.study("--read=run.wmh", "--export=collapsed").stdout.decode()
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines()), plain["instructions"])

    def lines_of(self, name, function):
        """Self cost of a function's lines in a file of callgrind's format, not compressed."""
        costs, inside, called = {}, False, False
        for text in self.read(name).decode().splitlines():
            words = text.split()
            if text.startswith("fn="):
                inside = text == "fn=" + function
            elif text.startswith("calls="):
                called = True
            elif len(words) == 2 and words[0].isdigit() and words[1].isdigit():
                if inside and not called:
                    costs[int(words[0])] = costs.get(int(words[0]), 0) + int(words[1])
                called = False
        return costs

    def test_superblocks(self):
        """The same counts of edges, but in one run the routes go together, in the other they cross."""
        program = self.build("diamond", "-O1", "-no-pie")
        for words in ([program], [program, "together"]):
            ran = self.study("-o", "run.wmh", "--superblocks", "--top=30", "--completion=1%", *words)
            os.remove(self.path("run.wmh"))
            rows = [line for line in ran.stderr.decode().splitlines() if " route" in line]
            self.assertTrue(rows, ran.stderr)
            self.assertRegex(rows[0], r"^ *[\d.]+% +\d+\.\d% +\d+- *\d+%")

    def test_bolt(self):
        bolt = shutil.which("llvm-bolt-19") or shutil.which("llvm-bolt")
        if not bolt:
            self.skipTest("no llvm-bolt")
        program = self.build("jumps", "-O2", "-Wl,--emit-relocs")
        plain = self.run_words([program])
        self.study("--export=bolt", "--to-file=edges", program)
        self.assertRegex(self.read("edges").decode(), r"(?m)^B [0-9a-f]+ [0-9a-f]+ \d+ \d+$")
        self.assertRegex(self.read("edges").decode(), r"(?m)^F [0-9a-f]+ [0-9a-f]+ \d+$")
        ran = self.run_words([bolt, program, "-o", self.path("laid-out"), "-p", self.path("edges"), "-pa",
                              "-reorder-blocks=ext-tsp"])
        said = (ran.stdout + ran.stderr).decode()
        self.assertEqual(ran.returncode, 0, said)
        self.assertRegex(said, r"[1-9]\d* out of \d+ functions in the binary .* have non-empty execution profile")
        self.assertEqual(self.run_words([self.path("laid-out")]).stdout, plain.stdout)

    def test_more_paths_than_are_kept(self):
        """Beyond the limit a table of fixed size takes their place, and the report says so."""
        _, told = self.profile("/bin/true", options=["--limit=100"])
        _, whole = self.profile("/bin/true")
        self.assertEqual(told["distinct_paths"], 100)
        self.assertEqual(sum(path["count"] for path in told["hot_paths"]) + told["beyond_limit"], told["paths"])
        self.assertEqual(told["paths"], whole["paths"])
        shown = self.study("--limit=100", "-o", "few.wmh", "/bin/true").stderr.decode()
        self.assertIn("At least: ", shown)

    def test_compare(self):
        program = self.build("diamond", "-O1")
        self.profile(program)
        os.rename(self.path("run.wmh"), self.path("old.wmh"))
        self.profile(program, "together")
        shown = self.study("--read=run.wmh", "--compare=run.wmh").stdout.decode()
        self.assertIn("100.0% overlap", shown)
        shown = self.study("--read=run.wmh", "--compare=old.wmh").stdout.decode()
        self.assertNotIn("100.0% overlap", shown)

    def test_order_is_needed(self):
        self.profile("/bin/true")
        ran = self.run_words([self.waymark, "hpp", "--figures", "--read=run.wmh"])
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"does not keep the order", ran.stderr)


if __name__ == "__main__":
    cases.main("__main__")
