; An asm goto without outputs, whose labels merge no value from outside, is a choice like any other.
; options: profile=edges
; why: There are two ways out of entry; of each the return, once, is cheaper than a block without a
;   choice (1.3), so both returns are chords.
; expect f: 2 counters
; expect f at done: counters[0] += 1
; expect f at label: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define i32 @f() {
entry:
  callbr void asm "", "!i"() to label %done [label %label]

done:
  ret i32 1

label:
  ret i32 0
}
