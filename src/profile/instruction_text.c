#include "profile/instruction_text.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef void *(*create_disassembler)(const char *, void *, int, void *, void *);
typedef size_t (*disassemble)(void *, uint8_t *, uint64_t, uint64_t, char *, size_t);

/* A pointer to a function out of one to data, which ISO C does not convert. */
static void *look_up(void *library, const char *name, void *function, size_t bytes)
{
	void *symbol = dlsym(library, name);
	memcpy(function, &symbol, bytes);
	return symbol;
}

static void *open_library(void)
{
	static const char *const names[] = {
		"libLLVM-19.so.1", "libLLVM.so.19.1", "/usr/lib/llvm-19/lib/libLLVM.so.1"};
	void *library = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

static void *make_disassembler(disassemble *decode)
{
	static const char *const steps[] = {"LLVMInitializeX86TargetInfo",
		"LLVMInitializeX86TargetMC", "LLVMInitializeX86Disassembler"};
	void *library = open_library();
	create_disassembler create;
	for (size_t i = 0; library && i < sizeof steps / sizeof *steps; i++) {
		void (*step)(void);
		if (!look_up(library, steps[i], &step, sizeof step))
			return NULL;
		step();
	}
	if (!library || !look_up(library, "LLVMCreateDisasm", &create, sizeof create) ||
		!look_up(library, "LLVMDisasmInstruction", decode, sizeof *decode))
		return NULL;
	return create("x86_64-pc-linux-gnu", NULL, 0, NULL, NULL);
}

size_t wm_instruction_text(
	const uint8_t *code, size_t bytes, uint64_t address, char *text, size_t text_bytes)
{
	static void *disassembler;
	static disassemble decode;
	static bool tried;
	if (!tried)
		disassembler = make_disassembler(&decode);
	tried = true;
	text[0] = '\0';
	/* It does not change the bytes. */
	return disassembler ? decode(disassembler, (uint8_t *)code, bytes, address, text, text_bytes)
			    : 0;
}
