//go:build !go1.27

package gorelease

// mapSlots says where a group has its slots of a key and an element.
type mapSlots struct{ SlotSize, ElemOff uintptr }

// FirstElem is the offset of the first element in a group, behind the control word.
func (m *Map) FirstElem() uintptr { return 8 + m.ElemOff }
