package rtype

import (
	"go/types"
	"reflect"
)

// Bind teaches the table that r is the compiled type of x, which may be the type of a compiled function or variable: every unnamed struct and
// interface and every named type inside becomes known. Engines call it for what they take from the binary, before they ask Of
// for the same types. It is not an error if some part already has a type.
func (t *Table) Bind(x types.Type, r reflect.Type) error { return nil }
