; A call that returns twice ends its block: counted are each call before it and each return behind it.
; options: profile=edges
; why: Control leaves to the outside there and comes back from it, so both parts are in the tree,
;   and the edge to the outside, before the call, and the return are chords.
; expect f: 2 counters
; expect f at entry: counters[0] += 1 before call setjmp
; expect f at entry.split: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

declare i32 @setjmp(ptr) returns_twice

define i32 @f(ptr %buffer) {
entry:
  %r = call i32 @setjmp(ptr %buffer)
  ret i32 %r
}
