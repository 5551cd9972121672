#!/usr/bin/env python3
"""Stores of runs: what `waymark run` adds, what is added at the same time, and what is refused.

usage: run.py --waymark=PATH [unittest arguments]

Sums are compared with those of `waymark merge` over the same profiles, and with counts by hand.
"""
import glob
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import programs

sys.dont_write_bytecode = True


class Store(programs.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))
        self.environment = dict(os.environ, TMPDIR=self.path("tmp"))
        for name in "WAYMARK_STORE", "WAYMARK_LABEL", "WAYMARK_FILE", "WAYMARK_HOST":
            self.environment.pop(name, None)

    def start(self, *words, **more):
        return subprocess.Popen([self.waymark, *words], cwd=self.directory, text=True, env=self.environment | more,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def do(self, *words, status=0, err="", **more):
        process = self.start(*words, **more)
        out, told = process.communicate(timeout=300)
        self.assertEqual((process.returncode, told.replace(self.directory, "DIR")), (status, err), words)
        return out

    def refuse(self, *words, status=1, **more):
        """Returns the one line."""
        process = self.start(*words, **more)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, out), (status, ""), (words, err))
        self.assertRegex(err, r"\Awaymark: [^\n]+\n\Z")
        return err[len("waymark: "):-1].replace(self.directory, "DIR")

    def query(self, text, store="s.db"):
        connection = sqlite3.connect(self.path(store))
        try:
            return connection.execute(text).fetchall()
        finally:
            connection.close()

    def report(self, *words):
        return json.loads(self.do("report", "--json", *words))

    def labels(self, *words):
        return json.loads(self.do("store", "ls", *words, "--json"))["labels"]


class Run(Store):
    """`waymark run`: the command notices nothing, and its counts and outcome are kept."""

    def test_outcomes_are_kept_and_forwarded(self):
        self.build_price()
        self.do("run", "--store=s.db", "--label=good", "--", "./price", "11")
        self.do("run", "--store=s.db", "--label=bad", "--", "./price", "11", "fail", status=3)
        self.do("run", "--store=s.db", "--label=killed", "--", "./price", "11", "kill", status=-signal.SIGKILL)
        self.assertEqual(self.query("SELECT label, outcome, kind, executions FROM run ORDER BY id"),
                         [("good", "pass", "test", 1), ("bad", "fail:3", "test", 1),
                          ("killed", "signal:9", "test", 1)])
        self.assertEqual([(row["label"], row["runs"], row["failed"]) for row in self.labels("s.db")],
                         [("bad", 1, 1), ("good", 1, 0), ("killed", 1, 1)])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_streams_are_those_of_the_command(self):
        process = self.start("run", "--store=s.db", "--", "sh", "-c", "cat; echo told >&2; exit 5")
        out, err = process.communicate("words\n")
        self.assertEqual((process.returncode, out), (5, "words\n"))
        self.assertEqual(err, "told\nwaymark: warning: run: 'sh' ran no program built with waymark cc: "
                              "nothing was added\n")

    def test_command_that_is_not_there(self):
        process = self.start("run", "--store=s.db", "--", "./nothing")
        self.assertIn("cannot run './nothing': No such file", process.communicate()[1])
        self.assertEqual(process.returncode, 127)

    def test_signals_are_forwarded(self):
        self.build_price()
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGUSR1:
            process = self.start("run", "--store=s.db", "--label=s%d" % number, "--", "./price", "10", "wait")
            self.wait_for_output(process)
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
        self.assertEqual([row[0] for row in self.query("SELECT outcome FROM run ORDER BY id")],
                         ["signal:%d" % number for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)])
        self.do("store", "export", "s.db", "-o", "o.wmk")
        self.assertEqual(self.paths_of(self.report("o.wmk"), "price"), [3])

    def wait_for_output(self, process):
        """The program's output is no terminal: it comes at the end; its counter is the sign."""
        for _ in range(600):
            for path in glob.glob(self.path("tmp/*/*/*.wmk")):
                if json.loads(self.try_report(path) or "{}").get("functions"):
                    time.sleep(0.1)
                    return
            time.sleep(0.05)
        self.fail("the program did not start")

    def try_report(self, path):
        out = subprocess.run([self.waymark, "report", "--json", path], capture_output=True, text=True,
                             env=self.environment, cwd=self.directory)
        return out.stdout if out.returncode == 0 and '"price"' in out.stdout else None

    def test_labels_and_places_have_defaults(self):
        self.build_price()
        os.mkdir(self.path("below"))
        self.do("run", "--", "./price", "10")
        self.do("run", "--", "./price", "01", WAYMARK_LABEL="chosen")
        self.do("run", "--", "./price", "01", WAYMARK_STORE=self.path("other.db"))
        process = subprocess.run([self.waymark, "run", "--", "../price", "00"], cwd=self.path("below"),
                                 env=self.environment)
        self.assertEqual(process.returncode, 0)
        self.assertEqual([row[0] for row in self.query("SELECT label FROM run ORDER BY id", "waymark.db")],
                         ["price 10", "chosen", "price 00"])
        self.assertEqual(len(self.query("SELECT label FROM run", "other.db")), 1)

    def test_odd_labels(self):
        self.build_price()
        odd = {"a\nb": "a\\x0ab", "grün 'x'; DROP TABLE run;--": "grün 'x'; DROP TABLE run;--",
               "back\\slash": "back\\\\slash", "*": "*", os.fsdecode(b"\xff\xc0\x80"): "\\xff\\xc0\\x80",
               "x" * 3000: "x" * 3000}
        for label in odd:
            self.do("run", "--store=s.db", "--label=" + label, "--", "./price")
        self.assertEqual([row[0] for row in self.query("SELECT label FROM run ORDER BY id")], list(odd.values()))
        self.assertEqual(self.refuse("run", "--store=s.db", "--label=", "--", "./price", status=2),
                         "run: --label= is empty: name the test")

    def test_run_that_was_killed_itself_is_not_lost(self):
        """As by a test runner that kills all of a test when its time is over."""
        self.build_price()
        process = self.start("run", "--store=s.db", "--label=late", "--", "./price", "11", "wait")
        self.wait_for_output(process)
        process.kill()
        process.wait()
        for stream in process.stdin, process.stdout, process.stderr:
            stream.close()  # the program holds the other ends
        self.assertEqual(self.do("store", "ls", "s.db", "--json", status=1,
                                 err="waymark: there is no store 's.db'; `waymark run --store=s.db -- COMMAND` "
                                     "makes it\n"), "")
        self.do("run", "--store=s.db", "--label=next", "--", "./price", "00")
        self.assertEqual([row["label"] for row in self.labels("s.db")], ["next"])  # the program still runs
        for pid in self.processes("./price"):
            os.kill(pid, signal.SIGKILL)
        for _ in range(100):
            if len(self.labels("s.db")) == 2:
                break
            time.sleep(0.05)
        self.assertEqual([(row["label"], row["outcome"]) for row in self.labels("s.db")],
                         [("late", "unknown"), ("next", "pass")])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def processes(self, word):
        for folder in glob.glob("/proc/[0-9]*"):
            try:
                with open(folder + "/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                if words[0] == word.encode() and os.readlink(folder + "/cwd") == self.directory:
                    yield int(os.path.basename(folder))
            except OSError:
                pass

    def test_store_that_cannot_be_written_loses_nothing(self):
        self.build_price()
        process = self.start("run", "--store=no/s.db", "--label=kept", "--", "./price", "11")
        err = process.communicate()[1]
        self.assertEqual(process.returncode, 0)
        self.assertRegex(err, r"\Awaymark: warning: run: cannot use the store 'no/s.db': [^\n]*; the run is kept "
                              r"in '[^\n]*', and added by the next command that can\n\Z")
        os.mkdir(self.path("no"))
        self.do("run", "--store=no/s.db", "--label=next", "--", "./price", "00")
        self.assertEqual(sorted(row["label"] for row in self.labels("no/s.db")), ["kept", "next"])


class Many(Store):
    def test_64_writers_at_once(self):
        """Every one makes the store if it is the first; none is lost, none is there twice."""
        self.build_price()
        jobs = [self.start("run", "--store=s.db", "--label=t%d" % i, "--", "./price", *["11"] * i)
                for i in range(64)]
        for job in jobs:
            self.assertEqual((job.communicate(timeout=300)[1], job.returncode), ("", 0))
        self.assertEqual(sorted(row[0] for row in self.query("SELECT label FROM run")),
                         sorted("t%d" % i for i in range(64)))
        self.do("store", "export", "s.db", "-o", "o.wmk")
        self.assertEqual(self.paths_of(self.report("o.wmk"), "price"), [64 * 63 // 2])
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_killed_suite(self):
        """A fifth of the tests is killed at random: whatever ran before is there."""
        self.build_price()
        chance = random.Random(33)
        expected = {}
        for i in range(30):
            words = [chance.choice(["00", "01", "10", "11"]) for _ in range(5)]
            killed = chance.random() < 0.2
            stop = chance.randrange(6) if killed else 5
            for word in words[:stop]:
                expected[word] = expected.get(word, 0) + 1
            words[stop:] = ["kill"] if killed else []
            self.do("run", "--store=s.db", "--label=t%d" % i, "--", "./price", *words,
                    status=-signal.SIGKILL if killed else 0)
        self.do("store", "export", "s.db", "-o", "o.wmk")
        self.assertEqual(self.paths_of(self.report("o.wmk"), "price"), sorted(expected.values(), reverse=True))


class Watch(Store):
    def test_new_paths_are_told_once(self):
        self.build_price()
        self.do("run", "--store=s.db", "--label=test", "--", "./price", "11")
        os.mkdir(self.path("field"))
        grown = {"WAYMARK_FILE": self.path("field/one.wmk")}
        self.execute("./price", "11", "00", environment=grown)
        def look():
            lines = [json.loads(line) for line in self.do("watch", "field", "--store=s.db", "--once").splitlines()]
            return [(line["part"], line["count"]) for line in lines if line["function"] == "price"]
        self.assertEqual(look(), [("path", 1)])
        self.assertEqual(look(), [])
        self.execute("./price", "00", "10", "10", environment=grown)
        self.assertEqual(look(), [("path", 2)])
        rows = self.query("SELECT t.kind, t.count, t.runs FROM total t, function f WHERE f.id = t.function AND"
                          " f.name = 'price' ORDER BY 1, 2, 3")
        self.assertEqual(rows, [("field", 1, 1), ("field", 2, 1), ("field", 2, 2), ("test", 1, 1)])

    def test_running_program_is_followed(self):
        self.build_price()
        os.mkdir(self.path("field"))
        program = subprocess.Popen([self.path("price"), "10", "wait"], stdout=subprocess.DEVNULL,
                                   env=self.environment | {"WAYMARK_FILE": self.path("field/p.wmk")})
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        watcher = self.start("watch", "field", "--store=s.db", "--every=1")
        line = watcher.stdout.readline()
        while '"price"' not in line:
            line = watcher.stdout.readline()
        self.assertEqual(json.loads(line)["count"], 1)
        watcher.terminate()
        self.assertEqual((watcher.communicate(timeout=60)[1], watcher.returncode), ("", 0))
        self.assertRegex(self.refuse("watch", "nowhere"), "'nowhere' is no directory")
        self.assertRegex(self.refuse("watch", status=2), "name the directory")


class Add(Store):
    def make_profiles(self, count=4):
        self.build_price()
        chance = random.Random(1)
        for i in range(count):
            words = [chance.choice(["00", "01", "10", "11"]) for _ in range(1 + i)]
            status, _, _ = self.execute("./price", *words, environment={"WAYMARK_FILE": self.path("p%d.wmk" % i)})
            self.assertEqual(status, 0)
        return ["p%d.wmk" % i for i in range(count)]

    def test_sums_are_those_of_merge(self):
        files = self.make_profiles(8)
        self.assertEqual(self.do("store", "add", "s.db", *files), "added 8 profiles to s.db\n")
        self.do("merge", "-o", "merged.wmk", *files)
        self.do("store", "export", "s.db", "-o", "exported.wmk")
        one, other = self.report("merged.wmk"), self.report("exported.wmk")
        self.assertEqual(one["functions"], other["functions"])
        self.assertEqual(one["runs"], other["runs"])

    def test_program_is_not_needed_later(self):
        files = self.make_profiles(2)
        before = self.report("p0.wmk")["functions"]
        self.do("store", "add", "s.db", *files)
        for name in files + ["price", "price.c"]:
            os.remove(self.path(name))
        self.do("store", "export", "s.db", "-o", "o.wmk", "--label=p0", XDG_CACHE_HOME=self.path("none"))
        after = self.report("o.wmk")["functions"]
        self.assertEqual([each["paths"] for each in before], [each["paths"] for each in after])

    def test_twice_is_once(self):
        self.make_profiles(2)
        self.do("store", "add", "s.db", "p0.wmk")
        warning = "waymark: warning: 1 profile was in the store already, such as %s\n"
        self.assertEqual(self.do("store", "add", "s.db", "p0.wmk", err=warning % "p0.wmk"),
                         "added 0 profiles to s.db\n")
        self.write("copy.wmk", self.read("p0.wmk"))
        self.do("store", "add", "s.db", "copy.wmk", err=warning % "copy.wmk")
        self.assertEqual(len(self.query("SELECT * FROM run")), 1)

    def test_equal_counts_are_two_runs(self):
        self.build_price()
        for name in "a", "b":
            self.execute("./price", "11", environment={"WAYMARK_FILE": self.path(name + ".wmk")})
        self.do("store", "add", "s.db", "a.wmk", "b.wmk")
        self.do("store", "export", "s.db", "-o", "o.wmk")
        self.assertEqual(self.paths_of(self.report("o.wmk"), "price"), [2])

    def test_file_that_grew_counts_once(self):
        self.build_price()
        grown = {"WAYMARK_FILE": self.path("a.wmk")}
        self.execute("./price", "11", "00", environment=grown)
        self.do("store", "add", "s.db", "a.wmk")
        self.execute("./price", "11", environment=grown)
        self.execute("./price", "11", environment=grown)
        self.assertEqual(self.do("store", "add", "s.db", "a.wmk"),
                         "added 0 profiles to s.db, and what 1 counted since\n")
        self.do("store", "export", "s.db", "-o", "o.wmk")
        report = self.report("o.wmk")
        self.assertEqual((self.paths_of(report, "price"), report["runs"]), ([3, 1], 3))

    def test_other_file_at_the_same_place(self):
        self.build_price()
        for words in ["11", "11", "11"], ["00"]:
            self.execute("./price", *words, environment={"WAYMARK_FILE": self.path("a.wmk")})
            self.do("store", "add", "s.db", "a.wmk")
            os.remove(self.path("a.wmk"))
        self.do("store", "export", "s.db", "-o", "o.wmk")
        self.assertEqual(self.paths_of(self.report("o.wmk"), "price"), [3, 1])

    def test_filters_and_removal(self):
        files = self.make_profiles(4)
        self.do("store", "add", "s.db", *files[:2], "--kind=field", "--outcome=fail:2")
        self.do("store", "add", "s.db", *files[2:])
        self.assertEqual([row["label"] for row in self.labels("s.db", "--kind=field")], ["p0", "p1"])
        self.assertEqual([row["label"] for row in self.labels("s.db", "--outcome=fail*")], ["p0", "p1"])
        self.assertEqual([row["label"] for row in self.labels("s.db", "--label=p[23]")], ["p2", "p3"])
        self.assertEqual(self.labels("s.db", "--before=2001-01-01"), [])
        self.assertEqual(self.do("store", "rm", "s.db", "--label=p[12]"), "removed 2 runs from s.db\n")
        self.assertEqual([row["label"] for row in self.labels("s.db")], ["p0", "p3"])
        self.assertEqual(self.query("SELECT count(*) FROM raw"), [(2,)])

    def test_merge_is_idempotent(self):
        files = self.make_profiles(6)
        self.do("store", "add", "a.db", *files[:4])
        self.do("store", "add", "b.db", *files[2:])
        self.assertEqual(self.do("store", "merge", "-o", "all.db", "a.db", "b.db"), "added 6 runs to all.db\n")
        self.assertEqual(self.do("store", "merge", "-o", "all.db", "b.db", "a.db"), "added 0 runs to all.db\n")
        self.do("merge", "-o", "merged.wmk", *files)
        self.do("store", "export", "all.db", "-o", "o.wmk")
        self.assertEqual(self.report("o.wmk")["functions"], self.report("merged.wmk")["functions"])


class BadInput(Store):
    def test_what_is_no_store(self):
        self.write("text.db", "this is a text, and no database of any kind\n" * 30)
        self.assertRegex(self.refuse("store", "ls", "text.db"), "text.db: not a store of Waymark, or damaged")
        connection = sqlite3.connect(self.path("other.db"))
        connection.execute("CREATE TABLE people(name)")
        connection.commit()
        connection.close()
        self.assertEqual(self.refuse("store", "ls", "other.db"),
                         "other.db: is a database, but no store of Waymark; name another place")
        self.write("empty.db", "")
        self.assertRegex(self.refuse("store", "ls", "empty.db"), "empty.db: is empty; `waymark run")
        self.assertRegex(self.refuse("store", "ls", "nothing.db"), "there is no store 'nothing.db'")
        self.assertFalse(os.path.exists(self.path("nothing.db")))
        self.assertRegex(self.refuse("store", "ls"), "there is no waymark.db here or above")

    def test_another_version(self):
        self.build_price()
        self.do("run", "--store=s.db", "--", "./price")
        connection = sqlite3.connect(self.path("s.db"))
        connection.execute("UPDATE waymark SET version = 9")
        connection.commit()
        connection.close()
        self.assertEqual(self.refuse("store", "ls", "s.db"),
                         "s.db: is a store of version 9, and this waymark uses version 1; make a new one")

    def test_damaged_contents(self):
        self.build_price()
        self.do("run", "--store=s.db", "--", "./price", "11")
        for column, table, value in (("counters", "raw", b"\x01"), ("counters", "raw", bytes(40)),
                                     ("record", "object", b"\x05" + bytes(12)), ("build_id", "object", b"")):
            self.write("d.db", self.read("s.db"))
            connection = sqlite3.connect(self.path("d.db"))
            connection.execute("UPDATE %s SET %s = ?" % (table, column), (value,))
            connection.commit()
            connection.close()
            if column == "record":  # such a program is one whose binary is asked for
                continue
            self.assertRegex(self.refuse("store", "export", "d.db", "-o", "o.wmk"),
                             "d.db: the store is damaged: .*; restore a copy, or make a new one")
            self.assertFalse(os.path.exists(self.path("o.wmk")))

    def test_full_disk(self):
        """A limit on the size of files stands for it: nothing is added, nothing is lost."""
        self.build_price()
        for i in range(3):
            self.do("run", "--store=s.db", "--label=t%d" % i, "--", "./price", "11")
        before = self.query("SELECT count(*) FROM run")
        script = 'ulimit -S -f 8; exec "$0" run --store=s.db --label=full -- ' \
                 'sh -c "ulimit -S -f unlimited; exec ./price 00 10 01"'
        process = subprocess.run(["sh", "-c", script, self.waymark], cwd=self.directory, env=self.environment,
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertRegex(process.stderr, "the run is kept in")
        self.assertEqual(self.query("SELECT count(*) FROM run"), before)
        self.assertEqual(sorted(row["label"] for row in self.labels("s.db")), ["full", "t0", "t1", "t2"])

    def test_wrong_words(self):
        self.assertRegex(self.refuse("store", status=2), "store: say what to do")
        self.assertRegex(self.refuse("store", "lss", status=2), "did you mean ls")
        self.assertRegex(self.refuse("store", "add", "s.db", status=2), "name the profiles")
        self.assertRegex(self.refuse("store", "rm", "s.db", status=2), "say which runs")
        self.assertRegex(self.refuse("store", "ls", "s.db", "--before=tomorrow", status=1), "no store|is no date")
        self.assertRegex(self.refuse("run", status=2), "name a command behind --")
        self.assertRegex(self.refuse("run", "--kind=fun", "--", "true", status=2), "neither test nor field")
        self.assertRegex(self.refuse("store", "add", "s.db", "no.wmk"), "cannot read 'no.wmk'")


if __name__ == "__main__":
    programs.cases.main("__main__")
