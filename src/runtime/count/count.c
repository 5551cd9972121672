/* Where instrumented code counts by key (contract: tables.h).
 *
 * A known key takes a multiplication to find its home, and one increment in memory. The function is
 * in assembly so that its caller need not save registers. What it calls for a new key is compiled
 * without vector registers, like all of the runtime. */
#include "runtime/count/cell.h"
#include "runtime/count/spill.h"
#include "runtime/count/tables.h"
#include "runtime/state.h"
#include "runtime/store.h"

__thread struct wm_level *wm_table_current;

uint64_t wm_table_origin;

__attribute__((used)) static const uint64_t wm_count_factor = WM_TABLE_FACTOR;

__attribute__((used)) void wm_table_count(const uint64_t *site, uint64_t key)
{
	WM_STORE_KEEP("wm_table_store_entry");
	if (!wm_table_origin || wm_state_is_held()) {
		wm_spill_count(site, key);
		return;
	}
	if (wm_state.paused)
		return;
	uint64_t place = (uint64_t)(uintptr_t)site - wm_table_origin;
	struct wm_level *level = wm_table_current;
	struct wm_table_cell *cell = level ? wm_level_find(level, level->cells, place, key) : NULL;
	if (!cell)
		cell = wm_table_make_room(place, key);
	if (cell)
		wm_cell_add(cell, 1);
}

_Static_assert(offsetof(struct wm_level, cells) == 0 && offsetof(struct wm_level, mask) == 8 &&
		       offsetof(struct wm_table_cell, count) == 24 && WM_TABLE_CELL_BYTES == 32,
	"the code below has these numbers");

/* r11 is the level, rdx the place, rsi the key, rax first the hash and then the cell. At 2 the cell
 * is another key's: the search goes on to the first empty cell. At the table's end other code takes
 * over. */
__asm__(".pushsection .text.__waymark_count,\"ax\",@progbits\n"
	".p2align 4\n"
	".globl __waymark_count\n"
	".hidden __waymark_count\n"
	".type __waymark_count,@function\n"
	"__waymark_count:\n"
	"	.cfi_startproc\n"
	"	mov wm_table_current@gottpoff(%rip),%r11\n"
	"	mov %fs:(%r11),%r11\n"
	"	sub %rdi,%rsi\n"
	"	sar $3,%rsi\n"
	"	test %r11,%r11\n"
	"	je 3f\n"
	"	mov %rdi,%rdx\n"
	"	sub wm_table_origin(%rip),%rdx\n"
	"	lea (%rsi,%rdx,8),%rax\n"
	"	imul wm_count_factor(%rip),%rax\n"
	"	bswap %rax\n"
	"	and 8(%r11),%rax\n"
	"	add (%r11),%rax\n"
	"1:	cmp %rdx,(%rax)\n"
	"	jne 2f\n"
	"	cmp %rsi,8(%rax)\n"
	"	jne 2f\n"
	"	incq 24(%rax)\n"
	"	lea (%rdi,%rsi,8),%rsi\n"
	"	ret\n"
	"2:	cmpq $0,(%rax)\n"
	"	je 3f\n"
	"	sub (%r11),%rax\n"
	"	cmp 8(%r11),%rax\n"
	"	je 3f\n"
	"	add (%r11),%rax\n"
	"	add $32,%rax\n"
	"	jmp 1b\n"
	"3:	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_rel_offset %rbp,0\n"
	"	mov %rsp,%rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	push %rcx\n	push %rsi\n	push %rdi\n"
	"	push %r8\n	push %r9\n	push %r10\n"
	"	and $-16,%rsp\n"
	"	call wm_table_count\n"
	"	lea -48(%rbp),%rsp\n"
	"	pop %r10\n	pop %r9\n	pop %r8\n"
	"	pop %rdi\n	pop %rsi\n	pop %rcx\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa %rsp,8\n"
	"	lea (%rdi,%rsi,8),%rsi\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size __waymark_count,.-__waymark_count\n"
	".popsection\n");
