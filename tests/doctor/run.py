#!/usr/bin/env python3
"""What waymark doctor says of the place where programs run, and of the newest profile there.

usage: run.py --waymark=PATH [unittest arguments]
"""
import os
import re
import resource
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, os.path.join(HERE, "..", "merge"))

import cases
import wmk


class Doctor(cases.Case):
    def consult(self, directory=None, **keywords):
        """What it says, by what it speaks of: [(verdict, text)]."""
        done = subprocess.run([self.waymark, "doctor"], cwd=directory or self.directory, text=True,
                              capture_output=True, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = {}
        for line in done.stdout.splitlines():
            verdict, text = line.split(None, 1)
            topic, text = text.split(": ", 1)
            table.setdefault(topic, []).append((verdict, text))
        return table

    def assert_verdict(self, said, verdict, *fragments):
        self.assertEqual(said[0], verdict, said)
        for fragment in fragments:
            self.assertIn(fragment, said[1])

    def test_good_place(self):
        table = self.consult()
        self.assert_verdict(table["working directory"][0], "ok", "MiB free")
        self.assert_verdict(table["profile"][0], "ok", "no .wmk file")
        self.assertEqual(os.listdir(self.directory), [])

    SOURCES = ("task-clock", "page-faults", "breakpoints", "tracepoints", "core PMU", "rdpmc")

    def assert_sources(self, table):
        for name in self.SOURCES:
            (verdict, text), = table[name]
            self.assertRegex(text, r"\A(works: |works, but only as root: |only as root: |not here: )\S")
            self.assertEqual(verdict, "ok" if text.startswith("works") else "warn", (name, text))

    def test_sources_of_time_and_events(self):
        """perf itself, where it is there, opens those that work, and no others."""
        table = self.consult()
        self.assert_sources(table)
        perf = shutil.which("perf")
        for name, event in (("task-clock", "task-clock"), ("page-faults", "page-faults"), ("core PMU", "instructions:u")):
            done = perf and subprocess.run([perf, "stat", "-x;", "-e", event, "true"], capture_output=True, text=True)
            if done and done.returncode == 0:
                counted = re.match(r"[0-9.]+;", done.stderr.splitlines()[-1]) is not None
                self.assertEqual(table[name][0][0] == "ok", counted, (name, done.stderr))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_sources_of_another_user(self):
        os.chmod(self.directory, 0o755)
        root = self.consult()
        try:
            other = self.consult("/", user=65534, group=65534, extra_groups=[])
        except PermissionError:
            self.skipTest("another user cannot run waymark here")
        self.assert_sources(other)
        for name in self.SOURCES:
            if other[name][0][1].startswith("only as root"):
                self.assertRegex(root[name][0][1], r"\A(works, but only as root|not here): ")
            elif other[name][0][0] == "ok":
                self.assertRegex(root[name][0][1], r"\Aworks: ")

    def test_place_where_nothing_can_be_written(self):
        table = self.consult("/proc")
        self.assert_verdict(table["working directory"][0], "warn", "no file can be made",
                            "WAYMARK_FILE")

    def test_limit_on_file_sizes(self):
        self.assert_verdict(self.consult()["file size"][0], "ok")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
        table = self.consult(preexec_fn=limit)
        self.assert_verdict(table["file size"][0], "warn", "8,192", "ulimit")
        self.assert_verdict(table["working directory"][0], "warn", "space")
        self.assertEqual(os.listdir(self.directory), [])

    def put(self, name, profile, time):
        self.write(name, profile if isinstance(profile, bytes) else profile.encode())
        os.utime(self.path(name), (time, time))

    def test_newest_profile(self):
        self.put("old.wmk", b"damaged", 1000)
        self.put("new.wmk", wmk.simple([1], 5), 2000)
        table = self.consult()
        self.assertEqual(len(table["profile"]), 1)
        self.assert_verdict(table["profile"][0], "ok", "new.wmk", "5 runs", "0 processes counting")

    def test_profile_with_a_history(self):
        start = wmk.start_of(os.getpid())
        blocks = [wmk.totals([1], 5, cut_short=1), wmk.totals([0], 0), wmk.Block([1], ended=0),
                  wmk.Block([1], ended=0, runs=0, status=1),
                  wmk.Block([1], process=os.getpid(), start=start, ended=0)]
        self.put("a.wmk", wmk.Profile(blocks), 1000)
        said = self.consult()["profile"]
        self.assertEqual(len(said), 3)
        self.assert_verdict(said[0], "ok", "7 runs", "1 process counting", "1 ended")
        self.assert_verdict(said[1], "warn", "3 threads were cut short")
        self.assert_verdict(said[2], "warn", "threads_in_memory")

    def test_profile_that_cannot_be_read(self):
        self.put("a.wmk", wmk.simple([1]).encode()[:-1], 1000)
        self.assert_verdict(self.consult()["profile"][0], "warn", "a.wmk", "truncated")


if __name__ == "__main__":
    cases.main("__main__")
