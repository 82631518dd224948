//go:build unix && !linux

package worker

// captured reads some of a pipe and sends it.
func (s *server) captured(k kind, fd int) (int, error) { return s.copyCaptured(k, fd) }
