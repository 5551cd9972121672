; A body that is there only to be inlined becomes a definition that the linker merges.
; options: profile=edges
; why: Otherwise it would depend on inlining whether this body runs or the one elsewhere.
; expect f: 1 counter
; expect f: available_externally becomes linkonce_odr
; expect f at entry: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define available_externally void @f() {
entry:
  ret void
}
