; A loop that is left soon counts in memory: a register would not pay for its flush.
; options: profile=edges
; why: Four iterations are fewer than the eight that pay. The block, 4, is cheaper than the back
;   edge, 3 and 3 halves.
; expect f: 2 counters
; expect f at loop: counters[0] += 1
; expect f at out: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %list) {
entry:
  br label %loop

loop:
  %p = phi ptr [ %list, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p, align 8
  %end = icmp eq ptr %next, null
  br i1 %end, label %out, label %loop, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 3}
