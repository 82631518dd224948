package transport

import (
	"bufio"
	"net"
	"slices"
	"strconv"
	"strings"
)

// A seal is what a security mechanism does to the frames of messages after the handshake.
type seal interface {
	// open gives the frame inside one that was received.
	open(flags byte, body []byte) (byte, []byte, error)
	// seal gives the bytes to send for whole frames. Only the writer of a peer calls it, in the
	// order in which the bytes go out.
	seal(frames []byte) []byte
}

const mechanismNull = "NULL"

// plain is the seal of the NULL mechanism: none.
type plain struct{}

func (plain) open(flags byte, body []byte) (byte, []byte, error) { return flags, body, nil }

func (plain) seal(frames []byte) []byte { return frames }

// handshake greets a peer and gives what it said of itself. The caller has set a deadline.
func (l *Listener) handshake(c net.Conn, r *bufio.Reader) (metadata, seal, error) {
	mechanism := mechanismNull
	if l.config.Curve != nil {
		mechanism = mechanismCurve
	}
	if _, err := c.Write(greeting{mechanism: mechanism, asServer: l.config.Curve != nil}.encode()); err != nil {
		return nil, nil, err
	}
	g, err := readGreeting(r)
	if err != nil {
		return nil, nil, err
	}
	if g.mechanism != mechanism {
		return nil, nil, refuse("security mechanism", g.mechanism, "%s", mechanism)
	}
	m, s, err := l.introduce(c, r)
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(compatible[l.config.Kind], m.socketType()) {
		err = refuse("socket type", m.socketType(), "one of %v", compatible[l.config.Kind])
		// The peer learns why; that it may be gone already changes nothing.
		reason := "Invalid socket type"
		_, _ = c.Write(s.seal(appendFrame(nil, flagCommand,
			encodeCommand(cmdError, append([]byte{byte(len(reason))}, reason...)))))
		return nil, nil, err
	}
	if id := m.identity(); len(id) > maxIdentity || strings.HasPrefix(id, "\x00") {
		return nil, nil, refuse("identity", strconv.Quote(id), "at most %d bytes that do not begin with 0", maxIdentity)
	}
	return m, s, nil
}

// introduce does the handshake of the mechanism.
func (l *Listener) introduce(c net.Conn, r *bufio.Reader) (metadata, seal, error) {
	if l.config.Curve != nil {
		return l.config.Curve.serve(c, r, l.config.Kind)
	}
	m, err := l.exchangeReady(c, r)
	return m, plain{}, err
}

// exchangeReady is the handshake of the NULL mechanism.
func (l *Listener) exchangeReady(c net.Conn, r *bufio.Reader) (metadata, error) {
	ready := encodeCommand(cmdReady, encodeMetadata(string(l.config.Kind), ""))
	if _, err := c.Write(appendFrame(nil, flagCommand, ready)); err != nil {
		return nil, err
	}
	name, data, err := readCommand(r)
	if err != nil {
		return nil, err
	}
	if name != cmdReady {
		return nil, refuse("handshake command", name, cmdReady)
	}
	return parseMetadata(data)
}

// readCommand reads a frame that must be a command.
func readCommand(r *bufio.Reader) (name string, data []byte, err error) {
	flags, size, err := readFrameHeader(r)
	if err != nil {
		return "", nil, err
	}
	if flags != flagCommand || size > maxCommand {
		return "", nil, refuse("handshake frame of bytes", size, "a command of at most %d", maxCommand)
	}
	body, err := appendBody(nil, r, int(size), func(int) error { return nil })
	if err != nil {
		return "", nil, err
	}
	return parseCommand(body)
}
