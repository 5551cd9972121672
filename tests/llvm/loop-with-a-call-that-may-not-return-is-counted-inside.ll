; A loop that control may leave inside a call is counted in each iteration, before the call.
; options: profile=edges
; why: The trip count says nothing then. The edge out of the call cannot be counted, so it is in the
;   tree; with the back edge it leaves three chords: the block (32), the entry (1), and the return,
;   which as LLVM rounds it comes to slightly less.
; expect f: 3 counters
; expect f at entry: counters[1] += 1
; expect f at loop: counters[0] += 1 before call g
; expect f at out: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

declare void @g()

define void @f(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @g()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 31, i32 1}
