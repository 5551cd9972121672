; Code for a machine that the runtime does not know is left as it is, with a warning.
; why: Build systems compile for several machines by one command.
; expect stderr: warning: waymark: code for aarch64-unknown-linux-gnu is compiled without counters
; expect f: untouched
target triple = "aarch64-unknown-linux-gnu"

define void @f() {
entry:
  ret void
}
