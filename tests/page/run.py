#!/usr/bin/env python3
"""The page of `waymark html` in a browser, used as a person would; its numbers are those of --json,
of programs whose counts are known beforehand, and of `waymark diff`."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, data_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYMARK = None

# `sort` is called ROUNDS times; half of them go each way at the first branch, all the same way at
# the second, and `never` does not run.
PROGRAM = r"""
#include <stdio.h>
static volatile int sink;
__attribute__((noinline)) void never(void)
{
	sink = 7;
}
__attribute__((noinline)) int choose(int number, int limit)
{
	int result = 0;
	if (number % 2) {
		sink += number;
		result = 1;
	}
	if (number < limit) {
		sink += 2;
		result += 2;
	} else {
		never();
	}
	return result;
}
__attribute__((noinline)) void caller(int rounds)
{
	for (int i = 0; i < rounds; i++)
		choose(i, 1000000);
}
int main(int argc, char **argv)
{
	caller(argc > 1 ? 3000 : 1000);
	printf("%d\n", sink);
	return argc > 99 ? argv[0][0] : 0;
}
"""
HOSTILE = '''#include <stdio.h>
/* </script><script>document.title = "broken"</script> \u202e \u0001 */
int main(void) { return puts("<img src=x onerror=alert(1)>") < 0; } // \xff <b>\u200b
// %s
'''


def waymark(*words, cwd, check=True):
    done = subprocess.run([WAYMARK, *words], cwd=cwd, capture_output=True, text=True,
                          errors="replace", check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")
    return done


def build(folder, source, name, *options):
    path = pathlib.Path(folder, f"{name}.c")
    path.write_bytes(source.encode("utf-8") if isinstance(source, str) else source)
    waymark("cc", "-O2", "-g", *options, "-o", name, path.name, cwd=folder)


FOLDER = None
BROWSER = None


def setUpModule():
    global FOLDER, BROWSER
    scratch = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(scratch.cleanup)
    FOLDER = scratch.name
    build(FOLDER, PROGRAM, "small")
    build(FOLDER, PROGRAM, "contexts", "--profile=edges+context")
    for words, name in ((["./small"], "one.wmk"), (["./small", "more"], "two.wmk"),
                        (["./contexts"], "contexts.wmk")):
        subprocess.run(words, cwd=FOLDER, stdout=subprocess.DEVNULL,
                       env={**os.environ, "WAYMARK_FILE": name}, check=True)
    for words in (["-o", "one.html", "one.wmk"], ["-o", "both.html", "one.wmk", "two.wmk"],
                  ["-o", "contexts.html", "contexts.wmk"]):
        waymark("html", *words, cwd=FOLDER)
    BROWSER = Browser()
    unittest.addModuleCleanup(BROWSER.close)


class Page(unittest.TestCase):
    def setUp(self):
        self.folder, self.browser = FOLDER, BROWSER

    def open(self, page, address=""):
        self.browser.open(os.path.join(self.folder, page), address)

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def report(self, name):
        return json.loads(waymark("report", "--json", name, cwd=self.folder).stdout)

    def line_of(self, text):
        lines = PROGRAM.split("\n")
        return next(number for number, line in enumerate(lines, 1) if text in line)


class Overview(Page):
    def test_numbers_are_those_of_the_report(self):
        report = self.report("one.wmk")
        self.open("one.html")
        tiles = {key: value for key, value in self.browser.run(
            "return [...document.querySelectorAll('.tile')].map(e => [e.dataset.tile, e.querySelector('b').innerText])")}
        ran = [each for each in report["functions"] if each["entry_count"]]
        self.assertEqual(tiles["instructions"], f"{report['instructions']:,}")
        self.assertEqual(tiles["runs"], "1")
        self.assertEqual(tiles["functions"], f"{len(ran)} of {len(report['functions'])}")
        paths = sum(len(each["paths"]) for each in report["functions"])
        possible = sum(each["possible_paths"] for each in report["functions"])
        self.assertEqual(tiles["paths"], f"{paths} of {possible}")

    def test_every_path_in_the_data_is_one_of_the_report(self):
        report = self.report("one.wmk")
        data = data_of(os.path.join(self.folder, "one.html"), "a")
        for theirs, ours in zip(report["functions"], data["functions"]):
            self.assertEqual(theirs["name"], ours["linker"])
            self.assertEqual(sorted((p["id"], p["count"]) for p in theirs["paths"] if p["count"] > 0),
                             sorted((p[0], p[1]) for p in ours.get("paths", [])))
            counts = {tuple(p["blocks"]): p["count"] for p in theirs["paths"]}
            for path in ours.get("paths", []):
                self.assertEqual(counts[tuple(path[5])], path[1])

    def test_tabs_lead_to_views_and_hide_what_is_not_there(self):
        self.open("one.html")
        tabs = self.browser.texts("#tabs a")
        self.assertEqual(tabs[:3], ["Overview", "Paths", "Functions"])
        self.assertNotIn("Flame graph", tabs)
        self.assertNotIn("Compare", tabs)
        self.browser.click("#tabs a", 2)
        self.browser.wait("return document.body.dataset.view === 'functions'")


class Uncounted(Page):
    def test_nothing_is_said_of_what_was_not_counted(self):
        for mode, said in (("context", None), ("trace", "waymark trace"), ("events", "waymark count")):
            name = f"only-{mode}"
            build(self.folder, PROGRAM, name, f"--profile={mode}")
            subprocess.run([f"./{name}"], cwd=self.folder, stdout=subprocess.DEVNULL,
                           env={**os.environ, "WAYMARK_FILE": f"{name}.wmk"}, check=True)
            done = waymark("html", f"{name}.wmk", cwd=self.folder, check=False)
            if said:
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertIn(said, done.stderr)
            for command in ("report", "annotate", "cover", "diff", "count"):
                words = [command, f"{name}.wmk"] + ([f"{name}.wmk"] if command == "diff" else [])
                done = waymark(*words, cwd=self.folder, check=False)
                known = (command, mode) == ("count", "events")
                self.assertEqual(done.returncode == 0, known, (words, done.stdout))
                self.assertEqual(len(done.stderr.strip().splitlines()), 0 if known else 1, done.stderr)
        self.open("only-context.html")
        self.assertEqual(self.browser.texts("#tabs a"), ["Overview", "Flame graph", "Tree"])
        self.assertEqual(self.browser.texts(".tile"), ["1\nrun"])
        self.assertIn("Only calls by context", self.browser.text("#main"))


class Functions(Page):
    def test_filter_and_sort(self):
        self.open("one.html", "#view=functions")
        self.browser.type("/")
        self.browser.type("choo")
        self.browser.wait("return document.querySelectorAll('.rows .row').length === 1")
        row = self.browser.text(".rows .row")
        self.assertIn("choose", row)
        self.assertIn("1,000", row)
        self.open("one.html", "#view=functions")
        self.browser.click(".head button", 0)
        names = self.browser.texts(".rows .row .wide")
        self.assertEqual(names, sorted(names))

    def test_never_called_is_said(self):
        self.open("one.html", "#fn=never")
        self.assertIn("never called", self.browser.text("#main"))

    def test_callers(self):
        self.open("one.html", "#fn=choose")
        self.assertIn("caller 1,000 times", self.browser.text("#main"))

    def test_by_file(self):
        self.open("one.html", "#view=functions&by=file")
        self.assertEqual(self.browser.texts(".rows .row .wide"), ["small.c"])

    def test_unknown_function(self):
        self.open("one.html", "#fn=nobody")
        self.assertIn("has no function 'nobody'", self.browser.text("#main"))


class Paths(Page):
    def card(self, path):
        self.open("one.html", f"#fn=choose&path={path}")
        return self.browser.texts(".card .step.lit")

    def ids(self):
        """Of `choose`: the path of odd numbers, and that of even ones, by what the report says."""
        function = next(f for f in self.report("one.wmk")["functions"] if f["name"] == "choose")
        line = self.line_of("number % 2")
        odd = next(p for p in function["paths"]
                   if any(s["line"] == line and s["outcome"] == "yes" for s in p["steps"]))
        even = next(p for p in function["paths"] if p["id"] != odd["id"])
        self.assertEqual((odd["count"], even["count"]), (500, 500))
        return odd["id"], even["id"]

    def test_outcomes_stand_on_the_lines_of_their_conditions(self):
        odd, even = self.ids()
        for path, outcome, share in ((odd, "yes", "50.0%"), (even, "no", "50.0%")):
            rows = self.card(path)
            row = next(row for row in rows if "number % 2" in row)
            self.assertRegex(row, rf"→ {outcome}\s+{re.escape(share)} go this way")
            row = next(row for row in rows if "number < limit" in row)
            self.assertRegex(row, r"→ yes\s+100.0% go this way")

    def test_instead_names_the_other_path(self):
        odd, even = self.ids()
        self.card(odd)
        self.browser.click(".step button")
        text = self.browser.wait("return document.querySelector('.instead')?.innerText")
        self.assertRegex(text, rf"^no 500 times.*choose#{even}$")
        self.browser.click(".instead a")
        self.browser.wait("return location.hash.endsWith(arguments[0])", f"path={even}")

    def test_hot_paths_are_in_the_order_of_their_work(self):
        self.open("one.html", "#view=paths")
        shares = [float(re.search(r"([\d.]+)% of the work", text).group(1))
                  for text in self.browser.texts(".card > header") if "<0.1%" not in text]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.browser.type("jj")
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('.card')].findIndex("
                                          "e => e.classList.contains('chosen'))"), 1)


class Source(Page):
    def row(self, text):
        return self.browser.run(
            "return document.querySelector(`[data-line='${arguments[0]}']`)?.innerText", self.line_of(text))

    def test_counts_and_outcomes_beside_the_text(self):
        self.open("one.html", "#file=small.c")
        self.assertRegex(self.row("sink += number"), r"^500\b")
        self.assertRegex(self.row("number % 2"), r"yes 500 \(50.0%\) / no 500 \(50.0%\)")
        self.assertRegex(self.row("never();"), r"^never\b")

    def test_two_lines_that_are_clicked_show_the_paths_through_both(self):
        self.open("one.html", "#file=small.c")
        for text in ("sink += number", "sink += 2;"):
            self.browser.click(f"[data-line='{self.line_of(text)}'] .text")
        self.browser.wait("return document.querySelector('.beside h3').innerText.includes(' and ')")
        self.assertEqual(self.browser.text("#through"), "1 paths, run 500 times")
        self.assertIn("lines=", self.browser.run("return location.hash"))
        self.browser.click(f"[data-line='{self.line_of('sink += number')}'] .text")
        self.browser.wait("return document.querySelector('#through').innerText.includes('1,000 times')")

    def test_a_path_under_the_mouse_lights_up(self):
        self.open("one.html", f"#file=small.c&lines={self.line_of('sink += number')}")
        lit = self.browser.run(
            "document.querySelector('.beside li').dispatchEvent(new MouseEvent('mouseenter'));"
            "return [...document.querySelectorAll('.row.lit')].map(e => +e.dataset.line)")
        self.assertIn(self.line_of("sink += number"), lit)
        self.assertNotIn(self.line_of("never();"), lit)

    def test_keys_lead_to_lines_that_never_ran(self):
        self.open("one.html", "#file=small.c")
        self.browser.type("n")
        first = min(self.line_of("void never"), self.line_of("never();"))
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('.row.lit')].map(e => +e.dataset.line)"),
                         [first])
        self.browser.type("?")
        self.assertIn("next line that never ran", self.browser.text("#help"))

    def test_unknown_file(self):
        self.open("one.html", "#file=nothing.c")
        self.assertIn("no code of 'nothing.c'", self.browser.text("#main"))


class Graph(Page):
    def test_a_path_is_drawn_into_the_graph(self):
        function = next(f for f in self.report("one.wmk")["functions"] if f["name"] == "choose")
        path = function["paths"][0]
        self.open("one.html", f"#graph=choose&path={path['id']}")
        boxes = self.browser.run("return document.querySelectorAll('svg rect.box').length")
        lit = self.browser.run("return document.querySelectorAll('svg .lit .box').length")
        self.assertEqual(boxes, len(function["blocks"]))
        self.assertEqual(lit, len(set(path["blocks"])))
        self.assertEqual(self.browser.run("return document.querySelectorAll('svg path.wire.lit').length"),
                         len(path["blocks"]) - 1)


class Contexts(Page):
    def test_flame_graph_has_the_calls_of_the_tree(self):
        self.open("contexts.html", "#view=flame")
        self.browser.wait("return document.querySelectorAll('.flame button').length > 3")
        about = {text.split(":")[0]: text for text in self.browser.run(
            "return [...document.querySelectorAll('.flame button')].map(e => e.title)")}
        self.assertIn("itself 1,000", about["choose"])
        self.assertIn("itself 1", about["caller"])
        self.browser.click(".flame button[title^='caller']")
        self.browser.wait("return document.querySelectorAll('.flame button.dim').length === 2")

    def test_search_and_inverted(self):
        self.open("contexts.html", "#view=flame&inverted=1")
        tops = self.browser.wait("return [...document.querySelectorAll('.flame button')].filter("
                                 "e => e.style.top === '20px').map(e => e.title.split(':')[0])")
        self.assertEqual(tops[0], "choose")
        self.browser.type("/")
        self.browser.type("choose")
        self.assertRegex(self.browser.wait("return document.querySelector('.tools [role=status]').innerText"),
                         r"^\d+\.\d% in boxes")

    def test_tree_opens_and_leads_to_functions(self):
        self.open("contexts.html", "#view=tree")
        items = self.browser.texts(".tree .item")
        self.assertTrue(any("1,000 choose" in re.sub(r"\s+", " ", item) for item in items), items)
        self.browser.click(".tree .item a")
        self.browser.wait("return document.body.dataset.view === 'function'")


class Comparison(Page):
    def test_it_says_what_diff_says(self):
        diff = json.loads(waymark("diff", "--json", "one.wmk", "two.wmk", cwd=self.folder).stdout)
        data = data_of(os.path.join(self.folder, "both.html"), "comparison")
        self.open("both.html", "#view=compare")
        text = self.browser.text("#main")
        before, after = self.report("one.wmk")["instructions"], self.report("two.wmk")["instructions"]
        self.assertIn(f"{before:,} before, {after:,} after", text)
        self.assertEqual(len(diff["paths"]), sum(len(group["paths"]) for group in data["groups"]))
        rows = self.browser.run("return [...document.querySelectorAll('tr[data-change]')].map(e => e.dataset.change)")
        self.assertEqual(sorted(rows), sorted(each["change"] for each in diff["paths"]))

    def test_both_counts_stand_beside_the_text(self):
        self.open("both.html", "#file=small.c")
        row = self.browser.run("return document.querySelector(`[data-line='${arguments[0]}']`).innerText",
                               self.line_of("sink += number"))
        self.assertRegex(re.sub(r"\s+", " ", row), r"^1,500 500 ")


class Hostile(Page):
    def test_text_never_becomes_markup(self):
        long = "x" * 3_000_000
        source = (HOSTILE % long).encode("utf-8").replace("\xff".encode("utf-8"), b"\xff")
        name = "evil<img src=x>"
        build(self.folder, source, name)
        subprocess.run([f"./{name}"], cwd=self.folder, stdout=subprocess.DEVNULL,
                       env={**os.environ, "WAYMARK_FILE": "evil.wmk"}, check=True)
        waymark("html", "-o", "evil.html", "evil.wmk", cwd=self.folder)
        for address in ("", "#view=functions", "#fn=<img src=x>", f"#file={name}.c", "#graph=main"):
            self.open("evil.html", address)
            self.assertEqual(self.browser.run("return document.querySelectorAll('img, b.injected').length"), 0)
            self.assertNotEqual(self.browser.run("return document.title"), "broken")
        self.open("evil.html", f"#file={name}.c")
        text = self.browser.text(".source")
        self.assertIn("</script><script>", text)
        self.assertIn("⟨U+202E⟩", text)
        self.assertIn("\ufffd", text)
        self.assertNotIn("\u202e", text)
        self.assertLess(len(text), 10_000)

    def test_the_policy_stops_foreign_scripts(self):
        page = pathlib.Path(self.folder, "one.html").read_text(encoding="utf-8")
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        broken = page.replace("</body>", "<script>document.title = 'broken'</script></body>")
        pathlib.Path(self.folder, "broken.html").write_text(broken, encoding="utf-8")
        self.open("broken.html")
        self.assertNotEqual(self.browser.run("return document.title"), "broken")
        self.assertTrue(any("Content Security Policy" in each for each in self.browser.errors()))


class Sizes(Page):
    def test_narrow_and_wide_windows(self):
        try:
            for width in (360, 3840):
                self.browser.resize(width, 900)
                for address in ("", "#view=functions", "#file=small.c", "#graph=choose"):
                    self.open("one.html", address)
                    over = self.browser.run("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(over, 0, (width, address))
        finally:
            self.browser.resize(1280, 900)

    def test_a_page_without_sources(self):
        waymark("html", "--no-source", "-o", "bare.html", "one.wmk", cwd=self.folder)
        self.assertNotIn("text", data_of(os.path.join(self.folder, "bare.html"), "a-0"))
        self.open("bare.html", "#file=small.c")
        self.assertIn("counts are by line number", self.browser.text("#main"))
        self.assertRegex(self.browser.run("return document.querySelector(`[data-line='${arguments[0]}']`).innerText",
                                          self.line_of("sink += number")), r"^500\b")


class Command(Page):
    def test_bad_input_is_one_line_and_leaves_no_file(self):
        for words, said in ((["a.wmk", "b.wmk", "c.wmk"], "name one profile, or two"),
                            (["-o", "no/such/folder/x.html", "one.wmk"], "no/such/folder/x.html"),
                            (["nothing.wmk"], "nothing.wmk"), (["--old-binary=x", "one.wmk"], "--old-binary")):
            done = waymark("html", *words, cwd=self.folder, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(said, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "a.html")))

    def test_report_html_is_the_same_page(self):
        done = waymark("report", "--html", "-o", "-", "one.wmk", cwd=self.folder)
        self.assertTrue(done.stdout.startswith("<!DOCTYPE html>"))
        waymark("report", "--html", "one.wmk", cwd=self.folder)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "small.html")))


def main():
    global WAYMARK
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    arguments, rest = parser.parse_known_args()
    WAYMARK = os.path.abspath(arguments.waymark)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
