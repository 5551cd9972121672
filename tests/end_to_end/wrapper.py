#!/usr/bin/env python3
"""`waymark cc` and `waymark c++` behave as clang for the command lines that build systems make."""
import glob
import json
import os
import re
import shutil
import stat
import subprocess
import unittest

import cases
import harness
from cases import HELLO

HERE = os.path.dirname(os.path.abspath(__file__))


class SameAsClang(cases.Case):
    """Exit status, both outputs and side files are those of clang."""

    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO)
        self.write("unused.c", "int f(void) { int unused; return 0; }\n")
        self.write("broken.c", "int f(void) {\n\treturn x +;\n}\n")
        self.write("many.c", "int g(void) { return 1 }\nint h(void) { return y; }\n")
        self.write("undefined.c", "int absent(int);\nint main(void) { return absent(1); }\n")

    def assert_same(self, *words, **keywords):
        expected = self.clang(*words, **keywords)
        self.assertEqual(self.call("cc", *words, **keywords), expected,
                         "waymark cc %s" % " ".join(words))
        return expected

    def test_preprocess(self):
        self.assert_same("-E", "hello.c")
        self.assert_same("-E", "-", stdin=b"#define A 1\nint a = A;\n")

    def test_one_macro_more(self):
        """By which waymark.h knows that it is meant."""
        words = "-E", "-dM", "-x", "c", "/dev/null"
        plain, ours = self.clang(*words)[1], self.call("cc", *words)[1]
        self.assertEqual(set(ours.splitlines()) - set(plain.splitlines()),
                         {"#define __WAYMARK__ 1"})
        self.assertEqual(set(plain.splitlines()) - set(ours.splitlines()), set())

    def test_dependencies(self):
        self.assert_same("-M", "hello.c")
        self.assert_same("-MM", "-MT", "x.o", "hello.c")
        self.assert_same("-c", "-MD", "-MF", "clang.d", "hello.c", "-o", "hello.o")
        os.rename(self.path("clang.d"), self.path("waymark.d"))
        self.clang("-c", "-MD", "-MF", "clang.d", "hello.c", "-o", "hello.o")
        self.assertEqual(self.read("waymark.d"), self.read("clang.d"))

    def test_dependency_file_beside_the_object(self):
        self.assert_same("-c", "-MMD", "hello.c")
        self.assertTrue(os.path.exists(self.path("hello.d")))
        self.assertTrue(os.path.exists(self.path("hello.o")))

    def test_syntax_check_only(self):
        self.assert_same("-fsyntax-only", "hello.c")
        self.assert_same("-fsyntax-only", "broken.c")

    def test_warnings(self):
        self.assert_same("-Wall", "-c", "unused.c")
        self.assert_same("-Wall", "-Wextra", "-Weverything", "-c", "unused.c")
        self.assert_same("-Wall", "-Werror", "-c", "unused.c")

    def test_errors(self):
        for words in (["-c", "broken.c"], ["many.c"], ["-c", "missing.c"], [],
                      ["-c", "-o"], ["--no-such-option", "hello.c"], ["-fno-such", "hello.c"],
                      ["-c", "hello.c", "-o", "no/such/directory/hello.o"],
                      ["-c", "hello.c", "unused.c", "-o", "both.o"], ["-x", "nonsense", "hello.c"]):
            with self.subTest(words=words):
                status = self.assert_same(*words)[0]
                self.assertNotEqual(status, 0)

    def test_error_among_several_sources(self):
        self.assertNotEqual(self.assert_same("-c", "hello.c", "broken.c", "unused.c")[0], 0)

    def test_informative_options(self):
        for word in ("--version", "-print-search-dirs", "-dumpversion", "-dumpmachine",
                     "-print-file-name=libc.so", "-print-prog-name=ld", "--print-target-triple",
                     "-print-resource-dir"):
            with self.subTest(word=word):
                self.assert_same(word)

    def test_unused_arguments_stay_errors(self):
        self.assertNotEqual(self.assert_same("-Werror", "-c", "hello.c", "-lm")[0], 0)
        self.clang("-c", "hello.c", "-o", "plain.o")
        self.assertNotEqual(self.assert_same("-Werror", "-c", "plain.o")[0], 0)

    def test_own_arguments_are_never_unused(self):
        self.clang("-c", "hello.c", "-o", "plain.o")
        for words in (["-c", "hello.c"], ["-E", "hello.c"], ["-M", "hello.c"], ["-S", "hello.c"],
                      ["-fsyntax-only", "hello.c"], ["plain.o", "-o", "h"], ["hello.c", "-o", "h"],
                      ["-c", "-x", "assembler", "/dev/null", "-o", "a.o"]):
            with self.subTest(words=words):
                self.assertEqual(self.assert_same("-Werror", *words)[0], 0)

    def test_undefined_symbol_fails_to_link(self):
        status, _, err = self.call("cc", "undefined.c", "-o", "program")
        self.assertEqual(status, self.clang("undefined.c", "-o", "program")[0])
        self.assertIn("absent", err)
        self.assertNotIn("waymark_", err)

    def test_verbose(self):
        for word in ("-v", "-###"):
            with self.subTest(word=word):
                status, out, err = self.call("cc", word, "hello.c", "-o", "program")
                self.assertEqual((status, out), (0, ""))
                self.assertIn("clang version 19", err)
                self.assertIn("-cc1", err)
        self.assertEqual(self.assert_same("-v")[0], 0)

    def test_header_named_by_language(self):
        self.write("declarations", "int declared(int);\n")
        for words in (["-x", "c-header"], ["-xc++-header"]):
            with self.subTest(words=words):
                self.assertEqual(self.assert_same(*words, "declarations", "-o", "d.pch")[0], 0)

    def test_single_steps_of_clang(self):
        triple = ["-triple", "x86_64-pc-linux-gnu"]
        self.write("nothing.s", "nop\n")
        for words in (["-cc1", *triple, "-fsyntax-only", "broken.c"],
                      ["-cc1", *triple, "-emit-llvm", "unused.c", "-o", "-"],
                      ["-cc1as", *triple, "-filetype", "asm", "nothing.s", "-o", "-"]):
            with self.subTest(words=words):
                self.assertEqual(self.assert_same(*words)[0], int("broken.c" in words))

    def test_dry_run_writes_nothing(self):
        before = self.files()
        self.call("cc", "-###", "hello.c", "-o", "program")
        self.assertEqual(self.files(), before)


class Builds(cases.Case):
    """The result of each kind of build runs and has a profile of its functions."""

    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO)
        self.write("part.c", "int part(int x) { return x > 1 ? x : -x; }\n")
        self.write("whole.c", '#include <stdio.h>\nint part(int);\nint main(void) {\n'
                   'for (int i = 0; i < 4; i++) printf("%d\\n", part(i));\nreturn 0;\n}\n')

    def assert_profiled(self, program, *names, output=None):
        """Runs the program; exactly these functions are in its profile."""
        status, out, err = self.execute(program)
        self.assertEqual((status, err), (0, ""))
        if output is not None:
            self.assertEqual(out, output)
        functions = harness.read_profile(self.waymark, self.directory)
        self.assertEqual(sorted(f["name"] for f in functions), sorted(names))
        return {f["name"]: f["entry_count"] for f in functions}

    def test_compile_then_link(self):
        self.succeed("cc", "-c", "part.c")
        self.succeed("cc", "-c", "whole.c", "-o", "whole.o")
        self.succeed("cc", "whole.o", "part.o", "-o", "whole")
        self.assertEqual(self.assert_profiled("./whole", "main", "part"), {"main": 1, "part": 4})

    def test_several_sources_at_once(self):
        self.succeed("cc", "whole.c", "part.c", "-o", "whole")
        self.assertEqual(self.assert_profiled("./whole", "main", "part"), {"main": 1, "part": 4})

    def test_several_sources_compiled_only(self):
        self.succeed("cc", "-c", "whole.c", "part.c")
        self.succeed("cc", "part.o", "whole.o")
        self.assert_profiled("./a.out", "main", "part")

    def test_default_output_name(self):
        self.succeed("cc", "hello.c")
        self.assert_profiled("./a.out", "main", "twice", output="17\n")

    def test_assembly_in_between(self):
        self.succeed("cc", "-S", "hello.c")
        self.succeed("cc", "-S", "part.c", "-o", "part.s")
        self.succeed("cc", "-c", "hello.s")
        self.succeed("cc", "hello.o", "part.s", "-o", "hello")
        self.assert_profiled("./hello", "main", "twice", "part")

    def test_language_named(self):
        os.rename(self.path("hello.c"), self.path("hello.text"))
        self.succeed("cc", "-x", "c", "hello.text", "-x", "none", "part.c", "-o", "hello")
        self.assert_profiled("./hello", "main", "twice", "part")

    def test_standard_input(self):
        self.succeed("cc", "-x", "c", "-", "-o", "hello", stdin=HELLO.encode())
        self.assert_profiled("./hello", "main", "twice")

    def test_response_file(self):
        self.write("words", "-O2 -g\n-DLIMIT=3 'hello.c'\n-o \"the program\"\n")
        self.succeed("cc", "@words")
        self.assert_profiled("./the program", "main", output="17\n")

    def test_spaces_in_names(self):
        os.mkdir(self.path("a directory"))
        os.rename(self.path("hello.c"), self.path("a directory/the source.c"))
        self.succeed("cc", "-c", "a directory/the source.c", "-o", "a directory/the object.o")
        self.succeed("cc", "a directory/the object.o", "-o", "a directory/the program")
        self.assert_profiled("a directory/the program", "main", "twice")

    def test_shared_library(self):
        self.succeed("cc", "-fPIC", "-shared", "part.c", "-o", "libpart.so")
        self.succeed("cc", "whole.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "whole")
        self.assert_profiled("./whole", "main", "part")

    def test_shared_library_of_sources_without_fpic(self):
        self.write("words", "-shared\n")
        for word in ("-shared", "@words"):
            with self.subTest(word=word):
                self.succeed("cc", word, "part.c", "-o", "libpart.so")
                self.succeed("cc", "whole.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "whole")
                counts = self.assert_profiled("./whole", "main", "part", output="0\n-1\n2\n3\n")
                self.assertEqual(counts, {"main": 1, "part": 4})
                for path in glob.glob(self.path("*.wmk")):
                    os.remove(path)

    def test_shared_library_of_objects_without_fpic_is_refused(self):
        self.succeed("cc", "-c", "part.c")
        status, _, err = self.call("cc", "-shared", "part.o", "-o", "libpart.so")
        self.assertNotEqual(status, 0)
        self.assertIn("__waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC", err)
        self.assertFalse(os.path.exists(self.path("libpart.so")))

    def test_libraries_named_by_hand(self):
        self.succeed("cc", "-nodefaultlibs", "hello.c", "-lc", "-o", "hello")
        self.assert_profiled("./hello", "main", "twice", output="17\n")

    OWN_START = """#include <stdio.h>
#include <stdlib.h>
int part(int);
__attribute__((noreturn, used)) static void begin(void)
{
	for (int i = 0; i < 4; i++)
		printf("%d\\n", part(i));
	exit(0);
}
__asm__(".globl _start\\n_start: xor %ebp,%ebp\\nand $-16,%rsp\\ncall begin\\n");
"""

    def test_own_start(self):
        """Nobody runs the program's constructors."""
        self.write("own.c", self.OWN_START)
        for words in (["-nostartfiles"], ["-nostartfiles", "-nodefaultlibs", "-lc"],
                      ["-nostdlib", "-lc"], ["-nostdlib", "-Wl,-lc"],
                      ["-nostartfiles", "-no-pie"], ["-nostartfiles", "--base=memory"],
                      ["-nostartfiles", "-ffreestanding"]):
            with self.subTest(words=words):
                for name in glob.glob(self.path("*.wmk")):
                    os.remove(name)
                self.succeed("cc", "own.c", "part.c", *words, "-o", "own")
                counts = self.assert_profiled("./own", "begin", "part", output="0\n-1\n2\n3\n")
                self.assertEqual(counts, {"begin": 1, "part": 4})

    def test_start_files_named_by_hand(self):
        def place(name):
            return self.clang("-print-file-name=" + name)[1].strip()
        first, last = [place("crt1.o"), place("crti.o")], place("crtn.o")
        for words in (["-nostartfiles", "-no-pie", *first, "whole.c", "part.c", last],
                      ["-nostdlib", "-no-pie", *first, "whole.c", "part.c", place("libc.so.6"), last],
                      ["-nostdlib", "-static", *first, "whole.c", "part.c", "-Wl,--start-group",
                       "-lgcc", "-lgcc_eh", "-lc", "-Wl,--end-group", last]):
            with self.subTest(words=words):
                for name in glob.glob(self.path("*.wmk")):
                    os.remove(name)
                self.succeed("cc", *words, "-o", "whole")
                self.assert_profiled("./whole", "main", "part", output="0\n-1\n2\n3\n")

    def test_library_without_libraries_of_its_own(self):
        """After it was closed a child is made."""
        self.write("open.c", """#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	void *library = dlopen("./libpart.so", RTLD_NOW);
	int (*part)(int) = (int (*)(int))dlsym(library, "part");
	int status = 0, sum = part(3) + part(-1);
	dlclose(library);
	if (!fork())
		_exit(4);
	wait(&status);
	printf("%d %d\\n", sum, WEXITSTATUS(status));
	return 0;
}
""")
        self.assertEqual(self.clang("open.c", "-o", "open"), (0, "", ""))
        self.succeed("cc", "-shared", "-nostdlib", "part.c", "-o", "libpart.so")
        self.assertEqual(self.assert_profiled("./open", "part", output="4 4\n"), {"part": 2})

    def test_relocatable_output(self):
        self.succeed("cc", "-c", "part.c", "whole.c")
        self.succeed("cc", "-r", "part.o", "whole.o", "-o", "both.o")
        self.succeed("cc", "both.o", "-o", "whole")
        self.assert_profiled("./whole", "main", "part")

    @unittest.skipUnless(shutil.which("ld.gold"), "gold is not installed")
    def test_linked_by_gold(self):
        self.succeed("cc", "-fuse-ld=gold", "--file=%s" % self.path("named.wmk"), "hello.c", "-o",
                     "hello")
        counts = self.assert_profiled("./hello", "main", "twice", output="17\n")
        self.assertEqual(counts, {"main": 1, "twice": 5})

    @unittest.skipUnless(shutil.which("ld.gold"), "gold is not installed")
    def test_linked_by_gold_default_file(self):
        self.succeed("cc", "-fuse-ld=gold", "hello.c", "-o", "hello")
        self.assert_profiled("./hello", "main", "twice", output="17\n")

    def assembly(self, source, *words):
        self.succeed("cc", *words, "-S", source, "-o", "assembly.s")
        return self.read("assembly.s").decode()

    def test_probes_are_single_instructions(self):
        """Between a load and a store, a signal's handler could count in vain: also where a loop's
        turns are added at once."""
        self.write("total.c", """
struct list {
	int count;
	int *items[8];
};
int total(const struct list *list)
{
	int sum = 0;
	for (int i = 0; i < list->count; i++)
		for (int k = 0; k < list->items[i][0]; k++)
			sum = sum * 31 + list->items[i][k];
	return sum;
}
""")
        for profile in ("edges", "paths", "blocks"):
            text = self.assembly("total.c", "-O2", "--profile=" + profile)
            probes = [line.split()[0] for line in text.splitlines() if "%gs:" in line]
            self.assertGreater(len(probes), 2)
            self.assertEqual(set(probes) - {"incq", "addq"}, set())
            self.assertIn("addq", probes)

    def check_setting(self, option, default, ours, source, *words):
        """It makes a difference, and gives way to the command line, here to LLVM's default."""
        with self.subTest(option=option):
            unsaid = self.assembly(source, *words)
            said = ["-mllvm", "-%s=%s" % (option, ours)]
            self.assertTrue(self.assembly(source, *words, *said) == unsaid)
            said = ["-mllvm", "-%s=%s" % (option, default)]
            self.assertFalse(self.assembly(source, *words, *said) == unsaid)

    SANITIZED = re.compile(r"call .*__(tsan_(read|write)|asan_(report|load|store)|"
                           r"hwasan_(load|store|check))|87960930222080")  # where msan's shadow is

    def test_sanitizers_leave_probes_alone(self):
        """The function has no access to memory but ours."""
        self.write("choose.c", """
int one(void), two(void);
int choose(int count)
{
	int sum = 0;
	for (int i = 0; i < count; i++)
		sum += i % 3 ? one() : two();
	return sum;
}
""")
        for sanitizer in "address", "hwaddress", "memory", "thread":
            for words in ["--profile=edges"], ["--profile=paths"], ["--base=memory"]:
                with self.subTest(sanitizer=sanitizer, words=words):
                    code = self.assembly("choose.c", "-O1", "-emit-llvm",
                                         "-fsanitize=" + sanitizer, *words)
                    self.assertIn("__waymark_counters", code)
                    self.assertIsNone(self.SANITIZED.search(code))

    def lisp(self, part):
        return os.path.join(HERE, "..", "..", "examples", "lisp", part)

    def test_settings_of_the_code_generator(self):
        for option, default, ours, part, level in (
                ("enable-ext-tsp-block-placement", "false", "true", "heap.c", "-O2"),
                ("ext-tsp-apply-without-profile", "false", "true", "heap.c", "-O2"),
                ("ext-tsp-chain-split-threshold", "128", "16", "heap.c", "-O2"),
                ("ext-tsp-max-chain-size", "512", "32", "eval.c", "-O2"),
                ("tail-dup-placement-threshold", "2", "3", "heap.c", "-O2"),
                ("tail-dup-placement-aggressive-threshold", "4", "5", "eval.c", "-O3"),
                ("regalloc-csr-first-time-cost", "0", "16384", "heap.c", "-O2")):
            self.check_setting(option, default, ours, self.lisp(part), level, "--profile=edges")

    def write_large_function(self, cases=1000):
        """Sixteen values in a loop around a switch of many cases, too many for the registers."""
        values = "abcdefghijklmnop"
        code = "".join("case %d: if (ask(%d) > %c) %c += %c; break;" %
                       (k, k, values[k % 16], values[(7 * k + 3) % 16], values[(5 * k + 1) % 16])
                       for k in range(cases))
        self.write("large.c", "int ask(int); int large(int *from) { int %s; for (;;) switch (ask(a)) "
                   "{ %s default: return %s; } }" %
                   (", ".join("%c = from[%d]" % (value, k) for k, value in enumerate(values)),
                    code, " + ".join(values)))

    def test_settings_of_the_code_generator_for_paths(self):
        """Those of paths by history; edges and classic paths do without them, or have others."""
        self.write_large_function()
        for option, default, of_others, ours, source in (
                ("ext-tsp-max-chain-size", "512", "32", "8", self.lisp("eval.c")),
                ("ext-tsp-max-merge-density-ratio", "100", "100", "10", self.lisp("heap.c")),
                ("branch-fold-placement", "true", "true", "false", self.lisp("eval.c")),
                ("grow-region-complexity-budget", "10000", "10000", "2000", "large.c")):
            self.check_setting(option, default, ours, source, "-O2", "--profile=paths")
            said = ["-mllvm", "-%s=%s" % (option, of_others)]
            for other in ("--profile=edges", "--paths=classic"):
                words = [source, "-O2", other]
                self.assertTrue(self.assembly(*words, *said) == self.assembly(*words))

    def test_large_functions_keep_the_order_of_their_blocks(self):
        """The search for a better one takes the square of their number. Where LLVM bisects, its own
        word comes first."""
        for cases, mode, ordered in ((3000, "--profile=edges", False), (2000, "--profile=edges", True),
                                     (2000, "--profile=paths", False), (1000, "--profile=paths", True),
                                     (2000, "--paths=classic", True)):
            with self.subTest(cases=cases, mode=mode):
                self.write_large_function(cases)
                words = ["large.c", "-O2", mode]
                option = "-enable-ext-tsp-block-placement="
                searched, unsearched = (self.assembly(*words, "-mllvm", option + value)
                                        for value in ("true", "false"))
                self.assertTrue((searched != unsearched) == ordered)
        self.write_large_function()
        _, _, asked = self.call("cc", "-O2", "-mllvm", "-opt-bisect-limit=-1", "-c", "large.c")
        self.assertRegex(asked, r"running pass \(\d+\) Branch Probability Basic Block "
                                r"Placement on function \(large\)")

    LOOPS = """
        #include <string.h>
        unsigned tight(const char *text)
        {
            unsigned length = 0;
            while (text[length] != ' ')
                length++;
            return length;
        }
        unsigned hash(const unsigned char *text, const unsigned char *kinds)
        {
            unsigned value = 1;
            for (; kinds[*text] & 6; text++)
                value += (value << 5) + (value >> 27) + *text;
            return value;
        }
        unsigned find(const unsigned char *text, const unsigned char *kinds, unsigned wanted)
        {
            unsigned value = 1;
            for (; (kinds[*text] & 6) && kinds[value & 255] != wanted; text++)
                value += (value << 5) + *text;
            return value;
        }
        unsigned around(const unsigned *numbers, unsigned count, unsigned step)
        {
            unsigned sum = 0;
            for (unsigned i = 0; i < count; i += step)
                for (unsigned rest = numbers[i]; rest % 10; rest /= 10)
                    sum += rest;
            return sum;
        }
        unsigned calling(const char *text, const char *wanted, size_t bytes)
        {
            unsigned at = 0;
            while (memcmp(text + at, wanted, bytes))
                at++;
            return at;
        }"""

    def test_counters_in_registers(self):
        """Those of tight loops: of `around` the inner one, of `calling` none; `find`, which is left at
        two places, is not short enough for it. What is in a register is added where the loop is
        left; the others are incremented in memory."""
        self.write("loops.c", self.LOOPS)
        added = set(re.findall(r"addq\s+%r\w+, %gs:__waymark_counters\.(\w+)\.\w+([+]\d+)?\(",
                               self.assembly("loops.c", "-O2", "--profile=edges")))
        self.assertEqual(sorted(name for name, _ in added), ["around", "hash", "tight"])

    DESCENT = """
        #include <stddef.h>
        void touch(unsigned);
        unsigned descend(const unsigned *keys, size_t count, unsigned limit)
        {
            unsigned sum = 0;
            for (size_t at = 0; at < count; at = 2 * at + 1) {
                if (at + 1 < count && keys[at] < keys[at + 1])
                    at++;
                if (keys[at] < limit)
                    break;
                sum += keys[at];
            }
            %s
            return sum;
        }"""

    def comparisons_of_keys(self, choices, *words):
        """How many of the loop's two comparisons of keys, and their copies, the code has where so
        many choices follow it."""
        after = "\n".join("if (keys[%d]) touch(%d);" % (k, k) for k in range(choices))
        self.write("descent.c", self.DESCENT % after)
        return len(re.findall(r"cmpl\s+[^$]", self.assembly("descent.c", "-O2", *words)))

    def test_choices_in_tight_loops_are_not_copied(self):
        """Unless the function is large, or has paths to count, where copies cost nothing."""
        for words in (["--profile=edges"], ["--profile=blocks"], ["--profile=edges", "-g"]):
            self.assertEqual(self.comparisons_of_keys(0, *words), 2)
            self.assertEqual(self.comparisons_of_keys(80, *words), 2)
            self.assertEqual(self.comparisons_of_keys(110, *words), 3)
        self.assertEqual(self.comparisons_of_keys(0, "--profile=paths"), 3)

    @unittest.skipUnless(shutil.which("ld.bfd"), "GNU ld is not installed")
    def test_counters_take_no_room_in_the_file(self):
        """Where GNU ld links them; what else there may be in the command makes no difference."""
        for words in ([], ["-static"], ["-static-pie"], ["-no-pie"], ["-s"], ["-Wl,--gc-sections"],
                      ["-fno-integrated-as"]):
            with self.subTest(words=words):
                self.succeed("cc", "-fuse-ld=bfd", *words, "hello.c", "-o", "hello")
                self.assertRegex(self.execute("readelf", "-SW", "hello")[1],
                                 r" waymark_counters +NOBITS ")
                for name in glob.glob(self.path("*.wmk")):
                    os.remove(name)
                counts = self.assert_profiled("./hello", "main", "twice", output="17\n")
                self.assertEqual(counts, {"main": 1, "twice": 5})
        self.succeed("cc", "-fuse-ld=bfd", "-fPIC", "-shared", "part.c", "-o", "libpart.so")
        self.assertRegex(self.execute("readelf", "-SW", "libpart.so")[1],
                         r" waymark_counters +NOBITS ")

    @unittest.skipUnless(shutil.which("ld.bfd"), "GNU ld is not installed")
    def test_a_script_for_the_linker_is_left_alone(self):
        self.write("own.ld", "SECTIONS { own_section : { *(own_section) } } INSERT AFTER .data;\n")
        for words in (["-Wl,-T,own.ld"], ["-T", "own.ld"], ["-Wl,--script=own.ld"]):
            with self.subTest(words=words):
                _, _, err = self.call("cc", "-###", "-fuse-ld=bfd", *words, "hello.c", "-o", "hello")
                self.assertNotIn("counters.ld", err)
                self.succeed("cc", "-fuse-ld=bfd", *words, "hello.c", "-o", "hello")
                for name in glob.glob(self.path("*.wmk")):
                    os.remove(name)
                self.assert_profiled("./hello", "main", "twice", output="17\n")

    def test_cplusplus(self):
        self.write("hello.cpp", "#include <string>\n#include <cstdio>\nint main() {\n"
                   'std::string text("hi"); std::puts(text.c_str());\n}\n')
        self.succeed("c++", "-O2", "hello.cpp", "-o", "hello")
        self.assertEqual(self.execute("./hello"), (0, "hi\n", ""))
        names = [f["name"] for f in harness.read_profile(self.waymark, self.directory)]
        self.assertIn("main", names)

    def test_link_time_optimization_compiled_apart(self):
        for kind in ("-flto", "-flto=thin"):
            with self.subTest(kind=kind):
                self.succeed("cc", kind, "-O2", "-c", "part.c", "whole.c")
                self.succeed("cc", kind, "-O2", "-fuse-ld=lld", "part.o", "whole.o", "-o", "whole")
                self.assertEqual(self.execute("./whole")[0], 0)
                names = {f["name"] for f in harness.read_profile(self.waymark, self.directory)}
                self.assertIn("main", names)
                for name in os.listdir(self.directory):
                    if name.endswith(".wmk"):
                        os.remove(self.path(name))

    def test_modules_compiled_at_the_same_time(self):
        """The linker gives each thread a module: what one leaves behind must not reach another. The functions
        call each other in a ring, and whether a call comes back depends on divisions behind it."""
        modules = 24
        for i in range(modules):
            following = (i + 1) % modules
            self.write("ring%d.c" % i,
                       "int f%d(int, int);\n"
                       "static int g%d(int a, int b)\n"
                       "{\n\treturn b > 0 ? a / b + g%d(a, b - 1) : a %% (b - 1);\n}\n"
                       "int f%d(int a, int b)\n{\n\tint s = 0;\n"
                       "\tfor (int k = 0; k < a; k++)\n\t\ts += k & b ? g%d(k, b) : s %% 3 == 1;\n"
                       "\treturn b > 0 ? s + f%d(a - 1, b - 1) : s;\n}\n" % (following, i, i, i, i, following))
        self.write("main.c", "int f0(int, int);\nint main(void)\n{\n\treturn f0(40, 30) & 1;\n}\n")
        sources = ["main.c"] + ["ring%d.c" % i for i in range(modules)]
        for name, jobs in (("one", 1), ("many", 8), ("again", 8)):
            self.succeed("cc", "-O2", "-flto=thin", "-fuse-ld=lld", "-Wl,--thinlto-jobs=%d" % jobs, *sources,
                         "-o", name)
        self.assertEqual(self.read("many"), self.read("one"))
        self.assertEqual(self.read("again"), self.read("one"))
        self.execute("./one")
        names = {f["name"] for f in harness.read_profile(self.waymark, self.directory)}
        self.assertTrue({"f%d" % i for i in range(modules)} <= names, names)

    def test_only_and_skip(self):
        self.succeed("cc", "--only=tw*", "hello.c", "-o", "hello")
        self.assert_profiled("./hello", "twice")
        os.remove(self.path([n for n in os.listdir(self.directory) if n.endswith(".wmk")][0]))
        self.succeed("cc", "--skip=tw*", "hello.c", "-o", "hello")
        self.assert_profiled("./hello", "main")

    def assert_warned_of_nothing_to_count(self, words, fragment):
        status, out, err = self.call("cc", *words)
        self.assertEqual((status, out), (0, ""))
        self.assertRegex(err, r"\Awaymark: warning: '[^\n]*' counts nothing: [^\n]*\n\Z")
        self.assertIn(fragment, err)

    def test_programs_without_a_counted_function_are_named(self):
        """One line for a program, none for each of its files."""
        self.assert_warned_of_nothing_to_count(["--only=nosuch", "--only=other", "hello.c", "-o", "hello"],
                                               "'hello' counts nothing: none of its functions is chosen by "
                                               "--only=nosuch")
        self.assert_warned_of_nothing_to_count(["--skip=*", "hello.c"], "'a.out' counts nothing")
        self.assertEqual(self.execute("./hello"), (0, "17\n", ""))
        self.succeed("cc", "--only=nosuch", "-c", "hello.c")
        self.assert_warned_of_nothing_to_count(["--only=nosuch", "hello.o", "-o", "hello"], "'hello'")
        self.succeed("cc", "--only=nosuch", "hello.c", "-o", "conftest")
        self.succeed("cc", "-c", "hello.c")
        self.succeed("cc", "--only=nosuch", "hello.o", "-o", "hello")

    def test_failures_with_a_selection_are_clang_s(self):
        self.write("undefined.c", "int absent(int);\nint main(void) { return absent(1); }\n")
        status, out, err = self.call("cc", "--only=nosuch", "undefined.c")
        self.assertEqual((status, out), (1, ""))
        self.assertNotIn("waymark", err)

    def test_file_option(self):
        self.succeed("cc", "--file=%s" % self.path("named.wmk"), "hello.c", "-o", "hello")
        self.assert_profiled("./hello", "main", "twice")
        self.assertTrue(os.path.exists(self.path("named.wmk")))

    def test_file_from_environment(self):
        self.succeed("cc", "hello.c", "-o", "hello")
        self.execute("./hello", environment={"WAYMARK_FILE": "x-%p-%b.wmk"})
        names = [name for name in os.listdir(self.directory) if name.endswith(".wmk")]
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^x-[0-9]+-hello\.wmk$|^x-[0-9]+-[0-9a-f]+\.wmk$")

    def test_default_file_is_named_by_program_and_build(self):
        self.build_hello()
        names = [name for name in os.listdir(self.directory) if name.endswith(".wmk")]
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^hello-[0-9a-f]{8,}\.wmk$")

    def test_runs_add_up(self):
        self.build_hello()
        self.execute("./hello")
        self.execute("./hello")
        counts = {f["name"]: f["entry_count"]
                  for f in harness.read_profile(self.waymark, self.directory)}
        self.assertEqual(counts, {"main": 3, "twice": 15})

    def test_a_run_counts_while_another_lives(self):
        self.write("wait.c", "#include <stdio.h>\nint main(void) { puts(\"up\"); fflush(stdout);"
                   " return getchar() == 'x'; }\n")
        self.succeed("cc", "wait.c", "-o", "wait")
        first = subprocess.Popen(["./wait"], cwd=self.directory, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        self.assertEqual(first.stdout.readline(), b"up\n")
        second = self.execute("./wait", timeout=3)
        counts = [f["entry_count"] for f in harness.read_profile(self.waymark, self.directory)]
        first.communicate(b"")
        self.assertEqual((second, counts), ((0, "up\n", ""), [2]))

    def test_optimal_placement_needs_fewer_counters(self):
        counters = {}
        for placement in ("optimal", "redundant"):
            self.succeed("cc", "--profile=edges", "--placement=" + placement, "hello.c", "-o",
                         "hello")
            self.execute("./hello", environment={"WAYMARK_FILE": "profile.wmk"})
            functions = harness.read_profile(self.waymark, self.directory)
            counters[placement] = sum(function["counters"] for function in functions)
            os.remove(self.path("profile.wmk"))
        self.assertLess(counters["optimal"], counters["redundant"])

    def test_compiling_over_makes_the_same_object(self):
        self.succeed("cc", "-O2", "-g", "-c", "hello.c", "-o", "first.o")
        self.succeed("cc", "-O2", "-g", "-c", "hello.c", "-o", "second.o")
        self.assertEqual(self.read("first.o"), self.read("second.o"))


class WithoutC(cases.Case):
    """Where the C library is left out, one line says so, before anything is compiled or linked."""

    def setUp(self):
        super().setUp()
        self.write("bare.c", "int twice(int x) { return x > 2 ? 2 * x : x; }\n"
                   "void _start(void) { for (;;) twice(3); }\n")
        self.write("words", "-nostdlib bare.c\n")

    def test_refused(self):
        for words in (["-nostdlib", "bare.c"], ["-nodefaultlibs", "bare.c"], ["-nolibc", "bare.c"],
                      ["-nostdlib", "-static", "bare.c"], ["-ffreestanding", "-nostdlib", "bare.c"],
                      ["-nostdlib", "-Wl,-T,own.ld", "bare.c"], ["@words"],
                      ["-shared", "-nostdlib", "-Wl,-z,defs", "bare.c"]):
            with self.subTest(words=words):
                option = [word for word in words + ["-nostdlib"] if word.startswith("-no")][0]
                self.assert_one_line_refusal(["cc", *words, "-o", "bare"], option,
                                             "C library", "-lc", harness.CLANG)

    def test_static_without_start_is_refused(self):
        for words in (["-nostartfiles"], ["-nostdlib", "-lc"]):
            with self.subTest(words=words):
                self.assert_one_line_refusal(["cc", "-static", *words, "bare.c", "-o", "bare"],
                                             words[0], "C library", "crt1.o", harness.CLANG)

    def test_compiled_all_the_same(self):
        self.succeed("cc", "-nostdlib", "-ffreestanding", "-c", "bare.c")
        self.succeed("cc", "-nostdlib", "-r", "bare.o", "-o", "both.o")
        self.succeed("cc", "-nostdlib", "-S", "bare.c")
        self.succeed("cc", "-nostdlib", "-E", "bare.c")
        self.succeed("cc", "-nostdlib", "-shared", "-fPIC", "bare.c", "-o", "bare.so")


class OtherTargets(cases.Case):
    def test_compiled_as_by_clang_with_one_warning(self):
        self.write("f.c", "int f(int x) { return x > 3 ? x : f(x + 1); }\n")
        for target in ("-m32", "-mx32", "--target=bpf", "--target=aarch64-linux-gnu",
                       "--target=x86_64-unknown-none"):
            with self.subTest(target=target):
                words = ["-O1", "-ffreestanding", target, "-c", "f.c", "-o"]
                self.assertEqual(self.clang(*words, "plain.o"), (0, "", ""))
                status, out, err = self.call("cc", *words, "f.o")
                self.assertEqual((status, out), (0, ""))
                self.assertRegex(err, r"\Awarning: waymark: [^\n]* without counters [^\n]*\n"
                                      r"1 warning generated\.\n\Z")
                self.assertEqual(self.read("f.o"), self.read("plain.o"))

    def test_assembly_for_a_gpu(self):
        self.write("f.c", "int f(int x) { return x > 3 ? x : f(x + 1); }\n")
        status, _, err = self.call("cc", "--target=nvptx64", "-S", "f.c")
        self.assertEqual((status, err.count("warning: ")), (0, 1), err)


class OtherCompilers(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO)

    def fake(self, version):
        self.write("old-clang", "#!/bin/sh\ncase \"$*\" in\n*-dumpversion*) echo %s ;;\n"
                   "*) echo 'Debian clang version %s'; echo 'Target: x86_64-pc-linux-gnu' ;;\nesac\n"
                   % (version, version))
        os.chmod(self.path("old-clang"), stat.S_IRWXU)
        return self.path("old-clang")

    def test_missing(self):
        self.assert_one_line_refusal(["cc", "--clang=/no/such/clang", "-c", "hello.c"],
                                     "/no/such/clang", "clang-19")
        self.assert_one_line_refusal(["cc", "-c", "hello.c"], "no-such-clang", "clang-19",
                                     environment={"WAYMARK_CLANG": "no-such-clang"})

    def test_too_old(self):
        old = self.fake("14.0.6")
        self.assert_one_line_refusal(["cc", "--clang=" + old, "-c", "hello.c"], "14", "clang-19")
        self.assert_one_line_refusal(["c++", "-c", "hello.c"], "14", "clang-19",
                                     environment={"WAYMARK_CLANG": old})

    def test_named_by_path(self):
        path = harness.run(["sh", "-c", "command -v " + harness.CLANG], self.directory)[1]
        self.succeed("cc", "--clang=" + path.decode().strip(), "hello.c", "-o", "hello")
        self.assertEqual(self.execute("./hello")[1], "17\n")


class Unwritable(cases.Case):
    def test_program_runs_on_and_report_says_so(self):
        self.build_hello()
        for name in os.listdir(self.directory):
            if name.endswith(".wmk"):
                os.remove(self.path(name))
        for target in ("/proc/none/x.wmk", "/dev/full/x.wmk"):
            with self.subTest(target=target):
                got = self.execute("./hello", environment={"WAYMARK_FILE": target})
                self.assert_hello_wrote_nothing(got, target)
        self.assert_one_line_refusal(["report"], ".wmk")
        self.assert_one_line_refusal(["report", "/proc/none/x.wmk"], "/proc/none/x.wmk")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_directory_without_permission(self):
        self.build_hello()
        os.mkdir(self.path("closed"))
        os.chmod(self.path("closed"), 0o555)
        name = os.path.basename(glob.glob(self.path("hello-*.wmk"))[0])
        status, out, err = harness.run([self.path("hello")], self.path("closed"))
        self.assert_hello_wrote_nothing((status, out.decode(), err.decode()), "closed/" + name)
        self.assertEqual(os.listdir(self.path("closed")), [])


FORK_UNDER_LIMIT = """#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
	struct rlimit limit = {512, 512};
	int status = 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (fork() == 0) _exit(7);
	wait(&status);
	return status == 7 << 8 ? 0 : 1;
}
"""


class Proportion(cases.Case):
    """A profile is in proportion to its program."""

    PIECE = "if (argument & %d) { sum += step(sum); } else if (sum > %d) { sum ^= step(argument); }\n"

    def build(self):
        """Large functions and many small ones, which run once at most."""
        self.write("step.c", "int step(int x) { return x * 3; }\n")
        lines = ["int step(int);\n"]
        sizes = [100] * 3 + [20] * 20 + [3] * 80
        for number, size in enumerate(sizes):
            lines.append("__attribute__((noinline)) int cold%d(int argument) { int sum = 0;\n" % number)
            lines += [self.PIECE % (1 << i % 30, i) for i in range(size)]
            lines.append("return sum; }\n")
        lines.append("int main(int count, char **words) { (void)words; int sum = 0;\n")
        lines += ["if (count > %d) sum += cold%d(count);\n" % (i, i) for i in range(len(sizes))]
        lines.append("return sum & 0; }\n")
        self.write("cold.c", "".join(lines))
        self.succeed("cc", "-O2", "cold.c", "step.c", "-o", "cold")

    def text_bytes(self):
        words = self.execute("size", "-A", "cold")[1].split()
        return int(words[words.index(".text") + 1])

    def test_cold_code(self):
        self.build()
        text = self.text_bytes()
        for run in range(4):
            self.assertEqual(self.execute("./cold"), (0, "", ""))
            (path,) = glob.glob(self.path("*.wmk"))
            status = os.stat(path)
            self.assertLess(status.st_size, 2 * text)
            if run == 0:  # no totals yet
                self.assertLess(status.st_blocks * 512, text)
        functions = harness.read_profile(self.waymark, self.directory)
        self.assertEqual([f["entry_count"] for f in functions if f["name"] == "main"], [4])


class ProfileFile(cases.Case):
    """What stands in the profile's place, or limits it, never changes what the program does."""

    def setUp(self):
        super().setUp()
        self.build_hello()
        self.default = glob.glob(self.path("hello-*.wmk"))[0]
        os.rename(self.default, self.path("hello.wmk"))

    def run_hello(self, file):
        return self.execute("./hello", environment={"WAYMARK_FILE": file}, timeout=10)

    def runs_in(self, name):
        functions = json.loads(self.succeed("report", "--json", name))["functions"]
        return {function["name"]: function["entry_count"] for function in functions}["main"]

    def limited(self, blocks, program, file):
        return self.execute("sh", "-c", "ulimit -f %d; exec %s" % (blocks, program),
                            environment={"WAYMARK_FILE": file})

    def test_limit_on_file_sizes(self):
        self.assert_hello_wrote_nothing(self.limited(1, "./hello", "small.wmk"), "small.wmk")
        self.assertEqual(self.limited(1000, "./hello", "enough.wmk"), (0, "17\n", ""))
        self.assertEqual(self.runs_in("enough.wmk"), 1)

    def test_limit_on_file_sizes_in_a_child(self):
        self.write("limit.c", FORK_UNDER_LIMIT)
        self.succeed("cc", "limit.c", "-o", "limit")
        self.assertEqual(self.execute("./limit"), (0, "", ""))

    def test_device_or_pipe_means_no_profile(self):
        os.mkfifo(self.path("pipe"))
        before = sorted(os.listdir(self.directory))
        self.assertEqual(self.run_hello("/dev/null"), (0, "17\n", ""))
        for file in ("pipe", "/dev/full"):
            self.assert_hello_wrote_nothing(self.run_hello(file), file)
        strays = glob.glob("/dev/null-*.wmk") + glob.glob("/dev/full-*.wmk")
        for path in strays:
            os.remove(path)
        self.assertEqual((sorted(os.listdir(self.directory)), strays), (before, []))

    def test_link_is_followed(self):
        for target in ("hello.wmk", "not-yet.wmk"):
            with self.subTest(target=target):
                os.symlink(target, self.path("link.wmk"))
                self.assertEqual(self.run_hello("link.wmk"), (0, "17\n", ""))
                self.assertEqual(self.runs_in(target), 1 + (target == "hello.wmk"))
                self.assertTrue(os.path.islink(self.path("link.wmk")))
                os.remove(self.path("link.wmk"))

    def run_with_more_rights(self):
        """As another user; the program's own rights are root's."""
        os.chmod(self.directory, 0o755)
        os.chmod(self.path("hello"), 0o4755)
        got = self.execute("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./hello")
        self.assertEqual(got, (0, "17\n", ""))

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can")
    def test_program_with_more_rights_follows_no_link(self):
        if os.statvfs(self.directory).f_flag & os.ST_NOSUID:
            self.skipTest("no program here has more rights than its user")
        os.symlink("target.wmk", self.default)
        self.run_with_more_rights()
        self.assertFalse(os.path.exists(self.path("target.wmk")))
        os.remove(self.default)
        self.run_with_more_rights()
        mode = os.stat(self.default).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)


if __name__ == "__main__":
    cases.main("__main__")
