; With base=memory the base of probes in a loop is loaded in front of it.
; options: profile=edges
; options: base=memory
; why: The block common to both probes is the loop itself, and a base stands in no loop.
; expect f: 2 counters, base in memory
; expect f at entry: base
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
