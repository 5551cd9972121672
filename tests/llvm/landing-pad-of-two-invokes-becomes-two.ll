; Each invoke gets a landing pad of its own, where the edge to it can be counted.
; options: profile=blocks
; options: placement=redundant
; why: The pad of two invokes is split in two, which meet in what is left of it: six blocks. Normal
;   ways come first, by falling weight; the shared rest of the pad runs as often as both of its
;   parts. LLVM takes the later invoke first, so its pad is the own one, and runs a little less:
;   first itself runs less than entry.
; expect f: 6 counters
; expect f at entry: counters[0] += 1 before invoke g
; expect f at first: counters[1] += 1 before invoke g
; expect f at second: counters[2] += 1
; expect f at pad: counters[3] += 1
; expect f at pad.own: counters[5] += 1
; expect f at pad.rest: counters[4] += 1
target triple = "x86_64-pc-linux-gnu"

declare void @g()
declare i32 @__gxx_personality_v0(...)

define void @f() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @g() to label %first unwind label %pad

first:
  invoke void @g() to label %second unwind label %pad

second:
  ret void

pad:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x
}
