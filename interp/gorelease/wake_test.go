package gorelease

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func BenchmarkWakes(b *testing.B) {
	for b.Loop() {
		if !wakes() {
			b.Fatal("no")
		}
	}
}

// Every third of those that wait is woken; the others get what is sent, or send, in the order in
// which they came.
func TestOthersKeepTheirOrder(t *testing.T) {
	if err := Parking.Err(); err != nil {
		t.Fatal(err)
	}
	const n = 300
	for _, sends := range []bool{false, true} {
		ch := make(chan int)
		c := *(**hchan)(unsafe.Pointer(&ch))
		var all []*parked
		var waiters []Waiter
		for i := range n {
			p, q := (*parked)(nil), &c.recvq
			if sends {
				p, q = sender(ch, i), &c.sendq
			} else {
				p = receiver(ch)
			}
			if !soon(func() bool { return isQueued(q, p) }) {
				t.Fatal("a goroutine does not park")
			}
			if all = append(all, p); i%3 == 0 {
				waiters = append(waiters, Waiter{G: p.g, Woken: &p.woken})
			}
		}
		WakeParked(*(*unsafe.Pointer)(unsafe.Pointer(&ch)), sends, slices.Clone(waiters))
		var got []int
		for i, p := range all {
			if p.woken.Load() != (i%3 == 0) {
				t.Fatalf("sends %v: %d of %d: woken is %v", sends, i, n, p.woken.Load())
			}
			switch {
			case i%3 == 0:
				if !p.ends() || p.ok {
					t.Fatalf("sends %v: %d was woken and does not go on, or got %d", sends, i, p.got)
				}
			case sends:
				got = append(got, <-ch)
			default:
				ch <- i
				if !p.ends() {
					t.Fatalf("%d does not get what is sent", i)
				}
				got = append(got, p.got)
			}
		}
		if len(got) != n-n/3 || !slices.IsSorted(got) || *c != (hchan{elemsize: 8, buf: c.buf, elemtype: c.elemtype}) {
			t.Errorf("sends %v: %v", sends, got)
		}
	}
}

// isQueued reports whether the goroutine is the last in the queue.
//
//go:norace
func isQueued(q *waitq, p *parked) bool {
	s := (*sudog)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&q.last))))
	return s != nil && uintptr(s.g) == p.g
}

// A waker's goroutine says when it waits, and goes on from a wait only when nobody looks.
type waitable struct {
	mu    sync.Mutex
	waits bool
	g     uintptr
	woken atomic.Bool
}

func (w *waitable) wait(op func()) (woken bool) {
	w.mu.Lock()
	w.g, w.waits = Goroutine(), true
	w.mu.Unlock()
	op()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = false
	return w.woken.Swap(false)
}

func (w *waitable) interrupt(ch chan int, sends bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits {
		WakeParked(*(*unsafe.Pointer)(unsafe.Pointer(&ch)), sends, []Waiter{{G: w.g, Woken: &w.woken}})
	}
}

// Some wait and are interrupted all the time, others send, receive and select on the same channel:
// what was sent arrives once, what was interrupted does not.
func TestInterruptsAmongOthers(t *testing.T) {
	for _, size := range []int{0, 3} {
		amongOthers(t, size, 300*time.Millisecond)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	amongOthers(t, 0, 300*time.Millisecond)
}

// A traffic is what goes on on one channel.
type traffic struct {
	ch               chan int
	next, got, woken atomic.Int64
	seen             sync.Map // values that arrived
	quiet            atomic.Bool
	senders, rest    sync.WaitGroup
	interrupted      []*waitable
	interruptedSends []*waitable
	withdrawn        sync.Map // values whose sender was woken
	t                *testing.T
}

// pause has others wait now and then.
func pause(v int) {
	if v%2 == 0 {
		time.Sleep(20 * time.Microsecond)
	}
}

func (l *traffic) arrives(v int) {
	if _, twice := l.seen.LoadOrStore(v, true); twice {
		l.t.Errorf("%d arrives twice", v)
	}
	l.got.Add(1)
}

func amongOthers(t *testing.T, size int, duration time.Duration) {
	l := &traffic{ch: make(chan int, size), t: t}
	never := make(chan int)
	for i := range 4 {
		l.senders.Go(func() { // some as selects, some plainly
			for !l.quiet.Load() {
				v := int(l.next.Add(1))
				pause(v)
				if i%2 == 0 {
					l.ch <- v
					continue
				}
				select {
				case l.ch <- v:
				case <-never:
				}
			}
		})
		l.rest.Go(func() { l.receiveAll(i%2 == 0, never) })
		w, s := &waitable{}, &waitable{}
		l.interrupted, l.interruptedSends = append(l.interrupted, w), append(l.interruptedSends, s)
		l.rest.Go(func() { l.receiveWaking(w) })
		l.senders.Go(func() { l.sendWaking(s) })
	}
	for end := time.Now().Add(duration); time.Now().Before(end); {
		for i := range l.interrupted {
			l.interrupted[i].interrupt(l.ch, false)
			l.interruptedSends[i].interrupt(l.ch, true)
		}
		runtime.Gosched()
	}
	l.quiet.Store(true)
	l.senders.Wait()
	close(l.ch)
	l.rest.Wait()
	withdrawn := int64(0)
	l.withdrawn.Range(func(v, _ any) bool {
		withdrawn++
		if _, arrived := l.seen.Load(v); arrived {
			t.Errorf("%d arrives, and its sender was woken", v)
		}
		return true
	})
	if l.next.Load() != l.got.Load()+withdrawn {
		t.Errorf("%d sent, %d received, %d withdrawn", l.next.Load(), l.got.Load(), withdrawn)
	}
	t.Logf("capacity %d: %d sent, %d sends and %d receives woken", size, l.next.Load(), withdrawn, l.woken.Load())
	if withdrawn+l.woken.Load() == 0 {
		t.Error("nobody was woken")
	}
}

func (l *traffic) receiveAll(plainly bool, never chan int) {
	for {
		var v int
		var ok bool
		if plainly {
			v, ok = <-l.ch
		} else {
			select {
			case v, ok = <-l.ch:
			case <-never:
			}
		}
		if !ok {
			return
		}
		l.arrives(v)
		pause(v + 1)
	}
}

func (l *traffic) receiveWaking(w *waitable) {
	for {
		var v int
		var ok bool
		woken := w.wait(func() { v, ok = <-l.ch })
		switch {
		case woken && ok:
			l.t.Errorf("a receive that was woken got %d", v)
		case woken:
			l.woken.Add(1)
		case !ok:
			return
		default:
			l.arrives(v)
		}
	}
}

func (l *traffic) sendWaking(s *waitable) {
	for !l.quiet.Load() {
		v := int(l.next.Add(1))
		pause(v)
		if s.wait(func() { l.ch <- v }) {
			l.withdrawn.Store(v, true)
		}
	}
}
