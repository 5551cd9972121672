# `make package`: a Debian package, made by CPack from what `make install` installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME waymark)
set(CPACK_PACKAGE_VENDOR Waymark)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_tree.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Waymark maintainers <waymark@waymark.invalid>" CACHE STRING
	"Maintainer of the Debian package")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact profiler of paths, branches and source lines for clang")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Waymark counts exactly how often every path, branch and source line of a C or
C++ program runs. A plug-in for clang places the fewest counters on the coldest
edges of each function, so that all other counts can be derived. A small
runtime keeps the counts in a file that survives SIGKILL, and a reader reports
them by path and source line.")
# The plug-in works in one version of clang only, which it finds its symbols in.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "less")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "graphviz, pkg-config, valgrind")

# What Debian wants to know of a package.
string(TIMESTAMP WAYMARK_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(WAYMARK_PACKAGE_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian_changelog.in ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian @ONLY)
set(CPACK_WAYMARK_CHANGELOG ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian)
set(CPACK_WAYMARK_COPYRIGHT ${CMAKE_CURRENT_LIST_DIR}/debian_copyright)
include(CPack)
