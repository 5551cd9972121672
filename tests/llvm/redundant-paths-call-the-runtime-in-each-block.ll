; The oracle for paths tells the runtime of each block, and of the end.
; options: placement=redundant
; why: A call for each of the five blocks, by number, none of which starts a path behind a cut, and
;   one for the outside, 5.
; expect f: 1 counter
; expect f at entry: call __waymark_oracle_enter 0 0
; expect f at a: call __waymark_oracle_enter 1 0
; expect f at m: call __waymark_oracle_enter 2 0
; expect f at b: call __waymark_oracle_enter 3 0
; expect f at e: call __waymark_oracle_enter 4 0
; expect f at e: call __waymark_oracle_end 5
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
