//go:build unix && !linux

package serve

import (
	"os"
	"syscall"
)

// A gate waits until a pipe holds something.
type gate struct{ raw syscall.RawConn }

func newGate(_ *os.File, pipe syscall.RawConn) (gate, error) { return gate{pipe}, nil }

// wait calls look until it is true: when the pipe may hold something.
func (g gate) wait(look func() bool) error {
	return g.raw.Read(func(uintptr) bool { return look() })
}

// polled says that the runtime's poller is to look at pipes that have a gate.
const polled = true

func (g gate) close() {}
