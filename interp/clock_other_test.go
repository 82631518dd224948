//go:build !linux

package interp

import "time"

var start = time.Now()

// processorTime is time alone, where nothing tells more.
func processorTime() time.Duration { return time.Since(start) }
