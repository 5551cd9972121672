; An edge from a block with two ways out to one with two ways in gets a block for its counter.
; options: profile=edges
; why: The way through busy is in the tree, entry->join (0.2 with its jump) is not. Of what always
;   runs the entry ties with the return and comes later.
; expect f: 2 counters
; expect f at entry: counters[0] += 1
; expect f at entry->join: counters[1] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f(i1 %c) {
entry:
  br i1 %c, label %busy, label %join, !prof !0

busy:
  br label %join

join:
  ret void
}

!0 = !{!"branch_weights", i32 9, i32 1}
