#!/usr/bin/env python3
"""Handlers of signals at random moments: without the handlers' blocks, the trace is that of a run without signals.

usage: handlers.py --waymark=PATH [--handlers=N] [--seconds=N]
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

# Another thread sends signals one after the other while loops, recursion and callbacks run.
PROGRAM = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int handled, over;
static volatile long sum;
static pthread_t worker;
__attribute__((noinline)) static void h_leaf(int n)
{
	for (int i = 0; i < n % 5; i++)
		sum += i & 1 ? i : 2;
}
static void h_handler(int number)
{
	h_leaf(++handled & 1 ? handled : number);
}
__attribute__((noinline)) static int leaf(int n)
{
	return n & 1 ? n * 3 : n / 2;
}
__attribute__((noinline)) static int straight(int n)
{
	return leaf(n) + leaf(n + 1);
}
__attribute__((noinline)) static long loop(int n)
{
	long s = 0;
	for (int i = 0; i < n; i++) {
		if (i % 3 == 1)
			s += straight(i);
		else if (i % 7 == 2)
			s ^= leaf(i);
		else
			s++;
	}
	return s;
}
static int rec(int n)
{
	return n < 2 ? leaf(n) : rec(n - 1) + rec(n - 2);
}
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return x < y ? -1 : x > y;
}
static void *k_sender(void *unused)
{
	while (!over) {
		pthread_kill(worker, SIGUSR1);
		usleep(1);
	}
	return unused;
}
int main(int argc, char **argv)
{
	int v[64];
	long s = 0;
	pthread_t sender;
	worker = pthread_self();
	signal(SIGUSR1, h_handler);
	if (argc > 1) {
		pthread_create(&sender, 0, k_sender, 0);
		pause();
	}
	for (int r = 0; r < 200; r++) {
		for (int i = 0; i < 64; i++)
			v[i] = (i * 7 + r) % 64;
		qsort(v, 64, sizeof *v, compare);
		s += loop(300 + r) + rec(12);
	}
	over = 1;
	if (argc > 1)
		pthread_join(sender, 0);
	printf("%ld\\n", s);
	return 0;
}
"""


def run(directory, *words):
    done = subprocess.run(words, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                          env=dict(os.environ, WAYMARK_CACHE="", LC_ALL="C"))
    if done.returncode or done.stderr:
        sys.exit("FAIL %s: exit %s: %s" % (" ".join(words), done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def trace(waymark, directory, *arguments):
    """The blocks of the first thread outside of handlers and main, and the number of handlers."""
    run(directory, "./program", *arguments)
    path, = glob.glob(os.path.join(directory, "*.wmt"))
    lines = [line.split("\t") for line in run(directory, waymark, "trace", "--blocks", path).splitlines()]
    os.remove(path)
    blocks = [line[-1] for line in lines if line[0] == lines[0][0] or len(line) == 1]
    own = [block for block in blocks if not block.startswith(("h_", "k_", "main"))]
    return own, sum(block == "h_handler 0" for block in blocks)


def check(waymark, directory, options, wanted, seconds):
    run(directory, waymark, "cc", "-pthread", "-g", "--profile=trace", *options, "-o", "program", "program.c")
    plain, _ = trace(waymark, directory)
    handlers = runs = 0
    end = time.time() + seconds
    while handlers < wanted and (time.time() < end or runs == 0):
        got, more = trace(waymark, directory, "signals")
        if got != plain:
            at = next((i for i, (a, b) in enumerate(zip(got, plain)) if a != b), min(len(got), len(plain)))
            sys.exit("FAIL %s: from block %d of %d on: %s, not %s" %
                     (" ".join(options), at, len(plain), got[at:at + 4], plain[at:at + 4]))
        handlers += more
        runs += 1
    print("%s: %d handlers in %d runs, %d blocks in order in each" % (" ".join(options), handlers, runs, len(plain)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    parser.add_argument("--handlers", type=int, default=60)
    parser.add_argument("--seconds", type=int, default=6)
    arguments = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="waymark-")
    with open(os.path.join(directory, "program.c"), "w") as file:
        file.write(PROGRAM)
    try:
        for options in ["-O0"], ["-O2"]:
            check(os.path.abspath(arguments.waymark), directory, options, arguments.handlers, arguments.seconds)
    finally:
        shutil.rmtree(directory)


main()
