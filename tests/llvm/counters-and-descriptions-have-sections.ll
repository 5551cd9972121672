; A function's counters and its description stand in sections of their own, in one group.
; options: profile=edges
; options: file=name.wmk
; show: variables
; why: What other units may define, too, has a hash in its name and is merged; what is internal is
;   private. The mark of programs is referred to, and the name of the file is there once for the
;   whole program.
; expect shared: 1 counter
; expect shared at entry: counters[0] += 1
; expect own: 1 counter
; expect own at entry: counters[0] += 1
; expect __waymark_counters.shared.HASH: linkonce_odr, section waymark_counters, in a group
; expect __waymark_description.shared.HASH: linkonce_odr, section waymark_descriptions, in a group
; expect __waymark_counters.own: private, section waymark_counters, in a group
; expect __waymark_description.own: private, section waymark_descriptions, in a group
; expect __waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC: external, no section, in no group
; expect __waymark_file_name: weak, no section, in no group
target triple = "x86_64-pc-linux-gnu"

define void @shared() {
entry:
  ret void
}

define internal void @own() {
entry:
  ret void
}
