"""The C++ program: compression by range coding, with classes and inlined methods."""
import workloads
from programs import Program

PROGRAM = Program(
    package="lzip", language="c++",
    sources="-DPROGVERSION='\"bench\"' arg_parser.cc lzip_index.cc list.cc encoder_base.cc "
            "encoder.cc fast_encoder.cc decoder.cc main.cc",
    command=lambda scale: ["-6", "-k", "-c", "text"],
    inputs=lambda scale: {"text": workloads.text(100000 * scale)})
