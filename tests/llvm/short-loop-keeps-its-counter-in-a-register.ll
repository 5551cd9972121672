; A short loop of many iterations counts in a register, which is added to the counter behind it.
; options: profile=edges
; why: The loop's end is not known before. In a register the block costs 32 halves and a flush, the
;   back edge half a jump more each time, so the block is the chord. The return is the other.
; expect f: 2 counters
; expect f at loop: hold
; expect f at loop: register += 1
; expect f at out: counters[0] += register
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

!0 = !{!"branch_weights", i32 1, i32 31}
