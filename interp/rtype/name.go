package rtype

import (
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// offsets holds the names that many descriptors share: methods and packages.
var offsets = struct {
	sync.Mutex
	of map[sharedName]int32
}{of: map[sharedName]int32{}}

type sharedName struct {
	name, pkgPath string
	exported      bool
}

// nameOffset returns the offset of an encoded name, the same for equal ones.
func nameOffset(name string, exported bool, pkgPath string) int32 {
	key := sharedName{name, pkgPath, exported}
	offsets.Lock()
	defer offsets.Unlock()
	off, ok := offsets.of[key]
	if !ok {
		off = gorelease.AddReflectOff(unsafe.Pointer(gorelease.EncodeName(name, "", exported, false, pkgPath)))
		offsets.of[key] = off
	}
	return off
}

// keptName is the name of a package as a descriptor leads to it.
func keptName(path string) *byte {
	return (*byte)(gorelease.ResolveNameOff(nil, nameOffset(path, false, "")))
}
