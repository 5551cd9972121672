; --only takes the functions that match it, --skip leaves out of these what matches it.
; options: profile=edges
; options: only=get_*
; options: only=put_*
; options: skip=*_slow
; why: `other` matches no --only; `get_slow` matches one, and --skip.
; expect get_one: 1 counter
; expect get_one at entry: counters[0] += 1
; expect get_slow: untouched
; expect put_one: 1 counter
; expect put_one at entry: counters[0] += 1
; expect other: untouched
target triple = "x86_64-pc-linux-gnu"

define void @get_one() {
entry:
  ret void
}

define void @get_slow() {
entry:
  ret void
}

define void @put_one() {
entry:
  ret void
}

define void @other() {
entry:
  ret void
}
