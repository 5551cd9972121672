; A landing pad that catches all, and one that no invoke unwinds to and no pass takes away at -O0.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()

define i32 @guarded(i32 %x, ptr %callee) uwtable personality ptr @__gxx_personality_v0 {
entry:
  invoke void %callee()
          to label %passed unwind label %caught

passed:
  ret i32 0

caught:
  %live = landingpad { ptr, i32 }
          catch ptr null
  %exception = extractvalue { ptr, i32 } %live, 0
  %object = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_end_catch()
  ret i32 %x

dead:
  %never = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %never
}
