package symbols

import (
	"bytes"
	"encoding/binary"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		path, name string
		kind       reflect.Kind // Invalid: not found
	}{
		{"fmt", "Println", reflect.Func},
		{"os", "Exit", reflect.Func},
		{"os", "Args", reflect.Slice},
		{"math/rand/v2", "IntN", reflect.Func},
		{"maps", "clone", reflect.Func},
		{"fmt", "Stringer", reflect.Invalid}, // a type
		{"math", "Pi", reflect.Invalid},      // a constant
		{"fmt", "println", reflect.Invalid},
		{"no/such", "F", reflect.Invalid},
	}
	for _, test := range tests {
		v, ok := Lookup(test.path, test.name)
		if ok != (test.kind != reflect.Invalid) || ok && v.Kind() != test.kind {
			t.Errorf("Lookup(%q, %q) = %v, %v, want kind %v", test.path, test.name, v, ok, test.kind)
		}
	}
}

func TestLookupIsUnrestricted(t *testing.T) {
	v, _ := Lookup("os", "Exit")
	if name := runtime.FuncForPC(v.Pointer()).Name(); name != "os.Exit" {
		t.Errorf("os.Exit is %s", name)
	}
}

func TestVariablesAreTheProcess(t *testing.T) {
	v, _ := Lookup("os", "Args")
	if v.Addr().Interface() != any(&os.Args) {
		t.Error("os.Args is a copy")
	}
}

func TestType(t *testing.T) {
	tests := []struct {
		path, name string
		want       reflect.Type
	}{
		{"bytes", "Buffer", reflect.TypeFor[bytes.Buffer]()},
		{"encoding/binary", "littleEndian", reflect.TypeOf(binary.LittleEndian)},
		{"fmt", "Println", nil},
		{"testing", "common", reflect.TypeFor[testing.T]().Field(0).Type},
		{"bytes", "nothing", nil},
		{"sync", "Map", nil},
	}
	for _, test := range tests {
		got, ok := Type(test.path, test.name)
		if test.name == "Map" {
			if !ok || got.String() != "sync.Map" {
				t.Errorf("Type(sync, Map) = %v, %v", got, ok)
			}
			continue
		}
		if got != test.want || ok != (test.want != nil) {
			t.Errorf("Type(%q, %q) = %v, %v, want %v", test.path, test.name, got, ok, test.want)
		}
	}
}

func TestRegister(t *testing.T) {
	n := 1
	Register("test/p", Table{"N": reflect.ValueOf(&n).Elem(), "F": reflect.ValueOf(strings.ToUpper)})
	Register("test/p", Table{"F": reflect.ValueOf(strings.ToLower)})
	v, ok := Lookup("test/p", "N")
	if !ok {
		t.Fatal("N not found")
	}
	v.SetInt(2)
	if n != 2 {
		t.Error("N is a copy")
	}
	f, _ := Lookup("test/p", "F")
	if got := f.Call([]reflect.Value{reflect.ValueOf("aB")})[0].String(); got != "ab" {
		t.Errorf("F is not the one registered last: %q", got)
	}
}

func TestCloneMap(t *testing.T) {
	m := map[string]int{"a": 1}
	c := cloneMap(m).(map[string]int)
	c["b"] = 2
	if len(m) != 1 || c["a"] != 1 {
		t.Error(m, c)
	}
	if c := cloneMap(map[string]int(nil)).(map[string]int); c != nil {
		t.Error("clone of nil is not nil")
	}
}

func TestWeakWord(t *testing.T) {
	p := new([64]int)
	u := weakRegister(unsafe.Pointer(p))
	if weakStrong(u) != unsafe.Pointer(p) {
		t.Error("a living object is gone")
	}
	runtime.KeepAlive(p)
	p = nil
	for range 5 {
		runtime.GC()
	}
	if weakStrong(u) != nil {
		t.Error("a dead object is there")
	}
}

func TestIntern(t *testing.T) {
	a, b := "x", "x"
	if intern(a, unsafe.Pointer(&a)) != intern(b, unsafe.Pointer(&b)) {
		t.Error("equal values, two pointers")
	}
	if intern(1, unsafe.Pointer(&a)) == intern(int64(1), unsafe.Pointer(&b)) {
		t.Error("types are not told apart")
	}
}
