/* The first instructions of a program that is linked without the C library's start files, but with
 * the shared C library: that library is ready by then. Whatever the program's own _start does,
 * nothing else would start the runtime. */
__asm__(".pushsection .text.__waymark_entry,\"ax\",@progbits\n"
	".globl __waymark_entry\n"
	".hidden __waymark_entry\n"
	".type __waymark_entry,@function\n"
	"__waymark_entry:\n"
	"	push %rdx\n" /* what _start may pass on: the loader's function for exit */
	"	sub $8,%rsp\n"
	"	call __waymark_enter\n"
	"	add $8,%rsp\n"
	"	pop %rdx\n"
	"	jmp _start\n"
	".size __waymark_entry,.-__waymark_entry\n"
	".popsection\n");
