"""What all benchmarks do with their results: say where they come from, write and read files."""
import datetime
import json
import os
import platform
import shlex
import sys

from programs import Failure


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")),
                     platform.machine())
    return "%d cores of %s, Linux %s" % (os.cpu_count(), model, platform.release())


def origin(script):
    """When, where and by what command the measurements were made."""
    return {"date": datetime.date.today().isoformat(), "machine": machine(),
            "command": shlex.join([script] + sys.argv[1:])}


def read(path, script, check):
    """The JSON file that the script wrote; `check` fails for any other."""
    try:
        with open(path) as file:
            results = json.load(file)
        check(results)
        return results
    except OSError as error:
        raise Failure("cannot read %s: %s" % (path, error.strerror))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Failure("%s is not what %s --json writes" % (path, script))


def write(path, text):
    try:
        with open(path, "w") as file:
            file.write(text)
    except OSError as error:
        raise Failure("cannot write %s: %s" % (path, error.strerror))
