package transport

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// acceptPause keeps a listener that has run out of descriptors from spinning.
const acceptPause = 50 * time.Millisecond

// A Listener accepts peers for one socket.
type Listener struct {
	inner  net.Listener
	config Config
	limits Limits
	log    *slog.Logger

	received chan [][]byte // messages of peers, their identities first
	done     chan struct{}
	tasks    sync.WaitGroup // accept, handshakes, readers and writers

	mu      sync.Mutex // guards what follows
	closed  bool
	pending []net.Conn // in the order in which they came
	peers   map[*peer]struct{}
	named   map[string]*peer // by identity, on a ROUTER
	unnamed uint32           // peers so far that came without one
	inbound int              // bytes of messages that are incomplete or unread
	room    chan struct{}    // closed and replaced when peers come and go, and when one has room again
}

func listen(ctx context.Context, c Config) (*Listener, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Network == "unix" {
		removeStale(c.Address)
	}
	inner, err := c.listener(ctx)
	if err != nil {
		return nil, err
	}
	if c.Network == "unix" {
		if err := os.Chmod(c.Address, 0o600); err != nil {
			return nil, errors.Join(err, inner.Close())
		}
	}
	l := &Listener{
		inner: inner, config: c, limits: c.Limits.withDefaults(),
		log:      c.Log.With("kind", c.Kind, "address", inner.Addr().String()),
		received: make(chan [][]byte), done: make(chan struct{}),
		peers: map[*peer]struct{}{}, named: map[string]*peer{}, room: make(chan struct{}),
	}
	l.tasks.Go(l.accept)
	return l, nil
}

// listener listens, or takes over what does.
func (c Config) listener(ctx context.Context) (net.Listener, error) {
	if c.Listening != nil {
		l, err := net.FileListener(c.Listening)
		return l, errors.Join(err, c.Listening.Close())
	}
	var config net.ListenConfig
	return config.Listen(ctx, c.Network, c.Address)
}

// removeStale removes a socket file that nobody listens on any more; a file in use makes the listen
// fail, as it must.
func removeStale(path string) {
	st, err := os.Lstat(path)
	if err != nil || st.Mode()&fs.ModeSocket == 0 {
		return
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = c.Close()
		return
	}
	_ = os.Remove(path) // what stands in the way is then said by the listen
}

// accept takes connections and greets each on its own goroutine.
func (l *Listener) accept() {
	for {
		c, err := l.inner.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			l.log.Warn("accept", "error", err)
			select {
			case <-l.done:
				return
			case <-time.After(acceptPause):
				continue
			}
		}
		if l.admit(c) {
			l.tasks.Go(func() { l.greet(c) })
		}
	}
}

// admit counts a connection in, or closes it.
func (l *Listener) admit(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.peers) >= l.limits.Peers {
		l.log.Warn("connection refused", "peers", len(l.peers), "limit", l.limits.Peers)
		_ = c.Close()
		return false
	}
	if len(l.pending) >= l.limits.Pending {
		_ = l.pending[0].Close() // its goroutine takes it off the list
	}
	l.pending = append(l.pending, c)
	return true
}

func (l *Listener) settle(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, p := range l.pending {
		if p == c {
			l.pending = append(l.pending[:i], l.pending[i+1:]...)
			return
		}
	}
}

// greet does the handshake within the deadline; then it is the reader of the peer.
func (l *Listener) greet(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(l.limits.Handshake)) // fails only where c is closed
	stream := direct.New(c)
	r := bufio.NewReaderSize(stream, 16<<10)
	m, s, err := l.handshake(c, r)
	l.settle(c)
	if err != nil {
		l.log.Debug("handshake", "peer", c.RemoteAddr().String(), "error", err)
		_ = c.Close()
		return
	}
	_ = c.SetDeadline(time.Time{})
	p := newPeer(l, c, stream, r, m, s)
	if !l.enlist(p) {
		_ = c.Close()
		return
	}
	p.read()
}

// enlist adds a peer. Of two with one identity the newer is the one that its owner uses.
func (l *Listener) enlist(p *peer) bool {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return false
	}
	l.peers[p] = struct{}{}
	if p.identity == "" {
		l.unnamed++
		p.identity = string(binary.BigEndian.AppendUint32([]byte{0}, l.unnamed)) // no peer may begin its own with 0
	}
	var old *peer
	if l.config.Kind == Router {
		old = l.named[p.identity]
		l.named[p.identity] = p
	}
	l.wakeLocked()
	l.mu.Unlock()
	if old != nil {
		l.log.Info("a new connection takes over an identity", "peer", p.RemoteAddr().String())
		old.abort()
	}
	return true
}

// forget removes a peer.
func (l *Listener) forget(p *peer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.peers, p)
	if l.named[p.identity] == p {
		delete(l.named, p.identity)
	}
	l.wakeLocked()
}

// close stops accepting, and returns when all peers are flushed or have had their time.
func (l *Listener) close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	close(l.done)
	left := slices.Clone(l.pending)
	for p := range l.peers {
		left = append(left, p)
	}
	l.mu.Unlock()
	for _, c := range left {
		_ = c.Close()
	}
	err := l.inner.Close() // which removes the file of a unix socket
	l.tasks.Wait()
	return err
}

// awaitPeer waits until a peer with this identity is there. False when ctx is done or the listener closed.
func (l *Listener) awaitPeer(ctx context.Context, identity string) bool {
	for {
		l.mu.Lock()
		p, changed := l.named[identity], l.room
		l.mu.Unlock()
		if p != nil {
			return true
		}
		select {
		case <-changed:
		case <-l.done:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// peer finds the one that an identity names.
func (l *Listener) peer(identity []byte) *peer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.named[string(identity)]
}

// each calls do for every peer.
func (l *Listener) each(do func(*peer)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.peers {
		do(p)
	}
}

// Addr is where it listens.
func (l *Listener) Addr() net.Addr { return l.inner.Addr() }

// Peers tells how many connections there are.
func (l *Listener) Peers() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.peers)
}

// reserve counts bytes of an incomplete message in.
func (l *Listener) reserve(n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inbound+n > l.limits.Inbound {
		return refuse("bytes of incomplete messages of all peers", l.inbound+n, "at most %d", l.limits.Inbound)
	}
	l.inbound += n
	return nil
}

func (l *Listener) unreserve(n int) {
	l.mu.Lock()
	l.inbound -= n
	l.mu.Unlock()
}
