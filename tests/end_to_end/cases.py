"""Base of the unittest cases that drive the command line: a directory of their own per test.

usage of every test file built on it: FILE --waymark=PATH [unittest arguments]
"""
import os
import re
import sys
import tempfile
import unittest

import harness

HELLO = """#include <stdio.h>
static int twice(int x) { return x > 2 ? 2 * x : x; }
int main(void) {
	int sum = 0;
	for (int i = 0; i < 5; i++) sum += twice(i);
	printf("%d\\n", sum);
	return 0;
}
"""


def take_waymark():
    """The --waymark=PATH word of the command line, taken out so that unittest does not see it."""
    for word in sys.argv[1:]:
        if word.startswith("--waymark="):
            sys.argv.remove(word)
            return os.path.abspath(word.split("=", 1)[1])
    sys.exit("usage: %s --waymark=PATH" % sys.argv[0])


class Case(unittest.TestCase):
    waymark = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        self.addCleanup(holder.cleanup)
        self.directory = os.path.realpath(holder.name)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, data):
        with open(self.path(name), "w" if isinstance(data, str) else "wb") as out:
            out.write(data)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def call(self, *words, **keywords):
        """Runs waymark; returns exit status, standard output and standard error as text."""
        status, out, err = harness.run([self.waymark] + list(words), self.directory, **keywords)
        return status, out.decode(errors="replace"), err.decode(errors="replace")

    def clang(self, *words, **keywords):
        status, out, err = harness.run([harness.CLANG] + list(words), self.directory, **keywords)
        return status, out.decode(errors="replace"), err.decode(errors="replace")

    def execute(self, *words, **keywords):
        status, out, err = harness.run(list(words), self.directory, **keywords)
        return status, out.decode(errors="replace"), err.decode(errors="replace")

    def succeed(self, *words, **keywords):
        status, out, err = self.call(*words, **keywords)
        self.assertEqual((status, err), (0, ""), "waymark %s" % " ".join(words))
        return out

    def build_hello(self, *words):
        self.write("hello.c", HELLO)
        self.succeed("cc", "-g", *words, "hello.c", "-o", "hello")
        self.assertEqual(self.execute("./hello"), (0, "17\n", ""))

    def assert_hello_wrote_nothing(self, got, file):
        """It ran as always, and one line says that this file was not written."""
        status, out, err = got
        self.assertEqual((status, out), (0, "17\n"))
        self.assertRegex(err, r"\Awaymark: no profile written: [^\n]*'%s'[^\n]*\n\Z" %
                         re.escape(self.path(file)))

    def files(self):
        return {name: self.read(name) for name in os.listdir(self.directory)
                if os.path.isfile(self.path(name))}

    def assert_one_line_refusal(self, words, *fragments, **keywords):
        """Non-zero exit by no signal, one line with all fragments, nothing printed or written."""
        before = self.files()
        status, out, err = self.call(*words, **keywords)
        what = "waymark %s: exit %s, printed %r, said %r" % (" ".join(words), status, out, err)
        self.assertTrue(status is not None and status > 0, what)
        self.assertEqual(out, "", what)
        self.assertTrue(err.endswith("\n") and len(err.splitlines()) == 1, what)
        for fragment in fragments:
            self.assertIn(fragment, err, what)
        self.assertEqual(self.files(), before, what)


def main(module):
    Case.waymark = take_waymark()
    unittest.main(module=module)
