#!/usr/bin/env python3
"""Hosts that get in the way: a counted program prints and returns what it does without counters.

It may say, in one line, that it could write no profile; losses.py tests that line.

usage: hosts.py --waymark=PATH [unittest arguments]

The program is guest.c, dynamic and, where the loader itself would suffer, static. Where a profile can
be written in spite of all, its counts are those known from the text of guest.c.
"""
import glob
import json
import os
import struct
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases
import harness

WORK_CALLS = 10  # by the text of guest.c: one before the command, eight threads, one child

# Names the first free block as folded and fills its counters; offsets by docs/file-format.md.
CUT_SHORT = """
import struct, sys
with open(sys.argv[1], "r+b") as file:
    data = file.read()
    counter_bytes, stride = struct.unpack_from("<QQ", data, 16)
    offsets = range(4096 + 2 * stride, len(data), stride)
    free = [at for at in offsets if struct.unpack_from("<I", data, at)[0] == 0]
    file.seek(free[0] + 64)
    file.write(struct.pack("<Q", 5) * (counter_bytes // 8))
    (commit,) = struct.unpack_from("<Q", data, 3152)
    file.seek(3152)
    file.write(struct.pack("<Q", commit & 1 | (free[0] - 4096) // stride << 1))
"""


def possible(*words):
    """Whether the machine lets us do so."""
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def needs(words, what):
    return unittest.skipUnless(os.getuid() == 0 and possible(*words), "cannot " + what + " here")


def has_instructions_for_base():
    """Bit 1 of entry 26 (AT_HWCAP2) of the auxiliary vector, which is pairs of words."""
    with open("/proc/self/auxv", "rb") as file:
        return any(key == 26 and value & 2 for key, value in struct.iter_unpack("<QQ", file.read()))


INSTRUCTIONS_FOR_BASE = has_instructions_for_base()
NEEDS_MOUNT = needs(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], "mount")
NEEDS_OTHER_USER = needs(["setpriv", "--reuid=65534", "--clear-groups", "true"], "change the user")
NEEDS_CHROOT = needs(["chroot", "/", "true"], "change the root directory")


class Host(cases.Case):
    def setUp(self):
        super().setUp()
        os.chmod(self.directory, 0o755)
        source = os.path.join(HERE, "guest.c")
        flags = ["-O2", "-g", "-pthread", source, "-o"]
        self.assertEqual(self.clang(*flags, "plain"), (0, "", ""))
        self.succeed("cc", *flags, "guest")
        os.mkdir(self.path("place"))

    def build_static(self):
        flags = ["-O2", "-g", "-pthread", "-static", os.path.join(HERE, "guest.c"), "-o"]
        self.assertEqual(self.clang(*flags, "plain"), (0, "", ""))
        self.succeed("cc", *flags, "guest")

    def build_forbid(self):
        source = os.path.join(HERE, "forbid.c")
        self.assertEqual(self.clang("-Wall", "-Werror", source, "-o", "forbid"), (0, "", ""))

    def in_place(self, name, script, **keywords):
        """Runs a shell script, in which $GUEST is the program, in the directory `place`."""
        environment = dict(keywords.pop("environment", {}), GUEST=self.path(name), HOST=self.directory)
        return harness.run(["sh", "-c", script], self.path("place"), environment, **keywords)

    def assert_unharmed(self, script="exec $GUEST", **keywords):
        """The same script does the same with counters and without."""
        expected = self.in_place("plain", script, **keywords)
        self.assertEqual(expected[0], 5, expected)
        status, out, err = self.in_place("guest", script, **keywords)
        start = b"waymark: no profile written: "
        said = [line for line in err.splitlines(keepends=True) if line.startswith(start)]
        self.assertLessEqual(len(said), 1)
        self.assertEqual((status, out, err.replace(said[0] if said else b"", b"")), expected)

    def profiles(self):
        return glob.glob(os.path.join(self.path("place"), "*.wmk"))

    def entries(self, path):
        """How often each function was entered, by the profile."""
        functions = json.loads(self.succeed("report", "--json", path))["functions"]
        return {function["name"]: function["entry_count"] for function in functions}

    def assert_all_counted(self, runs=1):
        (path,) = self.profiles()
        self.assertEqual(self.entries(path)["work"], runs * WORK_CALLS)


class Files(Host):
    """Something is wrong with the profile's place."""

    def test_nothing_wrong(self):
        self.assert_unharmed()
        self.assert_all_counted()

    def assert_unharmed_by_name(self, name):
        self.assert_unharmed(environment={"WAYMARK_FILE": name})

    def test_below_a_regular_file(self):
        self.write("regular", "text")
        self.assert_unharmed_by_name(self.path("regular/x.wmk"))
        self.assertEqual(self.read("regular"), b"text")

    def test_below_a_device(self):
        self.assert_unharmed_by_name("/dev/null/x")

    def test_devices(self):
        for name in ("/dev/null", "/dev/full", "/dev/zero"):
            with self.subTest(name=name):
                self.assert_unharmed_by_name(name)

    def test_directory(self):
        self.assert_unharmed_by_name(self.path("place"))

    def test_pipe_without_reader(self):
        os.mkfifo(self.path("pipe"))
        self.assert_unharmed_by_name(self.path("pipe"))

    def test_empty_name(self):
        self.assert_unharmed_by_name("")

    def test_name_too_long(self):
        self.assert_unharmed_by_name(self.path("x" * 300))
        self.assert_unharmed_by_name("/" + 3000 * "y/" + "z.wmk")

    def test_loop_of_links(self):
        os.symlink("loop", self.path("loop"))
        self.assert_unharmed_by_name(self.path("loop"))

    def test_other_content_is_left_alone(self):
        self.write("letter", "dear reader\n" * 1000)
        self.assert_unharmed_by_name(self.path("letter"))
        self.assertEqual(self.read("letter"), b"dear reader\n" * 1000)

    def test_damaged_profile(self):
        self.in_place("guest", "exec $GUEST")
        (path,) = self.profiles()
        size = os.path.getsize(path)
        for length in (1, 8, 100, 4096, 4097, size - 4096, size - 1):
            with self.subTest(length=length):
                os.truncate(path, length)
                self.assert_unharmed()

    def test_directory_removed_before_the_start(self):
        self.assert_unharmed("mkdir gone && cd gone && rmdir ../gone && exec $GUEST")

    def test_directory_removed_while_running(self):
        self.assert_unharmed("mkdir gone && cd gone && exec $GUEST 'rm -r ../gone'")

    def test_profile_removed_while_running(self):
        self.assert_unharmed("exec $GUEST 'rm -f *.wmk'")

    def test_directory_moved_while_running(self):
        self.assert_unharmed("rm -rf a b && mkdir a && cd a && exec $GUEST 'mv ../a ../b'")

    def test_size_of_files_limited(self):
        for blocks in (0, 1, 8, 16, 24, 40):
            with self.subTest(blocks=blocks):
                self.assert_unharmed("rm -f *.wmk; ulimit -f %d && exec $GUEST" % blocks)

    def test_number_of_files_limited(self):
        self.build_static()
        self.assert_unharmed("ulimit -n 3 && exec $GUEST")

    def test_standard_streams_closed(self):
        self.assert_unharmed("exec $GUEST <&- >&- 2>&-")
        self.assert_all_counted()

    @NEEDS_MOUNT
    def test_disk_full(self):
        for size in (4, 8, 12, 16, 20, 28):
            with self.subTest(kilobytes=size):
                self.assert_unharmed("exec unshare -m sh -c 'mount -t tmpfs -o size=%dk tmpfs . && "
                                     "cd $PWD && exec $GUEST'" % size)

    @NEEDS_MOUNT
    def test_disk_full_while_running(self):
        fill = "cat /dev/zero >fill 2>/dev/null; true"
        self.assert_unharmed("exec unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs . && "
                             "cd $PWD && exec $GUEST \"%s\"'" % fill)

    @NEEDS_MOUNT
    def test_read_only_file_system(self):
        self.assert_unharmed("exec unshare -m sh -c 'mount -t tmpfs -o ro tmpfs . && "
                             "cd $PWD && exec $GUEST'")

    @NEEDS_OTHER_USER
    def test_directory_of_another_user(self):
        self.assert_unharmed("exec setpriv --reuid=65534 --clear-groups $GUEST")
        self.assertEqual(self.profiles(), [])

    @NEEDS_OTHER_USER
    def test_profile_of_another_user(self):
        self.in_place("guest", "exec $GUEST")
        (path,) = self.profiles()
        os.chmod(path, 0o444)
        with open(path, "rb") as file:
            before = file.read()
        self.assert_unharmed("exec setpriv --reuid=65534 --clear-groups $GUEST")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)


class Rights(Host):
    """The program runs with more rights than whoever started it."""

    SCRIPT = "exec setpriv --reuid=65534 --clear-groups $GUEST"

    def setUp(self):
        super().setUp()
        os.chmod(self.path("place"), 0o777)
        os.chmod(self.path("guest"), 0o4755)

    @NEEDS_OTHER_USER
    def test_the_environment_is_ignored_and_nobody_else_may_read(self):
        self.assert_unharmed(self.SCRIPT, environment={"WAYMARK_FILE": self.path("chosen.wmk")})
        self.assertFalse(os.path.exists(self.path("chosen.wmk")))
        (path,) = self.profiles()
        status = os.stat(path)
        self.assertEqual((status.st_uid, status.st_mode & 0o777), (0, 0o600))
        self.assert_all_counted()

    @NEEDS_OTHER_USER
    def test_no_link_is_followed(self):
        self.in_place("guest", "exec $GUEST")
        (path,) = self.profiles()
        os.remove(path)
        for victim in (self.path("victim"), self.path("nothing")):
            with self.subTest(victim=victim):
                self.write("victim", "precious\n")
                os.symlink(victim, path)
                self.assert_unharmed(self.SCRIPT)
                self.assertEqual(self.read("victim"), b"precious\n")
                self.assertFalse(os.path.exists(self.path("nothing")))
                os.remove(path)


class Kernel(Host):
    """The kernel refuses a call."""

    def setUp(self):
        super().setUp()
        self.build_forbid()

    def assert_unharmed_without(self, what):
        self.assert_unharmed("exec $HOST/forbid %s $GUEST" % what)

    def test_files_cannot_be_opened(self):
        self.build_static()
        self.assert_unharmed_without("open")
        self.assertEqual(self.profiles(), [])

    def test_files_cannot_be_mapped(self):
        self.build_static()
        self.assert_unharmed_without("file-map")

    def test_files_cannot_be_mapped_shared(self):
        self.assert_unharmed_without("shared-file-map")

    def test_files_cannot_grow(self):
        self.assert_unharmed_without("space")

    def test_base_of_segment_cannot_be_set(self):
        self.assert_unharmed_without("segment-base")
        if INSTRUCTIONS_FOR_BASE:
            self.assertEqual({self.entries(path)["work"] for path in self.profiles()}, {WORK_CALLS})

    @unittest.skipUnless(INSTRUCTIONS_FOR_BASE, "the system call alone sets the base here")
    def test_program_above_its_mappings(self):
        self.assert_unharmed("ulimit -s unlimited && exec $GUEST")
        self.assert_all_counted()

    @NEEDS_MOUNT
    def test_no_proc(self):
        self.assert_unharmed("exec unshare -m sh -c 'umount -l /proc && exec $GUEST'")
        self.assert_unharmed("exec unshare -m sh -c 'umount -l /proc && exec $GUEST'")

    @NEEDS_CHROOT
    def test_other_root_directory(self):
        self.build_static()
        self.assert_unharmed("cp $GUEST here && exec chroot . /here")


class Profiles(Host):
    """Nothing that ran on such a host spoils what ran before it or runs after it."""

    def setUp(self):
        super().setUp()
        self.build_forbid()

    def test_runs_that_count_nothing_leave_the_profile_intact(self):
        self.in_place("guest", "exec $GUEST")
        self.in_place("guest", "exec $HOST/forbid shared-file-map $GUEST")
        self.in_place("guest", "ulimit -f 0 && exec $GUEST")
        self.in_place("guest", "exec $GUEST")
        (path,) = self.profiles()
        self.assertGreaterEqual(self.entries(path)["work"], 2 * WORK_CALLS)

    def test_a_block_whose_folding_was_cut_short_is_cleared_before_it_is_used(self):
        """By a process that was killed while others ran: the block is in the totals, and free."""
        self.write("cut.py", CUT_SHORT)
        self.in_place("guest", "exec $GUEST")
        for runs in 2, 3:
            self.assertEqual(self.in_place("guest", "exec $GUEST 'python3 $HOST/cut.py *.wmk'")[0], 5)
            self.assert_all_counted(runs)

    def test_a_stopped_run_does_not_hold_up_the_next(self):
        command = [self.path("guest"), "kill -STOP $PPID"]
        stopped = subprocess.Popen(command, cwd=self.path("place"), stdout=subprocess.DEVNULL)
        self.addCleanup(stopped.wait)
        self.addCleanup(stopped.kill)
        while b"T (stopped)" not in harness.run(["cat", "/proc/%d/status" % stopped.pid], "/")[1]:
            time.sleep(0.01)
        self.assert_unharmed()
        (path,) = self.profiles()
        self.assertEqual(self.entries(path)["work"], WORK_CALLS + 1)


if __name__ == "__main__":
    cases.main("__main__")
