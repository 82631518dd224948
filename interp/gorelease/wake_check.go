package gorelease

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// checkParking proves by what happens that goroutines can be woken in this process: on a receive,
// on a send and between others, with the channel as good as new after.
func checkParking() error {
	if !findLocks() {
		return errors.New("the locks of channels are not found")
	}
	if !wakes() {
		return errors.New("goroutines that wait for a channel are not where they should be, or do not wake")
	}
	return nil
}

// A parked is a goroutine of the check on a channel of its own element type's shape.
type parked struct {
	g     uintptr
	woken atomic.Bool
	ended atomic.Bool
	got   int
	ok    bool
}

// wakes parks goroutines, looks whether they are where queue.go says, wakes them, and uses the
// channel.
func wakes() bool {
	ch := make(chan int)
	c := *(**hchan)(unsafe.Pointer(&ch))
	first, middle, last := receiver(ch), (*parked)(nil), (*parked)(nil)
	defer close(ch) // those that are left go
	if !parks(c, &c.recvq, first, nil) {
		return false
	}
	middle = receiver(ch)
	if !parks(c, &c.recvq, middle, first) {
		return false
	}
	last = receiver(ch)
	if !parks(c, &c.recvq, last, middle) || !lockable(c) {
		return false
	}
	if !middle.wakes(ch, false) || middle.ok || first.ended.Load() || last.ended.Load() {
		return false
	}
	ch <- 1
	if !first.ends() || first.got != 1 || !first.ok || !last.wakes(ch, false) || last.ok {
		return false
	}
	return sends(ch, c) && c.recvq == waitq{} && c.sendq == waitq{} && c.closed == 0
}

// sends does the same with senders.
func sends(ch chan int, c *hchan) bool {
	one := sender(ch, 1)
	if !parks(c, &c.sendq, one, nil) {
		return false
	}
	two := sender(ch, 2)
	if !parks(c, &c.sendq, two, one) || !one.wakes(ch, true) || two.ended.Load() {
		return false
	}
	return <-ch == 2 && two.ends()
}

func receiver(ch chan int) *parked {
	return begin(func(p *parked) { p.got, p.ok = <-ch })
}

func sender(ch chan int, v int) *parked {
	return begin(func(*parked) { ch <- v })
}

func begin(wait func(*parked)) *parked {
	p, begun := &parked{}, make(chan bool)
	go func() {
		defer func() { _ = recover() }() // a sender, if the check fails before it has sent
		p.g = Goroutine()
		close(begun)
		wait(p)
		p.ended.Store(true)
	}()
	<-begun
	return p
}

// parks waits until the goroutine is the last in the queue, behind another if there is to be one.
func parks(c *hchan, q *waitq, p, before *parked) bool {
	return soon(func() bool { return isLast(c, q, p, before) })
}

// isLast reads the queue as it is at a moment that may be none of rest: only all of it together
// tells.
//
//go:norace
//go:nocheckptr
func isLast(c *hchan, q *waitq, p, before *parked) bool {
	s := (*sudog)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&q.last))))
	switch {
	case s == nil || uintptr(s.g) != p.g || s.next != nil || s.isSelect,
		s.c.vu != uintptr(unsafe.Pointer(c)) || s.elem.vu == 0:
		return false
	case before == nil:
		return s.prev == nil && q.first == s
	}
	return s.prev != nil && uintptr(s.prev.g) == before.g && s.prev.next == s
}

// lockable takes the channel's lock and gives it back. Who has just parked may still have it.
func lockable(c *hchan) bool {
	return soon(func() bool {
		runtimeLock(&c.lock)
		held := c.lock.key
		runtimeUnlock(&c.lock)
		return held != 0 && c.lock.key == 0
	})
}

// wakes tells that the goroutine goes on when it is woken.
func (p *parked) wakes(ch chan int, sends bool) bool {
	WakeParked(*(*unsafe.Pointer)(unsafe.Pointer(&ch)), sends, []Waiter{{G: p.g, Woken: &p.woken}})
	return p.woken.Load() && p.ends()
}

func (p *parked) ends() bool { return soon(p.ended.Load) }

// soon lets others run until something is so.
func soon(so func() bool) bool {
	for begin := time.Now(); !so(); runtime.Gosched() {
		if time.Since(begin) > patience {
			return false
		}
	}
	return true
}
