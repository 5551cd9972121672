#!/usr/bin/env python3
"""The documents are true as far as a script can tell: what they name is there, and what is there to
be named is.

usage: run.py [unittest arguments]
"""
import collections
import fnmatch
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True

import tree

# Names of files in examples, which are a user's.
USERS = {"app.c", "parse.c", "path.svg", "graph.svg", "graph.dot", "g.json", "g.svg", "r.json", "r.svg",
         "GRAPH.dot", "NAME.c", "NAME.py", "sqlite3.c", "main.c", "a.c", "b.c",
         "budgets.txt", "samples.txt"}
SUFFIXES = (".c", ".h", ".cpp", ".py", ".md", ".ld", ".dot", ".txt", ".cmake")

# Options of other tools than ours.
OTHERS = {
    "--exclude-libs": "ld", "--wrap": "ld", "--coverage": "gcc", "--test-dir": "ctest",
    "--help": "all", "--version": "waymark", "--variable": "pkg-config", "--cflags": "pkg-config",
    "--build": "cmake", "--native-file": "meson", "--buildtype": "meson", "--check": "clangd",
    "--compile-commands-dir": "clangd", "--repo_env": "bazel", "--inclusive": "callgrind_annotate",
    "--wrapper": "meson", "--itrace": "perf", "--show-mmap-events": "perf",
}


def readable_list(problems):
    return "\n  " + "\n  ".join(problems)


class Case(unittest.TestCase):
    def assert_none(self, problems):
        if problems:
            self.fail(readable_list(problems))


class Files(Case):
    """Each file that a document names exists."""

    def setUp(self):
        self.folders = {path.split("/")[0] for path in tree.files() if "/" in path}
        self.modules = {path.split("/")[1] for path in tree.files() if path.startswith("src/")}
        self.names = {os.path.basename(path) for path in tree.files()}

    def is_there(self, path):
        # Words in capitals stand for any.
        pattern = re.sub(r"\b(TARGET|NAME|NNNN)\b", "*", path).rstrip("/")
        return any(fnmatch.fnmatchcase(file, pattern) for file in tree.files())

    def is_module(self, name):
        """A row of a table of modules, whose folder has the name of a folder of src."""
        return self.is_there(f"src/*/{name}.*")

    def is_missing(self, word):
        if not re.fullmatch(r"[\w.+*/{},-]+", word):
            return False
        first = word.split("/")[0]
        words = self.alternatives(word)
        if "/" in word and first in self.folders:
            return not all(self.is_there(each) for each in words)
        if "/" in word and first in self.modules:
            return not all(self.is_there("src/" + each) or self.is_module(each) for each in words)
        return "/" not in word and word.endswith(SUFFIXES) and "*" not in word and \
            word not in self.names | USERS

    def alternatives(self, word):
        """a/{b,c}.h is a/b.h and a/c.h; a/b,c are two words of a list of programs."""
        match = re.fullmatch(r"(.*)\{(.*)\}(.*)", word)
        return [match[1] + each + match[3] for each in match[2].split(",")] if match else [word]

    def words(self, path):
        """Numbers of lines, and what could name a file: words in backticks or in a block of code."""
        fenced = False
        for number, line in tree.lines(path):
            if line.startswith("```"):
                fenced = not fenced
            for text in [line] if fenced else tree.quoted(line):
                for word in text.split():
                    yield number, word.rstrip(".,;:")

    def test_files_named_are_there(self):
        problems = [f"{path}:{number}: no file '{word}'" for path in tree.documents()
                    for number, word in self.words(path) if self.is_missing(word)]
        self.assert_none(problems)

    def test_words_are_found(self):
        named = {word for path in tree.documents() for _, word in self.words(path)}
        self.assertGreater(len([word for word in named if word.startswith("src/")]), 20)

    def test_tables_of_modules(self):
        """Rows below a heading `src/FOLDER` name modules of that folder, without a suffix."""
        problems, rows = [], 0
        for table in tree.tables("docs/architecture.md"):
            folder = tree.quoted(table[0][1][0])
            if not folder or not folder[0].startswith("src/"):
                continue
            for number, cells in table[2:]:
                for name in tree.quoted(cells[0]):
                    rows += 1
                    stem = name.rsplit(".", 1)[0]
                    if not tree.find(f"{folder[0]}/{stem}.*", f"{folder[0]}/**/{stem}.*"):
                        problems.append(f"docs/architecture.md:{number}: no {folder[0]}/{name}.c")
        self.assert_none(problems)
        self.assertGreater(rows, 40)

    def test_files_of_the_runtime(self):
        """The runtime's table is complete."""
        table = next(table for table in tree.tables("docs/architecture.md")
                     if table[0][1][0] == "file")
        told = set()
        for _, cells in table[2:]:  # a file without a folder is in that of the one before it
            names = tree.quoted(cells[0])
            folder = os.path.dirname(names[0])
            told |= {name if "/" in name else os.path.join(folder, name) for name in names}
        there = {path[len("src/runtime/"):] for path in tree.files()
                 if path.startswith("src/runtime/") and path.endswith((".c", ".h", ".ld", ".txt"))}
        there -= {"CMakeLists.txt"}
        headers = {name[:-1] + "h" for name in told}  # a header goes with its .c
        self.assert_none([f"docs/architecture.md: nothing said of src/runtime/{name}"
                          for name in sorted(there - told - headers)] +
                         [f"docs/architecture.md: no src/runtime/{name}"
                          for name in sorted(told - there)])


class Links(Case):
    def heading_anchors(self, path):
        for _, line in tree.lines(path):
            if line.startswith("#"):
                yield re.sub(r"[^\w -]", "", line.lstrip("#").strip().lower()).replace(" ", "-")

    def is_broken(self, path, target):
        file, _, anchor = target.partition("#")
        where = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if where not in tree.files():
            return True
        return bool(anchor) and anchor not in self.heading_anchors(where)

    def test_links_resolve(self):
        problems, links = [], 0
        for path in tree.find(*tree.MARKDOWN):
            for number, line in tree.lines(path):
                for target in re.findall(r"\]\(([^)\s]+)\)", line):
                    if "://" in target:
                        continue
                    links += 1
                    if self.is_broken(path, target):
                        problems.append(f"{path}:{number}: no '{target}'")
        self.assert_none(problems)
        self.assertGreater(links, 20)

    def test_manual_pages_named_are_there(self):
        problems = []
        for path in tree.documents():
            for number, line in tree.lines(path):
                for name, section in re.findall(r"\b(waymark[\w.-]*)\*?\((\d)\)", line):
                    if f"docs/{name}.{section}.scd" not in tree.files() and name != "waymark-c++":
                        problems.append(f"{path}:{number}: no manual page {name}({section})")
        self.assert_none(problems)

    def test_experiments_are_listed(self):
        there = {os.path.basename(path) for path in tree.find("docs/experiments/[0-9]*.md")}
        listed = re.findall(r"^\| \[(\d+)\]\((\S+)\)", tree.read("docs/experiments/README.md"), re.M)
        self.assertEqual(sorted(name for _, name in listed), sorted(there))
        self.assertTrue(all(name.startswith(number + "-") for number, name in listed))
        self.assertEqual(len({number for number, _ in listed}), len(there))


def in_table(text):
    return set(re.findall(r'\{"(--?[\w-]+)", *(?:NULL|&)', text))


def of_waymark_cc(text):
    """cc.c lists names without dashes, because it also looks for slips in them."""
    names = re.search(r"own_options\[\] = \{(.*?)\};", text, re.S)[1]
    flags = re.search(r"own_flags\[\] = (.*?);", text)[1]
    return {"--" + name for name in re.findall(r'"([\w-]+)"', names + flags)}


def options_of_commands():
    """Of each command the options in its sources: the file says which command it parses them for, or has its name."""
    options = {}
    for path in tree.find("src/cli/**/*.c"):
        text = tree.read(path)
        parsed = re.search(r'\bwm_options_parse\(\s*"([\w+-]+)"', text)
        name = parsed[1] if parsed else os.path.basename(path)[:-2]
        found = of_waymark_cc(text) if "own_options[]" in text else in_table(text)
        if found:
            options[name] = options.get(name, set()) | found
    return options


def help_of_commands():
    """Of each command its row in the table of commands, each of its strings in one piece."""
    text = re.sub(r'"\s*"', "", tree.read("src/cli/main.c").split("\n};")[0])
    rows = re.split(r'\n\t\{"([\w+]+)", ?wm_command_', text)
    return dict(zip(rows[1::2], rows[2::2]))


def options_in(help):
    return set(re.findall(r"(?<![\w-])(--[a-z][\w-]*|-o\b)", help))


def table_of_words(path, name):
    table = re.search(rf"\b{name}\[\] = \{{(.*?)\}};", tree.read(path), re.S)[1]
    return set(re.findall(r'"([\w-]+)"', table))


def words_of_options():
    """Of each option that wants one of a few words, these words, as its parser has them."""
    told = re.findall(r"\"--([\w-]+)='%s' is unknown: use (.*?)\"", tree.source("src/format/*.c"))
    words = {("cc", "--" + option): set(re.split(", | or ", text)) for option, text in told}
    words["plan", "--problem"] = table_of_words("src/core/counters/plan.c", "problem_names") | \
        table_of_words("src/cli/plan.c", "sum_problem_names")
    words["plan", "--weights"] = table_of_words("src/cli/plan.c", "weighting_names")
    words["export", "--to"] = set(re.findall(r'\.name = "([\w-]+)"', tree.read("src/export/format.c")))
    words["merge", "--failure"] = table_of_words("src/cli/merge.c", "words")
    return words


def words_in(text, option):
    lists = re.findall(rf"(?<![\w-]){option}=([a-z|-]+)", text)
    return set("|".join(lists).split("|"))


def documented(page):
    """The options that a manual page explains: those at the start of an entry."""
    entries = re.findall(r"^(\*-.*)\n\t", page, re.M)
    return {option for entry in entries for option in re.findall(r"\*(--?[a-z][\w-]*)", entry)}


class Options(Case):
    def test_every_option_is_in_its_manual_page(self):
        problems = []
        for command, options in sorted(options_of_commands().items()):
            told = documented(tree.read(f"docs/waymark-{command}.1.scd"))
            problems += [f"docs/waymark-{command}.1.scd: nothing said of {option}"
                         for option in sorted(options - told)]
            problems += [f"docs/waymark-{command}.1.scd: waymark {command} has no {option}"
                         for option in sorted(told - options)]
        self.assert_none(problems)
        self.assertGreaterEqual(len(options_of_commands()), 8)

    def test_help_names_every_option_and_no_other(self):
        helps, options, problems = help_of_commands(), options_of_commands(), []
        for command in helps.keys() - {"c++"}:
            told, taken = options_in(helps[command]), options.get(command, set())
            problems += [f"src/cli/main.c: the help of {command} lacks {option}"
                         for option in sorted(taken - told)]
            problems += [f"src/cli/main.c: waymark {command} has no {option}"
                         for option in sorted(told - taken)]
        self.assert_none(problems)
        self.assertGreaterEqual(set(helps), set(options))
        self.assertIn("--prefer-by", options["cc"])
        self.assertIn("-o", options["merge"])

    def test_help_and_manual_page_name_every_word(self):
        problems, words = [], words_of_options()
        for (command, option), there in sorted(words.items()):
            page = f"docs/waymark-{command}.1.scd"
            heads = "\n".join(re.findall(r"^(\*-.*)\n\t", tree.read(page), re.M)).replace("*", "")
            for where, text in ("src/cli/main.c", help_of_commands()[command]), (page, heads):
                if words_in(text, option) != there:
                    problems.append(f"{where}: waymark {command} takes {option}={'|'.join(sorted(there))}")
        self.assert_none(problems)
        self.assertGreaterEqual(len(words), 10)

    def test_options_of_waymark_cc_are_in_the_readme(self):
        tables = [cells[0] for table in tree.tables("README.md") for _, cells in table]
        told = options_in(" ".join(tables))
        self.assertEqual(options_of_commands()["cc"] - told, set())

    def known(self):
        ours = set().union(*options_of_commands().values())
        scripts = "\n".join(tree.read(path) for path in tree.find("bench/*", "tests/**/*.py")
                            if os.path.isfile(os.path.join(tree.ROOT, path)))
        ours |= set(re.findall(r'"(--[a-z][\w-]*)=?"', scripts))
        return ours | set(OTHERS)

    def test_every_option_named_exists(self):
        known, named, problems = self.known(), set(), []
        for path in tree.documents():
            for number, line in tree.lines(path):
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", line.replace("\\", "")):
                    named.add(option)
                    if option not in known:
                        problems.append(f"{path}:{number}: no tool has {option}")
        self.assert_none(problems)
        self.assertGreater(len(named), 30)
        self.assertEqual(set(OTHERS) - named, set(), "named nowhere")

    def test_commands_are_documented(self):
        commands = set(help_of_commands())
        self.assertIn("cc", commands)
        page, readme = tree.read("docs/waymark.1.scd"), tree.read("README.md")
        self.assertEqual([c for c in commands if f"*{c}*" not in page], [])
        self.assertEqual([c for c in commands if f"`waymark {c}" not in readme], [])
        self.assertEqual([c for c in commands - {"c++", "help"}
                          if f"docs/waymark-{c}.1.scd" not in tree.files()], [])


class Tests(Case):
    def labels_there(self):
        labels = set()
        for path in tree.find("tests/CMakeLists.txt", "tests/**/CMakeLists.txt"):
            text = re.sub(r"#.*", "", tree.read(path))
            found = re.findall(r'\bLABELS\s+"?([a-z_;]+)', text)
            found += re.findall(r'waymark_(?:end_to_end|extended)\(\s*[^\s)]+\s+"?([a-z_;]+)', text)
            labels.update(*(each.split(";") for each in found))
        return labels - {"labels"}

    def test_labels(self):
        table = next(table for table in tree.tables("CONTRIBUTING.md")
                     if table[0][1][0] == "label")
        told = [label for _, cells in table[2:] for label in tree.quoted(cells[0])]
        self.assertEqual([label for label, n in collections.Counter(told).items() if n > 1], [])
        self.assertEqual(set(told), self.labels_there())


class Settings(Case):
    # Every terminal has it.
    OWN_BUSINESS = {"TERM"}

    def read_somewhere(self):
        c = re.findall(r'getenv\("(\w+)"\)', tree.source("src/**/*.c"))
        c += re.findall(r'setenv\("(\w+)"', tree.source("src/**/*.c"))
        python = "\n".join(tree.read(path) for path in tree.find("tests/**/*.py", "bench/*.py"))
        return set(c) | set(re.findall(r'environ(?:\.get\(|\[)"(WAYMARK_\w+)"', python))

    def test_settings_named_exist(self):
        read = self.read_somewhere() | set(re.findall(r"#define (WAYMARK_\w+)", tree.read("include/waymark.h")))
        problems = [f"{path}:{number}: nothing reads {name}" for path in tree.documents()
                    for number, line in tree.lines(path)
                    for name in re.findall(r"\bWAYMARK_[A-Z]+\b", line) if name not in read]
        self.assert_none(problems)

    def test_settings_are_documented(self):
        text = "\n".join(tree.read(path) for path in tree.documents())
        missing = [name for name in sorted(self.read_somewhere() - self.OWN_BUSINESS)
                   if not re.search(rf"\b{name}\b", text)]
        self.assert_none([f"no document says what {name} does" for name in missing])
        self.assertIn("WAYMARK_FILE", self.read_somewhere())


class Modes(Case):
    def there(self):
        pairs = re.findall(r"^\s*\{\{WM_QUANTITY_(\w+), WM_PLACEMENT_(\w+)\}, true\},$",
                           tree.source("src/format/measure.c"), re.M)
        return {(quantity.lower(), placement.lower()) for quantity, placement in pairs}

    def test_message_names_all_pairs(self):
        message = re.search(r"does not go with [^:]*: use (.*?)\",", re.sub(r'"\s*"', "", tree.source(
            "src/format/measure.c")))[1]
        told = {(quantity, placement) for quantity, placements in re.findall(r"(\w+) with ([^;]+)", message)
                for placement in re.split(", | or ", placements)}
        self.assertEqual(told, self.there())

    def test_sections_are_in_the_format(self):
        tags = re.findall(r"\bWM_SECTION_(\w+) = (\d+)", tree.source("src/format/description.h"))
        told = re.findall(r"^(\w+) +=.* tag (\d+)$", tree.read("docs/file-format.md"), re.M)
        self.assertGreater(len(tags), 5)
        self.assertEqual(told, [(name.lower(), tag) for name, tag in tags])

    def test_files_of_modes_are_in_the_architecture(self):
        told = tree.quoted("\n".join(cells[0] for table in tree.tables("docs/architecture.md")
                                     for _, cells in table))
        files = {os.path.splitext(path)[0].removeprefix("src/llvm/")
                 for path in tree.find("src/llvm/mode/*.c")}
        self.assertIn("mode/counters", files)
        self.assertEqual(files - set(told), set())

    def test_modes_are_in_the_manual(self):
        there = self.there()
        told = set(re.findall(r"^\*--profile=(\w+)\* with \*--placement=(\w+)\*$",
                              tree.read("docs/waymark-cc.1.scd"), re.M))
        self.assertGreater(len(there), 5)
        self.assertEqual(told, there)


if __name__ == "__main__":
    unittest.main()
