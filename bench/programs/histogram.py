"""Kernel: frequencies of bytes, loads and stores that a counter competes with."""
from programs import Program

PROGRAM = Program(package=None, sources="histogram.c", command=lambda scale: [str(200 * scale)])
