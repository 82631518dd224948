package gorelease

import "unsafe"

// The flags of an encoded name.
const (
	flagNameExported = 1 << iota
	flagNameTag
	flagNamePkgPath
	flagNameEmbedded
)

// EncodeName encodes a name as descriptors hold it (internal/abi.Name): flag byte, length, bytes,
// then the tag's length and bytes, then the offset of the package path.
func EncodeName(name, tag string, exported, embedded bool, pkgPath string) *byte {
	var flags byte
	for _, f := range []struct {
		on  bool
		bit byte
	}{
		{exported, flagNameExported}, {tag != "", flagNameTag},
		{pkgPath != "", flagNamePkgPath}, {embedded, flagNameEmbedded},
	} {
		if f.on {
			flags |= f.bit
		}
	}
	b := appendVarString([]byte{flags}, name)
	if tag != "" {
		b = appendVarString(b, tag)
	}
	if pkgPath != "" {
		off := AddReflectOff(unsafe.Pointer(EncodeName(pkgPath, "", false, false, "")))
		b = append(b, (*[4]byte)(unsafe.Pointer(&off))[:]...)
	}
	return &b[0]
}

func appendVarString(b []byte, s string) []byte {
	n := len(s)
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(append(b, byte(n)), s...)
}

// NameOf decodes the name itself.
func NameOf(p *byte) string {
	s, _ := varString(p, 1)
	return s
}

// varString decodes a string at p+off, and says where it ends.
func varString(p *byte, off uintptr) (string, uintptr) {
	n := 0
	for shift := 0; ; shift += 7 {
		c := *(*byte)(unsafe.Add(unsafe.Pointer(p), off))
		off++
		n |= int(c&0x7f) << shift
		if c&0x80 == 0 {
			return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(p), off)), n), off + uintptr(n)
		}
	}
}

// PackageOf decodes the package of a name in the descriptor at base, nil if it has none of its own.
func PackageOf(base unsafe.Pointer, p *byte) *byte {
	if *p&flagNamePkgPath == 0 {
		return nil
	}
	_, end := varString(p, 1)
	if *p&flagNameTag != 0 {
		_, end = varString(p, end)
	}
	var off int32
	copy((*[4]byte)(unsafe.Pointer(&off))[:], unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), end)), 4))
	return (*byte)(ResolveNameOff(base, off))
}

// Exported reports whether a name is marked so.
func Exported(p *byte) bool { return *p&flagNameExported != 0 }
