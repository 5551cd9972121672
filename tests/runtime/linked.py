#!/usr/bin/env python3
"""What of the runtime a program is linked with: no more than its code calls, and all of that, by any
linker and with unused sections removed.

usage: linked.py --waymark=PATH [unittest arguments]
"""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

import cases

# The loop body runs 30 times.
PROGRAM = """int main(int count, char **words) {
	volatile int sum = 0;
	for (int i = 0; i < count * 30; i++)
		if (i & 1) sum += words[0][0];
	return sum == 1;
}
"""
TABLES, ORACLE, API = "__waymark_table_count", "__waymark_oracle_enter", "waymark_dump"


class Linked(cases.Case):
    def setUp(self):
        super().setUp()
        self.write("app.c", PROGRAM)

    def build(self, *options):
        """Builds and runs the program; returns the names in it."""
        self.succeed("cc", "-O1", *options, "app.c", "-o", "app")
        self.assertEqual(self.execute("./app", environment={"WAYMARK_FILE": self.path("app.wmk")})[0], 0)
        names = subprocess.run(["nm", self.path("app")], check=True, stdout=subprocess.PIPE)
        return {line.split()[-1] for line in names.stdout.decode().splitlines()}

    def most(self):
        """The largest count of a block."""
        functions = json.loads(self.succeed("report", "--json", "app.wmk"))["functions"]
        os.remove(self.path("app.wmk"))
        return max(block["count"] for function in functions for block in function["blocks"])

    def test_only_what_the_code_calls(self):
        for options in (), ("-static",), ("-Wl,--gc-sections",):
            names = self.build("--profile=edges", *options)
            self.assertFalse(names & {TABLES, ORACLE, API}, options)
            self.assertGreaterEqual(self.most(), 30)

    def test_all_that_the_code_calls(self):
        """With tables that the runtime does not know, all counts of the oracle would be lost."""
        for linker in "bfd", "lld", "gold":
            if not shutil.which("ld." + linker):
                continue
            # gold removes what no code refers to, descriptions included.
            for more in (), ("-Wl,--gc-sections",), ("-static",):
                if linker == "gold" and more == ("-Wl,--gc-sections",):
                    continue
                names = self.build("--profile=paths", "--placement=redundant",
                                   "-fuse-ld=" + linker, *more)
                self.assertLessEqual({TABLES, ORACLE}, names, (linker, more))
                self.assertNotIn(API, names)
                self.assertGreaterEqual(self.most(), 30, (linker, more))

    def test_waymark_h(self):
        self.write("app.c", "#include <waymark.h>\n" + PROGRAM.replace("{", "{ waymark_dump();", 1))
        names = self.build("--profile=edges")
        self.assertIn(API, names)
        self.assertFalse(names & {TABLES, ORACLE})


if __name__ == "__main__":
    cases.main("__main__")
