"""libjpeg-turbo without its assembly: transforms, and the coding of bits."""
from programs import Program

LIBRARY = """jaricom jcapimin jcapistd jcarith jccoefct jccolor jcdctmgr jchuff jcicc jcinit
    jcmainct jcmarker jcmaster jcomapi jcparam jcphuff jcprepct jcsample jctrans jdapimin jdapistd
    jdarith jdatadst jdatasrc jdcoefct jdcolor jddctmgr jdhuff jdicc jdinput jdmainct jdmarker
    jdmaster jdmerge jdphuff jdpostct jdsample jdtrans jerror jfdctflt jfdctfst jfdctint jidctflt
    jidctfst jidctint jidctred jmemmgr jmemnobs jquant1 jquant2 jsimd_none jutils"""
CJPEG = "cjpeg cdjpeg rdbmp rdgif rdppm rdswitch rdtarga"


def picture(tiles, width=640, height=240):
    """Gradients with edges and a little noise: a portable pixmap of tiles below each other."""
    pixels, state = bytearray(), 1
    for y in range(height):
        for x in range(width):
            state = (state * 1664525 + 1013904223) & 0xffffffff
            edge = 60 if (x // 40 + y // 40) % 3 == 0 else 0
            red, green = ((x + y) // 8 & 127) + edge, x * y >> 9 & 255
            pixels += bytes((red, green, y & 255 ^ state >> 28))
    return b"P6 %d %d 255\n" % (width, height * tiles) + bytes(pixels) * tiles


PROGRAM = Program(
    package="libjpeg-turbo",
    prepare="cmake -S . -B out -DCMAKE_C_COMPILER=$CC -DWITH_SIMD=0 -DENABLE_SHARED=0 >/dev/null",
    sources="-I. -Iout -DBMP_SUPPORTED -DGIF_SUPPORTED -DPPM_SUPPORTED -DTARGA_SUPPORTED " +
            " ".join(name + ".c" for name in (LIBRARY + " " + CJPEG).split()),
    command=lambda scale: ["-quality", "90", "-progressive", "picture"],
    inputs=lambda scale: {"picture": picture(4 * scale)})
