package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// until waits for what comes soon.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not so: " + what)
		}
	}
}

// TestBesideIsBounded: however many requests come, a bounded number is answered at a time, each
// once.
func TestBesideIsBounded(t *testing.T) {
	var work sync.WaitGroup
	var now, most, done atomic.Int64
	let := make(chan struct{})
	b := newSidePool(&work, func(*request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		<-let
		now.Add(-1)
		done.Add(1)
	})
	pushed := int64(0)
	for b.push(new(request)) {
		if pushed++; pushed == maxBeside {
			until(t, "as many at a time as may be", func() bool { return now.Load() == maxBeside })
		}
	}
	if pushed != maxBeside+maxQueued {
		t.Errorf("%d requests were taken", pushed)
	}
	close(let)
	until(t, "all are answered", func() bool { return done.Load() == pushed })
	if n := most.Load(); n != maxBeside {
		t.Errorf("%d at a time", n)
	}
	state := func() (running, idle int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.running, b.idle
	}
	until(t, "few goroutines wait", func() bool { running, idle := state(); return running == maxIdle && idle == maxIdle })
	for range 3 * maxIdle { // one after the other: those that wait answer
		before := done.Load()
		b.push(new(request))
		until(t, "it is answered", func() bool { return done.Load() == before+1 })
		until(t, "they wait again", func() bool { _, idle := state(); return idle == maxIdle })
	}
	b.close()
	work.Wait()
	if b.push(new(request)) {
		t.Error("taken after the end")
	}
}

// TestBesideGoesOn: one that takes its time holds up no other, also where goroutines are idle.
func TestBesideGoesOn(t *testing.T) {
	var work sync.WaitGroup
	slow := &request{aborted: true}
	let, quick := make(chan struct{}), make(chan struct{}, 100)
	b := newSidePool(&work, func(r *request) {
		if r == slow {
			<-let
			return
		}
		quick <- struct{}{}
	})
	for range 20 {
		for range maxIdle + 1 { // fewer in all than are answered at a time
			b.push(slow)
		}
		b.push(new(request))
		select {
		case <-quick:
		case <-time.After(20 * time.Second):
			t.Fatal("held up")
		}
	}
	close(let)
	b.close()
	work.Wait()
}
