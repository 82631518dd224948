package serve

import (
	"sync"
	"syscall"
	"time"
)

const (
	// pollInterval is how long the runtime's monitor may sleep while cells follow each other.
	pollInterval = 40 * time.Millisecond
	// maxIdlePolls is for how many intervals the next cell is awaited.
	maxIdlePolls = 20
)

// A monitor sees to it that what comes in is heard while cells compute.
//
// Where every processor of the runtime runs a loop, nobody but the runtime's own monitor looks for
// what comes in and takes a processor away from one. That monitor sleeps while nothing runs, until
// the next timer is due or an ordinary system call is made: for a minute, where there is neither,
// and package direct, through which cells come, tells it nothing. To wake it for each cell costs
// more than most cells take. So the first of a sequence of cells wakes it, and a timer that is due
// soon keeps its sleep short until none has followed for a while.
//
// Nor does the runtime's monitor suffice where many more goroutines compute than there are
// processors: whoever is to read what came runs behind all of
// them, each for its 10 ms. Goroutines that a ticker wakes run next, mostly: while a cell lasts,
// one looks whether something waits to be read, and has the
// session hush what computes. There are several, as one that lost its turn waits behind all the
// others too.
type monitor struct {
	waits func() bool // reports whether something waits to be read
	runs  func() bool // reports whether a cell runs
	hush  func(bool)

	mu     sync.Mutex // guards what follows
	ticker *time.Ticker
	over   chan struct{} // closed when nothing is to be heard any more
	armed  bool
	unused int // how many ticks in a row nothing had begun
	hushes int // how many ticks in a row something waited
	linger int // for how many ticks yet what computes is held up
	closed bool
}

const (
	// listeners are the goroutines that the ticker wakes.
	listeners = 8
	// longestHush is how many ticks in a row what computes is held up, to go on for as many: what
	// waits any longer may not be read for another reason.
	longestHush = 20
	// afterHush is how many ticks those have that do what was read.
	afterHush = 5
)

// work says that something begins that may last.
func (m *monitor) work() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unused = 0
	if m.armed || m.closed {
		return
	}
	m.armed = true
	if m.ticker == nil {
		m.ticker, m.over = time.NewTicker(pollInterval), make(chan struct{})
		for range listeners {
			go m.listen(m.ticker.C, m.over)
		}
	} else {
		m.ticker.Reset(pollInterval)
	}
	_ = syscall.Close(-1) // an ordinary system call, of no descriptor: there is nothing to close
}

func (m *monitor) listen(tick <-chan time.Time, over <-chan struct{}) {
	for {
		select {
		case <-tick:
			m.tick()
		case <-over:
			return
		}
	}
}

func (m *monitor) tick() {
	waits, runs := m.waits(), m.runs()
	if !m.mu.TryLock() {
		return // by one that lost its turn
	}
	defer m.mu.Unlock()
	if m.hushes++; !waits {
		m.hushes = 0
		m.linger--
	} else {
		m.linger = afterHush
	}
	m.hush(m.linger > 0 && m.hushes%(2*longestHush) < longestHush)
	m.unused++
	if m.armed = runs || m.linger > 0 || m.unused <= maxIdlePolls; !m.armed {
		m.ticker.Stop()
	}
}

func (m *monitor) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.ticker != nil {
		m.ticker.Stop()
		close(m.over)
	}
}
