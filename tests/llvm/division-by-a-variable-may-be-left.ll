; A division whose divisor may be zero is counted on both sides, one whose divisor cannot be is not.
; options: profile=edges
; why: A program may leave from the handler of the signal that a zero raises; the edge out of it is
;   in the tree. A constant, or a divisor that was compared with zero on the way, raises none.
; expect variable: 2 counters
; expect variable at entry: counters[1] += 1 before sdiv
; expect variable at entry: counters[0] += 1 behind sdiv
; expect constant: 1 counter
; expect constant at entry: counters[0] += 1 behind sdiv
; expect guarded: 2 counters
; expect guarded at divide: counters[0] += 1 behind sdiv
; expect guarded at zero: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @variable(i32 %a, i32 %b) {
entry:
  %q = sdiv i32 %a, %b
  ret i32 %q
}

define i32 @constant(i32 %a) {
entry:
  %q = sdiv i32 %a, 7
  ret i32 %q
}

define i32 @guarded(i32 %a, i32 %b) {
entry:
  %safe = icmp ne i32 %b, 0
  br i1 %safe, label %divide, label %zero, !prof !0

divide:
  %q = sdiv i32 %a, %b
  ret i32 %q

zero:
  ret i32 0
}

!0 = !{!"branch_weights", i32 9, i32 1}
