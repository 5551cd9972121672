; A module that comes twice is instrumented once.
; options: profile=edges
; passes: waymark,waymark
; why: A function with probes has a mark, and is left as it is.
; expect f: 1 counter
; expect f at entry: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f() {
entry:
  ret void
}
