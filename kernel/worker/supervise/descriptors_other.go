//go:build unix && !linux

package supervise

import "os"

// enlargePipe does nothing: only Linux lets a process choose.
func enlargePipe(*os.File, int) {}
