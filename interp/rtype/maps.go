package rtype

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// The operations on maps. w is the map's type, m the map's word (nil for a nil map), key and the
// results point to memory of the key's and element's types. A key whose hash panics panics as in
// compiled code.

// MakeMap makes a map with room for n entries.
func MakeMap(w Word, n int) unsafe.Pointer { return gorelease.Makemap(w, n) }

// MapGet returns where the element lies, nil if there is none. The memory must not be written or
// kept.
func MapGet(w Word, m, key unsafe.Pointer) unsafe.Pointer { return gorelease.Mapaccess(w, m, key) }

// MapSlot returns where the element for key is to be written, making the entry if need be. A nil
// map panics.
func MapSlot(w Word, m, key unsafe.Pointer) unsafe.Pointer { return gorelease.Mapassign(w, m, key) }

// MapDelete is delete(m, key).
func MapDelete(w Word, m, key unsafe.Pointer) { gorelease.Mapdelete(w, m, key) }

// MapLen is len(m).
func MapLen(m unsafe.Pointer) int { return gorelease.Maplen(m) }

// MapClear is clear(m).
func MapClear(w Word, m unsafe.Pointer) { gorelease.Mapclear(w, m) }

// A FastKey says which of the functions below serve a map type; the general ones serve all.
type FastKey uint8

const (
	SlowKey   FastKey = iota
	Uint64Key         // MapGet64, MapSlot64
	StringKey         // MapGetString, MapSlotString
)

// MapFastKey tells which fast functions the compiler would use for the map type: those for 8-byte
// integer keys or strings, with elements small enough to lie in the table.
func MapFastKey(w Word) FastKey {
	t := (*abiMap)(w)
	if t.Elem.Size > 128 {
		return SlowKey
	}
	switch k := Kind(unsafe.Pointer(t.Key)); {
	case k >= kindInt && k <= kindUintptr && t.Key.Size == 8:
		return Uint64Key
	case k == kindString:
		return StringKey
	}
	return SlowKey
}

// MapGet64 is MapGet for a map with Uint64Key.
func MapGet64(w Word, m unsafe.Pointer, key uint64) unsafe.Pointer {
	if p, ok := gorelease.Mapaccess2Fast64(w, m, key); ok {
		return p
	}
	return nil
}

// MapSlot64 is MapSlot for a map with Uint64Key.
func MapSlot64(w Word, m unsafe.Pointer, key uint64) unsafe.Pointer {
	return gorelease.MapassignFast64(w, m, key)
}

// MapGetString is MapGet for a map with StringKey.
func MapGetString(w Word, m unsafe.Pointer, key string) unsafe.Pointer {
	if p, ok := gorelease.Mapaccess2FastStr(w, m, key); ok {
		return p
	}
	return nil
}

// MapSlotString is MapSlot for a map with StringKey.
func MapSlotString(w Word, m unsafe.Pointer, key string) unsafe.Pointer {
	return gorelease.MapassignFastStr(w, m, key)
}
