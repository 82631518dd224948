package rtype_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

func addOffset(v reflect.Value, off uintptr) unsafe.Pointer {
	return unsafe.Add(v.UnsafePointer(), off)
}

// kindAt returns the kind of what lies at an offset of a type.
func kindAt(t reflect.Type, off uintptr) reflect.Kind {
	switch t.Kind() {
	case reflect.Array:
		return kindAt(t.Elem(), off%t.Elem().Size())
	case reflect.Struct:
		for i := t.NumField() - 1; i >= 0; i-- {
			if f := t.Field(i); f.Offset <= off && f.Type.Size() > 0 {
				return kindAt(f.Type, off-f.Offset)
			}
		}
	}
	return t.Kind()
}

func word[T any]() rtype.Word { return rtype.WordOf(reflect.TypeFor[T]()) }

func TestFrameType(t *testing.T) {
	for _, c := range []struct {
		size uintptr
		offs []uintptr
		ok   bool
	}{
		{0, nil, true}, {72, []uintptr{0, 8, 64}, true}, {70, []uintptr{64}, true}, {8, []uintptr{8}, false},
		{16, []uintptr{4}, false}, {16, []uintptr{8, 0}, false}, {16, []uintptr{8, 8}, false}, {1 << 20, []uintptr{1<<20 - 8}, true},
	} {
		f, err := rtype.NewFrameType(c.size, c.offs)
		if (err == nil) != c.ok {
			t.Errorf("%d %v: %v", c.size, c.offs, err)
		}
		if err == nil && f.Size() < c.size {
			t.Errorf("%d bytes for %d", f.Size(), c.size)
		}
	}
}

// Frames of many sizes hold pointers in some words and integers that look like pointers in the others.
func TestFramesAreCollectedExactly(t *testing.T) {
	type object struct {
		n   int
		pad [2]int
	}
	for _, size := range []uintptr{16, 64, 504, 512, 520, 4096, 40000, 300000} {
		var offs []uintptr
		for o := uintptr(8); o < size; o += 24 {
			offs = append(offs, o)
		}
		f, err := rtype.NewFrameType(size, offs)
		if err != nil {
			t.Fatal(err)
		}
		p := f.New()
		freed := 0
		done := make(chan bool, 2)
		func() {
			dead := &object{n: 1}
			runtime.AddCleanup(dead, func(int) { done <- true }, 0)
			*(*uintptr)(p) = uintptr(unsafe.Pointer(dead)) // an integer
		}()
		for _, o := range offs {
			*(**object)(unsafe.Add(p, o)) = &object{n: int(o)}
		}
		for range 4 {
			runtime.GC()
			garbage = make([]byte, 1<<12)
		}
		select {
		case <-done:
			freed++
		default:
		}
		for _, o := range offs {
			if x := *(**object)(unsafe.Add(p, o)); x.n != int(o) {
				t.Fatalf("size %d: the pointer at %d shows %d", size, o, x.n)
			}
		}
		f.Clear(p)
		if *(*uintptr)(p) != 0 || *(*uintptr)(unsafe.Add(p, offs[len(offs)-1])) != 0 {
			t.Error("Clear leaves something")
		}
		runtime.KeepAlive(f)
		if freed == 0 && size > 16 {
			t.Logf("size %d: the integer's object was not freed yet", size)
		}
	}
}

func TestMaps(t *testing.T) {
	type key struct{ a, b string }
	w := word[map[key]int]()
	m := rtype.MakeMap(w, 10)
	for i := range 100 {
		k := key{fmt.Sprint(i), "x"}
		*(*int)(rtype.MapSlot(w, m, unsafe.Pointer(&k))) = i
	}
	k := key{"7", "x"}
	if p := (*int)(rtype.MapGet(w, m, unsafe.Pointer(&k))); p == nil || *p != 7 || rtype.MapLen(m) != 100 {
		t.Error("MapGet", p, rtype.MapLen(m))
	}
	rtype.MapDelete(w, m, unsafe.Pointer(&k))
	if rtype.MapGet(w, m, unsafe.Pointer(&k)) != nil || rtype.MapGet(w, nil, unsafe.Pointer(&k)) != nil {
		t.Error("a deleted key is there")
	}
	if rtype.MapClear(w, m); rtype.MapLen(m) != 0 {
		t.Error("MapClear")
	}
	w = word[map[int]string]()
	m = rtype.MakeMap(w, 0)
	if rtype.MapFastKey(w) != rtype.Uint64Key || rtype.MapFastKey(word[map[string][200]byte]()) != rtype.SlowKey ||
		rtype.MapFastKey(word[map[string]int]()) != rtype.StringKey || rtype.MapFastKey(word[map[int32]int]()) != rtype.SlowKey {
		t.Error("MapFastKey")
	}
	*(*string)(rtype.MapSlot64(w, m, 5)) = "five"
	if p := rtype.MapGet64(w, m, 5); *(*string)(p) != "five" || rtype.MapGet64(w, m, 6) != nil || rtype.MapGet64(w, nil, 5) != nil {
		t.Error("MapGet64")
	}
	w = word[map[string]int]()
	m = rtype.MakeMap(w, 0)
	*(*int)(rtype.MapSlotString(w, m, "a")) = 1
	if *(*int)(rtype.MapGetString(w, m, "a")) != 1 || rtype.MapGetString(w, m, "b") != nil {
		t.Error("MapGetString")
	}
	defer func() {
		if e := recover(); fmt.Sprint(e) != "assignment to entry in nil map" {
			t.Error(e)
		}
	}()
	rtype.MapSlotString(w, nil, "a")
}

func TestChannels(t *testing.T) {
	ch := rtype.MakeChan(word[chan string](), 1)
	a, b := "a", ""
	if !rtype.ChanSend(ch, unsafe.Pointer(&a), true) || rtype.ChanSend(ch, unsafe.Pointer(&a), false) || rtype.ChanLen(ch) != 1 || rtype.ChanCap(ch) != 1 {
		t.Error("send")
	}
	if s, ok := rtype.ChanRecv(ch, unsafe.Pointer(&b), true); !s || !ok || b != "a" {
		t.Error("receive", s, ok, b)
	}
	if s, _ := rtype.ChanRecv(ch, unsafe.Pointer(&b), false); s {
		t.Error("received from an empty channel")
	}
	rtype.ChanClose(ch)
	if s, ok := rtype.ChanRecv(ch, unsafe.Pointer(&b), true); !s || ok || b != "" {
		t.Error("receive from a closed channel", s, ok, b)
	}
}

func TestInterfaceWords(t *testing.T) {
	var s fmt.Stringer = reflect.ValueOf(1).Kind()
	i := (*rtype.Iface)(unsafe.Pointer(&s))
	if rtype.ItabType(i.Tab) != word[reflect.Kind]() || rtype.Itab(word[fmt.Stringer](), word[reflect.Kind]()) != i.Tab {
		t.Error("Itab")
	}
	if rtype.Itab(word[fmt.Stringer](), word[int]()) != nil {
		t.Error("int has an itab for Stringer")
	}
	if m := rtype.MissingMethod(word[fmt.Stringer](), word[int]()); m != "String" {
		t.Error("missing method:", m)
	}
	if m := rtype.MissingMethod(word[error](), word[reflect.Kind]()); m != "Error" {
		t.Error("missing method:", m)
	}
	if rtype.DynamicType(word[fmt.Stringer](), unsafe.Pointer(&s)) != word[reflect.Kind]() {
		t.Error("DynamicType of an interface with methods")
	}
	var e any = &s
	if rtype.DynamicType(word[any](), unsafe.Pointer(&e)) != word[*fmt.Stringer]() || *(**fmt.Stringer)(rtype.Data(word[*fmt.Stringer](), unsafe.Pointer(&e))) != &s {
		t.Error("DynamicType, Data of any")
	}
	x := "boxed"
	box := rtype.Eface{Type: word[string](), Data: rtype.Box(word[string](), unsafe.Pointer(&x))}
	x = "changed"
	if v := *(*any)(unsafe.Pointer(&box)); v != "boxed" {
		t.Error(v)
	}
}

func TestFuncWords(t *testing.T) {
	n := 40
	add := func(i int) int { return n + i }
	w := rtype.FuncWord(reflect.ValueOf(add))
	if v := rtype.FuncValue(reflect.TypeFor[func(int) int](), w).Interface().(func(int) int)(2); v != 42 {
		t.Error(v)
	}
	if rtype.FuncWord(reflect.ValueOf((func())(nil))) != nil || rtype.CodeAddress(w) != reflect.ValueOf(add).Pointer() {
		t.Error("words")
	}
	made := rtype.MakeFunc(reflect.TypeFor[func(string) (int, error)](), func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(a[0].Len()), reflect.Zero(reflect.TypeFor[error]())}
	})
	if v, err := rtype.FuncValue(reflect.TypeFor[func(string) (int, error)](), made).Interface().(func(string) (int, error))("abc"); v != 3 || err != nil {
		t.Error(v, err)
	}
}

func TestSlicesAndMemory(t *testing.T) {
	a := []string{"a", "b"}
	s := *(*rtype.Slice)(unsafe.Pointer(&a))
	g := rtype.GrowSlice(word[string](), s, 3)
	if g.Len != 2 || g.Cap < 5 || !slices.Equal(*(*[]string)(unsafe.Pointer(&g)), a) {
		t.Error(g)
	}
	b := make([]string, 1)
	if n := rtype.CopySlice(word[string](), *(*rtype.Slice)(unsafe.Pointer(&b)), s); n != 1 || b[0] != "a" {
		t.Error(n, b)
	}
	p := rtype.New(word[[2]string]())
	rtype.Move(word[[2]string](), p, unsafe.Pointer(&[2]string{"x", "y"}))
	if eq := rtype.EqualFunc(word[[2]string]()); !eq(p, unsafe.Pointer(&[2]string{"x", "y"})) || eq(p, unsafe.Pointer(&[2]string{"x", "z"})) {
		t.Error("EqualFunc")
	}
	if rtype.Hash(word[[2]string](), p, 1) != rtype.Hash(word[[2]string](), unsafe.Pointer(&[2]string{"x", "y"}), 1) {
		t.Error("Hash")
	}
	rtype.Clear(word[[2]string](), p)
	if *(*[2]string)(p) != [2]string{} {
		t.Error("Clear")
	}
	if rtype.EqualFunc(word[[]int]()) != nil || !rtype.Comparable(word[any]()) {
		t.Error("Comparable")
	}
}
