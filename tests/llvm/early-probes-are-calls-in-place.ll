; Before the optimiser, probes stand where they count, as calls that it leaves in place.
; options: profile=edges
; options: at=early
; why: As without optimisation: the block runs 32 times, the back edge 31 times plus a jump.
; expect f: 2 counters
; expect f at loop: call __waymark_placeholder 1
; expect f at out: call __waymark_placeholder 1
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
