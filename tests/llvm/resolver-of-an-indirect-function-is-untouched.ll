; The function that chooses what an indirect function is has no probes.
; options: profile=edges
; why: It runs before the program has thread-local storage.
; expect resolver: untouched
; expect chosen: 1 counter
; expect chosen at entry: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

@f = ifunc void (), ptr @resolver

define ptr @resolver() {
entry:
  ret ptr @chosen
}

define void @chosen() {
entry:
  ret void
}
