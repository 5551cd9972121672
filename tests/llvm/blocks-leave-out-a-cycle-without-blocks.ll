; An edge whose cycle with uncounted edges passes no block needs no counter if blocks are asked for.
; options: profile=blocks
; why: As for edges, but y->q closes a cycle with y->p, x->p and x->q, on which no block lies.
; expect f: 3 counters
; expect f at p: counters[0] += 1
; expect f at q: counters[1] += 1
; expect f at y: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %x, label %y, !prof !0

x:
  br i1 %d, label %p, label %q, !prof !1

y:
  br i1 %d, label %p, label %q, !prof !1

p:
  ret i32 1

q:
  ret i32 2
}

!0 = !{!"branch_weights", i32 9, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1}
