#!/usr/bin/env python3
"""The options of `waymark cc` itself: which words it takes, refuses, and leaves to clang.

Usage: wrapper_options.py WAYMARK

In clang's place stands a script that prints its arguments.
"""
import os
import subprocess
import sys
import tempfile
import unittest

WAYMARK = os.path.abspath(sys.argv[1])
CLANG = os.environ.get("WAYMARK_CLANG", "clang-19")
STAND_IN = """#!/bin/sh
test "$1" = -dumpversion && echo 19.1.0 && exit
for word in "$@"; do echo "$word"; done
echo "$GLIBC_TUNABLES" >"$0.tunables"
"""


def options_of_clang():
    """Clang's own options with two dashes that take a value."""
    listed = subprocess.run([CLANG, "--autocomplete=--"], capture_output=True, text=True, check=True)
    words = [line.split("\t")[0] for line in listed.stdout.splitlines()]
    return [word for word in words if word.endswith("=")]


class WrapperOptions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.clang = os.path.join(cls.folder.name, "clang")
        with open(cls.clang, "w") as out:
            out.write(STAND_IN)
        os.chmod(cls.clang, 0o755)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def call(self, *arguments):
        return subprocess.run([WAYMARK, "cc", "--clang=" + self.clang, *arguments],
                              capture_output=True, text=True, timeout=60)

    def tunables_of_clang(self, **environment):
        inherited = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}
        subprocess.run([WAYMARK, "cc", "--clang=" + self.clang, "-c", "x.c"], check=True,
                       stdout=subprocess.DEVNULL, env={**inherited, **environment})
        with open(self.clang + ".tunables") as file:
            return file.read().strip()

    def assert_left_to_clang(self, *arguments):
        done = self.call(*arguments, "-c", "x.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        words = done.stdout.splitlines()
        self.assertEqual(words[-len(arguments) - 2:], list(arguments) + ["-c", "x.c"])

    def test_clang_keeps_freed_memory_at_hand_unless_told_otherwise(self):
        self.assertEqual(self.tunables_of_clang(), "glibc.malloc.tcache_count=2000")
        own = "glibc.malloc.check=1"
        self.assertEqual(self.tunables_of_clang(GLIBC_TUNABLES=own), own)

    def test_own_options_stay_here(self):
        for word in ("--profile=blocks", "--placement=optimal", "--weights=goldberg", "--at=early",
                     "--base=memory", "--file=a", "--only=a", "--skip=a", "--strict"):
            with self.subTest(word=word):
                done = self.call(word, "-c", "x.c")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertNotIn(word, done.stdout.splitlines())

    def test_slips_get_the_nearest_option(self):
        for word, nearest in (("--placment=optimal", "placement"), ("--palcemnt=optimal", "placement"),
                              ("--profil=edges", "profile"), ("--wieghts=compiler", "weights"),
                              ("--bases=memory", "base"), ("--onyl=main", "only"),
                              ("--files=", "file"), ("--stric", "strict"), ("--strcit", "strict"),
                              ("--strict=yes", "strict")):
            with self.subTest(word=word):
                done = self.call(word, "-c", "x.c")
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                self.assertEqual(done.stderr, "waymark: unknown option '%s': did you mean --%s?\n" %
                                 (word, nearest))

    def test_options_of_clang_are_left_to_it(self):
        found = options_of_clang()
        self.assertIn("--target=", found)
        for word in found + ["--sysroot=", "--param=", "--language=", "--include=", "--output="]:
            with self.subTest(word=word):
                self.assert_left_to_clang(word + "x")

    def test_words_that_are_not_near_or_have_no_value_are_left_to_clang(self):
        for word in ("--prfl=edges", "--profil", "--static", "--stats", "--a=late", "--" + "x" * 300 + "=y", "--="):
            with self.subTest(word=word):
                self.assert_left_to_clang(word)

    def test_words_for_other_tools_are_left_to_them(self):
        for option in ("-Xlinker", "-Xclang", "-Xassembler", "-Xpreprocessor", "-mllvm"):
            for word in ("--profil=x", "--file=x"):
                with self.subTest(option=option, word=word):
                    self.assert_left_to_clang(option, word)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
