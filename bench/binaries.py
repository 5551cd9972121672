"""Binaries that one machine built and another times: it needs Python and this folder, no compiler.

A folder has a file for each program, variant and layout, the small program that starts them, and
what was measured of the builds, in the form of --json.
"""
import json
import os
import shutil

import measure
import results
from figures import Figures

MEASURED = "built.json"


def file_name(program, variant, layout):
    return "%s.%s.%d" % (program.name, variant.name.replace(" ", "-"), layout)


def keep(folder, session, measured):
    """Copies all binaries of a session into a folder."""
    os.makedirs(folder, exist_ok=True)
    shutil.copy(measure.launcher(), os.path.join(folder, "launch"))
    for program, variant, layout in session.in_layouts(session.pairs(session.distinct)):
        shutil.copy(session.binaries[program.name, variant.name, layout],
                    os.path.join(folder, file_name(program, variant, layout)))
    results.write(os.path.join(folder, MEASURED),
                  json.dumps(dict(measured, layouts=session.options.layouts), indent=1) + "\n")


class Kept:
    """What `builds.Builds` is to a session, for binaries in a folder."""

    def __init__(self, folder, variants):
        self.folder = folder
        self.variants = {variant.name: variant for variant in variants}
        self.measured = results.read(os.path.join(folder, MEASURED), "bench/run --build-only", Figures)

    def cached(self, _program, _variant, _layout=0):
        return True

    def launcher(self):
        return os.path.abspath(os.path.join(self.folder, "launch"))

    def binary(self, program, variant, layout=0):
        variant = self.variants[variant.same_as or variant.name]
        return os.path.abspath(os.path.join(self.folder, file_name(program, variant, layout)))
