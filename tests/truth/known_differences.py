"""Lines that Waymark counts otherwise than gcov and llvm-cov do, and why. Each was looked at."""

LEFT = "behind a call that did not come back (exit, longjmp), which the others do not notice"
LOST = "in a process that ended with _exit, where the others lose their counts"
ENDLESS = "a loop without a condition: iterations are counted inside, the others count them here"
OPERAND = "an operand on a line of its own: the others give it the count of the whole condition"
TWICE = "a call that returned twice (setjmp), which the others count once"
ELEMENTS = "a member that is an array: its constructor runs for each element, the others count objects"
VARIES = "differs from run to run: addresses are hashed, a pipe was full, or a signal was ignored from the start"

ONCE_MORE = "gcov counts one entry more than there were runs"
REASONS = (LEFT, LOST, ENDLESS, OPERAND, TWICE, ELEMENTS, VARIES,
           ONCE_MORE)

# Program: file, first line, last line, why.
KNOWN = {
    "bzip2": [
        ("bzip2.c", 1473, 1507, LEFT),
        ("bzip2.c", 1776, 1776, ONCE_MORE),
        ("decompress.c", 326, 326, ENDLESS),
    ],
    "zlib": [
        ("inflate.c", 979, 979, ENDLESS),
        ("test/minigzip.c", 608, 650, LEFT),
    ],
    "mawk": [
        ("files.c", 456, 458, LOST),
        ("init.c", 235, 235, LEFT),
        ("main.c", 73, 73, LEFT),
    ],
    "lua": [
        ("src/lapi.c", 1084, 1086, LEFT),
        ("src/lauxlib.c", 405, 405, LEFT),
        ("src/ldo.c", 144, 144, TWICE),
        ("src/ldo.c", 147, 149, LEFT),
        ("src/ldo.c", 510, 510, LEFT),
        ("src/ldo.c", 611, 611, LEFT),
        ("src/ldo.c", 712, 712, LEFT),
        ("src/ldo.c", 927, 935, LEFT),
        ("src/lstring.c", 195, 196, VARIES),
        ("src/lua.c", 163, 163, LEFT),
        ("src/lua.c", 196, 196, LEFT),
        ("src/lua.c", 343, 344, LEFT),
        ("src/lua.c", 664, 664, LEFT),
        ("src/luac.c", 210, 211, LEFT),
    ],
    "lzip": [
        ("decoder.cc", 177, 186, ELEMENTS),
        ("lzip.h", 93, 93, ELEMENTS),
        ("main.cc", 493, 493, OPERAND),
    ],
    "xz": [
        ("src/liblzma/simple/x86.c", 73, 73, OPERAND),
        ("src/xz/args.c", 700, 740, LEFT),
        ("src/xz/coder.c", 193, 193, OPERAND),
        ("src/xz/file_io.c", 256, 290, VARIES),
        ("src/xz/file_io.c", 1273, 1286, VARIES),
        ("src/xz/signals.c", 105, 110, VARIES),
    ],
    "sqlite3": [
        ("sqlite3.c", 70596, 70596, OPERAND),
        ("sqlite3.c", 144188, 144188, OPERAND),
        ("sqlite3.c", 146289, 146289, OPERAND),
        ("sqlite3.c", 155179, 155180, OPERAND),
    ],
}


def reason(program, key):
    """Why the line of the file may differ; None if it may not."""
    for file, first, last, why in KNOWN.get(program, ()):
        if key[0] == file and first <= key[1] <= last:
            return why
    return None
