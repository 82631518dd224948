//go:build unix && !linux

package serve

import (
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// captured reads some of a pipe and sends it.
func (s *server) captured(k protocol.Kind, fd int) (int, error) { return s.copyCaptured(k, fd) }
