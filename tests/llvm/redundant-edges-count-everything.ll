; With placement=redundant every block and every edge has a counter.
; options: profile=edges
; options: placement=redundant
; why: Four blocks and five edges. An edge with a side to itself is counted there, that to the
;   outside at the return. Counters by weight, edges before blocks: always 0 to 2, left 3 to 5,
;   right 6 to 8.
; expect f: 9 counters
; expect f at entry: counters[1] += 1
; expect f at left: counters[3] += 1
; expect f at left: counters[4] += 1
; expect f at left: counters[5] += 1
; expect f at right: counters[6] += 1
; expect f at right: counters[7] += 1
; expect f at right: counters[8] += 1
; expect f at join: counters[0] += 1
; expect f at join: counters[2] += 1
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
