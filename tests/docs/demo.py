#!/usr/bin/env python3
"""What `make demo` runs: each of its commands succeeds, and the README shows what they print.

usage: demo.py --waymark=PATH [unittest arguments]
"""
import html
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "end_to_end"))

import cases

COMMANDS = ["waymark cc -O2 -g -o lisp *.c", "./lisp program.lisp", "waymark report --top=5",
            "waymark path NAME", "waymark annotate heap.c | grep -A 15 'void sweep'"]


def readme_block(command):
    """What the README shows below a command."""
    with open(os.path.join(ROOT, "README.md")) as file:
        return file.read().split("\n$ %s\n" % command, 1)[1].split("\n```", 1)[0].split("\n\n$ ", 1)[0]


class Demo(cases.Case):
    def run_demo(self):
        """What its commands printed, by command, the name of the path, and what they said."""
        status, out, err = self.execute(os.path.join(ROOT, "examples", "demo"), self.waymark)
        self.assertEqual(status, 0, out + err)
        parts = out.split("\n$ ")[1:]
        self.assertEqual(len(parts), len(COMMANDS), out)
        printed = dict(part.split("\n", 1) for part in parts)
        name = re.search(r"\nwaymark path (\S+)\n", "\n" + "\n".join(printed) + "\n")
        self.assertTrue(name, printed.keys())
        self.assertEqual([each.replace(name[1], "NAME") for each in printed], COMMANDS)
        return printed, name[1], err

    def test_each_command(self):
        printed, name, said = self.run_demo()
        freed = re.fullmatch(r"heap: \d+ cells allocated, (\d+) freed in (\d+) collections\n", said)
        self.assertTrue(freed, said)
        self.assertIn("queens 8 solutions 92\n", printed[COMMANDS[1]])
        # The hottest of the report is the path that is shown.
        first_row = re.search(r"\nHot paths.*\n +1 +\S+  (\S+)  ", printed[COMMANDS[2]])
        self.assertEqual(first_row[1], name)
        self.assertTrue(printed["waymark path " + name].startswith(name + " ran "), printed)
        lines = printed[COMMANDS[4]]
        self.assertRegex(lines, r"\A *%s: +\d+:static void sweep\(void\)\n" % freed[2])
        self.assertRegex(lines, r"\n *%s: +\d+:\t+heap_statistics\.freed\+\+;\n" % freed[1])
        self.assertEqual(lines.split("\n\n")[0], readme_block(COMMANDS[4]))

    def test_picture_of_the_readme(self):
        """All but the lines above the listings, which name the build. It was made by

            scripts/terminal-svg --shown "waymark report --top=3" docs/report.svg \\
                waymark report --color=always --top=3
        """
        self.run_demo()
        folder = os.path.join(os.path.dirname(os.path.dirname(self.waymark)), "demo")
        command = "report --top=3"
        status, out, err = self.execute(self.waymark, *command.split(), folder)
        self.assertEqual((status, err), (0, ""))
        with open(os.path.join(ROOT, "docs", "report.svg"), encoding="utf-8") as file:
            rows = [" ".join(html.unescape(" ".join(re.findall(r"<tspan[^>]*>([^<]*)", row))).split())
                    for row in re.findall(r"<text [^>]*>(.*?)</text>", file.read())]
        self.assertEqual(rows[0], "$ waymark " + command)
        printed = [" ".join(line.split()) for line in out.rstrip("\n").split("\n")]
        self.assertEqual(rows[rows.index("Functions"):], printed[printed.index("Functions"):])


if __name__ == "__main__":
    cases.main("__main__")
