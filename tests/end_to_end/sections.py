"""The programs of tests/programs by what they do. Those of HOSTILE are tried by hostile/run.py, too, and listed in
docs/exactness.md."""
import fnmatch

# section -> title, and patterns of names
HOSTILE = {
    "threads": ("Threads", ["thread*"]),
    "exits": ("Functions left early", ["abort_*", "exit_*", "longjmp_*", "noreturn_*",
                                       "loop_infinite_*"]),
    "exceptions": ("Exceptions", ["exception_*", "noexcept_*", "landing_pad_*"]),
    "signals": ("Signals, kills, coroutines", ["killed_*", "signal_*", "context_*", "coroutine*"]),
    "processes": ("Processes", ["fork_*", "vfork_*", "clone_*", "spawn_*", "exec_*",
                                 "sandbox_*"]),
    "objects": ("Several objects", ["plugin_*", "library_*", "shared_library_*"]),
    "paths": ("Paths that are many or broken", ["paths_*"]),
}

# section -> patterns of names; the first that fits counts, and "language" takes the rest
ORDINARY = {
    "linking": ["*.build", "linking", "plain", "*_in_two_units", "static_functions_*", "sections_*"],
    "branches": ["if_*", "switch_*", "loop_*", "loops_*", "straight_*", "asm_*", "computed_*",
                 "vectorized_*", "counters_*"],
    "language": ["*"],
}


def names():
    return list(HOSTILE) + list(ORDINARY)


def holds(section, name):
    return any(fnmatch.fnmatch(name, pattern) for pattern in HOSTILE[section][1])


def is_hostile(name):
    return any(holds(section, name) for section in HOSTILE)


def of(name):
    """The one section of a program."""
    for section in HOSTILE:
        if holds(section, name):
            return section
    return next(section for section, patterns in ORDINARY.items()
                if any(fnmatch.fnmatch(name, pattern) for pattern in patterns))
