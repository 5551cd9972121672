"""A database in one file of C: large functions, flat profile, code beyond the instruction cache."""
import workloads
from programs import Program

PROGRAM = Program(
    package="sqlite3",
    prepare="./configure --disable-tcl --disable-readline && make sqlite3.c shell.c",
    sources="-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION shell.c sqlite3.c", libraries="-lm",
    command=lambda scale: ["-batch", ":memory:", ".read script.sql"],
    inputs=lambda scale: {"script.sql": workloads.sql(1500 * scale)})
