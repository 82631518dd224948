//go:build go1.27

package gorelease

// mapSlots says where a group has its keys and elements: key i is at KeysOff + i*KeyStride. ElemOff
// is used where a slot is a key and an element (GOEXPERIMENT=nomapsplitgroup).
type mapSlots struct{ KeysOff, KeyStride, ElemsOff, ElemStride, ElemOff uintptr }

// FirstElem is the offset of the first element in a group, behind the control word.
func (m *Map) FirstElem() uintptr { return m.ElemsOff }
