"""A player of Go: deep searches with many branches, recursion, and matching of patterns."""
from programs import Program

PATTERNS = """connections helpers transform conn patterns apatterns dpatterns eyes influence
    barriers endgame aa_attackpat owl_attackpat owl_vital_apat owl_defendpat fusekipat fuseki9
    fuseki13 fuseki19 josekidb handipat oraclepat mcpat"""


def moves(count):
    """The program plays both sides, by the protocol that it speaks with other programs."""
    lines = ["boardsize 9", "clear_board", "komi 5.5"]
    lines += ["genmove %s" % ("white" if turn % 2 else "black") for turn in range(count)]
    return ("\n".join(lines + ["showboard", "quit"]) + "\n").encode()


PROGRAM = Program(
    package="gnugo",
    prepare="./configure -q --without-curses CC=$CC CFLAGS='-O0 -fcommon -w' && make -s",
    sources="-fcommon -DHAVE_CONFIG_H -I. -Iengine -Iinterface -Ipatterns -Isgf -Iutils engine/*.c "
            "interface/*.c sgf/sgf_utils.c sgf/sgfnode.c sgf/sgftree.c utils/getopt.c "
            "utils/getopt1.c utils/gg_utils.c utils/random.c utils/winsocket.c " +
            " ".join("patterns/%s.c" % name for name in PATTERNS.split()),
    libraries="-lm",
    command=lambda scale: ["--mode", "gtp", "--seed", "1", "--level", "1", "--gtp-input", "moves"],
    inputs=lambda scale: {"moves": moves(3 * scale)})
