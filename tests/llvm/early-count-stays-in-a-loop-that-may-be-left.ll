; While the optimiser runs, counts stay in a loop that a call may leave.
; options: profile=edges
; options: at=early
; passes: waymark,function(loop(waymark-loop-counts)),waymark-finish
; why: The call may end the program in any iteration, so what each has counted must be in memory. What
;   ended in the call is the difference of the three counters.
; expect f: 3 counters
; expect f at entry: counters[1] += 1
; expect f at loop: counters[0] += 1 before call g
; expect f at out: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

declare void @g()

define void @f() {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @g()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %out, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 31, i32 1}
