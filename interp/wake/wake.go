package wake

import (
	"cmp"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A Waiter is a goroutine that is in, or about to begin, a send or receive of a channel that parks it, and that does not go on while Wake
// may look at it.
type Waiter struct {
	G     uintptr      // the runtime's descriptor of it
	Woken *atomic.Bool // is set if it was woken, before it goes on
	found bool
}

// Wake wakes those that are parked in a send of the channel, or in a receive. Others, which have not come to park yet or which a value has just
// reached, it leaves alone. It orders waiters.
func Wake(ch unsafe.Pointer, sends bool, waiters []Waiter) {
	if ch == nil || len(waiters) == 0 || !findLocks() {
		return
	}
	slices.SortFunc(waiters, func(a, b Waiter) int { return cmp.Compare(a.G, b.G) })
	c := (*hchan)(ch)
	q := &c.recvq
	if sends {
		q = &c.sendq
	}
	runtimeLock(&c.lock)
	q.take(waiters, sends)
	runtimeUnlock(&c.lock)
	for i := range waiters {
		if w := &waiters[i]; w.found { // parked until it is made ready here: nobody else knows of it any more
			w.found = false
			w.Woken.Store(true)
			goready(descriptor(w.G), 1)
		}
	}
}

// take takes the waiters that are in the queue out of it. The channel is locked. A select wins its goroutine by other means: it is no waiter's.
//
//go:norace
//go:nosplit
func (q *waitq) take(waiters []Waiter, success bool) {
	for s := q.first; s != nil; {
		next := s.next
		if w := find(waiters, uintptr(s.g)); w != nil && !s.isSelect {
			q.remove(s)
			s.elem = traceable{}
			s.success = success // a send that fails on an open channel is fatal
			w.found = true
		}
		s = next
	}
}

// find looks for a goroutine: a binary search.
//
//go:norace
//go:nosplit
func find(waiters []Waiter, g uintptr) *Waiter {
	lo, hi := 0, len(waiters)
	for lo < hi {
		mid := (lo + hi) / 2
		if waiters[mid].G < g {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(waiters) && waiters[lo].G == g {
		return &waiters[lo]
	}
	return nil
}

// descriptor is the address of a goroutine's descriptor as a pointer. The runtime keeps them all.
//
//go:nocheckptr
func descriptor(g uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&g)) }
