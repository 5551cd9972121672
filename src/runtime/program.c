/* Code compiled for programs reaches its counters through the gs register, which holds the
 * difference for the program's own counters: in a shared library it would count into nowhere. Such
 * code refers to this symbol, which only programs are linked with; the linker's message will be its
 * name. */
extern const char __waymark_runtime __attribute__((visibility("hidden")));

__attribute__((visibility("hidden")))
const char *const __waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC =
	&__waymark_runtime;
