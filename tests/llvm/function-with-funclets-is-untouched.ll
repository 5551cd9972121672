; A function whose handlers of exceptions are funclets is not touched.
; options: profile=edges
; why: The graph knows landing pads only.
; expect f: untouched
target triple = "x86_64-pc-linux-gnu"

declare void @g()
declare i32 @__CxxFrameHandler3(...)

define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @g() to label %done unwind label %dispatch

dispatch:
  %switch = catchswitch within none [label %catch] unwind to caller

catch:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  catchret from %pad to label %done

done:
  ret void
}
