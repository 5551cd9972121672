#!/usr/bin/env python3
"""The table of bench/lost_counts, at a small size: none of our counts is missing or too many, and
LLVM's are those of the text where nothing can be lost."""
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
WAYMARK = sys.argv.pop(1)


class LostCountsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        out = subprocess.run(
            [os.path.join(HERE, "lost_counts"), WAYMARK, "--letters=100000", "--threads=1,3",
             "--repetitions=1", "--kills=3", "--kill-threads=3"],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        rows = [line.strip("| ").split(" | ") for line in out.splitlines() if line[:1] == "|"]
        cls.rows = {row[0]: row[1:] for row in rows[2:]}

    def wrong(self, title, column):
        return self.rows[title][column].split(", ")[1]

    def test_no_count_of_ours_is_wrong(self):
        for title in ("Waymark, `--profile=edges`", "Waymark, paths"):
            with self.subTest(title):
                self.assertEqual([self.wrong(title, column) for column in (0, 1)], ["0", "0"])
                self.assertEqual(self.rows[title][2:], ["3 of 3, 0", "0"])

    def test_counts_of_clang_are_read(self):
        self.assertEqual(self.wrong("`-fprofile-generate`", 0), "0")
        for column in (0, 1):
            self.assertEqual(self.wrong("the same, `-fprofile-update=atomic`", column), "0")
        self.assertEqual(self.rows["`-fprofile-generate`"][2:], ["0 of 3, −100.0%", "+33.3%"])


unittest.main()
