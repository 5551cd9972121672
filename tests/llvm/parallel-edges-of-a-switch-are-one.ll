; Several cases of a switch that lead to one block are one edge, with one counter on one block.
; options: profile=edges
; why: entry->join has weight 0.3 in all, so it is a chord. Of what else closes a cycle busy is
;   cheapest (0.7).
; expect f: 2 counters
; expect f at busy: counters[0] += 1
; expect f at entry->join: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i32 %x) {
entry:
  switch i32 %x, label %busy [
    i32 0, label %join
    i32 1, label %join
    i32 2, label %join
  ], !prof !0

busy:
  br label %join

join:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 1, i32 1, i32 1}
