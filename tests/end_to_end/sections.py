"""The programs of tests/programs that are hostile, by what they do: hostile/run.py tries them in every
profile mode, and docs/exactness.md lists them."""
import fnmatch

# name -> title, and patterns of names
SECTIONS = {
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


def holds(section, name):
    return any(fnmatch.fnmatch(name, pattern) for pattern in SECTIONS[section][1])


def is_hostile(name):
    return any(holds(section, name) for section in SECTIONS)
