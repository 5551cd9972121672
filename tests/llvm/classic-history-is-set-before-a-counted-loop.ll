; What the back edge of a counted loop does to the history is done once, before the loop.
; options: paths=classic
; why: The back edge is the loop's default and has the plain count of that cycle, at the entry, as
;   nine iterations are dearer. The register is read behind the loop only: 0 if the loop came back,
;   else the history of m. The return is counted by all three, entry->m without a history; busy ones
;   come first.
; expect f: 5 counters
; expect f at entry->m: counters[4] += 1
; expect f at entry->m: history set
; expect f at a: history set
; expect f at m: counters[0] += umax(n, 1) - 1
; expect f at m: history set unless (umax(n, 1) - 1 == 0)
; expect f at out: counters[1 unless (umax(n, 1) - 1 == 0), 2 by entry->m if (umax(n, 1) - 1 == 0), 3 by a if (umax(n, 1) - 1 == 0)] += 1
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
