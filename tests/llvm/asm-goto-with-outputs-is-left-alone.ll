; A function with an asm goto that has outputs is not touched, and a warning says so.
; options: profile=edges
; why: LLVM would lose the output at the labels if it had no register left.
; expect stderr: warning: waymark: function 'f' is not counted: with probes around its asm goto clang could compile it wrongly
; expect f: untouched
target triple = "x86_64-pc-linux-gnu"

define i32 @f() {
entry:
  %x = callbr i32 asm "", "=r,!i"() to label %done [label %label]

done:
  ret i32 %x

label:
  ret i32 0
}
