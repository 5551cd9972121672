; A call that becomes a jump is counted before it, like one that must; other calls on both sides.
; options: profile=edges
; why: Nothing runs behind a tail call, and control that it loses was counted. Of block and return
;   the return is the chord. A call whose result is not what is returned comes back first.
; expect must: 1 counter
; expect must at entry: counters[0] += 1 before call g
; expect may: 1 counter
; expect may at entry: counters[0] += 1 before call g
; expect returns_other: 2 counters
; expect returns_other at entry: counters[1] += 1 before call g
; expect returns_other at entry: counters[0] += 1 behind call g
target triple = "x86_64-pc-linux-gnu"

declare i32 @g(i32)

define i32 @must(i32 %x) {
entry:
  %y = musttail call i32 @g(i32 %x)
  ret i32 %y
}

define i32 @may(i32 %x) {
entry:
  %y = tail call i32 @g(i32 %x)
  ret i32 %y
}

define i32 @returns_other(i32 %x) {
entry:
  %y = tail call i32 @g(i32 %x)
  ret i32 %x
}
