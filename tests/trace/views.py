#!/usr/bin/env python3
"""What `waymark trace` prints of a small program, by hand; and one line for each kind of bad input."""
import argparse
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CALLS = """\
static volatile int sum;
__attribute__((noinline)) static void add(int n)
{
	if (n & 1)
		sum += n;
	else
		sum -= n;
}
int main(void)
{
	for (int i = 0; i < 3; i++)
		add(i);
	return 0;
}
"""

# At -O0: the loop's condition, add, its branch and the arm, its end, the loop's step; three times.
LINES = [11, *[line for i in range(3) for line in (11, 12, 4, 7 if i % 2 == 0 else 5, 8, 11)], 11, 13]


def run(directory, *words, status=0):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode != status:
        raise AssertionError("%s: exit %s: %s" % (words, done.returncode, done.stderr.decode()))
    return done.stdout.decode(), done.stderr.decode()


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="waymark-")
        with open(os.path.join(cls.folder, "calls.c"), "w") as file:
            file.write(CALLS)
        run(cls.folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "calls", "calls.c")
        run(cls.folder, "./calls")
        cls.trace = [name for name in os.listdir(cls.folder) if name.endswith(".wmt")][0]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def lines_of(self, *options):
        return run(self.folder, WAYMARK, "trace", *options, self.trace)[0].splitlines()

    def refused(self, *words, status=1):
        out, err = run(self.folder, WAYMARK, "trace", *words, status=status)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        return err

    def test_lines_are_those_that_ran_in_order(self):
        got = self.lines_of("--lines")
        self.assertTrue(all(line.startswith(self.folder + "/calls.c:") for line in got))
        numbers = [int(line.rsplit(":", 1)[1]) for line in got]
        # Positions of a block at -O0 name further lines of its own statements, so runs of equal lines are one.
        def squeezed(lines):
            return [line for i, line in enumerate(lines) if i == 0 or line != lines[i - 1]]
        self.assertEqual([line for line in squeezed(numbers) if line in (4, 5, 7)], [4, 7, 4, 5, 4, 7])
        self.assertEqual(squeezed(numbers)[-1], 13)

    def test_count(self):
        line, = self.lines_of("--count")
        self.assertIn(" 4 calls, 0 handlers of signals, at most 2 frames", line)
        self.assertIn("; its first function returned", line)
        # three branches in add, four of the loop
        self.assertIn(" 7 branches", line)

    def test_calls_are_a_tree(self):
        self.assertEqual([line.split("  from")[0].rstrip() for line in self.lines_of("--calls")],
                         ["main"] + ["  add", "  add: 3 blocks"] * 3 + ["main: %d blocks" % (3 * 6 + 3)])

    def test_branches_tell_the_successor(self):
        got = [line.split() for line in self.lines_of("--branches")]
        self.assertEqual([words[1] for words in got], ["main", "add"] * 3 + ["main"])
        taken = [words[3] for words in got]
        self.assertEqual(taken[0::2], ["0/2", "0/2", "0/2", "1/2"])
        self.assertEqual(taken[1::2], ["1/2", "0/2", "1/2"])

    def test_last_shows_the_source(self):
        got = self.lines_of("--last=1")
        self.assertEqual(got[0], "main")
        self.assertEqual(got[1].split(), ["calls.c:13", "return", "0;"])
        self.assertEqual(got[2], "its first function returned")

    def test_around_shows_the_lines_before_and_behind(self):
        got = self.lines_of("--around=calls.c:5", "--last=2")
        marked = got.index("^ here")
        self.assertIn("calls.c:5", got[marked - 1])
        self.assertIn("calls.c:4", got[marked - 2])
        self.assertIn("calls.c:8", got[marked + 1])
        again = self.lines_of("--around=calls.c:7#2", "--last=40")
        self.assertIn("its first function returned", again[-1])
        self.assertIn("ran 2 times, not 3", run(self.folder, WAYMARK, "trace", "--around=calls.c:7#3", self.trace,
                                               status=1)[1])

    def test_between_shows_all_lines_from_one_to_the_other(self):
        got = [line.split()[0] for line in self.lines_of("--between=calls.c:5,calls.c:13") if "calls.c:" in line]
        self.assertEqual((got[0], got[-1]), ("calls.c:5", "calls.c:13"))
        self.assertEqual([line for line in got if line in ("calls.c:5", "calls.c:7")], ["calls.c:5", "calls.c:7"])

    def test_a_killed_program_is_told_up_to_the_end(self):
        with open(os.path.join(self.folder, "forever.c"), "w") as file:
            file.write("int main(void)\n{\n\tvolatile long i = 0;\n\tfor (;;)\n\t\tif (++i % 3)\n\t\t\ti++;\n}\n")
        run(self.folder, WAYMARK, "cc", "-O1", "-g", "--profile=trace", "-o", "forever", "forever.c")
        process = subprocess.Popen(["./forever"], cwd=self.folder)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        out, _ = run(self.folder, WAYMARK, "trace", "--count", "forever")
        self.assertIn("it was killed, or runs still", out)
        self.assertGreater(int(out.split()[2]), 10000)

    def test_a_trace_goes_on_while_counting_pauses_and_in_another_file(self):
        folder = os.path.join(self.folder, "paused")
        os.mkdir(folder)
        with open(os.path.join(folder, "paused.c"), "w") as file:
            file.write("#include <waymark.h>\n" + CALLS.replace(
                "\treturn 0;", "\twaymark_pause();\n\tadd(7);\n\twaymark_resume();\n\tadd(8);\n"
                "\twaymark_set_file(\"other.wmk\");\n\tadd(9);\n\treturn 0;"))
        run(folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "paused", "paused.c")
        run(folder, "./paused")
        path, = glob.glob(os.path.join(folder, "*.wmt"))
        out, _ = run(folder, WAYMARK, "trace", "--count", path)
        self.assertIn(" 7 calls", out)  # main, and add for 0 to 2 and 7 to 9
        self.assertIn("its first function returned", out)

    def test_a_trace_that_has_no_room_ends_and_the_program_goes_on(self):
        """A limit of 512 KiB leaves room for a few pieces."""
        with open(os.path.join(self.folder, "long.c"), "w") as file:
            file.write(CALLS.replace("i < 3", "i < 3000000"))
        run(self.folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "long", "long.c")
        run(self.folder, "sh", "-c", "ulimit -f 1024; exec ./long")
        out, _ = run(self.folder, WAYMARK, "trace", "--count", "long")
        self.assertIn("there was no room for more", out)
        self.assertGreater(int(out.split()[2]), 1000)

    def test_bad_input_gets_one_line(self):
        path = os.path.join(self.folder, self.trace)
        with open(path, "rb") as file:
            good = file.read()
        def damaged(name, data):
            with open(os.path.join(self.folder, "bad-" + name + ".wmt"), "wb") as file:
                file.write(data)
            return "bad-" + name + ".wmt"
        self.assertIn("is no trace", self.refused(damaged("empty", b"")))
        self.assertIn("is no trace", self.refused(damaged("short", good[:100])))
        self.assertIn("is no trace", self.refused(damaged("magic", b"X" + good[1:])))
        self.assertIn("is of build-id", self.refused("--binary=calls", damaged("build", good[:48] + b"?" + good[49:])))
        self.assertIn("no traced function ran", self.refused(damaged("header", good[:4096])))
        self.assertIn("cannot read", self.refused("missing.wmt"))
        self.assertIn("unknown option", self.refused("--liens", status=2))
        self.assertIn("has no thread 1", self.refused("--thread=1", self.trace))
        self.assertIn("never ran", self.refused("--around=calls.c:99", self.trace))
        self.assertIn("give FILE:LINE", self.refused("--around=calls.c", self.trace, status=2))
        self.assertIn("give FILE:LINE,FILE:LINE", self.refused("--between=calls.c:4", self.trace, status=2))

    def test_truncated_calls_are_told_up_to_there(self):
        """The second unit of the calls is no function's: one line says where."""
        folder = os.path.join(self.folder, "pointers")
        os.mkdir(folder)
        with open(os.path.join(folder, "pointers.c"), "w") as file:
            file.write(CALLS.replace("int main", "void (*volatile called)(int) = add;\nint main").replace(
                "\t\tadd(", "\t\tcalled("))
        run(folder, WAYMARK, "cc", "-O0", "-g", "--profile=trace", "-o", "pointers", "pointers.c")
        run(folder, "./pointers")
        path, = glob.glob(os.path.join(folder, "*.wmt"))
        with open(path, "rb") as file:
            data = bytearray(file.read())
        at = data.index(bytes(data[2 * 4096 + 65536:2 * 4096 + 65536 + 4]))
        data[at + 4:at + 8] = b"\x09\x00\x00\x00"
        name = os.path.join(self.folder, "damaged.wmt")
        with open(name, "wb") as file:
            file.write(data)
        out, err = run(self.folder, WAYMARK, "trace", "--lines", "damaged.wmt")
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("what is shown ends there", err)
        self.assertTrue(out)
        os.remove(name)


parser = argparse.ArgumentParser()
parser.add_argument("--waymark", required=True)
arguments, rest = parser.parse_known_args()
WAYMARK = os.path.abspath(arguments.waymark)
unittest.main(argv=[sys.argv[0]] + rest)
