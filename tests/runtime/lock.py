#!/usr/bin/env python3
"""The lock of a profile, held by others: who waits for it, how long, and what is counted then.

usage: lock.py --waymark=PATH [unittest arguments]
"""
import contextlib
import fcntl
import os
import struct
import subprocess
import time

import tables
import cases

LOCK_COUNT = 3168  # offsets by docs/file-format.md
KEYS = tables.total(tables.all_keys(600, 2))


class Lock(tables.Tables):
    def setUp(self):
        super().setUp()
        self.run_it("few")

    @contextlib.contextmanager
    def held(self):
        with open(self.path("run.wmk"), "r+b", buffering=0) as file:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhlli4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            yield file

    def start(self):
        return subprocess.Popen(["./counted", "few"], cwd=self.directory,
                                env=dict(os.environ, WAYMARK_FILE="run.wmk"))

    def lock_count(self):
        return struct.unpack_from("<Q", self.read("run.wmk"), LOCK_COUNT)[0]

    def test_a_program_does_not_wait_for_ever(self):
        with self.held():
            before = time.monotonic()
            self.assertEqual(self.start().wait(timeout=20), 0)
            self.assertLess(time.monotonic() - before, 10)
        self.assert_entries(KEYS)

    def test_a_program_waits_while_the_lock_goes_round(self):
        with self.held() as file:
            waiting = self.start()
            for turn in range(8):
                time.sleep(0.5)
                os.pwrite(file.fileno(), struct.pack("<Q", 1000 + turn), LOCK_COUNT)
            self.assertIsNone(waiting.poll())
        self.assertEqual(waiting.wait(timeout=20), 0)
        self.assert_entries({place: 2 * count for place, count in KEYS.items()})
        self.assertEqual(self.profile().status(), 0)
        self.assertEqual(self.profile().sum()[1], 2)

    def test_each_program_counts_its_lock(self):
        before = self.lock_count()
        self.run_it("few")
        self.assertGreater(self.lock_count(), before)


if __name__ == "__main__":
    cases.main("__main__")
