//go:build !go1.27

package gorelease

import "unsafe"

type moduleTypes struct{ Types, ETypes uintptr }

type moduleLinks struct {
	TypeLinks []int32
	ITabLinks []unsafe.Pointer
}
