"""Random programs that are mostly control flow: what optimisers make one, many or none of.

All arithmetic is unsigned and all loops are bounded, so the programs are defined. Each function calls only
those behind it, or itself with less fuel. What is printed depends on everything.
"""
import os
import random

HEAD = """#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = %du, total, fuel = 20000, zeros[64], table[64];
static volatile unsigned opaque = 1;
static jmp_buf back;
static int can_jump;

__attribute__((noinline)) static unsigned draw(void)
{
	seed = seed * 1103515245u + 12345u;
	return seed >> 16;
}
"""

CXX_HEAD = """
struct Guard {
	unsigned &where;
	unsigned by;
	Guard(unsigned &where, unsigned by)
	    : where(where), by(by)
	{
		where += by;
	}
	~Guard()
	{
		where ^= by;
	}
};

struct Base {
	unsigned value;
	explicit Base(unsigned value)
	    : value(value)
	{
		total += value & 3;
	}
	virtual ~Base()
	{
		total ^= value;
	}
	virtual unsigned get(unsigned x) const
	{
		return x + value;
	}
};

struct Derived : virtual Base {
	explicit Derived(unsigned value)
	    : Base(value + 1)
	{
		if (value & 1)
			total += 5;
	}
	unsigned get(unsigned x) const override
	{
		if (x & 4)
			return Base::get(x) * 2;
		return x;
	}
};

template <unsigned N, typename T>
static inline T pick(T x)
{
	T sum = x;
	for (unsigned i = 0; i < N; i++)
		sum += x >> i;
	if (sum & 1)
		return sum;
	return sum + N;
}

inline unsigned shared(unsigned x)
{
	if (x > 40)
		return x - 40;
	return x;
}
"""


class Writer:
    """One program."""

    def __init__(self, seed, cxx):
        self.random, self.cxx = random.Random(seed), cxx
        self.lines, self.depth, self.labels, self.variables = [], 0, 0, []
        self.functions, self.me, self.loops = [], 0, 0

    def say(self, text):
        self.lines.append("\t" * self.depth + text)

    def open(self, text):
        self.say(text + " {")
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.say(text)

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def variable(self):
        return self.random.choice(self.variables)

    def value(self, depth=0):
        kinds = [lambda: str(self.random.randrange(20)) + "u", self.variable, self.variable,
                 lambda: "table[%s & 63]" % self.variable()]
        if depth < 2:
            kinds += [lambda: "(%s %s %s)" % (self.value(depth + 1), self.random.choice("+-*^&|"),
                                             self.value(depth + 1)),
                      lambda: "(%s >> %d)" % (self.value(depth + 1), self.random.randrange(1, 9))]
        if depth == 0:
            kinds += [lambda: "draw()"] * 2
            if self.cxx:
                kinds += [lambda: "pick<%d>(%s)" % (self.random.randrange(1, 5), self.value(1)),
                          lambda: "shared(%s & 63)" % self.value(1)]
        return self.random.choice(kinds)()

    def condition(self, depth=0):
        kinds = [lambda: "%s %s %s" % (self.value(1), self.random.choice(["<", ">", "==", "!="]), self.value(1)),
                 lambda: "(%s & %d) == 0" % (self.value(1), self.random.choice([1, 3, 7])),
                 lambda: "draw() %% %d == 0" % self.random.randrange(2, 9),
                 lambda: "opaque == %d" % self.random.randrange(2),
                 lambda: "(%s & 7) < %d" % (self.variable(), self.random.randrange(9))]
        if depth < 2:
            kinds += [lambda: "(%s) %s (%s)" % (self.condition(depth + 1), self.random.choice(["&&", "||"]),
                                               self.condition(depth + 1))] * 2
        return self.random.choice(kinds)()

    # --- statements ---

    def assign(self, _):
        self.say("%s %s %s;" % (self.writable(), self.random.choice(["=", "+=", "^=", "-="]), self.value()))

    def store(self, _):
        self.say("table[%s & 63] %s %s;" % (self.variable(), self.random.choice(["=", "+=", "^="]), self.value()))

    def total(self, _):
        self.say("total = total * 31 + %s;" % self.value())

    def choose(self, size):
        self.open("if (%s)" % self.condition())
        self.body(size)
        while self.one_in(4):
            self.close("} else if (%s) {" % self.condition())
            self.depth += 1
            self.body(size)
        if self.one_in(2):
            self.close("} else {")
            self.depth += 1
            self.body(size)
        self.close()

    def ternary(self, _):
        self.say("%s = %s ? %s : %s;" % (self.writable(), self.condition(), self.value(1), self.value(1)))

    def loop(self, size):
        name = "i%d" % len(self.lines)
        limit = self.random.choice(["4", "8", "16", "64", "%s & 7" % self.variable(), "%s & 63" % self.variable()])
        self.open("for (unsigned %s = 0, n = %s; %s < n; %s++)" % (name, limit, name, name))
        self.variables.append(name)
        self.readonly.append(name)
        self.loops += 1
        self.say("if (!fuel)")
        self.say("\tbreak;")
        self.say("fuel--;")
        self.body(size)
        self.loops -= 1
        self.variables.remove(name)
        self.close()

    def plain_loop(self, _):
        """Without calls: may be unrolled, vectorised, recognised, computed or deleted."""
        name, to = "i%d" % len(self.lines), self.writable()
        limit = self.random.choice(["4", "7", "16", "64", "%s & 63" % self.variable()])
        self.open("for (unsigned %s = 0; %s < (%s); %s++)" % (name, name, limit, name))
        self.say(self.random.choice([
            "zeros[%s] = 0;" % name, "zeros[%s] = table[%s];" % (name, name), "table[%s] += %s;" % (name, name),
            "%s += table[%s];" % (to, name), "%s += %s;" % (to, name), "%s = %s;" % (to, name),
            "(void)%s;" % name]))
        if self.one_in(3):
            self.say("if (table[%s] %s %d)" % (name, self.random.choice(["<", ">", "=="]), self.random.randrange(99)))
            self.say("\t" + self.random.choice(["break;", "continue;", "table[%s]++;" % name, "zeros[%s]--;" % name]))
            self.say("zeros[%s] ^= 1;" % name)
        self.close()

    def bits(self, _):
        name = "b%d" % len(self.lines)
        self.say("unsigned %s = %s, %sn = 0;" % (name, self.value(1), name))
        self.open("while (%s)" % name)
        self.say(self.random.choice(["%s &= %s - 1;", "%s >>= 1;"]).replace("%s", name))
        self.say("%sn++;" % name)
        self.close()
        self.say("total += %sn;" % name)

    def repeat(self, size):
        name = "k%d" % len(self.lines)
        self.say("unsigned %s = 0;" % name)
        self.open("do")
        self.loops += 1
        self.body(size)
        self.loops -= 1
        self.close("} while (++%s < %s && (%s));" % (name, self.random.choice(["3", "9", "20"]), self.condition()))

    def leave_loop(self, size):
        if not self.loops:
            return self.assign(size)
        self.say("if (%s)" % self.condition())
        self.say("\t" + self.random.choice(["break;", "continue;"]))

    def switch(self, size):
        self.open("switch (%s & %d)" % (self.value(), self.random.choice([3, 7])))
        cases = self.random.sample(range(8), self.random.randrange(2, 6))
        outer, self.loops = self.loops, 0
        for case in cases:
            self.depth -= 1
            self.say("case %d:" % case)
            if self.one_in(8):
                self.say("case %d:" % (case + 8))
            self.depth += 1
            self.open("")
            self.body(size)
            self.close()
            if not self.one_in(3):
                self.say("break;")
        if self.one_in(2):
            self.depth -= 1
            self.say("default:")
            self.depth += 1
            self.open("")
            self.body(size)
            self.close()
        self.loops = outer
        self.close()

    def machine(self, _):
        """States in a loop: jumps are threaded through the switch."""
        state = "s%d" % len(self.lines)
        self.say("unsigned %s = %d, %sn = 0;" % (state, self.random.randrange(4), state))
        self.open("while (%s != 4 && %sn++ < 12)" % (state, state))
        self.open("switch (%s)" % state)
        for case in range(4):
            self.depth -= 1
            self.say("case %d:" % case)
            self.depth += 1
            self.say("%s = %s ? %d : %d;" % (state, self.condition(1), self.random.randrange(5),
                                             self.random.randrange(5)))
            if self.one_in(2):
                self.say("total += %d;" % case)
            if not self.one_in(4):
                self.say(self.random.choice(["break;", "continue;"]))
        self.close()
        self.close()

    def jump(self, size):
        label = "l%d" % len(self.lines)
        self.say("if (%s)" % self.condition())
        self.say("\tgoto %s;" % label)
        # Variables of C++ may not be jumped over.
        self.open("")
        self.body(size)
        self.close()
        self.depth -= 1
        self.say(label + ":")
        self.depth += 1
        self.say("total++;")

    def computed(self, _):
        if self.cxx:
            return self.machine(_)
        n = len(self.lines)
        self.open("")
        self.say("static const void *const to%d[] = {&&a%d, &&b%d, &&c%d};" % (n, n, n, n))
        self.say("unsigned steps = 0;")
        self.say("goto *to%d[%s %% 3];" % (n, self.value()))
        for label in "abc":
            self.depth -= 1
            self.say("%s%d:" % (label, n))
            self.depth += 1
            self.say("total = total * 3 + %s;" % self.value())
            if self.one_in(2):
                self.say("if (steps++ < 5)")
                self.say("\tgoto *to%d[%s %% 3];" % (n, self.value()))
        self.close()

    def call(self, _):
        behind = self.functions[self.me + 1:]
        if not behind:
            return self.assign(_)
        name = self.random.choice(behind)
        self.say("%s %s(%s, %s);" % (self.random.choice(["total +=", "total ^=", "%s =" % self.writable(), ""]), name,
                                     self.value(1), self.value(1)))

    def recurse(self, _):
        self.open("if (fuel && (p & 15))")
        self.say("fuel--;")
        self.say("total += %s((p & 15) - 1, %s);" % (self.functions[self.me], self.value(1)))
        self.close()

    def give_back(self, _):
        self.say("if (%s)" % self.condition())
        self.say("\treturn %s;" % self.value())

    def end(self, _):
        self.open("if (%s)" % self.random.choice(["opaque > 5", "fuel == 3", "total == 77 && opaque"]))
        self.say('printf("left %u\\n", total);')
        self.say(self.random.choice(["exit(0);", "abort();", "exit(total & 1);"]))
        self.close()

    def throw(self, _):
        if not self.cxx:
            self.open("if (can_jump && draw() % 3 == 0)")
            self.say("longjmp(back, 1 + (total & 1));")
            self.close()
            return
        self.open("if (can_jump && draw() % 3 == 0)")
        self.say("throw %s;" % self.random.choice(["1", "2u", "3L"]))
        self.close()

    def catch(self, size):
        outer, self.loops = self.loops, 0
        if not self.cxx:
            self.loops = outer
            return self.call(size)
        self.say("can_jump++;")
        self.open("try")
        if self.one_in(2):
            self.say("Guard guard(total, %s);" % self.value(1))
        self.body(size)
        self.call(size)
        for kind in self.random.sample(["int", "unsigned", "const long &"], self.random.randrange(3)):
            self.close("} catch (%s) {" % kind)
            self.depth += 1
            self.body(max(0, size - 1))
        self.close("} catch (...) {")
        self.depth += 1
        self.say("total += 3;")
        self.close()
        self.say("can_jump--;")
        self.loops = outer

    def object(self, size):
        if not self.cxx:
            return self.store(size)
        name = "o%d" % len(self.lines)
        self.open("")
        self.say(self.random.choice(["Base %s(%s);", "Derived %s(%s);"]) % (name, self.value(1)))
        self.say("const Base &%sb = %s;" % (name, name))
        self.say("total += %sb.get(%s);" % (name, self.value(1)))
        self.body(max(0, size - 1))
        self.close()

    def closure(self, size):
        if not self.cxx:
            return self.ternary(size)
        name = "f%d" % len(self.lines)
        self.open("auto %s = [&](unsigned x) -> unsigned" % name)
        self.say("if (x & 2)")
        self.say("\treturn total + x;")
        self.say("return x ^ %s;" % self.value(1))
        self.close("};")
        self.say("total += %s(%s);" % (name, self.value(1)))

    def writable(self):
        return self.random.choice([v for v in self.variables if v not in self.readonly])

    def body(self, size):
        simple = [self.assign, self.store, self.total, self.ternary, self.plain_loop, self.call, self.call,
                  self.leave_loop, self.give_back]
        large = [self.choose] * 4 + [self.loop, self.loop, self.repeat, self.switch, self.jump, self.machine,
                                     self.computed, self.bits, self.catch, self.object, self.closure]
        for _ in range(self.random.randrange(1, 4)):
            rare = self.random.choice([self.end, self.throw, self.recurse]) if self.one_in(12) else None
            statement = rare or self.random.choice(simple + (large if size > 0 else []))
            self.open("")
            statement(size - 1)
            self.close()

    # --- the program ---

    def function(self, number):
        self.me, name = number, self.functions[number]
        kind = self.random.choice(["static ", "static ", "static inline ", "__attribute__((noinline)) static "])
        self.lines.append("%sunsigned %s(unsigned p, unsigned q)" % (kind, name))
        self.lines.append("{")
        self.depth, self.variables, self.readonly, self.loops = 1, ["p", "q", "r", "s"], ["p"], 0
        self.say("unsigned r = %s;" % self.random.choice(["p", "q", "3", "p * q"]))
        self.say("unsigned s = 0;")
        for _ in range(self.random.randrange(1, 4)):
            self.body(self.random.randrange(1, 4))
        self.say("return r + s;")
        self.depth = 0
        self.lines += ["}", ""]

    def pure_function(self, number):
        """Reads and writes nothing but its parameters: its calls may be shared or deleted."""
        self.lines.append("static unsigned %s(unsigned p, unsigned q)" % self.functions[number])
        self.lines += ["{", "\tunsigned r = p;", "\tfor (unsigned i = 0; i < (q & 7); i++) {",
                       "\t\tif (r & 1)", "\t\t\tr = r * 3 + 1;", "\t\telse", "\t\t\tr >>= 1;", "\t}",
                       "\tif (r > q)", "\t\treturn r - q;", "\treturn r;", "}", ""]

    def program(self, seed):
        count = self.random.randrange(3, 8)
        self.functions = ["f%d" % i for i in range(count)]
        self.lines = (HEAD % seed + (CXX_HEAD if self.cxx else "")).splitlines() + [""]
        for name in self.functions:
            self.lines.append("static unsigned %s(unsigned p, unsigned q);" % name)
        self.lines.append("")
        order = list(range(count))
        self.random.shuffle(order)
        for number in order:
            if number == count - 1 and self.one_in(2):
                self.pure_function(number)
            else:
                self.function(number)
        self.lines += MAIN_CXX if self.cxx else MAIN
        return "\n".join(self.lines) + "\n"


MAIN = """int main(void)
{
	volatile unsigned round;
	for (round = 0; round < 6; round++) {
		fuel = 3000;
		if (round % 3 == 2) {
			can_jump = 1;
			if (setjmp(back) == 0)
				total += f0(draw(), round);
			else
				total += 7;
			can_jump = 0;
			continue;
		}
		total ^= f0(round, draw());
	}
	printf("%u %u\\n", total, table[3] + zeros[5]);
	return 0;
}""".splitlines()

MAIN_CXX = """int main()
{
	for (unsigned round = 0; round < 6; round++) {
		fuel = 3000;
		try {
			can_jump = round % 3 == 2;
			total ^= f0(round, draw());
		} catch (int) {
			total += 7;
		} catch (...) {
			total += 11;
		}
	}
	printf("%u %u\\n", total, table[3] + zeros[5]);
	return 0;
}""".splitlines()


def write(seed, path, cxx):
    with open(path, "w") as out:
        out.write(Writer(seed, cxx).program(seed))
    return path


def generate(seed, directory):
    return write(seed, os.path.join(directory, "random.c"), False)


def generate_cxx(seed, directory):
    return write(seed, os.path.join(directory, "random.cpp"), True)


def leaves_early(source):
    """Whether functions are left in the middle of calls: gcov and llvm-cov believe that all calls come back."""
    text = open(source).read()
    return "longjmp(" in text or "throw " in text or "exit(" in text
