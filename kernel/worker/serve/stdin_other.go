//go:build !linux

package serve

import "context"

// A stdinPipe is there on Linux alone: elsewhere nobody tells which threads wait for descriptor 0,
// and it stays empty.
type stdinPipe struct{}

func openStdin() *stdinPipe { return nil }

func (*stdinPipe) serve(context.Context, *host, <-chan struct{}, func() bool) {}

func (*stdinPipe) forget() {}
