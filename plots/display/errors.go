package display

import "reflect"

// maxErrors bounds what is shown of what an error wraps.
const maxErrors = 30

// errorBundle shows an error: its message, and, where it wraps others, a table of them with their
// types, which errors.As and errors.Is are asked for.
func errorBundle(err error, b *Bundle) {
	text, _ := ownText(err)
	b.Data[TypeText] = text
	t := &Table{Columns: []Column{{Title: "error", Kind: Code}, {Title: "message"}}}
	addErrors(t, err, 0)
	if len(t.Rows) > 1 {
		b.Data[TypeHTML] = t.HTML()
	}
}

// addErrors adds a row for an error, and rows for those that it wraps, further in.
func addErrors(t *Table, err error, depth int) {
	if err == nil || isNilPointer(err) || len(t.Rows) >= maxErrors || depth >= maxDepth {
		return
	}
	text, _ := ownText(err)
	indent := ""
	for range depth {
		indent += "· "
	}
	t.Add(indent+typeName(reflect.TypeOf(err)), text)
	for _, wrapped := range unwrapped(err) {
		addErrors(t, wrapped, depth+1)
	}
}

// unwrapped are the errors that one wraps. A method that panics wraps none: its message has told.
func unwrapped(err error) (list []error) {
	_ = try(err, "Unwrap", func() {
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			list = []error{x.Unwrap()}
		case interface{ Unwrap() []error }:
			list = x.Unwrap()
		}
	})
	return list
}
