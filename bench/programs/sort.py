"""Kernel: heap sort, short loops whose branches nobody can predict."""
from programs import Program

PROGRAM = Program(package=None, sources="sort.c", command=lambda scale: [str(250000 * scale)])
