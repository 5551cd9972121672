; With profile=blocks and placement=redundant every block has a counter, and no edge.
; options: profile=blocks
; options: placement=redundant
; why: Four blocks; counters by falling weight, in the order of the blocks where it is the same.
; expect f: 4 counters
; expect f at entry: counters[0] += 1
; expect f at left: counters[2] += 1
; expect f at right: counters[3] += 1
; expect f at join: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @f(i1 %c) {
entry:
  br i1 %c, label %left, label %right, !prof !0

left:
  br label %join

right:
  br label %join

join:
  %x = phi i32 [ 1, %left ], [ 2, %right ]
  ret i32 %x
}

!0 = !{!"branch_weights", i32 9, i32 1}
