package kernel

import (
	"sync"
	"time"
)

// Jupyter's server stops passing on what a kernel publishes beyond 1,000 messages, or 1,000,000
// bytes of streams, per second over three seconds, and counts anew when a request is done. What it
// does not pass on is lost, so a cell waits here.
const (
	messageBurst = 400
	messageRate  = 600

	// limitWindow is the server's. limitBytes leaves room for what is on its way when a cell is
	// interrupted, which waits no more: the worker's window of a megabyte.
	limitWindow = 3 * time.Second
	limitBytes  = 1_800_000
	// limitStream is the most text in one message where bytes are counted.
	limitStream = 128 << 10
)

// serverVariable is in the environment of kernels that Jupyter's server started, and of no others.
const serverVariable = "JPY_SESSION_NAME"

// A bucket counts messages against messageRate, from each request that is done anew.
type bucket struct {
	mu     sync.Mutex
	tokens float64
	at     time.Time
}

// fill begins anew.
func (b *bucket) fill() {
	b.mu.Lock()
	b.tokens = messageBurst
	b.mu.Unlock()
}

// take uses n tokens and tells how long to wait for them.
func (b *bucket) take(n int) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.tokens = min(b.tokens+now.Sub(b.at).Seconds()*messageRate, messageBurst) - float64(n)
	b.at = now
	if b.tokens >= 0 {
		return 0
	}
	return time.Duration(-b.tokens / messageRate * float64(time.Second))
}

// A meter holds the bytes of streams to limitBytes in any limitWindow.
type meter struct {
	mu   sync.Mutex
	sent []parcel // guarded by mu: within the window, the oldest first
	sum  int      // guarded by mu: of sent
}

// A parcel is what was sent at a time.
type parcel struct {
	at    time.Time
	bytes int
}

// fill begins anew.
func (m *meter) fill() {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.sent, m.sum = m.sent[:0], 0
	m.mu.Unlock()
}

// take counts n bytes that were sent now, and tells how long to wait until the next may be: until
// so much has left the window that what is in it is within the limit.
func (m *meter) take(n int, now time.Time) time.Duration {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	gone := 0
	for gone < len(m.sent) && now.Sub(m.sent[gone].at) >= limitWindow {
		m.sum -= m.sent[gone].bytes
		gone++
	}
	m.sent = append(m.sent[:0], m.sent[gone:]...)
	if n > 0 {
		m.sent, m.sum = append(m.sent, parcel{now, n}), m.sum+n
	}
	left := m.sum
	for _, p := range m.sent {
		if left <= limitBytes {
			return 0
		}
		if left -= p.bytes; left <= limitBytes {
			return p.at.Add(limitWindow).Sub(now)
		}
	}
	return 0
}

// sizeOf is what a message takes on the wire.
func sizeOf(frames [][]byte) (n int) {
	for _, f := range frames {
		n += len(f)
	}
	return n
}
