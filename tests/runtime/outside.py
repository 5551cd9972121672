#!/usr/bin/env python3
"""Counts from before the runtime's start, a thread's first function or a child's handlers, and from
behind the end: none is lost, none doubled.

usage: outside.py --waymark=PATH [unittest arguments]

The programs, in the directory `outside`, count their calls in variables of their own, too, and print
the numbers that the profile must have.
"""
import glob
import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

PATHS_BY_KEY = ["--profile=paths", "--placement=redundant"]
LLD = "-fuse-ld=lld"
IN_MEMORY = "--base=memory"


def can_cover_files_of_proc():
    script = "mount --bind /dev/null /proc/$$/pagemap && exec true"
    words = ["unshare", "-m", "sh", "-c", script]
    return subprocess.run(words, stderr=subprocess.DEVNULL).returncode == 0


NEEDS_COVER = unittest.skipUnless(os.getuid() == 0 and can_cover_files_of_proc(), "cannot mount here")


class Outside(cases.Case):
    def source(self, name):
        return os.path.join(HERE, "outside", name)

    def build(self, *words, names=("before.c", "room.c", "behind.c")):
        """The counters of room.c stand between those of the other two."""
        sources = [self.source(name) for name in names]
        self.succeed("cc", "-O0", "-g", "-pthread", *words, *sources, "-o", "program")

    def assert_exact(self, command="./program"):
        """The profile has what the program prints, once per run."""
        for path in glob.glob(self.path("*.wmk")):
            os.remove(path)
        expected = {}
        for runs in (1, 2):
            status, out, err = self.execute("sh", "-c", command)
            self.assertEqual((status, err), (0, ""))
            for line in out.splitlines():
                name, count = line.split()
                expected[name] = expected.get(name, 0) + int(count)
            self.assertTrue(expected)
            (path,) = glob.glob(self.path("*.wmk"))
            report = json.loads(self.succeed("report", "--json", path))
            counted = {function["name"]: function["entry_count"] for function in report["functions"]}
            self.assertEqual({name: counted[name] for name in expected}, expected)
            self.assertEqual((report["runs"], report["cut_short"]), (runs, 0))


class Before(Outside):
    def test_linked_in_all_ways(self):
        for words in ([], ["-static"], [LLD], ["-no-pie"], [IN_MEMORY], [IN_MEMORY, LLD],
                      ["--profile=paths"]):
            with self.subTest(words=words):
                self.build(*words)
                self.assert_exact()

    @unittest.skipUnless(os.access("/proc/self/pagemap", os.R_OK), "the kernel does not tell here")
    def test_untouched_counters_are_not_read(self):
        self.build(names=["own_functions.c", "room.c"])
        silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        process = os.posix_spawn(self.path("program"), ["program"],
                                 {"WAYMARK_FILE": self.path("x.wmk")}, file_actions=silent)
        _, status, usage = os.wait4(process, 0)
        self.assertEqual(status, 0)
        self.assertLess(usage.ru_minflt, 600, "the counters have 1200 pages")

    @NEEDS_COVER
    def test_kernel_says_nothing_about_pages_or_threads(self):
        for words in ([], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words)
                self.assert_exact("export WAYMARK_FILE=chosen.wmk && "
                                  "exec unshare -m sh -c 'umount -l /proc && exec ./program'")
                self.assertTrue(os.path.exists(self.path("chosen.wmk")))

    @NEEDS_COVER
    def test_kernel_speaks_of_other_pages(self):
        self.write("map", b"")
        os.truncate(self.path("map"), 2**47 // 4096 * 8)
        self.build()
        self.assert_exact("unshare -m sh -c 'mount --bind map /proc/$$/pagemap && exec ./program'")

    @NEEDS_COVER
    def test_kernel_stops_in_the_middle(self):
        """Its word on the first 600 pages of counters is that all were written."""
        self.build("-no-pie")
        names = self.execute("nm", "program")[1].split()
        start = int(names[names.index("__start_waymark_counters") - 2], 16)
        self.write("map", (1 << 63).to_bytes(8, "little") * (start // 4096 + 600))
        self.assert_exact("unshare -m sh -c 'mount --bind map /proc/$$/pagemap && exec ./program'")

    def test_constructors_find_the_runtime_started(self):
        """A child of one of them does not count again what its parent had counted."""
        for words in ([], ["-static"], [LLD], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words, names=["constructor.c"])
                self.assert_exact()

    def test_thread_older_than_the_start(self):
        for words in ([], ["-static"], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words, names=["older.c"])
                self.assert_exact()

    def test_threads_of_a_constructor_of_a_library(self):
        plain = ["-O0", "-shared", "-fPIC", "-pthread", self.source("pool.c"), "-o", "libpool.so"]
        self.assertEqual(self.clang(*plain), (0, "", ""))
        for words in ([], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words, "./libpool.so", names=["pool_user.c"])
                self.assert_exact()

    def test_functions_that_the_runtime_calls(self):
        for words in ([], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words, names=["own_functions.c"])
                self.assert_exact()


class Between(Outside):
    """A thread or a child is there, and has not begun."""

    def test_signals_while_threads_are_made(self):
        for words in ([], ["-static"], [IN_MEMORY]):
            self.build(*words, names=["interrupted.c"])
            for made_with in "", "attributes", "c11":
                with self.subTest(words=words, made_with=made_with):
                    self.assert_exact("./program " + made_with)

    def test_signals_to_children(self):
        for words in ([], ["-static"], [IN_MEMORY]):
            with self.subTest(words=words):
                self.build(*words, names=["forked.c"])
                self.assert_exact()

    def assert_same_masks(self, plain_words, words):
        source = self.source("masks.c")
        self.assertEqual(self.clang("-O0", "-pthread", *plain_words, source, "-o", "plain"), (0, "", ""))
        expected = self.execute("./plain")
        self.assertEqual((expected[0], expected[2]), (0, ""))
        self.build(*plain_words, *words, names=["masks.c"])
        self.assertEqual(self.execute("./program"), expected)

    def test_threads_and_their_makers_keep_their_masks(self):
        for words in ([], ["-static"], [IN_MEMORY]):
            with self.subTest(words=words):
                self.assert_same_masks([], words)

    def test_so_they_do_where_a_sanitizer_makes_threads(self):
        """It gives them their maker's mask, whatever their attributes say. Those that ask for just the
        mask that makers have meanwhile are left out: they get what they ask for."""
        self.assert_same_masks(["-fsanitize=address", "-DMASKS_IN_ATTRIBUTES=2"], [])


class Behind(Outside):
    def test_threads_when_the_file_cannot_be_opened_any_more(self):
        for words in [], PATHS_BY_KEY:
            with self.subTest(words=words):
                self.build(*words, names=["confined.c"])
                self.assert_exact()

    def test_library_called_after_its_destructors(self):
        flags = ["-O0", "-g", "-shared", "-fPIC"]
        search = ["-L.", "-Wl,-rpath,."]
        self.assertEqual(self.clang(*flags, self.source("needed.c"), "-o", "libneeded.so"), (0, "", ""))
        for words in [], PATHS_BY_KEY:
            with self.subTest(words=words):
                self.succeed("cc", *words, *flags, self.source("late.c"), *search, "-lneeded", "-o",
                             "liblate.so")
                self.assertEqual(self.clang(self.source("user.c"), *search, "-llate", "-lneeded", "-o",
                                            "program"), (0, "", ""))
                self.assert_exact()


if __name__ == "__main__":
    cases.main("__main__")
