; Markers of lifetimes and of debug information behind a tail call do not move its probe.
; options: profile=edges
; why: A lifetime marker and a record of debug information are no code, so the call is still the
;   last thing before the return.
; expect f: 1 counter
; expect f at entry: counters[0] += 1 before call g
target triple = "x86_64-pc-linux-gnu"

declare void @g()
declare void @llvm.lifetime.end.p0(i64, ptr)

define void @f() !dbg !4 {
entry:
  %slot = alloca i32, align 4
  tail call void @g(), !dbg !7
  call void @llvm.lifetime.end.p0(i64 4, ptr %slot), !dbg !7
    #dbg_value(i32 1, !6, !DIExpression(), !7)
  ret void, !dbg !7
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !5)
!7 = !DILocation(line: 3, scope: !4)
