; Before the optimiser no function with an asm goto is touched; a function that calls it is counted.
; options: profile=edges
; options: at=early
; why: No phi can be seen yet, so it is not known what will merge at the label. The caller has a
;   tail call and is counted before it.
; expect stderr: warning: waymark: function 'f' is not counted: with probes around its asm goto clang could compile it wrongly
; expect f: untouched
; expect caller: 1 counter
; expect caller at entry: call __waymark_placeholder 1 before call f
target triple = "x86_64-pc-linux-gnu"

define i32 @f() {
entry:
  callbr void asm "", "!i"() to label %done [label %label]

done:
  ret i32 1

label:
  ret i32 0
}

define i32 @caller() {
entry:
  %x = call i32 @f()
  ret i32 %x
}
