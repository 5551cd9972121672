#!/usr/bin/env python3
"""`waymark completion`: bash and fish are asked what they would complete; zsh reads its script.

Usage: completion.py WAYMARK

What must be completed is read from the help texts by expressions of this test's own.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

WAYMARK = os.path.abspath(sys.argv[1])
ASK_BASH = """
source completion.bash
compopt() { :; }
COMP_LINE=%s COMP_POINT=${#COMP_LINE} COMP_WORDS=(%s) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_WORDBREAKS=%s
_waymark
printf '%%s\\n' "${COMPREPLY[@]}"
"""


def output(*words):
    return subprocess.run([WAYMARK, *words], check=True, capture_output=True, text=True).stdout


def commands():
    return re.findall(r"^  ([a-z+]+) +\S", output("help"), re.M)


def options(command):
    """With their dashes; those of all commands included."""
    listed = output("help", command) + (output("help") if command != "cc" else "")
    rows = re.findall(r"^  (-.*?)(?:  .*)?$", listed, re.M)
    return {option for row in rows for option in re.findall(r"(?:^|[ |])(--?[a-z][\w-]*)", row)}


class Completion(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name
        for shell in "bash", "fish", "zsh":
            self.write("completion." + shell, output("completion", shell))
        for name in "first.wmk", "second.wmk", "other.txt":
            self.write(name, "")

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w") as out:
            out.write(text)

    def shell(self, *words):
        done = subprocess.run(words, cwd=self.directory, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "HOME": self.directory, "TERM": "dumb"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def bash(self, line, breaks=""):
        words = re.findall(r"[^ ]+", line) + ([""] if line.endswith(" ") else [])
        said = self.shell("bash", "--norc", "-uc", ASK_BASH % (
            shlex.quote(line), " ".join(map(shlex.quote, words)), shlex.quote(breaks)))
        return set(said.split())

    def test_bash_commands(self):
        self.assertGreaterEqual(len(commands()), 12)
        self.assertEqual(self.bash("waymark "), set(commands()))
        self.assertEqual(self.bash("waymark pa"), {"pack", "path", "paths"})
        self.assertEqual(self.bash("waymark help pa"), {"pack", "path", "paths"})
        self.assertEqual(self.bash("/usr/bin/waymark rep"), {"report"})

    def test_bash_options(self):
        for command in commands():
            with self.subTest(command=command):
                told = {word.split("=")[0] for word in self.bash("waymark %s -" % command)}
                self.assertEqual(told, options("cc" if command == "c++" else command))
        self.assertEqual(self.bash("waymark-cc --prof"),
                         {"--profile=paths", "--profile=edges", "--profile=blocks", "--profile=events",
                          "--profile=context", "--profile=trace"})
        self.assertEqual(self.bash("waymark report --top=3 --js"), {"--json"})
        self.assertEqual(self.bash("waymark --no-pager report --js"), {"--json"})

    def test_bash_values(self):
        self.assertEqual(self.bash("waymark cc --at="), {"--at=late", "--at=early"})
        self.assertEqual(self.bash("waymark cc --at=l"), {"--at=late"})
        self.assertEqual(self.bash("waymark cc --at=", breaks=" =:"), {"late", "early"})
        self.assertEqual(self.bash("waymark cc --use=fi", breaks="="), {"first.wmk"})
        self.assertEqual(self.bash("waymark ctl 1 "), {"status", "dump", "reset", "first.wmk", "second.wmk"})
        self.assertEqual(self.bash("waymark completion "), {"bash", "zsh", "fish"})

    def test_bash_files(self):
        self.assertEqual(self.bash("waymark report "), {"first.wmk", "second.wmk"})
        self.assertEqual(self.bash("waymark report s"), {"second.wmk"})
        self.assertEqual(self.bash("waymark cc "), set(), "left to bash")

    def fish(self, line):
        said = self.shell("fish", "--no-config", "-c", "source completion.fish; complete -C " + shlex.quote(line))
        return {word.split("\t")[0] for word in said.splitlines()}

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish(self):
        self.assertEqual(self.fish("waymark pa"), {"pack", "path", "paths"})
        for command in commands():
            told = {word.rstrip("=") for word in self.fish("waymark %s --" % command) if word[:2] == "--"}
            wanted = {word for word in options("cc" if command == "c++" else command) if word[:2] == "--"}
            self.assertEqual(told, wanted)
        self.assertEqual(self.fish("waymark cc --at="), {"--at=late", "--at=early"})
        self.assertEqual(self.fish("waymark help pa"), {"pack", "path", "paths"})

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh(self):
        self.assertEqual(self.shell("zsh", "-f", "-n", "completion.zsh"), "")
        script = output("completion", "zsh")
        for command in commands():
            part = re.search(rf"^\t{re.escape(command)}\)\n(.*?)^\t\t;;", script, re.S | re.M)[1]
            self.assertEqual(set(re.findall(r"'\*(--?[a-z][\w-]*)=?\[", part)),
                             options("cc" if command == "c++" else command))

    def test_other_shells_are_refused(self):
        for words in [], ["ksh"], ["bash", "zsh"]:
            done = subprocess.run([WAYMARK, "completion", *words], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "waymark: completion: name a shell: bash, zsh or fish\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
