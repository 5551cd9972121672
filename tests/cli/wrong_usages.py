#!/usr/bin/env python3
"""What people type wrongly gets one line that says what to do, no output, and nothing is written.

usage: wrong_usages.py --waymark=PATH [unittest arguments]
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

# Words, exit status, and what the line says. `a.wmk` is a profile of `hello`, `graph.dot` a graph.
USAGES = """
reprot                                    | 2 | unknown command 'reprot'; did you mean report?
nonsense                                  | 2 | unknown command 'nonsense'; `waymark
--verbose                                 | 2 | '--verbose'
report --pahts                            | 2 | unknown option '--pahts'; did you mean --paths?
report --top                              | 2 | --top needs a value
report --top=0                            | 2 | --top='0' is not a number of rows
report --top=-1 a.wmk                     | 2 | --top='-1' is not a number of rows
report --top=ten a.wmk                    | 2 | --top='ten' is not a number of rows
report --json=yes a.wmk                   | 2 | --json takes no value
report --names=long a.wmk                 | 2 | --names='long' is neither short nor full
report --threads --calls a.wmk            | 2 | choose one of --paths, --functions, --blocks, --edges, --lines, --calls, --threads
report --threads=1 a.wmk                  | 2 | --threads takes no value
report --verbose=yes a.wmk                | 2 | --verbose takes no value
report --inlined=no a.wmk                 | 2 | --inlined takes no value
report --thread a.wmk                     | 2 | unknown option '--thread'; did you mean --threads?
report --paths --functions a.wmk          | 2 | choose one of --paths, --functions
report hello.c                            | 1 | hello.c: not a .wmk file; name a profile, a program
report absent.wmk                         | 1 | cannot read 'absent.wmk'
report absent                             | 1 | cannot read 'absent'
report empty.wmk                          | 1 | empty.wmk: is empty: the program could not write
report nothing                            | 1 | nothing: no .wmk file in this directory; run a program
report plain                              | 1 | plain: was not built with waymark cc
report --binary=plain a.wmk               | 1 | plain: was not built with waymark cc
report --binary=absent a.wmk              | 1 | cannot read 'absent'
report --select=twice a.wmk               | 2 | 'twice' is no set of paths; did you mean function:twice?
report --select=main:1 a.wmk              | 1 | main:1 (no code at such a line)
report --select=main#999999 a.wmk         | 1 | main#999999 (no path of this number)
report --select=absent#1 a.wmk            | 1 | absent#1 (no such function)
report --select=function:absent* a.wmk    | 1 | function:absent* (no such function)
report --select=hot:200% a.wmk            | 2 | 'hot:200%' is no share such as hot:90%
report --select=hello.c:9999 a.wmk        | 1 | hello.c:9999 (no code at such a line)
paths                                     | 2 | which function? waymark paths FUNCTION
paths mian a.wmk                          | 1 | no function 'mian', or it was compiled without counters; did you mean main?
paths absent* a.wmk                       | 1 | no function 'absent*'
paths main absent.wmk                     | 1 | cannot read 'absent.wmk'
paths printf a.wmk                          | 1 | no function 'printf'
path                                      | 2 | which path? waymark path NAME
path main:0 a.wmk                         | 2 | 'main:0' is not a path's name (FUNCTION#ID); did you mean main#0?
path main:abcd:1 a.wmk                    | 2 | 'main:abcd:1' is not a path's name (FUNCTION#ID); did you mean main#1?
path a::main:abcd:1 a.wmk                 | 2 | did you mean a::main#1?
path mian#0 a.wmk                         | 1 | no function 'mian'
path main#999999 a.wmk                    | 1 | none is 999999
path main#0+ a.wmk                        | 1 | no function 'main#0+'
path main:00000000:0 a.wmk                | 1 | is of another build
path --json --dot main#0 a.wmk            | 2 | choose one of --json and --dot
annotate absent.c a.wmk                   | 1 | has no code of 'absent.c'
annotate a.wmk b.wmk                      | 2 | 'a.wmk' and 'b.wmk' are two profiles; name one
annotate --file=hello.c                   | 1 | hello.c: not a .wmk file
diff                                      | 2 | name two profiles: waymark diff OLD.wmk NEW.wmk
diff a.wmk                                | 2 | name two profiles
diff a.wmk absent.wmk                     | 1 | cannot read 'absent.wmk'
diff hello.c a.wmk                        | 1 | hello.c: not a .wmk file
diff . a.wmk                              | 2 | '.' holds 3 profiles; name one, or add them up with waymark merge
diff --select=main a.wmk b.wmk            | 2 | did you mean function:main?
merge a.wmk b.wmk                         | 2 | name the file to write: -o OUT.wmk
merge -o out.wmk                          | 2 | name the files to add
merge -o out.wmk a.wmk absent.wmk         | 1 | cannot read 'absent.wmk': No such file or directory; nothing is written
merge -o out.wmk --failure=never a.wmk    | 2 | --failure='never' is none of any, all, warn
ctl                                       | 2 | name a process and what to do
ctl hello status                          | 2 | 'hello' is not the number of a process
ctl 99999999 status                       | 1 | there is no process 99999999
ctl 1 stats                               | 2 | unknown action 'stats'; did you mean status?
plan                                      | 2 | name a graph
plan absent.dot                           | 1 | cannot read 'absent.dot'
plan --problem=edgs graph.dot             | 2 | did you mean edges?
plan hello.c                              | 1 | hello.c
hpp                                       | 2 | waymark hpp
hpp --read=graph.dot true                 | 2 | waymark hpp COMMAND, or
hpp --children=some true                  | 2 | --children='some' is neither yes nor no
hpp -o x --read=graph.dot                 | 2 | -o and --children are for commands
hpp --figures --phases true                | 2 | choose one of --path, --compare
hpp --sweep=all true                      | 2 | --sweep='all' is unknown: use
hpp --export=bold true                    | 2 | --export='bold' is unknown: use bolt
hpp --to-file=x true                      | 2 | --to-file is for --export
hpp --completion=2 --completion=200% true | 2 | --completion='200%' is no share
hpp absent-command                        | 1 | cannot run 'absent-command'
hpp --read=absent                         | 1 | cannot read 'absent'
hpp --read=hello.c                        | 1 | hello.c:2: 'static' is unknown
hpp --read=plain                          | 1 | plain: is neither a .wmh file nor a text of branches
hpp --read=empty.wmk                      | 1 | empty.wmk: is empty
hpp --paths=loops --read=a                | 2 | --paths='loops' is unknown: use ball-larus, whole, loops:N or calls:N
hpp --table=500x4 --read=a                | 2 | entries and ways must be powers of two
hpp --event=time --read=a                 | 2 | --event='time' is unknown: use frequency
hpp --ppcr=0x7dd16b --read=a              | 2 | has both updates
doctor all                                | 2 | takes no argument, but got 'all'
cc --profile=pth -c hello.c               | 2 | --profile='pth' is unknown: use paths, edges, blocks, events, context or trace
cc --clang=gcc -c hello.c                 | 1 | 'gcc' is no clang: install clang
cc --clang=absent -c hello.c              | 1 | 'absent' cannot be run: install clang
"""


class WrongUsages(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("hello.c", cases.HELLO)
        self.succeed("cc", "-g", "-O2", "hello.c", "-o", "hello")
        for name in ("a.wmk", "b.wmk"):
            self.execute("./hello", environment={"WAYMARK_FILE": self.path(name)})
        self.write("empty.wmk", "")
        self.write("graph.dot", 'digraph { entry="a"; exit="b"; a -> b; }')
        self.execute("gcc", "hello.c", "-o", "plain")
        os.mkdir(self.path("nothing"))

    def test_each(self):
        for row in USAGES.strip().splitlines():
            words, status, said = (cell.strip() for cell in row.split(" | "))
            with self.subTest(words=words):
                self.assert_one_line_refusal(words.split(), said)
                self.assertEqual(self.call(*words.split())[0], int(status))


if __name__ == "__main__":
    cases.main("__main__")
