package rtype

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

func TestStubsRunOut(t *testing.T) {
	stubs.Lock()
	used := stubs.used
	stubs.used = StubCount - 1
	stubs.Unlock()
	defer func() {
		stubs.Lock()
		stubs.used = used
		stubs.Unlock()
		var se *StubError
		if err, ok := recover().(error); !ok || !errors.As(err, &se) || se.Stubs != StubCount {
			t.Error(err)
		}
	}()
	fv := FuncWord(reflect.ValueOf(func() int { return used }))
	last := newStub(fv)
	word := &last
	if got := (*(*func() int)(unsafe.Pointer(&word)))(); got != used {
		t.Errorf("the last stub calls something else: %d", got)
	}
	newStub(fv)
}
