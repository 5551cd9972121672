; A probe of an edge that has a block to itself stands at its start, before a call that may not return.
; options: profile=edges
; options: placement=redundant
; why: Three blocks and four edges besides the abandoned one. entry->left (1) and left (3) have
;   happened when g is called, the return of left (2) has not. By weight: entry 0, left 1 to 3,
;   right 4 to 6, edges first.
; expect f: 7 counters
; expect f at entry: counters[0] += 1
; expect f at left: counters[1] += 1 before call g
; expect f at left: counters[3] += 1 before call g
; expect f at left: counters[2] += 1 behind call g
; expect f at right: counters[4] += 1
; expect f at right: counters[5] += 1
; expect f at right: counters[6] += 1
target triple = "x86_64-pc-linux-gnu"

declare void @g()

define void @f(i1 %c) {
entry:
  br i1 %c, label %left, label %right, !prof !0

left:
  call void @g()
  ret void

right:
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
