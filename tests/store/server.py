#!/usr/bin/env python3
"""Stores on PostgreSQL: hosts that add at the same time, are killed and start again; a server that goes away.

usage: server.py --waymark=PATH [--hosts=N] [--runs=N] [unittest arguments]

Debian's server runs on the loopback, in a folder of the test. Sums are compared with those of a SQLite
store of the same profiles.
"""
import glob
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import programs
import run

sys.dont_write_bytecode = True

HOSTS, RUNS = 8, 6


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server(run.Store):
    def setUp(self):
        super().setUp()
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not folders:
            self.skipTest("no server: scripts/install-packages installs it")
        self.bin, self.port = folders[-1], free_port()
        # The server does not run as root, and its folder is the server's.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        os.chmod(self.directory, 0o755)
        os.mkdir(self.path("server"))
        if self.user:
            shutil.chown(self.path("server"), "postgres", "postgres")
        self.as_server("initdb", "-D", self.path("server/data"), "-U", "wm", "-A", "trust", "--no-sync",
                       "--encoding=UTF8", "--locale=C")
        self.start_server()
        self.addCleanup(self.stop_server)
        self.place = "postgresql://wm:secret@127.0.0.1:%d/postgres" % self.port
        self.shown = "postgresql://127.0.0.1/postgres"

    def as_server(self, program, *words):
        subprocess.run(self.user + [os.path.join(self.bin, program), *words], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd="/", env=dict(os.environ, LC_ALL="C"))

    def start_server(self):
        self.as_server("pg_ctl", "-D", self.path("server/data"), "-w", "-l", self.path("server/log"), "-o",
                       "-h 127.0.0.1 -p %d -k %s -c fsync=off -c shared_buffers=16MB" % (self.port,
                                                                                          self.path("server")), "start")

    def stop_server(self, how="immediate"):
        subprocess.run(self.user + [os.path.join(self.bin, "pg_ctl"), "-D", self.path("server/data"), "-m", how,
                                    "-w", "stop"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def profiles(self, host, count):
        chance = random.Random(host)
        folder = self.path("host%d" % host)
        os.mkdir(folder)
        for i in range(count):
            words = [chance.choice(["00", "01", "10", "11"]) for _ in range(1 + i % 4)]
            self.execute("./price", *words, environment={"WAYMARK_FILE": "%s/r%d.wmk" % (folder, i)})
        return folder

    def totals(self, place):
        """The report of all runs together, and of each host how many runs there are."""
        self.do("store", "export", place, "-o", "o.wmk")
        report = self.report("o.wmk")
        os.remove(self.path("o.wmk"))
        return report["functions"], report["runs"]

    def rows(self, text):
        out = subprocess.run(["psql", "-XAtq", self.place, "-c", text], check=True, capture_output=True, text=True)
        return [tuple(line.split("|")) for line in out.stdout.splitlines()]

    def test_hosts_killed_at_random(self):
        """Every run is there once, and the sums are those of a SQLite store."""
        self.build_price()
        chance = random.Random(6)
        folders = [self.profiles(host, RUNS) for host in range(HOSTS)]
        open_hosts = list(range(HOSTS))
        kills = 0
        while open_hosts:
            jobs = {host: self.start("store", "add", self.place, folders[host], WAYMARK_HOST="host-%d" % host)
                    for host in open_hosts}
            for host, job in jobs.items():
                if chance.random() < 0.5 and kills < 3 * HOSTS:
                    time.sleep(chance.random() * 0.05)
                    job.kill()
                    kills += 1
            for host, job in jobs.items():
                out, err = job.communicate(timeout=600)
                if job.returncode == 0:
                    open_hosts.remove(host)
                else:
                    self.assertEqual(job.returncode, -signal.SIGKILL, err)
        self.assertGreater(kills, 0)
        for host in range(HOSTS):
            self.do("store", "add", "s.db", folders[host], WAYMARK_HOST="host-%d" % host)
        self.assertEqual(self.rows("SELECT host, count(*), count(DISTINCT uuid) FROM run GROUP BY host ORDER BY host"),
                         sorted(("host-%d" % host, str(RUNS), str(RUNS)) for host in range(HOSTS)))
        self.assertEqual(self.totals(self.place), self.totals("s.db"))
        # Several derive at the same time; the database sums.
        jobs = [self.start("tests", "--store=" + self.place) for _ in range(4)]
        for job in jobs:
            self.assertEqual((job.communicate(timeout=600)[1], job.returncode), ("", 0))
        self.do("tests", "--store=s.db")
        text = ("SELECT f.name, t.part, t.path, t.count, t.runs FROM total t, function f WHERE f.id = t.function"
                " ORDER BY f.name, t.part, t.path")
        self.assertEqual(self.rows(text), [tuple(map(str, row)) for row in self.query(text)])
        # What the one has goes into the other, and nothing twice.
        self.assertEqual(self.do("store", "merge", "-o", self.place, "s.db"), "added 0 runs to %s\n" % self.shown)
        self.assertEqual(self.do("store", "merge", "-o", "copy.db", self.place),
                         "added %d runs to copy.db\n" % (HOSTS * RUNS))
        self.assertEqual(self.totals("copy.db"), self.totals("s.db"))

    def test_commands_work_on_a_server(self):
        self.build_price()
        self.do("run", "--store=" + self.place, "--label=a'b\\", "--", "./price", "11", "00")
        self.do("run", "--store=" + self.place, "--label=bad", "--", "./price", "10", "fail", status=3)
        self.assertEqual([row["label"] for row in self.labels(self.place)], ["a'b\\\\", "bad"])
        self.assertRegex(self.do("tests", "--store=" + self.place, "--covers=price"), "2 of 2 tests run price")
        self.assertRegex(self.do("suspects", "--store=" + self.place), "1 failing and 1 passing runs")
        self.assertEqual(self.do("store", "rm", self.place, "--label=bad"), "removed 1 run from %s\n" % self.shown)
        self.assertEqual(len(self.labels(self.place)), 1)

    def test_server_that_goes_away_loses_nothing(self):
        self.build_price()
        self.do("run", "--store=" + self.place, "--label=first", "--", "./price", "11")
        self.stop_server()
        process = self.start("run", "--store=" + self.place, "--label=second", "--", "./price", "00")
        err = process.communicate()[1]
        self.assertEqual(process.returncode, 0)
        self.assertRegex(err, r"\Awaymark: warning: run: cannot open the store '%s': [^\n]*; the run is kept in "
                              r"'[^\n]*', and added by the next command that can\n\Z" % re.escape(self.shown))
        self.assertNotIn("secret", err)
        line = self.refuse("store", "ls", self.place)
        self.assertRegex(line, "cannot open the store")
        self.start_server()
        self.assertEqual([row["label"] for row in self.labels(self.place)], ["first", "second"])

    def test_other_tables_and_versions(self):
        self.build_price()
        self.assertRegex(self.refuse("store", "ls", self.place), "is empty")
        self.rows("CREATE TABLE people(name text)")
        self.assertRegex(self.refuse("store", "ls", self.place), "is a database, but no store of Waymark")
        self.rows("DROP TABLE people")
        self.do("run", "--store=" + self.place, "--", "./price", "11")
        self.rows("UPDATE waymark SET version = 7")
        self.assertRegex(self.refuse("store", "ls", self.place), "is a store of version 7, and this waymark uses")

    def test_connection_that_is_cut_while_it_is_used(self):
        """The server ends all connections all the time: whoever was cut adds again."""
        self.build_price()
        folder = self.profiles(99, 12)
        for _ in range(60):
            job = self.start("store", "add", self.place, folder)
            time.sleep(0.03)
            subprocess.run(["psql", "-XAtq", self.place, "-c", "SELECT pg_terminate_backend(pid) FROM"
                            " pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'wm'"],
                           capture_output=True)
            err = job.communicate(timeout=600)[1]
            self.assertIn(job.returncode, (0, 1))
            if job.returncode == 0:
                break
            self.assertRegex(err, r"\Awaymark: [^\n]*(lost|refuses|cannot open)[^\n]*\n\Z")
        self.assertEqual(job.returncode, 0)
        self.assertEqual(self.rows("SELECT count(*), count(DISTINCT uuid) FROM run"), [("12", "12")])


def take_number(name, default):
    for word in sys.argv[1:]:
        if word.startswith("--%s=" % name):
            sys.argv.remove(word)
            return int(word.split("=", 1)[1])
    return default


if __name__ == "__main__":
    HOSTS, RUNS = take_number("hosts", HOSTS), take_number("runs", RUNS)
    programs.cases.main("__main__")
