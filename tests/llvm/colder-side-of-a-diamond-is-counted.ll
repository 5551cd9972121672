; Of the two sides of a choice the one that runs less has the counter.
; options: profile=edges
; why: A maximum spanning tree takes the busy side and all that always runs but one; the chords are
;   the colder block and, of what always runs, the entry, which ties with the return and comes
;   later.
; expect leftwards: 2 counters
; expect leftwards at entry: counters[0] += 1
; expect leftwards at right: counters[1] += 1
; expect rightwards: 2 counters
; expect rightwards at entry: counters[0] += 1
; expect rightwards at left: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @leftwards(i1 %c) {
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

define i32 @rightwards(i1 %c) {
entry:
  br i1 %c, label %left, label %right, !prof !1

left:
  br label %join

right:
  br label %join

join:
  %x = phi i32 [ 1, %left ], [ 2, %right ]
  ret i32 %x
}

!0 = !{!"branch_weights", i32 9, i32 1}
!1 = !{!"branch_weights", i32 1, i32 9}
