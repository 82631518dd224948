//go:build go1.27

package gorelease

// Descriptors lie in a row from Types on, TypeDescLen bytes, and itabs from Types+ITabOffset on.
type moduleTypes struct{ Types, TypeDescLen, ETypes, ITabOffset, ITabSize uintptr }

type moduleLinks struct{}
