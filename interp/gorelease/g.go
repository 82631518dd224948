package gorelease

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Goroutines is the fact that cells' goroutines are told apart by.
var Goroutines = &Fact{
	Name:    "runtime.g",
	Why:     "what a goroutine executes, and how much of its stack it uses, is found by its descriptor",
	Without: "cells: engines cannot tell goroutines apart",
	Vital:   true,
	check:   checkGoroutines,
}

// GoroutineNumbers is the fact that ties a cell's goroutine to the runtime's list of them.
var GoroutineNumbers = &Fact{
	Name:    "runtime.g.goid",
	Why:     "goroutines of cells are found in the runtime's list of those that wait",
	Without: "a cell ends when all that could wake it waits for good in compiled code",
	check: func() error {
		if numberAt() == 0 {
			return errors.New("no word of a descriptor is the goroutine's number")
		}
		return nil
	},
}

// LastDefers is the fact that panics of cells on goroutines of compiled code rest on.
var LastDefers = &Fact{
	Name:    "runtime._defer",
	Why:     "a panic of cell code that nobody recovers, on a goroutine that compiled code started, ends its cell alone",
	Without: "such a panic is reported: it ends the worker, as it ends a compiled program",
	check:   checkLastDefers,
}

// Goroutine returns the address of the runtime's descriptor of the running goroutine: its identity
// while it lives. The runtime keeps descriptors for ever, for other goroutines after theirs.
//
//go:noescape
func Goroutine() uintptr

// goroutine is how runtime.g begins.
type goroutine struct {
	low, high uintptr // the stack
	guards    [2]uintptr
	panics    unsafe.Pointer
	defers    *deferRecord
	thread    unsafe.Pointer
	saved     [6]uintptr
	syscall   [3]uintptr
	top       uintptr // the stack pointer where the stack begins
}

// deferRecord is runtime._defer.
type deferRecord struct {
	heap, ranges bool
	sp, pc       uintptr
	call         func()
	link         *deferRecord
	head         unsafe.Pointer
}

//go:nocheckptr
func descriptorOf(g uintptr) *goroutine { return (*goroutine)(unsafe.Add(unsafe.Pointer(nil), g)) }

// StackUsed is how many bytes of its stack the running goroutine uses.
func StackUsed() uintptr {
	var here byte
	return descriptorOf(Goroutine()).high - uintptr(unsafe.Pointer(&here))
}

func checkGoroutines() error {
	d, other := descriptorOf(Goroutine()), make(chan uintptr)
	go func() { other <- Goroutine() }()
	switch o := <-other; {
	case Goroutine() == 0 || Goroutine() != uintptr(unsafe.Pointer(d)) || o == Goroutine():
		return errors.New("two goroutines have one descriptor, or one has two")
	case !onStack():
		return errors.New("a variable is not between the bounds of its stack")
	}
	return nil
}

// onStack reports whether a variable is on the stack that the descriptor says. Nothing may move the
// stack meanwhile.
//
//go:nosplit
func onStack() bool {
	var here byte
	d, at := descriptorOf(Goroutine()), uintptr(unsafe.Pointer(&here))
	return d.low < at && at < d.high && d.high-d.low <= 1<<31
}

// goidWords is how much of a descriptor is looked at.
const goidWords = 64

// numberAt is where a descriptor has the goroutine's number: 0 where that was not found. It is the
// place that is right for several goroutines: in a young process numbers are small, and others are
// the same by chance.
var numberAt = sync.OnceValue(func() uintptr {
	const goroutines = 12
	right := map[int]int{}
	for range goroutines {
		found := make(chan [goidWords]bool)
		go func() { found <- numberPlaces() }()
		for i, yes := range <-found {
			if yes {
				right[i]++
			}
		}
	}
	var at uintptr
	for i, n := range right {
		if n == goroutines {
			if at != 0 {
				return 0
			}
			at = uintptr(i) * unsafe.Sizeof(at)
		}
	}
	return at
})

// numberPlaces are the words of the running goroutine's descriptor that hold its number.
func numberPlaces() (places [goidWords]bool) {
	var b [64]byte
	text, _, _ := strings.Cut(strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine "), " ")
	id, err := strconv.ParseUint(text, 10, 64)
	for i := range places {
		places[i] = err == nil && i > 1 && wordOf(Goroutine(), uintptr(i)*8) == id
	}
	return places
}

//go:nocheckptr
func wordOf(g, at uintptr) uint64 { return *(*uint64)(unsafe.Add(unsafe.Pointer(nil), g+at)) }

// GoroutineNumber is the runtime's number of the goroutine with that descriptor; 0 where it is not
// known.
func GoroutineNumber(g uintptr) uint64 {
	if g == 0 || !GoroutineNumbers.Holds() {
		return 0
	}
	return wordOf(g, numberAt())
}

// A LastDefer is a deferred call of a goroutine that runs after all others. The runtime runs it as
// it runs those of any frame: its record says that it belongs to where the goroutine's stack
// begins.
type LastDefer struct{ record deferRecord }

// maxTop is how much of a stack is above where it begins.
const maxTop = 128

// Last returns the running goroutine's LastDefer, nil where it has none; ok is false where nothing
// can be deferred so.
func Last() (l *LastDefer, ok bool) {
	if !LastDefers.Holds() {
		return nil, false
	}
	return last()
}

//go:nocheckptr
func last() (l *LastDefer, ok bool) {
	d := descriptorOf(Goroutine())
	if d.top < d.low || d.top > d.high || d.high-d.top > maxTop {
		return nil, false
	}
	at := *end(d)
	if at != nil && at.sp == d.top {
		return (*LastDefer)(unsafe.Pointer(at)), true
	}
	return nil, true
}

// end is where the list of deferred calls leads to the last one; to nil where there is none.
func end(d *goroutine) **deferRecord {
	at := &d.defers
	for *at != nil && (*at).link != nil {
		at = &(*at).link
	}
	return at
}

// Append makes l the running goroutine's, which has none. The goroutine calls call: recover works
// there.
func (l *LastDefer) Append(call func()) {
	d := descriptorOf(Goroutine())
	l.record.sp, l.record.pc, l.record.call = d.top, bottom(), call
	at := end(d)
	if *at != nil {
		at = &(*at).link
	}
	*at = &l.record
}

// bottom is the function whose frame is where every goroutine's stack begins. Go 1.27 looks at it
// too when it looks for a record's frame.
var bottom = sync.OnceValue(func() uintptr { return compiled("runtime.goexit") })

func checkLastDefers() error {
	if err := readsDefers(); err != nil {
		return err
	}
	if _, ok := last(); !ok || bottom() == 0 {
		return errors.New("a goroutine's stack does not begin where its descriptor says, in runtime.goexit")
	}
	ran := make(chan bool, 1)
	go func() {
		(&LastDefer{}).Append(func() { ran <- true })
		runtime.Goexit()
	}()
	select {
	case <-ran:
		return nil
	case <-time.After(patience):
		return errors.New("a call appended to the deferred ones does not run")
	}
}

// patience is how long a check waits for what takes microseconds.
const patience = time.Second

// readsDefers defers calls, in a loop as then there are records, and finds them.
func readsDefers() (err error) {
	d := descriptorOf(Goroutine())
	before := d.defers
	calls := [2]func(){func() {}, func() {}}
	for i := range calls {
		defer calls[i]()
	}
	second := d.defers
	if second == nil || second.link == nil || second.link.link != before || second.sp < d.low || second.sp > d.high ||
		wordOfFunc(second.call) != wordOfFunc(calls[1]) || wordOfFunc(second.link.call) != wordOfFunc(calls[0]) {
		return errors.New("the calls that a function deferred are not in the goroutine's list")
	}
	return nil
}

func wordOfFunc(f func()) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }
