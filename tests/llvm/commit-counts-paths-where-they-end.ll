; With placement=commit each path has its counter at its end, and nothing is counted elsewhere.
; options: placement=commit
; why: Four paths end at the return of e. The edge m->e comes first, so its two histories are 0 and
;   1, those by b are 2 and 3. The register changes on m->e because b runs more often.
; expect f: 4 counters
; expect f at entry->m: history set
; expect f at a: history set
; expect f at m->e: history moved
; expect f at e: counters[0 by entry->m m->e, 1 by a m->e, 2 by entry->m b, 3 by a b] += 1
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
