; Counters stand in the order of their weight, so that those in use share cache lines.
; options: profile=edges
; why: The returns are the chords; they run six, three and one time of ten.
; expect f: 3 counters
; expect f at seldom: counters[2] += 1
; expect f at often: counters[1] += 1
; expect f at mostly: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i32 %x) {
entry:
  switch i32 %x, label %seldom [
    i32 0, label %often
    i32 1, label %mostly
  ], !prof !0

seldom:
  ret void

often:
  ret void

mostly:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 3, i32 6}
