# Run by CPack on the installed tree before it becomes a package: what Debian has in other places or forms.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(documents ${share}/doc/waymark)

function(compress file)
	execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB pages ${share}/man/*/*)
foreach(page ${pages})
	if(IS_SYMLINK ${page})
		file(READ_SYMLINK ${page} target)
		file(REMOVE ${page})
		file(CREATE_LINK ${target}.gz ${page}.gz SYMBOLIC)
	else()
		compress(${page})
	endif()
endforeach()

# Valgrind's tools are static, as its core is.
file(MAKE_DIRECTORY ${share}/lintian/overrides)
file(WRITE ${share}/lintian/overrides/waymark
	"waymark: statically-linked-binary [usr/lib/waymark/waymark-hpp-amd64-linux]\n")

file(MAKE_DIRECTORY ${documents} ${share}/zsh)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
file(COPY_FILE ${CPACK_WAYMARK_COPYRIGHT} ${documents}/copyright)
file(COPY_FILE ${CPACK_WAYMARK_CHANGELOG} ${documents}/changelog.Debian)
compress(${documents}/changelog.Debian)
