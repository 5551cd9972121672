#!/usr/bin/env python3
"""Libraries of instrumented programs, which count into the file of their program.

usage: run.py --waymark=PATH [unittest arguments]

How often each function is called is known by construction: the programs call step() of a library as
often as they are told to. Files are read by waymark and by code of the tests' own.
"""
import json
import os
import re
import signal
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, os.path.join(HERE, "..", "merge"))

import cases
import harness
import wmk

# How many times the constructor calls step().
EARLY = 3

# The function called namesake() is another one in the program.
LIBRARY = """
__attribute__((noinline)) int NAME_step(int n) { return n % 3 ? n + 1 : n; }
static __attribute__((noinline)) int namesake(int n) { return n ^ 7; }
int NAME_namesake(int n) { return namesake(n); }
__attribute__((constructor)) static void comes(void)
{
	volatile int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += NAME_step(i);
}
"""

# What it does is a list of words on its command line, in that order.
PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "waymark.h"

static void *library;
static int (*step)(int);
static volatile int sum;

static __attribute__((noinline)) int namesake(int n)
{
	return n % 5 ? n : -n;
}

static __attribute__((noinline)) void *steps(void *times)
{
	for (long i = 0; i < (long)times; i++)
		sum += step((int)i);
	return times;
}

static void threads(void)
{
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, steps, (void *)100L);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void take(void *handle)
{
	library = handle;
	if (!library) {
		puts(dlerror());
		_exit(9);
	}
	step = (int (*)(int))dlsym(library, "one_step");
}

static void write_image(void)
{
	size_t bytes = waymark_write(NULL, 0);
	char *buffer = malloc(bytes);
	FILE *file = fopen("image.wmk", "w");
	if (waymark_write(buffer, bytes) != bytes || fwrite(buffer, 1, bytes, file) != bytes)
		exit(8);
	fclose(file);
}

static void child(char *word, char *self)
{
	int status;
	pid_t pid = fork();
	if (pid > 0) {
		waitpid(pid, &status, 0);
		if (status)
			puts("the child failed");
		return;
	}
	if (word[4] == 'c') {
		dlclose(library);
		waymark_reset();
		_exit(0);
	}
	steps((void *)7);
	if (word[4] == 'e')
		execl(self, self, "open", "7", NULL);
	if (word[4] == '_')
		_exit(0);
	exit(0);
}

/* In a thread that has called nothing of the library. */
static void *close_in_child(void *word)
{
	child(word, NULL);
	return word;
}

static void act(char *word, char *self)
{
	pthread_t other;
	if (word[0] >= '0' && word[0] <= '9')
		steps((void *)atol(word));
	else if (!strcmp(word, "open"))
		take(dlopen("./libone.so", RTLD_NOW));
	else if (!strcmp(word, "new"))
		take(dlmopen(LM_ID_NEWLM, "./libone.so", RTLD_NOW));
	else if (!strcmp(word, "close"))
		dlclose(library);
	else if (!strcmp(word, "threads"))
		threads();
	else if (!strcmp(word, "namesake"))
		sum += namesake(sum);
	else if (!strcmp(word, "forkc") && !pthread_create(&other, NULL, close_in_child, word))
		pthread_join(other, NULL);
	else if (!strncmp(word, "fork", 4))
		child(word, self);
	else if (!strcmp(word, "_exit"))
		_exit(0);
	else if (!strcmp(word, "kill"))
		raise(SIGKILL);
	else if (!strcmp(word, "chdir"))
		(void)!chdir("/");
	else if (!strcmp(word, "reset"))
		waymark_reset();
	else if (!strcmp(word, "pause"))
		waymark_pause();
	else if (!strcmp(word, "resume"))
		waymark_resume();
	else if (!strcmp(word, "dump"))
		waymark_dump();
	else if (!strcmp(word, "write"))
		write_image();
	else if (word[0] == '@')
		waymark_set_file(word + 1);
	else
		exit(7);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		act(argv[i], argv[0]);
	return 0;
}
"""

# The same, with the library linked to it.
LINKED = PROGRAM.replace("static int (*step)(int);", "int one_step(int);\nstatic int (*step)(int) = one_step;")


class Libraries(cases.Case):
    def setUp(self):
        super().setUp()
        self.build_library("one")
        self.build_program()

    def build_library(self, name, *words, text=LIBRARY):
        self.write(name + ".c", text.replace("NAME", name))
        self.succeed("cc", "-O2", "-g", "-fPIC", "-shared", *words, name + ".c", "-o", "lib%s.so" % name)

    def build_program(self, *words, name="program", text=PROGRAM):
        self.write(name + ".c", text)
        self.succeed("cc", "-O2", "-g", *words, name + ".c", "-o", name, "-pthread", "-ldl")

    def build_linked(self, *words):
        self.build_program("-L.", "-lone", "-Wl,-rpath," + self.directory, *words, name="linked", text=LINKED)

    def run_it(self, *words, status=0, file="run.wmk", program="./program", **environment):
        """Runs the program, which says nothing."""
        got = self.execute(program, *words, environment=dict({"WAYMARK_FILE": file}, **environment))
        self.assertEqual(got, (status, "", ""))

    def report(self, name="run.wmk", *words):
        return json.loads(self.succeed("report", "--json", *words, name))

    def calls(self, name="run.wmk", *words):
        """{(library, function): calls} of all that ran."""
        result = {}
        for function in self.report(name, *words)["functions"]:
            if function["entry_count"]:
                key = function.get("library"), function["name"]
                self.assertNotIn(key, result)
                result[key] = function["entry_count"]
        return result

    def steps(self, name="run.wmk"):
        return self.calls(name).get(("libone.so", "one_step"), 0)

    def profiles(self):
        return sorted(name for name in self.files() if name.endswith(".wmk"))

    def profile(self, name="run.wmk"):
        return wmk.Profile.decode(self.read(name))


class Loading(Libraries):
    def test_at_the_start(self):
        """The library starts before the program. The second run folds what the first has left."""
        self.build_linked()
        for run in (1, 2, 3):
            self.run_it("100", program="./linked")
            self.assertEqual(self.profiles(), ["run.wmk"])
            calls = self.calls()
            self.assertEqual([calls[key] for key in (("libone.so", "one_step"), ("libone.so", "comes"), (None, "main"))],
                             [run * (100 + EARLY), run, run])
            (library,) = self.profile().libraries
            self.assertEqual((library.sum()[1], self.profile().sum()[1]), (run, run))
            self.assertEqual(library.path, self.path("libone.so"))
        # One thread each, and what was folded is used again.
        self.assertEqual(len([block for block in library.blocks[2:] if block.kind]), 1)
        self.assertLessEqual(len(self.profile().blocks), 4)

    def test_later_closed_and_opened_again(self):
        self.run_it("open", "10", "close", "open", "threads", "20", "close", "open", "close")
        self.assertEqual(self.steps(), 10 + 400 + 20 + 3 * EARLY)
        (library,) = self.profile().libraries
        self.assertEqual(library.sum()[1], 3)
        self.assertEqual(self.profiles(), ["run.wmk"])

    def test_two_copies(self):
        self.run_it("open", "10", "new", "20", "new", "threads")
        self.assertEqual(self.steps(), 10 + 20 + 400 + 3 * EARLY)
        self.assertEqual(len(self.profile().libraries), 1)
        self.assertEqual(self.profiles(), ["run.wmk"])

    def test_in_a_program_that_is_not_instrumented(self):
        self.clang("-Wno-unused-result", "-I", os.path.dirname(self.waymark) + "/../include", "program.c", "-o", "plain", "-pthread", "-ldl")
        self.run_it("open", "10", program="./plain", file="%b.wmk")
        (name,) = self.profiles()
        self.assertEqual(self.calls(name)[None, "one_step"], 10 + EARLY)
        self.assertEqual(self.profile(name).path, self.path("libone.so"))
        os.remove(self.path(name))
        python = "import ctypes; one = ctypes.CDLL('./libone.so'); [one.one_step(i) for i in range(5)]"
        self.run_it("-c", python, program=sys.executable)
        self.assertEqual(self.calls()[None, "one_step"], 5 + EARLY)

    def test_of_two_programs(self):
        self.build_linked()
        self.run_it("10", program="./linked", file="linked.wmk")
        self.run_it("open", "20", file="program.wmk")
        self.assertEqual(self.steps("linked.wmk"), 10 + EARLY)
        self.assertEqual(self.steps("program.wmk"), 20 + EARLY)
        self.assertEqual(self.profiles(), ["linked.wmk", "program.wmk"])
        # One name for both: the second has its build-id added, and holds its library, too.
        self.run_it("10", program="./linked", file="same.wmk")
        self.run_it("open", "20", file="same.wmk")
        (other,) = [name for name in self.profiles() if name.startswith("same-")]
        self.assertEqual((self.steps("same.wmk"), self.steps(other)), (10 + EARLY, 20 + EARLY))

    def test_default_name_is_the_programs(self):
        """Whatever the directory is when the library is loaded."""
        self.build_library("one", "--file=" + self.path("library.wmk"))
        self.write("libone.link", "")
        for words in (("open", "5"), ("open", "close", "chdir", "namesake")):
            self.run_it(*words, file="")
        (name,) = self.profiles()
        self.assertRegex(name, r"^program-[0-9a-f]+\.wmk$")
        self.assertEqual(self.steps(name), 5 + 2 * EARLY)

    def test_opened_elsewhere(self):
        text = PROGRAM.replace('"./libone.so"', '"%s/libone.so"' % self.directory)
        self.build_program(text=text)
        self.run_it("chdir", "open", "5", file="")
        (name,) = self.profiles()
        self.assertEqual(self.steps(name), 5 + EARLY)

    def test_name_chosen_by_the_build(self):
        self.build_program("--file=" + self.path("named.wmk"))
        self.run_it("open", "5", file="")
        self.assertEqual(self.profiles(), ["named.wmk"])
        self.assertEqual(self.steps("named.wmk"), 5 + EARLY)

    def test_linkers_and_kinds_of_programs(self):
        for words in (("-fuse-ld=lld",), ("-fuse-ld=gold",), ("-no-pie",), ("-Wl,--gc-sections",),
                      ("-fuse-ld=lld", "-Wl,--gc-sections"), ("-s",),
                      ("--base=memory",), ("-Wl,-z,now",)):
            with self.subTest(" ".join(words)):
                self.build_program(*words)
                self.run_it("open", "5", file="kind.wmk")
                self.assertEqual([name for name in self.profiles() if name.startswith("kind")], ["kind.wmk"])
                self.assertEqual(self.steps("kind.wmk"), 5 + EARLY)
                os.remove(self.path("kind.wmk"))

    def test_static_programs_have_none(self):
        self.write("alone.c", "int main(void) { return 0; }\n")
        for words in (("-static",), ("-static-pie",)):
            self.succeed("cc", *words, "alone.c", "-o", "alone")
            self.run_it(program="./alone", file="alone.wmk")
            self.assertEqual(self.calls("alone.wmk"), {(None, "main"): 1})
            os.remove(self.path("alone.wmk"))

    def test_program_called_by_its_loader(self):
        loader = re.search(r"interpreter: (.*)\]", harness.run(
            ["readelf", "-lW", "program"], self.directory)[1].decode()).group(1)
        self.run_it("./program", "open", "5", program=loader)
        self.assertEqual(self.profiles(), ["run.wmk"])
        (library,) = self.profile().libraries
        self.assertEqual(library.path, self.path("libone.so"))

    def test_sizes(self):
        """Counters of many units beside those of one, both ways."""
        many = "".join("int NAME_f%d(int n) { return n %% %d ? n : %d; }\n" % (i, i + 2, i) for i in range(900))
        self.build_library("one", "--profile=edges", "--placement=redundant", text=many + LIBRARY)
        for text in (PROGRAM, many.replace("NAME", "p") + PROGRAM):
            size = []
            self.build_program("--profile=edges", "--placement=redundant", text=text)
            for run in (1, 2, 3):
                self.run_it("open", "10", "threads")
                self.assertEqual(self.steps(), run * (410 + EARLY))
                size.append(len(self.read("run.wmk")))
            # What was folded is used again; how many threads live at once differs from run to run.
            self.assertLess(size[2], 1.5 * size[0])
            os.remove(self.path("run.wmk"))

    def test_by_key(self):
        """Paths that are counted in tables; many of them, so that tables grow."""
        branches = "".join("\tif (n >> %d & 1) s = s * 31 + %d; else s ^= %d;\n" % (i, i, i * 7) for i in range(14))
        self.build_library("one", "-O0", "--paths=classic", text=LIBRARY +
                           "int NAME_deep(unsigned n) { volatile int s = 1;\n%s\treturn s; }\n" % branches)
        deep = PROGRAM.replace("sum += step((int)i);", 'sum += step((int)i) + ((int (*)(int))dlsym(library, "one_deep"))((int)i);')
        self.build_program(text=deep)
        for run in (1, 2):
            self.run_it("open", "5000", "threads", "fork_", "close")
            (deep,) = [f for f in self.report()["functions"] if f["name"] == "one_deep"]
            self.assertEqual(len(deep["paths"]), 5000)
            self.assertEqual(sum(path["count"] for path in deep["paths"]), run * (5000 + 400 + 7))
        self.succeed("merge", "-o", "sum.wmk", "run.wmk")
        (merged,) = [f for f in self.report("sum.wmk")["functions"] if f["name"] == "one_deep"]
        self.assertEqual(merged["paths"], deep["paths"])


class Endings(Libraries):
    def test_exit_and_kill(self):
        expected = 0
        for words, status in ((("_exit",), 0), (("kill",), -signal.SIGKILL), (("threads", "kill"), -signal.SIGKILL)):
            self.run_it("open", "50", *words, status=status)
            expected += 50 + EARLY + 400 * ("threads" in words)
            self.assertEqual(self.steps(), expected)
        self.assertEqual(self.report()["objects"][1]["runs"], 3)

    def test_children(self):
        """With the library loaded before and after, ended in every way."""
        for word, more in (("fork", 7), ("fork_", 7), ("forke", 7 + 7 + EARLY)):
            self.run_it("open", "5", word, "5")
            self.assertEqual(self.steps(), 5 + more + 5 + EARLY)
            runs = 2 if word == "forke" else 1
            self.assertEqual([part["runs"] for part in self.report()["objects"]], [runs, runs])
            os.remove(self.path("run.wmk"))

    def test_child_that_only_closes_the_library(self):
        self.run_it("open", "5", "forkc", "5")
        self.assertEqual(self.steps(), 10 + EARLY)

    def test_children_with_files_of_their_own(self):
        self.run_it("open", "5", "fork", "5", file="run-%p.wmk")
        names = self.profiles()
        self.assertEqual(len(names), 2)
        self.assertEqual(sorted(self.steps(name) for name in names), [7, 10 + EARLY])
        self.succeed("merge", "-o", "sum.wmk", *names)
        self.assertEqual(self.steps("sum.wmk"), 17 + EARLY)

    def test_killed_at_each_system_call(self):
        """When there is no file yet, and when there is one whose chunks are folded."""
        self.clang(os.path.join(HERE, "..", "hostile", "kill_at_call.c"), "-o", "kill_at_call")
        self.build_linked()
        words, whole = ("5", "open", "5", "close", "open"), 10 + EARLY
        self.run_it(*words, program="./linked")
        once = self.steps()
        for runs_before in (0, 2):
            status, number = 0, 0
            while status == 0:
                number += 1
                if os.path.exists(self.path("run.wmk")):
                    os.remove(self.path("run.wmk"))
                for _ in range(runs_before):
                    self.run_it(*words, program="./linked")
                status, _, _ = self.execute("./kill_at_call", str(number), "./linked", *words,
                                            environment={"WAYMARK_FILE": "run.wmk"})
                killed = sum(library.sum()[0][0] >= 0 for library in self.profile().libraries) and self.steps() \
                    if os.path.exists(self.path("run.wmk")) and self.read("run.wmk")[:1] == b"W" else 0
                self.assertGreaterEqual(killed, runs_before * once)
                self.assertLessEqual(killed, (runs_before + 1) * once)
                self.run_it(*words, program="./linked")
                self.assertEqual(self.steps(), killed + once, number)
            self.assertEqual(status, 1)
            self.assertGreater(number, 50)

    def test_no_profile_is_one_line(self):
        os.mkdir(self.path("closed"))
        self.write("closed/x", "")
        for file in ("closed/x/run.wmk", "/dev/full/run.wmk"):
            status, out, err = self.execute("./program", "open", "5", environment={"WAYMARK_FILE": file})
            self.assertEqual((status, out), (0, ""))
            self.assertRegex(err, r"\Awaymark: no profile written: [^\n]*run\.wmk[^\n]*\n\Z")
        got = self.execute("./program", "open", "5", environment={"WAYMARK_FILE": "/proc/none/run.wmk", "WAYMARK_QUIET": "1"})
        self.assertEqual(got, (0, "", ""))
        self.assertEqual(self.execute("./program", "open", "5", environment={"WAYMARK_FILE": "/dev/null"}), (0, "", ""))
        self.assertEqual(self.profiles(), [])

    def test_no_room_for_the_library(self):
        """The program's chunk has room, the library's has not."""
        many = "".join("int NAME_f%d(int n) { return n %% %d ? n : %d; }\n" % (i, i + 2, i) for i in range(900))
        self.build_library("one", "--profile=edges", "--placement=redundant", text=many + LIBRARY)
        status, out, err = self.execute("bash", "-c", "ulimit -f 20; exec ./program open 5 namesake",
                                        environment={"WAYMARK_FILE": "run.wmk"})
        self.assertEqual((status, out), (0, ""))
        self.assertRegex(err, r"\Awaymark: not all counts written: [^\n]*run\.wmk': File too large[^\n]*\n\Z")
        self.assertEqual(self.calls()[None, "namesake"], 1)
        self.run_it("open", "5")
        self.assertEqual(self.steps(), 5 + EARLY)

    @unittest.skipUnless(os.getuid() == 0, "only root can become another user")
    def test_program_with_more_rights_than_its_user(self):
        os.chmod(self.directory, 0o777)
        os.chmod(self.path("program"), 0o4755)
        done = subprocess.run(["./program", "open", "5"], cwd=self.directory, user=65534, group=65534, extra_groups=[],
                              env=dict(os.environ, WAYMARK_FILE=self.path("stolen.wmk")))
        self.assertEqual(done.returncode, 0)
        (name,) = self.profiles()
        self.assertRegex(name, r"^program-")
        self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, 0o600)
        self.assertEqual(self.steps(name), 5 + EARLY)


class Steering(Libraries):
    """waymark.h acts on all objects of the run, whichever of them calls."""
    STEER = LIBRARY + """
#include "waymark.h"
int one_reset(void) { return waymark_reset(); }
"""

    def test_reset(self):
        self.run_it("namesake", "open", "10", "threads", "reset", "20")
        calls = self.calls()
        self.assertEqual(calls["libone.so", "one_step"], 20)
        self.assertNotIn((None, "namesake"), calls)

    def test_reset_by_the_library(self):
        self.build_library("one", text=self.STEER)
        self.build_program(text=PROGRAM.replace("waymark_reset();", '((int (*)(void))dlsym(library, "one_reset"))();'))
        self.run_it("namesake", "open", "10", "threads", "reset", "20")
        calls = self.calls()
        self.assertEqual(calls["libone.so", "one_step"], 20)
        self.assertNotIn((None, "namesake"), calls)

    def test_pause(self):
        self.run_it("open", "10", "pause", "100", "namesake", "resume", "5")
        calls = self.calls()
        self.assertEqual(calls["libone.so", "one_step"], 15 + EARLY)
        self.assertNotIn((None, "namesake"), calls)

    def test_loaded_in_a_pause(self):
        self.run_it("pause", "open", "100", "resume", "5")
        self.assertEqual(self.steps(), 5)

    def test_another_file(self):
        self.run_it("open", "10", "@second.wmk", "20", "close", "open", "1", "@third.wmk", "namesake")
        self.assertEqual(self.steps(), 10 + EARLY)
        self.assertEqual(self.steps("second.wmk"), 21 + EARLY)
        self.assertEqual(self.steps("third.wmk"), 0)
        self.assertEqual(self.profiles(), ["run.wmk", "second.wmk", "third.wmk"])

    def test_another_file_before_the_library_comes(self):
        self.run_it("@second.wmk", "open", "20")
        self.assertEqual(self.steps("second.wmk"), 20 + EARLY)

    def test_image(self):
        self.run_it("open", "10", "threads", "namesake", "write", "5")
        image = self.calls("image.wmk")
        self.assertEqual(image["libone.so", "one_step"], 410 + EARLY)
        self.assertEqual(image[None, "namesake"], 1)
        (library,) = self.profile("image.wmk").libraries
        self.assertEqual(library.path, self.path("libone.so"))

    def test_dump_where_nothing_can_be_mapped(self):
        self.run_it("open", "10", "dump", "_exit")
        self.assertEqual(self.steps(), 10 + EARLY)


class Readers(Libraries):
    def test_shares_over_all_objects(self):
        self.run_it("open", "1000", "namesake")
        whole = self.report()
        parts = {os.path.basename(part["path"]): part["instructions"] for part in whole["objects"]}
        self.assertEqual(sum(parts.values()), whole["instructions"])
        self.assertEqual(sum(f["instructions"] for f in whole["functions"]), whole["instructions"])
        text = self.succeed("report", "run.wmk")
        share = "%.1f%%" % (100 * parts["libone.so"] / whole["instructions"])
        others = sorted(parts, key=parts.get, reverse=True)
        self.assertRegex(text.replace("\n  ", " "), r"\n%d objects in this run: %s" % (len(parts), ", ".join(
            "%s %.1f%%" % (re.escape(name), 100 * parts[name] / whole["instructions"]) for name in others)))
        self.assertIn("libone.so " + share, text)
        self.assertRegex(self.succeed("report", "--functions", "run.wmk"), r"one_step .*libone\.so\n")

    def test_object(self):
        self.run_it("open", "10")
        for name in ("one", "libone.so", "libone*", "*one*", self.path("libone.so")):
            one = self.report("run.wmk", "--object=" + name)
            self.assertEqual(one["instructions"], self.report()["objects"][1]["instructions"])
            self.assertEqual({f.get("library") for f in one["functions"]}, {"libone.so"})
        self.assertEqual({f.get("library") for f in self.report("run.wmk", "--object=program")["functions"]}, {None})
        self.assert_one_line_refusal(["report", "--object=two", "run.wmk"], "program, libone.so", "'two'")
        self.assertIn("one_step", self.succeed("paths", "--object=one", "one_step", "run.wmk"))
        self.assert_one_line_refusal(["paths", "--object=program", "one_step", "run.wmk"], "one_step")
        self.assertNotIn("program.c", self.succeed("annotate", "--file=run.wmk", "--object=one"))

    def test_functions_of_one_name(self):
        self.write("two.c", "int one_namesake(int);\nint main(void) { volatile int x = 0; for (int i = 0; i < 9; i++) x += one_namesake(i); return 0; }\n"
                   "static __attribute__((noinline, used)) int namesake(int n) { return n ^ 7; }\n")
        self.succeed("cc", "-O2", "-g", "two.c", "-L.", "-lone", "-Wl,-rpath," + self.directory, "-o", "two")
        self.run_it(program="./two", file="two.wmk")
        functions = [f for f in self.report("two.wmk")["functions"] if f["name"] == "namesake"]
        self.assertEqual({f.get("library"): f["entry_count"] for f in functions}, {None: 0, "libone.so": 9})
        self.run_it(program="./two", file="three.wmk")
        self.run_it(program="./two", file="three.wmk")
        moved = json.loads(self.succeed("diff", "--json", "two.wmk", "three.wmk"))
        self.assertEqual(moved["overlap"], 1)

    def test_library_that_is_gone(self):
        """Where nothing was kept of it when it was linked."""
        self.run_it("open", "10", "namesake")
        os.rename(self.path("libone.so"), self.path("away.so"))
        status, out, err = self.call("report", "--json", "run.wmk")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"\Awaymark: [^\n]*libone\.so[^\n]*No such file[^\n]*\n\Z")
        self.assertEqual({f["name"] for f in json.loads(out)["functions"] if f["entry_count"]}, {"main", "act", "steps", "namesake", "take"} & {f["name"] for f in json.loads(out)["functions"]})
        self.write("one.c", "int one_step(int n) { return n; }\n")
        self.succeed("cc", "-fPIC", "-shared", "one.c", "-o", "libone.so")
        status, out, err = self.call("report", "run.wmk")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"\Awaymark: [^\n]*libone\.so[^\n]*built again[^\n]*\n\Z")
        os.rename(self.path("away.so"), self.path("libone.so"))
        self.assertEqual(self.steps(), 10 + EARLY)

    def test_library_that_was_kept(self):
        cache = {"WAYMARK_CACHE": self.path("cache")}
        text = LIBRARY.replace("NAME", "one") + "int one_more(int n) { return n; }\n"
        words = ("cc", "-fPIC", "-shared", "one.c", "-o", "libone.so")
        self.write("one.c", text)
        self.succeed(*words, environment=cache)
        self.run_it("open", "10")
        before = self.succeed("report", "--functions", "--object=one", "run.wmk")
        os.remove(self.path("libone.so"))
        for _ in range(2):
            kept = self.succeed("report", "--functions", "--object=one", "run.wmk", environment=cache)
            self.assertEqual(kept.split("\n")[1:], before.split("\n")[1:])
            self.write("one.c", "int one_step(int n) { return n; }\n")
            self.succeed(*words, environment=cache)

    def test_merge(self):
        """Files with and without the library."""
        self.run_it("open", "10", file="a.wmk")
        self.run_it("namesake", file="b.wmk")
        self.run_it("open", "20", "namesake", file="c.wmk")
        self.succeed("merge", "-o", "sum.wmk", "b.wmk", "a.wmk", "c.wmk")
        self.assertEqual(self.steps("sum.wmk"), 30 + 2 * EARLY)
        self.assertEqual(self.calls("sum.wmk")[None, "namesake"], 2)
        self.run_it("open", "5", file="sum.wmk")
        self.assertEqual(self.steps("sum.wmk"), 35 + 3 * EARLY)

    def test_lines_of_both(self):
        """A header's function, compiled into program and library."""
        self.write("shared.h", "static inline int shared(int n)\n{\n\treturn n * n - 1;\n}\n")
        self.build_library("one", text='#include "shared.h"\nint NAME_step(int n) { return shared(n) + shared(n + 1); }\n')
        self.build_program(text=PROGRAM.replace('#include "waymark.h"', '#include "waymark.h"\n#include "shared.h"').replace("sum += namesake(sum);", "sum += shared(sum);"))
        self.run_it("open", "10", "namesake")
        files = json.loads(self.succeed("annotate", "--json", "--file=run.wmk", "shared.h"))["files"]
        self.assertEqual([line["count"] for line in files[0]["lines"] if line["line"] == 3], [21])

    def test_known_to_a_later_build(self):
        self.build_linked()
        self.run_it("1000", program="./linked")
        self.succeed("cc", "-O2", "-g", "-fPIC", "-shared", "--use=run.wmk", "--strict", "one.c", "-o", "libone.so")
        os.remove(self.path("run.wmk"))
        self.run_it("1000", program="./linked")
        self.assertEqual(self.steps(), 1000 + EARLY)


class Oracle(Libraries):
    def test_all_modes_count_the_same(self):
        words = ("open", "300", "threads", "fork_", "close", "open", "50", "namesake")
        results = {}
        for quantity in ("edges", "paths"):
            for placement in ("redundant", "optimal"):
                options = ("--profile=" + quantity, "--placement=" + placement)
                self.build_library("one", *options)
                self.build_program(*options)
                self.run_it(*words)
                results[quantity, placement] = {
                    (f.get("library"), f["name"]): (f["entry_count"], [b["count"] for b in f["blocks"]],
                                                    [e["count"] for e in f["edges"]],
                                                    [(p["id"], p["count"]) for p in f["paths"]])
                    for f in self.report()["functions"]}
                os.remove(self.path("run.wmk"))
            self.assertEqual(results[quantity, "redundant"], results[quantity, "optimal"])
        self.assertEqual(results["edges", "optimal"]["libone.so", "one_step"][0], 757 + 2 * EARLY)


if __name__ == "__main__":
    cases.main("__main__")
