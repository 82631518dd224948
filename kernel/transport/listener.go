package transport

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
		if err := checkPath(c.Address); err != nil {
			return nil, err
		}
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
	return newListener(inner, c), nil
}

// newListener begins to accept.
func newListener(inner net.Listener, c Config) *Listener {
	l := &Listener{
		inner: inner, config: c, limits: c.Limits.withDefaults(),
		log:      c.Log.With("kind", c.Kind, "address", inner.Addr().String()),
		received: make(chan [][]byte), done: make(chan struct{}),
		peers: map[*peer]struct{}{}, named: map[string]*peer{}, room: make(chan struct{}),
	}
	l.tasks.Go(l.accept)
	return l
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

// checkPath refuses what the system would with less words, and sockets that every user of the
// machine could connect to.
func checkPath(path string) error {
	if most := len(syscall.RawSockaddrUnix{}.Path) - 1; len(path) > most {
		return refuse("path of bytes", len(path), "at most %d: this system's sockets have no longer ones", most)
	}
	if strings.HasPrefix(path, "@") || strings.HasPrefix(path, "\x00") {
		return refuse("path", strconv.Quote(path), "one of a file: the permissions of abstract sockets are everybody's")
	}
	return nil
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
	if l.closed || len(l.peers) >= l.limits.Peers && !l.makePlaceLocked() {
		l.log.Warn("connection refused", "peers", len(l.peers), "limit", l.limits.Peers)
		_ = c.Close()
		return false
	}
	if len(l.pending) >= l.limits.Pending {
		_ = l.pending[0].Close()
		l.pending = slices.Delete(l.pending, 0, 1)
		l.wakeLocked()
	}
	l.pending = append(l.pending, c)
	return true
}

// makePlaceLocked ends the peer that has been there longest and never said anything; false where
// all have.
func (l *Listener) makePlaceLocked() bool {
	var longest *peer
	for p := range l.peers {
		if !p.heard && (longest == nil || p.since.Before(longest.since)) {
			longest = p
		}
	}
	if longest == nil {
		return false
	}
	l.log.Warn("peer disconnected: it said nothing, and others want its place", "peer", longest.RemoteAddr().String(),
		"limit", l.limits.Peers)
	delete(l.peers, longest)
	longest.abort()
	return true
}

// settleLocked takes a connection off the list of those that are not peers yet; false where it is
// not on it any more.
func (l *Listener) settleLocked(c net.Conn) bool {
	i := slices.Index(l.pending, c)
	if i >= 0 {
		l.pending = slices.Delete(l.pending, i, i+1)
	}
	return i >= 0
}

// greet does the handshake within the deadline; then it is the reader of the peer.
func (l *Listener) greet(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(l.limits.Handshake)) // fails only where c is closed
	stream := direct.New(c)
	r := bufio.NewReaderSize(turns{stream}, 16<<10)
	m, s, err := l.handshake(c, r)
	if err != nil {
		l.mu.Lock()
		l.settleLocked(c)
		l.mu.Unlock()
		l.log.Log(context.Background(), handshakeLevel(err), "handshake", "peer", c.RemoteAddr().String(), "error", err)
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

// handshakeLevel tells a peer that speaks something else, which its owner wants to know, from one
// that left.
func handshakeLevel(err error) slog.Level {
	var protocol *ProtocolError
	if errors.As(err, &protocol) {
		return slog.LevelInfo
	}
	return slog.LevelDebug
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

// reserve counts bytes of a peer's incomplete message in. Where there are too many of all peers
// together, the one goes that has most: whoever sends little is not harmed by who sends much.
func (l *Listener) reserve(p *peer, n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.reserved+n > l.limits.Message {
		return refuse("message of bytes", p.reserved+n, "at most %d", l.limits.Message)
	}
	p.reserved += n
	l.inbound += n
	if l.inbound <= l.limits.Inbound {
		return nil
	}
	most := p
	for other := range l.peers {
		if other.reserved > most.reserved {
			most = other
		}
	}
	err := refuse("bytes of incomplete messages of all peers", l.inbound, "at most %d", l.limits.Inbound)
	if most == p {
		return err
	}
	l.log.Warn("peer disconnected", "peer", most.RemoteAddr().String(), "its bytes", most.reserved, "error", err)
	l.releaseLocked(most, 0)
	most.abort()
	return nil
}

// heard notes that a peer has sent a message that is whole, which is not held here any more.
func (l *Listener) heard(p *peer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.heard = true
	l.releaseLocked(p, 0)
}

// release counts bytes of a peer's message out, all but those that are left.
func (l *Listener) release(p *peer, left int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.releaseLocked(p, left)
}

func (l *Listener) releaseLocked(p *peer, left int) {
	if over := p.reserved - left; over > 0 {
		p.reserved -= over
		l.inbound -= over
	}
}
