/* Looks at a basic block, gives it a number, and adds the code that stores it.
 *
 * Space for the whole block is taken where it begins; addresses go to fixed places. A block that may
 * be left before an access clears those places first, and an access that is guarded stores zero when it
 * does not happen.
 */
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_options.h>
#include "valgrind/tool.h"

enum { MAX_ACCESSES = 4096 };

/* What the block is found to be. */
struct look {
	struct wm_block block;
	struct wm_block_access access[MAX_ACCESSES];
	uint32_t accesses;
	uint64_t line; /* last line of code that was fetched */
	uint32_t line_bytes, clip;
	bool cleared; /* left before an access, perhaps */
	Int first;    /* statement of the first instruction */
	IRExpr *address[WM_MAX_SLOTS], *guard[WM_MAX_SLOTS];
};

static struct look look;

static void add_access(uint8_t kind, uint32_t bytes, uint32_t where)
{
	if (look.accesses == MAX_ACCESSES)
		return;
	if (kind != WM_ACCESS_FETCH && bytes > look.clip)
		bytes = look.clip;
	look.access[look.accesses++] =
		(struct wm_block_access){kind, (uint8_t)bytes, (uint16_t)where};
}

/* Only what may miss: the first instruction in a line, and those across two. */
static void fetch(uint64_t at, uint32_t bytes)
{
	uint64_t first = at / look.line_bytes, last = (at + bytes - 1) / look.line_bytes;
	if (first != look.line || last != first)
		add_access(WM_ACCESS_FETCH, bytes, (uint32_t)(at - look.block.info.start));
	look.line = last;
}

static void data(uint8_t kind, Int bytes, IRExpr *address, IRExpr *guard)
{
	if (!wm_tool.modelled || look.block.slots >= WM_MAX_SLOTS - 2)
		return;
	add_access(kind, (uint32_t)bytes, look.block.slots);
	look.address[look.block.slots] = address;
	look.guard[look.block.slots++] = guard;
}

static void look_at_mark(const IRStmt *statement)
{
	struct wm_hpp_block *info = &look.block.info;
	uint64_t at = statement->Ist.IMark.addr;
	uint32_t bytes = statement->Ist.IMark.len;
	if (info->instructions == 0)
		info->start = at;
	info->instructions++;
	info->last = (uint16_t)(at - info->start);
	info->bytes = (uint16_t)(info->last + bytes);
	info->kind = wm_classify((const uint8_t *)at, bytes);
	look.block.at = at;
	look.block.after = at + bytes;
	if (wm_tool.modelled)
		fetch(at, bytes);
}

/* Of a conditional branch the exit is the branch, or, if VEX has turned it round, what falls
 * through. */
static void look_at_exit(const IRSB *in, const IRStmt *statement)
{
	struct wm_block *block = &look.block;
	uint64_t to = statement->Ist.Exit.dst->Ico.U64;
	look.cleared = true;
	if (block->info.kind != WM_BRANCH_CONDITIONAL)
		return;
	if (to == block->after && in->next->tag == Iex_Const)
		to = in->next->Iex.Const.con->Ico.U64;
	block->info.target = to;
}

static void look_at_dirty(const IRDirty *dirty)
{
	if (dirty->mFx == Ifx_None)
		return;
	if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
		data(WM_ACCESS_LOAD, dirty->mSize, dirty->mAddr, NULL);
	if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
		data(WM_ACCESS_STORE, dirty->mSize, dirty->mAddr, NULL);
}

static void look_at_swap(const IRTypeEnv *types, const IRCAS *swap)
{
	Int bytes = sizeofIRType(typeOfIRExpr(types, swap->dataLo)) * (swap->dataHi ? 2 : 1);
	data(WM_ACCESS_LOAD, bytes, swap->addr, NULL);
	data(WM_ACCESS_STORE, bytes, swap->addr, NULL);
}

static void look_at_guarded_load(const IRLoadG *load)
{
	IRType loaded, kept;
	typeOfIRLoadGOp(load->cvt, &kept, &loaded);
	data(WM_ACCESS_LOAD, sizeofIRType(loaded), load->addr, load->guard);
}

static void look_at(const IRSB *in, const IRStmt *statement)
{
	const IRTypeEnv *types = in->tyenv;
	switch (statement->tag) {
	case Ist_IMark:
		look_at_mark(statement);
		break;
	case Ist_Exit:
		look_at_exit(in, statement);
		break;
	case Ist_WrTmp:
		if (statement->Ist.WrTmp.data->tag == Iex_Load)
			data(WM_ACCESS_LOAD, sizeofIRType(statement->Ist.WrTmp.data->Iex.Load.ty),
				statement->Ist.WrTmp.data->Iex.Load.addr, NULL);
		break;
	case Ist_Store:
		data(WM_ACCESS_STORE,
			sizeofIRType(typeOfIRExpr(types, statement->Ist.Store.data)),
			statement->Ist.Store.addr, NULL);
		break;
	case Ist_StoreG:
		data(WM_ACCESS_STORE,
			sizeofIRType(typeOfIRExpr(types, statement->Ist.StoreG.details->data)),
			statement->Ist.StoreG.details->addr, statement->Ist.StoreG.details->guard);
		break;
	case Ist_LoadG:
		look_at_guarded_load(statement->Ist.LoadG.details);
		break;
	case Ist_Dirty:
		look_at_dirty(statement->Ist.Dirty.details);
		break;
	case Ist_CAS:
		look_at_swap(types, statement->Ist.CAS.details);
		break;
	default:
		break;
	}
}

/* Number of slots that the statement's accesses take, found by looking again. */
static void look_through(const IRSB *in)
{
	struct wm_block *block = &look.block;
	look.block = (struct wm_block){.info.kind = WM_BRANCH_NONE};
	look.accesses = 0;
	look.line = ~0ULL;
	look.line_bytes = wm_tool.machine.l1i.line;
	look.clip = wm_tool.machine.l1d.line < wm_tool.machine.l1i.line ? wm_tool.machine.l1d.line
									 : wm_tool.machine.l1i.line;
	look.cleared = false;
	look.first = -1;
	for (Int i = 0; i < in->stmts_used; i++) {
		if (look.first < 0 && in->stmts[i]->tag == Ist_IMark)
			look.first = i;
		look_at(in, in->stmts[i]);
	}
	uint8_t kind = block->info.kind;
	if ((kind == WM_BRANCH_CALL || kind == WM_BRANCH_JUMP) && in->next->tag == Iex_Const)
		block->info.target = in->next->Iex.Const.con->Ico.U64;
	block->has_stack = kind <= WM_BRANCH_RETURN || kind == WM_BRANCH_JUMP_INDIRECT;
	block->slots = (uint16_t)(block->slots + block->has_stack);
}

static void add(IRSB *out, IRStmt *statement)
{
	addStmtToIRSB(out, statement);
}

static IRExpr *word(uint64_t value)
{
	return IRExpr_Const(IRConst_U64(value));
}

static IRTemp compute(IRSB *out, IRType type, IRExpr *value)
{
	IRTemp temporary = newIRTemp(out->tyenv, type);
	add(out, IRStmt_WrTmp(temporary, value));
	return temporary;
}

/* An expression at an address that is relative to the cursor. */
static void store(IRSB *out, IRTemp cursor, uint32_t slot, IRExpr *value)
{
	IRTemp to = compute(out, Ity_I64,
		IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(cursor), word(8 * (1 + (uint64_t)slot))));
	add(out, IRStmt_Store(Iend_LE, IRExpr_RdTmp(to), value));
}

/* Drains the buffer if it is full, and takes the block's space. */
static IRTemp begin_block(IRSB *out, uint32_t number)
{
	IRExpr *place = word((uint64_t)&wm_cursor);
	IRTemp before = compute(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, place));
	IRTemp full = compute(out, Ity_I1,
		IRExpr_Binop(Iop_CmpLE64U, word((uint64_t)(wm_buffer + WM_BUFFER_WORDS)),
			IRExpr_RdTmp(before)));
	IRDirty *drain = unsafeIRDirty_0_N(
		0, "wm_drain", VG_(fnptr_to_fnentry)(&wm_drain), mkIRExprVec_0());
	drain->guard = IRExpr_RdTmp(full);
	add(out, IRStmt_Dirty(drain));
	IRTemp cursor = compute(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, place));
	IRTemp next = compute(out, Ity_I64,
		IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(cursor), word(8 * (1 + look.block.slots))));
	add(out, IRStmt_Store(Iend_LE, IRExpr_RdTmp(cursor), word(number)));
	add(out, IRStmt_Store(Iend_LE, place, IRExpr_RdTmp(next)));
	for (uint32_t i = 0; look.cleared && i < look.block.slots; i++)
		store(out, cursor, i, word(0));
	return cursor;
}

static void store_address(IRSB *out, IRTemp cursor, uint32_t slot)
{
	IRExpr *address = look.address[slot];
	if (look.guard[slot])
		address = IRExpr_RdTmp(compute(
			out, Ity_I64, IRExpr_ITE(look.guard[slot], look.address[slot], word(0))));
	store(out, cursor, slot, address);
}

/* Slots that the statement has, by kind: as look_at counted them. */
static uint32_t slots_of(const IRSB *in, const IRStmt *statement)
{
	(void)in;
	if (!wm_tool.modelled)
		return 0;
	switch (statement->tag) {
	case Ist_WrTmp:
		return statement->Ist.WrTmp.data->tag == Iex_Load;
	case Ist_Store:
	case Ist_StoreG:
	case Ist_LoadG:
		return 1;
	case Ist_CAS:
		return 2;
	case Ist_Dirty:
		if (statement->Ist.Dirty.details->mFx == Ifx_None)
			return 0;
		return statement->Ist.Dirty.details->mFx == Ifx_Modify ? 2 : 1;
	default:
		return 0;
	}
}

IRSB *wm_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
	const VexGuestExtents *extents, const VexArchInfo *arch, IRType word_type, IRType host_word)
{
	(void)closure;
	(void)extents;
	(void)arch;
	(void)word_type;
	(void)host_word;
	look_through(in);
	if (look.first < 0)
		return in;
	const uint8_t *code = (const uint8_t *)look.block.info.start;
	uint32_t number = wm_block_number(&look.block, code, look.access, look.accesses), slot = 0;
	uint32_t data_slots = (uint32_t)look.block.slots - look.block.has_stack;
	IRSB *out = deepCopyIRSBExceptStmts(in);
	IRTemp cursor = IRTemp_INVALID;
	wm_objects_note(look.block.info.start);
	for (Int i = 0; i < in->stmts_used; i++) {
		if (i == look.first)
			cursor = begin_block(out, number);
		uint32_t here = slots_of(in, in->stmts[i]);
		for (; here && slot < data_slots; here--)
			store_address(out, cursor, slot++);
		add(out, in->stmts[i]);
	}
	if (look.block.has_stack)
		store(out, cursor, data_slots,
			IRExpr_RdTmp(compute(out, Ity_I64, IRExpr_Get(layout->offset_SP, Ity_I64))));
	return out;
}
