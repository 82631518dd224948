//go:build unix && !linux

package descendants

import (
	"os/exec"
	"strconv"
	"strings"
)

// Children are the processes that one has started and that are there yet.
func Children(pid int) (pids []int) {
	b, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil // there are none, or no pgrep
	}
	for _, s := range strings.Fields(string(b)) {
		if n, err := strconv.Atoi(s); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}
