package gorelease

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Parking is the fact that goroutines of cells are woken by which wait for one channel.
var Parking = &Fact{
	Name: "runtime.sudog",
	Why: "a goroutine of cells that waits for a channel parks on it as compiled code does, and an interrupt takes it " +
		"out of the channel's queue",
	Without: "waits of cells for one channel as quick as compiled ones: each is a select with what interrupts it",
	check:   checkParking,
}

// An interrupt wakes goroutines that are parked in a send or receive of a channel, without a value
// and without closing the channel, which is as if those that are woken had never come. What wakes
// one does for it what closing a channel does for each (runtime/chan.go): under the channel's lock
// it is taken out of the queue, and made ready after. A receive that is woken has received nothing,
// from nobody; a send that is woken returns as if it had sent, because the runtime knows no other
// end of one on an open channel: Waiter.Woken tells.

// The runtime's lock, for its own data alone: a goroutine that holds one is not preempted, and must
// do little.
var runtimeLock, runtimeUnlock func(*mutex)

//go:linkname goready runtime.goready
func goready(gp unsafe.Pointer, traceskip int)

// findLocks finds the functions, which the runtime exports to nobody.
var findLocks = sync.OnceValue(func() bool {
	lock, unlock := compiled("runtime.lock2"), compiled("runtime.unlock2")
	if lock == 0 || unlock == 0 {
		return false
	}
	runtimeLock, runtimeUnlock = FuncAt[func(*mutex)](lock), FuncAt[func(*mutex)](unlock)
	return true
})

// A Waiter is a goroutine that is in, or about to begin, a send or receive of a channel that parks
// it, and that does not go on while WakeParked may look at it.
type Waiter struct {
	G     uintptr      // the runtime's descriptor of it
	Woken *atomic.Bool // is set if it was woken, before it goes on
	found bool
}

// WakeParked wakes those that are parked in a send of the channel, or in a receive. Others, which
// have not come to park yet or which a value has just reached, it leaves alone. It orders waiters.
func WakeParked(ch unsafe.Pointer, sends bool, waiters []Waiter) {
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
			goready(unsafe.Pointer(descriptorOf(w.G)), 1)
		}
	}
}

// take takes the waiters that are in the queue out of it. The channel is locked. A select wins its
// goroutine by other means: it is no waiter's.
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
