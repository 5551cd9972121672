; With paths=classic a path goes on into the loop, and ends with its first iteration.
; options: placement=commit
; options: paths=classic
; why: The loop has three histories: 0 for its own start, that is for later iterations, then those
;   of m. Paths end on the back edge, which runs nine times and sets the history to 0, and at the
;   return. A loop of one block that could be counted outside gets no copy.
; expect f: 6 counters
; expect f at entry->m: history set
; expect f at a: history set
; expect f at loop->loop: counters[0 by loop->loop, 1 by entry->m m, 2 by a m] += 1
; expect f at loop->loop: history set
; expect f at out: counters[3 by loop->loop, 4 by entry->m m, 5 by a m] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i1 %c, i64 %n) {
entry:
  br i1 %c, label %a, label %m, !prof !0

a:
  br label %m

m:
  br label %loop

loop:
  %i = phi i64 [ 0, %m ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out, !prof !0

out:
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
