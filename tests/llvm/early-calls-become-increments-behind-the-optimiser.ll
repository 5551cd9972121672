; Behind the optimiser, the calls that stand for early probes become increments as in its own code.
; options: profile=edges
; options: at=early
; passes: waymark,waymark-finish
; why: Before the optimiser the block runs 32 times, the back edge 31 times plus a jump, so the block
;   and the return are counted. Behind it a short loop keeps its counter in a register.
; expect f: 2 counters
; expect f at loop: register += 1
; expect f at out: counters[1] += 1
; expect f at out: counters[0] += register
target triple = "x86_64-pc-linux-gnu"

define void @f(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 31, i32 1}
