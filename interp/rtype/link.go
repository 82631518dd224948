package rtype

import (
	"reflect"
	"unsafe"
)

// Every name below carries a go:linkname of its own in Go 1.26's runtime or reflect, which is what makes it
// reachable from here without -checklinkname=0.

//go:linkname addReflectOff reflect.addReflectOff
func addReflectOff(ptr unsafe.Pointer) int32

//go:linkname toType reflect.toType
func toType(t unsafe.Pointer) reflect.Type

//go:linkname typesByString reflect.typesByString
func typesByString(s string) []unsafe.Pointer

//go:linkname resolveNameOff reflect.resolveNameOff
func resolveNameOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname resolveTypeOff reflect.resolveTypeOff
func resolveTypeOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname resolveTextOff reflect.resolveTextOff
func resolveTextOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(t unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname typedmemmove reflect.typedmemmove
//go:noescape
func typedmemmove(t, dst, src unsafe.Pointer)

//go:linkname typedmemclr reflect.typedmemclr
//go:noescape
func typedmemclr(t, p unsafe.Pointer)

//go:linkname typedslicecopy reflect.typedslicecopy
//go:noescape
func typedslicecopy(elem unsafe.Pointer, dst, src Slice) int

//go:linkname growslice reflect.growslice
func growslice(elem unsafe.Pointer, old Slice, num int) Slice

//go:linkname typehash reflect.typehash
//go:noescape
func typehash(t, p unsafe.Pointer, h uintptr) uintptr

//go:linkname getitab runtime.getitab
func getitab(inter, typ unsafe.Pointer, canfail bool) unsafe.Pointer

//go:linkname makemap reflect.makemap
func makemap(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname mapaccess reflect.mapaccess
//go:noescape
func mapaccess(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapassign runtime.mapassign
func mapassign(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapdelete reflect.mapdelete
//go:noescape
func mapdelete(t, m, key unsafe.Pointer)

//go:linkname maplen reflect.maplen
//go:noescape
func maplen(m unsafe.Pointer) int

//go:linkname mapclear reflect.mapclear
//go:noescape
func mapclear(t, m unsafe.Pointer)

//go:linkname mapaccess2Fast64 runtime.mapaccess2_fast64
//go:noescape
func mapaccess2Fast64(t, m unsafe.Pointer, key uint64) (unsafe.Pointer, bool)

//go:linkname mapassignFast64 runtime.mapassign_fast64
func mapassignFast64(t, m unsafe.Pointer, key uint64) unsafe.Pointer

//go:linkname mapaccess2FastStr runtime.mapaccess2_faststr
//go:noescape
func mapaccess2FastStr(t, m unsafe.Pointer, key string) (unsafe.Pointer, bool)

//go:linkname mapassignFastStr runtime.mapassign_faststr
func mapassignFastStr(t, m unsafe.Pointer, key string) unsafe.Pointer

//go:linkname makechan reflect.makechan
func makechan(t unsafe.Pointer, size int) unsafe.Pointer

//go:linkname chansend reflect.chansend0
func chansend(ch, val unsafe.Pointer, nb bool) bool

//go:linkname chanrecv reflect.chanrecv
func chanrecv(ch unsafe.Pointer, nb bool, val unsafe.Pointer) (selected, received bool)

//go:linkname chanlen reflect.chanlen
func chanlen(ch unsafe.Pointer) int

//go:linkname chancap reflect.chancap
func chancap(ch unsafe.Pointer) int

//go:linkname chanclose reflect.chanclose
func chanclose(ch unsafe.Pointer)

//go:linkname rselect reflect.rselect
//go:noescape
func rselect(cases []SelectCase) (chosen int, received bool)
