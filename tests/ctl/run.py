#!/usr/bin/env python3
"""waymark ctl on processes that run, its files read back by code of the tests' own.

usage: run.py --waymark=PATH [unittest arguments]
"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, os.path.join(HERE, "..", "merge"))

import cases
import wmk

# Each line that it reads makes one thread of its own call step() a thousand times.
SERVER = """#include <pthread.h>
#include <stdio.h>
static int step(int n) { return n > 3 ? n - 1 : n; }
static void *work(void *unused) {
	volatile int x;
	for (int i = 0; i < 1000; i++) x = step(i);
	(void)x;
	return unused;
}
int main(void) {
	char line[100];
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
"""

# Four threads count until a line comes, then it prints how often they called step().
BUSY = """#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int stop;
static unsigned long calls[4];
__attribute__((noinline)) static void step(unsigned long *n) { ++*n; }
static void *work(void *mine) {
	while (!stop) step(mine);
	return NULL;
}
int main(void) {
	pthread_t threads[4];
	char line[100];
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, &calls[i]);
	puts("ready");
	fflush(stdout);
	(void)!fgets(line, sizeof line, stdin);
	stop = 1;
	for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
	printf("%lu\\n", calls[0] + calls[1] + calls[2] + calls[3]);
	return 0;
}
"""


class Processes(cases.Case):
    def build(self, text, *words):
        self.write("app.c", text)
        self.succeed("cc", "-O0", "-g", "--profile=edges", "--placement=redundant", *words, "app.c", "-o", "app", "-pthread")

    def start(self, *words, **environment):
        environment.setdefault("WAYMARK_FILE", self.path("app.wmk"))
        child = subprocess.Popen(words or ["./app"], cwd=self.directory, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True,
                                 env=dict(os.environ, **environment))
        self.addCleanup(self.end, child)
        self.assertEqual(child.stdout.readline(), "ready\n")
        self.settle(child)
        return child

    def settle(self, child):
        """Waits until the main thread sleeps: it does so only when it waits for a line."""
        for _ in range(2000):
            with open("/proc/%d/stat" % child.pid) as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "S":
                    return
            time.sleep(0.005)
        self.fail("process %d never waits" % child.pid)

    def end(self, child):
        if child.poll() is None:
            child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()

    def ask(self, child, times=1):
        for _ in range(times):
            child.stdin.write("go\n")
            child.stdin.flush()
            self.assertEqual(child.stdout.readline(), "done\n")
        self.settle(child)

    def profile(self, name="app.wmk"):
        return wmk.Profile.decode(self.read(name))

    def blocks_of(self, child, name="app.wmk"):
        return [block for block in self.profile(name).blocks[2:]
                if block.state == wmk.ACTIVE and block.process == child.pid]

    def counted(self, child):
        """Sum of all counters of all its blocks."""
        return sum(sum(block.counters) for block in self.blocks_of(child)) & wmk.MASK

    def ctl(self, child, *words):
        return self.succeed("ctl", str(child.pid), *words)

    def calls_of_step(self, name):
        text = self.succeed("report", "--functions", name)
        found = re.search(r"\n  step .*% +([0-9,]+) ", text)
        return int(found.group(1).replace(",", "")) if found else 0


class Server(Processes):
    def setUp(self):
        super().setUp()
        self.build(SERVER)

    def test_status(self):
        child = self.start()
        self.ask(child, 3)
        text = self.ctl(child, "status")
        blocks = self.blocks_of(child)
        self.assertEqual(len(blocks), 2)
        for words in (self.path("app.wmk"), self.path("app"), self.profile().build_id.hex(),
                      "threads     2, of which 1 ended\n", "chunks      2 of 4,096 bytes\n",
                      "increments  %s\n" % format(self.counted(child), ",")):
            self.assertIn(words, text)
        self.assertGreater(self.counted(child), 6000)

    def test_dump_holds_what_the_process_counted_and_nothing_else(self):
        earlier, other, child = self.start(), self.start(), self.start()
        self.ask(earlier, 5)
        earlier.communicate()
        self.ask(other, 7)
        self.ask(child, 2)
        before = self.read("app.wmk")
        text = self.ctl(child, "dump")
        name = "app-%d.wmk" % child.pid
        self.assertEqual(text, "wrote %s\n" % self.path(name))
        self.assertEqual(self.read("app.wmk"), before)
        dump = self.profile(name)
        self.assertEqual(len(dump.blocks), 2)
        columns = zip(*(block.counters for block in self.blocks_of(child)))
        self.assertEqual(dump.sum(), ([sum(column) for column in columns], 1))
        # Its main thread was in the middle of things.
        self.assertEqual(dump.blocks[dump.commit & 1].cut_short, 1)
        self.assertEqual(self.calls_of_step(name), 2000)
        self.assertEqual(self.calls_of_step("app.wmk"), 14000)

    def test_dump_again_replaces_the_first(self):
        child = self.start()
        for calls in (1000, 2000):
            self.ask(child)
            self.ctl(child, "dump", "-o", "mine.wmk")
            self.assertEqual(self.calls_of_step("mine.wmk"), calls)
        self.assertEqual(sorted(glob.glob(self.path("*.wmk*"))),
                         [self.path("app.wmk"), self.path("mine.wmk")])

    def test_dump_never_replaces_a_file_in_use(self):
        child = self.start()
        self.assert_one_line_refusal(["ctl", str(child.pid), "dump", "-o", "app.wmk"], "app.wmk",
                                     str(child.pid))
        self.assert_one_line_refusal(["ctl", str(child.pid), "dump", "-o", "app.c"], "app.c")

    def test_reset_forgets_what_was_counted_and_nothing_after(self):
        earlier, child = self.start(), self.start()
        self.ask(earlier, 5)
        earlier.communicate()
        self.ask(child, 3)
        self.assertEqual(self.calls_of_step("app.wmk"), 8000)
        self.assertEqual(self.ctl(child, "reset"), "reset %s\n" % self.path("app.wmk"))
        self.assertEqual(self.counted(child), 0)
        self.assertIn("increments  0\n", self.ctl(child, "status"))
        self.assertEqual(self.calls_of_step("app.wmk"), 5000)
        self.ask(child, 2)
        self.assertEqual(self.calls_of_step("app.wmk"), 7000)
        self.ctl(child, "reset")
        self.ask(child, 1)
        self.ctl(child, "dump", "-o", "mine.wmk")
        self.assertEqual(self.calls_of_step("mine.wmk"), 1000)
        child.communicate()
        self.assertEqual(self.calls_of_step("app.wmk"), 6000)
        # The next run folds what the dead have left: the sum stays.
        self.start().communicate()
        self.assertEqual(len([b for b in self.profile().blocks[2:] if b.process == child.pid]), 0)
        self.assertEqual(self.calls_of_step("app.wmk"), 6000)
        self.assertEqual(self.profile().sum()[1], 3)

    def test_reset_after_kill_in_between_leaves_the_file_good(self):
        """Whoever is killed while he appends leaves space behind the last block: it is used again."""
        child = self.start()
        self.ask(child, 1)
        with open(self.path("app.wmk"), "ab") as file:
            file.write(wmk.Block([123], process=child.pid).encode(wmk.stride_of(1)) + b"x" * 100)
        self.assertEqual(self.calls_of_step("app.wmk"), 1000)
        self.ctl(child, "reset")
        self.assertEqual(self.calls_of_step("app.wmk"), 0)
        self.assertEqual(self.counted(child), 0)

    def test_forked_child_is_another_process(self):
        self.build(SERVER.replace("char line[100];", "char line[100];\n\tif (fork() == 0) pause();")
                   .replace("#include <stdio.h>", "#include <stdio.h>\n#include <unistd.h>"))
        child = self.start()
        self.ask(child, 2)
        with open("/proc/%d/task/%d/children" % (child.pid, child.pid)) as file:
            second = int(file.read())
        self.addCleanup(os.kill, second, signal.SIGKILL)
        self.succeed("ctl", str(second), "reset")
        self.assertEqual(self.calls_of_step("app.wmk"), 2000)
        self.succeed("ctl", str(second), "dump", "-o", "second.wmk")
        self.assertEqual(self.calls_of_step("second.wmk"), 0)
        self.assertEqual(self.profile("second.wmk").sum()[0],
                         [0] * len(self.profile("second.wmk").blocks[0].counters))

    def test_deleted_file(self):
        child = self.start()
        self.ask(child, 1)
        os.remove(self.path("app.wmk"))
        status, out, err = self.call("ctl", str(child.pid), "status")
        if status == 0:
            self.assertIn("app.wmk (deleted)\n", out)
            self.ctl(child, "dump", "-o", "mine.wmk")
            self.assertEqual(self.calls_of_step("mine.wmk"), 1000)
        else:
            self.assertEqual(len(err.splitlines()), 1)
            self.assertIn("deleted", err)

    def test_process_in_a_container(self):
        """It has another number there than here."""
        enter = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
        if subprocess.run(enter + ["true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces can be made here")
        outer = self.start(*enter, "./app")
        self.ask(outer, 2)
        with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid)) as file:
            inner = file.read().strip()
        self.assertEqual({block.process for block in self.profile().blocks[2:]}, {1})
        self.succeed("ctl", inner, "dump", "-o", "mine.wmk")
        self.assertEqual(self.calls_of_step("mine.wmk"), 2000)
        self.succeed("ctl", inner, "reset")
        self.ask(outer, 1)
        self.assertEqual(self.calls_of_step("app.wmk"), 1000)

    def test_report_tells_who_counts_and_who_was_killed(self):
        child = self.start()
        self.ask(child, 1)
        self.assertIn("1 thread is still counting", self.succeed("report", "app.wmk"))
        self.assert_threads("app.wmk", 0, 1)
        child.kill()
        child.wait()
        text = self.succeed("report", "app.wmk")
        self.assertIn("1 thread was cut short", text)
        self.assert_threads("app.wmk", 1, 0)
        # Folding keeps it, and an orderly end adds nothing.
        self.start().communicate()
        self.assert_threads("app.wmk", 1, 0)
        self.start().communicate()
        self.assert_threads("app.wmk", 1, 0)

    def assert_threads(self, name, cut_short, running):
        told = json.loads(self.succeed("report", "--json", name))
        self.assertEqual((told["cut_short"], told["running"], told["status"]), (cut_short, running, []))

    def test_words(self):
        child = self.start()
        process = str(child.pid)
        self.assert_one_line_refusal(["ctl"], "PID")
        self.assert_one_line_refusal(["ctl", process], "PID")
        self.assert_one_line_refusal(["ctl", process, "dumb"], "dumb", "dump")
        self.assert_one_line_refusal(["ctl", process, "explode"], "explode", "status")
        self.assert_one_line_refusal(["ctl", process, "reset", "-o", "x.wmk"], "-o")
        for word in ("me", "12x", "0", "-5", "99999999999"):
            self.assert_one_line_refusal(["ctl", word, "status"], word)

    def test_no_such_process(self):
        child = self.start()
        child.communicate()
        for process in (child.pid, wmk.NOBODY):
            for action in ("status", "dump", "reset"):
                self.assert_one_line_refusal(["ctl", str(process), action],
                                             "no process %d" % process)

    def test_process_that_does_not_count(self):
        self.assert_one_line_refusal(["ctl", str(os.getpid()), "status"], "no .wmk file", "waymark cc")

    def test_process_of_somebody_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        child = self.start()
        done = subprocess.run([self.waymark, "ctl", str(child.pid), "status"], user=65534, group=65534,
                              extra_groups=[], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("somebody else", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


class Busy(Processes):
    def setUp(self):
        super().setUp()
        self.build(BUSY)

    def test_no_increment_is_lost_by_resets_under_load(self):
        child = self.start()
        for _ in range(20):
            self.ctl(child, "reset")
            time.sleep(0.005)
            # What is left is what was counted since: far from a negative number.
            self.assertLess(self.counted(child), 1 << 62)
        total = int(child.communicate("\n")[0])
        blocks = self.blocks_of(child)
        resets = [block for block in blocks if block.thread == 0]
        self.assertEqual(len(resets), 20)
        # The counter of step() is one of those that all threads together counted so often; the
        # others are of blocks that run with each call.
        columns = list(zip(*(block.counters for block in blocks if block.thread)))
        candidates = [i for i, column in enumerate(columns) if sum(column) == total]
        self.assertGreater(len(candidates), 0)
        forgotten = [-sum(block.counters[i] for block in resets) & wmk.MASK for i in candidates]
        self.assertGreater(min(forgotten), 0)
        self.assertIn(self.calls_of_step("app.wmk"), [total - number for number in forgotten])

    def test_dumps_under_load_only_grow(self):
        child = self.start()
        last = 0
        for _ in range(10):
            self.ctl(child, "dump", "-o", "mine.wmk")
            calls = self.calls_of_step("mine.wmk")
            self.assertGreaterEqual(calls, last)
            last = calls
        self.assertGreaterEqual(int(child.communicate("\n")[0]), last)


class Objects(Processes):
    def build_with_library(self):
        self.write("library.c", "int step(int n) { return n > 3 ? n - 1 : n; }\n")
        self.succeed("cc", "-fPIC", "-shared", "library.c", "-o", "liblibrary.so")
        self.build(SERVER.replace("static int step(int n) { return n > 3 ? n - 1 : n; }",
                                  "int step(int);"), "-L.", "-llibrary", "-Wl,-rpath," + self.directory)

    def test_all_objects_of_a_process(self):
        self.build_with_library()
        child = self.start()
        self.ask(child, 2)
        self.assertEqual(glob.glob(self.path("*.wmk")), [self.path("app.wmk")])
        text = self.ctl(child, "status")
        for name in ("app.wmk", "app", "liblibrary.so"):
            self.assertIn(self.path(name), text)
        self.ctl(child, "dump", "-o", "mine.wmk")
        self.assertEqual(self.calls_of_step("mine.wmk"), 2000)
        self.ctl(child, "reset")
        self.ask(child, 3)
        self.assertEqual(self.calls_of_step("app.wmk"), 3000)

    def test_libraries_of_a_plain_program_have_a_file_each(self):
        self.build_with_library()
        self.write("plain.c", """#include <dlfcn.h>
#include <stdio.h>
int main(void) {
	char line[9];
	for (int i = 0; i < 2; i++) {
		char name[] = "./liblibrary0.so";
		name[12] = (char)('0' + i);
		int (*step)(int) = (int (*)(int))dlsym(dlopen(name, RTLD_NOW), "step");
		step(i);
	}
	puts("ready");
	fflush(stdout);
	return !fgets(line, sizeof line, stdin);
}
""")
        for i in range(2):
            self.write("library.c", "int step(int n) { return n > %d ? n - 1 : n; }\n" % i)
            self.succeed("cc", "-fPIC", "-shared", "library.c", "-o", "liblibrary%d.so" % i)
        subprocess.run(["clang-19", "plain.c", "-o", "plain", "-ldl"], cwd=self.directory, check=True)
        child = self.start("./plain", WAYMARK_FILE="%b.wmk")
        names = sorted(os.path.basename(path) for path in glob.glob(self.path("*.wmk")))
        text = self.ctl(child, "status")
        for name in names:
            self.assertIn(self.path(name), text)
        self.assertEqual(len(names), 2)
        self.assert_one_line_refusal(["ctl", str(child.pid), "dump", "-o", "x.wmk"], "-o", "2")


if __name__ == "__main__":
    cases.main("__main__")
