"""The library that most programs compress with, through its small example of a gzip."""
import workloads
from programs import Program

PROGRAM = Program(
    package="zlib",
    sources="-I. -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 *.c test/minigzip.c",
    command=lambda scale: ["-c", "-6", "text"],
    inputs=lambda scale: {"text": workloads.text(1200000 * scale)})
