; The history goes along an indirect jump as it is, and the other way out is counted.
; why: A comparison would cost four times a count, so m->y is the dearest edge and a default.
;   Counted are x, by the two histories of m, and entry->m. The cycle of all defaults is counted at
;   entry.
; expect f: 4 counters
; expect f at entry: counters[0] += 1
; expect f at entry->m: counters[3] += 1
; expect f at entry->m: history set
; expect f at a: history set
; expect f at x: counters[1 by entry->m, 2 by a] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i1 %c, ptr %t) {
entry:
  br i1 %c, label %a, label %m, !prof !0

a:
  br label %m

m:
  indirectbr ptr %t, [label %x, label %y]

x:
  br label %y

y:
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
