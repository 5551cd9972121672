; Code for a shared library loads the thread's base where all probes can use it.
; options: profile=edges
; why: Modules of level 2 with no level for programs are for libraries. Both probes run together
;   more often than entry, which dominates them.
; expect f: 2 counters, base in memory
; expect f at entry: base
; expect f at entry: counters[0] += 1
; expect f at right: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @f(i1 %c) {
entry:
  br i1 %c, label %left, label %right, !prof !0

left:
  br label %join

right:
  br label %join

join:
  %x = phi i32 [ 1, %left ], [ 2, %right ]
  ret i32 %x
}

!llvm.module.flags = !{!1}
!0 = !{!"branch_weights", i32 9, i32 1}
!1 = !{i32 8, !"PIC Level", i32 2}
