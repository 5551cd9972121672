"""A line on stderr that says what runs and how long is left.

Steps are of a few kinds; what is left is the number of steps still to come
of each kind times the mean duration of those done, or a first guess.
"""
import sys
import threading
import time

GUESSES = {"build": 8.0, "instructions": 4.0, "run": 0.6, "compile": 8.0}
PARALLEL = {"build", "instructions"}
SECONDS_BETWEEN_LINES = 20  # where stderr is no terminal


class Progress:
    def __init__(self, jobs):
        self.left, self.spent, self.done = {}, {}, {}
        self.jobs, self.shown, self.lock = jobs, 0.0, threading.Lock()

    def expect(self, kind, steps):
        self.left[kind] = self.left.get(kind, 0) + steps

    def begin(self, what):
        """Shows what runs now; returns the time, for `end`."""
        now = time.time()
        with self.lock:
            if sys.stderr.isatty():
                sys.stderr.write("\r\033[K%s; %s" % (what, self.remaining()))
                sys.stderr.flush()
            elif now - self.shown >= SECONDS_BETWEEN_LINES:
                self.shown = now
                sys.stderr.write("bench: %s; %s\n" % (what, self.remaining()))
        return now

    def end(self, kind, began):
        with self.lock:
            self.left[kind] -= 1
            self.done[kind] = self.done.get(kind, 0) + 1
            self.spent[kind] = self.spent.get(kind, 0.0) + time.time() - began

    def remaining(self):
        seconds = 0.0
        for kind, steps in self.left.items():
            done = self.done.get(kind, 0)
            each = self.spent[kind] / done if done else GUESSES[kind]
            seconds += steps * each / (self.jobs if kind in PARALLEL else 1)
        return "about %d s left" % seconds if seconds < 90 else "about %d min left" % (
            round(seconds / 60))

    def clear(self):
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
