package serve

import (
	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// captured moves some of a pipe into the pipe to the kernel, behind the head of its frame. The
// bytes are never in this process's memory: when it dies, at whatever moment (the Go runtime stops
// all goroutines first), what a cell printed is in the one pipe or in the other, and the kernel
// reads both.
func (s *server) captured(k protocol.Kind, fd int) (int, error) {
	if !s.out.Splices() {
		return s.copyCaptured(k, fd)
	}
	n, err := direct.Waiting(fd)
	if err != nil || n == 0 {
		return 0, err
	}
	n = min(n, protocol.ChunkBytes)
	s.window.Acquire(protocol.CostOf(protocol.HeaderBytes + n))
	return n, s.out.Splice(protocol.Frame{Kind: k, Request: s.currentCell()}, fd, n)
}
