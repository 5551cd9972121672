; Position-independent code for programs, and all other code, reaches its counters without a base.
; options: profile=edges
; why: The level for programs says that the module is for no library.
; expect f: 1 counter
; expect f at entry: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f() {
entry:
  ret void
}

!llvm.module.flags = !{!0, !1}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"PIE Level", i32 2}
