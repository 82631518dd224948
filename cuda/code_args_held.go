package cuda

import (
	"fmt"
	"reflect"
)

// What a kernel cannot be given, because it lies in the memory of Go: for an argument, or a field
// of one, that is a pointer, a slice, a string and the like, heldError says which it is and what to
// pass in its place.

// heldAdvice says, by kind, what stands for a value of it on the device.
var heldAdvice = map[reflect.Kind]string{
	reflect.Pointer: "upload what it points to (Device.Upload)",
	reflect.Slice:   "upload its elements (Device.Upload), and pass their number beside it",
	reflect.String:  "pass an array of bytes ([16]byte), or upload []byte(s)",
	reflect.Uintptr: "make it a uint64",
}

// heldError refuses an argument that is not numbers through and through; nil for one that is.
func (k *Kernel) heldError(op string, i int, t reflect.Type) error {
	path, held := unplain(t)
	if held == nil {
		return nil
	}
	found, address := t.String(), "pass the *cuda.Buffer"
	if path != "" {
		found = fmt.Sprintf("%s, whose field %s is a %s", t, path[1:], held)
		address = "make the field a uint64 and set it to uint64(b.Ptr()) of the buffer, which must not be freed before the " +
			"launch is over"
	}
	fix := "give numbers, or arrays and structs of numbers: nothing on the device can use a " + held.String()
	switch advice := heldAdvice[held.Kind()]; {
	case held == reflect.TypeFor[*Buffer]():
		fix = address
	case held.Kind() == reflect.Pointer || held.Kind() == reflect.Slice:
		fix = advice + "; " + address
	case advice != "":
		fix = advice
	}
	err := k.argError(op, i, wants(k.params[i]), found)
	err.Fix = fix
	return err
}

// unplain finds the first part of a type that is not bytes and nothing else, and the way to it:
// ".Rows[].Data".
func unplain(t reflect.Type) (path string, held reflect.Type) {
	switch {
	case plain(t):
		return "", nil
	case t.Kind() == reflect.Array:
		path, held = unplain(t.Elem())
		return "[]" + path, held
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if path, held = unplain(t.Field(i).Type); held != nil {
				return "." + t.Field(i).Name + path, held
			}
		}
	}
	return "", t
}
