; Where the routes that meet would need more than 128 counters in a small function, paths end earlier.
; options: placement=commit
; why: Nine choices in a row. With 256 routes, 128 or 64, the counters would be more than 128: with 64, 127 up to m6 and
;   three behind it. With 32 they are 63 and 7. So the 32 routes to m5 go on by two edges that end all paths, each with a
;   counter for every route, and behind these the eight routes to m9 have a counter each.
; expect f: 72 counters
; expect f at m0->m1: history set
; expect f at a0: history set
; expect f at a1: history moved
; expect f at a2: history moved
; expect f at a3: history moved
; expect f at a4: history moved
; expect f at m5->m6: counters[8..39 by history] += 1
; expect f at a5: counters[40..71 by history] += 1
; expect f at m6->m7: history set
; expect f at a6: history set
; expect f at a7: history moved
; expect f at a8: history moved
; expect f at m9: counters[0 by m6->m7 m7 m8, 1 by a6 m7 m8, 2 by m6->m7 a7 m8, 3 by a6 a7 m8, 4 by m6->m7 m7 a8, 5 by a6 m7 a8, 6 by m6->m7 a7 a8, 7 by a6 a7 a8] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i1 %c0, i1 %c1, i1 %c2, i1 %c3, i1 %c4, i1 %c5, i1 %c6, i1 %c7, i1 %c8) {
m0:
  br i1 %c0, label %a0, label %m1, !prof !0

a0:
  br label %m1

m1:
  br i1 %c1, label %a1, label %m2, !prof !0

a1:
  br label %m2

m2:
  br i1 %c2, label %a2, label %m3, !prof !0

a2:
  br label %m3

m3:
  br i1 %c3, label %a3, label %m4, !prof !0

a3:
  br label %m4

m4:
  br i1 %c4, label %a4, label %m5, !prof !0

a4:
  br label %m5

m5:
  br i1 %c5, label %a5, label %m6, !prof !0

a5:
  br label %m6

m6:
  br i1 %c6, label %a6, label %m7, !prof !0

a6:
  br label %m7

m7:
  br i1 %c7, label %a7, label %m8, !prof !0

a7:
  br label %m8

m8:
  br i1 %c8, label %a8, label %m9, !prof !0

a8:
  br label %m9

m9:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
