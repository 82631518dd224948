package transport

import (
	"context"
	"encoding/binary"
	"net"
	"slices"
	"time"
)

// enlist adds a peer; false where it cannot be one.
func (l *Listener) enlist(p *peer) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.config.Kind == Router && p.identity != "" && !l.claimLocked(p) {
		l.settleLocked(p.Conn)
		return false
	}
	if !l.settleLocked(p.Conn) || l.closed {
		return false
	}
	if p.identity == "" {
		l.unnamed++
		p.identity = string(binary.BigEndian.AppendUint32([]byte{0}, l.unnamed)) // no peer may begin its own with 0
	}
	l.peers[p] = struct{}{}
	if l.config.Kind == Router {
		l.named[p.identity] = p
	}
	l.wakeLocked()
	return true
}

// claimLocked makes an identity free for a peer. Of two that say the same one the older has it
// while it is connected: who has seen a client's identity in what is published must not take its
// answers. The newer waits, as a client does that connects anew before its end was noticed here,
// for the time of a handshake. The end of a connection from another machine may never be
// noticed: there the newer is the one that its owner uses.
func (l *Listener) claimLocked(p *peer) bool {
	old := l.named[p.identity]
	if old == nil {
		return true
	}
	if !onThisMachine(old) {
		l.log.Info("a new connection takes over an identity", "peer", p.RemoteAddr().String())
		old.abort()
		return true
	}
	late := time.NewTimer(l.limits.Handshake)
	defer late.Stop()
	for l.named[p.identity] != nil {
		if !l.awaitChangeLocked(late.C) || !slices.Contains(l.pending, p.Conn) {
			l.log.Warn("connection refused: another one has its identity", "peer", p.RemoteAddr().String())
			return false
		}
	}
	return true
}

// awaitChangeLocked waits, without the lock, until peers come or go; false when it is late, or the
// listener closes.
func (l *Listener) awaitChangeLocked(late <-chan time.Time) bool {
	changed := l.room
	l.mu.Unlock()
	defer l.mu.Lock()
	select {
	case <-changed:
		return true
	case <-late:
		return false
	case <-l.done:
		return false
	}
}

// onThisMachine reports whether the end of a connection is known here at once.
func onThisMachine(c net.Conn) bool {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	return !ok || tcp.IP.IsLoopback()
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

// awaitPeer waits until a peer with this identity is there. False when ctx is done or the listener
// closed.
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
