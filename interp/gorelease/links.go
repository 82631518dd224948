package gorelease

import (
	"reflect"
	"unsafe"
)

// Functions that the runtime and reflect mark for others to link (a go:linkname of their own
// there), under their names: the linker refuses a release that has one no more. Operands are
// descriptors (*Type) and words of maps and channels.

// A ReflectCase is runtime.runtimeSelect, a case of Rselect.
type ReflectCase struct {
	Dir reflect.SelectDir // SelectSend or SelectRecv
	_   unsafe.Pointer    // the channel's type, which nobody looks at
	Ch  unsafe.Pointer    // the channel's word; never ready if it is nil
	Val unsafe.Pointer    // what is sent, or where what is received goes; nil: nowhere
}

//go:linkname AddReflectOff reflect.addReflectOff
func AddReflectOff(ptr unsafe.Pointer) int32

//go:linkname ToType reflect.toType
func ToType(t unsafe.Pointer) reflect.Type

//go:linkname TypesByString reflect.typesByString
func TypesByString(s string) []unsafe.Pointer

//go:linkname ResolveNameOff reflect.resolveNameOff
func ResolveNameOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname ResolveTypeOff reflect.resolveTypeOff
func ResolveTypeOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname ResolveTextOff reflect.resolveTextOff
func ResolveTextOff(base unsafe.Pointer, off int32) unsafe.Pointer

//go:linkname New reflect.unsafe_New
func New(t unsafe.Pointer) unsafe.Pointer

//go:linkname NewArray reflect.unsafe_NewArray
func NewArray(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname Typedmemmove reflect.typedmemmove
//go:noescape
func Typedmemmove(t, dst, src unsafe.Pointer)

//go:linkname Typedmemclr reflect.typedmemclr
//go:noescape
func Typedmemclr(t, p unsafe.Pointer)

//go:linkname Typedslicecopy reflect.typedslicecopy
//go:noescape
func Typedslicecopy(elem unsafe.Pointer, dst, src SliceHeader) int

//go:linkname Growslice reflect.growslice
func Growslice(elem unsafe.Pointer, old SliceHeader, num int) SliceHeader

//go:linkname Typehash reflect.typehash
//go:noescape
func Typehash(t, p unsafe.Pointer, h uintptr) uintptr

//go:linkname Getitab runtime.getitab
func Getitab(inter, typ unsafe.Pointer, canfail bool) unsafe.Pointer

//go:linkname Makemap reflect.makemap
func Makemap(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname Mapaccess reflect.mapaccess
//go:noescape
func Mapaccess(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname Mapassign runtime.mapassign
func Mapassign(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname Mapdelete reflect.mapdelete
//go:noescape
func Mapdelete(t, m, key unsafe.Pointer)

//go:linkname Maplen reflect.maplen
//go:noescape
func Maplen(m unsafe.Pointer) int

//go:linkname Mapclear reflect.mapclear
//go:noescape
func Mapclear(t, m unsafe.Pointer)

//go:linkname Mapaccess2Fast64 runtime.mapaccess2_fast64
//go:noescape
func Mapaccess2Fast64(t, m unsafe.Pointer, key uint64) (unsafe.Pointer, bool)

//go:linkname MapassignFast64 runtime.mapassign_fast64
func MapassignFast64(t, m unsafe.Pointer, key uint64) unsafe.Pointer

//go:linkname Mapaccess2FastStr runtime.mapaccess2_faststr
//go:noescape
func Mapaccess2FastStr(t, m unsafe.Pointer, key string) (unsafe.Pointer, bool)

//go:linkname MapassignFastStr runtime.mapassign_faststr
func MapassignFastStr(t, m unsafe.Pointer, key string) unsafe.Pointer

//go:linkname Makechan reflect.makechan
func Makechan(t unsafe.Pointer, size int) unsafe.Pointer

//go:linkname Chansend reflect.chansend0
func Chansend(ch, val unsafe.Pointer, nb bool) bool

//go:linkname Chanrecv reflect.chanrecv
func Chanrecv(ch unsafe.Pointer, nb bool, val unsafe.Pointer) (selected, received bool)

//go:linkname Chanlen reflect.chanlen
func Chanlen(ch unsafe.Pointer) int

//go:linkname Chancap reflect.chancap
func Chancap(ch unsafe.Pointer) int

//go:linkname Chanclose reflect.chanclose
func Chanclose(ch unsafe.Pointer)

//go:linkname Rselect reflect.rselect
//go:noescape
func Rselect(cases []ReflectCase) (chosen int, received bool)
