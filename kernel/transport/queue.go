package transport

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// A queue holds the messages that wait for a peer. What the system takes at once does not wait:
// whoever sends it writes it. Only for what is left there is a writer, until it has gone.
type queue struct {
	out *direct.Stream

	mu       sync.Mutex // guards what follows, and the order of what is sealed and written
	eased    sync.Cond  // room has come, or the peer is of no use any more
	messages [][]byte   // sealed
	bytes    int        // of messages, and of what is being written
	writing  bool       // there is a writer
	taken    time.Time  // when the peer last took something, or the queue was empty
	missed   int        // messages it did not get since it was last empty
	closing  bool       // flush, then close
	dead     bool       // no use any more
}

func (q *queue) init(out *direct.Stream) {
	q.out, q.taken = out, time.Now()
	q.eased.L = &q.mu
}

func (q *queue) gone() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dead || q.closing
}

// writePart is the most that is written at a time, so that a slow peer shows that it moves.
const writePart = 64 << 10

// push queues a message. A peer that has too much waiting misses it where the socket publishes (as
// ZeroMQ's high-water mark has it), and is disconnected where it replies: a client that misses a
// reply waits for ever.
func (p *peer) push(message []byte, command bool) {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	if p.dead || p.closing {
		return
	}
	if p.bytes == 0 {
		p.taken = time.Now()
	} else if p.bytes+len(message) > p.room() {
		p.overflow(command)
		return
	}
	message = p.seal.seal(message)
	if !p.writing {
		// Large messages are left to the writer, which shows how the peer takes them; so are
		// failures.
		if message = message[p.out.TryWrite(message):]; len(message) == 0 {
			return
		}
		p.writing = true
		p.l.tasks.Go(p.write) // the reader still runs: the group is not empty
	}
	p.appendLocked(message)
	p.bytes += len(message)
}

// appendLocked queues sealed bytes. Small messages are put together: many would take more than
// their bytes.
func (q *queue) appendLocked(message []byte) {
	if n := len(q.messages); n > 0 && len(q.messages[n-1])+len(message) <= writePart {
		q.messages[n-1] = append(q.messages[n-1], message...)
		return
	}
	q.messages = append(q.messages, message[:len(message):len(message)]) // others may hold the same
}

// awaitRoom holds the reader of a peer that sends and does not read: what it asks for waits
// outside. A subscriber is held where it asks for something.
func (p *peer) awaitRoom() {
	if p.l.config.Kind == Router {
		p.awaitRead()
	}
}

// awaitRead waits until little waits for the peer, or it is of no use any more.
func (p *peer) awaitRead() {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	for p.bytes > p.l.limits.Pressure && !p.dead && !p.closing {
		p.eased.Wait()
	}
}

// room is how many bytes may wait: for a peer that a publisher does not wait for any more, few.
func (p *peer) room() int {
	if p.l.config.Kind == Publisher && time.Since(p.taken) > p.l.limits.Patience {
		return p.l.limits.Pressure
	}
	return p.l.limits.Queue
}

func (p *peer) overflow(command bool) {
	if command {
		return
	}
	if p.missed++; p.missed == 1 {
		p.l.log.Warn("a peer does not read: it misses messages", "peer", p.RemoteAddr().String(), "waiting", p.bytes)
	}
	if p.l.config.Kind != Publisher {
		p.endLocked()
	}
}

// endLocked closes a peer that is of no use any more.
func (p *peer) endLocked() {
	p.dead = true
	p.eased.Broadcast()
	_ = p.Conn.Close()
}

// next takes what waits; nil when nothing does, and the writer is to end.
func (p *peer) next() net.Buffers {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	if p.dead {
		return nil
	}
	b := p.messages
	p.messages, p.writing = nil, len(b) > 0
	if p.closing && !p.writing {
		p.endLocked() // all is flushed
	}
	return b
}

// took notes that the peer took n bytes.
func (p *peer) took(n int) {
	p.queue.mu.Lock()
	held := p.bytes > p.l.limits.Pressure
	p.bytes -= n
	p.taken = time.Now()
	held = held && p.bytes <= p.l.limits.Pressure
	if p.bytes == 0 && p.missed > 0 {
		p.l.log.Warn("a peer reads again", "peer", p.RemoteAddr().String(), "missed", p.missed)
		p.missed = 0
	}
	p.queue.mu.Unlock()
	if held {
		p.eased.Broadcast()
		p.l.wake()
	}
}

// write sends what is queued until nothing is, or the peer fails.
func (p *peer) write() {
	for {
		b := p.next()
		if len(b) == 0 {
			return
		}
		for len(b) > 0 {
			part := cut(&b)
			n, err := part.WriteTo(p.Conn)
			p.took(int(n))
			if err != nil {
				p.abort()
				return
			}
		}
	}
}

// cut takes about writePart bytes off the front of b.
func cut(b *net.Buffers) net.Buffers {
	n := 0
	for i, m := range *b {
		if n+len(m) > writePart {
			if i == 0 {
				part := net.Buffers{m[:writePart]}
				(*b)[0] = m[writePart:]
				return part
			}
			part := (*b)[:i:i]
			*b = (*b)[i:]
			return part
		}
		n += len(m)
	}
	part := *b
	*b = nil
	return part
}

// Close closes when all is flushed, or the time of Linger is over.
func (p *peer) Close() error {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	if p.closing || p.dead {
		return nil
	}
	p.closing = true
	p.eased.Broadcast()
	if !p.writing {
		p.dead = true
		return p.Conn.Close()
	}
	_ = p.SetWriteDeadline(time.Now().Add(p.l.limits.Linger))
	return p.SetReadDeadline(time.Now()) // the reader is done
}

// abort closes without a flush.
func (p *peer) abort() {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	p.messages, p.bytes = nil, 0
	p.endLocked()
}

// load tells how many bytes wait, and since when nothing moved.
func (p *peer) load() (waiting int, taken time.Time) {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	return p.bytes, p.taken
}

func (l *Listener) wake() {
	l.mu.Lock()
	l.wakeLocked()
	l.mu.Unlock()
}

func (l *Listener) wakeLocked() {
	close(l.room)
	l.room = make(chan struct{})
}

// WaitForRoom returns when no peer that still reads has more than Limits.Pressure bytes waiting:
// the back-pressure of a publisher. Peers that have taken nothing for the time of Limits.Patience
// are not waited for. It returns early when ctx is done.
func (l *Listener) WaitForRoom(ctx context.Context) {
	for {
		l.mu.Lock()
		room := l.room
		wait := time.Duration(0)
		for p := range l.peers {
			waiting, taken := p.load()
			if waiting > l.limits.Pressure {
				wait = max(wait, l.limits.Patience-time.Since(taken))
			}
		}
		l.mu.Unlock()
		if wait <= 0 {
			return
		}
		stalled := time.NewTimer(wait)
		select {
		case <-room:
		case <-stalled.C:
		case <-ctx.Done():
		}
		stalled.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}
