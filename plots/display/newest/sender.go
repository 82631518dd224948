package newest

import (
	"sync"
	"time"
)

const (
	// pause is the least time between two rounds: 40 a second look like motion.
	pause = 25 * time.Millisecond
	// perState is what a front end needs for one state, roughly (JupyterLab 4.6 takes 600 comm
	// messages a second): where many things change, rounds are further apart.
	perState = 4 * time.Millisecond
)

// A Sender passes states V of things K on to Send, under its lock: Send must not call the Sender.
// Its methods may be called by several goroutines at once.
type Sender[K comparable, V any] struct {
	Send func(K, V)
	// Merge makes one state of two, the later the second; nil: the later is all there is.
	Merge func(V, V) V

	mu      sync.Mutex
	order   []K
	waiting map[K]V
	next    time.Time // no round before
	timer   *time.Timer
}

// Put passes a state on, at once or when its time has come, unless a newer one of the same thing
// comes before.
func (s *Sender[K, V]) Put(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := time.Until(s.next)
	if len(s.order) == 0 && wait <= 0 {
		s.Send(k, v)
		s.next = time.Now().Add(pause)
		return
	}
	before, waits := s.waiting[k]
	switch {
	case !waits:
		s.add(k, v, wait)
	case s.Merge != nil:
		s.waiting[k] = s.Merge(before, v)
	default:
		s.waiting[k] = v
	}
}

// add makes k wait; the first that does starts the timer.
func (s *Sender[K, V]) add(k K, v V, wait time.Duration) {
	if s.waiting == nil {
		s.waiting = map[K]V{}
	}
	if s.order = append(s.order, k); len(s.order) == 1 {
		s.timer = time.AfterFunc(wait, s.Flush)
	}
	s.waiting[k] = v
}

// Flush passes on all that waits.
func (s *Sender[K, V]) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return
	}
	s.timer.Stop()
	for _, k := range s.order {
		s.Send(k, s.waiting[k])
	}
	s.next = time.Now().Add(max(pause, time.Duration(len(s.order))*perState))
	clear(s.waiting)
	s.order = s.order[:0]
}
