#!/usr/bin/env python3
"""Contexts through the life of processes: limits, forks, resets, pauses, runs that add up, and kills.

usage: contexts_life.py --waymark=PATH [--kills=N] [--runs=N]

Expected numbers are closed forms of the programs below.
"""
import argparse
import collections
import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LEVELS = 8
TREE = "static volatile int sum;\n__attribute__((noinline)) void f%d(void) { sum++; }\n" % LEVELS + "".join(
    "__attribute__((noinline)) void f%d(void) { f%d(); sum++; f%d(); sum++; }\n" % (level, level + 1, level + 1)
    for level in reversed(range(LEVELS))) + "int main(void) { f0(); return 0; }\n"
FORKS = """
#include <sys/wait.h>
#include <unistd.h>
static volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) leaf(); sum++; }
static void (*volatile indirect)(int) = work;
int main(void) {
	work(10); indirect(5);
	for (int i = 0; i < 20; i++) {
		int child = fork();
		work(100); indirect(7);
		if (!child) return 0;
		waitpid(child, 0, 0);
	}
	work(1); indirect(2);
	return 0;
}
"""
SIDE_BY_SIDE = """
#include <sys/wait.h>
#include <unistd.h>
static volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
static void (*volatile indirect)(void) = leaf;
__attribute__((noinline)) void work(int n) {
	for (int i = 0; i < 3; i++) fork();
	for (int i = 0; i < n; i++) { leaf(); indirect(); }
	while (wait(0) > 0) ;
}
int main(void) { leaf(); work(10000000); return 0; }
"""
PLAIN_BETWEEN = """
static volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
static void (*volatile indirect)(void) = leaf;
__attribute__((noinline)) void first(void) { indirect(); sum++; }
__attribute__((noinline)) void second(void) { indirect(); sum++; }
static void (*volatile a)(void) = first, (*volatile b)(void) = second;
__attribute__((noinline, no_profile_instrument_function)) void plain(void) { a(); b(); a(); sum++; }
int main(void) { plain(); return 0; }
"""
STEERED = """
#include <waymark.h>
static volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) leaf(); sum++; }
static void (*volatile indirect)(int) = work;
int main(void) {
	work(1000); indirect(1000); waymark_reset(); work(3); indirect(4); waymark_pause();
	work(1000); indirect(1000); waymark_resume(); work(20); indirect(30);
	return 0;
}
"""
LOOPS = """
static volatile int sum, times = 10;
__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) sum = i; }
__attribute__((noinline)) void twice(int n) { leaf(n); leaf(2 * n); }
static void (*volatile indirect)(int) = leaf;
int main(void) {
	leaf(3);
	for (int i = 0; i < times; i++) twice(i);
	twice(100); indirect(7);
	return 0;
}
"""
ENDLESS = """
#include <pthread.h>
static volatile int sum;
__attribute__((noinline)) void first(void) { sum++; }
__attribute__((noinline)) void second(void) { sum++; }
__attribute__((noinline)) void both(void) { first(); second(); }
static void (*volatile indirect)(void) = both;
static void *run(void *nothing) { for (;;) { both(); indirect(); } return nothing; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, run, 0); run(0); }
"""


class Life(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def call(self, *command, status=0):
        done = subprocess.run(command, cwd=self.directory.name, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, status, done.stdout.decode())
        return done.stdout.decode()

    def build(self, source, *options, status=0):
        with open(os.path.join(self.directory.name, "p.c"), "w") as file:
            file.write(source)
        return self.call(waymark, "cc", "-O2", "--file=p.wmk", *options, "-o", "p", "p.c", status=status)

    def tree(self):
        tree = json.loads(self.call(waymark, "tree", "--json", "p.wmk"))
        function = {context["id"]: context["function"] for context in tree["contexts"]}
        return function, tree["calls"]

    def entries(self):
        function, calls = self.tree()
        entries = collections.Counter()
        for call in calls:
            entries[function[call["target"]]] += call["count"]
        return dict(entries)

    def stores(self):
        """By function, in all its contexts together: every store of these programs is one that clang must keep."""
        stores = collections.Counter()
        for context in json.loads(self.call(waymark, "tree", "--json", "p.wmk"))["contexts"]:
            stores[context["function"]] += context["own"]["stores"]
        return dict(stores)

    def size(self):
        return os.stat(os.path.join(self.directory.name, "p.wmk")).st_size

    def test_all_contexts_are_told_apart(self):
        self.build(TREE, "--profile=context")
        self.call("./p")
        function, calls = self.tree()
        contexts = collections.Counter(function[call["target"]] for call in calls)
        self.assertEqual({call["count"] for call in calls}, {1})
        self.assertEqual(contexts, {"main": 1, **{"f%d" % level: 2**level for level in range(LEVELS + 1)}})

    def test_each_context_has_its_own_cost(self):
        self.build(LOOPS, "--profile=edges+context")
        self.call("./p")
        tree = json.loads(self.call(waymark, "tree", "--json", "p.wmk"))
        stores = sorted((context["function"], context["own"]["stores"]) for context in tree["contexts"])
        self.assertEqual(stores, [("leaf", 3), ("leaf", 7), ("leaf", 45), ("leaf", 90), ("leaf", 100), ("leaf", 200),
                                  ("main", 0), ("twice", 0), ("twice", 0)])

    def test_callbacks_are_called_by_who_called_plain_code(self):
        self.build(PLAIN_BETWEEN, "--profile=context")
        self.call("./p")
        function, calls = self.tree()
        function[0] = None
        made = sorted((function[call["source"]] or "", function[call["target"]], call["count"]) for call in calls)
        self.assertEqual(made, [("", "main", 1), ("first", "leaf", 2), ("main", "first", 2), ("main", "second", 1),
                                ("second", "leaf", 1)])

    def test_beyond_the_limit_counts_stay_exact(self):
        self.build(TREE, "--profile=edges+context", "--context-limit=20")
        self.call("./p")
        self.assertEqual(self.stores(), {"main": 0, **{"f%d" % level: 2 ** (level + 1) for level in range(LEVELS)},
                                         "f%d" % LEVELS: 2**LEVELS})
        function, calls = self.tree()
        self.assertEqual(self.entries(), {"main": 1, **{"f%d" % level: 2**level for level in range(LEVELS + 1)}})
        self.assertLess(len(calls), 100)
        self.assertIn("too many contexts", self.call(waymark, "tree", "--min=0.001%", "p.wmk"))

    def test_wrong_limits(self):
        for limit in ("0", "x", "12x", "99999999999"):
            said = self.build(TREE, "--profile=context", "--context-limit=" + limit, status=2)
            self.assertIn("is no number of records", said)
        self.assertIn("needs --profile=context", self.build(TREE, "--context-limit=5", status=2))

    def test_children_count_for_themselves(self):
        for profile in ("context", "edges+context"):
            self.build(FORKS, "--profile=" + profile)
            self.call("./p")
            self.assertEqual(self.entries(), {"main": 1, "work": 4 + 80, "leaf": 18 + 40 * 107}, profile)
            if profile == "edges+context":
                self.assertEqual(self.stores(), {"main": 0, "work": 84, "leaf": 18 + 40 * 107})
            os.remove(os.path.join(self.directory.name, "p.wmk"))

    def test_frames_of_children_count_beside_their_parents(self):
        self.build(SIDE_BY_SIDE, "--profile=edges+context")
        self.call("./p")
        leaves = 1 + 8 * 20000000
        self.assertEqual(self.entries(), {"main": 1, "work": 1, "leaf": leaves})
        self.assertEqual(self.stores()["leaf"], leaves)

    def test_reset_and_pause(self):
        self.build(STEERED, "--profile=edges+context")
        self.call("./p")
        self.assertEqual(self.stores(), {"main": 0, "work": 4, "leaf": 57})
        entries = self.entries()
        self.assertEqual((entries["work"], entries["leaf"]), (4, 57))

    def test_many_runs_do_not_grow_the_file(self):
        self.build(FORKS, "--profile=edges+context")
        for _ in range(3):
            self.call("./p")
        size = self.size()
        for _ in range(arguments.runs - 3):
            self.call("./p")
        self.assertEqual(self.size(), size)
        for counts in self.entries(), dict(self.stores(), main=arguments.runs):
            self.assertEqual(counts, {name: count * arguments.runs for name, count in (
                ("main", 1), ("work", 84), ("leaf", 18 + 40 * 107))})

    def test_killed_processes_leave_exact_trees(self):
        self.build(ENDLESS, "--profile=edges+context", "-pthread")
        random.seed(1)
        for killed in range(1, arguments.kills + 1):
            process = subprocess.Popen("./p", cwd=self.directory.name)
            time.sleep(random.random() * 0.05)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if not glob.glob(os.path.join(self.directory.name, "p.wmk")):
                continue
            entries = self.entries()
            calls = [entries.get(name, 0) for name in ("both", "first", "second")]
            # Each thread may have been killed between two calls.
            self.assertTrue(0 <= calls[0] - calls[1] <= 2 * killed, calls)
            self.assertTrue(0 <= calls[1] - calls[2] <= 2 * killed, calls)
            # Each thread may have been killed between a count and the store.
            self.assertTrue(abs(self.stores().get("first", 0) - calls[1]) <= 2 * killed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--runs", type=int, default=30)
    arguments, rest = parser.parse_known_args()
    waymark = os.path.abspath(arguments.waymark)
    unittest.main(argv=sys.argv[:1] + rest)
