package deadlock

import (
	"slices"
	"sync"
	"time"
)

// A Lookout begins the watches of an engine's runs, with one timer for all that started within
// firstLook: most are over by then, and each timer that is set wakes a thread.
type Lookout struct {
	mu    sync.Mutex
	next  []beginner
	timer *time.Timer
	set   bool
}

// A beginner is a watch of any engine's.
type beginner interface {
	begin()
	isOver() bool
}

func (l *Lookout) add(w beginner) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = append(slices.DeleteFunc(l.next, beginner.isOver), w)
	switch {
	case l.timer == nil:
		l.timer = time.AfterFunc(firstLook, l.begin)
	case !l.set:
		l.timer.Reset(firstLook)
	}
	l.set = true
}

func (l *Lookout) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.next {
		if !w.isOver() {
			w.begin()
		}
	}
	l.next, l.set = nil, false
}
