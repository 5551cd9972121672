; A block with a call that may not return is counted before and behind it; with any other call, once.
; options: profile=edges
; why: The abandoned edge out of the call is in the tree and cannot be counted, so entry and return
;   are both chords. A call that is known to return leaves no such edge; of block and return the
;   dearer one, the block, is in the tree.
; expect may_leave: 2 counters
; expect may_leave at entry: counters[1] += 1 before call g
; expect may_leave at entry: counters[0] += 1 behind call g
; expect returns: 1 counter
; expect returns at entry: counters[0] += 1 behind call h
target triple = "x86_64-pc-linux-gnu"

declare void @g()
declare void @h() nounwind willreturn

define void @may_leave() {
entry:
  call void @g()
  ret void
}

define void @returns() {
entry:
  call void @h()
  ret void
}
