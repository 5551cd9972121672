"""The checkout and its documents, as the tests of documents see them. Nothing is built or run."""
import functools
import glob
import os
import re

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGES = "docs/*.scd"
MARKDOWN = ["*.md", "docs/*.md", "docs/experiments/*.md", "examples/*.md", "bench/*.md"]


@functools.lru_cache(None)
def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def find(*patterns):
    """Paths below the checkout that match, sorted."""
    found = {path for pattern in patterns
             for path in glob.glob(pattern, root_dir=ROOT, recursive=True)}
    return sorted(found)


def documents():
    return find(*MARKDOWN, PAGES)


def lines(path):
    return enumerate(read(path).splitlines(), 1)


@functools.lru_cache(None)
def files():
    """All files and folders, as paths below the checkout; builds and git's own left out."""
    found = set()
    for where, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
        found |= {os.path.relpath(os.path.join(where, name), ROOT) for name in folders + names}
    return found


def tables(path):
    """Each table of a document: the number and the cells of each row, its heading row first."""
    table = []
    for number, line in lines(path):
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
            table.append((number, cells))
        elif table:
            yield table
            table = []
    if table:
        yield table


def quoted(text):
    """What stands in `backticks`."""
    return re.findall(r"`([^`]+)`", text)


def source(pattern):
    """All files below src that match, as one text."""
    return "\n".join(read(path) for path in find(pattern))
