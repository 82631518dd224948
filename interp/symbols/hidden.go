package symbols

import (
	"reflect"
	"strings"
)

// hiddenType finds an unexported type among those that the exported names of its package reach.
func hiddenType(path, name string) (reflect.Type, bool) {
	registry.RLock()
	found, ok := registry.hidden[path]
	registry.RUnlock()
	if !ok {
		w := walk{path: path, seen: map[reflect.Type]bool{}, found: map[string]reflect.Type{}}
		each(path, func(_ string, v reflect.Value) { w.value(v) })
		found = w.found
		registry.Lock()
		if registry.hidden == nil {
			registry.hidden = map[string]map[string]reflect.Type{}
		}
		registry.hidden[path] = found
		registry.Unlock()
	}
	t, ok := found[name]
	return t, ok
}

// A walk collects the unexported types of one package. It stays inside the package: what another
// package's types reach is that package's affair.
type walk struct {
	path  string
	seen  map[reflect.Type]bool
	found map[string]reflect.Type
}

func (w *walk) value(v reflect.Value) {
	switch {
	case !v.IsValid():
	case isType(v):
		w.typ(v.Type().Elem())
	case v.Kind() == reflect.Interface && !v.IsNil():
		w.typ(v.Elem().Type())
		w.typ(v.Type())
	default:
		w.typ(v.Type())
	}
}

func (w *walk) typ(t reflect.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	if t.Name() != "" {
		if t.PkgPath() != w.path {
			return
		}
		if !strings.Contains(t.Name(), "[") {
			w.found[t.Name()] = t
		}
	}
	w.methods(t)
	w.parts(t)
}

// methods follows the signatures of t's and *t's exported methods.
func (w *walk) methods(t reflect.Type) {
	for i := range t.NumMethod() {
		w.typ(t.Method(i).Type)
	}
	if t.Name() != "" && t.Kind() != reflect.Interface {
		w.typ(reflect.PointerTo(t))
	}
}

// parts follows what t is made of.
func (w *walk) parts(t reflect.Type) {
	switch t.Kind() {
	case reflect.Array, reflect.Chan, reflect.Pointer, reflect.Slice:
		w.typ(t.Elem())
	case reflect.Map:
		w.typ(t.Key())
		w.typ(t.Elem())
	case reflect.Func:
		for i := range t.NumIn() {
			w.typ(t.In(i))
		}
		for i := range t.NumOut() {
			w.typ(t.Out(i))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			w.typ(t.Field(i).Type)
		}
	}
}
