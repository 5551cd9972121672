"""One run of the benchmark: builds, counts instructions, times in rounds, checks every output.

Builds and callgrind may run side by side, as neither result depends on the load. Timed runs are
alone, on one core, and take turns: program by program, variant by variant, in rounds, each round
beginning with another variant, so that a slow minute of the machine hits all of them. Where there
are several layouts, each round times another one, the same of all variants.
"""
import concurrent.futures
import os
import tempfile

import measure
from programs import Failure
from progress import Progress


class Session:
    """`cells` is program -> variant -> what was measured of the two, by name. `builds` has the
    binaries (builds.Builds, binaries.Kept)."""

    def __init__(self, options, builds, programs, measured):
        self.options, self.programs, self.variants, self.builds = options, programs, measured, builds
        self.progress = Progress(options.jobs)
        self.cells = {program.name: {variant.name: {} for variant in measured}
                      for program in programs}
        self.binaries, self.outputs = {}, {}
        self.distinct = [variant for variant in measured if not variant.same_as]

    def pairs(self, measured):
        return [(program, variant) for program in self.programs for variant in measured]

    def in_layouts(self, pairs):
        return [pair + (layout,) for pair in pairs for layout in range(self.options.layouts)]

    def measure(self):
        missing = [made for made in self.in_layouts(self.pairs(self.distinct))
                   if not self.builds.cached(*made)]
        self.progress.expect("build", len(missing))
        self.progress.expect("compile", self.options.compile * len(self.pairs(self.distinct)))
        self.progress.expect("instructions",
                             self.options.instructions * len(self.pairs(self.distinct)))
        self.progress.expect("run", self.options.repetitions * len(self.pairs(self.variants)))
        try:
            self.build(missing)
            if self.options.instructions:
                self.in_parallel("instructions", self.count_instructions, self.pairs(self.distinct))
            self.time_runs()
            self.time_compiler()
        finally:
            self.progress.clear()

    def step(self, kind, work, program, variant, *more):
        began = self.progress.begin("%s: %s, %s" % (kind, program.name, variant.name))
        work(program, variant, *more)
        self.progress.end(kind, began)

    def in_parallel(self, kind, work, wanted):
        """Work on each of these: a program and a variant, or a layout of one."""
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = [pool.submit(self.step, kind, work, *one) for one in wanted]
            try:
                for future in concurrent.futures.as_completed(waiting):
                    future.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def build(self, missing):
        """Trainers come before what they train."""
        for second in (False, True):
            self.in_parallel("build", self.builds.binary,
                             [made for made in missing if bool(made[1].trainer) == second])
        for program, variant, layout in self.in_layouts(self.pairs(self.variants)):
            self.binaries[program.name, variant.name, layout] = self.builds.binary(
                program, variant, layout)
        for program, variant in self.pairs(self.variants):
            cell = self.cells[program.name][variant.name]
            if "text" not in cell:
                cell["text"] = measure.text_bytes(self.binaries[program.name, variant.name, 0])

    def check_output(self, place, variant):
        """All variants of a program must print and write the same at one scale."""
        output = place.output()
        first = self.outputs.setdefault((place.program.name, place.scale), (output, variant.name))
        if output != first[0]:
            raise Failure("%s built as %s prints or writes something else than built as %s" % (
                place.program.name, variant.name, first[1]))

    def count_instructions(self, program, variant):
        with tempfile.TemporaryDirectory() as where:
            place = measure.Place(program, 1, where)
            self.cells[program.name][variant.name]["instructions"] = measure.instructions(
                place, self.binaries[program.name, variant.name, 0])
            self.check_output(place, variant)

    def time_runs(self):
        core, launch = max(os.sched_getaffinity(0)), self.builds.launcher()
        with tempfile.TemporaryDirectory() as where:
            places = {program.name: measure.Place(program, self.options.scale,
                                                  os.path.join(where, program.name))
                      for program in (self.programs if self.options.repetitions else [])}

            def run(program, variant, layout):
                place, cell = places[program.name], self.cells[program.name][variant.name]
                binary = self.binaries[program.name, variant.name, layout]
                once = measure.run_once(place, binary, launch, core)
                self.check_output(place, variant)
                for name in ("user", "system"):
                    cell.setdefault(name, []).append(once[name])
                cell["memory"] = max(once["memory"], cell.get("memory", 0))
                cell["profile"] = once["profile"]

            for turn in range(self.options.repetitions):
                first = turn % len(self.variants)
                for program, variant in self.pairs(self.variants[first:] + self.variants[:first]):
                    self.step("run", run, program, variant, turn % self.options.layouts)

    def time_compiler(self):
        def compile_once(program, variant):
            seconds = self.builds.compile_seconds(program, variant)
            self.cells[program.name][variant.name].setdefault("compile", []).append(seconds)

        for _ in range(self.options.compile):
            for program, variant in self.pairs(self.distinct):
                self.step("compile", compile_once, program, variant)
