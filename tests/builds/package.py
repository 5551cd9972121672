#!/usr/bin/env python3
"""The Debian package: what it says of itself, what lintian says of it, and that it works where it is installed.

usage: package.py --waymark=PATH [unittest arguments]

With FRESH_ROOT=yes a small Debian is made, into which apt installs the package with what it depends on; that needs root
and the network.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))

import cases

PROJECT = os.path.join(HERE, "project")
BUILD_AND_RUN = "make -s CC=waymark-cc CXX=waymark-c++ && ./app && waymark report --json"

IN_ROOT = 'mount --rbind /proc "$0/proc"; exec chroot "$0" sh -euc "$1"'


def run(*words, **keywords):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
                          **keywords)
    if done.returncode != 0:
        raise AssertionError("%s: %s" % (" ".join(words), done.stdout))
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="waymark-")
        cls.addClassCleanup(holder.cleanup)
        cls.directory = os.path.realpath(holder.name)
        build = os.path.dirname(os.path.dirname(cases.Case.waymark))
        run("cpack", "-G", "DEB", "--config", build + "/CPackConfig.cmake", "-B", cls.directory, cwd=build)
        [cls.package] = glob.glob(cls.directory + "/waymark_*_amd64.deb")

    def field(self, name):
        return run("dpkg-deb", "--field", self.package, name).strip()

    def files(self):
        listed = run("dpkg-deb", "--contents", self.package).splitlines()
        return {line.split()[5].removeprefix("./usr/"): line for line in listed}

    def assert_counts(self, said):
        total, report = said.split("\n", 1)
        self.assertEqual(total, "499700")
        self.assertEqual({f["name"]: f["entry_count"] for f in json.loads(report)["functions"]},
                         {"main": 1, "price": 1000})

    def test_fields(self):
        needed = self.field("Depends")
        for name in "clang-19", "libelf1", "libc6-dev":
            self.assertRegex(needed, r"(^|, )%s( |,|$)" % name)
        version = run(cases.Case.waymark, "--version").split()[1]
        self.assertEqual(self.field("Version"), version + "-1")

    def test_places(self):
        files = self.files()
        for name in ("bin/waymark", "bin/waymark-cc", "bin/waymark-c++", "include/waymark.h",
                     "lib/waymark/waymark-llvm.so", "lib/cmake/Waymark/toolchain.cmake", "share/pkgconfig/waymark.pc",
                     "share/bash-completion/completions/waymark-cc", "share/zsh/vendor-completions/_waymark",
                     "share/fish/vendor_completions.d/waymark.fish", "share/meson/native/waymark.ini",
                     "share/man/man1/waymark-report.1.gz", "share/man/man1/waymark-c++.1.gz"):
            self.assertIn(name, files)

    def test_lintian(self):
        run("lintian", "--allow-root", "--fail-on", "error", self.package)

    def test_install_run_and_remove(self):
        """Below a root of its own, with the clang of this machine."""
        root = self.directory + "/root"
        os.makedirs(root + "/var/lib/dpkg/info")
        os.makedirs(root + "/var/lib/dpkg/updates")
        open(root + "/var/lib/dpkg/status", "w").close()
        dpkg = ["dpkg", "--root=" + root, "--force-not-root", "--force-depends", "--force-script-chrootless"]
        if os.geteuid() != 0:
            dpkg.insert(0, "fakeroot")
        # CPack has the package run ldconfig, which is to leave this machine alone.
        tools = self.directory + "/tools"
        os.mkdir(tools)
        os.symlink("/bin/true", tools + "/ldconfig")
        own_tools = {**os.environ, "PATH": tools + ":" + os.environ["PATH"]}
        run(*dpkg, "--install", self.package, env=own_tools)
        project = shutil.copytree(PROJECT, self.directory + "/project")
        environment = {**os.environ, "PATH": root + "/usr/bin:" + os.environ["PATH"]}
        self.assert_counts(run("sh", "-euc", BUILD_AND_RUN, cwd=project, env=environment))
        run(*dpkg, "--purge", "waymark", env=own_tools)
        self.assertFalse(os.path.exists(root + "/usr/bin/waymark-cc"))
        self.assertFalse(os.path.exists(root + "/usr/lib/waymark"))

    @unittest.skipUnless(os.environ.get("FRESH_ROOT") == "yes", "FRESH_ROOT=yes is not set")
    def test_fresh_root(self):
        root = self.directory + "/fresh"
        self.assertTrue(shutil.which("mmdebstrap"), "not there: apt-get install mmdebstrap")
        run("mmdebstrap", "--mode=root", "--variant=apt", "--include=make", "bookworm", root)
        shutil.copy(self.package, root + "/tmp/waymark.deb")
        shutil.copytree(PROJECT, root + "/tmp/project")
        run("chroot", root, "apt-get", "update", "-qq")
        run("chroot", root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", "/tmp/waymark.deb",
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
        self.assert_counts(run("unshare", "--mount", "sh", "-euc", IN_ROOT, root,
                               "cd /tmp/project && " + BUILD_AND_RUN))


if __name__ == "__main__":
    cases.main("__main__")
