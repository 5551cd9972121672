; What ends in a call that never returns is counted at the start of its block.
; options: profile=edges
; why: The edge from fatal to the outside is the cheapest of that side. Nothing can be counted
;   behind the call.
; expect f: 2 counters
; expect f at fatal: counters[1] += 1 before call abort
; expect f at fine: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

declare void @abort() noreturn

define void @f(i1 %c) {
entry:
  br i1 %c, label %fatal, label %fine, !prof !0

fatal:
  call void @abort()
  unreachable

fine:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 9}
