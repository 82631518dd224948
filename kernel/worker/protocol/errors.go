package protocol

import "fmt"

// A HandshakeError tells why the two ends of the pipe did not agree.
type HandshakeError struct {
	What      string // "protocol version", "cookie" or "first message"
	Want, Got string
}

func (e *HandshakeError) Error() string {
	return fmt.Sprintf("worker: handshake: %s: want %s, got %s: kernel and worker must be the same build", e.What, e.Want,
		e.Got)
}

// A FrameError tells which bound a frame on the pipe broke.
type FrameError struct {
	What       string
	Got, Limit uint64
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("worker: frame: %s %d exceeds %d", e.What, e.Got, e.Limit)
}
