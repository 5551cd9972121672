; The runtime hears of a call that ends the process, and again if that comes back.
; options: profile=edges
; why: What follows execv runs only if it failed. Each call is announced before it (1) and taken
;   back behind it (0). Only execv returns, as far as is known, so only it is counted on both sides.
; expect leave: 1 counter
; expect leave at entry: counters[0] += 1 before call _exit
; expect leave at entry: call __waymark_ending 1 before call _exit
; expect leave at entry: call __waymark_ending 0 behind call _exit
; expect become: 2 counters
; expect become at entry: counters[1] += 1 before call execv
; expect become at entry: call __waymark_ending 1 before call execv
; expect become at entry: call __waymark_ending 0 behind call execv
; expect become at entry: counters[0] += 1 behind call execv
target triple = "x86_64-pc-linux-gnu"

declare void @_exit(i32) noreturn
declare i32 @execv(ptr, ptr)

define void @leave() {
entry:
  call void @_exit(i32 0)
  unreachable
}

define i32 @become(ptr %path, ptr %words) {
entry:
  %x = call i32 @execv(ptr %path, ptr %words)
  ret i32 %x
}
