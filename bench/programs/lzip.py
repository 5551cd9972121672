"""The C++ program: compression by range coding, with classes and inlined methods.

Its tables of matches are kept small enough for the caches: by default the time of one and the same
binary varies by a half, with the places in memory that these get.
"""
import workloads
from programs import Program

PROGRAM = Program(
    package="lzip", language="c++",
    sources="-DPROGVERSION='\"bench\"' arg_parser.cc lzip_index.cc list.cc encoder_base.cc "
            "encoder.cc fast_encoder.cc decoder.cc main.cc",
    command=lambda scale: ["-6", "-s", "64KiB", "-k", "-c", "text"],
    inputs=lambda scale: {"text": workloads.text(100000 * scale)})
