package gorelease

import (
	"errors"
	"sync"
	"unsafe"
)

// Selects is the fact that selects of cells wait by.
var Selects = &Fact{
	Name:    "runtime.selectgo",
	Why:     "a select of cells that waits calls the runtime as a compiled one does",
	Without: "selects that wait without allocations: they go through package reflect, at a third of the speed",
	check:   checkSelects,
}

// Bubbles is the fact that testing/synctest in cells rests on.
var Bubbles = &Fact{
	Name:    "internal/synctest.IsInBubble",
	Why:     "goroutines of cells in a bubble of testing/synctest wait as compiled ones do",
	Without: "testing/synctest.Test in cells",
	check: func() error {
		if inBubble() == nil || inBubble()() {
			return errors.New("it does not say that nobody is in a bubble")
		}
		return nil
	},
}

// A SelectCase is runtime.scase: a channel, nil for one that is never ready, and where what is sent
// lies or what is received goes.
type SelectCase struct{ Ch, Elem unsafe.Pointer }

// A SelectFunc is runtime.selectgo: sends come first among the cases; order has room for two
// numbers a case.
type SelectFunc func(cases *SelectCase, order *uint16, pcs *uintptr, sends, receives int, block bool) (int, bool)

// Selectgo is that function, nil where it does not do what it is known to do.
func Selectgo() SelectFunc {
	if !Selects.Holds() {
		return nil
	}
	return selectgo()
}

var selectgo = sync.OnceValue(func() SelectFunc {
	if at := compiled("runtime.selectgo"); at != 0 {
		return FuncAt[SelectFunc](at)
	}
	return nil
})

// checkSelects tries it on channels that are ready: a send and a receive of three cases.
func checkSelects() error {
	f := selectgo()
	if f == nil {
		return errors.New("there is none")
	}
	never, full, empty := make(chan int), make(chan int, 1), make(chan int, 1)
	full <- 7
	sent, got, order := 9, 0, [4]uint16{}
	cases := [2]SelectCase{{chanWord(empty), unsafe.Pointer(&sent)}, {chanWord(never), unsafe.Pointer(&got)}}
	i, received := f(&cases[0], &order[0], nil, 1, 1, true)
	if i != 0 || received || len(empty) != 1 || <-empty != sent {
		return errors.New("it does not send")
	}
	cases = [2]SelectCase{{chanWord(never), unsafe.Pointer(&sent)}, {chanWord(full), unsafe.Pointer(&got)}}
	if i, received = f(&cases[0], &order[0], nil, 1, 1, true); i != 1 || !received || got != 7 {
		return errors.New("it does not receive")
	}
	return nil
}

func chanWord(ch chan int) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

// InBubble is internal/synctest.IsInBubble, which reports whether the running goroutine is in a
// bubble; nil where that cannot be told.
func InBubble() func() bool {
	if !Bubbles.Holds() {
		return nil
	}
	return inBubble()
}

var inBubble = sync.OnceValue(func() func() bool {
	if at := compiled("internal/synctest.IsInBubble"); at != 0 {
		return FuncAt[func() bool](at)
	}
	return nil
})
