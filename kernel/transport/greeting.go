package transport

import (
	"bytes"
	"fmt"
	"io"
)

// greetingSize is the size of a ZMTP 3 greeting: signature (10), version (2), mechanism (20),
// as-server (1), filler (31).
const greetingSize = 64

const (
	greetMajor, greetMinor = 3, 1

	atMajor     = 10
	atMechanism = 12
	atAsServer  = 32
)

// A greeting says which security mechanism a side speaks, and whether as its server.
type greeting struct {
	mechanism string // NULL, CURVE
	asServer  bool
}

func (g greeting) encode() []byte {
	b := make([]byte, greetingSize)
	b[0], b[9] = 0xff, 0x7f
	b[atMajor], b[atMajor+1] = greetMajor, greetMinor
	copy(b[atMechanism:atAsServer], g.mechanism)
	if g.asServer {
		b[atAsServer] = 1
	}
	return b
}

// readGreeting reads a greeting, its signature first, so that garbage is refused at its tenth byte,
// and older versions, whose greetings are shorter, at their eleventh.
func readGreeting(r io.Reader) (greeting, error) {
	var b [greetingSize]byte
	if _, err := io.ReadFull(r, b[:atMajor]); err != nil {
		return greeting{}, err
	}
	if b[0] != 0xff || b[9]&1 == 0 {
		return greeting{}, refuse("greeting", fmt.Sprintf("%x", b[:atMajor]), "a ZMTP signature")
	}
	if _, err := io.ReadFull(r, b[atMajor:atMajor+1]); err != nil {
		return greeting{}, err
	}
	if b[atMajor] < greetMajor {
		return greeting{}, refuse("ZMTP version", b[atMajor], "%d or later", greetMajor)
	}
	if _, err := io.ReadFull(r, b[atMajor+1:]); err != nil {
		return greeting{}, err
	}
	name, _, _ := bytes.Cut(b[atMechanism:atAsServer], []byte{0})
	return greeting{mechanism: string(name), asServer: b[atAsServer] == 1}, nil
}
