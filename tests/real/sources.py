"""Fetches Debian source packages into a cache outside the repository.

The cache is $WAYMARK_CACHE, or ~/.cache/waymark. apt gets package lists and settings of its own
there, so no system file is touched and no root is needed. Packages are unpacked without Debian's
patches: what is built is the project's own build system.
"""
import glob
import os
import shutil
import subprocess
import sys

MIRROR = "http://deb.debian.org/debian"


class Unavailable(Exception):
    """A source could not be fetched or unpacked; the text says what to do."""


def cache():
    path = os.environ.get("WAYMARK_CACHE") or os.path.expanduser("~/.cache/waymark")
    os.makedirs(path, exist_ok=True)
    return path


def suite():
    for line in open("/etc/os-release"):
        if line.startswith("VERSION_CODENAME="):
            return line.split("=")[1].strip().strip('"')
    raise Unavailable("this system is no Debian release: /etc/os-release has no VERSION_CODENAME")


def apt(arguments, directory):
    """apt-get with its lists in the cache and one deb-src line as its only source."""
    lists = os.path.join(cache(), "apt-lists")
    os.makedirs(os.path.join(lists, "partial"), exist_ok=True)
    source_list = os.path.join(cache(), "sources.list")
    with open(source_list, "w") as out:
        out.write("deb-src %s %s main\n" % (MIRROR, suite()))
    options = {"Dir::Etc::sourcelist": source_list, "Dir::Etc::sourceparts": "/dev/null",
               "Dir::State::lists": lists, "Dir::Cache": cache(), "APT::Sandbox::User": ""}
    words = [word for name, value in options.items() for word in ("-o", "%s=%s" % (name, value))]
    return run(["apt-get", "-q"] + words + arguments, directory)


def run(command, directory):
    try:
        done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except FileNotFoundError:
        raise Unavailable("%s is not installed; run scripts/install-packages" % command[0])
    return done.returncode, done.stdout.decode(errors="replace")


def download(package, directory, *options):
    words = ["source", "--download-only", *options, package]
    if apt(words, directory)[0] == 0:
        return
    apt(["update"], directory)
    status, text = apt(words, directory)
    if status != 0:
        raise Unavailable("cannot fetch the Debian source of %s from %s: %s" %
                          (package, MIRROR, text.strip().splitlines()[-1]))


def unpack(package, directory, tree):
    download(package, directory)
    description = sorted(glob.glob(os.path.join(directory, "*.dsc")))[-1]
    return run(["dpkg-source", "--no-check", "--skip-patches", "-x", description, tree], directory)


def unpack_original(package, directory, tree):
    """Only what Debian took from the project, where the mirror lacks what Debian added."""
    download(package, directory, "--tar-only")
    archives = glob.glob(os.path.join(directory, "*.orig.tar.*"))
    archive = sorted(name for name in archives if not name.endswith(".asc"))[-1]
    os.makedirs(tree)
    return run(["tar", "-x", "--strip-components=1", "-f", archive, "-C", tree], directory)


def source(package):
    """The directory of a package's unpacked, unchanged source; fetched once."""
    directory = os.path.join(cache(), "sources", package)
    tree = os.path.join(directory, "tree")
    if os.path.isdir(tree):
        return tree
    os.makedirs(directory, exist_ok=True)
    unpacked = tree + ".new"
    shutil.rmtree(unpacked, ignore_errors=True)
    try:
        status, text = unpack(package, directory, unpacked)
    except Unavailable:
        status, text = unpack_original(package, directory, unpacked)
    if status != 0:
        raise Unavailable("cannot unpack the source of %s: %s" % (package, text.strip()))
    os.rename(unpacked, tree)
    return tree


def copy(package, directory):
    """A fresh copy of the source to build in."""
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(source(package), directory, symlinks=True)
    return directory


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(source(name))
