; With paths=classic a loop of several blocks gets a copy of its code for the first iteration.
; options: profile=edges
; options: paths=classic
; why: head.peel and body.peel are the first iteration. In it the seldom way out and, of what always
;   runs, head.peel are chords: with its choice it is cheaper than blocks without. In the loop head
;   is, nine times and in a register.
; expect f: 3 counters
; expect f at head.peel: counters[1] += 1
; expect f at head.peel->out: counters[2] += 1
; expect f at head: hold
; expect f at head: register += 1
; expect f at out.loopexit: counters[0] += register
target triple = "x86_64-pc-linux-gnu"

define void @f(ptr %list) {
entry:
  br label %head

head:
  %p = phi ptr [ %list, %entry ], [ %next, %body ]
  %end = icmp eq ptr %p, null
  br i1 %end, label %out, label %body, !prof !0

body:
  %next = load ptr, ptr %p, align 8
  br label %head

out:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 9}
