"""Real programs that are built in several ways and used alike: how, and on what."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("end_to_end", "real"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

import harness
import sources
import workloads
from harness import Failure


class Program:
    """Commands are shell lines; $T is the source tree, $CC and $CXX the compiler with its flags."""

    def __init__(self, package, build, binaries, use, inputs):
        self.package, self.build, self.binaries = package, build, binaries
        self.use, self.inputs = use, inputs


def words(count):
    return workloads.text(count)


MAWK_SCRIPT = rb"""
function depth(n) { return n < 2 ? n : depth(n - 1) + depth(n - 2) }
BEGIN { FS = " "; limit = 0x7fffffff; printf "%d %s\n", depth(15), sprintf("%5.2f|%c", 3.14159, "x") }
NR % 3 == 0 && /th|e[ra]/ { seen[$1] += NF; next }
{ for (i = 1; i <= NF; i++) { count[$i]++; length($i) > long ? long = length($i) : 0 } }
/^b/, /^c/ { ranges++ }
$2 ~ /^[a-f]+$/ { sub(/a/, "<&>"); gsub(/[eo]/, "_", $2); changed = changed < 20 ? changed $2 : "" }
END {
    while (("cat other" | getline line) > 0) { n = split(line, part, /[ ,]+/); total += n; if (n > 9) continue }
    for (word in count) if (count[word] > most) most = count[word]
    for (word in seen) { if (!(word in count)) alone++; delete seen[word] }
    do { k++; if (k == 7) break } while (k < 10)
    print most, long, total, alone, ranges, k, toupper(substr(changed, 2, 9)), index("banana", "nan")
    print int(-3.7) % 3, 2 ^ 10, !k, k++ + ++k, (1 < 2) ? "yes" : "no", "a" "b" > "/dev/null"
    exit k > 5 ? 3 : 4
}
"""

PROGRAMS = {
    "bzip2": Program(
        "bzip2", ['make bzip2 CC="$CC" CFLAGS="-D_FILE_OFFSET_BITS=64"'], ["bzip2"],
        ["$T/bzip2 -k -9 text", "$T/bzip2 -k -1 -c binary > binary.bz2",
         "$T/bzip2 -dc text.bz2 | cmp - text", "$T/bzip2 -t text.bz2 binary.bz2",
         "$T/bzip2 -ds < binary.bz2 | cmp - binary", "$T/bzip2 -t text",
         "head -c 3000 text.bz2 > cut.bz2; $T/bzip2 -dc cut.bz2", "$T/bzip2 --no-such-option"],
        lambda: {"text": words(200000), "binary": bytes((i * i >> 3) & 255 for i in range(60000))}),
    "zlib": Program(
        "zlib", ['CC="$CC" CFLAGS="" ./configure --static', 'make CC="$CC" minigzip'], ["minigzip"],
        ["$T/minigzip -9 < text > text.gz", "$T/minigzip -d < text.gz | cmp - text",
         "$T/minigzip -h < text > huffman.gz", "$T/minigzip -1 < text > fast.gz",
         "head -c 3000 text.gz | $T/minigzip -d > cut"],
        lambda: {"text": words(300000)}),
    "lua": Program(
        "lua5.4", [workloads.LUA_STEADY, 'make -C src generic CC="$CC -std=gnu99" CFLAGS="-DLUA_COMPAT_5_3"'],
        ["src/lua", "src/luac"],
        ["$T/src/lua workload.lua 60", "$T/src/luac -s -o compiled workload.lua",
         "$T/src/lua workload_errors.lua", "$T/src/lua -e 'os.exit(3)'", "$T/src/lua -e 'error({})'",
         "$T/src/lua no-such-file", "$T/src/luac no-such-file"],
        lambda: {"workload.lua": open(workloads.LUA_SCRIPT, "rb").read(),
                 "workload_errors.lua": open(workloads.LUA_ERRORS_SCRIPT, "rb").read()}),
    "mawk": Program(
        "mawk", ['CC="$CC" CFLAGS="" ./configure --with-builtin-srand --disable-trace', "make mawk"], ["mawk"],
        ["$T/mawk -f script text", "$T/mawk 'BEGIN { print substr(\"x\", 2", "$T/mawk --no-such-option",
         "$T/mawk '{ print $NF; n += $3 } END { print n > \"out\" }' text > last"],
        lambda: {"script": MAWK_SCRIPT, "text": words(150000), "other": words(9000)}),
    "xz": Program(
        "xz-utils", ['CC="$CC" CFLAGS="" ./configure --disable-shared --disable-nls --disable-threads '
                     '--disable-doc --disable-scripts --disable-lzmainfo --disable-assembler', "make"],
        ["src/xz/xz", "src/xzdec/xzdec"],
        ["$T/src/xz/xz -k -6 text", "$T/src/xz/xz -k -1 -c binary > binary.xz",
         "$T/src/xz/xz -dc text.xz | cmp - text", "$T/src/xz/xz -lvv text.xz > list",
         "$T/src/xz/xz -t binary.xz", "$T/src/xzdec/xzdec < text.xz | cmp - text",
         "$T/src/xz/xz --format=lzma -k -9 -c text > text.lzma", "$T/src/xz/xz -dc text.lzma | cmp - text",
         "$T/src/xz/xz --x86 --lzma2=preset=2 -c binary > x86.xz",
         "head -c 3000 text.xz > cut.xz; $T/src/xz/xz -dc cut.xz", "$T/src/xz/xz --no-such-option"],
        lambda: {"text": words(120000), "binary": bytes((i * i >> 3) & 255 for i in range(60000))}),
    "sqlite3": Program(
        "sqlite3", ['CC="$CC" CFLAGS="" ./configure --disable-tcl --disable-readline --disable-shared '
                    '--disable-dynamic-extensions', "make sqlite3"], ["sqlite3"],
        ["$T/sqlite3 :memory: < script.sql", "$T/sqlite3 :memory: 'SELECT * FROM absent'",
         "$T/sqlite3 -bail :memory: .nonsense '.exit 3'", "$T/sqlite3 --no-such-option"],
        lambda: {"script.sql": workloads.sql(300)}),
    "lzip": Program(
        "lzip", ['./configure CXX="$CXX" CXXFLAGS=""', "make"], ["lzip"],
        ["$T/lzip -k -9 text", "$T/lzip -0 -c text > fast.lz", "$T/lzip -dc text.lz | cmp - text",
         "$T/lzip -tvv fast.lz", "$T/lzip -l text.lz", "$T/lzip -t text",
         "head -c 3000 text.lz > cut.lz; $T/lzip -t cut.lz", "$T/lzip --no-such-option"],
        lambda: {"text": words(150000)}),
}


def named(name):
    """A program of the table, or the one in a file NAME.c or NAME.cpp, which needs no input."""
    if name in PROGRAMS:
        return PROGRAMS[name]
    compiler = "$CXX" if name.endswith(".cpp") else "$CC"
    return Program(os.path.abspath(name), ["%s %s -o program" % (compiler, os.path.basename(name))],
                   ["program"], ["$T/program > out"], dict)


def tree_of(package, place):
    if not os.path.isfile(package):
        return sources.copy(package, place)
    harness.fresh(place)
    shutil.copy(package, place)
    return place


def shell(command, directory, tree, compiler, environment):
    settings = dict(environment, T=tree, CC=compiler[0], CXX=compiler[1])
    return harness.run(["sh", "-c", command], directory, settings, timeout=3600)


def build_and_use(program, directory, compiler, environment=None):
    """The source tree. `compiler`: command lines for C and C++; files that runs leave are in `work`."""
    tree = tree_of(program.package, os.path.join(directory, "tree"))
    for command in program.build:
        status, out, err = shell(command, tree, tree, compiler, {})
        if status != 0:
            raise Failure("%s ended with %s:\n%s" % (command, status, (out + err).decode(errors="replace")[-2000:]))
    work = os.path.join(directory, "work")
    harness.fresh(work)
    for name, data in program.inputs().items():
        with open(os.path.join(work, name), "wb") as out:
            out.write(data)
    for command in program.use:
        shell(command, work, tree, compiler, environment or {})
    return tree
