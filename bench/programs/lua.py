"""An interpreter: one loop around a switch, and many small functions."""
import workloads
from programs import Program

PROGRAM = Program(
    package="lua5.4",
    prepare=workloads.LUA_STEADY + " && rm src/luac.c",
    sources="-std=gnu99 -DLUA_COMPAT_5_3 src/*.c", libraries="-lm",
    command=lambda scale: [workloads.LUA_SCRIPT, str(1200 * scale)])
