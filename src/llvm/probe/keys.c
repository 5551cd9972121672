/* Multiply, shift, compare with the tag, increment. Tags are constants beside the code, because the
 * keys were known when it was compiled. */
#include "llvm/probe/keys.h"

static LLVMValueRef make_tags(struct wm_lowerer *lowerer, const struct wm_probe_keys *keys)
{
	unsigned count = 1u << keys->bits;
	LLVMModuleRef module = lowerer->subject->module;
	LLVMValueRef *values = wm_arena_alloc(lowerer->subject->arena, count, sizeof(*values));
	for (unsigned i = 0; i < count; i++)
		values[i] = LLVMConstInt(lowerer->i64, keys->tag[i], false);
	LLVMValueRef tags =
		LLVMAddGlobal(module, LLVMArrayType2(lowerer->i64, count), "__waymark_tags");
	LLVMSetInitializer(tags, LLVMConstArray2(lowerer->i64, values, count));
	LLVMSetGlobalConstant(tags, true);
	LLVMSetLinkage(tags, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(tags, LLVMGlobalUnnamedAddr);
	return tags;
}

LLVMValueRef wm_lower_known_keys(struct wm_lowerer *lowerer, const struct wm_probe_keys *keys,
	LLVMValueRef key, LLVMValueRef before)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMTypeRef i64 = lowerer->i64;
	LLVMValueRef tags = make_tags(lowerer, keys), hit, miss;
	LLVMPositionBuilderBefore(builder, before);
	LLVMValueRef product =
		LLVMBuildMul(builder, key, LLVMConstInt(i64, keys->multiplier, false), "");
	LLVMValueRef slot =
		LLVMBuildLShr(builder, product, LLVMConstInt(i64, 64 - keys->bits, false), "");
	LLVMValueRef place = LLVMBuildGEP2(builder, i64, tags, &slot, 1, "");
	LLVMValueRef tag = LLVMBuildLoad2(builder, i64, place, "");
	LLVMValueRef known = LLVMBuildICmp(builder, LLVMIntEQ, tag, key, "");
	wm_bridge_branch(lowerer->subject->bridge, known, before, &hit, &miss);
	LLVMPositionBuilderBefore(builder, hit);
	LLVMValueRef number =
		LLVMBuildAdd(builder, slot, LLVMConstInt(i64, keys->first_counter, false), "");
	wm_lowerer_count_at(lowerer, hit, number);
	return miss;
}
