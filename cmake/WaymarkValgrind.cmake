# The Valgrind tool of `waymark hpp COMMAND`: an executable of its own, linked with Valgrind's core and
# under its licence. Built where Debian's package valgrind, or another with its libraries, is installed.
pkg_check_modules(VALGRIND QUIET valgrind)
if(VALGRIND_FOUND)
	pkg_get_variable(VALGRIND_ADDRESS valgrind valt_load_address)
	foreach(name coregrind-amd64-linux vex-amd64-linux gcc-sup-amd64-linux)
		find_library(VALGRIND_${name} NAMES lib${name}.a PATHS ${VALGRIND_LIBRARY_DIRS} NO_DEFAULT_PATH)
	endforeach()
endif()
if(NOT VALGRIND_FOUND OR NOT VALGRIND_coregrind-amd64-linux OR NOT VALGRIND_vex-amd64-linux)
	message(STATUS "valgrind's libraries not found: `waymark hpp` reads files only (apt-get install valgrind)")
	return()
endif()
set(WAYMARK_VALGRIND_VERSION ${VALGRIND_VERSION})
