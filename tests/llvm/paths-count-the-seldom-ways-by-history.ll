; Of each choice the seldom way is counted, the second one by the history that led to it.
; why: The forest keeps the busy ways; counted are entry->m, and m->e for each of its two histories.
;   All defaults form one cycle, and entry is the first of its cheapest places. The history is what
;   came to m: 0 by the edge, 1 by a.
; expect f: 4 counters
; expect f at entry: counters[0] += 1
; expect f at entry->m: counters[1] += 1
; expect f at entry->m: history set
; expect f at a: history set
; expect f at m->e: counters[2 by entry->m, 3 by a] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %m, !prof !0

a:
  br label %m

m:
  br i1 %d, label %b, label %e, !prof !0

b:
  br label %e

e:
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
