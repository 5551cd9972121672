#!/usr/bin/env python3
"""`waymark report --threads`: what each thread did, and that all of it together is the whole.

What a thread does alone is measured in another process, in which no other thread works; the whole counts say
that, so nothing here believes the split itself.

usage: threads_report.py --waymark=PATH [unittest arguments]
"""
import json
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

# Threads of different works, given as arguments: `+N` starts a thread that does N, `=` waits for all.
PROGRAM = """#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) static void add(long n) { for (long i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) static void mix(long n) { for (long i = 0; i < n; i++) if (i % 3) sink ^= i; }
static void *work(void *words)
{
	long n = (long)(intptr_t)words;
	if (n % 2)
		add(n);
	else
		mix(n);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[64];
	int count = 0;
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '+')
			pthread_create(&threads[count++], NULL, work, (void *)(intptr_t)atol(argv[i] + 1));
		else if (argv[i][0] == '=')
			while (count > 0)
				pthread_join(threads[--count], NULL);
		else
			pause();
	}
	return 0;
}
"""
WORKS = [1001, 5000, 301, 20000]


class Threads(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("program.c", PROGRAM)

    def build(self, *words):
        self.succeed("cc", "-g", "-O1", *words, "program.c", "-o", "program", "-lpthread")

    def run_it(self, file, *words, apart=False):
        environment = {"WAYMARK_FILE": self.path(file)}
        if apart:
            environment["WAYMARK_THREADS"] = "1"
        self.assertEqual(self.execute("./program", *words, environment=environment), (0, "", ""))

    def split(self, file):
        """Its threads, and that they are all of the work."""
        report = json.loads(self.succeed("report", "--threads", "--json", file))
        self.assertEqual(sum(thread["instructions"] for thread in report["threads"]) + report["instructions_by_key"]
                         + report["instructions_of_earlier_runs"], report["instructions"])
        self.assertEqual([thread["instructions"] for thread in report["threads"]],
                         sorted((thread["instructions"] for thread in report["threads"]), reverse=True))
        return report

    def alone(self, work):
        """Instructions of a thread with this work, from the functions of a run without any other."""
        self.run_it("alone%d.wmk" % work, "+%d" % work, "=")
        report = json.loads(self.succeed("report", "--json", "alone%d.wmk" % work))
        return sum(function["instructions"] for function in report["functions"] if function["name"] != "main")

    def assert_split(self, expected, file):
        report = self.split(file)
        first, = (thread for thread in report["threads"] if thread["thread"] == thread["process"])
        others = [thread for thread in report["threads"] if thread is not first]
        self.assertEqual(first["hottest"], "main")
        self.assertEqual(sorted(thread["instructions"] for thread in others), sorted(expected))
        return others

    def test_threads_at_one_time(self):
        for words in ((), ("--profile=edges",), ("--profile=blocks",)):
            self.build(*words)
            os.path.exists(self.path("a.wmk")) and os.remove(self.path("a.wmk"))
            expected = [self.alone(work) for work in WORKS]
            for work in WORKS:
                os.remove(self.path("alone%d.wmk" % work))
            # All are there before the first is waited for, but a short one may be gone by then.
            self.run_it("a.wmk", *("+%d" % work for work in WORKS), "=", apart=True)
            others = self.assert_split(expected, "a.wmk")
            self.assertEqual({thread["threads_before"] for thread in others}, {0})
            self.assertTrue(all(thread["ended"] for thread in others))
            self.assertEqual({thread["hottest"] for thread in others}, {"add", "mix"})

    def test_threads_one_after_another(self):
        self.build()
        words = [word for work in WORKS for word in ("+%d" % work, "=")]
        expected = [self.alone(work) for work in WORKS]
        self.run_it("apart.wmk", *words, apart=True)
        self.assert_split(expected, "apart.wmk")
        self.run_it("shared.wmk", *words)
        others = [thread for thread in self.split("shared.wmk")["threads"] if thread["thread"] != thread["process"]]
        self.assertEqual(sum(thread["instructions"] for thread in others), sum(expected))
        self.assertEqual(sum(thread["threads_before"] + 1 for thread in others), len(WORKS))
        text = self.succeed("report", "--threads", "shared.wmk")
        # On a busy machine a thread may not be gone yet when the next one starts, which then gets a chunk of its own.
        if len(others) == 1:
            self.assertRegex(text, r"\n  \d+ and 3 before it +\d+\.\d%% +%s  " % format(sum(expected), ","))
        if len(others) < len(WORKS):
            self.assertIn("run with WAYMARK_THREADS=1 to keep them apart\n", text)
        self.assertNotIn("WAYMARK_THREADS", self.succeed("report", "--threads", "apart.wmk"))

    def test_earlier_runs_are_one_sum(self):
        self.build()
        self.run_it("a.wmk", "+5000", "=")
        before = self.split("a.wmk")
        self.run_it("a.wmk", "+301", "=")
        after = self.split("a.wmk")
        self.assertEqual(after["instructions_of_earlier_runs"], before["instructions"])
        self.assert_split([self.alone(301)], "a.wmk")
        self.assertIn("of the work is of earlier runs", self.succeed("report", "--threads", "a.wmk"))
        self.assert_one_line_refusal(["report", "--threads", "a.wmk", "alone301.wmk"], "--threads is of one file")

    def test_threads_of_a_process_that_was_killed(self):
        self.build()
        child = subprocess.Popen([self.path("program"), "+5000", "=", "+20000", "=", "wait"], cwd=self.directory,
                                 env=dict(os.environ, WAYMARK_FILE=self.path("a.wmk"), WAYMARK_THREADS="1"))
        expected = [self.alone(5000), self.alone(20000)]
        try:
            self.wait_for(lambda: os.path.exists(self.path("a.wmk")) and len(self.split("a.wmk")["threads"]) == 3 and all(
                thread["ended"] or thread["thread"] == thread["process"] for thread in self.split("a.wmk")["threads"]))
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.assert_split(expected, "a.wmk")

    def wait_for(self, condition):
        import time
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        self.fail("the program did not come so far")

    def test_counts_by_key_are_of_no_thread(self):
        """Where paths are as many as keys, the table is of the process."""
        branches = "".join("\tif (x & %du) sink += %d;\n" % (1 << bit, bit) for bit in range(20))
        self.write("program.c", PROGRAM.replace("static void *work", "__attribute__((noinline)) static void many(unsigned x)\n"
                                                "{\n%s}\nstatic void *work" % branches).replace("\t\tadd(n);", "{\tadd(n); many(n); }"))
        self.build("--paths=classic")
        self.run_it("a.wmk", "+1001", "+301", "=", apart=True)
        report = self.split("a.wmk")
        if report["instructions_by_key"]:
            self.assertIn("--profile=edges keeps them apart", self.succeed("report", "--threads", "a.wmk"))
        functions = {f["name"]: f["instructions"] for f in json.loads(self.succeed("report", "--json", "a.wmk"))["functions"]}
        self.assertIn(report["instructions_by_key"], (0, functions["many"]))

    def test_a_reset_is_told(self):
        self.build()
        child = subprocess.Popen([self.path("program"), "+5000", "=", "wait"], cwd=self.directory,
                                 env=dict(os.environ, WAYMARK_FILE=self.path("a.wmk")))
        try:
            self.wait_for(lambda: os.path.exists(self.path("a.wmk")) and len(self.split("a.wmk")["threads"]) == 2 and all(
                thread["ended"] or thread["thread"] == thread["process"] for thread in self.split("a.wmk")["threads"]))
            self.succeed("ctl", str(child.pid), "reset")
            text = self.succeed("report", "--threads", "a.wmk")
        finally:
            child.kill()
            child.wait()
        self.assertIn("counts were reset meanwhile", text)


if __name__ == "__main__":
    cases.main("__main__")
