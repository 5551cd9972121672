"""Kernel: matrix multiplication, the tightest loops there are."""
from programs import Program

PROGRAM = Program(package=None, sources="matrix.c",
                  command=lambda scale: [str(min(512, 200 + 60 * scale))])
