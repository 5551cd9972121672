; An asm goto without outputs, whose labels merge no value from outside, is a choice like any other.
; options: profile=edges
; why: Control may leave entry for done, for label, or end in the asm goto, as in any other asm: three
;   unknown counts. No probe fits on the last edge, so entry has a counter instead; of the two others
;   the return, once, is cheaper than a block without a choice (1.3), so both returns are chords.
; expect f: 3 counters
; expect f at entry: counters[0] += 1 before callbr asm
; expect f at done: counters[1] += 1
; expect f at label: counters[2] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @f() {
entry:
  callbr void asm "", "!i"() to label %done [label %label]

done:
  ret i32 1

label:
  ret i32 0
}
