"""Compression by searching for matches: one hot loop with many ways out. Its library is plain."""
import workloads
from programs import Program

PROGRAM = Program(
    package="gzip",
    prepare="./configure -q CC=$CC && make -s CFLAGS=-O2",
    sources="-I. -Ilib bits.c deflate.c gzip.c inflate.c trees.c unlzh.c unlzw.c unpack.c unzip.c "
            "util.c version.c zip.c lib/libgzip.a",
    command=lambda scale: ["-9", "-n", "-c", "text"],
    inputs=lambda scale: {"text": workloads.text(700000 * scale)})
