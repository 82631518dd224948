package standin

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// once is sync.Once, field for field; sameOnce reports whether it is.
type once struct {
	done atomic.Bool
	m    sync.Mutex
}

var sameOnce = same(reflect.TypeFor[sync.Once](), reflect.TypeFor[once]())

// same reports whether t has u's fields, at their places and of their types, and none besides that
// takes memory.
func same(t, u reflect.Type) bool {
	for i := range u.NumField() {
		f := u.Field(i)
		if g, ok := t.FieldByName(f.Name); !ok || g.Offset != f.Offset || g.Type != f.Type {
			return false
		}
	}
	return t.Size() == u.Size()
}

// DoOnce is (*sync.Once).Do with another way to lock.
func DoOnce(o *sync.Once, f func(), lock func(*sync.Mutex)) {
	if !sameOnce {
		o.Do(f)
		return
	}
	x := (*once)(unsafe.Pointer(o))
	if x.done.Load() {
		return
	}
	lock(&x.m)
	defer x.m.Unlock()
	if !x.done.Load() {
		defer x.done.Store(true)
		f()
	}
}
