# What Waymark stands on. Everything missing is named in one line, with the command that installs it.
# Provides: LLVM_* variables, PkgConfig::libelf, ::libdw, ::libcgraph, ::zlib, ::sqlite3, ::libzstd, ::libpq, ::cmocka, Waymark::iberty.
function(waymark_require_found found what packages)
	if(NOT found)
		message(FATAL_ERROR "${what} not found: run scripts/install-packages, or apt-get install ${packages}")
	endif()
endfunction()

find_package(PkgConfig QUIET)
waymark_require_found("${PKG_CONFIG_FOUND}" "pkg-config" "pkg-config")

foreach(dependency libelf:libelf-dev libdw:libdw-dev libcgraph:libgraphviz-dev zlib:zlib1g-dev sqlite3:libsqlite3-dev libzstd:libzstd-dev libpq:libpq-dev cmocka:libcmocka-dev)
	string(REPLACE ":" ";" pair ${dependency})
	list(GET pair 0 module)
	list(GET pair 1 package)
	pkg_check_modules(${module} QUIET IMPORTED_TARGET ${module})
	waymark_require_found("${${module}_FOUND}" ${module} ${package})
endforeach()

find_path(IBERTY_INCLUDE_DIR libiberty/demangle.h)
find_library(IBERTY_LIBRARY iberty)
if(IBERTY_INCLUDE_DIR AND IBERTY_LIBRARY)
	set(iberty_found TRUE)
endif()
waymark_require_found("${iberty_found}" "libiberty" "libiberty-dev")
add_library(Waymark::iberty INTERFACE IMPORTED)
target_include_directories(Waymark::iberty SYSTEM INTERFACE ${IBERTY_INCLUDE_DIR})
target_link_libraries(Waymark::iberty INTERFACE ${IBERTY_LIBRARY})

find_package(LLVM 19.1 QUIET CONFIG HINTS /usr/lib/llvm-19)
waymark_require_found("${LLVM_FOUND}" "LLVM 19" "clang-19 llvm-19-dev")
