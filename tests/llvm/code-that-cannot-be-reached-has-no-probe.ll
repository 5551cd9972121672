; Blocks that control cannot reach have no edges, and so no counters.
; options: profile=edges
; why: Only entry and its return form a cycle. The edge from dead to end does not exist for the
;   graph.
; expect f: 1 counter
; expect f at end: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define void @f() {
entry:
  br label %end

dead:
  br label %end

end:
  ret void
}
