package rtype

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// The header of a channel names the type of its elements, which the runtime uses to copy and clear
// them only: which descriptor it is does not matter. A channel made with a copy of the descriptor
// is therefore as any other, and tells who made it.

// chanMarks keeps the copies for ever: channels do not keep them alive.
var chanMarks struct {
	mu     sync.RWMutex
	chans  map[Word]*abiChan     // by channel type: its marked twin
	copies map[*abiType]*abiType // by element type
	marked map[*abiType]struct{} // the copies
}

// MarkedChan is a channel type for MakeChan alone: what that makes is of type w, and Marked knows
// it.
func MarkedChan(w Word) Word {
	m := &chanMarks
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.chans == nil {
		m.chans, m.copies, m.marked = map[Word]*abiChan{}, map[*abiType]*abiType{}, map[*abiType]struct{}{}
	}
	if t, ok := m.chans[w]; ok {
		return Word(t)
	}
	twin := *(*abiChan)(w)
	elem, ok := m.copies[twin.Elem]
	if !ok {
		elem = copyDescriptor(twin.Elem)
		m.copies[twin.Elem] = elem
		m.marked[elem] = struct{}{}
	}
	twin.Elem = elem
	m.chans[w] = &twin
	return Word(&twin)
}

// copyDescriptor copies what the runtime reads of the type of something that it copies: of arrays
// and structs the elements too, of which it may have to make a mask.
func copyDescriptor(t *abiType) *abiType {
	switch reflect.Kind(t.Kind) {
	case reflect.Array:
		c := *(*abiArray)(unsafe.Pointer(t))
		return &c.Type
	case reflect.Struct:
		c := *(*abiStruct)(unsafe.Pointer(t))
		return &c.Type
	}
	c := *t
	return &c
}

// Marked reports whether MakeChan made the channel with a type of MarkedChan's. It may say no of
// one that was.
func Marked(ch unsafe.Pointer) bool {
	if ch == nil {
		return false
	}
	elem := gorelease.ChanElem(ch)
	m := &chanMarks
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, ok := m.marked[elem]
	return ok
}
