; By default a path ends at a loop's entry, so behind the loop nothing knows how it was reached.
; options: placement=commit
; why: Paths end on m->loop (two histories), on the back edge and at the return (one each). The back
;   edge is counted at the entry; it runs nine times, the others once. Edges into the loop come
;   before the return.
; expect f: 4 counters
; expect f at entry->m: history set
; expect f at a: history set
; expect f at m: counters[1 by entry->m, 2 by a] += 1
; expect f at m: counters[0] += umax(n, 1) - 1
; expect f at out: counters[3] += 1
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
