; A function in which a label of an asm goto merges, from behind itself, a value of outside is not touched.
; options: profile=edges
; why: Control comes back to label from again with a constant, which LLVM would take before the
;   value in use is read.
; expect stderr: warning: waymark: function 'f' is not counted: with probes around its asm goto clang could compile it wrongly
; expect f: untouched
target triple = "x86_64-pc-linux-gnu"

define i32 @f(i1 %c) {
entry:
  callbr void asm "", "!i"() to label %done [label %label]

label:
  %x = phi i32 [ 1, %entry ], [ 2, %again ]
  br i1 %c, label %again, label %out

again:
  br label %label

out:
  ret i32 %x

done:
  ret i32 0
}
