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


# Two threads tell the number of each iteration, and call a function whose blocks follow from it, while a third one stops
# and starts the trace.
STOPPED = """
#include <pthread.h>
#include <unistd.h>
#include <waymark.h>
static volatile int over;
__attribute__((noinline)) static long turn(long n)
{
	volatile long s = 0;
	for (long i = 0; i < n % 7 * 300; i++)
		s += i;
	return s;
}
static void *worker(void *unused)
{
	for (long i = 0; !over; i++) {
		waymark_trace_note((uint64_t)i);
		turn(i);
	}
	return unused;
}
int main(void)
{
	pthread_t threads[2];
	int failed = 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, worker, 0);
	for (int i = 0; i < 200; i++) {
		failed |= waymark_trace_stop();
		usleep(1000);
		failed |= waymark_trace_start();
		usleep(100 * (i % 10));
	}
	over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return failed != 0;
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


def stop_and_start(waymark, directory):
    """Each note that is told is followed by the call that it announces, and numbers rise."""
    write(directory, "stopped.c", STOPPED)
    run(directory, waymark, "cc", "-O1", "-g", "-pthread", "--profile=trace", "--trace-last=40M", "-o", "stopped",
        "stopped.c")
    run(directory, "./stopped")
    notes, blocks, missed, told, blocks_of = {}, {}, 0, 0, [set() for _ in range(7)]
    for line in run(directory, waymark, "trace", "--calls", "stopped").splitlines():
        thread, words = line.split("\t")[0], line.split("\t")[-1].split()
        if words[0] == "note":
            number = int(words[1])
            if number <= notes.get(thread, -1):
                sys.exit("FAIL: note %d comes behind %d" % (number, notes[thread]))
            missed += number > notes.get(thread, -1) + 1
            notes[thread] = blocks[thread] = number
        elif "early" in words:
            blocks.pop(thread, None)
        elif words[0] == "turn:" and thread in blocks:
            number = blocks.pop(thread)
            blocks_of[number % 7].add(int(words[1]))
            told += 1
    if missed < 10 or told < 1000 or any(len(counts) > 1 for counts in blocks_of):
        sys.exit("FAIL: %d gaps, %d calls, blocks %s" % (missed, told, blocks_of))
    for path in glob.glob(os.path.join(directory, "*.wm?")):
        os.remove(path)
    print("a trace that was stopped and started: %d gaps, %d calls in order" % (missed, told))


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
        stop_and_start(os.path.abspath(arguments.waymark), directory)
        kill_many(os.path.abspath(arguments.waymark), directory, arguments.kills)
    finally:
        shutil.rmtree(directory)


main()
