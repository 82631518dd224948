package rtype

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A FrameType describes memory with pointers at given offsets and no more structure: an engine's
// frames. Unlike the types of reflect.StructOf that of a small frame is not kept by any cache, and
// is freed with its last user. A frame does not keep its FrameType alive (the garbage collector
// reads it while it marks the frame): the frame must hold, in one of its pointer words, a way to
// the FrameType for as long as the frame lives, for instance through the function that it is a
// frame of.
//
// Types of large frames are never freed; those of one size and with the same pointers are one type.
type FrameType struct {
	abi  abiType
	mask []byte // abi.GCData points to its first byte
}

// NewFrameType makes a descriptor of size bytes with pointers at offs: ascending multiples of 8
// below size.
func NewFrameType(size uintptr, offs []uintptr) (*FrameType, error) {
	t := &FrameType{}
	t.abi.Size = (size + wordSize - 1) &^ (wordSize - 1)
	t.abi.Align, t.abi.FieldAlign = uint8(wordSize), uint8(wordSize)
	t.abi.Kind = uint8(kindStruct)
	mask, ptrBytes, err := pointerMask(t.abi.Size, offs)
	if err != nil {
		return nil, err
	}
	if mask != nil {
		t.mask, t.abi.PtrBytes, t.abi.GCData = mask, ptrBytes, &mask[0]
	}
	if t.abi.Size > maxSmallFrame {
		return t.kept(), nil
	}
	return t, nil
}

// maxSmallFrame is the size of the largest object that shares a span with others: the runtime's
// largest size class without the word in which such an object has its type. A larger one has its
// type in runtime.mspan.largeType, where it stays when the object is freed. The collector does not
// look there, but the next use of that memory is a write with a barrier, which in a cycle shades
// what was there: it must be a type still.
const maxSmallFrame = 32<<10 - wordSize

// A frameShape is all that there is to a FrameType.
type frameShape struct {
	size uintptr
	mask string
}

var largeFrames sync.Map // of *FrameType, by frameShape

// kept is the type of t's shape that is never freed.
func (t *FrameType) kept() *FrameType {
	shape := frameShape{t.abi.Size, unsafe.String(unsafe.SliceData(t.mask), len(t.mask))} // nobody writes the mask again
	k, _ := largeFrames.LoadOrStore(shape, t)
	return k.(*FrameType)
}

// New allocates a zeroed frame.
func (t *FrameType) New() unsafe.Pointer { return gorelease.New(unsafe.Pointer(&t.abi)) }

// Clear zeroes a frame.
func (t *FrameType) Clear(p unsafe.Pointer) { gorelease.Typedmemclr(unsafe.Pointer(&t.abi), p) }

// Size returns the bytes of a frame.
func (t *FrameType) Size() uintptr { return t.abi.Size }

// Word returns the descriptor, for Move and New.
func (t *FrameType) Word() Word { return unsafe.Pointer(&t.abi) }

// pointerMask makes the collector's bitmap: a bit a word, padded to whole words because the runtime
// reads it by words.
func pointerMask(size uintptr, offs []uintptr) (mask []byte, ptrBytes uintptr, err error) {
	if len(offs) == 0 {
		return nil, 0, nil
	}
	last := offs[len(offs)-1]
	words := last/wordSize + 1
	mask = make([]byte, ((words+7)/8+wordSize-1)&^(wordSize-1))
	for i, o := range offs {
		if o%wordSize != 0 || o+wordSize > size || i > 0 && o <= offs[i-1] {
			return nil, 0, fmt.Errorf("rtype: pointer offset %d of a layout of %d bytes is unaligned, out of order or outside",
				o, size)
		}
		mask[o/wordSize/8] |= 1 << (o / wordSize % 8)
	}
	return mask, words * wordSize, nil
}
