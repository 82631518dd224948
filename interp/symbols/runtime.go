package symbols

import (
	"math/bits"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
	"weak"
)

// cloneMap is what package maps links to the runtime for Clone: a shallow copy of any map.
func cloneMap(m any) any {
	v := reflect.ValueOf(m)
	if v.IsNil() {
		return m
	}
	c := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		c.SetMapIndex(it.Key(), it.Value())
	}
	return c.Interface()
}

// addCleanup runs f some time after the object that p points to is no longer reachable.
func addCleanup(p unsafe.Pointer, f func()) runtime.Cleanup {
	return runtime.AddCleanup((*byte)(p), func(f func()) { f() }, f)
}

// weakRegister makes the word of a weak.Pointer, which does not depend on its type parameter.
func weakRegister(p unsafe.Pointer) unsafe.Pointer {
	w := weak.Make((*byte)(p))
	return *(*unsafe.Pointer)(unsafe.Pointer(&w))
}

// weakStrong turns the word back into a pointer, nil once the object is gone.
func weakStrong(u unsafe.Pointer) unsafe.Pointer {
	var w weak.Pointer[byte]
	*(*unsafe.Pointer)(unsafe.Pointer(&w)) = u
	return unsafe.Pointer(w.Value())
}

// canonical maps values to the one pointer that stands for them, for package unique.
var canonical struct {
	sync.Mutex
	of map[any]unsafe.Pointer
}

// intern returns the pointer that stands for the value: the first that was given for it. Values
// stay for the life of the process.
func intern(value any, first unsafe.Pointer) unsafe.Pointer {
	canonical.Lock()
	defer canonical.Unlock()
	if canonical.of == nil {
		canonical.of = map[any]unsafe.Pointer{}
	}
	if p, ok := canonical.of[value]; ok {
		return p
	}
	canonical.of[value] = first
	return first
}

// sortedHint, xorshift and nextPowerOfTwo are what the sorts of package slices have that is neither
// generic nor exported. See that package's zsortanyfunc.go.
type sortedHint int

type xorshift uint64

// Next is Marsaglia's xorshift of 64 bits.
func (r *xorshift) Next() uint64 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return uint64(*r)
}

func nextPowerOfTwo(length int) uint { return 1 << bits.Len(uint(length)) }
