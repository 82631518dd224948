package worker

import (
	"fmt"
	"io"
	"os"
)

// sendHello tells the other end who this is.
func sendHello(w io.Writer, cookie string) error {
	c := channel{w: w}
	return c.sendHead(kindHello, 0, hello{Version: protocolVersion, Cookie: cookie, PID: os.Getpid()})
}

// receiveHello checks what the other end says. Errors: *HandshakeError, or that of the pipe.
func receiveHello(r io.Reader, cookie string) error {
	f, err := readFrame(r)
	if err != nil {
		return fmt.Errorf("worker: handshake: %w", err)
	}
	if f.kind != kindHello {
		return &HandshakeError{What: "first message", Want: "hello", Got: fmt.Sprintf("kind %d", f.kind)}
	}
	h, err := decode[hello](f)
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
