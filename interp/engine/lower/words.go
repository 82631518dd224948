package lower

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// What nearly every op is made of has short names here.
type (
	pointer = unsafe.Pointer
	op      = machine.Op
	term    = machine.Term
	block   = machine.Block
	typ     = machine.Type
	pair    = machine.Pair
)

// head is the header of a frame.
func head(fp pointer) *machine.Header { return (*machine.Header)(fp) }

// at is the address of a slot.
func at(fp pointer, slot uintptr) pointer { return unsafe.Add(fp, slot) }

// ref is a slot seen as a variable of type T.
func ref[T any](fp pointer, slot uintptr) *T { return (*T)(unsafe.Add(fp, slot)) }
