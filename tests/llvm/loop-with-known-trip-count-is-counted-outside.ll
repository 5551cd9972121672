; The iterations of a loop whose number is known at its entry are added there, all at once.
; options: profile=edges
; why: At its entry the back edge costs 3 per call, the block 18 in a register, so the back edge is
;   the chord. It is taken one time less than the loop runs, which is at least once. The other chord
;   is the return. The loop keeps no probe and ends with a choice, so the code generator must not
;   copy it.
; expect f: 2 counters
; expect f at entry: counters[0] += umax(n, 1) - 1
; expect f at loop: hold
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
