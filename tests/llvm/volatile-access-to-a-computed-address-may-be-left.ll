; A volatile access through a pointer is counted on both sides, one to a variable is not.
; options: profile=edges
; why: Programs probe memory by such an access and leave from the signal's handler. The address of a
;   variable is good.
; expect pointer: 2 counters
; expect pointer at entry: counters[1] += 1 before volatile load
; expect pointer at entry: counters[0] += 1 behind volatile load
; expect variable: 1 counter
; expect variable at entry: counters[0] += 1 behind volatile load
target triple = "x86_64-pc-linux-gnu"

@v = global i32 0

define i32 @pointer(ptr %p) {
entry:
  %x = load volatile i32, ptr %p, align 4
  ret i32 %x
}

define i32 @variable() {
entry:
  %x = load volatile i32, ptr @v, align 4
  ret i32 %x
}
