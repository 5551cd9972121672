; Before the optimiser, the oracle counts in a form that the optimiser does not touch.
; options: profile=edges
; options: placement=redundant
; options: at=early
; passes: waymark,waymark-finish
; why: What the other modes are compared with must not share their way through the optimiser. It
;   counts the block and the return.
; expect f: 2 counters
; expect f at entry: counters[0] += 1 in one instruction
; expect f at entry: counters[1] += 1 in one instruction
target triple = "x86_64-pc-linux-gnu"

define void @f() {
entry:
  ret void
}
