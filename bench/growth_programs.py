"""C programs of any size, for bench/growth: one large function, many small ones, many paths, and
conditions one after another.

What branches decide about is volatile, so that the optimiser neither merges nor removes them. Each
program executes all that is in it, and the same for the same size.
"""
BRANCHES_OF_LOOP = 6
EDGES_OF_LOOP = 3 * BRANCHES_OF_LOOP + 4  # three of an `if`; into, around and out of the loop
BRANCHES_OF_SMALL = 2
MAX_BRANCHES = 24  # of a function that executes all its paths: 2^24, more than any size
WAYS_OF_DEFAULT = 7  # with 2^7 paths: as many as are not cut in a small function
HEAD = "static volatile unsigned bits, sink;\nstatic volatile int turns = 2;\n"


def branch(bit, value):
    return "if (value & 1u << %d) sink = %d;\n" % (bit, value)


def loop(number):
    inner = "".join(branch((number + i) % 32, number + i) for i in range(BRANCHES_OF_LOOP))
    return "for (int i = turns; i > 0; i--) {\nunsigned value = bits += 0x9e3779b9u;\n%s}\n" % inner


def one_function(edges):
    """A function with so many edges: loops one after another."""
    body = "".join(loop(k) for k in range(max(1, edges // EDGES_OF_LOOP)))
    return HEAD + "int main(void)\n{\n%sreturn 0;\n}\n" % body


def many_functions(count):
    """So many functions, each with a few branches and each called once."""
    inner = "".join(branch(i, i) for i in range(BRANCHES_OF_SMALL))
    return HEAD + "".join(
        "static void f%d(unsigned value)\n{\n%s}\n" % (k, inner) for k in range(count)) + (
            "static void (*const all[])(unsigned) = {%s};\n" % ",".join(
                "f%d" % k for k in range(count)) +
            "int main(void)\n{\nfor (unsigned i = 0; i < %du; i++) all[i](i);\nreturn 0;\n}\n"
            % count)


def paths_of_one(paths):
    """A function of which so many paths run, each once."""
    inner = "".join(branch(i, i) for i in range(MAX_BRANCHES))
    return HEAD + ("__attribute__((noinline)) static void walk(unsigned value)\n{\n%s}\n"
                   "int main(void)\n{\nfor (unsigned i = 0; i < %du; i++) walk(i);\nreturn 0;\n}\n"
                   % (inner, paths))


def paths_of_many(paths):
    """Functions of which so many paths run in all, or up to 2^7 more, each once."""
    inner = "".join(branch(i, i) for i in range(WAYS_OF_DEFAULT))
    count = -(-paths >> WAYS_OF_DEFAULT)
    ways = min(paths, 1 << WAYS_OF_DEFAULT)
    return HEAD + "".join(
        "static void f%d(unsigned value)\n{\n%s}\n" % (k, inner) for k in range(count)) + (
            "static void (*const all[])(unsigned) = {%s};\n" % ",".join(
                "f%d" % k for k in range(count)) +
            "int main(void)\n{\nfor (unsigned i = 0; i < %du; i++)\n"
            "for (unsigned way = 0; way < %du; way++) all[i](way);\nreturn 0;\n}\n" % (count, ways))


def conditions(operands):
    """A function of short-circuit conditions with so many operands, four in each condition."""
    return "int f(int *a)\n{\nint s = 0;\n%sreturn s;\n}\n" % "".join(
        "if ((a[%d] && a[%d]) || (a[%d] && !a[%d])) s += %d;\n" % (i, i + 1, i + 2, i + 3, i)
        for i in range(operands // 4))
