#!/usr/bin/env python3
"""What the runtime asks of the program that it lives in, and what it shows there.

No allocation, no standard I/O, no locale: nothing but these few functions of the C library, none of
which is a point of cancellation. And no name but our own prefix, lest it meets one of the program's.
And no vector register: code that counts by key does not save them.
"""
import argparse
import os
import re
import subprocess
import sys

IMPORTS = {
    "libwaymark_rt.a": {"__cxa_atexit", "__cxa_finalize", "__register_atfork", "dl_iterate_phdr", "getauxval",
                        "__environ", "pthread_key_create", "pthread_key_delete", "pthread_setspecific",
                        "secure_getenv", "_GLOBAL_OFFSET_TABLE_",
                        # the bounds of sections, made by the linker
                        "__start_waymark_counters", "__stop_waymark_counters",
                        "__start_waymark_stores", "__stop_waymark_stores",
                        "__start_waymark_entries", "__stop_waymark_entries",
                        "__start_waymark_sentinels", "__stop_waymark_sentinels",
                        "__start_waymark_event_bounds", "__stop_waymark_event_bounds", "__ehdr_start"},
    "libwaymark_program.a": {"_start", "__real_pthread_create", "__real_thrd_create",
                             "pthread_attr_getsigmask_np", "_GLOBAL_OFFSET_TABLE_"},
    "libwaymark_threads.a": {"dlsym", "pthread_attr_getsigmask_np", "_GLOBAL_OFFSET_TABLE_",
                             "__interceptor_pthread_create"},  # a sanitizer's, or nothing
}
INTERPOSED = {"libwaymark_rt.a": {"__dso_handle"},  # weak, for objects without start files
              "libwaymark_threads.a": {"pthread_create", "thrd_create"},
              "libwaymark_program.a": {"__wrap_pthread_create", "__wrap_thrd_create"}}


def symbols(archive, *options):
    words = subprocess.run(["nm", "--format=posix"] + list(options) + [archive], check=True,
                           stdout=subprocess.PIPE).stdout.decode().splitlines()
    return {line.split()[0] for line in words if len(line.split()) > 1}


def uses_vectors(archive):
    code = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", archive], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    return re.search(r"%([xyz]mm|mm|st)\d*\b", code) is not None


def is_ours(name):
    return name.startswith(("__waymark_", "waymark_"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--waymark", required=True)
    folder = os.path.join(os.path.dirname(parser.parse_args().waymark), "..", "lib", "waymark")
    failures = 0
    for name, allowed in IMPORTS.items():
        archive = os.path.join(folder, name)
        asked = {symbol for symbol in symbols(archive, "--undefined-only") if not is_ours(symbol)}
        shown = {symbol for symbol in symbols(archive, "--defined-only", "--extern-only")
                 if not is_ours(symbol)}
        for symbol in sorted(asked - allowed):
            print("%s: asks for %s" % (name, symbol))
            failures += 1
        for symbol in sorted(shown - INTERPOSED.get(name, set())):
            print("%s: shows the name %s" % (name, symbol))
            failures += 1
    if uses_vectors(os.path.join(folder, "libwaymark_rt.a")):
        print("libwaymark_rt.a: uses vector registers")
        failures += 1
    print("%d archives, %d failures" % (len(IMPORTS), failures))
    sys.exit(failures != 0)


main()
