#!/usr/bin/env python3
"""The tool on a terminal: colours, pager, width, and the ways to ask for help.

Usage: terminal.py WAYMARK
"""
import errno
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

WAYMARK = os.path.abspath(sys.argv[1])
ESCAPE = "\033["
GRAPH = "digraph g { entry=a; exit=d; a -> b; a -> c; b -> d; c -> d; }\n"
PAGER = """#!/bin/sh
echo "paged $COLUMNS $LESS" >"$0.ran"
cat
sleep 0.2
echo end >>"$0.ran"
"""


class Terminal(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name
        self.pager = self.write("pager", PAGER, 0o755)
        self.write("graph.dot", GRAPH)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.directory, name)
        with open(path, "w") as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def environment(self, **settings):
        names = ("NO_COLOR", "PAGER", "WAYMARK_PAGER", "COLUMNS", "LESS")
        inherited = {name: value for name, value in os.environ.items() if name not in names}
        return {**inherited, "TERM": "xterm", **settings}

    def start_on_terminal(self, words, columns=80, **settings):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([WAYMARK, *words], stdin=theirs, stdout=theirs, stderr=theirs,
                                   cwd=self.directory, env=self.environment(**settings))
        os.close(theirs)
        self.addCleanup(os.close, ours)
        return process, ours

    def on_terminal(self, *words, **settings):
        """Exit status, and what the terminal showed."""
        process, ours = self.start_on_terminal(words, **settings)
        shown = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError as error:  # how Linux tells that nobody has the terminal open any more
                if error.errno != errno.EIO:
                    raise
                more = b""
            if not more:
                break
            shown += more
        return process.wait(timeout=60), shown.decode().replace("\r\n", "\n")

    def piped(self, *words, **settings):
        done = subprocess.run([WAYMARK, *words], cwd=self.directory, capture_output=True, text=True,
                              env=self.environment(**settings), timeout=60)
        return done.returncode, done.stdout, done.stderr

    def ran(self):
        """What the pager left behind, and forgets it."""
        try:
            with open(self.pager + ".ran") as file:
                return file.read()
        except FileNotFoundError:
            return None
        finally:
            subprocess.run(["rm", "-f", self.pager + ".ran"], check=True)


class Pager(Terminal):
    def test_long_output_goes_through_it(self):
        for setting in "WAYMARK_PAGER", "PAGER":
            status, shown = self.on_terminal("plan", "graph.dot", columns=93, **{setting: self.pager})
            self.assertEqual((status, self.ran()), (0, "paged 93 FRX\nend\n"))
            self.assertIn(ESCAPE, shown)
            plain = self.piped("plan", "graph.dot", "--color=always", COLUMNS="93")
            self.assertEqual(plain, (0, shown, ""))

    def test_its_own_setting_comes_first(self):
        self.on_terminal("help", WAYMARK_PAGER="cat", PAGER=self.pager)
        self.assertIsNone(self.ran())

    def test_not_without_a_terminal(self):
        self.assertEqual(self.piped("help", WAYMARK_PAGER=self.pager)[0], 0)
        self.assertIsNone(self.ran())

    def test_not_where_it_is_unwanted(self):
        for words, settings in ((["help", "--no-pager"], {}), (["--no-pager", "help"], {}),
                                (["help"], {"WAYMARK_PAGER": ""}), (["help"], {"TERM": "dumb"}),
                                (["doctor"], {}), (["--version"], {})):
            with self.subTest(words=words, settings=settings):
                status, shown = self.on_terminal(*words, **{"WAYMARK_PAGER": self.pager, **settings})
                self.assertEqual(status, 0)
                self.assertRegex(shown, "(?i)waymark")
                self.assertIsNone(self.ran())

    def test_a_missing_one_is_done_without(self):
        shown = self.on_terminal("help", WAYMARK_PAGER="/nowhere/pager -x")
        self.assertEqual(shown, self.on_terminal("help", "--no-pager"))
        self.assertEqual(shown[0], 0)

    def test_one_that_quits_early_is_no_error(self):
        edges = "".join("a%d -> a%d; a%d -> a%d;" % (i, i + 1, i, i + 2) for i in range(3000))
        self.write("many.dot", "digraph g { entry=a0; exit=a3001; %s a3000 -> a3001; }\n" % edges)
        full = self.piped("plan", "many.dot")
        self.assertEqual(full[0], 0)
        self.assertGreater(len(full[1]), 2 ** 16, "fits into a pipe")
        for pager in "true", "head -1", "false":
            status, shown = self.on_terminal("plan", "many.dot", WAYMARK_PAGER=pager)
            self.assertEqual(status, 0, shown)
            self.assertLessEqual(len(shown.splitlines()), 1)

    def test_errors_are_shown_and_the_status_stays(self):
        status, shown = self.on_terminal("plan", "absent.dot", WAYMARK_PAGER=self.pager)
        self.assertEqual(status, 1)
        self.assertRegex(shown, r"\Awaymark: [^\n]*absent\.dot[^\n]*\n\Z")

    def test_less_by_default(self):
        self.write("less", '#!/bin/sh\necho "$*" >"%s.ran"\ncat\n' % self.pager, 0o755)
        status, _ = self.on_terminal("help", PATH=self.directory + ":" + os.environ["PATH"])
        self.assertEqual((status, self.ran()), (0, "-FRX\n"))

    def test_an_interrupt_leaves_the_terminal_to_it(self):
        """The process ends by the signal, and not before its pager."""
        process, ours = self.start_on_terminal(["help"], WAYMARK_PAGER=self.pager)
        self.assertIn(b"Usage", os.read(ours, 4096))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        self.assertTrue(self.ran().endswith("end\n"))


class Colours(Terminal):
    def shows(self, *words, **settings):
        status, shown = self.on_terminal("plan", "--no-pager", "graph.dot", *words, **settings)
        self.assertEqual(status, 0)
        return ESCAPE in shown

    def prints(self, *words, **settings):
        status, out, err = self.piped("plan", "graph.dot", *words, **settings)
        self.assertEqual((status, err), (0, ""))
        return ESCAPE in out

    def test_on_a_terminal_only(self):
        self.assertTrue(self.shows())
        self.assertFalse(self.prints())
        self.assertTrue(self.shows("--color=auto"))
        self.assertFalse(self.prints("--color=auto"))

    def test_as_the_user_says(self):
        self.assertFalse(self.shows(NO_COLOR="1"))
        self.assertTrue(self.shows(NO_COLOR=""))
        self.assertFalse(self.shows(TERM="dumb"))
        self.assertFalse(self.shows("--color=never"))
        self.assertTrue(self.prints("--color=always"))
        self.assertTrue(self.prints("--color=always", NO_COLOR="1"))
        self.assertIn(ESCAPE, self.piped("--color=always", "plan", "graph.dot")[1])

    def test_other_words_are_refused(self):
        for word in "--color=sometimes", "--color=", "--color":
            status, out, err = self.piped("plan", word, "graph.dot")
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(err, r"\Awaymark: --color[^\n]*always[^\n]*\n\Z")


class Help(Terminal):
    def test_ways_to_ask(self):
        overview = self.piped("help")
        self.assertEqual((overview[0], overview[2]), (0, ""))
        self.assertIn("Usage: waymark COMMAND", overview[1])
        for words in [], ["--help"], ["-h"]:
            self.assertEqual(self.piped(*words), overview, words)

    def test_ways_to_ask_for_a_command(self):
        for command in "report", "cc", "completion":
            told = self.piped("help", command)
            self.assertEqual((told[0], told[2]), (0, ""))
            self.assertIn("Usage: waymark " + command, told[1])
            for word in "--help", "-h":
                self.assertEqual(self.piped(command, word), told)
        self.assertEqual(self.piped("report", "x.wmk", "--top=3", "-h"), self.piped("help", "report"))
        self.assertEqual(self.piped("help", "--help"), self.piped("help", "help"))

    def test_words_have_a_line_each(self):
        for word in "status", "dump", "reset", "-o":
            self.assertRegex(self.piped("help", "ctl")[1], r"(?m)^  %s .*[a-z]" % word)

    def test_every_option_is_described(self):
        for name in re.findall(r"^  ([a-z+]+) +\S", self.piped("help")[1], re.M):
            text = self.piped("help", name)[1]
            self.assertNotRegex(text, r"(?m)^  -\S+\n(?! {28}\S)", name)

    def test_width(self):
        """Every text fits into 80 columns, and says the same in others."""
        for words in [], *([name] for name in re.findall(r"^  ([a-z+]+) +\S", self.piped("help")[1], re.M)):
            texts = {width: self.piped("help", *words, COLUMNS=str(width))[1] for width in (60, 80, 200)}
            body = texts[80].split("\n", 1)[1]
            self.assertLessEqual(max(map(len, body.splitlines())), 80, words)
            self.assertEqual(len({" ".join(text.split()) for text in texts.values()}), 1)

    def test_version(self):
        told = self.piped("--version")
        self.assertRegex(told[1], r"\Awaymark \d+\.\d+\.\d+\n\Z")
        for word in "-V", "-v":
            self.assertEqual(self.piped(word), told)

    def test_slips(self):
        for words, fragment in ((["reprot"], "unknown command 'reprot'; did you mean report?"),
                                (["help", "reprot"], "unknown command 'reprot'; did you mean report?"),
                                (["-x"], "unknown option '-x'; `waymark help` lists them"),
                                (["help", "report", "path"], "name one command")):
            status, out, err = self.piped(*words)
            self.assertEqual((status, out, len(err.splitlines())), (2, "", 1))
            self.assertIn(fragment, err)

    def test_words_behind_two_dashes_are_left_alone(self):
        status, out, err = self.piped("plan", "--", "--no-pager")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("--no-pager", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
