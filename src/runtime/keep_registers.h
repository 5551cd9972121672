/* What code calls without saving registers. */
#ifndef WM_RUNTIME_KEEP_REGISTERS_H
#define WM_RUNTIME_KEEP_REGISTERS_H

/* NAME calls the function and keeps all registers but rax and r11, those of vectors included,
 * because the runtime has none: LLVM's preserve_all for a function that returns a word. */
#define WM_KEEPING_REGISTERS(name, function)                                                       \
	__asm__(".pushsection .text." name ",\"ax\",@progbits\n"                                   \
		".p2align 4\n"                                                                     \
		".globl " name "\n"                                                                \
		".hidden " name "\n"                                                               \
		".type " name ",@function\n" name ":\n"                                            \
		"	.cfi_startproc\n"                                                                \
		"	push %rbp\n"                                                                     \
		"	.cfi_adjust_cfa_offset 8\n"                                                      \
		"	.cfi_rel_offset %rbp,0\n"                                                        \
		"	mov %rsp,%rbp\n"                                                                 \
		"	.cfi_def_cfa_register %rbp\n"                                                    \
		"	push %rcx\n	push %rdx\n	push %rsi\n	push %rdi\n"                                 \
		"	push %r8\n	push %r9\n	push %r10\n"                                               \
		"	and $-16,%rsp\n"                                                                 \
		"	call " function "\n"                                                       \
		"	lea -56(%rbp),%rsp\n"                                                            \
		"	pop %r10\n	pop %r9\n	pop %r8\n"                                                  \
		"	pop %rdi\n	pop %rsi\n	pop %rdx\n	pop %rcx\n"                                     \
		"	pop %rbp\n"                                                                      \
		"	.cfi_def_cfa %rsp,8\n"                                                           \
		"	ret\n"                                                                           \
		"	.cfi_endproc\n"                                                                  \
		".size " name ",.-" name "\n"                                                      \
		".popsection\n")

#endif
