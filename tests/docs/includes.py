#!/usr/bin/env python3
"""The folders of src include what the table in docs/architecture.md allows, and nothing else.

usage: includes.py [unittest arguments]
"""
import re
import sys
import unittest

sys.dont_write_bytecode = True

import tree

PAGE = "docs/architecture.md"


def expand(name):
    """a/{b,c}.h is a/b.h and a/c.h."""
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
    return {match[1] + each + match[3] for each in match[2].split(",")} if match else {name}


def is_below(name, folder):
    return name == folder or name.startswith(folder + "/")


def allowed():
    """Of each folder the folders and the single headers that it may include besides its own."""
    table = next(table for table in tree.tables(PAGE) if "may include" in table[0][1])
    rows = {tree.quoted(cells[0])[0]: cells[1] for _, cells in table[2:]}
    rules = {}
    for folder, cell in rows.items():
        named = set().union(*(expand(name) for name in tree.quoted(cell)))
        rules[folder] = set(rows) - named - {folder} if cell.startswith("all but") else named
    return rules


def folder_of(path, rules):
    """The row of the table that speaks of this file."""
    return next((folder for folder in rules if is_below(path[len("src/"):], folder)), None)


def includes():
    """(file, line, header) of each #include of a header of ours."""
    for path in tree.find("src/**/*.[ch]", "src/**/*.cpp"):
        for number, line in tree.lines(path):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match:
                yield path, number, match[1]


class Includes(unittest.TestCase):
    def is_allowed(self, folder, header, rules):
        if "/" not in header:
            return "include/" + header in rules[folder]
        return any(is_below(header, each) for each in rules[folder] | {folder})

    def test_folders_include_what_the_table_allows(self):
        rules, problems, count = allowed(), [], 0
        for path, number, header in includes():
            folder = folder_of(path, rules)
            count += 1
            if folder and not self.is_allowed(folder, header, rules):
                problems.append(f"{path}:{number}: {folder} may not include \"{header}\"")
        if problems:
            self.fail("\n  " + "\n  ".join(problems))
        self.assertGreater(count, 300)

    def test_table_has_every_folder(self):
        """A folder has one row, or a row for each of its folders."""
        rows = set(allowed())
        divided = {row.split("/")[0] for row in rows if "/" in row}
        folders = {path.split("/")[1] for path in tree.find("src/*/")} - divided
        for each in divided:
            folders |= {path[len("src/"):-1] for path in tree.find(f"src/{each}/*/")}
        self.assertEqual(rows, folders)

    def test_single_headers_are_there(self):
        headers = {name for rule in allowed().values() for name in rule if "/" in name}
        missing = {name for name in headers
                   if name not in tree.files() and "src/" + name not in tree.files()}
        self.assertEqual(missing, set())

    def test_dependencies_have_no_cycle(self):
        """Following the table from a folder never leads back to it."""
        table = allowed()
        rules = {folder: {row for row in table for name in rule if is_below(row, name)}
                 for folder, rule in table.items()}
        for folder in rules:
            reached, more = set(), set(rules[folder])
            while more:
                reached |= more
                more = set().union(*(rules[each] for each in more)) - reached
            self.assertNotIn(folder, reached)


if __name__ == "__main__":
    unittest.main()
