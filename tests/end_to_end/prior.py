#!/usr/bin/env python3
"""What --use, --prefer and --select need of a profile is resolved once and kept in the user's cache.

Whatever the cache is like, compiling gives the same objects and says the same. The objects to compare with
are made without a cache.
"""
import os
import re
import subprocess
import time
import unittest

import cases
import harness

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#define THERE(n) __asm__ volatile("# there " #n)
__attribute__((noinline)) void many(int x)
{
""" + "".join("\tif (x & %d)\n\t\tTHERE(%d);\n" % (1 << bit, bit) for bit in range(14)) + r"""}
__attribute__((noinline)) void step(int x, int seldom)
{
	if (x % 10 == seldom)
		THERE(20);
	else
		THERE(21);
}
__attribute__((noinline)) void other(int x)
{
	if (x > 3)
		THERE(22);
}
int main(int argc, char **argv)
{
	int from = argc > 1 ? atoi(argv[1]) : 0, to = argc > 2 ? atoi(argv[2]) : 1000;
	for (int i = from; i < to; i++) {
		many(i * 77);
		step(i, 3);
	}
	if (argc > 3)
		other(argc);
	if (argc > 4) {
		puts("counted");
		fflush(stdout);
		getchar();
	}
	return 0;
}
"""
DAY = 24 * 60 * 60
NOWHERE = "/dev/null/cache"  # where nobody can make a folder


class Prior(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("program.c", SOURCE)
        self.cache = self.path("cache")
        self.priors = os.path.join(self.cache, "priors")
        self.succeed("cc", "-O2", "-g", "program.c", "-o", "old")
        self.count()
        self.profile = next(name for name in os.listdir(self.directory) if name.endswith(".wmk"))
        self.use = "--use=" + self.profile

    def count(self, *words):
        """Runs the earlier program, which adds to its profile."""
        self.assertEqual(self.execute("./old", *words)[0], 0)

    def compile(self, *words, cache=None, source="program.c", said=""):
        """The object that these options make, and what is said."""
        environment = {"WAYMARK_CACHE": self.cache if cache is None else cache}
        got = self.call("cc", "-O2", "-g", "-c", *words, source, "-o", "new.o", environment=environment)
        self.assertEqual(got[:2], (0, ""))
        lines = harness.complaints(got[2])
        self.assertEqual(len(lines), 1 if said else 0, lines)
        self.assertTrue(re.search(said, "".join(lines)), lines)
        return self.read("new.o")

    def without_cache(self, *words, **keywords):
        return self.compile(*words, cache=NOWHERE, **keywords)

    def kept(self):
        return sorted(os.listdir(self.priors)) if os.path.isdir(self.priors) else []

    def only(self):
        """The one file in the cache."""
        self.assertEqual(len(self.kept()), 1, self.kept())
        return os.path.join(self.priors, self.kept()[0])


class Cache(Prior):
    def test_objects_are_the_same_with_and_without(self):
        name = self.call("paths", "step", self.profile, "--json")[1]
        self.assertIn("cfg_hash", name)
        for words in ([self.use], [self.use, "--profile=edges"], [self.use, "--paths=classic"],
                      ["--prefer=" + self.profile], ["--prefer=hot:30%", self.use],
                      ["--prefer=" + self.profile, "--prefer-by=intervals"],
                      ["--select=hot:50%", self.use], ["--select=hot:50%,hot:5%,function:other", self.use]):
            with self.subTest(words=words):
                expected = self.without_cache(*words)
                self.assertNotEqual(self.compile(), expected)
                self.assertEqual(self.compile(*words), expected)  # makes it
                self.assertEqual(self.compile(*words), expected)  # finds it
        self.assertEqual(len(self.kept()), 5)  # hot paths of 90, 30, 50, and 50 and 5 percent, and none

    def test_is_made_once(self):
        self.compile(self.use)
        made = os.stat(self.only())
        os.utime(self.only(), (0, time.time() - DAY))
        self.compile(self.use, "--profile=edges")
        self.compile(self.use, "--select=function:step")
        self.assertEqual(os.stat(self.only()).st_ino, made.st_ino)
        self.assertGreater(os.stat(self.only()).st_mtime, time.time() - DAY / 2)  # it was used
        self.assertEqual(os.stat(self.only()).st_mode & 0o777, 0o600)

    def test_parallel_jobs_share_it(self):
        expected = self.without_cache(self.use)
        environment = dict(os.environ, WAYMARK_CACHE=self.cache)
        for number in range(8):
            os.mkdir(self.path(str(number)))
        jobs = [subprocess.Popen([self.waymark, "cc", "-O2", "-g", "-c", self.use, "program.c", "-o",
                                  "%d/new.o" % number], cwd=self.directory, env=environment,
                                 stderr=subprocess.PIPE) for number in range(8)]
        self.assertEqual([(job.communicate()[1], job.returncode) for job in jobs], [(b"", 0)] * 8)
        for number in range(8):
            self.assertEqual(self.read("%d/new.o" % number), expected)
        self.only()

    def test_several_sources_of_one_command(self):
        self.write("second.c", SOURCE.replace("int main", "int second"))
        for cache in (self.cache, NOWHERE):
            got = self.call("cc", "-O2", "-g", self.use, "program.c", "second.c", "-c",
                            environment={"WAYMARK_CACHE": cache})
            self.assertEqual(got, (0, "", ""))
        self.only()

    def test_linking_needs_none(self):
        self.compile(self.use, cache=NOWHERE)
        self.assertEqual(self.call("cc", self.use, "new.o", "-o", "new",
                                   environment={"WAYMARK_CACHE": self.cache})[0], 0)
        self.assertEqual(self.call("cc", self.use, "--version",
                                   environment={"WAYMARK_CACHE": self.cache})[0], 0)
        self.assertEqual(self.kept(), [])
        for words in (["-O2", "-g", "-x", "c", "program.c", "-c"], ["@words"]):
            self.write("words", "-O2 -g -c program.c")
            self.assertEqual(self.call("cc", self.use, *words,
                                       environment={"WAYMARK_CACHE": self.cache})[0], 0)
            self.only()

    def test_folder_follows_the_settings(self):
        home, other = self.path("home"), self.path("other")
        for environment, folder in (({"HOME": home}, home + "/.cache/waymark/priors"),
                                    ({"HOME": home, "XDG_CACHE_HOME": other}, other + "/waymark/priors")):
            merged = dict({"XDG_CACHE_HOME": ""}, **environment)
            command = ["env", "-u", "WAYMARK_CACHE", self.waymark, "cc", "-O2", "-g", "-c", self.use,
                       "program.c"]
            self.assertEqual(harness.run(command, self.directory, environment=merged)[0::2], (0, b""))
            self.assertEqual(len(os.listdir(folder)), 1)


class Origins(Prior):
    """What it was made from decides which file it is."""

    def test_another_run_counts(self):
        first = self.compile(self.use)
        self.count("0", "100000")
        for _ in range(3):
            self.count("3", "4")
        second = self.compile(self.use)
        self.assertEqual(second, self.without_cache(self.use))
        self.assertEqual(len(self.kept()), 2)
        self.assertNotEqual(first, second)

    def test_running_program_is_not_kept(self):
        running = subprocess.Popen(["./old", "0", "100", "x", "x"], cwd=self.directory,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(running.stdout.readline(), b"counted\n")
        self.compile(self.use)
        self.assertEqual(self.kept(), [])
        running.communicate(b"\n")  # which also closes both pipes
        self.assertEqual(self.compile(self.use), self.without_cache(self.use))
        self.only()

    def test_program_that_is_back(self):
        expected = self.compile(self.use)
        os.rename(self.path("old"), self.path("away"))
        for _ in range(2):
            self.compile(self.use, said=r"--use: cannot read .*old': No such file.*--binary=PATH; compiled "
                         "without it")
        os.rename(self.path("away"), self.path("old"))
        self.assertEqual(self.compile(self.use), expected)

    def test_program_of_another_build(self):
        self.succeed("cc", "-O1", "program.c", "-o", "old")
        for _ in range(2):
            self.compile(self.use, said=r"--use: .* is of build-id .*, but .*old is of build-id.*--binary=PATH")
        self.assertEqual(self.kept(), [])  # the program may come back

    def test_profile_of_another_name(self):
        """A message names the profile that the user named."""
        self.succeed("cc", "-O2", "-g", "--profile=edges", "program.c", "-o", "edges")
        self.execute("./edges", environment={"WAYMARK_FILE": self.path("a.wmk")})
        os.link(self.path("a.wmk"), self.path("b.wmk"))
        for name in ("a.wmk", "b.wmk", "a.wmk"):
            self.compile("--prefer=" + name, said=r"--prefer: \S*%s: no paths were counted" % name)


class Trouble(Prior):
    def assert_made_again(self, damaged, what):
        file = self.only()
        with open(file, "rb") as old:
            right = old.read()
        with open(file, "wb") as new:
            new.write(damaged(right))
        self.assertEqual(self.compile(self.use), self.expected, what)
        with open(self.only(), "rb") as new:
            self.assertEqual(new.read(), right, what)

    def test_damaged_file_is_made_again(self):
        self.expected = self.without_cache(self.use)
        self.compile(self.use)
        size = os.path.getsize(self.only())
        for length in (0, 7, 8, 39, 40, size // 2, size - 8, size - 1):
            self.assert_made_again(lambda right: right[:length], "truncated to %d" % length)
        for place in (0, 7, 9, 17, 25, 33, 41, 60, size // 2, size - 9):
            self.assert_made_again(lambda right: right[:place] + bytes([right[place] ^ 4]) +
                                   right[place + 1:], "damaged at %d" % place)
        self.assert_made_again(lambda right: right + bytes(8), "longer")
        self.assert_made_again(lambda right: b"#!/bin/sh\nexit 0\n", "a script")

    def test_file_of_another_profile_is_made_again(self):
        self.expected = self.without_cache(self.use)
        self.compile(self.use)
        ours = self.only()
        self.count("5", "6", "x")
        os.rename(ours, self.path("ours"))
        self.compile(self.use)
        with open(self.path("ours"), "rb") as other:
            foreign = other.read()
        self.expected = self.without_cache(self.use)
        self.assert_made_again(lambda right: foreign, "of another profile")

    def test_no_folder_is_no_obstacle(self):
        expected = self.compile(self.use)
        self.write("file", "")
        os.mkdir(self.path("full"))
        self.write("full/priors", "")
        for cache in (NOWHERE, "", "relative", self.path("file"), self.path("full"), self.path("a\nb")):
            self.assertEqual(self.compile(self.use, cache=cache), expected, cache)
        self.assertFalse(os.path.exists(self.path("relative")))

    def test_folder_that_refuses_is_no_obstacle(self):
        expected = self.compile(self.use)
        os.unlink(self.only())
        os.mkdir(os.path.join(self.cache, "other"))
        os.chmod(self.priors, 0o500)
        if os.geteuid() == 0:
            os.chown(self.priors, 12345, 12345)
        self.assertEqual(self.compile(self.use), expected)
        self.assertEqual(self.kept(), [])

    def test_plug_in_says_what_is_wrong(self):
        """Where the file changed after `waymark cc` had seen it."""
        plain = self.compile()
        expected = self.compile(self.use)
        file = self.only()
        plugin = os.path.join(os.path.dirname(self.waymark), "../lib/waymark/waymark-llvm.so")
        mapping = ["-Xclang", "-fprofile-instrument=clang", "-Xclang", "-fcoverage-mapping"]
        words = ["-O2", "-g", "-c", "-fpass-plugin=" + plugin, "-D__WAYMARK__=1", *mapping, "program.c", "-o", "new.o"]
        options = "use=x.wmk\nprior=%s\ntext=yes\n"

        def clang(prior):
            status, _, said = self.clang(*words, environment={"WAYMARK_OPTIONS": options % prior})
            self.assertEqual(status, 0)
            return harness.complaints(said), self.read("new.o")

        self.assertEqual(clang(file), ([], expected))  # nothing else is read
        with open(file, "rb") as right:
            data = bytearray(right.read())
        data[len(data) // 2] ^= 1
        self.write("damaged", bytes(data))
        for prior, reason in (("damaged", "its checksum does not match"), ("gone", "No such file or directory"),
                              ("program.c", "of another version, or something else")):
            said, code = clang(self.path(prior))
            self.assertEqual(len(said), 1, said)
            self.assertRegex(said[0], r"--use: .*%s.*%s; compiled without it" % (prior, reason))
            self.assertEqual(code, plain)


class Size(Prior):
    def test_unused_files_are_removed(self):
        os.makedirs(self.priors)
        ages = {"0123456789abcdef.prior": 15, "1123456789abcdef.prior": 13,
                "2123456789abcdef.prior.aB3dE6": 15, "README": 99}
        for name, age in ages.items():
            self.write("cache/priors/" + name, "")
            os.utime(os.path.join(self.priors, name), (0, time.time() - age * DAY))
        self.compile(self.use)
        left = set(self.kept())
        self.assertEqual(left & set(ages), {"1123456789abcdef.prior", "README"})
        self.assertEqual(len(left), 3)

    def test_number_of_files_is_bounded(self):
        os.makedirs(self.priors)
        for number in range(80):
            name = os.path.join(self.priors, "%016x.prior" % number)
            open(name, "w").close()
            os.utime(name, (0, time.time() - 100 - number))
        self.compile(self.use)
        left = self.kept()
        self.assertEqual(len(left), 64)
        self.assertEqual({"%016x.prior" % number for number in range(63)} - set(left), set())


if __name__ == "__main__":
    cases.main(__name__)
