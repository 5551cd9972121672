#!/usr/bin/env python3
"""A run that can write no profile says so: one line on standard error, where that is the program's.

usage: losses.py --waymark=PATH [unittest arguments]

The program is loser.c, which ends with status 5 in all ways but a kill, and prints nothing itself.
"""
import os
import shlex
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, HERE)

import cases
import harness
import hosts

BELOW_A_FILE = "/dev/null/x.wmk"
LINE = ("waymark: no profile written: cannot open '/dev/null/x.wmk': Not a directory; "
        "set WAYMARK_FILE to a file that can be written, or WAYMARK_QUIET=1\n")


class Losses(cases.Case):
    def setUp(self):
        super().setUp()
        self.build("loser")

    def build(self, out, *words, said=""):
        status, _, err = self.call("cc", harness.LINKER, "-O2", "-g", "-pthread", *words,
                                   os.path.join(HERE, "loser.c"), "-o", out)
        self.assertEqual(status, 0)
        self.assertRegex(err, "^%s$" % said)

    def lose(self, *words, place=BELOW_A_FILE, environment=None, program="loser"):
        environment = dict(environment or {}, WAYMARK_FILE=place)
        return self.execute(self.path(program), *words, environment=environment)

    def shell(self, script, place=BELOW_A_FILE):
        environment = {"WAYMARK_FILE": place, "LOSER": self.path("loser")}
        return self.execute("bash", "-c", script, environment=environment)

    def assert_one_line(self, *words, **keywords):
        self.assertEqual(self.lose(*words, **keywords), (5, "", LINE))

    def assert_silence(self, *words, status=5, **keywords):
        self.assertEqual(self.lose(*words, **keywords), (status, "", ""))


class Endings(Losses):
    def test_each_orderly_end(self):
        for way in "return", "exit", "_exit", "execute":
            with self.subTest(way=way):
                self.assert_one_line(way)

    def test_a_killed_run(self):
        self.assert_silence("kill", status=-signal.SIGKILL)

    def test_once_though_an_exec_failed(self):
        self.assert_one_line("fail to execute")

    def test_children_share_the_failure_of_their_parent(self):
        self.assert_one_line("children")
        self.assert_one_line("daemon")

    def test_threads(self):
        self.assert_one_line("threads")

    def test_static(self):
        self.build("static", "-static")
        self.assert_one_line(program="static")


class Reasons(Losses):
    def assert_reason(self, place, fragment, **keywords):
        status, out, err = self.lose(place=place, **keywords)
        self.assertEqual((status, out, err.count("\n")), (5, "", 1), err)
        self.assertTrue(err.startswith("waymark: no profile written: "), err)
        self.assertIn(fragment, err)

    def test_each_has_a_text(self):
        self.write("letter", "dear reader\n" * 1000)
        os.symlink("loop", self.path("loop"))
        os.mkfifo(self.path("pipe"))
        letter, loop, pipe = map(self.path, ("letter", "loop", "pipe"))
        self.assert_reason(letter + "/x", "cannot open '%s/x': Not a directory" % letter)
        self.assert_reason(self.directory, "cannot open '%s': Is a directory" % self.directory)
        self.assert_reason(loop, "cannot open '%s': Too many levels of symbolic links" % loop)
        self.assert_reason(pipe, "cannot write '%s': not a regular file" % pipe)
        self.assert_reason("/proc/x.wmk", "cannot create '/proc/x.wmk': No such file or directory")
        self.assert_reason("/" + 3000 * "y/" + "z", "File name too long")
        self.assert_reason("/dev/full", "cannot write '/dev/full': not a regular file")

    def test_a_file_in_the_way_and_one_beside_it(self):
        self.build_hello()
        for name in os.listdir(self.directory):
            if name.endswith(".wmk"):
                os.remove(self.path(name))
        self.write("x.wmk", "dear reader\n" * 1000)
        self.assertEqual(self.lose(place=self.path("x.wmk")), (5, "", ""))
        (beside,) = [name for name in os.listdir(self.directory) if name.startswith("x-")]
        os.truncate(self.path(beside), 5000)
        self.assert_reason(self.path("x.wmk"),
                           "cannot use '%s': not a whole profile of this build" % self.path(beside))

    def test_limit_on_files(self):
        status, out, err = self.shell("ulimit -f 1; $LOSER", place=self.path("x.wmk"))
        self.assertEqual((status, out), (5, ""))
        self.assertIn("cannot write '%s': File too large;" % self.path("x.wmk"), err)

    def test_no_build_id(self):
        self.build("nameless", "-Wl,--build-id=none")
        self.assertEqual(self.lose(program="nameless"),
                         (5, "", "waymark: no profile written: the program has no build-id; link it with "
                                 "waymark cc or -Wl,--build-id\n"))

    @hosts.NEEDS_MOUNT
    def test_full_disk(self):
        self.assertIn("No space left on device", self.shell(
            "unshare -m sh -c 'mount -t tmpfs -o size=4k tmpfs /mnt && $LOSER'", "/mnt/x.wmk")[2])

    @hosts.NEEDS_OTHER_USER
    def test_directory_of_another_user(self):
        os.chmod(self.directory, 0o755)
        place = self.path("x.wmk")
        self.assertIn("cannot create '%s': Permission denied;" % place, self.shell(
            "exec setpriv --reuid=65534 --clear-groups $LOSER", place)[2])


class Silence(Losses):
    def test_where_it_is_wanted(self):
        self.assert_silence(environment={"WAYMARK_QUIET": "1"})
        self.assert_silence(place="/dev/null")
        self.assert_one_line(environment={"WAYMARK_QUIET": "0"})
        self.assert_one_line(environment={"WAYMARK_QUIET": ""})

    def test_where_a_profile_is_written(self):
        self.assert_silence("children", place=self.path("x.wmk"))

    def test_where_nothing_is_counted(self):
        self.build("uncounted", "--only=nosuch", said="waymark: warning: 'uncounted' counts nothing: .*\n")
        self.assert_silence(program="uncounted")

    def test_where_standard_error_is_closed(self):
        self.assertEqual(self.shell("exec $LOSER 2>&-"), (5, "", ""))

    def test_where_its_number_is_that_of_another_file(self):
        self.assert_silence("reuse", self.path("other"))
        self.assertEqual(self.read("other"), b"")

    def test_where_nobody_reads(self):
        """Neither the write nor its signal may end the program, nor may a full pipe stop it."""
        script = "import os, subprocess, sys\n" \
                 "r, w = os.pipe()\n" \
                 "%s\n" \
                 "print(subprocess.run([sys.argv[1]], stderr=w, timeout=60).returncode)\n"
        for before in "os.close(r)", "os.set_blocking(w, False)\ntry:\n  while True: os.write(w, b'x')\n" \
                                     "except BlockingIOError: os.set_blocking(w, True)":
            with self.subTest(before=before):
                done = self.shell("python3 -c %s $LOSER" % shlex.quote(script % before))
                self.assertEqual(done, (0, "5\n", ""))

    def test_where_the_line_exceeds_a_limit(self):
        self.assertEqual(self.shell("ulimit -f 0; $LOSER 2>err; exec /bin/true")[0], 0)
        self.assertEqual(self.shell("trap 'exit 7' XFSZ; (ulimit -f 0; exec $LOSER 2>err)")[0], 5)
        self.assertEqual(self.read("err"), b"")

    @hosts.NEEDS_OTHER_USER
    def test_with_more_rights_than_the_user(self):
        os.chmod(self.directory, 0o755)
        os.chmod(self.path("loser"), 0o4755)
        os.mkdir(self.path("gone"))
        self.assertEqual(self.shell("cd gone && rmdir ../gone && "
                                    "exec setpriv --reuid=65534 --clear-groups $LOSER"), (5, "", ""))


if __name__ == "__main__":
    cases.main("__main__")
