"""The modes in which the tests and the benchmark build programs, a row each, and which program meets which.

A mode is a name and options of `waymark cc`. Levels (-O0 to -Os) and the place of the counters (--at) are not
part of it. The tables below MODES say in which modes each suite builds a program, at which level and place. A
program takes the row that a hash of its name picks, so a new program changes nothing for the others.
tests/test_modes.py fails if a suite does not meet one of its modes at one of its levels.
"""
import collections
import zlib

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
ATS = ["late", "early"]
DEFAULT, RESEARCH = "default", "research"


class Mode(collections.namedtuple("Mode", "name counts kind suites options oracle path_oracle earlier",
                                  defaults=[None, None, None])):
    """counts:      blocks, edges, paths or events: the smallest things whose counts are known; calls, by context; or order
    kind:        default, or research: a placement that nobody needs but to repeat a paper
    suites:      the suites that build programs in this mode
    options:     of waymark cc; {profile} is an earlier profile, {paths} are names of paths
    oracle:      the mode to whose blocks and edges its own must be equal; None for that mode itself
    path_oracle: the mode to whose paths its own must be equal
    earlier:     the mode of the earlier profile, unless a table below names another
    """

    @property
    def is_classic(self):
        return "--paths=classic" in self.options


# For classic paths, the first iterations of loops are code of their own, and so their oracles are, too.
EVERYWHERE, CLASSIC = "redundant", "redundant-classic"
TOLD, TOLD_CLASSIC = "redundant-paths", "redundant-paths-classic"
MODES = [
    Mode("edges", "edges", DEFAULT, "programs csmith asm_goto hostile real stress bench",
         "--profile=edges", EVERYWHERE),
    Mode("edges-memory", "edges", DEFAULT, "hostile",
         "--profile=edges --base=memory", EVERYWHERE),
    Mode("edges-heuristic", "edges", RESEARCH, "programs csmith",
         "--profile=edges --weights=heuristic", EVERYWHERE),
    Mode("edges-goldberg", "edges", RESEARCH, "programs csmith",
         "--profile=edges --weights=goldberg", EVERYWHERE),
    Mode("blocks", "blocks", DEFAULT, "programs csmith asm_goto hostile real stress bench",
         "--profile=blocks", EVERYWHERE),
    Mode("blocks-vertex", "blocks", RESEARCH, "programs csmith asm_goto real",
         "--profile=blocks --placement=vertex", EVERYWHERE),
    Mode("paths", "paths", DEFAULT, "programs csmith asm_goto hostile real stress knowledge bench",
         "--profile=paths", EVERYWHERE, TOLD),
    Mode("paths-memory", "paths", DEFAULT, "hostile knowledge",
         "--profile=paths --base=memory", EVERYWHERE, TOLD),
    Mode("paths-classic", "paths", DEFAULT, "programs csmith asm_goto hostile real knowledge bench",
         "--profile=paths --paths=classic", CLASSIC, TOLD_CLASSIC),
    Mode("paths-commit", "paths", RESEARCH, "programs csmith asm_goto real bench",
         "--profile=paths --placement=commit", EVERYWHERE, TOLD),
    Mode("ball-larus", "paths", RESEARCH, "programs csmith asm_goto hostile real bench",
         "--profile=paths --paths=classic --placement=commit", CLASSIC, TOLD_CLASSIC),

    Mode("context", "calls", DEFAULT, "contexts bench", "--profile=context"),
    Mode("edges+context", "edges", DEFAULT, "contexts bench",
         "--profile=edges+context", EVERYWHERE),
    Mode("paths+context", "paths", DEFAULT, "contexts bench",
         "--profile=paths+context", EVERYWHERE, TOLD),

    Mode("edges-use", "edges", DEFAULT, "knowledge bench",
         "--profile=edges --use={profile} --strict", earlier="edges"),
    Mode("blocks-use", "blocks", DEFAULT, "knowledge",
         "--profile=blocks --use={profile} --strict", earlier="blocks"),
    Mode("paths-use", "paths", DEFAULT, "knowledge bench",
         "--profile=paths --use={profile} --strict", earlier="paths"),
    Mode("paths-commit-use", "paths", RESEARCH, "knowledge",
         "--profile=paths --placement=commit --use={profile} --strict", earlier="paths"),
    Mode("prefer", "paths", DEFAULT, "knowledge bench",
         "--profile=paths --prefer={profile} --strict", earlier="paths"),
    Mode("prefer-hot", "paths", RESEARCH, "knowledge",
         "--prefer=hot:90% --use={profile} --placement=commit", earlier="paths"),
    Mode("prefer-intervals", "paths", RESEARCH, "knowledge",
         "--prefer={profile} --prefer-by=intervals", earlier="paths"),
    Mode("prefer-commit", "paths", RESEARCH, "bench",
         "--profile=paths --paths=classic --placement=commit --prefer={profile} --strict",
         earlier="ball-larus"),
    Mode("select", "paths", DEFAULT, "knowledge", "--select={paths}", earlier="paths"),

    # What programs ask of these is compared by events.py, with the redundant placement of events.
    Mode("events", "events", DEFAULT, "bench", "--profile=events --events=instructions"),
    Mode("events-stop", "events", DEFAULT, "bench", "--profile=events --events-stop"),
    Mode("events-inclusive", "events", DEFAULT, "bench", "--profile=events --events=instructions --inclusive"),
    Mode("events-three", "events", DEFAULT, "bench", "--profile=events --events=instructions,loads,stores"),

    # What is read where paths end is compared with what the programs say, by tests/metrics.
    Mode("paths+tsc", "paths", DEFAULT, "metrics bench", "--profile=paths+metric:tsc", EVERYWHERE, TOLD),
    Mode("paths+sim", "paths", DEFAULT, "metrics bench", "--profile=paths+metric:sim:l1d --sim=paper", EVERYWHERE, TOLD),

    # Traces are compared block by block, by tests/trace/sequences.py.
    Mode("trace", "order", DEFAULT, "trace bench", "--profile=trace"),
    Mode("trace-use", "order", DEFAULT, "trace bench", "--profile=trace --use={profile}", earlier="edges"),
    Mode("trace-last", "order", DEFAULT, "trace bench", "--profile=trace --trace-last=16M"),

    # Paths go on through calls: code of callees stands in place of the calls, in the oracles as well.
    Mode("segments", "paths", DEFAULT, "segments",
         "--profile=paths --segments=2:function:* --segments-growth=1000", "redundant-segments", "redundant-paths-segments"),
    Mode("redundant-segments", "edges", DEFAULT, "",
         "--profile=edges --placement=redundant --segments=2:function:* --segments-growth=1000"),
    Mode("redundant-paths-segments", "paths", DEFAULT, "",
         "--profile=paths --placement=redundant --segments=2:function:* --segments-growth=1000", "redundant-segments"),

    Mode(EVERYWHERE, "edges", DEFAULT, "stress bench",
         "--profile=edges --placement=redundant"),
    Mode(CLASSIC, "edges", DEFAULT, "",
         "--profile=edges --placement=redundant --paths=classic"),
    Mode(TOLD, "paths", DEFAULT, "real stress",
         "--profile=paths --placement=redundant", EVERYWHERE),
    Mode(TOLD_CLASSIC, "paths", DEFAULT, "real",
         "--profile=paths --placement=redundant --paths=classic", CLASSIC),
]
BY_NAME = {mode.name: mode for mode in MODES}

# What is built at one level and place, and the modes' names.
Try = collections.namedtuple("Try", "level at modes")


def modes_of(suite):
    return [mode for mode in MODES if suite in mode.suites.split()]


def read(text):
    """A table of rows with empty lines between them; each line of a row is a Try."""
    return [[Try(level, at, tuple(names)) for level, at, *names in map(str.split, row.splitlines())]
            for row in text.strip().split("\n\n")]


def read_lines(text):
    """A table in which each line is a row."""
    return [row[0] for row in read("\n\n".join(text.strip().splitlines()))]


def row_of(name, rows):
    """The row that belongs to a name; it stays as long as the table has as many rows."""
    return rows[zlib.crc32(name.encode()) % len(rows)]


# compare.py: edges always, one more mode of counters, and paths once, counted by history and at their ends.
PROGRAMS = read("""
-O0 late  edges blocks paths paths-commit
-O2 early edges edges-heuristic
-O1 late  edges blocks-vertex

-O0 early edges edges-goldberg
-O2 late  edges edges-heuristic paths-classic ball-larus
-O1 early edges blocks-vertex

-O0 late  edges edges-goldberg
-O2 early edges edges-heuristic paths paths-commit
-O3 late  edges edges-heuristic

-O0 early edges edges-goldberg
-O2 late  edges edges-goldberg paths paths-commit
-O3 early edges edges-heuristic

-O0 late  edges blocks-vertex
-O2 early edges edges-goldberg
-Os late  edges blocks paths paths-commit

-O0 early edges edges-heuristic
-O2 late  edges edges-heuristic
-Os early edges edges-goldberg paths-classic ball-larus

-O0 late  edges blocks-vertex paths paths-commit
-O2 early edges blocks-vertex
-O1 late  edges blocks

-O0 early edges edges-heuristic
-O2 late  edges blocks-vertex
-O1 early edges edges-heuristic paths-classic ball-larus

-O0 late  edges edges-heuristic
-O2 early edges blocks
-O3 late  edges edges-goldberg paths paths-commit

-O0 early edges blocks-vertex
-O2 late  edges blocks
-O3 early edges blocks-vertex paths paths-commit

-O0 late  edges edges-heuristic paths-classic ball-larus
-O2 early edges blocks
-Os late  edges edges-goldberg

-O0 early edges blocks-vertex paths paths-commit
-O2 late  edges blocks
-Os early edges blocks
""")

# compare.py, for programs that hostile/run.py tries at -O2, late.
HOSTILE_PROGRAMS = read("""
-O0 late  edges edges-heuristic
-O2 early edges blocks paths-classic ball-larus

-O0 early edges edges-goldberg
-O1 early edges edges-goldberg paths paths-commit

-O0 late  edges blocks-vertex
-O3 late  edges blocks-vertex paths-classic ball-larus

-O0 early edges edges-heuristic
-O1 late  edges edges-goldberg paths paths-commit

-O0 early edges edges-heuristic
-O2 early edges edges-goldberg paths paths-commit

-O0 late  edges edges-heuristic
-O3 early edges blocks paths-classic ball-larus

-O0 early edges blocks paths paths-commit
-O3 early edges edges-goldberg

-O0 late  edges blocks
-O1 early edges blocks paths paths-commit

-O0 late  edges edges-goldberg
-O2 early edges blocks-vertex paths-classic ball-larus

-O0 early edges edges-goldberg
-O1 late  edges edges-heuristic paths-classic ball-larus

-O0 late  edges blocks-vertex paths-classic ball-larus
-Os late  edges blocks-vertex

-O0 early edges blocks-vertex paths-classic ball-larus
-O3 late  edges blocks

-O0 early edges blocks paths-classic ball-larus
-O2 early edges edges-heuristic

-O0 late  edges blocks
-Os late  edges edges-heuristic paths-classic ball-larus

-O0 early edges blocks-vertex
-Os early edges blocks-vertex paths paths-commit

-O0 late  edges edges-goldberg
-Os early edges edges-heuristic paths-classic ball-larus
""")

# hostile/run.py. Programs written for paths meet all modes at each of these levels.
HOSTILE = read("""
-O2 late edges blocks paths edges-memory ball-larus

-O2 late edges blocks paths paths-memory paths-classic

-O2 late edges blocks paths edges-memory paths-classic

-O2 late edges blocks paths paths-memory ball-larus
-O0 late edges blocks paths edges-memory paths-classic

-O2 late edges blocks paths edges-memory ball-larus

-O2 late edges blocks paths paths-memory paths-classic

-O2 late edges blocks paths edges-memory paths-classic

-O2 late edges blocks paths paths-memory ball-larus
-O0 late edges blocks paths paths-memory ball-larus
""")

# csmith.py: the program of a seed takes the row whose number is the seed, modulo their number.
RANDOM = read_lines("""
-O0 late  edges paths
-O1 late  edges paths paths-commit
-O2 late  edges paths-classic
-O3 late  edges paths-classic ball-larus
-Os late  edges paths
-O0 early edges paths-classic
-O1 early edges paths-classic ball-larus
-O2 early edges paths
-O3 early edges paths paths-commit
-Os early edges paths-classic
-O0 late  blocks paths paths-commit
-O1 late  blocks paths-classic
-O2 late  blocks paths-classic ball-larus
-O3 late  blocks paths
-Os late  blocks paths paths-commit
-O0 early blocks paths-classic ball-larus
-O1 early blocks paths
-O2 early blocks paths paths-commit
-O3 early blocks paths-classic
-Os early blocks paths-classic ball-larus
-O0 late  blocks-vertex paths-classic
-O1 late  blocks-vertex paths-classic ball-larus
-O2 late  blocks-vertex paths
-O3 late  blocks-vertex paths paths-commit
-Os late  blocks-vertex paths-classic
-O0 early blocks-vertex paths
-O1 early blocks-vertex paths paths-commit
-O2 early blocks-vertex paths-classic
-O3 early blocks-vertex paths-classic ball-larus
-Os early blocks-vertex paths
-O0 late  edges-heuristic paths-classic ball-larus
-O1 late  edges-heuristic paths
-O2 late  edges-heuristic paths paths-commit
-O3 late  edges-heuristic paths-classic
-Os late  edges-heuristic paths-classic ball-larus
-O0 early edges-heuristic paths paths-commit
-O1 early edges-heuristic paths-classic
-O2 early edges-heuristic paths-classic ball-larus
-O3 early edges-heuristic paths
-Os early edges-heuristic paths paths-commit
-O0 late  edges-goldberg paths
-O1 late  edges-goldberg paths paths-commit
-O2 late  edges-goldberg paths-classic
-O3 late  edges-goldberg paths-classic ball-larus
-Os late  edges-goldberg paths
-O0 early edges-goldberg paths-classic
-O1 early edges-goldberg paths-classic ball-larus
-O2 early edges-goldberg paths
-O3 early edges-goldberg paths paths-commit
-Os early edges-goldberg paths-classic
""")

# asm_goto.py: likewise. --at=early counts no function with asm goto, so most rows are late.
ASM_GOTO = read_lines("""
-O2 late  edges blocks paths paths-commit
-O2 late  edges blocks-vertex paths-classic ball-larus
-O2 early edges blocks paths paths-commit
-O0 late  edges blocks paths paths-commit
-O0 late  edges blocks-vertex paths-classic ball-larus
-O0 early edges blocks paths paths-commit
-O1 late  edges blocks paths paths-commit
-O1 late  edges blocks-vertex paths-classic ball-larus
-O1 early edges blocks paths paths-commit
-O3 late  edges blocks paths paths-commit
-O3 late  edges blocks-vertex paths-classic ball-larus
-O3 early edges blocks paths paths-commit
-Os late  edges blocks paths paths-commit
-Os late  edges blocks-vertex paths-classic ball-larus
-Os early edges blocks paths paths-commit
-O2 late  edges blocks paths paths-commit
-O2 late  edges blocks-vertex paths-classic ball-larus
-O2 early edges blocks-vertex paths-classic ball-larus
-O0 late  edges blocks paths paths-commit
-O0 late  edges blocks-vertex paths-classic ball-larus
-O0 early edges blocks-vertex paths-classic ball-larus
-O1 late  edges blocks paths paths-commit
-O1 late  edges blocks-vertex paths-classic ball-larus
-O1 early edges blocks-vertex paths-classic ball-larus
-O3 late  edges blocks paths paths-commit
-O3 late  edges blocks-vertex paths-classic ball-larus
-O3 early edges blocks-vertex paths-classic ball-larus
-Os late  edges blocks paths paths-commit
-Os late  edges blocks-vertex paths-classic ball-larus
-Os early edges blocks-vertex paths-classic ball-larus
""")

# knowledge.py: a mode of paths whose options all builds have; the mode of the earlier profile; two modes
# with --use; one with --prefer. All of them also meet --select.
KNOWLEDGE = read_lines("""
-O0 late  paths         edges  paths-use        blocks-use prefer-hot
-O3 late  paths         blocks paths-commit-use blocks-use prefer
-O0 late  paths         paths  paths-commit-use edges-use  prefer
-Os late  paths-classic blocks paths-use        edges-use  prefer-intervals
-O3 late  paths         edges  paths-commit-use blocks-use prefer-intervals
-O2 late  paths-memory  edges  paths-commit-use blocks-use prefer
-O2 late  paths         blocks paths-use        blocks-use prefer-intervals
-O2 late  paths-memory  paths  paths-commit-use blocks-use prefer-intervals
-Os late  paths-classic edges  paths-commit-use blocks-use prefer-hot
-O1 late  paths         edges  paths-use        edges-use  prefer-intervals
-O2 late  paths-classic paths  paths-use        blocks-use prefer-intervals
-O2 late  paths-classic blocks paths-commit-use edges-use  prefer-hot
-O2 late  paths-classic edges  paths-use        blocks-use prefer
-O2 late  paths         edges  paths-commit-use edges-use  prefer-hot
-O2 late  paths-memory  blocks paths-use        edges-use  prefer-hot
-Os late  paths-classic paths  paths-use        edges-use  prefer
-O0 late  paths         blocks paths-commit-use edges-use  prefer-intervals
-O2 late  paths         paths  paths-use        blocks-use prefer
-O1 late  paths         paths  paths-commit-use blocks-use prefer-hot
-O1 late  paths         blocks paths-use        edges-use  prefer
-O3 late  paths         paths  paths-use        edges-use  prefer-hot
""")

# The same, without level and place, for a real program.
KNOWLEDGE_BZIP2 = [("paths", "paths", "paths-commit-use", "edges-use", "prefer-hot"),
                   ("paths", "blocks", "paths-use", "blocks-use", "prefer-intervals")]

# real/run.py, at the level of the program's own build system: always, and only with --all.
REAL = [("late", "edges"), ("late", "paths"), ("late", "paths-commit"), ("late", "paths-classic"),
        ("late", "ball-larus")]
REAL_ALL = REAL + [
    ("early", "paths"), ("early", "paths-commit"), ("late", "blocks"), ("early", "edges"),
    ("early", "blocks-vertex"), ("late", TOLD), ("late", TOLD_CLASSIC)]

# stress.py, by check.
STRESS = {
    "kills": [EVERYWHERE, "edges", TOLD, "paths"],
    "calls": [EVERYWHERE],
    "runs": [EVERYWHERE, "edges", "blocks", TOLD, "paths"],
    "threads": [EVERYWHERE, "edges", "blocks", "paths"],
}
