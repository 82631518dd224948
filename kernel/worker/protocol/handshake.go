package protocol

import (
	"fmt"
	"io"
	"os"
)

// SendHello tells the other end who this is.
func SendHello(w io.Writer, cookie string) error {
	c := NewChannel(w, nil)
	return c.SendHead(KindHello, 0, hello{Version: protocolVersion, Cookie: cookie, PID: os.Getpid()})
}

// ReceiveHello checks what the other end says. Errors: *HandshakeError, or that of the pipe.
func ReceiveHello(r io.Reader, cookie string) error {
	f, err := ReadFrame(r)
	if err != nil {
		return fmt.Errorf("worker: handshake: %w", err)
	}
	if f.Kind != KindHello {
		return &HandshakeError{What: "first message", Want: "hello", Got: fmt.Sprintf("kind %d", f.Kind)}
	}
	h, err := Decode[hello](f)
	if err != nil {
		return &HandshakeError{What: "first message", Want: "hello", Got: err.Error()}
	}
	if h.Version != protocolVersion {
		return &HandshakeError{What: "protocol version", Want: fmt.Sprint(protocolVersion), Got: fmt.Sprint(h.Version)}
	}
	if h.Cookie != cookie {
		return &HandshakeError{What: "cookie", Want: "the one from the environment", Got: "another"}
	}
	return nil
}
