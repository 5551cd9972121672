#!/usr/bin/env python3
"""Which profiles the words of a command line mean: programs, directories, files of which some are
of no use, and nothing at all.

usage: which_profile.py --waymark=PATH [unittest arguments]
"""
import os
import re
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases
from cases import HELLO


class WhichProfile(cases.Case):
    """A program `hello`, run twice: one.wmk is older than two.wmk, which has both runs."""

    def setUp(self):
        super().setUp()
        self.build_hello()
        self.remove_profiles()
        self.run_hello("one.wmk")
        self.run_hello("two.wmk")
        self.run_hello("two.wmk")
        self.age("one.wmk", 7260)
        self.age("two.wmk", 120)

    def remove_profiles(self):
        for name in os.listdir(self.directory):
            if name.endswith(".wmk"):
                os.remove(self.path(name))

    def run_hello(self, profile, program="./hello"):
        self.execute(program, environment={"WAYMARK_FILE": self.path(profile)})

    def age(self, name, seconds):
        then = time.time() - seconds
        os.utime(self.path(name), (then, then))

    def build_other(self):
        """Another program and its profile, the newest of all."""
        self.write("other.c", HELLO.replace("x > 2", "x > 3"))
        self.succeed("cc", "-g", "other.c", "-o", "other")
        self.run_hello("other.wmk", "./other")

    def first_line(self, *words):
        """Without how much work it was."""
        first = self.succeed(*words).replace("\n  ", " ").split("\n", 1)[0]
        return re.sub(r", [0-9,]+ instructions of work \(not time\)", "", first)

    def warned(self, *words):
        status, out, err = self.call(*words)
        self.assertEqual(status, 0, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("waymark: warning: "), err)
        return out, err

    def test_first_line_names_the_file_and_its_age(self):
        self.assertEqual(self.first_line("report"), "hello: 2 runs, from two.wmk, 2 minutes old")
        self.assertEqual(self.first_line("report", "one.wmk"), "hello: 1 run, from one.wmk, 2 hours old")
        self.assertEqual(self.first_line("report", "one.wmk", "two.wmk"),
                         "hello: 3 runs, from one.wmk and 1 more, the newest 2 minutes old")

    def test_program(self):
        """Its newest profile, wherever the newest of all is from."""
        self.build_other()
        self.assertIn("hello: 2 runs, from two.wmk", self.first_line("report", "./hello"))
        self.assertIn("from other.wmk", self.first_line("report"))
        self.assertIn("from two.wmk", self.first_line("report", self.path("hello")))
        self.assertIn("main (hello.c", self.succeed("paths", "main", "hello"))
        self.assertIn("hello.c", self.succeed("annotate", "hello"))
        self.assert_one_line_refusal(["report", "/bin/true"], "/bin/true", "waymark cc")
        self.remove_profiles()
        self.assert_one_line_refusal(["report", "./hello"], "./hello", "no profile of this build",
                                     "run it")

    def test_program_elsewhere(self):
        """The profile is beside the program, the reader somewhere else; the program was moved."""
        for folder in ("built", "here"):
            os.mkdir(self.path(folder))
        os.rename(self.path("hello"), self.path("built/moved"))
        os.rename(self.path("two.wmk"), self.path("built/two.wmk"))
        os.remove(self.path("one.wmk"))
        status, out, err = self.execute("sh", "-c", "cd here && %s report ../built/moved" % self.waymark)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("moved: 2 runs, 240 instructions of work (not time), from ../built/two.wmk", out)

    def test_directory(self):
        self.assertIn("hello: 3 runs, from ./one.wmk and 1 more",
                      self.first_line("report", "./").replace("from one", "from ./one"))
        os.mkdir(self.path("empty"))
        self.assert_one_line_refusal(["report", "empty"], "empty", "no .wmk file in this directory")

    def test_dead_profiles_are_left_out(self):
        """The program of the newest profile is gone, as after configure."""
        self.build_other()
        os.remove(self.path("other"))
        for words in ((), (".",), ("one.wmk", "other.wmk", "two.wmk")):
            out, err = self.warned("report", *words)
            self.assertIn("hello: ", out)
            self.assertIn("left out: ", err)
            self.assertIn("other", err)
        self.assertIn("hello.c", self.warned("annotate")[0])
        self.write("empty.wmk", "")
        out, err = self.warned("report")
        self.assertIn("2 profiles are left out, such as: ", err)
        self.assertIn("from two.wmk", out)
        self.assert_one_line_refusal(["report", "other.wmk"], "other")
        self.assert_one_line_refusal(["report", "empty.wmk", "two.wmk"], "empty.wmk: is empty",
                                     "no space")
        os.remove(self.path("hello"))
        self.assert_one_line_refusal(["report"])

    def test_copies_are_not_counted_twice(self):
        """Two runs that count the same are two; a copy of a file, or a packed one, is none more."""
        os.mkdir(self.path("all"))
        for name in "first", "second":
            self.run_hello("all/%s.wmk" % name)
        self.assertIn("hello: 2 runs, ", self.first_line("report", "all"))
        shutil.copy(self.path("all/first.wmk"), self.path("all/copy.wmk"))
        out, err = self.warned("report", "all")
        self.assertIn("hello: 2 runs, ", out)
        self.assertIn("all/first.wmk has the same runs as all/copy.wmk: left out", err)
        os.remove(self.path("all/copy.wmk"))
        self.succeed("pack", "all/second.wmk")
        out, err = self.warned("report", "all")
        self.assertIn("hello: 2 runs, ", out)
        self.assertIn("has the same runs as", err)
        # Whoever names both wants both.
        self.assertIn("hello: 2 runs, ", self.first_line("report", "all/second.wmk", "all/second-packed.wmk"))

    def test_a_packed_file_is_not_the_newest(self):
        self.age("one.wmk", 9999)
        self.succeed("pack", "two.wmk")
        self.assertIn("from two.wmk, 2 minutes old", self.first_line("report"))
        self.assertIn("from two-packed.wmk, 2 minutes old", self.first_line("report", "two-packed.wmk"))

    def test_annotate_takes_the_profile_as_a_word(self):
        everything = self.succeed("annotate", "--file=one.wmk", "hello.c")
        self.assertEqual(self.succeed("annotate", "hello.c", "one.wmk"), everything)
        self.assertEqual(self.succeed("annotate", "one.wmk"), everything)
        self.assertNotEqual(self.succeed("annotate", "two.wmk"), everything)
        self.assert_one_line_refusal(["annotate", "one.wmk", "two.wmk"], "two profiles")


if __name__ == "__main__":
    cases.main("__main__")
