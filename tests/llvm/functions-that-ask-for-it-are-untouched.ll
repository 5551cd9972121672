; Functions marked naked, noprofile or skipprofile, and coroutines not yet split, are not touched.
; options: profile=edges
; why: The mark decides; the function without one shows that counting is on.
; expect naked: untouched
; expect noprofile: untouched
; expect skipprofile: untouched
; expect coroutine: untouched
; expect plain: 1 counter
; expect plain at entry: counters[0] += 1
target triple = "x86_64-pc-linux-gnu"

define void @naked() naked {
entry:
  call void asm sideeffect "ret", ""()
  unreachable
}

define void @noprofile() noprofile {
entry:
  ret void
}

define void @skipprofile() skipprofile {
entry:
  ret void
}

define void @coroutine() presplitcoroutine {
entry:
  ret void
}

define void @plain() {
entry:
  ret void
}
