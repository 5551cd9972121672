; A path that ends inside a call needs a count before the call as well as one behind it.
; why: The abandoned edge is the default of the block's end, so the return is counted; the cycle
;   entry, abandoned edge, entry holds no counter yet, and the block is all on it that can have one.
;   Both run once; edges come first.
; expect f: 2 counters
; expect f at entry: counters[1] += 1 before call g
; expect f at entry: counters[0] += 1 behind call g
target triple = "x86_64-pc-linux-gnu"

declare void @g()

define void @f() {
entry:
  call void @g()
  ret void
}
