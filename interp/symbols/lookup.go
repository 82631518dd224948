package symbols

import (
	"go/token"
	"reflect"
)

// Lookup finds a package-level function or variable of a compiled package. A function is a value of
// kind Func, a variable is addressable. Names of types and constants are not found: Type answers
// for types, export data for constants.
func Lookup(path, name string) (reflect.Value, bool) {
	v, ok := entry(path, name)
	if !ok || !v.IsValid() || v.Kind() != reflect.Func && !v.CanAddr() {
		return reflect.Value{}, false
	}
	return v, true
}

// Type finds a package-level type of a compiled package, exported or not. Generic types are not
// found. A type that is not exported is found where an exported name of its package leads to it: as
// the type of a variable, a parameter, a result, a field or a method.
func Type(path, name string) (reflect.Type, bool) {
	if v, ok := entry(path, name); ok && isType(v) {
		return v.Type().Elem(), true
	}
	if token.IsExported(name) {
		return nil, false
	}
	return hiddenType(path, name)
}

// isType tells the entry of a type, a typed nil pointer, from a variable's.
func isType(v reflect.Value) bool {
	return v.IsValid() && v.Kind() == reflect.Pointer && !v.CanAddr() && v.IsNil()
}
