; No block fits on an edge of an indirect jump: a critical one is counted before the jump, by a comparison.
; options: profile=edges
; options: placement=redundant
; why: Three blocks, four edges. entry->a is counted in a, which has no other way in; entry->b at
;   the jump. What always runs has 0 (return), 1 and 2; then, half as often, entry->a 3, entry->b 4,
;   a->b 5, a 6.
; expect f: 7 counters
; expect f at entry: counters[1] += 1
; expect f at entry: counters[4] += (t == label b)
; expect f at a: counters[3] += 1
; expect f at a: counters[5] += 1
; expect f at a: counters[6] += 1
; expect f at b: counters[0] += 1
; expect f at b: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %t) {
entry:
  indirectbr ptr %t, [label %a, label %b]

a:
  br label %b

b:
  ret void
}
