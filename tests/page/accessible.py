#!/usr/bin/env python3
"""Every view of a page, checked by axe-core, which npm brings. Exits with 77 if it cannot."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CANNOT = 77
PAGES = {
    "paths.html": ["", "#view=paths", "#view=functions", "#view=functions&by=folder", "#fn=eval",
                   "#file=heap.c&lines=156,161", "#graph=heap_collect_if_due"],
    "contexts.html": ["#view=flame", "#view=tree"],
    "both.html": ["#view=compare", "#file=heap.c"],
}
SCRIPT = """const done = arguments[0];
axe.run().then(found => done(found.violations.map(each => [each.id, each.help, each.nodes[0].html])))"""


def fetch_axe(folder):
    """The text of axe-core, or None."""
    if not shutil.which("npm"):
        return None
    done = subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "axe-core@4"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=300)
    script = pathlib.Path(folder, "node_modules/axe-core/axe.min.js")
    return script.read_text(encoding="utf-8") if done.returncode == 0 and script.exists() else None


def make_pages(waymark, folder):
    sources = [str(path) for path in sorted((ROOT / "examples/lisp").glob("*.c"))]
    program = str(ROOT / "examples/lisp/program.lisp")
    for name, options in (("paths", []), ("contexts", ["--profile=edges+context"])):
        subprocess.run([waymark, "cc", "-O2", "-g", *options, "-o", name, *sources], cwd=folder, check=True)
        subprocess.run([f"./{name}", program], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "WAYMARK_FILE": f"{name}.wmk"})
    shutil.copy(os.path.join(folder, "paths.wmk"), os.path.join(folder, "again.wmk"))
    for words in (["paths.wmk", "-o", "paths.html"], ["contexts.wmk", "-o", "contexts.html"],
                  ["paths.wmk", "again.wmk", "-o", "both.html"]):
        subprocess.run([waymark, "html", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waymark", required=True)
    waymark = os.path.abspath(parser.parse_args().waymark)
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        axe = fetch_axe(folder)
        if axe is None:
            print("axe-core is not to be had: no npm, or no registry")
            return CANNOT
        make_pages(waymark, folder)
        browser = Browser()
        try:
            for page, addresses in PAGES.items():
                for address in addresses:
                    browser.open(os.path.join(folder, page), address)
                    browser.run(axe + ";window.axe = axe;")
                    found = browser.call("POST", browser.base + "/execute/async", {"script": SCRIPT, "args": []})
                    failures += len(found)
                    checked += 1
                    for each in found:
                        print(page, address, json.dumps(each))
        finally:
            browser.close()
    print(f"{checked} views checked, {failures} violations")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
