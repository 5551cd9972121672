#!/usr/bin/env python3
"""Programs nobody here wrote, and a few that are hostile: output and status are the same with the
profiler and without, and nothing is lost.

usage: programs.py --waymark=PATH [unittest arguments]
"""
import glob
import json
import os
import shutil
import subprocess

from tool import Case, cases

SCRIPT = "import re; print(sum(len(w) for w in re.findall(r'\\w+', 'to be or not to be ' * 200)))"
SYSTEM = [
    ["/bin/true"], ["/bin/false"], ["ls", "/usr"], ["cat", "/etc/passwd"], ["sort", "/etc/services"],
    ["sha256sum", "/etc/services"], ["wc", "/etc/services"], ["grep", "-c", "tcp", "/etc/services"],
    ["sed", "-n", "s/tcp/TCP/p", "/etc/services"], ["awk", "{ n[$2]++ } END { print length(n) }", "/etc/services"],
    ["gzip", "-c", "/etc/services"], ["tar", "cf", "-", "--mtime=@0", "/etc/hostname"],
    ["bash", "-c", "for ((i = 0; i < 300; i++)); do x=$((x + i)); done; echo $x"],
    ["python3", "-S", "-c", SCRIPT], ["perl", "-e", "print join ',', sort map { $_ * 7 % 13 } 1 .. 100"],
    ["git", "--version"], ["objdump", "-h", "/bin/true"], ["find", "/etc", "-maxdepth", "1", "-name", "h*"],
    ["expr", "3", "*", "4"], ["as", "--version"], ["tclsh", "script.tcl"],
]
BUILT = [("threads", ["-O2", "-pthread"]), ("signals", ["-O1"]), ("jumps", ["-O0"]),
         ("exceptions", ["-O2"]), ("processes", ["-O1"]), ("generated", ["-O1"])]


class Programs(Case):
    def compare(self, words, options=()):
        plain = self.run_words(words)
        ran, told = self.profile(*words, options=options)
        self.assertEqual((ran.returncode, ran.stdout), (max(plain.returncode, 0), plain.stdout), words)
        self.assertGreater(told["instructions"], 1000)
        self.assert_sums(told)
        return told

    def test_programs_of_the_system(self):
        self.write("script.tcl", "set n 0; for {set i 0} {$i < 50} {incr i} {incr n $i}; puts $n\n")
        tried = 0
        for words in SYSTEM:
            path = words[0] if "/" in words[0] else shutil.which(words[0])
            if not path:
                continue
            with self.subTest(program=words[0]):
                self.compare([os.path.realpath(path), *words[1:]] if words[0] != "awk" else
                             [path, *words[1:]])
            tried += 1
        self.assertGreaterEqual(tried, 18)

    def test_compiler_proper(self):
        found = glob.glob("/usr/lib/gcc/x86_64-linux-gnu/*/cc1")
        if not found:
            self.skipTest("no cc1")
        self.write("one.c", "int f(int x) { return x > 3 ? x * 2 : f(x + 1); }\n")
        told = self.compare([found[0], "-quiet", "-O1", "one.c", "-o", "-"], ["--event=mispredictions"])
        self.assertGreater(told["distinct_paths"], 1000)

    def test_hostile(self):
        for name, words in BUILT:
            with self.subTest(program=name):
                source = name + (".cpp" if name == "exceptions" else ".c")
                told = self.compare([self.build(name, *words, source=source)])
                if name in ("jumps", "exceptions", "signals"):
                    self.assertGreaterEqual(told["stack"]["repairs"], 5)
                if name == "threads":
                    self.assertGreaterEqual(told["threads"], 2)

    def test_static_and_stripped(self):
        self.compare([self.build("jumps", "-O1", "-static")])
        told = self.compare([self.build("jumps", "-O1", "-s", "-no-pie")])
        self.assertTrue(any(path["name"].startswith("jumps+") for path in told["hot_paths"]))

    def test_models_change_nothing(self):
        """The same paths with caches, predictor and queue, and with events counted."""
        program = self.build("jumps", "-O2", "-static")
        plain = self.compare([program])
        for options in (["--event=l2"], ["--event=power", "--counter-bits=0"],
                        ["--table=best"], ["--model=modern"]):
            other = self.compare([program], options)
            self.assertEqual({path["name"]: (path["count"], path["instructions"]) for path in plain["hot_paths"]},
                             {path["name"]: (path["count"], path["instructions"]) for path in other["hot_paths"]})

    def test_more_kinds_of_paths(self):
        program = self.build("jumps", "-O1")
        longest = {}
        for kind in ("ball-larus", "loops:1", "calls:1", "calls:3", "whole"):
            told = self.compare([program], ["--paths=" + kind, "--overflow=spill"])
            longest[kind] = told["paths"]
        self.assertLess(longest["loops:1"], longest["ball-larus"])
        self.assertLess(longest["calls:3"], longest["calls:1"])
        self.assertGreater(longest["whole"], longest["ball-larus"])

    def test_children(self):
        program = self.build("processes", "-O1")
        ran = self.run_words([self.waymark, "hpp", "--children=yes", program])
        self.assertEqual(ran.returncode, 5, ran.stderr)
        self.assertEqual(ran.stdout, b"0\n7\n15\n")
        files = glob.glob(self.path("hpp-processes-*.wmh"))
        self.assertEqual(len(files), 5, files)  # it, three children, and what one of them became
        for file in files:
            told = self.run_words([self.waymark, "hpp", "--json", "--read=" + file])
            self.assertEqual(told.returncode, 0, told.stderr)

    def test_disassembly_and_lines(self):
        self.profile(self.build("jumps", "-O1", "-no-pie"))
        shown = self.run_words([self.waymark, "hpp", "--read=run.wmh", "--top=40"]).stdout.decode()
        self.assertRegex(shown, r"\n +\d+ .* depth(\+0x[0-9a-f]+)?  jumps\.c:16")
        name = self.run_words([self.waymark, "hpp", "--json", "--read=run.wmh", "--top=400"]).stdout
        path = next(p for p in json.loads(name)["hot_paths"] if p["function"] == "depth" and "[" in p["source"])
        shown = self.run_words([self.waymark, "hpp", "--read=run.wmh", "--path=" + path["name"]]).stdout.decode()
        self.assertIn("jumps.c:16\n", shown)
        self.assertRegex(shown, r"\n +40[0-9a-f]+  [0-9a-f ]+ j[a-z]+\t-?\d+  \[[TF]\]\n")


class BadInput(Case):
    def refuse(self, said, *words, status=1):
        ran = self.run_words([self.waymark, "hpp", *words])
        self.assertEqual(ran.returncode, status, ran.stderr)
        self.assertEqual(ran.stdout, b"")
        self.assertRegex(ran.stderr.decode(), r"\Awaymark: [^\n]*\n\Z")
        self.assertIn(said, ran.stderr.decode())
        self.assertEqual(glob.glob(self.path("*.wmh*")), [])

    def test_what_is_no_program(self):
        self.write("text", "hello\n")
        os.chmod(self.path("text"), 0o755)
        self.write("plain", "hello\n")
        with open("/bin/true", "rb") as file:
            head = bytearray(file.read())
        head[4] = 1
        self.write("small", bytes(head))
        head[4], head[18] = 2, 183
        self.write("arm", bytes(head))
        shutil.copy("/bin/true", self.path("rights"))
        for name in ("small", "arm"):
            os.chmod(self.path(name), 0o755)
        os.chmod(self.path("rights"), 0o4755)
        self.refuse("neither a program nor a script", "./text")
        self.refuse("32-bit", "./small")
        self.refuse("another machine", "./arm")
        self.refuse("set-uid", "./rights")
        self.refuse("directory", "/usr")
        self.refuse("No such file", "./absent")
        self.refuse("No such file", "absent-command")
        if os.geteuid() != 0:
            self.refuse("Permission denied", "./plain")

    def test_another_valgrind(self):
        os.mkdir(self.path("bin"))
        self.write("bin/valgrind", "#!/bin/sh\necho valgrind-9.99.0\n")
        os.chmod(self.path("bin/valgrind"), 0o755)
        self.environment = dict(self.environment, PATH=self.path("bin") + ":" + os.environ["PATH"])
        self.refuse("but 9.99.0 is installed", "true")

    def test_where_nothing_can_be_written(self):
        """The program runs as always; one line says that there is no profile."""
        ran = self.run_words([self.waymark, "hpp", "-o", "/proc/run.wmh", "expr", "3", "+", "4"])
        self.assertEqual((ran.returncode, ran.stdout), (0, b"7\n"))
        self.assertIn("cannot write '/proc/run.wmh'", ran.stderr.decode())

    def test_full_disk(self):
        os.mkdir(self.path("disk"))
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.path("disk")],
                                 capture_output=True)
        if mounted.returncode:
            self.skipTest("cannot mount a small disk here")
        try:
            ran = self.run_words([self.waymark, "hpp", "-o", "disk/run.wmh", "expr", "3", "+", "4"])
            self.assertEqual((ran.returncode, ran.stdout), (0, b"7\n"))
            self.assertIn("No space left on device", ran.stderr.decode())
            self.assertEqual(os.listdir(self.path("disk")), [])
        finally:
            subprocess.run(["umount", self.path("disk")])

    def test_damaged_profiles(self):
        self.profile("/bin/true")
        data = self.read("run.wmh")
        os.remove(self.path("run.wmh"))
        for name, bad in (("short", data[:100]), ("cut", data[:-8]), ("flipped", data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]),
                          ("longer", data + bytes(8)), ("version", data[:8] + b"\xff" + data[9:])):
            self.write(name, bad)
            self.refuse(name + ": ", "--read=" + name)


if __name__ == "__main__":
    cases.main("__main__")
