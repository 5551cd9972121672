; While the optimiser runs, what each iteration of a counted loop counts moves to the loop's entry.
; options: profile=edges
; options: at=early
; passes: waymark,function(loop(waymark-loop-counts)),waymark-finish
; why: The back edge is taken 31 times as often as the loop is left, so the block is counted; it runs
;   as often as the number compared says, once if that is 0.
; expect f: 2 counters
; expect f at entry: counters[0] += mul(umax(n, 1), 1)
; expect f at out: counters[1] += 1
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
