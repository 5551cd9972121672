; Two blocks that lead to the same two blocks need one edge counted to know the edges.
; options: profile=edges
; why: The tree takes entry, the way through x, both edges of x, p and q, then y->p and entry->y.
;   Left are both returns (0.5 each), y (0.1) and y->q (0.05).
; expect f: 4 counters
; expect f at p: counters[0] += 1
; expect f at q: counters[1] += 1
; expect f at y: counters[2] += 1
; expect f at y->q: counters[3] += 1
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
