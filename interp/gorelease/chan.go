package gorelease

import (
	"errors"
	"reflect"
	"unsafe"
)

// ChanElems is the fact that channels of cells are told from others by.
var ChanElems = &Fact{
	Name:    "runtime.hchan.elemtype",
	Why:     "a channel that a cell made is known: nobody else can wake those that wait for it",
	Without: "a cell ends when all its goroutines wait for its own channels for good: it waits until it is interrupted",
	check:   checkChanElems,
}

// These are the runtime's types in runtime/chan.go and runtime2.go.
type (
	hchan struct {
		qcount, dataqsiz uint
		buf              unsafe.Pointer
		elemsize         uint16
		closed           uint32
		timer            unsafe.Pointer
		elemtype         *Type
		sendx, recvx     uint
		recvq, sendq     waitq
		bubble           unsafe.Pointer
		lock             mutex
	}
	waitq struct{ first, last *sudog }
	mutex struct{ key uintptr }
	// sudog is one goroutine in one queue.
	sudog struct {
		g                        unsafe.Pointer
		next, prev               *sudog
		elem                     traceable
		acquiretime, releasetime int64
		ticket                   uint32
		isSelect, success        bool
		waiters                  uint16
		parent                   *sudog
		waitlink, waittail       *sudog
		c                        traceable
	}
	traceable struct {
		vp unsafe.Pointer
		vu uintptr
	}
)

// remove takes s out of the queue: a doubly linked list.
//
//go:norace
//go:nosplit
func (q *waitq) remove(s *sudog) {
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		q.first = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		q.last = s.prev
	}
	s.next, s.prev = nil, nil // so the runtime sees that it is in no queue
}

// ChanElem is the type of the elements of a channel, which the runtime uses to copy and clear them;
// nil where that cannot be told.
func ChanElem(ch unsafe.Pointer) *Type {
	if !ChanElems.Holds() {
		return nil
	}
	return (*hchan)(ch).elemtype
}

func checkChanElems() error {
	plain := make(chan *probe, 3)
	plain <- nil
	c := *(**hchan)(unsafe.Pointer(&plain))
	if c.qcount != 1 || c.dataqsiz != 3 || c.elemtype != (*Chan)(compiledWord(reflect.TypeOf(plain))).Elem {
		return errors.New("a channel has another head")
	}
	return nil
}
