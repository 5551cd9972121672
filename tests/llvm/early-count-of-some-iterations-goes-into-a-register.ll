; While the optimiser runs, what some iterations of a counted loop count goes into a register.
; options: profile=edges
; options: at=early
; passes: waymark,function(loop(waymark-loop-counts)),waymark-finish
; why: The loop's iterations are counted, the less likely side of the choice, and the return. There
;   are 32 iterations, known at the entry; how often the side ran is known where the loop is left.
; expect f: 3 counters
; expect f at entry: counters[0] += 32
; expect f at out: counters[1] += register
; expect f at out: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %numbers) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %numbers, i64 %i
  %number = load i32, ptr %place
  %is = icmp eq i32 %number, 0
  br i1 %is, label %zero, label %latch, !prof !1

zero:
  store i32 1, ptr %place
  br label %latch

latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %out, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 31, i32 1}
!1 = !{!"branch_weights", i32 1, i32 3}
