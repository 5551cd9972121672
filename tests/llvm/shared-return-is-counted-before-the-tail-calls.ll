; A block that only returns, behind tail calls in others, is counted before each of these calls.
; options: profile=blocks
; options: placement=redundant
; why: Code in the shared return would keep the calls from being jumps. Its counter, 1, stands on
;   both edges to it, that is before the call of each side. Always: entry 0, end 1; then left 2,
;   right 3.
; expect f: 4 counters
; expect f at entry: counters[0] += 1
; expect f at left: counters[1] += 1 before call g
; expect f at left: counters[2] += 1 before call g
; expect f at right: counters[1] += 1 before call h
; expect f at right: counters[3] += 1 before call h
target triple = "x86_64-pc-linux-gnu"

declare i32 @g()
declare i32 @h()

define i32 @f(i1 %c) {
entry:
  br i1 %c, label %left, label %right, !prof !0

left:
  %x = tail call i32 @g()
  br label %end

right:
  %y = tail call i32 @h()
  br label %end

end:
  %z = phi i32 [ %x, %left ], [ %y, %right ]
  ret i32 %z
}

!0 = !{!"branch_weights", i32 9, i32 1}
