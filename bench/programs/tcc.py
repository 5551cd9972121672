"""A compiler: a parser by hand that emits code in one pass. It compiles what is generated here."""
import random

from programs import Program

FUNCTION = """
struct pair%(n)d { int first, second; struct pair%(n)d *next; char name[%(a)d]; };
static int table%(n)d[%(a)d] = { %(b)d, %(c)d, 'x', sizeof(struct pair%(n)d) };
int work%(n)d(struct pair%(n)d *list, int limit, double scale)
{
	int sum = %(c)d;
	for (int i = 0; i < limit && list; i++, list = list->next) {
		switch ((list->first ^ i) %% %(a)d) {
		case 0: sum += list->second * %(b)d; break;
		case 1: case 2: sum -= table%(n)d[i & 3] << 2; break;
		case %(a)d - 1: if (sum > %(c)d || !list->next) { sum /= 3; continue; } /* falls through */
		default: sum = sum > 0 ? (int)(sum * scale + %(b)d.5) : ~sum;
		}
		while (sum > %(b)d000) sum >>= 1;
	}
	return %(call)s + sum;
}
"""


def source(functions):
    generator = random.Random(3)
    parts = ["/* generated */\n#define TWICE(x) ((x) + (x))\n"]
    for n in range(functions):
        call = "TWICE(work%d(0, sum, 1.5))" % generator.randrange(n) if n else "TWICE(sum)"
        parts.append(FUNCTION % {"n": n, "call": call, "a": generator.randrange(4, 40),
                                 "b": generator.randrange(100, 999),
                                 "c": generator.randrange(1000)})
    return "".join(parts).encode()


PROGRAM = Program(
    package="tcc", product="generated.o",
    prepare="./configure --cc=$CC >/dev/null",
    sources="-I. -DCONFIG_TRIPLET='\"x86_64-linux-gnu\"' -DTCC_TARGET_X86_64 -DONE_SOURCE=1 tcc.c",
    libraries="-lm -ldl -lpthread",
    command=lambda scale: ["-nostdinc", "-c", "generated.c", "-o", "generated.o"],
    inputs=lambda scale: {"generated.c": source(1200 * scale)})
