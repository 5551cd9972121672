# find_package(Waymark) gives the target Waymark::waymark, which is the header waymark.h. It is there for
# every compiler: where the program is built without counters, the functions of the header vanish.
if(NOT TARGET Waymark::waymark)
	get_filename_component(Waymark_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
	add_library(Waymark::waymark INTERFACE IMPORTED)
	set_target_properties(Waymark::waymark PROPERTIES
		INTERFACE_INCLUDE_DIRECTORIES "${Waymark_PREFIX}/include")
endif()
