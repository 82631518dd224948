package worker

import (
	"sync"
	"syscall"
	"time"
)

const (
	// doze is how long the runtime's monitor may sleep while cells follow each other.
	doze = 40 * time.Millisecond
	// sequel is how many times as long a cell may be awaited.
	sequel = 20
)

// A monitor sees to it that what comes in is heard while cells compute.
//
// Where every processor of the runtime runs a loop, nobody but the runtime's own monitor looks for what comes in and takes a processor away from one.
// That monitor sleeps while nothing runs, until the next timer is due or an ordinary system call is made: for a minute, where there is neither, and package
// direct, through which cells come, tells it nothing. To wake it for each cell costs more than most cells take. So the first of
// a sequence of cells wakes it, and a timer that is due soon keeps its sleep short until none has followed for a while.
type monitor struct {
	mu     sync.Mutex // guards what follows
	timer  *time.Timer
	armed  bool
	unused int // how many times in a row the timer was due for nothing
	closed bool
}

// work says that something begins that may last.
func (m *monitor) work() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unused = 0
	if m.armed || m.closed {
		return
	}
	m.armed = true
	if m.timer == nil {
		m.timer = time.AfterFunc(doze, m.due)
	} else {
		m.timer.Reset(doze)
	}
	_ = syscall.Close(-1) // an ordinary system call, of no descriptor: there is nothing to close
}

// due sets the timer again, unless nothing has begun for a while.
func (m *monitor) due() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unused++
	if m.armed = m.unused <= sequel && !m.closed; m.armed {
		m.timer.Reset(doze)
	}
}

func (m *monitor) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.timer != nil {
		m.timer.Stop()
	}
}
