#!/usr/bin/env python3
"""xz from its own sources, as its own build system makes it: a small program beside liblzma.so, in which
the work is done.

usage: xz.py --waymark=PATH
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("end_to_end", "real"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

import cases
import harness
import sources
import workloads

CONFIGURE = ("--disable-static --disable-nls --disable-threads --disable-doc --disable-scripts --disable-xzdec "
             "--disable-lzmadec --disable-lzmainfo --disable-lzma-links --disable-assembler --disable-microlzma "
             "--disable-lzip-decoder --disable-rpath --enable-encoders=lzma1,lzma2 --enable-decoders=lzma1,lzma2 "
             "--enable-match-finders=hc4,bt4 --enable-checks=crc32,crc64")


class Xz(cases.Case):
    def shell(self, line, directory, **environment):
        status, out, err = harness.run(["sh", "-c", line], directory, environment, timeout=1200)
        self.assertEqual(status, 0, (line, out.decode()[-2000:], err.decode()[-2000:]))
        return out.decode()

    def test_the_library_does_the_work(self):
        tree = sources.copy("xz-utils", self.path("tree"))
        compiler = self.waymark + " cc"
        self.shell("./configure -q CFLAGS='-O2 -g' " + CONFIGURE, tree, CC=compiler, EGREP="grep -E")
        self.shell("make -s -j2 -C src/liblzma && make -s -C src/xz", tree)
        text = workloads.text(40000)
        self.write("text", text)
        xz = os.path.join(tree, "src", "xz", "xz")
        self.shell("%s -k -6 text && %s -dc text.xz | cmp - text" % (xz, xz), self.directory,
                   WAYMARK_FILE=self.path("xz.wmk"))
        profile = json.loads(self.succeed("report", "--json", "xz.wmk"))
        parts = {os.path.basename(part["path"]).split(".")[0]: part for part in profile["objects"]}
        self.assertEqual(set(parts), {"xz", "liblzma"})
        self.assertEqual([part["runs"] for part in parts.values()], [2, 2])
        self.assertGreater(parts["liblzma"]["instructions"], 0.98 * profile["instructions"])
        functions = {function["name"]: function for function in profile["functions"]}
        self.assertGreater(functions["lzma_mf_bt4_find"]["entry_count"], 1000)
        self.assertEqual(functions["lzma_mf_bt4_find"]["library"], "liblzma.so")
        self.assertEqual(functions["main"]["entry_count"], 2)
        listing = self.succeed("report", "--functions", "--top=3", "xz.wmk")
        self.assertEqual(listing.count(" liblzma.so\n"), 3)
        self.assertIn("lzma", self.succeed("report", "--object=lzma", "--functions", "xz.wmk"))


if __name__ == "__main__":
    cases.main("__main__")
