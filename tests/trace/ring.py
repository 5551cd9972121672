#!/usr/bin/env python3
"""Flight recorders: what a ring tells is the end of what a full trace tells; and after a kill at a random moment it opens,
and its last calls are those that the program itself wrote down.

usage: ring.py --waymark=PATH [--kills=N]
"""
import argparse
import glob
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

# Recursion, callbacks of the C library, a loop without calls that fills a ring of bits, jumps out of frames.
VARIED = """
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf place;
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return x < y ? -1 : x > y;
}
__attribute__((noinline)) static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) static long turn(long n)
{
	volatile long s = 0;
	for (long i = 0; i < n; i++)
		if (i * 2654435761u >> 7 & 1)
			s += i;
		else
			s ^= i;
	return s;
}
__attribute__((noinline)) static void dive(int n)
{
	if (n == 0)
		longjmp(place, 1);
	dive(n - 1);
	turn(1);
}
int main(int argc, char **argv)
{
	static int v[100];
	static long s;
	static int r;
	for (r = 0; r < atoi(argv[1]); r++) {
		for (int i = 0; i < 100; i++)
			v[i] = (i * 7 + r) % 100;
		qsort(v, 100, sizeof *v, compare);
		if (!setjmp(place))
			dive(r % 20);
		s += fib(12) + turn(r % 5 ? 100 : 60000);
	}
	printf("%ld\\n", s);
	return 0;
}
"""

# Before each call, the program writes its number into a file. Which function is called follows from it.
KILLED = """
#include <fcntl.h>
#include <sys/mman.h>
#define F(n) __attribute__((noinline)) static void f##n(volatile unsigned long *at) { if (*at & 64) at[1]++; else at[2]++; }
F(0) F(1) F(2) F(3)
int main(void)
{
	int file = open("log", O_RDWR);
	volatile unsigned long *at = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	void (*f[])(volatile unsigned long *) = {f0, f1, f2, f3};
	for (unsigned long i = 1;; i++) {
		*at = i;
		f[i * 2654435761u >> 9 & 3](at);
	}
}
"""


def expected(number):
    return "f%d" % ((number * 2654435761 & 0xffffffffffffffff) >> 9 & 3)


def run(directory, *words):
    done = subprocess.run([str(word) for word in words], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode or done.stderr:
        sys.exit("FAIL %s: exit %s: %s" % (" ".join(map(str, words)), done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def write(directory, name, text):
    with open(os.path.join(directory, name), "w") as file:
        file.write(text)


def compare_with_full(waymark, directory):
    """At two levels; the ring has wrapped around, and tells at least as much as a piece holds."""
    write(directory, "varied.c", VARIED)
    for level in "-O0", "-O2":
        blocks = {}
        for name, options in ("full", []), ("ring", ["--trace-last=512K"]):
            run(directory, waymark, "cc", level, "-g", "--profile=trace", *options, "-o", name, "varied.c")
            run(directory, "./" + name, "150")
            blocks[name] = run(directory, waymark, "trace", "--blocks", name).splitlines()
            blocks[name + "-bytes"] = os.path.getsize(glob.glob(os.path.join(directory, name + "-*.wmt"))[0])
        full, ring = blocks["full"], blocks["ring"]
        if not 5000 < len(ring) < len(full):
            sys.exit("FAIL %s: the ring tells %d blocks of %d" % (level, len(ring), len(full)))
        if full[-len(ring):] != ring:
            sys.exit("FAIL %s: the ring does not tell the end" % level)
        if blocks["ring-bytes"] > 800000:
            sys.exit("FAIL %s: the ring takes %d bytes" % (level, blocks["ring-bytes"]))
        print("%s: the last %d of %d blocks" % (level, len(ring), len(full)))
        for path in glob.glob(os.path.join(directory, "*.wm?")):
            os.remove(path)


def kill_once(waymark, directory, chance):
    write(directory, "log", "\0" * 4096)
    process = subprocess.Popen(["./killed"], cwd=directory)
    time.sleep(0.01 + chance.random() * 0.15)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with open(os.path.join(directory, "log"), "rb") as file:
        reached = struct.unpack("<Q", file.read(8))[0]
    path, = glob.glob(os.path.join(directory, "*.wmt")) or [None]
    entered = []
    if path:
        text = run(directory, waymark, "trace", "--calls", path)
        entered = [line.split()[0] for line in text.splitlines()
                   if line.split()[0] in ("f0", "f1", "f2", "f3")]
    for path in glob.glob(os.path.join(directory, "*.wm?")):
        os.remove(path)
    # The call of the last number may not have been made yet.
    last = [number for number in (reached, reached - 1)
            if entered == [expected(number - len(entered) + 1 + i) for i in range(len(entered))]]
    if reached > 1000 and (not last or len(entered) < 1000):
        sys.exit("FAIL: killed at %d, of %d calls told the last are %s, not %s" %
                 (reached, len(entered), entered[-3:], [expected(reached - 2 + i) for i in range(3)]))
    return len(entered)


def kill_many(waymark, directory, kills):
    chance = random.Random(7)
    write(directory, "killed.c", KILLED)
    run(directory, waymark, "cc", "-O1", "-g", "--profile=trace", "--trace-last=512K", "-o", "killed", "killed.c")
    told = sum(kill_once(waymark, directory, chance) for _ in range(kills))
    print("%d kills: each ring opens, and %d calls are those that were made" % (kills, told))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--kills", type=int, default=10)
    arguments = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="waymark-")
    try:
        compare_with_full(os.path.abspath(arguments.waymark), directory)
        kill_many(os.path.abspath(arguments.waymark), directory, arguments.kills)
    finally:
        shutil.rmtree(directory)


main()
