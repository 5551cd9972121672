# Languages and flags of everything that we compile ourselves. Programs under test are compiled by
# `waymark cc` and see none of this.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Asserts stay on in C: they are cheap, and a wrong count is worse than a stop. In C++ they follow the
# LLVM library, whose headers must be read as it was compiled.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")

add_compile_options(-Wall -Wextra)
if(WAYMARK_WERROR)
	add_compile_options(-Werror)
endif()

if(WAYMARK_SANITIZE)
	add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
	add_link_options(-fsanitize=address,undefined)
endif()
