"""Compression by sorting: tight loops, most of the time in one function."""
import workloads
from programs import Program

PROGRAM = Program(
    package="bzip2",
    sources="-D_FILE_OFFSET_BITS=64 blocksort.c huffman.c crctable.c randtable.c compress.c "
            "decompress.c bzlib.c bzip2.c",
    command=lambda scale: ["-9", "-k", "-c", "text"],
    inputs=lambda scale: {"text": workloads.text(400000 * scale)})
