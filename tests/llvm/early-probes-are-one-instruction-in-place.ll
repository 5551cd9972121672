; Before the optimiser, probes stand where they count, in a form that the optimiser does not touch.
; options: profile=edges
; options: at=early
; why: As without optimisation: the block runs 32 times, the back edge 31 times plus a jump.
; expect f: 2 counters
; expect f at loop: counters[0] += 1 in one instruction
; expect f at out: counters[1] += 1 in one instruction
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
