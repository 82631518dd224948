//go:build go1.26 && !go1.28

package wake

import "unsafe"

// These are the runtime's types of Go 1.26 and 1.27, in runtime/chan.go and runtime2.go.
type (
	hchan struct {
		qcount, dataqsiz uint
		buf              unsafe.Pointer
		elemsize         uint16
		closed           uint32
		timer            unsafe.Pointer
		elemtype         unsafe.Pointer
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
