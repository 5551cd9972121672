# cmake -DCMAKE_TOOLCHAIN_FILE=.../lib/cmake/Waymark/toolchain.cmake builds a project with counters.
get_filename_component(waymark_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${waymark_bin}/waymark-cc")
set(CMAKE_CXX_COMPILER "${waymark_bin}/waymark-c++")
unset(waymark_bin)
